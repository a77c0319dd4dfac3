package taskrun

import (
	"embed"
	"iter"
	"reflect"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

//go:embed samples/*.yaml
var samples embed.FS

// kinds are those of which objects are read, without a type, because Tekton's are not those of k8s.io/api.
func kinds() objects.Kinds {
	kinds := objects.Kinds{}
	add := func(apiVersion string, names ...string) {
		for _, kind := range names {
			kinds[[2]string{apiVersion, kind}] = reflect.TypeFor[objects.Tree]()
		}
	}
	add("tekton.dev/v1", "Task", "TaskRun", "Pipeline", "PipelineRun")
	add("tekton.dev/v1beta1", "Task", "TaskRun", "Pipeline", "PipelineRun")
	add("v1", "LimitRange", "ResourceQuota", "Pod", "ConfigMap")
	return kinds
}

// inputOf returns the input that objects make. Home is the namespace of objects without one. An error in one does not
// affect the others.
func inputOf(all iter.Seq[objects.Object], home string) input {
	in := input{home: home, tasks: map[objectName]*task{}, pipelines: map[objectName]*pipeline{}, places: map[string]objects.Place{}}
	for o := range all {
		in.problems = append(in.problems, o.Problems...)
		if tree, isTree := o.Typed.(*objects.Tree); isTree {
			in.problems = append(in.problems, objects.Guarded(o.Place, func() { in.addTree(o.Place, tree.Value) })...)
		}
	}
	in.assignPipelines()
	in.assignTasks()
	return in
}

// guard calls a function that handles an object, and records a panic as a problem of it.
func (in *input) guard(at objects.Place, handle func()) {
	in.problems = append(in.problems, objects.Guarded(at, handle)...)
}
