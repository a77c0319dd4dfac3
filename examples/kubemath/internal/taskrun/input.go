package taskrun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// input has the objects that were read, in the order of the files.
type input struct {
	home      string // the namespace of objects without one
	runs      []*taskRun
	tasks     map[objectName]*task
	pipelines map[objectName]*pipeline
	places    map[string]place // of objects with a name, by kind, namespace and name
	ranges    []*corev1.LimitRange
	quotas    []*corev1.ResourceQuota
	problems  []problem
	// unresolved is set if a run names a Pipeline that is not in the input.
	unresolved bool
}

type objectName struct{ namespace, name string }

// manifest is an object that is being read.
type manifest struct {
	node
	place
	apiVersion string
	objectName
}

// addTree reads an object, or those of a list.
func (in *input) addTree(at place, tree any) {
	if _, ok := tree.(map[string]any); !ok {
		in.fail(at, "want an object with apiVersion and kind, not "+describe(tree))
		return
	}
	var faults []fault
	root := node{tree: tree, faults: &faults}
	apiVersion, kind := root.child("apiVersion").text(), root.child("kind").text()
	metadata := root.child("metadata")
	name := objectName{metadata.child("namespace").text(), metadata.child("name").text()}
	if prefix := metadata.child("generateName").text(); name.name == "" && prefix != "" {
		name.name = objects.GeneratedName(prefix)
	}
	at.object = strings.TrimSpace(kind + " " + strings.TrimPrefix(name.namespace+"/"+name.name, "/"))
	name.namespace = cmp.Or(name.namespace, in.home)
	m := &manifest{root, at, apiVersion, name}
	read := in.reader(apiVersion, kind)
	switch {
	case len(faults) > 0:
	case kind == "" || apiVersion == "":
		root.fault("want an object with apiVersion and kind")
	case apiVersion == "v1" && kind == "List":
		in.addItems(at, root.child("items"))
	case read == nil:
		in.problems = append(in.problems, problem{at, fault{text: fmt.Sprintf("%s of %s is not a kind that is compared", kind, apiVersion)}, skipped})
	default:
		read(m)
	}
	in.failAll(at, unreadable, faults)
}

// replaces records that an object replaces an earlier one of the same kind and name.
func (in *input) replaces(kind string, m *manifest) {
	key := kind + " " + m.namespace + "/" + m.name
	if before, found := in.places[key]; found {
		in.failAll(before, skipped, []fault{{text: fmt.Sprintf("replaced by the one of %s, which has the same name", m.place)}})
	}
	in.places[key] = m.place
}

// reader returns the function that reads objects of a kind, or nil.
func (in *input) reader(apiVersion, kind string) func(*manifest) {
	_, tekton := spellings[apiVersion]
	switch {
	case tekton && kind == "Task":
		return in.addTask
	case tekton && kind == "TaskRun":
		return in.addTaskRun
	case tekton && kind == "Pipeline":
		return in.addPipeline
	case tekton && kind == "PipelineRun":
		return in.addPipelineRun
	case apiVersion == "v1" && kind == "LimitRange":
		return in.addLimitRange
	case apiVersion == "v1" && kind == "ResourceQuota":
		return in.addQuota
	case apiVersion == "v1" && kind == "Pod":
		return in.addPod
	}
	return nil
}

func (in *input) addItems(at place, items node) {
	prefix := at.item
	if prefix != "" {
		prefix += "."
	}
	for i, item := range items.items() {
		at.item, at.object = fmt.Sprintf("%sitems[%d]", prefix, i), ""
		in.addTree(at, item.tree)
	}
}

// readable reports whether an object has no faults so far.
func (m *manifest) readable() bool { return len(*m.faults) == 0 }

func (in *input) fail(at place, text string) {
	in.failAll(at, unreadable, []fault{{text: text}})
}

func (in *input) failAll(at place, grade grade, faults []fault) {
	for _, f := range faults {
		in.problems = append(in.problems, problem{at, f, grade})
	}
}

func (in *input) reject(at place, errs field.ErrorList) {
	for _, err := range errs {
		in.failAll(at, invalid, []fault{{err.Field, err.ErrorBody()}})
	}
}

// replace returns list with the object instead of the one that has its name, or appended.
func replace[T metav1.Object](list []T, object T) []T {
	i := slices.IndexFunc(list, func(other T) bool {
		return other.GetNamespace() == object.GetNamespace() && other.GetName() == object.GetName()
	})
	if i < 0 {
		return append(list, object)
	}
	list[i] = object
	return list
}
