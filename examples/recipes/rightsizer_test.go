package recipes_test

import (
	"fmt"
	"math/big"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// recommend returns the cpu requests for what the containers of a pod have used, and 15 % more:
// in steps of 50m, and not below the minimum of the LimitRanges.
func recommend(spec *corev1.PodSpec, used map[string]corev1.ResourceList, minimum corev1.ResourceList) (changes []computeresources.Change) {
	const step = 50 // milli-units
	for ref := range computeresources.Containers(spec) {
		steps := resourcelist.Scale(used[ref.Name], big.NewRat(115, 100*step)) // rounded up
		requests := resourcelist.Max(resourcelist.Multiply(steps, step), minimum)
		changes = append(changes, computeresources.Change{
			Ref: ref, List: computeresources.Requests, Resource: corev1.ResourceCPU, To: requests.Cpu(),
		})
	}
	return changes
}

// solverInput collects what the LimitRanges of a namespace and the quotas that count an object demand.
func solverInput(object quota.Object, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota) (in solver.Input) {
	for _, r := range ranges {
		source := computeresources.Source{Kind: "LimitRange", Namespace: r.Namespace, Name: r.Name}
		for _, item := range r.Spec.Limits {
			in.Items = append(in.Items, solver.RangeItem{Source: source, Item: item})
		}
	}
	for _, q := range quotas {
		if counts, err := object.Matches(q); err == nil && counts {
			source := computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name}
			in.Budgets = append(in.Budgets, solver.Budget{Source: source, Remaining: quotaplan.Remaining(q)})
		}
	}
	return in
}

// Example_rightSizer recommends requests, lets the solver set what the namespace demands besides,
// and says how many replicas of the result fit.
func Example_rightSizer() {
	var pod corev1.Pod
	var bounds corev1.LimitRange
	var compute corev1.ResourceQuota
	decodeForRightSizer(&pod, `
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
	object := quota.Pod(&pod, time.Now(), quota.PodOptions{})
	used := map[string]corev1.ResourceList{
		"app":     {"cpu": resourcelist.Quantity("cpu", 430)},
		"worker":  {"cpu": resourcelist.Quantity("cpu", 215)},
		"sidecar": {"cpu": resourcelist.Quantity("cpu", 20)},
	}

	changes := recommend(&pod.Spec, used, limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer).Min)
	if err := computeresources.ApplyChanges(&pod.Spec, changes); err != nil {
		panic(err)
	}
	more, err := solver.Apply(&pod.Spec, solverInput(object, ranges, quotas))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range append(changes, more...) {
		fmt.Println(change)
	}
	fit := quotaplan.Replicas(object, quotas, quota.AdmitOptions{})
	fmt.Println(fit.Replicas, "replicas fit, then:", fit.Next.Err())
	// Output:
	// sidecar sidecar: set the cpu request to 100m
	// container app: set the cpu request to 500m
	// container worker: set the cpu request to 250m
	// sidecar sidecar: set the cpu limit to 100m
	// container app: set the cpu limit to 500m
	// container worker: set the cpu limit to 250m
	// 3 replicas fit, then: exceeded quota: compute, requested: requests.cpu=850m, used: requests.cpu=7550m, limited: requests.cpu=8
}

// decodeForRightSizer reads one object.
func decodeForRightSizer(object any, manifest string) {
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		panic(err)
	}
}
