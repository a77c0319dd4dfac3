package main

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files, or the samples if there are none. Home is the namespace
// of objects that state none.
func readAll(names []string, home namespace, stdin io.Reader) input {
	in := input{home: home}
	if len(names) == 0 {
		names, _ = fs.Glob(samples, "samples/*.yaml") // the pattern is right
		for _, name := range names {
			data, err := samples.ReadFile(name)
			in.addRead(name, data, err)
		}
		return in
	}
	for _, name := range names {
		data, err := readFile(name, stdin)
		in.addRead(name, data, err)
	}
	return in
}

func (in *input) addRead(name string, data []byte, err error) {
	if err != nil {
		in.fail(place{file: name}, "", err.Error())
		return
	}
	in.addFile(name, data)
}

// readFile leaves the name out of errors, which the problem names already.
func readFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return nil, errors.New("a directory, not a file")
	}
	data, err := os.ReadFile(name)
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return nil, pathError.Err
	}
	return data, err
}
