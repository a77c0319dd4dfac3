package taskrun

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// What is said about an input with everything, with each flag and with pairs of them.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/golden/rich.txt",
		"-f tekton.yaml",
		"-f tekton.yaml -f tekton-config.yaml",
		"-f tekton.yaml -f tekton-config.yaml -coschedule workspaces",
		"-f tekton.yaml -f tekton-config.yaml -tekton v1.13.0",
		"-f tekton.yaml -coschedule disabled",
		"-f tekton.yaml -coschedule pipelineruns",
		"-f tekton.yaml -coschedule isolate-pipelinerun",
		"-f tekton.yaml -kubernetes 1.33",
		"-f tekton.yaml -init mesh -init two",
		"-f tekton.yaml -explain",
		"-f tekton.yaml -explain -kubernetes 1.33",
		"-f tekton.yaml -strict -n full",
		"-f tekton.yaml -n way",
		"-f tekton.yaml -n over",
		"-f tekton.yaml -n full -o yaml",
		"-f tekton.yaml -n deadline -o yaml",
		"-f tekton.yaml -f tekton-config.yaml -n full -explain",
		"-f tekton.yaml -n limited -explain",
		"-f tekton.yaml -n limited -explain -tekton v1.13.0",
		"-f tekton.yaml -n invalid",
		"-f tekton-alone.yaml",
		"-f tekton-fields.yaml -strict -n own",
		"-f tekton-alone.yaml -f tekton-config.yaml -explain",
		"-f tekton.yaml -l team=a",
		"-f tekton.yaml -f tekton-config.yaml -l team=a -explain",
		"-f tekton.yaml -f tekton-config.yaml -l written -o yaml",
		"-f tekton.yaml -explain -o yaml",
	)
}
