package scheduler

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	corev1defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/testkit"
)

// hostportsPod draws a pod with containers of all kinds, and ports that often conflict.
func hostportsPod(t *rapid.T, name, node string) *corev1.Pod {
	containers := func(label string, policies ...*corev1.ContainerRestartPolicy) (all []corev1.Container) {
		for i := range rapid.IntRange(0, 2).Draw(t, label) {
			c := corev1.Container{Name: fmt.Sprint(label, i), RestartPolicy: rapid.SampledFrom(policies).Draw(t, "policy")}
			for range rapid.IntRange(0, 2).Draw(t, "ports") {
				c.Ports = append(c.Ports, corev1.ContainerPort{
					HostIP:        rapid.SampledFrom([]string{"", "0.0.0.0", "127.0.0.1", "::", "::1"}).Draw(t, "ip"),
					Protocol:      rapid.SampledFrom([]corev1.Protocol{"", "TCP", "UDP", "SCTP"}).Draw(t, "protocol"),
					HostPort:      rapid.SampledFrom([]int32{-1, 0, 1, 1, 2, 2}).Draw(t, "host port"),
					ContainerPort: rapid.Int32Range(0, 2).Draw(t, "port"),
				})
			}
			all = append(all, c)
		}
		return all
	}
	always, never := corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	pod.Spec.NodeName = node
	pod.Spec.HostNetwork = rapid.IntRange(0, 4).Draw(t, "host network") == 0
	pod.Spec.InitContainers = containers("init", nil, &always, &never)
	pod.Spec.Containers = containers("app", nil)
	return pod
}

// hostportsDefaulted returns a pod as the API server stores it.
func hostportsDefaulted(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	corev1defaults.SetObjectDefaults_Pod(pod)
	return pod
}

// Each node has the same status, for pods as manifests have them and as the API server stores them, before and after a
// pod comes and another leaves.
func TestHostports(t *testing.T) {
	plugin, err := upstream.New(context.Background(), nil, nil, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	reached := map[string]int{}
	t.Cleanup(func() { t.Log(reached) })
	rapid.Check(t, func(t *rapid.T) {
		var nodes []*corev1.Node
		on := map[int][]*corev1.Pod{}
		for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
			nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("node-", i)}})
			for j := range rapid.IntRange(0, 3).Draw(t, "pods") {
				on[i] = append(on[i], hostportsPod(t, fmt.Sprint(i, "-", j), nodes[i].Name))
			}
		}
		pod := hostportsPod(t, "new", "")
		ports := hostports.Of(pod)
		state := framework.NewCycleState()
		_, status := plugin.(fwk.PreFilterPlugin).PreFilter(context.Background(), state, hostportsDefaulted(pod), nil)
		testkit.Equal(t, ports == nil, status.IsSkip(), "skipped")
		if status.IsSkip() {
			reached["skipped"]++
			return
		}
		ours := ports.On(len(nodes), func(i int) []*corev1.Pod { return on[i] })
		for i, node := range nodes {
			compare := func(what string) {
				info := framework.NewNodeInfo()
				info.SetNode(node)
				for _, there := range on[i] {
					info.AddPod(hostportsDefaulted(there))
				}
				status := plugin.(fwk.FilterPlugin).Filter(context.Background(), state, hostportsDefaulted(pod), info)
				if !status.IsSuccess() && status.Code() != fwk.Unschedulable {
					t.Fatalf("preemption cannot help: %v", status)
				}
				testkit.Equal(t, ours.Refusal(i), status.Message(), what, node.Name)
				reached[fmt.Sprintf("%s: %q", what, status.Message())]++
			}
			compare("at first")
			on[i] = append(on[i], hostportsPod(t, "another", node.Name))
			ours.Add(i, on[i][len(on[i])-1])
			compare("with another pod")
			ours.Remove(i, on[i][0])
			on[i] = on[i][1:]
			compare("without the first pod")
		}
	})
}
