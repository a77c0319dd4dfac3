package main

import (
	"embed"
	"io"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files and directories, or the samples if there are none. Home is
// the namespace of objects that state none.
func readAll(names []string, home string, stdin io.Reader) input {
	if len(names) == 0 {
		return readSamples(samples, home)
	}
	return readFiles(names, home, stdin)
}
