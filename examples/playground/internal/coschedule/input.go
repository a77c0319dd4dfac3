package coschedule

import (
	"embed"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
)

// Samples are PipelineRuns, in the folder samples.
//
//go:embed samples/*.yaml
var Samples embed.FS

// input has the objects that were read.
type input struct {
	pipelinerun.Objects
	runs     []pipelineRun
	places   map[string]place // of the objects that runs refer to, by kind, namespace and name
	nodes    []*corev1.Node
	pods     []*corev1.Pod
	problems []remark
	skipped  []remark
}

// pipelineRun is a run, and where it was read.
type pipelineRun struct {
	pipelinerun.Run
	place place
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

// Kinds are those of the objects that are read.
func Kinds() objects.Kinds {
	kinds := objects.Kinds{{"v1", "Node"}: reflect.TypeFor[corev1.Node](), {"v1", "Pod"}: reflect.TypeFor[corev1.Pod]()}
	maps.Copy(kinds, pipelinerun.Kinds())
	// What becomes of the pods over time depends on these, too.
	kinds[[2]string{"v1", "LimitRange"}] = reflect.TypeFor[corev1.LimitRange]()
	kinds[[2]string{"v1", "ResourceQuota"}] = reflect.TypeFor[corev1.ResourceQuota]()
	kinds[[2]string{"v1", "ConfigMap"}] = reflect.TypeFor[corev1.ConfigMap]()
	return kinds
}

// inputOf returns the input that objects make. An error in one does not affect the others.
func inputOf(all iter.Seq[objects.Object]) input {
	in := input{places: map[string]place{}}
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
		in.add(at, o.Typed)
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

// refuse records what is wrong with a run.
func (in *input) refuse(r *pipelineRun, faults field.ErrorList) {
	for _, fault := range faults {
		in.fail(r.place, "PipelineRun %s: %v", r.Name, fault)
	}
}

// oneLine joins the lines of a message, and escapes control characters.
func oneLine(message string) string {
	quoted := fmt.Sprintf("%+q", strings.Join(strings.Fields(message), " "))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// add adds an object of one of the kinds.
func (in *input) add(at place, object any) {
	switch o := object.(type) {
	case *pipelinerun.Object[pipelinerun.RunSpec]:
		if o.Name != "" && in.replaces(at, "PipelineRun", &o.ObjectMeta) {
			in.runs = slices.DeleteFunc(in.runs, func(r pipelineRun) bool { return r.Namespace == o.Namespace && r.Name == o.Name })
		}
		in.runs = append(in.runs, pipelineRun{pipelinerun.Run{Object: o}, at})
	case *pipelinerun.Object[pipelinerun.PipelineSpec]:
		in.replaces(at, "Pipeline", &o.ObjectMeta)
		in.Objects.Add(o)
	case *pipelinerun.Object[pipelinerun.TaskSpec]:
		in.replaces(at, "Task", &o.ObjectMeta)
		in.Objects.Add(o)
	case *pipelinerun.Object[pipelinerun.StepAction]:
		in.replaces(at, "StepAction", &o.ObjectMeta)
		in.Objects.Add(o)
	case *corev1.Node:
		if o.Name != "" && in.replaces(at, "Node", &o.ObjectMeta) {
			in.nodes = slices.DeleteFunc(in.nodes, func(n *corev1.Node) bool { return n.Name == o.Name })
		}
		in.nodes = append(in.nodes, o)
	case *corev1.Pod:
		(&inventory.Defaults{}).Apply(o)
		if o.Name != "" && in.replaces(at, "Pod", &o.ObjectMeta) {
			in.pods = slices.DeleteFunc(in.pods, func(p *corev1.Pod) bool { return p.Namespace == o.Namespace && p.Name == o.Name })
		}
		in.pods = append(in.pods, o)
	}
}

// replaces records that an object replaces an earlier one of the same kind and name, and reports whether it does.
func (in *input) replaces(at place, kind string, head *metav1.ObjectMeta) (found bool) {
	key := kind + " " + head.Namespace + "/" + head.Name
	before, found := in.places[key]
	if found {
		in.skip(before, "%s %s: skipped: replaced by the one of %s, which has the same name", kind, head.Name, at)
	}
	in.places[key] = at
	return found
}
