// Rivals measures solver.RightSize beside the webhook of the vertical autoscaler, and writes the results as JSON. The
// program of the same name in the module above runs it and prints one table.
package main

import (
	"fmt"

	autoscaling "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/admission-controller/resource/pod/recommendation"
	vpatypes "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	vpalimitrange "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/utils/limitrange"
	vpautil "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/utils/vpa"
	"k8s.io/client-go/informers"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	sizedSink solver.RightSized
	theirSink any
	floorSink int64
)

func main() {
	measure.Main(func(func(string) bool) ([]measure.Row, error) { return rows(), nil })
}

// rows are about a pod of five containers, each of which has a recommendation, beside a LimitRange of containers.
func rows() []measure.Row {
	pod := &corev1.Pod{}
	pod.Namespace = "team"
	vpa := &vpatypes.VerticalPodAutoscaler{}
	vpa.Spec.TargetRef = &autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web"}
	vpa.Spec.ResourcePolicy, vpa.Status.Recommendation = &vpatypes.PodResourcePolicy{}, &vpatypes.RecommendedPodResources{}
	var recommendations []solver.Recommendation
	for i := range 5 {
		name := fmt.Sprint("c-", i)
		pod.Spec.Containers = append(pod.Spec.Containers, testkit.Container(name,
			testkit.List("cpu", "100m", "memory", "128Mi"), testkit.List("cpu", "400m", "memory", "256Mi")))
		target, most := testkit.List("cpu", fmt.Sprint(150+100*i, "m"), "memory", fmt.Sprint(200+50*i, "Mi")), testkit.List("cpu", "2", "memory", "4Gi")
		mode := vpatypes.ContainerControlledValuesRequestsAndLimits
		vpa.Spec.ResourcePolicy.ContainerPolicies = append(vpa.Spec.ResourcePolicy.ContainerPolicies,
			vpatypes.ContainerResourcePolicy{ContainerName: name, MaxAllowed: most, ControlledValues: &mode})
		vpa.Status.Recommendation.ContainerRecommendations = append(vpa.Status.Recommendation.ContainerRecommendations,
			vpatypes.RecommendedContainerResources{ContainerName: name, Target: target})
		recommendations = append(recommendations, solver.Recommendation{Ref: computeresources.Ref{Name: name}, Requests: target, Max: most})
	}
	lr := &corev1.LimitRange{}
	lr.Namespace, lr.Name = "team", "range"
	lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "2", "memory", "1Gi")}}
	in, provider := solver.Input{LimitRanges: []*corev1.LimitRange{lr}}, autoscaler(lr)
	return []measure.Row{{
		Kernel: "right sizes of a pod of 5 containers", Rival: "the vertical autoscaler's webhook, which knows no quotas", AtLeast: 0.4, Aim: 1, Allocs: 950,
		Floor: func() {
			for i := range recommendations {
				r := &pod.Spec.Containers[i].Resources
				for _, list := range []corev1.ResourceList{recommendations[i].Requests, recommendations[i].Max, r.Requests, r.Limits} {
					cpu, memory := list[corev1.ResourceCPU], list[corev1.ResourceMemory]
					floorSink += cpu.MilliValue() + memory.Value()
				}
			}
		},
		Above: "the solution is exact, within all bounds of the pod and quotas at the same time, and has the reason of each amount",
		Ours: func() {
			sized, err := solver.RightSize(&pod.Spec, recommendations, in)
			if err != nil {
				panic(err)
			}
			sizedSink = sized
		},
		Theirs: func() {
			resources, _, err := provider.GetContainersResourcesForPod(pod, vpa)
			if err != nil {
				panic(err)
			}
			theirSink = resources
		},
	}}
}

// autoscaler returns what the webhook asks, in a namespace with a LimitRange.
func autoscaler(lr *corev1.LimitRange) recommendation.Provider {
	factory := informers.NewSharedInformerFactory(nil, 0)
	if err := factory.Core().V1().LimitRanges().Informer().GetIndexer().Add(lr); err != nil {
		panic(err)
	}
	calculator, err := vpalimitrange.NewLimitsRangeCalculator(factory)
	if err != nil {
		panic(err)
	}
	return recommendation.NewProvider(calculator, vpautil.NewCappingRecommendationProcessor(calculator))
}
