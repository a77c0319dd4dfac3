package diff

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-on cluster.yaml -f change.yaml",
		"-on cluster.yaml -f change.yaml -all",
		"-on cluster.yaml -f change.yaml -all -at-once -run-cronjobs -scheduler scheduler.yaml",
		"-on cluster.yaml -f change.yaml -all -old before.yaml",
		"-on cluster.yaml -f change.yaml -o csv",
		"-on cluster.yaml -f change.yaml -n fresh",
		"-on cluster.yaml -f change.yaml -n fresh -o json",
		"-on cluster.yaml -f change.yaml -n no-quota -o csv",
		"-on cluster.yaml -f change.yaml -l app=web",
		"-on cluster.yaml -f change.yaml -l app=web -at-once",
		"-on cluster.yaml -f change.yaml -l app=web -strict",
		"-on cluster.yaml -f change.yaml -l app=web -o markdown",
		"-on cluster.yaml -f change.yaml -l app=web -o json",
		"-on cluster.yaml -f change.yaml -l app=web -kubernetes 1.34",
		"-on cluster.yaml -f change.yaml -field-selector metadata.name=nightly",
		"-on cluster.yaml -f change.yaml -field-selector metadata.name=nightly -run-cronjobs",
		"-on cluster.yaml -f change.yaml -field-selector metadata.name=agent -all",
		"-on cluster.yaml -f change.yaml -field-selector metadata.name=preempting -o github",
		"-on cluster.yaml -f change.yaml -field-selector metadata.name=new-with-overhead -o csv -scheduler scheduler.yaml",
		"-old before.yaml -f change.yaml",
		"-old before.yaml -f change.yaml -all",
		"-old before.yaml -f change.yaml -strict",
		"-old before.yaml -f change.yaml -n shop",
		"-old before.yaml -f change.yaml -o csv",
		"-old before.yaml -f change.yaml -o csv -sort-by created -no-headers",
		"-old before.yaml -f change.yaml -o wide -l app=web",
		"-old before.yaml -f change.yaml -o name",
		"-old before.yaml -f change.yaml -o json",
		"-old before.yaml -f change.yaml -o markdown",
		"-old before.yaml -f change.yaml -o markdown -all",
		"-old before.yaml -f change.yaml -o github",
		"-old before.yaml -f change.yaml -o github -strict",
		"-old before.yaml -f change.yaml -o sarif -n fresh",
		"-old missing.yaml -f before.yaml",
		"-old change.yaml -f change.yaml",
		"-old change.yaml -f before.yaml -all",
		"-on calm.yaml -f calm.yaml",
		"-on calm.yaml -f before.yaml -n calm",
	)
}
