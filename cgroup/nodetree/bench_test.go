package nodetree_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkBuild(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 110 {
		pod := testkit.StandardPod(i%4 == 0)
		pod.UID = types.UID(fmt.Sprintf("u%d", i))
		pods = append(pods, pod)
	}
	b.ReportAllocs()
	for b.Loop() {
		result, err := nodetree.Build(pods, nodetree.Options{MilliCPU: 16000})
		if err != nil {
			b.Fatal(err)
		}
		testkit.Keep(result)
	}
}
