package admit_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// storage returns a claim.
func storage(name, amount string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
	claim.Spec.Resources.Requests = list("storage", amount)
	return claim
}

func TestReplicas(t *testing.T) {
	const gib = "requests.storage"
	app := pod(testkit.Container("app", list("cpu", "1"), nil))
	set := &appsv1.StatefulSet{ObjectMeta: named("db"), Spec: appsv1.StatefulSetSpec{Replicas: pointer[int32](2), VolumeClaimTemplates: []corev1.PersistentVolumeClaim{*storage("data", "1Gi"), *storage("log", "1Gi")}}}
	set.Spec.Template.Spec = app.Spec
	daily := &batchv1.CronJob{ObjectMeta: named("daily")}
	daily.Spec.JobTemplate.Spec.Template.Spec = app.Spec
	for _, test := range []struct {
		name       string
		hard, used corev1.ResourceList
		group      []admit.APIObject
		replicas   int64
		unbounded  bool
		next       []bool // which of the next group are admitted
	}{
		{"an empty group", list("pods", "0"), list("pods", "0"), nil, math.MaxInt64, true, nil},
		{"no limited resource is used", list("services", "1"), list("services", "0"), []admit.APIObject{storage("a", "1Gi"), app}, math.MaxInt64, true, nil},
		{"no objects", list("pods", "1"), list("pods", "0"), []admit.APIObject{nil, (*corev1.Pod)(nil)}, math.MaxInt64, true, nil},
		{"the pod is the last that fits", list(gib, "9Gi", "pods", "2"), list(gib, "0", "pods", "0"), []admit.APIObject{storage("a", "1Gi"), app}, 2, false, []bool{true, false}},
		// 11Gi for 3Gi each: the larger claim would fit once more.
		{"claims share what remains", list(gib, "11Gi"), list(gib, "0"), []admit.APIObject{storage("a", "2Gi"), storage("b", "1Gi"), app}, 3, false, []bool{true, false, true}},
		// A workload has all its claims: 2 of each template, so 4 for each StatefulSet.
		{"claims of a StatefulSet", list("persistentvolumeclaims", "13"), list("persistentvolumeclaims", "0"), []admit.APIObject{set}, 3, false, []bool{true}},
		{"the Job of a CronJob", list("count/jobs.batch", "2"), list("count/jobs.batch", "0"), []admit.APIObject{daily}, 2, false, []bool{true}},
		{"exactly", list(gib, "12Gi"), list(gib, "0"), []admit.APIObject{storage("a", "2Gi"), storage("b", "1Gi")}, 4, false, []bool{false, false}},
		{"the first does not fit", list(gib, "2Gi"), list(gib, "0"), []admit.APIObject{storage("a", "2Gi"), storage("b", "1Gi")}, 0, false, []bool{true, false}},
		{"invalid in every namespace", list(gib, "2Gi"), list(gib, "0"), []admit.APIObject{storage("a", "0"), storage("b", "1Gi")}, 0, false, []bool{false, true}},
		{"far away", list(gib, "9E"), list(gib, "0"), []admit.APIObject{storage("a", "1"), storage("b", "2")}, 3e18, false, []bool{false, false}},
		{"number of replicas beyond an int64", list(gib, "1e36"), list(gib, "0"), []admit.APIObject{storage("a", "1"), storage("b", "2")}, math.MaxInt64, false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("q", test.hard, test.used)}, admit.Options{})
			fit := namespace.Replicas(test.group, admit.Attributes{})
			if fit.Replicas != test.replicas || fit.Unbounded != test.unbounded {
				t.Errorf("%d, unbounded %v; want %d, %v", fit.Replicas, fit.Unbounded, test.replicas, test.unbounded)
			}
			var next []bool
			var first error
			for _, d := range nextOf(namespace, fit, test.group) {
				next = append(next, d.Admitted())
				if first == nil {
					first = d.Err()
				}
			}
			if first != nil { // otherwise it is something that a controller creates
				testkit.NoDiff(t, fit.Err(), first)
			}
			testkit.NoDiff(t, next, test.next, "admitted of the next")
		})
	}
}

// createAll returns the decisions on objects that are created one after the other.
func createAll(n *admit.Namespace, objects []admit.APIObject, req admit.Attributes) (decisions []admit.Decision) {
	for _, obj := range objects {
		d := n.Create(obj, req)
		decisions, n = append(decisions, d), n.After(d)
	}
	return decisions
}

// afterAll returns the namespace after decisions of createAll.
func afterAll(n *admit.Namespace, decisions []admit.Decision) *admit.Namespace {
	for _, d := range decisions {
		n = n.After(d)
	}
	return n
}

// nextOf returns the decisions on the objects of the next group.
func nextOf(n *admit.Namespace, fit admit.ReplicaCount, group []admit.APIObject) []admit.Decision {
	if fit.Replicas == math.MaxInt64 {
		return nil
	}
	return createAll(n.AfterReplicas(fit, fit.Replicas), group, admit.Attributes{})
}

func refusalsInWords(refusals computeresources.Problems[*admit.Refusal]) (words []string) {
	for _, r := range refusals {
		words = append(words, r.Path+": "+r.Error())
	}
	return words
}

// If groups of pods, claims and services are created one object after the other, Replicas is the
// number of groups that are admitted.
func TestReplicasOfGroupsAreCreates(t *testing.T) {
	stopped, shared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		first := drawnPod().Draw(t, "pod")
		claim := testkit.VolumeClaim(amount()).Draw(t, "claim")
		service := testkit.Service().Draw(t, "service")
		claim.Namespace, service.Namespace = "shop", "shop"
		group := rapid.SampledFrom([][]admit.APIObject{{first}, {claim, first}, {claim, claim, first}, {first, first}, {service, claim, first}}).Draw(t, "group")
		quotas := append(quotaList(counted(first)).Draw(t, "quotas"), quotaList(counted(claim)).Draw(t, "more")...)
		namespace := compile(t, rangeList().Draw(t, "ranges"), quotas, options().Draw(t, "options"))
		start := namespace
		fit := start.Replicas(group, admit.Attributes{})
		for n := range int64(12) {
			testkit.NoDiff(t, start.AfterReplicas(fit, n).Quotas(), namespace.Quotas(), "after", n)
			decisions := createAll(namespace, group, admit.Attributes{})
			all, some := true, false
			for _, d := range decisions {
				all, some = all && d.Admitted(), some || d.Admitted()
			}
			if all != (n < fit.Replicas) {
				t.Fatalf("all of group %d admitted: %v; %d are", n, all, fit.Replicas)
			}
			if !all {
				stopped++
				if some {
					shared++
				}
				for i, next := range nextOf(start, fit, group) {
					testkit.NoDiff(t, written(t, next), written(t, decisions[i]), "the next")
				}
				refused := decisions[slices.IndexFunc(decisions, func(d admit.Decision) bool { return !d.Admitted() })]
				testkit.NoDiff(t, fit.Err(), refused.Err(), "the first that is refused")
				testkit.NoDiff(t, refusalsInWords(fit.Next), refusalsInWords(refused.Refusals), "why the first is refused")
				return
			}
			namespace = afterAll(namespace, decisions)
		}
	})
	if !testing.Short() && (stopped == 0 || shared == 0) {
		t.Errorf("%d groups were stopped, %d of them in part", stopped, shared)
	}
}

// The count is not affected by later changes of the objects.
func TestReplicaCountKeepsNothing(t *testing.T) {
	claim := storage("a", "1Gi")
	namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("q", list("requests.storage", "5Gi"), list("requests.storage", "0"))}, admit.Options{})
	fit := namespace.Replicas([]admit.APIObject{claim, claim}, admit.Attributes{})
	testkit.Scramble(claim)
	testkit.NoDiff(t, namespace.AfterReplicas(fit, 2).Quotas()[0].Status.Used, list("requests.storage", "4Gi"))
	// Of two devices, one is counted with the pod that they are for.
	owner, isController := pod(testkit.Container("app", list("example.com/gpu", "1"), nil)), true
	owner.UID = "1"
	devices := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Annotations: map[string]string{resourcev1.ExtendedResourceClaimAnnotation: "true"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: owner.Name, UID: "1", Controller: &isController}},
	}}
	devices.Spec.Devices.Requests = []resourcev1.DeviceRequest{{
		Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gold", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2},
	}}
	namespace = compile(t, nil, []*corev1.ResourceQuota{resourceQuota("q", list("requests.example.com/gpu", "9"), list("requests.example.com/gpu", "0"))},
		admit.Options{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}})
	for name, test := range map[string]struct {
		group []admit.APIObject
		used  string
	}{"one": {[]admit.APIObject{devices}, "3"}, "a group": {[]admit.APIObject{devices, devices}, "6"}} {
		own := owner.DeepCopy()
		fit = namespace.Replicas(test.group, admit.Attributes{ClaimPod: own})
		testkit.Scramble(own)
		testkit.NoDiff(t, namespace.AfterReplicas(fit, 3).Quotas()[0].Status.Used, list("requests.example.com/gpu", test.used), name, "with a pod")
	}
}

// After counts no more groups than are admitted.
func TestAfterIsBounded(t *testing.T) {
	namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("q", list("requests.storage", "11Gi"), list("requests.storage", "0"))}, admit.Options{})
	fit := namespace.Replicas([]admit.APIObject{storage("a", "2Gi"), storage("b", "1Gi")}, admit.Attributes{})
	for n, want := range map[int64]string{-1: "0", 0: "0", 1: "3Gi", 3: "9Gi", 4: "9Gi", math.MaxInt64: "9Gi"} {
		testkit.NoDiff(t, namespace.AfterReplicas(fit, n).Quotas()[0].Status.Used, list("requests.storage", want), "after", n)
	}
	// A count that was not returned by Replicas.
	if namespace.AfterReplicas(admit.ReplicaCount{Replicas: 2, Members: []admit.Member{{}}}, 1) != namespace {
		t.Error("nothing has changed the namespace")
	}
}

// written returns a decision as JSON: equal amounts are written alike, although one may be a sum of others
// and the other a product.
func written(t *rapid.T, d admit.Decision) string {
	text, err := json.MarshalIndent([]any{d.Object, d.Changes, d.Refusals, d.Increases}, "", " ")
	testkit.OK(t, err)
	return fmt.Sprintf("%s\nadmitted: %v, error: %v", text, d.Admitted(), d.Err())
}
