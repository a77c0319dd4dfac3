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
	two := device + web + strings.Replace(web, "name: web", "name: api", 1)
	open := in("two", strings.Replace(small, "image: i", "image: i, resources: {requests: {memory: 1Gi}}", 1))
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"several", two, on},
		{"several, as JSON", none + two, on + " -o json"},
		{"several, as rows", in("team", web) + in("team", job) + web, on + " -o csv"},
		{"by label", pod + strings.Replace(web, "{name: web}", "{name: web, labels: {a: b}}", 1), on + " -l a=b"},
		{"a scheduler that ignores a device", device, on + " -scheduler testdata/scheduler.yaml"},
		{"limits of a quota, with others that are not computed", in("team", pod), on},
		{"a DaemonSet", strings.Replace(strings.Replace(web, "Deployment", "DaemonSet", 1), "replicas: 2, ", "", 1), on},
		{"LimitRanges of which the server uses one", open, on + " -kubernetes 1.37"},
		{"LimitRanges of which the server uses one, as JSON", open, on + " -kubernetes 1.37 -o json"},
		{"what is not considered", strings.Replace(pod, "spec: {", "spec: {schedulerName: \"other\", resourceClaims: [{name: gpu}], ", 1), on},
		{"a field that is not considered", strings.Replace(pod, "spec: {", "spec: {schedulerName: other, ", 1), on},
		{"nothing fits", strings.Replace(pod, "1500m", "9", 1), on + " -o csv"},
		{"a warning, and an invalid one", strings.Replace(pod, "requests: {cpu: 1500m}", "requests: {memory: 512m}", 1) + "apiVersion: v1\nkind: Pod\nspec: {}\n", on},
		{"a typo", strings.Replace(pod, "resources:", "resource:", 1), on + " -strict"},
		{"no workload", none, on},
		{"no cluster", pod, "-f - -on testdata/none.yaml"},
		{"no flag", "", "-x"},
	})
	open = golden.Run(Run, web+strings.Replace(pod, "1500m", "9", 1), "-f", "-", "-on", file(t, none), "-o", "csv", "-no-headers").Stdout
	testkit.Equal(t, open, "default,Deployment,web,unlimited,0,\ndefault,Pod,p,unlimited,0,\n", "nothing that limits")
	broken := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1500m}}\n"
	if got := golden.Run(Run, pod, "-f", "-", "-on", file(t, broken)); got.Code != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "must be an integer") {
		t.Errorf("%+v", got)
	}
}
