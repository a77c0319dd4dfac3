package coschedule

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Samples are what the program reads without files, in the folder samples.
//
//go:embed samples/*.yaml
var Samples embed.FS

// input has the objects that were read.
type input struct {
	runs      []pipelineRun
	pipelines map[string]pipelineSpec // by namespace and name
	tasks     map[string]taskSpec     // by namespace and name
	places    map[string]place        // of these, by kind, namespace and name
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	problems  []remark
	code      int      // the exit code
	notes     []remark // about runs: facts that are unknown, which are not errors
	skipped   []remark
}

// place says where a document, or an object, stands.
type place struct {
	text string
	line int // in the file; 0 if it cannot be told
}

func (p place) String() string { return p.text }

// remark is a message about a place, or, without one, about all of the input.
type remark struct {
	place
	text string
}

// String returns the remark in one line.
func (r remark) String() string {
	if r.place.text == "" {
		return oneLine(r.text)
	}
	return oneLine(r.place.text + ": " + r.text)
}

func inputOf(documents iter.Seq[objects.Document]) input {
	in := input{pipelines: map[string]pipelineSpec{}, tasks: map[string]taskSpec{}, places: map[string]place{}}
	for doc := range documents {
		if err := command.Recovered(func() { in.readDocument(doc) }); err != nil {
			in.failOwn(placeOf(doc), "%v", err)
		}
	}
	if len(in.runs) == 0 {
		in.fail(place{}, "the input has no PipelineRun")
	}
	return in
}

// fail records what could not be read.
func (in *input) fail(at place, format string, args ...any) {
	in.add(command.Unread, at, format, args...)
}

// reject records what Tekton would reject.
func (in *input) reject(at place, format string, args ...any) {
	in.add(command.Rejected, at, format, args...)
}

// failOwn records where the program itself failed.
func (in *input) failOwn(at place, format string, args ...any) {
	in.add(command.Failed, at, format, args...)
}

func (in *input) add(code int, at place, format string, args ...any) {
	in.problems = append(in.problems, remark{at, fmt.Sprintf(format, args...)})
	in.code = max(in.code, code)
}

// skip records objects that are not read, which is not an error.
func (in *input) skip(at place, format string, args ...any) {
	in.skipped = append(in.skipped, remark{at, fmt.Sprintf(format, args...)})
}

// note records what is unknown about a run.
func (in *input) note(r *pipelineRun, notes []string) {
	for _, n := range notes {
		in.notes = append(in.notes, remark{r.place, fmt.Sprintf("PipelineRun %s: %s", r.Name, n)})
	}
}

// refuse records an error about a run, and reports whether there is one.
func (in *input) refuse(r *pipelineRun, faults field.ErrorList) bool {
	for _, fault := range faults {
		in.reject(r.place, "PipelineRun %s: %v", r.Name, fault)
	}
	return len(faults) > 0
}

// oneLine joins the lines of a message, and escapes control characters.
func oneLine(message string) string {
	quoted := fmt.Sprintf("%+q", strings.Join(strings.Fields(message), " "))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// readDocument reads a document. An error in one does not affect the others.
func (in *input) readDocument(doc objects.Document) {
	at := placeOf(doc)
	switch {
	case errors.Is(doc.Err, command.ErrInternal):
		in.failOwn(at, "%v", doc.Err)
		return
	case doc.Err != nil:
		in.fail(at, "%v", doc.Err)
		return
	case doc.Tree == nil: // only comments
		return
	case doc.IsOther() && doc.Found:
		in.skip(at, "skipped: %s", objects.NotAnObject)
		return
	case doc.IsOther():
		in.fail(at, "%s", objects.NotAnObject)
		return
	}
	for _, fault := range doc.Faults {
		in.skip(at, "line %d: %s", fault.Line, fault.Text)
	}
	in.readObject(at, doc.Tree)
}

func placeOf(doc objects.Document) place {
	at := place{doc.File, doc.Line}
	if doc.Number > 0 {
		at.text = fmt.Sprintf("%s: document %d", doc.File, doc.Number)
	}
	return at
}

// readObject reads an object of one of the kinds, and skips others.
func (in *input) readObject(at place, tree any) {
	object, ok := tree.(map[string]any)
	if !ok {
		in.fail(at, "want an object with apiVersion and kind")
		return
	}
	var head metav1.PartialObjectMetadata
	if !in.decode(at, object, &head) {
		return
	}
	group, _, _ := strings.Cut(head.APIVersion, "/")
	switch {
	case head.Kind == "List":
		in.readList(at, object)
	case group == "tekton.dev" && head.Kind == "PipelineRun":
		var run pipelineRun
		if in.decode(at, object, &run) {
			run.place = at
			in.runs = append(in.runs, run)
		}
	case group == "tekton.dev" && head.Kind == "Pipeline":
		var pipeline struct{ Spec pipelineSpec }
		if in.decode(at, object, &pipeline) {
			in.replaces(at, "Pipeline", &head)
			in.pipelines[head.Namespace+"/"+head.Name] = pipeline.Spec
		}
	case group == "tekton.dev" && head.Kind == "Task":
		var task struct{ Spec taskSpec }
		if in.decode(at, object, &task) {
			in.replaces(at, "Task", &head)
			in.tasks[head.Namespace+"/"+head.Name] = task.Spec
		}
	case head.APIVersion == "v1" && head.Kind == "Node":
		var node corev1.Node
		if in.decode(at, object, &node) {
			in.nodes = append(in.nodes, &node)
		}
	case head.APIVersion == "v1" && head.Kind == "Pod":
		var pod corev1.Pod
		if in.decode(at, object, &pod) {
			in.pods = append(in.pods, &pod)
		}
	case head.APIVersion == "" || head.Kind == "":
		in.fail(at, "want an object with apiVersion and kind")
	default:
		what := strings.TrimSpace(head.Kind + " " + cmp.Or(head.Name, head.GenerateName))
		in.skip(at, "%s: skipped: %s of %s is not a kind that is planned", what, head.Kind, head.APIVersion)
	}
}

// replaces records that an object replaces an earlier one of the same kind and name.
func (in *input) replaces(at place, kind string, head *metav1.PartialObjectMetadata) {
	key := kind + " " + head.Namespace + "/" + head.Name
	if before, found := in.places[key]; found {
		in.skip(before, "%s %s: skipped: replaced by the one of %s, which has the same name", kind, head.Name, at)
	}
	in.places[key] = at
}

func (in *input) readList(at place, object map[string]any) {
	items, ok := object["items"].([]any)
	if !ok && object["items"] != nil {
		in.fail(at, "items: want a list")
	}
	for i, item := range items {
		in.readObject(place{fmt.Sprintf("%s: items[%d]", at, i), at.line}, item)
	}
}

// decode reports whether an object could be read.
func (in *input) decode(at place, object map[string]any, into any) bool {
	faults := objects.CheckQuantities(object, reflect.TypeOf(into))
	for _, fault := range faults {
		in.fail(at, "%s: %s", fault.Field, fault.Text)
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
			fault.Text = fault.Field + ": " + fault.Text
		}
		in.fail(at, "%s", fault.Text)
	}
	return err == nil
}
