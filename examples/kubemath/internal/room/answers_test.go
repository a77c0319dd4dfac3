package room

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	const on = "-f - -on testdata/cluster.yaml"
	in := func(namespace, object string) string {
		return strings.Replace(object, "metadata: {", "metadata: {namespace: "+namespace+", ", 1)
	}
	device := strings.Replace(pod, "requests: {cpu: 1500m}", "limits: {example.com/a: 1}", 1)
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"a scheduler that ignores a device", device, on + " -scheduler testdata/scheduler.yaml"},
		{"limits of a quota, with others that are not computed", in("team", pod), on},
		{"no workload", none, on},
		{"no cluster", pod, "-f - -on testdata/none.yaml"},
		{"no flag", "", "-x"},
	})
	open := golden.Run(Run, web+strings.Replace(pod, "1500m", "9", 1), "-f", "-", "-on", file(t, none), "-o", "csv", "-no-headers").Stdout
	testkit.Equal(t, open, "default,Deployment,web,unlimited,0,\ndefault,Pod,p,unlimited,0,\n", "nothing that limits")
	broken := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1500m}}\n"
	if got := golden.Run(Run, pod, "-f", "-", "-on", file(t, broken)); got.Code != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "must be an integer") {
		t.Errorf("%+v", got)
	}
}
