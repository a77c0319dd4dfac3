package admit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

type admitObject = testkit.Object

// few draws amounts of which many are equal, and one is 2 when it is stored.
func few() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.SampledFrom([]string{"1", "2", "3", "1.9999"}), resource.MustParse)
}

// setStatus sets the status of an object to that of another one, or to that of a new one.
func setStatus(obj, of admitObject) {
	switch obj := obj.(type) {
	case *corev1.Pod:
		obj.Status = of.(*corev1.Pod).Status
	case *corev1.PersistentVolumeClaim:
		obj.Status = of.(*corev1.PersistentVolumeClaim).Status
	case *corev1.Service:
		obj.Status = corev1.ServiceStatus{}
		if of != nil {
			obj.Status = of.(*corev1.Service).Status
		}
	case *resourcev1.ResourceClaim:
		obj.Status = resourcev1.ResourceClaimStatus{}
		for i, r := range obj.Spec.Devices.Requests {
			if r.Exactly != nil {
				slowOneDevice(&obj.Spec.Devices.Requests[i].Exactly.AllocationMode, &obj.Spec.Devices.Requests[i].Exactly.Count)
			}
			for j := range r.FirstAvailable {
				slowOneDevice(&r.FirstAvailable[j].AllocationMode, &r.FirstAvailable[j].Count)
			}
		}
		if of != nil {
			obj.Status = of.(*resourcev1.ResourceClaim).Status
		}
	}
}

func slowOneDevice(mode *resourcev1.DeviceAllocationMode, count *int64) {
	switch {
	case *mode == "" && *count == 0, *mode == "ExactCount" && *count == 0:
		*mode, *count = "ExactCount", 1
	case *mode == "":
		*mode = "ExactCount"
	}
}

// slowAmounts are all requests and limits of a pod.
func slowAmounts(pod *corev1.Pod) string {
	all := []string{fmt.Sprint(len(pod.Spec.InitContainers))}
	add := func(r *corev1.ResourceRequirements) {
		for i, list := range []corev1.ResourceList{r.Requests, r.Limits} {
			for _, name := range []corev1.ResourceName{"cpu", "memory"} {
				if q, is := list[name]; is {
					all = append(all, fmt.Sprint(i, name, q.MilliValue()))
				}
			}
		}
		all = append(all, "next")
	}
	eachContainer(&pod.Spec, add)
	if pod.Spec.Resources != nil {
		add(pod.Spec.Resources)
	}
	return strings.Join(all, " ")
}

// slowNamespaces draws a namespace for objects of a kind, and the slow twin of it.
func slowNamespaces(t *rapid.T, kind string) (*admit.Namespace, *slowNamespace) {
	slow := &slowNamespace{
		ranged: rapid.Bool().Draw(t, "bounds"), ignorePodLevel: rapid.IntRange(0, 3).Draw(t, "no pod level") == 0,
		hard: corev1.ResourceList{}, used: corev1.ResourceList{}, terminating: corev1.ResourceList{},
	}
	left := rapid.SampledFrom([]int64{0, 1, 2, 5, 900, 900, 900})
	for _, name := range []corev1.ResourceName{
		"pods", "requests.cpu", "requests.memory", "limits.cpu", "requests.storage", "persistentvolumeclaims", "services", "services.loadbalancers", "services.nodeports",
		"gold.deviceclass.resource.k8s.io/devices",
		corev1.ResourceName("count/" + kind),
	} {
		if rapid.IntRange(0, 2).Draw(t, string(name)) == 0 {
			slow.used[name], slow.hard[name] = whole(10), whole(10+left.Draw(t, "left"))
		}
	}
	slow.terminating["pods"] = whole(left.Draw(t, "terminating"))
	var ranges []*corev1.LimitRange
	if slow.ranged {
		ranges = append(ranges, slow.limitRange())
	}
	terminating := resourceQuota("terminating", slow.terminating, list("pods", "0"))
	terminating.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	quotas := []*corev1.ResourceQuota{resourceQuota("all", slow.hard, slow.used), terminating}
	return compile(t, ranges, quotas, admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.OffIf(slow.ignorePodLevel)}}), slow
}

// storedPair draws an object of a kind as it is stored, an update of it, and what has changed.
func storedPair(t *rapid.T, kind string) (old, updated admitObject, mutation string) {
	old = testkit.Stored(t, kind, few())
	if rapid.IntRange(0, 2).Draw(t, "not as it was created") == 0 {
		old = testkit.Mutate(t, old, rapid.SampledFrom([]string{"deletion", "status", "namespace", "name", "pod level", "deadline"}).Draw(t, "before"), few())
	}
	switch own := old.(type) {
	case *corev1.Pod:
		(&slowNamespace{}).settle(&own.Spec, true, false)
	case *corev1.PersistentVolumeClaim:
		own.Spec.Resources.Requests = roundedList(own.Spec.Resources.Requests)
	}
	updated, mutation = testkit.Mutated(t, old, few())
	return old, updated, mutation
}

// The answers to new objects and to updates of all kinds are those of slow arithmetic.
func TestAnswersEqualSlow(t *testing.T) {
	for _, kind := range testkit.Kinds() {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkPair(t, kind) })
		})
	}
}

func checkPair(t *rapid.T, kind string) {
	old, updated, mutation := storedPair(t, kind)
	fast, slow := slowNamespaces(t, kind)
	req := admit.Attributes{GeneratedName: "web-x", PodName: "web-y"}
	sameType := fmt.Sprintf("%T", old) == fmt.Sprintf("%T", updated)
	sent := updated
	if !sameType {
		sent = old
	}
	answer, want, more := slow.create(sent, kind)
	d := fast.Create(sent, req)
	checkAnswer(t, "create", fast, d, kind, answer, want, slow, more)
	if isWorkload := testkit.PodSpecOf(want) != nil && kind != "pods"; answer == "" && isWorkload {
		checkPods(t, slow, more, want, fast.After(d), d.Pods)
	} else if !isWorkload && answer != metav1.StatusReasonBadRequest {
		fits := slow.fits(more, kind == "pods" && testkit.PodSpecOf(want).ActiveDeadlineSeconds != nil)
		if answer != "" {
			fits = 0
		}
		if got := fast.Replicas([]admit.APIObject{sent}, req); min(got.Replicas, 1000) != fits {
			t.Fatalf("%d replicas, want %d", got.Replicas, fits)
		}
	}

	d = fast.Update(old, updated, req)
	if !sameType {
		if d.Object != nil || !d.Admitted() {
			t.Fatalf("an update to another type: %v", d.Err())
		}
		return
	}
	answer, want, more = slow.update(old, updated, kind)
	checkAnswer(t, "update: "+mutation, fast, d, kind, answer, want, slow, more)
	if d.Pods != nil && answer == "" {
		checkPods(t, slow, nil, want, fast.After(d), d.Pods)
	}
}

// checkAnswer compares a decision with the reason of the answer, the stored object and what it adds to the usage.
func checkAnswer(t *rapid.T, what string, fast *admit.Namespace, d admit.Decision, kind string, answer metav1.StatusReason, want admitObject, slow *slowNamespace, more corev1.ResourceList) {
	t.Helper()
	err := d.Err()
	if got := apierrors.ReasonForError(err); err == nil && answer != "" || err != nil && got != answer {
		t.Fatalf("%s of %s: %v, want %q", what, kind, err, answer)
	}
	name := want.GetName()
	if name == "" {
		name = "web-x"
	}
	if prefix := fmt.Sprintf("%s %q is forbidden: ", kind, name); answer == metav1.StatusReasonForbidden && !strings.HasPrefix(err.Error(), prefix) {
		t.Fatalf("%s: %v, want %s", what, err, prefix)
	}
	if answer == metav1.StatusReasonBadRequest {
		return
	}
	got := d.Object.DeepCopyObject().(admitObject)
	annotations := got.GetAnnotations()
	delete(annotations, "kubernetes.io/limit-ranger")
	got.SetAnnotations(annotations)
	testkit.NoDiff(t, got, want, cmpopts.EquateEmpty(), what, "the object")
	used := slow.used
	if answer == "" {
		used = slow.after(more)
	}
	testkit.NoDiff(t, fast.After(d).Quotas()[0].Status.Used, used, cmpopts.EquateEmpty(), what, "of", kind, "used")
}

// checkPods compares the decision on the pods of a workload that is stored, and has added something to the usage.
func checkPods(t *rapid.T, before *slowNamespace, added corev1.ResourceList, of admitObject, fast *admit.Namespace, got *admit.Pods) {
	t.Helper()
	slow := *before
	slow.used = before.after(added)
	sent := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-y"}, Spec: *testkit.PodSpecOf(of).DeepCopy()}
	answer, fits, first := slow.pod(sent)
	checkAnswer(t, "pod", fast, got.First, "pods", answer, first, &slow, slow.usage(first, "pods"))
	wanted := slowWanted(of)
	if got.Wanted != wanted || min(got.Fit.Replicas, 1000) != fits || got.Admitted() != (wanted <= fits) {
		t.Fatalf("%d pods wanted and %d fit, want %d and %d", got.Wanted, got.Fit.Replicas, wanted, fits)
	}
}

// The answers to resizes are those of slow arithmetic, if the resize is valid.
func TestResizesEqualSlow(t *testing.T) {
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		const kind = "pods"
		old, updated, mutation := storedPair(t, kind)
		was := old.(*corev1.Pod)
		sent, isPod := updated.(*corev1.Pod)
		if !isPod {
			return
		}
		fast, slow := slowNamespaces(t, kind)
		was.Status.QOSClass = testkit.SpecClass(&was.Spec)
		d := fast.Update(was, sent, admit.Attributes{Subresource: "resize", GeneratedName: "web-x"})
		if was.Namespace == "other" || sent.Namespace == "other" {
			if !apierrors.IsBadRequest(d.Err()) {
				t.Fatalf("a pod of another namespace: %v", d.Err())
			}
			return
		}
		for _, c := range d.Changes {
			if was.DeletionTimestamp != nil && c.Source.Name != "" {
				t.Fatalf("%v of a pod that is being deleted", c)
			}
		}
		if slices.ContainsFunc(d.Refusals, func(r *admit.Refusal) bool { return r.Invalid != nil }) || len(was.Spec.Containers) != len(sent.Spec.Containers) {
			return
		}
		judged++
		want := was.DeepCopy()
		slow.settle(&sent.Spec, true, was.DeletionTimestamp == nil)
		for i := range want.Spec.Containers {
			want.Spec.Containers[i].Resources = sent.Spec.Containers[i].Resources
		}
		for i := range want.Spec.InitContainers {
			want.Spec.InitContainers[i].Resources = sent.Spec.InitContainers[i].Resources
		}
		if !slow.ignorePodLevel {
			want.Spec.Resources = sent.Spec.Resources
		}
		want.Namespace = "shop"
		_, violated := slow.breaksLimits(&want.Spec)
		more := increase(slow.usage(was, kind), slow.usage(want, kind))
		lacks := slow.lacks(&want.Spec)
		answer := answerTo(false, violated && was.DeletionTimestamp == nil, lacks, slow.fits(more, false))
		checkAnswer(t, "resize: "+mutation, fast, d, kind, answer, want, slow, more)
	})
	if !testing.Short() && judged == 0 {
		t.Error("no resize was valid")
	}
}
