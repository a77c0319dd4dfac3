package command

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// The flag decides, then the API server, and then the newest kubelet, which is a guess.
func TestKubernetesOf(t *testing.T) {
	const guess = "the answers are those of Kubernetes 1.36, as a guess: it is the newest version of a kubelet, and the API server may be newer (-kubernetes says it)"
	for _, test := range []struct {
		flag, server string
		kubelets     []string
		want         string
		says         string // the beginning
	}{
		{"1.35", "v1.36.1", []string{"v1.37.0"}, "1.35", ""},
		{"", "v1.36.1+k3s1", []string{"v1.37.0"}, "1.36", ""},
		{"", "", []string{"v1.35.9", "v1.36.0-gke.1", "v1.9.0", "unknown"}, "1.36", guess},
		{"", "", []string{"v1.36.2"}, "1.36", guess},
		{"", "v1.36", []string{"v1.37.0"}, "1.36", ""},
		{"", "", []string{"v1.35.9", "1.36"}, "1.36", guess},
		{"", "unknown", []string{"v1.36.2"}, "1.36", guess},
		{"", "", []string{"", "unknown"}, "", ""},
		{"", "v1.99.0", nil, "1.99", "the answers are those of the release next to 1.99, which is the version of the API server: "},
		{"", "", []string{"v1.99.0"}, "1.99", "the answers are those of the release next to 1.99, which is the newest version of a kubelet, and the API server may be newer: "},
	} {
		says := ""
		c := Common{}
		c.Kubernetes.Release = test.flag
		got := c.KubernetesOf(test.server, test.kubelets, func(text string) { says += text })
		testkit.Equal(t, got.Release, test.want, test)
		if !strings.HasPrefix(says, test.says) || test.says == "" && says != "" {
			t.Errorf("%+v: says %q", test, says)
		}
	}
}
