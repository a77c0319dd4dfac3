package admit_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func ofRelease(name string) admit.Options {
	return admit.Options{Kubernetes: computeresources.Kubernetes{Release: name}}
}

// Of all ratios of three decimals from 1 to 20, the floats of 1.37 refuse the limit that is exactly at the ratio for 173
// ratios. Either amount of the remedy is admitted then, and one unit nearer to the other amount is not.
func TestRemedyForRatioByRelease(t *testing.T) {
	for name, want := range map[string]int{"1.36": 173, "": 173, "1.38": 0} {
		refused := 0
		for milli := 1000; milli <= 20000; milli++ {
			ratio := fmt.Sprint(milli, "m")
			ns := compile(t, []*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{
				Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: list("cpu", ratio),
			})}, nil, ofRelease(name))
			create := func(request, limit string) admit.Decision {
				return ns.Create(pod(testkit.Container("app", list("cpu", request), list("cpu", limit))), admit.Attributes{})
			}
			d := create("1", ratio)
			if d.Admitted() {
				continue
			}
			refused++
			var request, limit string
			if n, err := fmt.Sscanf(d.Refusals[0].Remedy, "request at least %s or set a limit of at most %s", &request, &limit); n != 2 {
				t.Fatalf("%v in the remedy %q", err, d.Refusals[0].Remedy)
			}
			request = request[:len(request)-1] // the comma
			higher, lower := create(request, ratio), create("1", limit)
			if !higher.Admitted() || !lower.Admitted() {
				t.Errorf("ratio %s in %q: the remedy %q is refused", ratio, name, d.Refusals[0].Remedy)
			}
		}
		testkit.Equal(t, refused, want, "limits at the ratio that are refused in", name)
	}
}

// A LimitRange with a lower maximum came after the pod and the claim.
func TestUpdatesByRelease(t *testing.T) {
	ranges := []*corev1.LimitRange{limitRange("late",
		corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "2")},
		corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Max: list("storage", "1Gi")},
	)}
	of := func(memory string) *corev1.Pod {
		return pod(testkit.Container("app", list("cpu", "1", "memory", memory), list("cpu", "4", "memory", "1Gi")))
	}
	claim, labelled := volumeClaim("2Gi"), volumeClaim("2Gi")
	labelled.Labels = map[string]string{"team": "shop"}
	for name, want := range map[string]bool{"1.36": false, "": false, "1.38": true} {
		ns := compile(t, ranges, nil, ofRelease(name))
		resized := ns.Update(of("256Mi"), of("512Mi"), admit.Attributes{Subresource: "resize"})
		testkit.Equal(t, resized.Admitted(), want, "a resize of memory in", name, resized.Refusals)
		updated := ns.Update(claim, labelled, admit.Attributes{})
		testkit.Equal(t, updated.Admitted(), want, "a label of the claim in", name, updated.Refusals)
		created := ns.Create(of("256Mi"), admit.Attributes{})
		testkit.Equal(t, created.Admitted(), false, "a new pod in", name)
	}
}

// The remedy of 1.38 goes exactly to the ratio, which the floats of 1.37 refuse.
func TestRemedyAtTheRatio(t *testing.T) {
	ranges := []*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: list("cpu", "2007m"),
	})}
	above := pod(testkit.Container("app", list("cpu", "1"), list("cpu", "3")))
	for name, want := range map[string]string{
		"": "request at least 1495m, or set a limit of at most 2006m", "1.38": "request at least 1495m, or set a limit of at most 2007m",
	} {
		d := compile(t, ranges, nil, ofRelease(name)).Create(above, admit.Attributes{})
		testkit.Equal(t, d.Refusals[0].Remedy, want, "the remedy in", name)
	}
}

// ComputePodQOS of v1.36.3 has an empty spec.resources decide. Pod-level limits that 1.37 derives count for the class.
func TestClassByRelease(t *testing.T) {
	amounts := list("cpu", "1", "memory", "1Gi")
	empty := pod(testkit.Container("app", amounts, amounts))
	empty.Spec.Resources = &corev1.ResourceRequirements{}
	requested := pod(testkit.Container("app", amounts, amounts))
	requested.Spec.Resources = &corev1.ResourceRequirements{Requests: amounts}
	for name, want := range map[string][2]corev1.PodQOSClass{
		"1.36": {corev1.PodQOSBestEffort, corev1.PodQOSBurstable}, "": {corev1.PodQOSGuaranteed, corev1.PodQOSGuaranteed},
	} {
		for i, p := range []*corev1.Pod{empty, requested} {
			d := compile(t, nil, nil, ofRelease(name)).Create(p, admit.Attributes{})
			testkit.Equal(t, d.Object.(*corev1.Pod).Status.QOSClass, want[i], "the class of pod", i, "in", name)
		}
	}
}

// Up to 1.35, a resize of more than cpu and memory names the sidecar; the remedy is the same.
func TestRemedyOfSidecarByRelease(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	of := func(storage string) *corev1.Pod {
		sidecar := testkit.Container("proxy", list("ephemeral-storage", storage), nil)
		sidecar.RestartPolicy = &always
		p := pod(testkit.Container("app", list("cpu", "1"), nil))
		p.Spec.InitContainers = []corev1.Container{sidecar}
		return p
	}
	for _, name := range []string{"1.35", "1.36"} {
		d := compile(t, nil, nil, ofRelease(name)).Update(of("1Gi"), of("2Gi"), admit.Attributes{Subresource: "resize"})
		remedies := map[string]bool{}
		for _, refusal := range d.Refusals {
			remedies[refusal.Remedy] = true
		}
		testkit.Equal(t, remedies["change cpu and memory only, or create the pod again"], true, "the remedy in", name, d.Refusals)
	}
}
