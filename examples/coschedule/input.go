package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/command"
)

//go:embed samples/*.yaml
var samples embed.FS

// input is what was read.
type input struct {
	runs      []pipelineRun
	pipelines map[string]pipelineSpec // by namespace and name
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	problems  []string
}

// readAll reads the named files, or the samples if there are none.
func readAll(names []string, stdin io.Reader) input {
	in := input{pipelines: map[string]pipelineSpec{}}
	read := func(name string) ([]byte, error) { return command.ReadFile(name, stdin) }
	if len(names) == 0 {
		names, _ = fs.Glob(samples, "samples/*.yaml") // the pattern is right
		read = samples.ReadFile
	}
	for _, name := range names {
		data, err := read(name)
		if err != nil {
			in.fail("%s: %v", name, err)
			continue
		}
		in.readDocuments(name, data)
	}
	if len(in.runs) == 0 {
		in.fail("no PipelineRun was read")
	}
	return in
}

func (in *input) fail(format string, args ...any) {
	in.problems = append(in.problems, oneLine(fmt.Sprintf(format, args...)))
}

// oneLine joins the lines of a message, and escapes what would break a terminal.
func oneLine(message string) string {
	quoted := fmt.Sprintf("%+q", strings.Join(strings.Fields(message), " "))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// readDocuments reads the documents of a file. One that cannot be read ends a file of
// JSON, and only itself in YAML.
func (in *input) readDocuments(name string, data []byte) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for number := 1; ; number++ {
		var document json.RawMessage
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return
		}
		place := fmt.Sprintf("%s: document %d", name, number)
		if err != nil {
			in.fail("%s: %v", place, err)
			if !errors.As(err, new(yaml.YAMLSyntaxError)) {
				return
			}
			continue
		}
		if number := absurd.Find(document); number != nil {
			in.fail("%s: %s is beyond what can be added", place, bytes.TrimLeft(number, ":,[ "))
			continue
		}
		in.readObject(place, document)
	}
}

// absurd is a number of more than a thousand digits, which only a joker writes as a
// quantity: to write it out takes all memory there is.
var absurd = regexp.MustCompile(`"[-+]?[0-9.]+[eE][-+]?[0-9]{4,}"|[:,[] *-?[0-9.]+[eE][-+]?[0-9]{4,}`)

// readObject reads an object of a kind that counts here, and passes over others.
func (in *input) readObject(place string, document json.RawMessage) {
	var head metav1.PartialObjectMetadata
	if len(document) == 0 || string(document) == "null" {
		return
	}
	if err := json.Unmarshal(document, &head); err != nil {
		in.fail("%s: %v", place, err)
		return
	}
	group, _, _ := strings.Cut(head.APIVersion, "/")
	switch {
	case head.Kind == "List":
		in.readList(place, document)
	case group == "tekton.dev" && head.Kind == "PipelineRun":
		var run pipelineRun
		if in.decode(place, document, &run) {
			run.place = place
			in.runs = append(in.runs, run)
		}
	case group == "tekton.dev" && head.Kind == "Pipeline":
		var pipeline struct{ Spec pipelineSpec }
		if in.decode(place, document, &pipeline) {
			in.pipelines[head.Namespace+"/"+head.Name] = pipeline.Spec
		}
	case head.APIVersion == "v1" && head.Kind == "Node":
		var node corev1.Node
		if in.decode(place, document, &node) {
			in.nodes = append(in.nodes, &node)
		}
	case head.APIVersion == "v1" && head.Kind == "Pod":
		var pod corev1.Pod
		if in.decode(place, document, &pod) {
			in.pods = append(in.pods, &pod)
		}
	}
}

func (in *input) readList(place string, document json.RawMessage) {
	var list struct{ Items []json.RawMessage }
	if !in.decode(place, document, &list) {
		return
	}
	for i, item := range list.Items {
		in.readObject(fmt.Sprintf("%s: items[%d]", place, i), item)
	}
}

// decode reports whether an object could be read.
func (in *input) decode(place string, document json.RawMessage, into any) bool {
	err := json.Unmarshal(document, into)
	if err != nil {
		in.fail("%s: %v", place, err)
	}
	return err == nil
}
