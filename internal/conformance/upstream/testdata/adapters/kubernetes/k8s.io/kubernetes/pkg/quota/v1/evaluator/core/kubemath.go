package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func enabled(gate string) bool {
	for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if string(name) == gate {
			return utilfeature.DefaultFeatureGate.Enabled(name)
		}
	}
	return false
}

// Pods.

func podOf(item runtime.Object, now time.Time) (quota.Object, error) {
	pod, err := toExternalPodOrError(item)
	if err != nil {
		return quota.Object{}, err
	}
	return quota.Pod(pod, now, quota.PodOptions{
		IgnoreStatus: !utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScaling),
		Kubernetes:   cluster.Kubernetes(),
	}), nil
}

func PodUsageFunc(obj runtime.Object, clock clock.Clock) (corev1.ResourceList, error) {
	object, err := podOf(obj, clock.Now())
	return usage("PodUsageFunc", obj, object, err, func(copied runtime.Object) (corev1.ResourceList, error) {
		return upstreamPodUsageFunc(copied, clock)
	})
}

func (p *podEvaluator) Constraints(required []corev1.ResourceName, item runtime.Object) error {
	in := beside.Keep("podEvaluator.Constraints", item, required)
	theirs := p.upstreamConstraints(slices.Clone(required), item.DeepCopyObject())
	object, err := podOf(item, p.clock.Now())
	if err != nil {
		return err
	}
	var ours error
	if missing := object.MissingRequired(required); len(missing) > 0 {
		var parts []string
		for _, m := range missing {
			parts = append(parts, fmt.Sprintf("%s for: %s", m.Resource, strings.Join(m.Containers, ",")))
		}
		ours = errors.New("must specify " + strings.Join(parts, "; "))
	}
	in.Unchanged()
	beside.Compare("podEvaluator.Constraints", said(ours), said(theirs))
	return ours
}

func (p *podEvaluator) Matches(resourceQuota *corev1.ResourceQuota, item runtime.Object) (bool, error) {
	object, err := podOf(item, p.clock.Now())
	return matches("podEvaluator.Matches", resourceQuota, item, object, err, p.upstreamMatches)
}

func (p *podEvaluator) MatchingResources(input []corev1.ResourceName) []corev1.ResourceName {
	object := quota.Pod(&corev1.Pod{}, p.clock.Now(), quota.PodOptions{})
	return matching("podEvaluator.MatchingResources", input, object, p.upstreamMatchingResources)
}

func (p *podEvaluator) MatchingScopes(item runtime.Object, selectors []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error) {
	object, err := podOf(item, p.clock.Now())
	return inScopes("podEvaluator.MatchingScopes", item, selectors, object, err, p.upstreamMatchingScopes)
}

func (p *podEvaluator) UsageStats(options upstream.UsageStatsOptions) (upstream.UsageStats, error) {
	return stats("podEvaluator.UsageStats", options, p.listFuncByNamespace, p.upstreamUsageStats, func(item runtime.Object) (quota.Object, error) {
		return podOf(item, p.clock.Now())
	})
}

// Services.

func serviceOf(item runtime.Object) (quota.Object, error) {
	service, err := toExternalServiceOrError(item)
	return quota.Service(service), err
}

func (p *serviceEvaluator) Usage(item runtime.Object) (corev1.ResourceList, error) {
	object, err := serviceOf(item)
	return usage("serviceEvaluator.Usage", item, object, err, p.upstreamUsage)
}

func (p *serviceEvaluator) Matches(resourceQuota *corev1.ResourceQuota, item runtime.Object) (bool, error) {
	object, err := serviceOf(item)
	return matches("serviceEvaluator.Matches", resourceQuota, item, object, err, p.upstreamMatches)
}

func (p *serviceEvaluator) MatchingResources(input []corev1.ResourceName) []corev1.ResourceName {
	return matching("serviceEvaluator.MatchingResources", input, quota.Service(&corev1.Service{}), p.upstreamMatchingResources)
}

func (p *serviceEvaluator) UsageStats(options upstream.UsageStatsOptions) (upstream.UsageStats, error) {
	return stats("serviceEvaluator.UsageStats", options, p.listFuncByNamespace, p.upstreamUsageStats, serviceOf)
}

// PersistentVolumeClaims.

func volumeClaimOf(item runtime.Object) (quota.Object, error) {
	claim, err := toExternalPersistentVolumeClaimOrError(item)
	if err == nil && !enabled("RecoverVolumeExpansionFailure") {
		claim = claim.DeepCopy()
		claim.Status.AllocatedResources = nil
	}
	return quota.PersistentVolumeClaim(claim), err
}

func (p *pvcEvaluator) Usage(item runtime.Object) (corev1.ResourceList, error) {
	object, err := volumeClaimOf(item)
	return usage("pvcEvaluator.Usage", item, object, err, p.upstreamUsage)
}

func (p *pvcEvaluator) Matches(resourceQuota *corev1.ResourceQuota, item runtime.Object) (bool, error) {
	if !enabled("VolumeAttributesClass") {
		beside.Forward("pvcEvaluator.Matches", "the gate VolumeAttributesClass is off")
		return p.upstreamMatches(resourceQuota, item)
	}
	object, err := volumeClaimOf(item)
	return matches("pvcEvaluator.Matches", resourceQuota, item, object, err, p.upstreamMatches)
}

func (p *pvcEvaluator) MatchingResources(input []corev1.ResourceName) []corev1.ResourceName {
	return matching("pvcEvaluator.MatchingResources", input, quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{}), p.upstreamMatchingResources)
}

func (p *pvcEvaluator) MatchingScopes(item runtime.Object, selectors []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error) {
	if !enabled("VolumeAttributesClass") {
		beside.Forward("pvcEvaluator.MatchingScopes", "the gate VolumeAttributesClass is off")
		return p.upstreamMatchingScopes(item, selectors)
	}
	object, err := volumeClaimOf(item)
	return inScopes("pvcEvaluator.MatchingScopes", item, selectors, object, err, p.upstreamMatchingScopes)
}

func (p *pvcEvaluator) UsageStats(options upstream.UsageStatsOptions) (upstream.UsageStats, error) {
	return stats("pvcEvaluator.UsageStats", options, p.listFuncByNamespace, p.upstreamUsageStats, volumeClaimOf)
}

// ResourceClaims.

func (p *claimEvaluator) claimOf(item runtime.Object) (quota.Object, error) {
	claim, err := toExternalResourceClaimOrError(item)
	if err != nil {
		return quota.Object{}, err
	}
	opts := quota.ResourceClaimOptions{
		IgnoreExtendedResources: !utilfeature.DefaultFeatureGate.Enabled(features.DRAExtendedResource),
		ExtendedResources:       map[string]corev1.ResourceName{},
	}
	add := func(class string) {
		if p.deviceClassMapping == nil {
			return
		}
		if name := p.deviceClassMapping.GetExtendedResource(class); name != "" {
			opts.ExtendedResources[class] = corev1.ResourceName(name)
		}
	}
	for _, request := range claim.Spec.Devices.Requests {
		if request.Exactly != nil {
			add(request.Exactly.DeviceClassName)
		}
		for _, alternative := range request.FirstAvailable {
			add(alternative.DeviceClassName)
		}
	}
	for _, controller := range claim.OwnerReferences {
		if controller.Controller == nil || !*controller.Controller || p.podsGetter == nil {
			continue
		}
		pod, err := p.podsGetter.Pods(claim.Namespace).Get(controller.Name)
		if err != nil {
			break
		}
		if opts.Claims, err = p.claimGetter(claim.Namespace, pod.UID); err != nil && pod.Status.ExtendedResourceClaimStatus == nil {
			break
		}
		if opts.Pod, err = podOf(pod, time.Now()); err != nil {
			return quota.Object{}, err
		}
		break
	}
	return quota.ResourceClaim(claim, opts), nil
}

func (p *claimEvaluator) Usage(item runtime.Object) (corev1.ResourceList, error) {
	object, err := p.claimOf(item)
	return usage("claimEvaluator.Usage", item, object, err, p.upstreamUsage)
}

func (p *claimEvaluator) MatchingResources(input []corev1.ResourceName) []corev1.ResourceName {
	opts := quota.ResourceClaimOptions{
		IgnoreExtendedResources: !utilfeature.DefaultFeatureGate.Enabled(features.DRAExtendedResource),
		ExtendedResources:       map[string]corev1.ResourceName{},
	}
	for _, name := range input {
		if p.deviceClassMapping == nil {
			break
		}
		if class, ok := strings.CutPrefix(string(name), corev1.ResourceImplicitExtendedClaimsPerClass); ok {
			if extended := p.deviceClassMapping.GetExtendedResource(class); extended != "" {
				opts.ExtendedResources[class] = corev1.ResourceName(extended)
			}
		} else if extended, ok := strings.CutPrefix(string(name), corev1.DefaultResourceRequestsPrefix); ok {
			if class := p.deviceClassMapping.GetDeviceClass(corev1.ResourceName(extended)); class != nil {
				opts.ExtendedResources[class.Name] = corev1.ResourceName(extended)
			}
		}
	}
	return matching("claimEvaluator.MatchingResources", input, quota.ResourceClaim(&resourceapi.ResourceClaim{}, opts), p.upstreamMatchingResources)
}

func (p *claimEvaluator) UsageStats(options upstream.UsageStatsOptions) (upstream.UsageStats, error) {
	return stats("claimEvaluator.UsageStats", options, p.listFuncByNamespace, p.upstreamUsageStats, p.claimOf)
}

// All of them.

func (p *podEvaluator) Handles(a admission.Attributes) bool {
	return handles("podEvaluator.Handles", a, quota.Pod(&corev1.Pod{}, p.clock.Now(), quota.PodOptions{}), p.upstreamHandles, func(item runtime.Object) (quota.Object, error) { return podOf(item, p.clock.Now()) })
}

func (p *serviceEvaluator) Handles(a admission.Attributes) bool {
	return handles("serviceEvaluator.Handles", a, quota.Service(&corev1.Service{}), p.upstreamHandles, serviceOf)
}

func (p *pvcEvaluator) Handles(a admission.Attributes) bool {
	return handles("pvcEvaluator.Handles", a, quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{}), p.upstreamHandles, volumeClaimOf)
}

func (p *claimEvaluator) Handles(a admission.Attributes) bool {
	return handles("claimEvaluator.Handles", a, quota.ResourceClaim(&resourceapi.ResourceClaim{}, quota.ResourceClaimOptions{}), p.upstreamHandles, p.claimOf)
}

// handles takes an empty object for one that is missing, as upstream's tests have it.
func handles(name string, a admission.Attributes, empty quota.Object, original func(admission.Attributes) bool, translate func(runtime.Object) (quota.Object, error)) bool {
	opts := quota.AdmitOptions{Subresource: a.GetSubresource()}
	if a.GetObject() == nil && opts.Subresource == "status" {
		beside.Forward(name, "the status of no object")
		return original(a)
	}
	theirs := original(a)
	of := func(item runtime.Object) quota.Object {
		if item == nil {
			return empty
		}
		object, err := translate(item)
		beside.Compare(name+": an error", err != nil, false)
		return object
	}
	var ours bool
	switch a.GetOperation() {
	case admission.Create:
		ours = quota.Admit(quota.Object{}, of(a.GetObject()), nil, opts).Applies
	case admission.Update:
		ours = quota.Admit(of(a.GetOldObject()), of(a.GetObject()), nil, opts).Applies
	}
	beside.Compare(name, ours, theirs)
	return ours
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func usage(name string, item runtime.Object, object quota.Object, err error, original func(runtime.Object) (corev1.ResourceList, error)) (corev1.ResourceList, error) {
	if err != nil {
		return corev1.ResourceList{}, err
	}
	in := beside.Keep(name, item)
	theirs, _ := original(item.DeepCopyObject()) // nothing, where there is an error
	ours := object.Usage()
	in.Unchanged()
	beside.Compare(name, ours, theirs)
	return ours, nil
}

func matches(name string, resourceQuota *corev1.ResourceQuota, item runtime.Object, object quota.Object, err error, original func(*corev1.ResourceQuota, runtime.Object) (bool, error)) (bool, error) {
	if err != nil {
		return false, err
	}
	in := beside.Keep(name, resourceQuota, item)
	theirs, theirErr := original(resourceQuota.DeepCopy(), item.DeepCopyObject())
	ours, err := object.Matches(resourceQuota)
	in.Unchanged()
	beside.Compare(name, ours, theirs)
	beside.Compare(name+": an error", err != nil, theirErr != nil)
	return ours, err
}

func matching(name string, input []corev1.ResourceName, object quota.Object, original func([]corev1.ResourceName) []corev1.ResourceName) []corev1.ResourceName {
	in := beside.Keep(name, input)
	theirs := original(slices.Clone(input))
	ours := []corev1.ResourceName{}
	for _, resource := range input {
		q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{resource: {}}}}
		if len(quota.Unevaluated(q, []quota.Object{object})) == 0 {
			ours = append(ours, resource)
		}
	}
	in.Unchanged()
	slices.Sort(theirs)
	beside.Compare(name, slices.Sorted(slices.Values(ours)), slices.Compact(theirs))
	return ours
}

func inScopes(name string, item runtime.Object, selectors []corev1.ScopedResourceSelectorRequirement, object quota.Object, err error, original func(runtime.Object, []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error)) ([]corev1.ScopedResourceSelectorRequirement, error) {
	if err != nil {
		return []corev1.ScopedResourceSelectorRequirement{}, err
	}
	in := beside.Keep(name, item, selectors)
	theirs, theirErr := original(item.DeepCopyObject(), slices.Clone(selectors))
	ours, err := object.MatchingScopes(selectors)
	if ours == nil {
		ours = []corev1.ScopedResourceSelectorRequirement{}
	}
	in.Unchanged()
	beside.Compare(name, ours, theirs)
	beside.Compare(name+": an error", err != nil, theirErr != nil)
	return ours, err
}

func stats(name string, options upstream.UsageStatsOptions, list generic.ListFuncByNamespace, original func(upstream.UsageStatsOptions) (upstream.UsageStats, error), translate func(runtime.Object) (quota.Object, error)) (upstream.UsageStats, error) {
	items, err := list(options.Namespace)
	if err != nil {
		return original(options)
	}
	theirs, _ := original(options)
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{}, Scopes: options.Scopes, ScopeSelector: options.ScopeSelector}}
	q.Namespace = options.Namespace
	for _, resourceName := range options.Resources {
		q.Spec.Hard[resourceName] = resource.MustParse("0")
	}
	var objects []quota.Object
	for _, item := range items {
		object, err := translate(item)
		if err != nil {
			return upstream.UsageStats{}, err
		}
		objects = append(objects, object)
	}
	if len(options.Resources) == 0 {
		used, err := usageWithin(objects, quota.Scopes(q))
		beside.Compare(name+" of everything", used, theirs.Used)
		return upstream.UsageStats{Used: used}, err
	}
	status, err := quota.CalculateUsage(objects, q)
	beside.Compare(name, status.Used, upstream.Mask(theirs.Used, options.Resources))
	return upstream.UsageStats{Used: status.Used}, err
}

// usageWithin returns what the objects within all scopes use, and the first error of an invalid scope.
func usageWithin(objects []quota.Object, scopes []corev1.ScopedResourceSelectorRequirement) (corev1.ResourceList, error) {
	total, fault := corev1.ResourceList{}, error(nil)
	for _, object := range objects {
		within, err := object.MatchingScopes(scopes)
		if err != nil && fault == nil {
			fault = err
		}
		if err == nil && len(within) == len(scopes) {
			total = resourcelist.Add(total, object.Usage())
		}
	}
	return total, fault
}
