package podreport

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml",
		"-f cluster.yaml -all",
		"-f cluster.yaml -all -node-cpu 4",
		"-f cluster.yaml -all -require requests.cpu,limits.memory",
		"-f cluster.yaml -all -kubernetes 1.34",
		"-f cluster.yaml -n shop",
		"-f cluster.yaml -n shop -node-cpu 4 -node-memory 8Gi",
		"-f cluster.yaml -l app=web",
		"-f cluster.yaml -strict",
		"-f cluster.yaml -strict -require limits.memory",
		"-f cluster.yaml -o csv",
		"-f cluster.yaml -o csv -sort-by cpu -no-headers",
		"-f cluster.yaml -o wide -n data",
		"-f cluster.yaml -o name",
		"-f cluster.yaml -o json -n leaving",
		"-f cluster.yaml -o json -n leaving -node-cpu 4 -require cpu",
		"-f cluster.yaml -o github",
		"-f cluster.yaml -o github -strict -require limits.memory",
		"-f cluster.yaml -o sarif -n no-quota",
		"-f change.yaml",
		"-f change.yaml -node-cpu 2",
		"-f calm.yaml",
		"-f calm.yaml -node-cpu 1",
	)
}
