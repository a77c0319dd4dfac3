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
	const on = "-f - -on testdata/cluster.yaml"
	side := func(name string) string {
		return "{name: " + name + ", image: x, restartPolicy: Always, resources: {requests: {cpu: 50m}}}"
	}
	app := func(resources string) string { return "{name: app, image: x, resources: {" + resources + "}}" }
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"of a namespace that the manifest does not have", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [" + app("requests: {cpu: 100m}") + "]}\n", on + " -n blog"},
		{"of the namespace default", "apiVersion: v1\nkind: Pod\nmetadata: {name: home}\nspec: {containers: [" + app("requests: {memory: 2Gi}") + "]}\n", on},
		{"a limit that is too large before, in 1.37", pod("shop", "large", app("requests: {cpu: 2, memory: 1Gi}, limits: {memory: 5Gi}")), on + " -kubernetes 1.37"},
		{"a limit that is too large before, in 1.38", pod("shop", "large", app("requests: {cpu: 2, memory: 1Gi}, limits: {memory: 5Gi}")), on + " -kubernetes 1.38"},
		{"a pod of which some statuses say what is allocated", strings.Replace(pod("shop", "told", app("requests: {cpu: 400m}")+", {name: log, image: x, resources: {requests: {cpu: 50m}}}"), "spec: {", "spec: {initContainers: ["+side("side")+", "+side("new-side")+"], ", 1), on + " -o csv"},
		{"no pod of the cluster", pod("shop", "none", app("")), on + " -o json"},
		{"no pod", "apiVersion: v1\nkind: Service\nmetadata: {namespace: shop, name: s}\n", on + " -o json"},
		{"no cluster", pod("shop", "b", app("")), "-f - -on testdata/none.yaml"},
		{"no flag", "", "-x"},
	})
}
