package top

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

const output = `NAME       CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)
worker-1   2210m        27%      9120Mi          30%
worker-2   1800m        22%      15Gi            51%
NAMESPACE   POD                      NAME    CPU(cores)   MEMORY(bytes)
shop        storefront-7c9d8-4kx2m   proxy   40m          30Mi
shop        storefront-7c9d8-4kx2m   app     900m         2100Mi
`

func TestUsage(t *testing.T) {
	u, err := parse([]byte(output))
	text := func(of string, name corev1.ResourceName) string { return report.Amounts(u[of]).Text(name) }
	if err != nil || text("shop/storefront-7c9d8-4kx2m", "cpu") != "940m" || text("shop/storefront-7c9d8-4kx2m/app", "memory") != "2100Mi" ||
		text("worker-2", "memory") != "15Gi" || u["gpu-1"] != nil {
		t.Errorf("%v, %v", u, err)
	}
	for text, want := range map[string]string{
		"error: Metrics API not available\n":            "line 1: not a table of kubectl top nodes or kubectl top pods -A",
		"NAME CPU(cores) MEMORY(bytes)\nweb 1m 1Mi\n":   "line 2: no namespaces: want kubectl top pods -A",
		"NAMESPACE NAME CPU(cores)\nshop web many\n":    `line 2: "many" is not a quantity such as 500m or 2Gi`,
		"\n\nNAMESPACE NAME CPU(cores)\n\nshop web x\n": `line 5: "x" is not a quantity such as 500m or 2Gi`,
		"NAMESPACE NAME CPU(cores)\nshop web 1m 2m\n":   "line 2: not a table of kubectl top nodes or kubectl top pods -A",
		"NAMESPACE NAME CPU(cores)\nshop web\n":         "line 2: not a table of kubectl top nodes or kubectl top pods -A",
		strings.Repeat("x", 1<<17):                      "bufio.Scanner: token too long",
		"NAME CPU(cores) CPU%\na <unknown> <unknown>\n": "<nil>",
	} {
		if _, err := parse([]byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Nodes, pods and containers have their own names, and nothing is added up across pods and namespaces.
func TestUsageWhole(t *testing.T) {
	u, err := parse([]byte("NAME CPU(cores) CPU% MEMORY(bytes) MEMORY%\nn1 2 10% 3Gi 20%\nn2 100m 1% 1Gi 5%\nn3 <unknown> <unknown> <unknown> <unknown>\n" +
		"NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 9m 9Mi\nshop old 1m 2Mi\n" +
		"NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop web app 4m 15Mi\nblog web app 1m 1Mi\nshop db app 2m 7Mi\nshop web log 0m 0Mi\nshop web proxy 3m 5Mi\n\n"))
	testkit.OK(t, err)
	got := map[string]string{}
	for name, list := range u {
		got[name] = fmt.Sprint(list.Cpu(), " ", list.Memory(), " ", len(list))
	}
	testkit.NoDiff(t, got, map[string]string{"n1": "2 3Gi 2", "n2": "100m 1Gi 2", "shop/old": "1m 2Mi 2", "shop/web": "7m 20Mi 2", "shop/db": "2m 7Mi 2", "blog/web": "1m 1Mi 2",
		"shop/web/app": "4m 15Mi 2", "shop/web/log": "0 0 2", "shop/web/proxy": "3m 5Mi 2", "blog/web/app": "1m 1Mi 2", "shop/db/app": "2m 7Mi 2"})
	u["shop/db/app"]["cpu"] = resource.MustParse("8") // which the pod does not share
	testkit.Equal(t, report.Amounts(u["shop/db"]).Text("cpu"), "2m")
}

// What pods use may be read from the table of pods, from that of containers, and from both: it counts once.
func TestUsageOfPods(t *testing.T) {
	const (
		pods       = "NAMESPACE   NAME   CPU(cores)   MEMORY(bytes)\nshop        web    7m           20Mi\nblog        web    1m           5Mi\n"
		containers = "NAMESPACE   POD   NAME    CPU(cores)   MEMORY(bytes)\nshop        web   app     4m           15Mi\nshop        web   proxy   3m           5Mi\n"
	)
	for text, want := range map[string]string{
		pods:                    "7m 20Mi",
		containers:              "7m 20Mi",
		pods + containers:       "7m 20Mi",
		containers + pods:       "7m 20Mi",
		containers + containers: "7m 20Mi",
		strings.Replace(containers, "\nshop", "\nblog web app 1m 5Mi\nshop", 1): "7m 20Mi",
	} {
		u, err := parse([]byte(text))
		of := report.Amounts(u["shop/web"])
		if got := of.Text("cpu") + " " + of.Text("memory"); err != nil || got != want {
			t.Errorf("%s%s, %v, want %s", text, got, err, want)
		}
	}
	// An older kubectl, and a table without memory.
	for range 20 { // a map has any order
		u, err := parse([]byte("NAME CPU(cores) CPU% MEMORY(bytes) MEMORY%\nn1 2 10% 3Gi 20%\nNAMESPACE NAME CPU(cores)\nshop web 7m\n"))
		if node, pod := report.Amounts(u["n1"]), report.Amounts(u["shop/web"]); err != nil || len(u) != 2 || len(pod) != 1 || node.Text("memory") != "3Gi" || pod.Text("cpu") != "7m" {
			t.Errorf("%v, %v", u, err)
		}
	}
	for _, row := range []string{"shop web 7m <unknown>", "shop web <unknown> 20Mi"} {
		if u, err := parse([]byte("NAMESPACE NAME CPU(cores) MEMORY(bytes)\n" + row + "\nblog web 1m 5Mi\n")); err != nil || len(u) != 1 || u["blog/web"] == nil {
			t.Errorf("%s: %v, %v", row, u, err)
		}
	}
	u, _ := parse([]byte(pods))
	if got := report.Amounts(u["blog/web"]).Text("cpu"); got != "1m" || len(u) != 2 {
		t.Errorf("%v", u)
	}
}

func TestRead(t *testing.T) {
	if used, err := Read(nil, ""); used != nil || err != nil {
		t.Errorf("%v, %v", used, err)
	}
	name := filepath.Join(t.TempDir(), "a\tb")
	if used, err := Read(nil, name); used != nil || !os.IsNotExist(err) {
		t.Errorf("%v, %v", used, err)
	}
	for text, want := range map[string]string{output: "<nil>", "nothing\n": strings.ReplaceAll(name, "\t", `\t`) + ", line 1: not a table of kubectl top nodes or kubectl top pods -A"} {
		testkit.OK(t, os.WriteFile(name, []byte(text), 0o644))
		if _, err := Read(nil, name); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The cluster is asked for its nodes, and for the containers of all namespaces.
func TestTop(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of a shell")
	}
	dir := t.TempDir()
	script := `#!/bin/sh
case "$*" in
"top nodes --context=c") echo "NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)"; echo "n1 2 10% 3Gi 20%" ;;
"top pods --all-namespaces --containers --context=c") echo "NAMESPACE POD NAME CPU(cores) MEMORY(bytes)"; echo "shop web app 4m 15Mi" ;;
*) echo "unknown: $*" >&2; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	used, err := Read(&command.Common{Kubectl: []string{"--context=c"}}, "top")
	if node, pod := report.Amounts(used["n1"]), report.Amounts(used["shop/web"]); err != nil || len(used) != 3 || node.Text("memory") != "3Gi" || pod.Text("cpu") != "4m" {
		t.Errorf("%v, %v", used, err)
	}
	if used, err := Read(&command.Common{}, "top"); used != nil || fmt.Sprint(err) != "unknown: top nodes" {
		t.Errorf("%v, %v", used, err)
	}
}
