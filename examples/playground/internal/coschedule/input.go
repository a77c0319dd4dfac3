package coschedule

import (
	"embed"
	"encoding/json"
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

// Samples are PipelineRuns, in the folder samples.
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

// Kinds are those of the objects that are read, without a type.
func Kinds() objects.Kinds {
	kinds := objects.Kinds{{"v1", "Node"}: reflect.TypeFor[objects.Tree](), {"v1", "Pod"}: reflect.TypeFor[objects.Tree]()}
	for _, apiVersion := range []string{"tekton.dev/v1", "tekton.dev/v1beta1", "tekton.dev/v1alpha1"} {
		for _, kind := range []string{"PipelineRun", "Pipeline", "Task"} {
			kinds[[2]string{apiVersion, kind}] = reflect.TypeFor[objects.Tree]()
		}
	}
	return kinds
}

// inputOf returns the input that objects make. An error in one does not affect the others.
func inputOf(all iter.Seq[objects.Object]) input {
	in := input{pipelines: map[string]pipelineSpec{}, tasks: map[string]taskSpec{}, places: map[string]place{}}
	for o := range all {
		at := place{o.Place.String(), o.Line}
		for _, p := range o.Problems {
			said := remark{place{p.Place.String(), p.Begins()}, p.Message()}
			if p.Code() == command.OK {
				in.skipped = append(in.skipped, said)
			} else {
				in.problems = append(in.problems, said)
			}
		}
		if tree, isTree := o.Typed.(*objects.Tree); isTree {
			if err := command.Recovered(func() { in.readObject(at, tree.Value) }); err != nil {
				in.fail(at, "%v", err)
			}
		}
	}
	if len(in.runs) == 0 {
		in.fail(place{}, "the input has no PipelineRun")
	}
	return in
}

// fail records what could not be read or planned.
func (in *input) fail(at place, format string, args ...any) {
	in.problems = append(in.problems, remark{at, fmt.Sprintf(format, args...)})
}

// skip records objects that are not read, which is not an error.
func (in *input) skip(at place, format string, args ...any) {
	in.skipped = append(in.skipped, remark{at, fmt.Sprintf(format, args...)})
}

// refuse records an error about a run, and reports whether there is one.
func (in *input) refuse(r *pipelineRun, faults field.ErrorList) bool {
	for _, fault := range faults {
		in.fail(r.place, "PipelineRun %s: %v", r.Name, fault)
	}
	return len(faults) > 0
}

// oneLine joins the lines of a message, and escapes control characters.
func oneLine(message string) string {
	quoted := fmt.Sprintf("%+q", strings.Join(strings.Fields(message), " "))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// readObject reads an object of one of the kinds.
func (in *input) readObject(at place, object map[string]any) {
	var head metav1.PartialObjectMetadata
	if !in.decode(at, object, &head) {
		return
	}
	switch head.Kind {
	case "PipelineRun":
		var run pipelineRun
		if in.decode(at, object, &run) {
			run.place = at
			in.runs = append(in.runs, run)
		}
	case "Pipeline":
		var pipeline struct{ Spec pipelineSpec }
		if in.decode(at, object, &pipeline) {
			in.replaces(at, "Pipeline", &head)
			in.pipelines[head.Namespace+"/"+head.Name] = pipeline.Spec
		}
	case "Task":
		var task struct{ Spec taskSpec }
		if in.decode(at, object, &task) {
			in.replaces(at, "Task", &head)
			in.tasks[head.Namespace+"/"+head.Name] = task.Spec
		}
	case "Node":
		var node corev1.Node
		if in.decode(at, object, &node) {
			in.nodes = append(in.nodes, &node)
		}
	case "Pod":
		var pod corev1.Pod
		if in.decode(at, object, &pod) {
			in.pods = append(in.pods, &pod)
		}
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
