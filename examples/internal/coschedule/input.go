package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
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
	places    map[string]string       // of these, by kind, namespace and name
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	problems  []string
	notes     []string // of runs: what is not wrong, but not known either
	skipped   []string
}

// readAll reads the named files and directories, or the samples if there are none.
func readAll(names []string, stdin io.Reader) input {
	in := input{pipelines: map[string]pipelineSpec{}, tasks: map[string]taskSpec{}, places: map[string]string{}}
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

// skip records objects that are not read, which is not an error.
func (in *input) skip(format string, args ...any) {
	in.skipped = append(in.skipped, oneLine(fmt.Sprintf(format, args...)))
}

// note records what is unknown about a run.
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
	in.readObject(place, doc.Tree)
}

// readObject reads an object of a kind that counts here, and skips others.
func (in *input) readObject(place string, tree any) {
	object, ok := tree.(map[string]any)
	if !ok {
		in.fail("%s: want an object with apiVersion and kind", place)
		return
	}
	var head metav1.PartialObjectMetadata
	if !in.decode(place, object, &head) {
		return
	}
	group, _, _ := strings.Cut(head.APIVersion, "/")
	switch {
	case head.Kind == "List":
		in.readList(place, object)
	case group == "tekton.dev" && head.Kind == "PipelineRun":
		var run pipelineRun
		if in.decode(place, object, &run) {
			run.place = place
			in.runs = append(in.runs, run)
		}
	case group == "tekton.dev" && head.Kind == "Pipeline":
		var pipeline struct{ Spec pipelineSpec }
		if in.decode(place, object, &pipeline) {
			in.replaces(place, "Pipeline", &head)
			in.pipelines[head.Namespace+"/"+head.Name] = pipeline.Spec
		}
	case group == "tekton.dev" && head.Kind == "Task":
		var task struct{ Spec taskSpec }
		if in.decode(place, object, &task) {
			in.replaces(place, "Task", &head)
			in.tasks[head.Namespace+"/"+head.Name] = task.Spec
		}
	case head.APIVersion == "v1" && head.Kind == "Node":
		var node corev1.Node
		if in.decode(place, object, &node) {
			in.nodes = append(in.nodes, &node)
		}
	case head.APIVersion == "v1" && head.Kind == "Pod":
		var pod corev1.Pod
		if in.decode(place, object, &pod) {
			in.pods = append(in.pods, &pod)
		}
	case head.APIVersion == "" || head.Kind == "":
		in.fail("%s: want an object with apiVersion and kind", place)
	default:
		what := strings.TrimSpace(head.Kind + " " + cmp.Or(head.Name, head.GenerateName))
		in.skip("%s: %s: skipped: %s of %s is not a kind that is planned", place, what, head.Kind, head.APIVersion)
	}
}

// replaces notes that an object counts instead of one of its kind and name that was read before.
func (in *input) replaces(place, kind string, head *metav1.PartialObjectMetadata) {
	key := kind + " " + head.Namespace + "/" + head.Name
	if before, found := in.places[key]; found {
		in.skip("%s: %s %s: skipped: that of %s has its name, and counts", before, kind, head.Name, place)
	}
	in.places[key] = place
}

func (in *input) readList(place string, object map[string]any) {
	items, ok := object["items"].([]any)
	if !ok && object["items"] != nil {
		in.fail("%s: items: want a list", place)
	}
	for i, item := range items {
		in.readObject(fmt.Sprintf("%s: items[%d]", place, i), item)
	}
}

// decode reports whether an object could be read.
func (in *input) decode(place string, object map[string]any, into any) bool {
	faults := objects.CheckQuantities(object, reflect.TypeOf(into))
	for _, fault := range faults {
		in.fail("%s: %s: %s", place, fault.Field, fault.Text)
	}
	if len(faults) > 0 {
		return false
	}
	document, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(document, into)
	}
	if err != nil {
		fault := objects.TypeFault(err)
		if fault.Field != "" {
			place += ": " + fault.Field
		}
		in.fail("%s: %s", place, fault.Text)
	}
	return err == nil
}
