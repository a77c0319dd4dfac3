package tree

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml",
		"-f cluster.yaml -as-written",
		"-f cluster.yaml -reserve 20",
		"-f cluster.yaml -kubernetes 1.33",
		"-f cluster.yaml -kubernetes 1.38",
		"-f cluster.yaml -strict",
		"-f cluster.yaml -n shop",
		"-f cluster.yaml -l pool=web",
		"-f cluster.yaml -field-selector metadata.name=f-spot",
		"-f cluster.yaml -node a-web",
		"-f cluster.yaml -node a-web -reserve 20",
		"-f cluster.yaml -node a-web -cpu 8 -memory 16Gi",
		"-f cluster.yaml -node a-web -files v2",
		"-f cluster.yaml -node a-web -files v2 -driver systemd",
		"-f cluster.yaml -node a-web -files v2 -reserve 20",
		"-f cluster.yaml -node b-web -files v1",
		"-f cluster.yaml -node b-web -files v1 -driver cgroupfs",
		"-f cluster.yaml -node b-web -files systemd",
		"-f cluster.yaml -node b-web -files systemd -as-written",
		"-f cluster.yaml -o csv",
		"-f cluster.yaml -o csv -l pool=web -sort-by shares",
		"-f cluster.yaml -o csv -as-written -no-headers",
		"-f cluster.yaml -o wide -node f-spot",
		"-f cluster.yaml -o json -node f-spot",
		"-f change.yaml",
		"-f change.yaml -as-written",
		"-f calm.yaml -node n1 -files v2",
		"-f calm.yaml -node n1 -files systemd",
		"-f change.yaml -cpu 4 -memory 8Gi",
		"-f change.yaml -o csv -cpu 4",
		"-f calm.yaml",
	)
}
