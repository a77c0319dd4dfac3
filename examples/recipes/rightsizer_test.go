package recipes_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// floorsOf returns the cpu requests for what the containers of a pod have used, and 15 % more, in steps
// of 50m.
func floorsOf(spec *corev1.PodSpec, used map[string]corev1.ResourceList) (floors []solver.Floor) {
	const step = 50 // milli-units
	for ref := range computeresources.Containers(spec) {
		steps := resourcelist.Scale(used[ref.Name], big.NewRat(115, 100*step)) // rounded up
		floors = append(floors, solver.Floor{Ref: ref, Requests: resourcelist.Multiply(steps, step), Source: computeresources.Source{Kind: "usage"}})
	}
	return floors
}

// Example_rightSizer sets the least that the namespace admits and the measured usage needs, for three
// replicas, and says what would stop a fourth.
func Example_rightSizer() {
	var pod corev1.Pod
	var bounds corev1.LimitRange
	var compute corev1.ResourceQuota
	decodeForRightSizer(&pod, `
metadata: {name: web}
spec:
  initContainers: [{name: sidecar, restartPolicy: Always}]
  containers: [{name: app}, {name: worker}]`)
	decodeForRightSizer(&bounds, `
metadata: {name: bounds}
spec: {limits: [{type: Container, min: {cpu: 100m}, max: {cpu: 2}}]}`)
	decodeForRightSizer(&compute, `
metadata: {name: compute}
status: {hard: {requests.cpu: 8}, used: {requests.cpu: 5}}`)
	ranges, quotas := []*corev1.LimitRange{&bounds}, []*corev1.ResourceQuota{&compute}
	used := map[string]corev1.ResourceList{
		"app":     {"cpu": resourcelist.Quantity("cpu", 430)},
		"worker":  {"cpu": resourcelist.Quantity("cpu", 215)},
		"sidecar": {"cpu": resourcelist.Quantity("cpu", 20)},
	}

	in := solver.Input{LimitRanges: ranges, Quotas: quotas, Floors: floorsOf(&pod.Spec, used), Replicas: 3}
	changes, err := solver.Apply(&pod.Spec, in)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range changes {
		fmt.Println(change)
	}
	namespace, err := admit.Compile(ranges, quotas, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := namespace.Replicas([]admit.APIObject{&pod}, admit.Attributes{})
	fmt.Println(fit.Replicas, "replicas fit, then:", fit.Err())
	// Output:
	// sidecar sidecar: set the cpu request to 100m
	// sidecar sidecar: set the cpu limit to 100m
	// container app: set the cpu request to 500m
	// container app: set the cpu limit to 500m
	// container worker: set the cpu request to 250m
	// container worker: set the cpu limit to 250m
	// 3 replicas fit, then: pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=850m, used: requests.cpu=7550m, limited: requests.cpu=8
}

// decodeForRightSizer reads one object.
func decodeForRightSizer(object any, manifest string) {
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		panic(err)
	}
}
