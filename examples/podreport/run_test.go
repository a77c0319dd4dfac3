package main

import (
	"embed"

	"github.com/kubemath/kubemath/examples/podreport/internal/podreport"
	"github.com/kubemath/kubemath/internal/golden"
)

// run is the program.
var run golden.Program = podreport.Run

//go:embed internal/podreport/samples/*.yaml
var samples embed.FS
