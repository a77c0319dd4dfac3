package pages_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/qos"
)

const manifest = `
kind: Pod
spec:
  initContainers:
  - {name: proxy, restartPolicy: Always, resources: {requests: {cpu: 100m}, limits: {cpu: 200m}}}
  containers:
  - {name: app, resources: {limits: {cpu: 1, memory: 1Gi}}}
`

func Example_cliRequests() {
	var pod corev1.Pod
	if err := yaml.UnmarshalStrict([]byte(manifest), &pod); err != nil {
		fmt.Println(err)
		return
	}

	computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Kubernetes{}) // a manifest has no defaults
	computeresources.ApplyPodLevelDefaults(&pod.Spec, computeresources.Kubernetes{})
	problems := computeresources.Validate(nil, &pod.Spec, computeresources.Kubernetes{})
	fmt.Println("problems:", problems.Err())
	fmt.Println("requests:", resourcelist.String(computeresources.SpecRequests(&pod.Spec, computeresources.Options{})))
	fmt.Println("limits:", resourcelist.String(computeresources.SpecLimits(&pod.Spec, computeresources.Options{})))
	fmt.Println("class:", qos.Class(&pod.Spec, computeresources.Kubernetes{}), "because", qos.Explain(&pod.Spec, computeresources.Kubernetes{}))
	// Output:
	// problems: <nil>
	// requests: cpu=1100m,memory=1Gi
	// limits: cpu=1200m,memory=1Gi
	// class: Burstable because sidecar proxy requests cpu 100m, but its limit is 200m
}

func Example_cliPrice() {
	_, pods := smallNode()

	perHour := map[corev1.ResourceName]*big.Rat{
		corev1.ResourceCPU:    big.NewRat(316, 10_000_000), // 0.0316 for a CPU
		corev1.ResourceMemory: big.NewRat(42, 10_000<<30),  // 0.0042 for a GiB
	}
	total := new(big.Rat)
	for _, pod := range pods {
		requests := computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{})
		for name, amount := range requests.All() {
			if price, ok := perHour[name]; ok {
				total.Add(total, new(big.Rat).Mul(price, big.NewRat(amount, 1)))
			}
		}
	}
	fmt.Println(total.FloatString(3), "an hour")
	// Output:
	// 0.237 an hour
}
