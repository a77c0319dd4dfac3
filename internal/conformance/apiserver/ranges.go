package main

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/limitrange"
)

// addLimitRanges draws LimitRanges, creates them, and compares what the server has stored, or why
// it was rejected.
func (n *namespace) addLimitRanges() {
	for range rapid.SampledFrom([]int{0, 0, 1, 1, 1, 2}).Draw(n.t, "LimitRanges") {
		lr := &corev1.LimitRange{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "LimitRange"}, ObjectMeta: n.next("range")}
		lr.Spec.Limits = limitRangeItems(n.t)
		n.say("create", lr)
		found := &corev1.LimitRange{}
		server := n.answer(n.client.Create(n.ctx, n.path(coreGroup, "limitranges"), lr, found), found)
		ours, completed := n.limitRangePrediction(lr)
		n.among("LimitRange", server, []prediction{ours})
		if server.isStored() {
			if diff := cmp.Diff(found.Spec, completed.Spec, cmpopts.EquateEmpty()); diff != "" {
				n.differ("stored LimitRange (-server +kubemath):\n%s", diff)
			}
			n.ranges = append(n.ranges, found)
		}
		n.tally.add("LimitRanges", ours.by, 1)
	}
	if len(n.ranges) > 0 {
		n.must(n.awaitLimitRanges())
	}
}

// limitRangePrediction is what kubemath says about a LimitRange, and what it stores.
func (n *namespace) limitRangePrediction(lr *corev1.LimitRange) (prediction, *corev1.LimitRange) {
	completed := lr.DeepCopy()
	for i, item := range lr.Spec.Limits {
		completed.Spec.Limits[i] = limitrange.WithDefaults(item)
	}
	p := prediction{by: stored}
	var err error
	if errors := limitrange.ValidateObject(completed); len(errors) > 0 {
		p.by, err = invalid, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("LimitRange").GroupKind(), lr.Name, errors)
	}
	p.answer = n.answer(err, completed)
	return p, completed
}

// limitRangeItems draws items, mostly one of each type at most, and valid.
func limitRangeItems(t *rapid.T) (items []corev1.LimitRangeItem) {
	types := rapid.SliceOfNDistinct(rapid.SampledFrom([]corev1.LimitType{
		corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim,
	}), 1, 3, rapid.ID).Draw(t, "types")
	if once(t, "odd type", 20) {
		types = append(types, rapid.SampledFrom([]corev1.LimitType{corev1.LimitTypeContainer, "example.com/Other", "Node", ""}).Draw(t, "type"))
	}
	for _, limitType := range types {
		items = append(items, limitRangeItem(t, limitType))
	}
	return items
}

func limitRangeItem(t *rapid.T, limitType corev1.LimitType) corev1.LimitRangeItem {
	item := corev1.LimitRangeItem{Type: limitType}
	names := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, gpu, hugePages}
	if limitType == corev1.LimitTypePersistentVolumeClaim {
		names = []corev1.ResourceName{corev1.ResourceStorage}
	}
	if once(t, "odd name", 25) {
		names = append(names, rapid.SampledFrom([]corev1.ResourceName{corev1.ResourceStorage, "unknown", "a/b/c", "requests.example.com/x"}).Draw(t, "name"))
	}
	put := func(list *corev1.ResourceList, name corev1.ResourceName, often int, q resource.Quantity) {
		if !once(t, "set", often) {
			return
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = q
	}
	defaults := limitType == corev1.LimitTypeContainer || once(t, "defaults", 30)
	for i, name := range names {
		if !once(t, string(name), min(1+i, 4)) {
			continue
		}
		// A maximum has to be generous, or no pod would pass.
		four := rising(t, name, 4)
		put(&item.Min, name, 3, four[0])
		if !once(t, "tight", 4) {
			four[3].Add(four[3].DeepCopy())
			four[3].Add(four[3].DeepCopy())
		}
		put(&item.Max, name, 3, four[3])
		if defaults {
			put(&item.DefaultRequest, name, 3, four[1])
			put(&item.Default, name, 3, four[2])
		}
		put(&item.MaxLimitRequestRatio, name, 8, resource.MustParse(rapid.SampledFrom([]string{"2", "1", "1.5", "10", "3.3", "0"}).Draw(t, "ratio")))
	}
	return item
}
