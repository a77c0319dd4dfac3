package quotause

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// What is written, compared as a whole.
func TestAnswers(t *testing.T) {
	var twenty string
	for i := range 20 {
		twenty += aQuota("shop", fmt.Sprintf("q%02d", i), "pods: 20", fmt.Sprintf("pods: %d", i))
	}
	scoped := strings.Replace(aQuota("shop", "scoped", "pods: 4", "pods: 1"), "spec: {", "spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}, {scopeName: PriorityClass, operator: NotIn, values: [\"a\\nb\"]}]}, ", 1)
	several := aNamespace("shop", "api") + aNamespace("blog", "api") + shared("api") + aPod + strings.NewReplacer("shop", "blog", "web", "db").Replace(aPod) + strings.NewReplacer("shop", "blog", "web", "cache").Replace(aPod) +
		aQuota("shop", "a", "requests.memory: 1Gi, limits.memory: 2Gi, requests.cpu: 2, count/jobs.batch: 3", "requests.memory: 900Mi, limits.memory: \"0\", requests.cpu: 1999m, count/jobs.batch: 4") + scoped + stored(aQuota("data", "b", "pods: 5", ""))
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"several", several, "-f -"},
		{"several, as JSON", several, "-f - -o json"},
		{"several, as rows", several, "-f - -o csv"},
		{"several, of some namespaces", several, "-f - -namespace-labels team=none"},
		{"several, of some namespaces and resources", several, "-f - -namespace-labels team=api -resources pods"},
		{"of one namespace, with manifests that have none", strings.ReplaceAll(aQuota("shop", "a", "pods: 4", "")+aPod, "namespace: shop, ", ""), "-f - -n blog -o csv"},
		{"of the namespace default", strings.ReplaceAll(aQuota("shop", "a", "pods: 4", "")+aPod, "namespace: shop, ", ""), "-f - -o csv"},
		{"as many as have rows", twenty, "-f -"},
		{"one more", twenty + aQuota("shop", "full", "pods: 1", "pods: 1"), "-f -"},
		{"names with line breaks", strings.Replace(aQuota("shop", `"a\n"`, "pods: 4", "pods: 5"), "labels: {of: ", "labels: {x: ", 1) + aNamespace(`"n\n"`, "odd") + strings.Replace(shared("odd"), "name: odd", `name: "odd\n"`, 1) + strings.Replace(aPod, "namespace: shop", `namespace: "n\n"`, 1), "-f -"},
		{"an invalid quota", aQuota("shop", "a", "pods: 1500m", "") + aQuota("shop", "b", "pods: 1", ""), "-f -"},
		{"a warning", strings.Replace(aQuota("shop", "a", "pods: 4", "pods: 1"), "spec: {", "spec: {hrd: {}, ", 1), "-f -"},
		{"a typo", strings.Replace(aQuota("shop", "a", "pods: 4", "pods: 1"), "spec: {", "spec: {hrd: {}, ", 1), "-f - -strict"},
		{"no such resource", several, "-f - -resources gpu"},
		{"no flag", "", "-x"},
	})
}
