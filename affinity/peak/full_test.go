package peak_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func resourceMi(n int64) *resource.Quantity { return resource.NewQuantity(n<<20, resource.BinarySI) }

// standing is the pod of a placeholder on a node.
func standing(assistant, node string) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: node}}
	pod.Namespace, pod.Name, pod.UID = "ci", assistant+"-0", types.UID(assistant)
	pod.Labels = map[string]string{"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": assistant}
	return pod
}

// waitingPod is the pod of a task that has to run on the node of a placeholder.
func waitingPod(name, assistant, cpu string) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Affinity:   affinity.TaskAffinity(nil, assistant),
		Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: list("cpu", cpu)}}},
	}}
	pod.Namespace, pod.Name = "ci", name
	return pod
}

func TestFullNodes(t *testing.T) {
	const assistant = "affinity-assistant-1"
	full := func(waiting, text string) []string { return []string{waiting + ": " + text} }
	change := func(pod *corev1.Pod, f func(*corev1.Pod)) *corev1.Pod { f(pod); return pod }
	for _, test := range []struct {
		name string
		pods []*corev1.Pod
		want []string
	}{
		{"nothing waits", nil, nil},
		{"there is room", []*corev1.Pod{waitingPod("a", assistant, "2")}, nil},
		{"there is no room", []*corev1.Pod{waitingPod("a", assistant, "2001m")}, full("ci/a", "Insufficient cpu")},
		{"no room for one of two pods", []*corev1.Pod{waitingPod("b", assistant, "9"), waitingPod("a", assistant, "1")}, full("ci/b", "Insufficient cpu")},
		{"no room for either of two pods", []*corev1.Pod{nil, waitingPod("b", assistant, "9"), waitingPod("a", assistant, "8")}, full("ci/a", "Insufficient cpu")},
		{"no room for a pod of another placeholder", []*corev1.Pod{waitingPod("a", "affinity-assistant-2", "9")}, nil},
		{"pod of another namespace", []*corev1.Pod{change(waitingPod("a", assistant, "9"), func(p *corev1.Pod) { p.Namespace = "other" })}, nil},
		{"has to be with two", []*corev1.Pod{change(waitingPod("a", "affinity-assistant-2", "9"), func(p *corev1.Pod) {
			p.Spec.Affinity = affinity.TaskAffinity(p.Spec.Affinity, assistant)
		})}, full("ci/a", "Insufficient cpu")},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := noderesources.NewLedger(list("cpu", "2", "pods", "9"))
			var got []string
			for _, f := range peak.FullNodes(append(test.pods, standing(assistant, "n")), map[string]*noderesources.Ledger{"n": node}, noderesources.FitOptions{}) {
				if f.Assistant != assistant || f.Node != "n" || f.Placeholder != (types.NamespacedName{Namespace: "ci", Name: assistant + "-0"}) {
					t.Errorf("%+v", f)
				}
				got = append(got, f.Waiting.String()+": "+f.Shortages.Err().Error())
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
	tooLarge := []*corev1.Pod{waitingPod("a", assistant, "9"), standing(assistant, "n")}
	for name, placeholder := range map[string]*corev1.Pod{
		"no ledger":     standing(assistant, "m"),
		"being deleted": change(standing(assistant, "n"), func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }),
	} {
		tooLarge[1] = placeholder
		ledgers := map[string]*noderesources.Ledger{"n": noderesources.NewLedger(nil), "": noderesources.NewLedger(nil), "m": nil}
		if got := peak.FullNodes(tooLarge, ledgers, noderesources.FitOptions{}); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFullNodesWithOptions(t *testing.T) {
	const assistant = "affinity-assistant-0123456789"
	pods := []*corev1.Pod{waitingPod("a", assistant, "1"), standing(assistant, "n")}
	pods[1].Labels = nil // its name says what it is
	pods[0].Spec.Containers[0].Resources.Requests["example.com/fpga"] = resource.MustParse("1")
	ledgers := map[string]*noderesources.Ledger{"n": noderesources.NewLedger(list("cpu", "2", "pods", "9"))}
	if full := peak.FullNodes(pods, ledgers, noderesources.FitOptions{}); len(full) != 1 {
		t.Errorf("%+v", full)
	}
	if full := peak.FullNodes(pods, ledgers, noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/fpga"}}); full != nil {
		t.Errorf("with an ignored resource: %+v", full)
	}
}

// On a node that has no room for another pod, the run would wait forever. It continues on another
// node.
func TestStrandedOnAFullNode(t *testing.T) {
	pods := []*corev1.Pod{standing("affinity-assistant-b", "n"), standing("affinity-assistant-a", "n"), waitingPod("task", "affinity-assistant-b", "1")}
	node := noderesources.NewLedger(list("cpu", "8", "pods", "2"))
	for _, pod := range pods[:2] {
		testkit.OK(t, node.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{})))
	}
	full := peak.FullNodes(pods, map[string]*noderesources.Ledger{"n": node}, noderesources.FitOptions{})
	if len(full) != 1 || full[0].Shortages.Err().Error() != "Too many pods" || full[0].Shortages.Unresolvable() {
		t.Fatalf("%+v", full)
	}
	stranded := affinity.Stranded(pods, nil, affinity.StrandedOptions{Full: []types.NamespacedName{full[0].Placeholder}})
	if len(stranded) != 1 || stranded[0].Assistant != "affinity-assistant-b" || stranded[0].Cause != affinity.NodeFull || stranded[0].Force {
		t.Errorf("%+v", stranded)
	}
}

func TestFullNodesAreSorted(t *testing.T) {
	in := func(namespace string, pod *corev1.Pod) *corev1.Pod { pod.Namespace = namespace; return pod }
	pods := []*corev1.Pod{
		in("b", standing("a", "n")), in("a", standing("c", "n")), in("a", standing("b", "n")),
		in("a", waitingPod("1", "b", "1")), in("a", waitingPod("2", "c", "1")), in("b", waitingPod("3", "a", "1")),
	}
	var got []string
	for _, f := range peak.FullNodes(pods, map[string]*noderesources.Ledger{"n": noderesources.NewLedger(nil)}, noderesources.FitOptions{}) {
		got = append(got, f.Placeholder.String()+" "+f.Waiting.String())
	}
	testkit.NoDiff(t, got, []string{"a/b-0 a/1", "a/c-0 a/2", "b/a-0 b/3"})
}
