package explain

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml -all",
		"-f cluster.yaml -all -usage top-pods.txt",
		"-f cluster.yaml -all -usage top-nodes.txt",
		"-f cluster.yaml -all -kubernetes 1.38",
		"-f cluster.yaml",
		"-f cluster.yaml -n shop",
		"-f cluster.yaml -n shop -strict",
		"-f cluster.yaml -l app=web",
		"-f cluster.yaml -l app=web -n no-quota",
		"-f cluster.yaml -field-selector metadata.name=pod-level -o json",
		"-f cluster.yaml -n data -o json",
		"-f cluster.yaml -n data -o json -usage top-pods.txt",
		"-f change.yaml",
		"-f resize.yaml -all",
		"-f calm.yaml",
	)
}
