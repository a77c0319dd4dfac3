package nodetree_test

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/nodetree"
)

// examplePods are a web server that requests a CPU, and a batch job that requests nothing.
func examplePods() []*corev1.Pod {
	cpu := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
	return []*corev1.Pod{
		{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "8d3f"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Resources: corev1.ResourceRequirements{Requests: cpu}}}},
		},
		{
			ObjectMeta: metav1.ObjectMeta{Namespace: "batch", Name: "job", UID: "41c7"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "worker"}}},
		},
	}
}

func ExampleBuild() {
	root, err := nodetree.Build(examplePods(), nodetree.Options{MilliCPU: 1000})
	if err != nil {
		fmt.Println(err)
	}
	for depth, g := range root.All() {
		fmt.Printf("%s%s: %sm with v1, %sm with v2\n", strings.Repeat("  ", depth), g.Title, g.CPU.Shares.Rat().FloatString(0), g.CPU.Mixed.Rat().FloatString(0))
	}
	// Output:
	// kubepods: 1000m with v1, 1000m with v2
	//   burstable: 998m with v1, 975m with v2
	//     shop/web: 998m with v1, 975m with v2
	//       nginx: 998m with v1, 975m with v2
	//   besteffort: 2m with v1, 25m with v2
	//     batch/job: 2m with v1, 25m with v2
	//       worker: 2m with v1, 25m with v2
}

func ExampleOptions() {
	// The web server idles.
	opts := nodetree.Options{MilliCPU: 1000, Demands: map[types.UID]map[string]int64{"8d3f": {"nginx": 10}}}
	root, _ := nodetree.Build(examplePods(), opts)
	fmt.Println(root.Children[0].CPU.Shares.Rat().FloatString(0), root.Children[1].CPU.Shares.Rat().FloatString(0))
	// Output:
	// 10 990
}
