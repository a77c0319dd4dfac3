package main

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
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
	notes     []string // of runs: what is not wrong, but not known either
	skipped   []string
}

// readAll reads the named files and directories, or the samples if there are none.
func readAll(names []string, stdin io.Reader) input {
	in := input{pipelines: map[string]pipelineSpec{}, tasks: map[string]taskSpec{}}
	documents := objects.Documents(names, stdin)
	if len(names) == 0 {
		documents = objects.DocumentsFS(samples)
	}
	for doc := range documents {
		in.readDocument(doc)
	}
	if len(in.runs) == 0 {
		in.fail("no PipelineRun was read")
	}
	return in
}

func (in *input) fail(format string, args ...any) {
	in.problems = append(in.problems, oneLine(fmt.Sprintf(format, args...)))
}

// skip notes what is not read, which is no error.
func (in *input) skip(format string, args ...any) {
	in.skipped = append(in.skipped, oneLine(fmt.Sprintf(format, args...)))
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

// readDocument reads a document. One that cannot be read leaves the others.
func (in *input) readDocument(doc objects.Document) {
	place := doc.File
	if doc.Number > 0 {
		place = fmt.Sprintf("%s: document %d", doc.File, doc.Number)
	}
	switch {
	case doc.Err != nil:
		in.fail("%s: %v", place, doc.Err)
		return
	case doc.Tree == nil: // nothing but comments
		return
	case doc.IsOther() && doc.Found:
		in.skip("%s: skipped: %s", place, objects.NotAnObject)
		return
	case doc.IsOther():
		in.fail("%s: %s", place, objects.NotAnObject)
		return
	}
	document, err := json.Marshal(doc.Tree)
	if err != nil {
		in.fail("%s: %v", place, err)
		return
	}
	if text := absurdIn(document); text != "" {
		in.fail("%s: %s is beyond what can be added", place, text)
		return
	}
	in.readObject(place, document)
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

// readObject reads an object of a kind that counts here, and skips others.
func (in *input) readObject(place string, document json.RawMessage) {
	var head metav1.PartialObjectMetadata
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
	case head.APIVersion == "" || head.Kind == "":
		in.fail("%s: want an object with apiVersion and kind", place)
	default:
		what := strings.TrimSpace(head.Kind + " " + cmp.Or(head.Name, head.GenerateName))
		in.skip("%s: %s: skipped: %s of %s is not a kind that is planned", place, what, head.Kind, head.APIVersion)
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
