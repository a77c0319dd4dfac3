package podreport

import (
	"embed"
	"io"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files and directories, or the samples if there are none. It calls a
// function before each object.
func readAll(o *options, stdin io.Reader, before func()) *manifest.Input {
	read := manifest.Options{Home: string(o.namespace), Check: objects.Checked(o.strict), Stdin: stdin, Before: before}
	if len(o.files) == 0 {
		return manifest.ReadFS(samples, read)
	}
	return manifest.Read(o.files, read)
}
