// Package tekton compares the whole pod of package affinity/steps with the pod that Tekton creates and the API
// server of Kubernetes admits. Tekton requires other modules than Kubernetes does, so that it has a module of its own.
//
// [Run.Create] calls what createPod of Tekton calls, in its order. Its transformers are internal to Tekton: the module
// in directory transformers exports them. [Run.Admit] calls what the API server calls for the pod.
package tekton
