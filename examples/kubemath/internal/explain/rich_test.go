package explain

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml -all", "-f cluster.yaml -all -usage top-pods.txt", "-f cluster.yaml -all -usage top-nodes.txt",
		"-f cluster.yaml -all -kubernetes 1.38", "-f cluster.yaml", "-f cluster.yaml -n shop", "-f cluster.yaml -n shop -strict",
		"-f cluster.yaml -l app=web",
		"-f change.yaml -l app=web",
		"-f cluster.yaml -field-selector metadata.name=reads-its-amounts -o json", "-f cluster.yaml -n data -o json",
		"-f cluster.yaml -n data -o json -usage top-pods.txt", "-f cluster.yaml -all -kubernetes 1.33", "-f cluster.yaml -n no-quota -o json -l app=none",
		"-f cluster.yaml -field-selector metadata.name=started-by-no-kubelet", "-f cluster.yaml -field-selector metadata.name=started-by-no-kubelet -o json",
		"-f change.yaml -all", "-f change.yaml -n no-quota", "-f change.yaml -l app=idle -o json",
		"-f resize.yaml -all",
		"-f calm.yaml",
	)
}
