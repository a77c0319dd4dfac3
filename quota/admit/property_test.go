package admit_test

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// amount draws amounts that fit each other often enough for some objects to be admitted.
func amount() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.SampledFrom([]string{"0", "1", "1", "2", "2", "3", "100m", "250m", "1.5", "64Mi", "1Gi", "1.5Gi", "-1", "1500u"}), resource.MustParse)
}

// rangeList draws LimitRanges that the API server would store.
func rangeList() *rapid.Generator[[]*corev1.LimitRange] {
	return rapid.Custom(func(t *rapid.T) (drawn []*corev1.LimitRange) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{amount(), amount(), testkit.Ordinary()}).Draw(t, "amounts")
		for _, lr := range testkit.LimitRanges(quantities).Draw(t, "ranges") {
			if lr != nil {
				lr.Namespace = "shop"
			}
			if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil {
				drawn = append(drawn, lr)
			}
		}
		if rapid.Bool().Draw(t, "wide") {
			drawn = append(drawn, limitRange("wide", rapid.SampledFrom([]corev1.LimitRangeItem{
				{Type: corev1.LimitTypeContainer, Min: list("cpu", "50m"), Max: list("cpu", "2"), Default: list("memory", "1Gi")},
				{Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: list("cpu", "1", "memory", "1.5")},
				{Type: corev1.LimitTypePod, Min: list("memory", "1Mi"), Max: list("cpu", "2")},
			}).Draw(t, "item")))
		}
		return drawn
	})
}

// quotaList draws quotas for an object.
func quotaList(object quota.Object) *rapid.Generator[[]*corev1.ResourceQuota] {
	return rapid.Custom(func(t *rapid.T) (list []*corev1.ResourceQuota) {
		names := append(resourcelist.ResourceNames(object.Usage()), "pods", "requests.cpu", "limits.memory", "services", "misspelled")
		for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(0, 3).Draw(t, "quotas")] {
			q := testkit.ResourceQuota(name, names, amount()).Draw(t, "quota")
			if _, err := admit.Compile(nil, []*corev1.ResourceQuota{q}, admit.Options{}); err == nil {
				list = append(list, q)
			}
		}
		return list
	})
}

var gates = []*bool{nil, testkit.On(), testkit.Off()}

// options draws gates and resources that are limited by default.
func options() *rapid.Generator[admit.Options] {
	return rapid.Custom(func(t *rapid.T) (opts admit.Options) {
		opts.Kubernetes.PodLevelResources = testkit.OffIf(rapid.IntRange(0, 5).Draw(t, "no pod level") == 0)
		opts.IgnoreStatus = rapid.IntRange(0, 5).Draw(t, "no status") == 0
		opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling = rapid.SampledFrom(gates).Draw(t, "pod-level status")
		opts.Kubernetes.InPlacePodVerticalScalingInitContainers = rapid.SampledFrom([]*bool{nil, testkit.Off()}).Draw(t, "init containers")
		opts.Kubernetes.Release = testkit.OlderIf(rapid.Bool().Draw(t, "max per container"))
		opts.IgnoreExtendedResources = rapid.IntRange(0, 5).Draw(t, "no extended resources") == 0
		opts.ExtendedResources = map[string]corev1.ResourceName{"gold": "example.com/gpu"}
		if rapid.IntRange(0, 3).Draw(t, "limited") == 0 {
			opts.Limited = []quota.LimitedResource{{
				Resource: "pods", MatchContains: []string{"memory"},
				MatchScopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"high"}}},
			}}
		}
		if rapid.IntRange(0, 3).Draw(t, "classes") == 0 {
			opts.PriorityClasses = []*schedulingv1.PriorityClass{{ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 5, GlobalDefault: rapid.Bool().Draw(t, "default")}}
			opts.RuntimeClasses = []*nodev1.RuntimeClass{{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Overhead: &nodev1.Overhead{PodFixed: list("cpu", "250m")}}}
			opts.Incomplete = rapid.SampledFrom([][]string{nil, {"PriorityClass", "RuntimeClass"}}).Draw(t, "incomplete")
		}
		return opts
	})
}

// drawnPod draws a pod of the namespace shop, as someone sends it.
func drawnPod() *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := testkit.QuotaPod(rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{amount(), amount(), testkit.Quantity()}).Draw(t, "amounts")).Draw(t, "pod")
		pod.Namespace, pod.ResourceVersion = "shop", "1"
		pod.Spec.Containers, pod.Spec.InitContainers = pod.Spec.Containers[:min(3, len(pod.Spec.Containers))], pod.Spec.InitContainers[:min(3, len(pod.Spec.InitContainers))]
		if rapid.IntRange(0, 2).Draw(t, "as people write it") > 0 {
			tidy(&pod.Spec)
		}
		if rapid.IntRange(0, 3).Draw(t, "sandbox") == 0 {
			pod.Spec.RuntimeClassName = pointer("kata")
		}
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].Name += string(rune('a' + i))
		}
		for i := range pod.Spec.InitContainers {
			pod.Spec.InitContainers[i].Name += string(rune('k' + i))
		}
		return pod
	})
}

// tidy leaves cpu and memory alone, and no request above its limit.
func tidy(spec *corev1.PodSpec) {
	spec.Resources, spec.Overhead = nil, nil
	for _, c := range computeresources.Containers(spec) {
		for _, list := range []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
			maps.DeleteFunc(list, func(name corev1.ResourceName, q resource.Quantity) bool {
				return name != corev1.ResourceCPU && name != corev1.ResourceMemory || q.Sign() < 0
			})
		}
		for name, limit := range c.Resources.Limits {
			if request := c.Resources.Requests[name]; request.Cmp(limit) > 0 {
				c.Resources.Requests[name] = limit.DeepCopy()
			}
		}
	}
}

// resize draws a pod and another one, which mostly has the same containers with other amounts.
func resize(t *rapid.T) (old, updated *corev1.Pod) {
	old = drawnPod().Draw(t, "old")
	if rapid.IntRange(0, 3).Draw(t, "of other containers") == 0 {
		return old, drawnPod().Draw(t, "resized")
	}
	updated = old.DeepCopy()
	for _, c := range computeresources.Containers(&updated.Spec) {
		for _, list := range []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
			for name := range maps.Clone(list) {
				switch rapid.IntRange(0, 5).Draw(t, "change") {
				case 0:
					delete(list, name)
				case 1, 2:
					list[name] = amount().Draw(t, "to")
				}
			}
		}
	}
	return old, updated
}

// object draws objects of all kinds.
func object() *rapid.Generator[admit.APIObject] {
	return rapid.Custom(func(t *rapid.T) admit.APIObject {
		pod := drawnPod().Draw(t, "pod")
		meta := metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1"}
		template := corev1.PodTemplateSpec{Spec: pod.Spec}
		replicas := rapid.Int32Range(0, 4).Draw(t, "replicas")
		switch rapid.IntRange(0, 12).Draw(t, "kind") {
		case 0:
			claim := testkit.VolumeClaim(amount()).Draw(t, "claim")
			claim.Namespace, claim.ResourceVersion = "shop", "1"
			return claim
		case 1:
			service := testkit.Service().Draw(t, "service")
			service.Namespace, service.ResourceVersion = "shop", "1"
			return service
		case 2:
			claim := testkit.ResourceClaim().Draw(t, "claim")
			claim.Namespace, claim.ResourceVersion = "shop", "1"
			return claim
		case 3:
			return &corev1.ConfigMap{ObjectMeta: meta}
		case 4:
			return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Template: template, Replicas: &replicas}}
		case 5:
			return &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Template: template}}
		case 6:
			return &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Template: template}}
		case 7:
			return &batchv1.CronJob{ObjectMeta: meta, Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template, Parallelism: &replicas}}}}
		case 8:
			return &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Template: &template}}
		}
		return pod
	})
}

// counted returns an object as quotas see it, for the names that it uses.
func counted(obj admit.APIObject) quota.Object {
	switch obj := obj.(type) {
	case *corev1.Pod:
		return quota.Pod(obj, time.Time{}, quota.PodOptions{})
	case *corev1.PersistentVolumeClaim:
		return quota.PersistentVolumeClaim(obj)
	case *corev1.Service:
		return quota.Service(obj)
	case *resourcev1.ResourceClaim:
		return quota.ResourceClaim(obj, quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}})
	case *appsv1.Deployment:
		return quota.Pod(&corev1.Pod{Spec: obj.Spec.Template.Spec}, time.Time{}, quota.PodOptions{})
	}
	return quota.Counted(schema.GroupResource{Resource: "configmaps"}, obj)
}

// visible returns a decision and what it says.
func visible(d admit.Decision) any {
	admitted := []any{d.Admitted(), d.Pods.Admitted()}
	if d.Pods != nil {
		admitted = append(admitted, d.Pods.First.Err(), d.Pods.Fit.Err())
	}
	return []any{d, admitted}
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obj, updated, opts := object().Draw(t, "object"), object().Draw(t, "updated"), options().Draw(t, "options")
		ranges, quotas := rangeList().Draw(t, "ranges"), quotaList(counted(obj)).Draw(t, "quotas")
		pod, resized := resize(t)
		namespace := compile(t, ranges, quotas, opts)
		node := &corev1.Node{}
		node.Status.Allocatable = list("cpu", "1")
		pod.Spec.NodeName = "node-1"
		req := admit.Attributes{Now: testkit.Now(), ClaimPod: pod, Node: node}
		resize := req
		resize.Subresource = "resize"

		testkit.Contract(t, func() any {
			compiled, err := admit.Compile(ranges, quotas, opts)
			return []any{compiled.Quotas(), err}
		}, ranges, quotas, opts)
		testkit.Contract(t, func() any { return namespace.Quotas() }, namespace)
		testkit.Contract(t, func() any { return admit.MaxSize{Objects: 2, Bytes: 100}.Check(obj, updated) }, obj, updated)
		testkit.Contract(t, func() any { return namespace.LimitRanges() }, namespace)
		testkit.Contract(t, func() any { return namespace.Kubernetes() }, namespace)
		testkit.Contract(t, func() any { return visible(namespace.Create(obj, req)) }, namespace, obj, req)
		testkit.Contract(t, func() any { return namespace.Create(obj, req).Err() }, namespace, obj, req)
		testkit.Contract(t, func() any { return visible(namespace.Update(obj, updated, req)) }, namespace, obj, updated, req)
		testkit.Contract(t, func() any { return visible(namespace.Update(pod, resized, resize)) }, namespace, pod, resized, resize)
		testkit.Contract(t, func() any {
			fit := namespace.Replicas([]admit.APIObject{obj}, req)
			return []any{fit, namespace.AfterReplicas(fit, 2).Quotas()}
		}, namespace, obj, req)
		group := []admit.APIObject{obj, pod}
		testkit.Contract(t, func() any {
			var all []any
			for _, d := range createAll(namespace, group, req) {
				all = append(all, visible(d))
			}
			return all
		}, namespace, group, req)
		testkit.Contract(t, func() any {
			fit := namespace.Replicas(group, req)
			return []any{fit, namespace.AfterReplicas(fit, 2).Quotas()}
		}, namespace, group, req)
		testkit.Contract(t, func() any { return namespace.QuotaObject(obj, req).Usage() }, namespace, obj, req)
		d := namespace.Create(obj, req)
		testkit.Contract(t, func() any { return namespace.After(d).Quotas() }, namespace, d)
		testkit.Contract(t, func() any { return namespace.Replicas([]admit.APIObject{obj}, req).Err() }, namespace, obj, req)
		if d.Pods != nil {
			testkit.Contract(t, func() any { return d.Pods.Admitted() }, d)
		}
		problems := slices.Concat(d.Refusals, namespace.Update(obj, obj, req).Refusals, namespace.Update(pod, resized, resize).Refusals)
		testkit.Contract(t, func() any { return problems.ErrorList(nil) }, problems)
		testkit.Contract(t, func() any {
			var all []any
			for i := range problems {
				all = append(all, problems[i].Field(nil), problems[i].Error(), problems[i].Message())
			}
			return all
		}, problems)
	})
}

// wholeOf returns an object with all that is created for it.
func wholeOf(t *rapid.T, namespace *admit.Namespace, obj admit.APIObject) []admit.APIObject {
	group := []admit.APIObject{obj}
	d := namespace.Create(obj, admit.Attributes{})
	if d.Pods == nil {
		return group
	}
	if d.Pods.Wanted > 5 {
		t.Skip("many pods")
	}
	meta := metav1.ObjectMeta{Namespace: d.Object.GetNamespace(), GenerateName: obj.GetName() + "-"}
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		group = append(group, &appsv1.ReplicaSet{ObjectMeta: meta})
	case *batchv1.CronJob:
		group = append(group, &batchv1.Job{ObjectMeta: meta})
	case *appsv1.StatefulSet:
		for _, claim := range obj.Spec.VolumeClaimTemplates {
			for range d.Pods.Wanted {
				group = append(group, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: meta.Namespace, GenerateName: claim.Name + "-" + meta.GenerateName}, Spec: claim.Spec})
			}
		}
	}
	for range d.Pods.Wanted {
		group = append(group, testkitPod(d.Object)) // controllers read the stored template, whose amounts are rounded
	}
	return group
}

// n Creates of an object and all that belongs to it succeed in a row exactly if n ≤ Replicas, and the next one fails with the
// predicted refusals.
func TestReplicasAreCreates(t *testing.T) {
	bounded := 0
	rapid.Check(t, func(t *rapid.T) {
		obj, opts := object().Draw(t, "object"), options().Draw(t, "options")
		namespace := compile(t, rangeList().Draw(t, "ranges"), quotaList(counted(obj)).Draw(t, "quotas"), opts)
		req := admit.Attributes{}
		start := namespace
		fit := start.Replicas([]admit.APIObject{obj}, req)
		group := wholeOf(t, namespace, obj)
		const most = 12
		for n := int64(0); n < most; n++ {
			testkit.NoDiff(t, start.AfterReplicas(fit, n).Quotas(), namespace.Quotas(), "after", n)
			before := namespace
			for _, one := range group {
				d := namespace.Create(one, req)
				if n < fit.Replicas != d.Admitted() && (n < fit.Replicas || one == group[len(group)-1]) {
					t.Fatalf("the create after %d: %v; Replicas has %d (%v)", n, d.Err(), fit.Replicas, fit.Err())
				}
				if !d.Admitted() {
					bounded++
					testkit.NoDiff(t, fit.Err(), d.Err(), "the next")
					testkit.NoDiff(t, start.AfterReplicas(fit, math.MaxInt64).Quotas(), before.Quotas(), "after more than are admitted")
					return
				}
				namespace = namespace.After(d)
			}
		}
		if fit.Unbounded != (fit.Replicas == math.MaxInt64 && len(fit.Next) == 0) && fit.Unbounded {
			t.Fatalf("unbounded, but %v", fit)
		}
	})
	if !testing.Short() && bounded == 0 {
		t.Error("no number was bounded")
	}
}

// testkitPod returns a pod of a workload, as its controller creates it.
func testkitPod(obj admit.APIObject) *corev1.Pod {
	var template *corev1.PodTemplateSpec
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		template = &obj.Spec.Template
	case *appsv1.StatefulSet:
		template = &obj.Spec.Template
	case *appsv1.DaemonSet:
		template = &obj.Spec.Template
	case *batchv1.CronJob:
		template = &obj.Spec.JobTemplate.Spec.Template
	case *corev1.ReplicationController:
		template = obj.Spec.Template
	}
	pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	pod.Namespace, pod.GenerateName = "shop", obj.GetName()+"-"
	return pod
}

// The order of LimitRanges and quotas does not matter, and nil ones are ignored.
func TestOrderChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obj, opts := object().Draw(t, "object"), options().Draw(t, "options")
		ranges, quotas := rangeList().Draw(t, "ranges"), quotaList(counted(obj)).Draw(t, "quotas")
		want := compile(t, ranges, quotas, opts).Create(obj, admit.Attributes{})
		others := rapid.Permutation(append(slices.Clone(ranges), nil)).Draw(t, "other order of ranges")
		otherQuotas := rapid.Permutation(append(slices.Clone(quotas), nil)).Draw(t, "other order of quotas")
		got := compile(t, others, otherQuotas, opts).Create(obj, admit.Attributes{})
		if a, b := testkit.Fingerprint([]any{visible(want), want.Err()}), testkit.Fingerprint([]any{visible(got), got.Err()}); a != b {
			t.Fatalf("in another order\n%s\nfrom\n%s", b, a)
		}
	})
}

// Lists that are nil and lists that are empty are the same.
func TestNilIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := drawnPod().Draw(t, "pod")
		quotas := quotaList(counted(pod)).Draw(t, "quotas")
		emptied := testkit.WithEmpty(pod)
		namespace := compile(t, nil, quotas, admit.Options{})
		other := compile(t, []*corev1.LimitRange{}, quotas, admit.Options{Limited: []quota.LimitedResource{}, ExtendedResources: map[string]corev1.ResourceName{}})
		a, b := namespace.Create(pod, admit.Attributes{}), other.Create(emptied, admit.Attributes{})
		testkit.NoDiff(t, b.Err(), a.Err(), "errors")
		testkit.NoDiff(t, other.After(b).Quotas(), namespace.After(a).Quotas(), cmpopts.EquateEmpty(), "quotas")
	})
}
