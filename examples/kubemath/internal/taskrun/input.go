package taskrun

import (
	"cmp"
	"fmt"
	"slices"

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
	places    map[string]objects.Place // of objects with a name, by kind, namespace and name
	ranges    []*corev1.LimitRange
	quotas    []*corev1.ResourceQuota
	defaults  map[string]corev1.ResourceRequirements // of Tekton's configuration
	problems  []objects.Problem
	// unresolved is set if a run names a Pipeline that is not in the input.
	unresolved bool
}

type objectName struct{ namespace, name string }

// manifest is an object that is being read.
type manifest struct {
	node
	objects.Place
	apiVersion string
	objectName
}

// addTree reads an object.
func (in *input) addTree(at objects.Place, tree map[string]any) {
	var faults []fault
	root := node{tree: tree, faults: &faults}
	apiVersion, kind := root.child("apiVersion").text(), root.child("kind").text()
	metadata := root.child("metadata")
	name := objectName{metadata.child("namespace").text(), metadata.child("name").text()}
	if prefix := metadata.child("generateName").text(); name.name == "" && prefix != "" {
		name.name = objects.GeneratedName(prefix)
	}
	name.namespace = cmp.Or(name.namespace, in.home)
	if len(faults) == 0 {
		in.reader(apiVersion, kind)(&manifest{root, at, apiVersion, name})
	}
	in.failAll(at, objects.Unreadable, faults)
}

// replaces records that an object replaces an earlier one of the same kind and name.
func (in *input) replaces(kind string, m *manifest) {
	key := kind + " " + m.namespace + "/" + m.name
	if before, found := in.places[key]; found {
		in.failAll(before, objects.Skipped, []fault{{text: fmt.Sprintf("replaced by the one of %v, which has the same name", m.Place.Source())}})
	}
	in.places[key] = m.Place
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
	case apiVersion == "v1" && kind == "ConfigMap":
		return in.addConfigMap
	case apiVersion == "v1" && kind == "Pod":
		return in.addPod
	}
	return nil
}

// readable reports whether an object has no faults so far.
func (m *manifest) readable() bool { return len(*m.faults) == 0 }

func (in *input) failAll(at objects.Place, grade objects.Grade, faults []fault) {
	for _, f := range faults {
		in.problems = append(in.problems, objects.Problems(at, grade, objects.Fault{Field: f.path, Text: f.text})...)
	}
}

func (in *input) reject(at objects.Place, errs field.ErrorList) {
	for _, err := range errs {
		in.failAll(at, objects.Invalid, []fault{{err.Field, err.ErrorBody()}})
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
