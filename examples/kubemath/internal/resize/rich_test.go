package resize

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-on cluster.yaml -f resize.yaml",
		"-on cluster.yaml -f resize.yaml -n shop",
		"-on cluster.yaml -f resize.yaml -l app=web",
		"-on cluster.yaml -f resize.yaml -field-selector metadata.name=guaranteed -o csv",
		"-on cluster.yaml -f resize.yaml -kubernetes 1.33",
		"-on cluster.yaml -f resize.yaml -kubernetes 1.35",
		"-on cluster.yaml -f resize.yaml -kubernetes 1.38",
		"-on cluster.yaml -f resize.yaml -strict",
		"-on cluster.yaml -f resize.yaml -o json",
		"-on cluster.yaml -f resize.yaml -o csv",
		"-on cluster.yaml -f resize.yaml -o csv -sort-by memory -no-headers",
		"-on cluster.yaml -f resize.yaml -o csv -kubernetes 1.35",
		"-on cluster.yaml -f resize.yaml -o wide -n data",
		"-on cluster.yaml -f resize.yaml -o name",
		"-on cluster.yaml -f cluster.yaml -o csv",
		"-on cluster.yaml -f change.yaml",
		"-on calm.yaml -f calm.yaml",
	)
}
