package main

import (
	"os"
	"path/filepath"
	"testing"
)

const anyKubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: https://127.0.0.1:1}}]
contexts: [{name: c, context: {cluster: c}}]
current-context: c
`

// No limit is a negative QPS: zero would be client-go's default of 5.
func TestRequestsASecond(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(anyKubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args  []string
		qps   float32
		burst int
	}{
		{nil, -1, 0},
		{[]string{"-kube-api-qps=0"}, -1, 0},
		{[]string{"-kube-api-qps=50"}, 50, 100},
		{[]string{"-kube-api-qps=0.25"}, 0.25, 1},
	} {
		args, err := parse(test.args)
		if err != nil {
			t.Fatal(err)
		}
		config, err := args.configure(file)
		if err != nil {
			t.Fatal(err)
		}
		if config.QPS != test.qps || config.Burst != test.burst {
			t.Errorf("%v: QPS %v and burst %d, want %v and %d", test.args, config.QPS, config.Burst, test.qps, test.burst)
		}
	}
	for _, bad := range []string{"-1", "NaN", "Inf", "many"} {
		if _, err := parse([]string{"-kube-api-qps=" + bad}); err == nil {
			t.Errorf("-kube-api-qps=%s is taken", bad)
		}
	}
}
