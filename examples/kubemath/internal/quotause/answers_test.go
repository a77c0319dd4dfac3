package quotause

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	var twenty string
	for i := range 20 {
		twenty += aQuota("shop", fmt.Sprintf("q%02d", i), "pods: 20", fmt.Sprintf("pods: %d", i))
	}
	scoped := strings.Replace(aQuota("shop", "scoped", "pods: 4", "pods: 1"), "spec: {", "spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}, {scopeName: PriorityClass, operator: DoesNotExist}, {scopeName: PriorityClass, operator: NotIn, values: [\"a\\nb\"]}]}, ", 1)
	several := aNamespace("shop", "api") + aNamespace("blog", "api") + strings.Replace(shared("api"), "quota: {", "quota: {scopes: [NotTerminating], ", 1) + aPod + strings.NewReplacer("shop", "blog", "web", "db").Replace(aPod) + strings.NewReplacer("shop", "blog", "web", "cache").Replace(aPod) +
		aQuota("shop", "a", "requests.memory: 1Gi, limits.memory: 2Gi, requests.cpu: 2, count/jobs.batch: 3, services: \"0\"", "services: \"0\", requests.memory: 900Mi, limits.memory: \"0\", requests.cpu: 1999m, count/jobs.batch: 4") + scoped + stored(aQuota("data", "b", "pods: 5", ""))
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"several", several, "-f -"},
		{"several, as JSON", several, "-f - -o json"},
		{"next to what is invalid", aQuota("shop", "a", "pods: 4", "pods: 1") + "---\napiVersion: v1\nkind: Pod\n", "-f - -o json"},
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

// Quotas that several namespaces share are those that OpenShift says apply, if the cluster is that of kubectl.
func TestSharedQuotasOfKubectl(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncase $2 in appliedclusterresourcequotas.*)\nprintf '%s' '" + strings.TrimPrefix(strings.Replace(shared("web"), "kind: Cluster", "kind: AppliedCluster", 1), "---\n") + "' ;;\n" +
		"*) echo '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}' ;; esac\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
	want := golden.Result{Stdout: "clusterresourcequota/web\n"}
	testkit.NoDiff(t, golden.Run(Run, "", "-cluster", "-n", "shop", "-kubernetes", "1.37", "-o", "name"), want)
}
