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
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"of one namespace, with manifests that have none", strings.ReplaceAll(aQuota("shop", "a", "pods: 4", "")+aPod, "namespace: shop, ", ""), "-f - -n blog -o csv"},
		{"of the namespace default", strings.ReplaceAll(aQuota("shop", "a", "pods: 4", "")+aPod, "namespace: shop, ", ""), "-f - -o csv"},
		{"as many as have rows", twenty, "-f -"},
		{"one more", twenty + aQuota("shop", "full", "pods: 1", "pods: 1"), "-f -"},
		{"names with line breaks", strings.Replace(aQuota("shop", `"a\n"`, "pods: 4", "pods: 5"), "labels: {of: ", "labels: {x: ", 1) + aNamespace(`"n\n"`, "odd") + strings.Replace(shared("odd"), "name: odd", `name: "odd\n"`, 1) + strings.Replace(aPod, "namespace: shop", `namespace: "n\n"`, 1), "-f -"},
		{"an invalid quota", aQuota("shop", "a", "pods: 1500m", "") + aQuota("shop", "b", "pods: 1", ""), "-f -"},
		{"no such resource", aQuota("shop", "a", "pods: 4", ""), "-f - -resources gpu"},
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
