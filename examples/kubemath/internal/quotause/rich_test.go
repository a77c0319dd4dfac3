package quotause

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml",
		"-f cluster.yaml -all",
		"-f cluster.yaml -all -n shop",
		"-f cluster.yaml -n data",
		"-f cluster.yaml -n no-quota",
		"-f cluster.yaml -resources pods",
		"-f cluster.yaml -resources storage,gpu -all",
		"-f cluster.yaml -namespace-labels team=data",
		"-f cluster.yaml -namespace-labels team=web -resources memory",
		"-f cluster.yaml -l a=b",
		"-f cluster.yaml -field-selector metadata.name=shared-web",
		"-f cluster.yaml -kubernetes 1.34 -all",
		"-f cluster.yaml -strict",
		"-f cluster.yaml -o json",
		"-f cluster.yaml -o json -n data",
		"-f cluster.yaml -o csv",
		"-f cluster.yaml -o csv -sort-by left -no-headers",
		"-f cluster.yaml -o csv -namespace-labels team=web",
		"-f cluster.yaml -o csv -resources pods",
		"-f cluster.yaml -o wide -n data",
		"-f cluster.yaml -o name",
		"-f change.yaml",
		"-f cluster.yaml -f change.yaml -all",
		"-f calm.yaml",
	)
}
