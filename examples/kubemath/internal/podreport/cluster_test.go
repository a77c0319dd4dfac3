package podreport

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Of a cluster, kubectl reads the quotas that several namespaces share, too: those of a namespace, or with -A all.
func TestSharedQuotasOfCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	const script = `#!/bin/sh
case "$*" in
*" appliedclusterresourcequotas.quota.openshift.io "*--namespace=shop | *" clusterresourcequotas.quota.openshift.io "*--all-namespaces)
	echo '{apiVersion: quota.openshift.io/v1, kind: ClusterResourceQuota, metadata: {name: team}, spec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {pods: 3}}},'
	echo 'status: {total: {hard: {pods: 3}, used: {pods: 2}}, namespaces: [{namespace: shop, status: {hard: {pods: 3}, used: {pods: 2}}}]}}' ;;
*resourcequotas.*) echo "error: the server doesn't have a resource type" >&2; exit 1 ;;
*" pods,"*) echo '{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}' ;;
esac
`
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
	for _, args := range [][]string{{"-n", "shop"}, {"-A"}} {
		if got := golden.Run(Run, "", args...); !strings.Contains(got.Stdout, "ClusterResourceQuota team pods") || strings.Contains(got.Stderr, "resource type") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
