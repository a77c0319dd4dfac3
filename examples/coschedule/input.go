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
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/command"
)

//go:embed samples/*.yaml
var samples embed.FS

// input is what was read.
type input struct {
	runs      []pipelineRun
	pipelines map[string]pipelineSpec // by namespace and name
	tasks     map[string]taskSpec     // by namespace and name
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	problems  []string
	notes     []string // of what is not wrong, but not known either
}

// readAll reads the named files, or the samples if there are none.
func readAll(names []string, stdin io.Reader) input {
	in := input{pipelines: map[string]pipelineSpec{}, tasks: map[string]taskSpec{}}
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

// note notes what is not known of a run.
func (in *input) note(r *pipelineRun, notes []string) {
	for _, n := range notes {
		in.notes = append(in.notes, oneLine(fmt.Sprintf("%s: PipelineRun %s: %s", r.place, r.Name, n)))
	}
}

// refuse notes what is wrong with a run, and reports whether anything is.
func (in *input) refuse(r *pipelineRun, faults field.ErrorList) bool {
	for _, fault := range faults {
		in.fail("%s: PipelineRun %s: %v", r.place, r.Name, fault)
	}
	return len(faults) > 0
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
		if text := absurdIn(document); text != "" {
			in.fail("%s: %s is beyond what can be added", place, text)
			continue
		}
		in.readObject(place, document)
	}
}

// absurd is a number of more than a thousand digits, which only a joker writes as a
// quantity: to write it out takes all memory there is.
var absurd = regexp.MustCompile(`^[-+]?[0-9.]+[eE][-+]?[0-9]{4,}$`)

// absurdIn returns the first absurd number of a document, or nothing. A digest of an image may look
// like one, but is part of a longer text.
func absurdIn(document []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return "" // at the end, or not for us to say
		}
		switch value := token.(type) {
		case json.Number:
			if absurd.MatchString(value.String()) {
				return value.String()
			}
		case string:
			if absurd.MatchString(value) {
				return strconv.Quote(value)
			}
		}
	}
}

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
	case group == "tekton.dev" && head.Kind == "Task":
		var task struct{ Spec taskSpec }
		if in.decode(place, document, &task) {
			in.tasks[head.Namespace+"/"+head.Name] = task.Spec
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
