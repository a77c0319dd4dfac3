package main

import (
	"embed"
	"io"

	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files and directories, or the samples if there are none. Home is
// the namespace of objects that state none.
func readAll(names []string, home string, stdin io.Reader) manifest.Input {
	if len(names) == 0 {
		return manifest.ReadFS(samples, home)
	}
	return manifest.Read(names, home, stdin)
}
