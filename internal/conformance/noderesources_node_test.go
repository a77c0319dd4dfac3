package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clientgo "k8s.io/client-go/testing"
	"k8s.io/kubectl/pkg/describe"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What a kubelet reports as allocatable, and which thresholds it refuses.
func TestAllocatable(t *testing.T) {
	signals := []string{"memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available", "pid.available", "memory.free"}
	values := []string{"0%", "10%", "33.3%", "100%", "101%", "-1%", "x%", "100Mi", "0.5", "1Gi", "0", "-1", "x", "5%%"}
	rapid.Check(t, func(t *rapid.T) {
		lists := testkit.ResourceList(testkit.Ordinary())
		capacity := lists.Draw(t, "capacity")
		opts := noderesources.ReservedOptions{
			KubeReserved:   lists.Draw(t, "kube-reserved"),
			SystemReserved: lists.Draw(t, "system-reserved"),
			EvictionHard:   map[string]string{},

			MergeDefaultEvictionSettings: rapid.Bool().Draw(t, "merge default eviction settings"),
		}
		valid := rapid.Bool().Draw(t, "valid thresholds")
		for range rapid.IntRange(0, 3).Draw(t, "thresholds") {
			if valid {
				opts.EvictionHard[rapid.SampledFrom(signals[:5]).Draw(t, "signal")] = rapid.SampledFrom(values[:4]).Draw(t, "value")
			} else {
				opts.EvictionHard[rapid.SampledFrom(signals).Draw(t, "signal")] = rapid.SampledFrom(values).Draw(t, "value")
			}
		}
		if len(opts.EvictionHard) == 0 && rapid.Bool().Draw(t, "no map") {
			opts.EvictionHard = nil
		}
		thresholds := kubelet.EvictionHard(opts.EvictionHard, opts.MergeDefaultEvictionSettings)
		want, wantErr := kubelet.Allocatable(capacity, opts.KubeReserved, opts.SystemReserved, thresholds)
		got, err := noderesources.Allocatable(capacity, opts)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%v: error %v, the kubelet's %v", opts.EvictionHard, err, wantErr)
		}
		if err != nil {
			return
		}
		if len(got) != len(capacity) {
			t.Fatalf("%d resources, want the %d of the capacity", len(got), len(capacity))
		}
		for name, q := range got {
			if q.Cmp(want[name]) != 0 {
				t.Fatalf("%s: %s, the kubelet has %v", name, q.String(), want[name])
			}
		}
	})
}

// Allocated resources as kubectl describe node prints them. The client replaces the API server: it
// applies the field selector.
func TestOverview(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := &corev1.Node{}
		node.Name = "n"
		node.Status.Capacity = testkit.ResourceList(testkit.Ordinary()).Draw(t, "capacity")
		node.Status.Allocatable = testkit.ResourceList(testkit.Ordinary()).Draw(t, "allocatable")
		var pods []*corev1.Pod
		for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(0, 3).Draw(t, "pods")] {
			pod := schedulerPod(t, name)
			pod.Namespace, pod.Spec.NodeName = "ns", "n"
			pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"", corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
			pods = append(pods, pod)
		}
		client := fake.NewClientset(node.DeepCopy())
		client.PrependReactor("list", "pods", func(action clientgo.Action) (bool, runtime.Object, error) {
			list := &corev1.PodList{}
			for _, pod := range pods {
				if action.(clientgo.ListAction).GetListRestrictions().Fields.Matches(fields.Set{
					"spec.nodeName": pod.Spec.NodeName, "status.phase": string(pod.Status.Phase),
				}) {
					list.Items = append(list.Items, *pod.DeepCopy())
				}
			}
			return true, list, nil
		})
		text, err := (&describe.NodeDescriber{Interface: client}).Describe("", "n", describe.DescriberSettings{})
		testkit.OK(t, err)
		_, want, found := strings.Cut(text, "i.e., overcommitted.)\n")
		if !found {
			t.Fatalf("kubectl prints no allocated resources:\n%s", text)
		}
		want, _, _ = strings.Cut(want, "\nEvents:")
		overview := noderesources.OverviewOf(pods, &node.Status, kubernetes)
		testkit.NoDiff(t, cells(table(overview)), cells(want))
	})
}

// table formats an overview as kubectl does, which prints percentages of few resources.
func table(overview []noderesources.AllocatedResource) string {
	var b strings.Builder
	b.WriteString("Resource Requests Limits\n-------- -------- ------\n")
	for _, r := range overview {
		switch {
		case !resourcelist.IsHugePages(r.Resource) && !slices.Contains([]corev1.ResourceName{"cpu", "memory", "ephemeral-storage"}, r.Resource):
			fmt.Fprintf(&b, "%s %s %s\n", r.Resource, r.Requests.String(), r.Limits.String())
		default:
			fmt.Fprintf(&b, "%s %s (%d%%) %s (%d%%)\n", r.Resource, r.Requests.String(), r.RequestsPercent, r.Limits.String(), r.LimitsPercent)
		}
	}
	return b.String()
}

// cells returns the lines of a table without the widths of its columns. Hugepages and other
// resources, which kubectl prints in the order of a map, are sorted by line.
func cells(table string) []string {
	space := regexp.MustCompile(`\s+`)
	lines := map[string]bool{}
	for line := range strings.SplitSeq(table, "\n") {
		line = strings.TrimSpace(space.ReplaceAllString(line, " "))
		if line != "" {
			lines[line] = true
		}
	}
	return slices.Sorted(maps.Keys(lines))
}
