package room

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-on cluster.yaml -f change.yaml",
		"-on cluster.yaml -f change.yaml -n shop",
		"-on cluster.yaml -f change.yaml -n no-quota -o csv",
		"-on cluster.yaml -f change.yaml -l app=web",
		"-on cluster.yaml -f change.yaml -field-selector metadata.namespace=no-quota",
		"-on cluster.yaml -f change.yaml -kubernetes 1.34",
		"-on cluster.yaml -f change.yaml -scheduler scheduler.yaml",
		"-on cluster.yaml -f change.yaml -strict",
		"-on cluster.yaml -f change.yaml -o json",
		"-on cluster.yaml -f change.yaml -o csv",
		"-on cluster.yaml -f change.yaml -o csv -sort-by room -no-headers",
		"-on cluster.yaml -f change.yaml -o wide -n data",
		"-on cluster.yaml -f change.yaml -o name",
		"-on cluster.yaml -f cluster.yaml -o csv",
		"-on before.yaml -f change.yaml -n fresh",
		"-on calm.yaml -f calm.yaml",
		"-on calm.yaml -f calm.yaml -f before.yaml",
		"-on calm.yaml -f before.yaml -f calm.yaml -o csv",
	)
}
