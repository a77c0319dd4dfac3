package quota_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// slowObject is an object of the API at a time, whose usage is computed in fractions. It shares no code with
// the package.
type slowObject struct {
	kind string // as in testkit.Kinds
	of   testkit.Object
	now  time.Time
}

// object returns the same object for the package.
func (o *slowObject) object() quota.Object {
	switch of := o.of.(type) {
	case *corev1.Pod:
		return quota.Pod(of, o.now, quota.PodOptions{})
	case *corev1.PersistentVolumeClaim:
		return quota.PersistentVolumeClaim(of)
	case *corev1.Service:
		return quota.Service(of)
	case *resourcev1.ResourceClaim:
		return quota.ResourceClaim(of, quota.ResourceClaimOptions{})
	}
	return quota.Counted(schema.ParseGroupResource(o.kind), o.of)
}

// mayUse reports whether objects of the kind may use a resource of a quota.
func (o *slowObject) mayUse(name corev1.ResourceName) bool {
	named := map[string][]corev1.ResourceName{
		"pods":                           {"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"},
		"persistentvolumeclaims":         {"requests.storage"},
		"services":                       {"services.nodeports", "services.loadbalancers"},
		"resourceclaims.resource.k8s.io": {"gold.deviceclass.resource.k8s.io/devices"},
	}
	plain := []string{"pods", "persistentvolumeclaims", "services", "configmaps", "secrets", "resourcequotas", "replicationcontrollers"}
	return string(name) == "count/"+o.kind || slices.Contains(named[o.kind], name) || string(name) == o.kind && slices.Contains(plain, o.kind)
}

// usage is what the object uses.
func (o *slowObject) usage() rats {
	count := corev1.ResourceName("count/" + o.kind)
	one := func(n int64) *big.Rat { return big.NewRat(n, 1) }
	usage := rats{count: one(1)}
	if name := corev1.ResourceName(o.kind); o.mayUse(name) {
		usage[name] = one(1)
	}
	switch of := o.of.(type) {
	case *corev1.Pod:
		deleted, grace := of.DeletionTimestamp, of.DeletionGracePeriodSeconds
		isGone := deleted != nil && grace != nil && o.now.Sub(deleted.Time) > time.Duration(*grace)*time.Second
		if of.Status.Phase == corev1.PodSucceeded || of.Status.Phase == corev1.PodFailed || isGone {
			return rats{count: one(1)}
		}
		return slowPodUsage(&of.Spec)
	case *corev1.PersistentVolumeClaim:
		storage := testkit.Exact(of.Spec.Resources.Requests["storage"])
		whole, rest := new(big.Int).QuoRem(storage.Num(), storage.Denom(), new(big.Int))
		usage["requests.storage"] = new(big.Rat).SetInt(whole.Add(whole, big.NewInt(int64(rest.Sign()))))
	case *corev1.Service:
		usage["services.loadbalancers"], usage["services.nodeports"] = one(0), one(0)
		if of.Spec.Type == corev1.ServiceTypeLoadBalancer {
			usage["services.loadbalancers"] = one(1)
		}
		if of.Spec.Type != corev1.ServiceTypeClusterIP {
			usage["services.nodeports"] = one(int64(len(of.Spec.Ports)))
		}
	case *resourcev1.ResourceClaim:
		for _, request := range of.Spec.Devices.Requests {
			for _, name := range []corev1.ResourceName{"gold.deviceclass.resource.k8s.io/devices", "requests.deviceclass.resource.kubernetes.io/gold"} {
				usage[name] = usage.plus(rats{name: one(request.Exactly.Count)})[name]
			}
		}
	}
	return usage
}

func (r rats) plus(other rats) rats {
	sum := rats{}
	for _, amounts := range []rats{r, other} {
		for name, amount := range amounts {
			if sum[name] == nil {
				sum[name] = new(big.Rat)
			}
			sum[name] = new(big.Rat).Add(sum[name], amount)
		}
	}
	return sum
}

// increase is what r has more than another usage, by the names of r.
func (r rats) increase(other rats) rats {
	more := rats{}
	for name, amount := range r {
		more[name] = new(big.Rat)
		if other[name] == nil {
			more[name] = amount
		} else if amount.Cmp(other[name]) > 0 {
			more[name].Sub(amount, other[name])
		}
	}
	return more
}

// within reports whether the object is within the scopes.
func (o *slowObject) within(scopes []corev1.ResourceQuotaScope) bool {
	pod, isPod := o.of.(*corev1.Pod)
	for _, scope := range scopes {
		in := false
		if isPod {
			hasDeadline, isBestEffort := pod.Spec.ActiveDeadlineSeconds != nil, testkit.SpecClass(&pod.Spec) == corev1.PodQOSBestEffort
			in = map[corev1.ResourceQuotaScope]bool{
				corev1.ResourceQuotaScopeTerminating: hasDeadline, corev1.ResourceQuotaScopeNotTerminating: !hasDeadline,
				corev1.ResourceQuotaScopeBestEffort: isBestEffort, corev1.ResourceQuotaScopeNotBestEffort: !isBestEffort,
			}[scope]
		}
		if !in {
			return false
		}
	}
	return true
}

// isCounted reports whether a quota counts the object.
func (o *slowObject) isCounted(q *corev1.ResourceQuota) bool {
	for name := range q.Status.Hard {
		if o.mayUse(name) {
			namespace := o.of.GetNamespace()
			return (namespace == "" || namespace == q.Namespace) && o.within(q.Spec.Scopes)
		}
	}
	return false
}

// lacking are the limits of a quota that require an amount of each container, and of which one has none.
func (o *slowObject) lacking(hard corev1.ResourceList) (names []corev1.ResourceName) {
	pod, isPod := o.of.(*corev1.Pod)
	if !isPod || pod.Spec.Resources != nil {
		return nil
	}
	for name := range hard {
		list, of, hasPrefix := strings.Cut(string(name), ".")
		if !hasPrefix {
			list, of = "requests", string(name)
		}
		if of != "cpu" && of != "memory" {
			continue
		}
		for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
			amounts := map[string]corev1.ResourceList{"requests": c.Resources.Requests, "limits": c.Resources.Limits}[list]
			if _, is := amounts[corev1.ResourceName(of)]; !is {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// slowFailure is a cause, and the resources that are affected, in one quota.
type slowFailure struct {
	Quota     string
	Cause     quota.FailureCause
	Resources []corev1.ResourceName
}

// applies reports whether quotas apply to an update, or to a creation if there is no old object.
func (o *slowObject) applies(old *slowObject, subresource string) bool {
	if old == nil {
		return subresource == ""
	}
	switch o.kind {
	case "pods":
		was, isPod := old.of.(*corev1.Pod)
		is := o.of.(*corev1.Pod)
		return subresource == "resize" || subresource == "" && isPod && (was.Spec.ActiveDeadlineSeconds != nil) != (is.Spec.ActiveDeadlineSeconds != nil)
	case "persistentvolumeclaims":
		return subresource == "" || subresource == "status"
	case "services", "resourceclaims.resource.k8s.io":
		return subresource == ""
	}
	return false
}

// admit returns the failures of a request, and what is added to each quota.
func (o *slowObject) admit(old *slowObject, quotas []*corev1.ResourceQuota, subresource string) (failures []slowFailure, added []rats) {
	added = make([]rats, len(quotas))
	if !o.applies(old, subresource) {
		return nil, added
	}
	for i, q := range quotas {
		if !o.isCounted(q) {
			continue
		}
		fail := func(cause quota.FailureCause, names []corev1.ResourceName) {
			slices.Sort(names)
			failures = append(failures, slowFailure{q.Name, cause, names})
		}
		var known, exceeded []corev1.ResourceName
		isKnown := true
		for name := range q.Status.Hard {
			if _, is := q.Status.Used[name]; o.mayUse(name) {
				known, isKnown = append(known, name), isKnown && is
			}
		}
		if names := o.lacking(q.Status.Hard); len(names) > 0 {
			fail(quota.MustSpecify, names)
		}
		if !isKnown {
			fail(quota.StatusUnknown, known)
			continue
		}
		added[i] = o.usage()
		if old != nil && old.of.GetResourceVersion() != "" && old.kind == o.kind && old.isCounted(q) {
			added[i] = added[i].increase(old.usage())
		}
		hard, used := ratsOf(q.Status.Hard), ratsOf(q.Status.Used)
		for name, more := range added[i] {
			if hard[name] != nil && more.Sign() > 0 && new(big.Rat).Add(used[name], more).Cmp(hard[name]) > 0 {
				exceeded = append(exceeded, name)
			}
		}
		if len(exceeded) > 0 && subresource != "status" {
			fail(quota.ExceededQuota, exceeded)
		}
	}
	return failures, added
}

// few draws amounts of which many are equal.
func few() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.SampledFrom([]string{"1", "2", "3", "0.5", "1.9999"}), resource.MustParse)
}

// updateOf draws an object as it is stored, an update of it, and what has changed.
func updateOf(t *rapid.T, kind string) (old, updated *slowObject, mutation string) {
	was := testkit.Stored(t, kind, few())
	if rapid.IntRange(0, 1).Draw(t, "not as it was created") == 0 {
		before := rapid.SampledFrom([]string{"deletion", "status", "namespace", "pod level", "deadline"}).Draw(t, "before")
		was = testkit.Mutate(t, was, before, few())
	}
	if rapid.IntRange(0, 9).Draw(t, "never stored") == 0 {
		was.SetResourceVersion("")
	}
	is, mutation := testkit.Mutated(t, was, few())
	now := testkit.Now().Add(rapid.SampledFrom([]time.Duration{0, 30 * time.Second, 31 * time.Second}).Draw(t, "since"))
	return &slowObject{kind, was, now}, &slowObject{kindIn(is, kind), is, now}, mutation
}

// kindIn returns the kind of an object, which is the given one unless its type has changed.
func kindIn(obj testkit.Object, kind string) string {
	switch obj.(type) {
	case *corev1.Pod:
		return "pods"
	case *corev1.PersistentVolumeClaim:
		return "persistentvolumeclaims"
	case *corev1.Service:
		return "services"
	case *resourcev1.ResourceClaim:
		return "resourceclaims.resource.k8s.io"
	}
	switch kind {
	case "pods", "persistentvolumeclaims", "services", "resourceclaims.resource.k8s.io":
		return "secrets" // any kind that is only counted
	}
	return kind
}

// scopesOfPods are those that depend on what updates of pods change.
var scopesOfPods = []corev1.ResourceQuotaScope{
	corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
	corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort,
}

// quotasOf draws quotas for objects of a kind, some of which have little left, or an unknown usage.
func quotasOf(t *rapid.T, kind string) (quotas []*corev1.ResourceQuota) {
	names := []corev1.ResourceName{
		"pods", "cpu", "requests.memory", "limits.cpu", "requests.storage", "persistentvolumeclaims", "services", "services.loadbalancers", "services.nodeports",
		"gold.deviceclass.resource.k8s.io/devices", "secrets", "count/pods", "count/services", corev1.ResourceName("count/" + kind),
	}
	for _, name := range []string{"a", "b"} {
		q := &corev1.ResourceQuota{}
		q.Namespace, q.Name = "shop", name
		q.Status = corev1.ResourceQuotaStatus{Hard: corev1.ResourceList{}, Used: corev1.ResourceList{}}
		for _, name := range names {
			if rapid.IntRange(0, 2).Draw(t, string(name)) > 0 {
				continue
			}
			left := rapid.SampledFrom([]int64{0, 1, 2, 5, 90, 90, 90}).Draw(t, "left")
			q.Status.Hard[name] = *resource.NewQuantity(10+left, resource.DecimalSI)
			if rapid.IntRange(0, 29).Draw(t, "usage unknown") > 0 {
				q.Status.Used[name] = *resource.NewQuantity(10, resource.DecimalSI)
			}
		}
		q.Spec.Hard = q.Status.Hard.DeepCopy()
		if kind == "pods" {
			q.Spec.Scopes = rapid.SliceOfN(rapid.SampledFrom(scopesOfPods), 0, 1).Draw(t, "scopes")
		}
		quotas = append(quotas, q)
	}
	return quotas
}

// The answers to creations and updates of objects of all kinds are those of slow arithmetic.
func TestUpdatesEqualSlow(t *testing.T) {
	for _, kind := range testkit.Kinds() {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				old, updated, mutation := updateOf(t, kind)
				quotas := quotasOf(t, kind)
				subresource := rapid.SampledFrom([]string{"", "", "resize", "status"}).Draw(t, "subresource")
				checkAdmit(t, "create", nil, old, quotas, subresource)
				checkAdmit(t, mutation, old, updated, quotas, subresource)
				for _, q := range quotas {
					checkSums(t, q, old, updated)
				}
			})
		})
	}
}

// checkAdmit compares an answer of Admit with the slow one.
func checkAdmit(t *rapid.T, what string, old, o *slowObject, quotas []*corev1.ResourceQuota, subresource string) {
	t.Helper()
	var was quota.Object
	if old != nil {
		was = old.object()
	}
	want, added := o.admit(old, quotas, subresource)
	a := quota.Admit(was, o.object(), quotas, quota.AdmitOptions{Subresource: subresource})
	if applies := o.applies(old, subresource); a.Applies != applies {
		t.Fatalf("%s: applies %v, want %v", what, a.Applies, applies)
	}
	var got []slowFailure
	for _, f := range a.Failures {
		got = append(got, slowFailure{f.Source.Name, f.Cause, f.Resources})
		for name, q := range f.Requested {
			if i := strings.Index("ab", f.Source.Name); testkit.Exact(q).Cmp(added[i][name]) != 0 {
				t.Fatalf("%s: %v are requested of %s, want %v", what, &q, name, added[i][name])
			}
		}
	}
	testkit.NoDiff(t, got, want, what, "failures")
	if len(want) > 0 {
		return
	}
	for i, q := range a.After(quotas, 1) {
		sum := ratsOf(quotas[i].Status.Used)
		for name, more := range added[i] {
			if _, is := quotas[i].Status.Hard[name]; is {
				sum = sum.plus(rats{name: more})
			}
		}
		testkit.NoDiff(t, ratsOf(q.Status.Used), sum, exactRats, what, "used")
	}
}

// checkSums compares the usage of one object, and of two objects together, with slow sums.
func checkSums(t *rapid.T, q *corev1.ResourceQuota, old, updated *slowObject) {
	t.Helper()
	sum := rats{}
	var objects []quota.Object
	for name := range q.Spec.Hard {
		sum[name] = new(big.Rat)
	}
	for _, o := range []*slowObject{old, updated} {
		objects = append(objects, o.object())
		usage, in := o.usage(), o.isCounted(q)
		testkit.NoDiff(t, ratsOf(o.object().Usage()), usage, exactRats, "usage")
		inQuota := rats{}
		for name := range q.Status.Hard {
			if in && (usage[name] != nil || o.mayUse(name)) {
				inQuota = inQuota.plus(rats{name: new(big.Rat)}).plus(rats{name: usage.plus(rats{name: new(big.Rat)})[name]})
			}
		}
		got, err := o.object().UsageIn(q)
		if diff := cmp.Diff(inQuota, ratsOf(got), exactRats); diff != "" || err != nil {
			t.Fatalf("usage of %s, %v (-slow +kernel):\n%s", q.Name, err, diff)
		}
		sum = sum.plus(inQuota)
	}
	status, err := quota.CalculateUsage(objects, q)
	got := ratsOf(status.Used)
	for name := range sum { // names that no evaluator knows have no usage
		if got[name] == nil && sum[name].Sign() == 0 {
			delete(sum, name)
		}
	}
	if diff := cmp.Diff(sum, got, exactRats); diff != "" || err != nil {
		t.Fatalf("all usage of %s, %v (-slow +kernel):\n%s", q.Name, err, diff)
	}
}
