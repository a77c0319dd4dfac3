package podreport_test

import (
	"embed"

	"github.com/kubemath/kubemath/examples/kubemath/internal/podreport"
	"github.com/kubemath/kubemath/internal/golden"
)

// run is the program.
var run golden.Program = podreport.Run

//go:embed samples/*.yaml
var samples embed.FS
