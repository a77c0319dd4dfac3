package vectors

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A PodOnNode is a pod on a node with that many bytes of memory.
type PodOnNode struct {
	Pod
	NodeMemory int64 `json:"nodeMemory"`
}

// A Class is the class of quality of service of a pod, and the OOM score of each of its containers,
// by name.
type Class struct {
	QOSClass    corev1.PodQOSClass `json:"qosClass"`
	OOMScoreAdj map[string]int     `json:"oomScoreAdj"`
}

// statement is what a container sets.
type statement struct {
	words            string
	requests, limits corev1.ResourceList
}

func statements() []statement {
	return []statement{
		{"sets nothing", nil, nil},
		{"has equal requests and limits of both", testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "1", "memory", "1Gi")},
		{"has equal amounts in other notations", testkit.List("cpu", "1000m", "memory", "1024Mi"), testkit.List("cpu", "1", "memory", "1Gi")},
		{"has smaller requests than limits", testkit.List("cpu", "500m", "memory", "512Mi"), testkit.List("cpu", "1", "memory", "1Gi")},
		{"sets memory alone, requests equal limits", testkit.List("memory", "1Gi"), testkit.List("memory", "1Gi")},
		{"sets cpu alone, requests equal limits", testkit.List("cpu", "1"), testkit.List("cpu", "1")},
		{"has requests alone", testkit.List("cpu", "1", "memory", "1Gi"), nil},
		{"has limits alone", nil, testkit.List("cpu", "1", "memory", "1Gi")},
		{"requests zero, without limits", testkit.List("cpu", "0", "memory", "0"), nil},
		{"sets a device alone", testkit.List("example.com/gpu", "1"), testkit.List("example.com/gpu", "1")},
	}
}

const classRule = " A pod is Guaranteed if every container has limits of cpu and memory, and equal requests; BestEffort if no container sets either; and otherwise Burstable."

// Classes are pods with their class and OOM scores. They are those of the pod without the
// requests that the API server sets from limits.
func Classes() []Case[PodOnNode, Class] {
	var cases []Case[PodOnNode, Class]
	const node = 16 << 30
	add := func(name, why string, spec corev1.PodSpec, memory int64) {
		cases = append(cases, Case[PodOnNode, Class]{Name: name, Why: why, Input: PodOnNode{PodOf(spec), memory}})
	}
	container := func(name string, s statement) corev1.Container {
		return testkit.Container(name, s.requests.DeepCopy(), s.limits.DeepCopy())
	}
	for _, a := range statements() {
		for _, b := range statements() {
			add("a "+a.words+"; b "+b.words, "Two containers: the class is computed for the pod, not for each container."+classRule, pod(container("a", a), container("b", b)), node)
		}
	}
	for _, a := range statements() {
		for _, b := range statements()[:7] {
			spec := pod(container("app", a))
			spec.InitContainers = []corev1.Container{container("init", b)}
			add("the app "+a.words+"; its init container "+b.words, "Init containers count for the class as app containers do."+classRule, spec, node)
		}
		spec := pod(container("app", a))
		spec.InitContainers = []corev1.Container{testkit.Sidecar("proxy", testkit.List("memory", "512Mi"), nil)}
		add("the app "+a.words+"; a sidecar requests memory", "The OOM score of a sidecar is at most the lowest of the app containers, so that it is not killed before them.", spec, node)
	}
	for _, p := range statements()[:9] {
		for _, a := range statements()[:4] {
			spec := pod(container("app", a))
			spec.Resources = &corev1.ResourceRequirements{Requests: p.requests, Limits: p.limits}
			add("the pod "+p.words+"; its container "+a.words, "If spec.resources is set, only it decides the class.", spec, node)
		}
	}
	for _, request := range []string{"1", "1Mi", "100Mi", "1Gi", "1.5Gi", "4Gi", "15Gi", "16Gi"} {
		for _, memory := range []int64{1 << 30, 4 << 30, 16 << 30, 1 << 40} {
			add(fmt.Sprintf("%s of a node of %d bytes", request, memory), "A Burstable container has 1000 - 1000 × request ÷ memory of the node, at least 3 and at most 999. Integers are divided.", pod(testkit.Container("app", testkit.List("memory", request), nil)), memory)
		}
	}
	for _, priority := range []int32{0, 2000000000, 2000001000} {
		spec := pod(container("app", statements()[3]))
		spec.Priority = &priority
		add(fmt.Sprintf("priority %d", priority), "A pod that is critical to its node (priority of 2000000000 and more) has the OOM score of a Guaranteed pod, regardless of its class.", spec, node)
	}
	return cases
}
