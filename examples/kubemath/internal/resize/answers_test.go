package resize

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestWrittenAnswers(t *testing.T) {
	pod := func(namespace, name, containers string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: " + namespace + ", name: " + name + "}\nspec: {containers: [" + containers + "]}\n"
	}
	const (
		log = ", {name: log, image: x, resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}}"
		on  = "-f - -on testdata/cluster.yaml"
	)
	side := func(name string) string {
		return "{name: " + name + ", image: x, restartPolicy: Always, resources: {requests: {cpu: 50m}}}"
	}
	app := func(resources string) string { return "{name: app, image: x, resources: {" + resources + "}}" }
	large := pod("shop", "a", app("requests: {cpu: 900m, memory: 2Gi}, limits: {memory: 2560Mi}")+log)
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"deferred", large, on},
		{"deferred, as JSON", large, on + " -o json"},
		{"several, of which one is refused and one is no pod of the cluster", "apiVersion: v1\nkind: Service\nmetadata: {namespace: shop, name: s}\n" + pod("shop", "b", app("requests: {cpu: 700m, memory: 64Mi}, limits: {memory: 64Mi}")) + pod("shop", "none", app("")) + pod("shop", "a", app("requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 4Gi}")+log), on},
		{"the same as rows", pod("shop", "b", app("requests: {cpu: 700m, memory: 64Mi}, limits: {memory: 64Mi}")) + pod("shop", "a", app("requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 4Gi}")+log), on + " -o csv"},
		{"of a namespace that the manifest does not have", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [" + app("requests: {cpu: 100m}") + "]}\n", on + " -n blog"},
		{"of the namespace default", "apiVersion: v1\nkind: Pod\nmetadata: {name: home}\nspec: {containers: [" + app("requests: {memory: 2Gi}") + "]}\n", on},
		{"a limit that is too large before, in 1.37", pod("shop", "large", app("requests: {cpu: 2, memory: 1Gi}, limits: {memory: 5Gi}")), on + " -kubernetes 1.37"},
		{"a limit that is too large before, in 1.38", pod("shop", "large", app("requests: {cpu: 2, memory: 1Gi}, limits: {memory: 5Gi}")), on + " -kubernetes 1.38"},
		{"a warning and an invalid one", pod("shop", "b", app("requests: {memory: 512m}, limit: {cpu: 1}")) + "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop}\n", on},
		{"a typo", pod("shop", "b", app("request: {cpu: 1}")), on + " -strict"},
		{"a pod of which some statuses say what is allocated", strings.Replace(pod("shop", "told", app("requests: {cpu: 400m}")+", {name: log, image: x, resources: {requests: {cpu: 50m}}}"), "spec: {", "spec: {initContainers: ["+side("side")+", "+side("new-side")+"], ", 1), on + " -o csv"},
		{"no pod of the cluster", pod("shop", "none", app("")), on + " -o json"},
		{"no pod", "apiVersion: v1\nkind: Service\nmetadata: {namespace: shop, name: s}\n", on + " -o json"},
		{"no cluster", pod("shop", "b", app("")), "-f - -on testdata/none.yaml"},
		{"no flag", "", "-x"},
	})
}
