package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/command"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files, or the samples if there are none. Home is the namespace
// of objects that state none.
func readAll(names []string, home string, stdin io.Reader) input {
	in := input{home: home, tasks: map[objectName]*task{}}
	read := func(name string) ([]byte, error) { return command.ReadFile(name, stdin) }
	if len(names) == 0 {
		names, _ = fs.Glob(samples, "samples/*.yaml") // the pattern is right
		read = samples.ReadFile
	}
	for _, name := range names {
		data, err := read(name)
		if err != nil {
			in.fail(place{file: name}, err.Error())
			continue
		}
		in.addFile(name, data)
	}
	in.assignTasks()
	return in
}

// addFile reads the documents of a file. One that cannot be read leaves the others.
func (in *input) addFile(name string, data []byte) {
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for number := 1; ; number++ {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		at := place{file: name, document: number}
		var tree any
		if err == nil {
			tree, err = decode(text)
		}
		switch {
		case err != nil:
			in.fail(at, err.Error())
		case tree != nil: // nothing but comments
			in.addTree(at, tree)
		}
	}
}

// decode returns a document, of YAML or JSON, as a tree of maps, lists, strings, booleans
// and json.Number. Keys that are given twice are an error: which one counts would be a
// guess.
func decode(text []byte) (tree any, err error) {
	var raw json.RawMessage
	if err := yaml.UnmarshalStrict(text, &raw); err != nil {
		message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
		return nil, fmt.Errorf("invalid YAML: %s", strings.TrimPrefix(message, "yaml: "))
	}
	if len(raw) == 0 {
		return nil, nil
	}
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber()
	err = numbers.Decode(&tree)
	return tree, err
}
