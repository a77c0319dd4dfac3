package testkit

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// Now is the time of the pods of QuotaPod.
func Now() time.Time { return time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC) }

// QuotaPod draws pods with all fields other than resources that a quota reads: deadlines, priority
// classes, affinity, phase and deletion. They have no container statuses.
func QuotaPod(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := PodWith(quantities).Draw(t, "pod")
		pod.Status = corev1.PodStatus{QOSClass: pod.Status.QOSClass}
		if flip(t, "end", 8) {
			pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
		}
		if flip(t, "nothing set", 5) {
			pod.Spec.Resources = nil
			for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
				for i := range list {
					list[i].Resources = corev1.ResourceRequirements{}
				}
			}
		}
		if flip(t, "deadline", 2) {
			pod.Spec.ActiveDeadlineSeconds = pointer(rapid.Int64Range(-1, 2).Draw(t, "seconds"))
		}
		if flip(t, "class", 3) {
			pod.Spec.PriorityClassName = rapid.SampledFrom([]string{"high", "low"}).Draw(t, "name of class")
		}
		if flip(t, "deleted", 6) {
			deleted := metav1.NewTime(Now().Add(time.Duration(rapid.IntRange(-3, 1).Draw(t, "seconds from now")) * time.Second))
			pod.DeletionTimestamp = &deleted
			if !flip(t, "no grace", 4) {
				pod.DeletionGracePeriodSeconds = pointer(rapid.Int64Range(0, 3).Draw(t, "grace"))
			}
		}
		pod.Spec.Affinity = affinity().Draw(t, "affinity")
		return pod
	})
}

func pointer[T any](v T) *T { return &v }

func affinity() *rapid.Generator[*corev1.Affinity] {
	return rapid.Custom(func(t *rapid.T) *corev1.Affinity {
		if !flip(t, "affinity", 2) {
			return nil
		}
		term := corev1.PodAffinityTerm{TopologyKey: "zone"}
		switch rapid.IntRange(0, 2).Draw(t, "namespaces") {
		case 0:
			term.Namespaces = []string{"other"}
		case 1:
			term.NamespaceSelector = &metav1.LabelSelector{}
		}
		terms, weighted := []corev1.PodAffinityTerm{term}, []corev1.WeightedPodAffinityTerm{{PodAffinityTerm: term}}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}}
		case 1:
			return &corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted}}
		case 2:
			return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}}
		case 3:
			return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted}}
		}
		return &corev1.Affinity{}
	})
}

// VolumeClaim draws claims for storage, of a class and of volume attributes, some of which
// are being resized or modified.
func VolumeClaim(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.PersistentVolumeClaim] {
	return rapid.Custom(func(t *rapid.T) *corev1.PersistentVolumeClaim {
		claim := &corev1.PersistentVolumeClaim{}
		claim.Name = "data"
		class := func(label string) *string {
			if flip(t, label, 2) {
				return nil
			}
			return pointer(rapid.SampledFrom([]string{"gold", "silver", ""}).Draw(t, label))
		}
		claim.Spec.StorageClassName = class("storage class")
		if annotated := class("annotation"); annotated != nil && flip(t, "annotated", 2) {
			claim.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: *annotated}
		}
		if !flip(t, "no storage", 6) {
			claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: quantities.Draw(t, "storage")}
		}
		if flip(t, "allocated", 3) {
			name := rapid.SampledFrom([]corev1.ResourceName{corev1.ResourceStorage, corev1.ResourceStorage, "other"}).Draw(t, "allocated resource")
			claim.Status.AllocatedResources = corev1.ResourceList{name: quantities.Draw(t, "allocated storage")}
		}
		claim.Spec.VolumeAttributesClassName = class("attributes")
		claim.Status.CurrentVolumeAttributesClassName = class("current attributes")
		if target := class("target attributes"); target != nil {
			claim.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{TargetVolumeAttributesClassName: *target}
		}
		return claim
	})
}

// Service draws services of all types, with ports.
func Service() *rapid.Generator[*corev1.Service] {
	return rapid.Custom(func(t *rapid.T) *corev1.Service {
		service := &corev1.Service{}
		service.Name = "web"
		service.Spec.Type = rapid.SampledFrom([]corev1.ServiceType{"", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName}).Draw(t, "type")
		for range rapid.IntRange(0, 3).Draw(t, "ports") {
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{NodePort: rapid.SampledFrom([]int32{0, 30000}).Draw(t, "node port")})
		}
		if flip(t, "allocate", 2) {
			service.Spec.AllocateLoadBalancerNodePorts = pointer(rapid.Bool().Draw(t, "allocate node ports"))
		}
		return service
	})
}

// ResourceClaim draws claims for devices of the classes gold, silver and bronze. Some of them were
// created for the extended resources of the pod p with UID 1.
func ResourceClaim() *rapid.Generator[*resourcev1.ResourceClaim] {
	modes := rapid.SampledFrom([]resourcev1.DeviceAllocationMode{resourcev1.DeviceAllocationModeExactCount, resourcev1.DeviceAllocationModeExactCount, resourcev1.DeviceAllocationModeAll, "other", ""})
	classes := rapid.SampledFrom([]string{"gold", "silver", "bronze", ""})
	return rapid.Custom(func(t *rapid.T) *resourcev1.ResourceClaim {
		claim := &resourcev1.ResourceClaim{}
		claim.Name = "devices"
		for i := range rapid.IntRange(0, 3).Draw(t, "requests") {
			request := resourcev1.DeviceRequest{Name: fmt.Sprintf("r-%d", i)}
			switch rapid.IntRange(0, 4).Draw(t, "form") {
			case 0:
			case 1, 2:
				for range rapid.IntRange(1, 3).Draw(t, "alternatives") {
					request.FirstAvailable = append(request.FirstAvailable, resourcev1.DeviceSubRequest{
						DeviceClassName: classes.Draw(t, "class"), AllocationMode: modes.Draw(t, "mode"), Count: rapid.Int64Range(-1, 40).Draw(t, "count"),
					})
				}
			default:
				request.Exactly = &resourcev1.ExactDeviceRequest{
					DeviceClassName: classes.Draw(t, "class"), AllocationMode: modes.Draw(t, "mode"), Count: rapid.Int64Range(-1, 40).Draw(t, "count"),
				}
			}
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, request)
		}
		if flip(t, "for a pod", 2) {
			claim.Annotations = map[string]string{resourcev1.ExtendedResourceClaimAnnotation: rapid.SampledFrom([]string{"true", "true", "true", "false"}).Draw(t, "annotation")}
			claim.OwnerReferences = []metav1.OwnerReference{{
				APIVersion: rapid.SampledFrom([]string{"v1", "v1", "v1", "apps/v1"}).Draw(t, "version"),
				Kind:       rapid.SampledFrom([]string{"Pod", "Pod", "Pod", "Job"}).Draw(t, "kind"),
				Name:       "p", UID: "1", Controller: pointer(!flip(t, "no controller", 6)),
			}}
			if flip(t, "other UID", 6) {
				claim.OwnerReferences[0].UID = "2"
			}
		}
		return claim
	})
}

// QuotaNames are resource names of quotas, for all kinds of objects, and some names that no object uses.
func QuotaNames() []corev1.ResourceName {
	return []corev1.ResourceName{
		"cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods", "count/pods",
		"hugepages-2Mi", "requests.hugepages-2Mi", "requests.hugepages-1Gi", "requests.example.com/gpu",
		"persistentvolumeclaims", "count/persistentvolumeclaims", "requests.storage",
		"gold.storageclass.storage.k8s.io/requests.storage", "silver.storageclass.storage.k8s.io/persistentvolumeclaims",
		"services", "count/services", "services.loadbalancers", "services.nodeports",
		"count/resourceclaims.resource.k8s.io", "gold.deviceclass.resource.k8s.io/devices", "silver.deviceclass.resource.k8s.io/devices",
		"requests.deviceclass.resource.kubernetes.io/gold", "requests.deviceclass.resource.kubernetes.io/bronze",
		"count/deployments.apps", "secrets", "count/secrets",
		"storage", "limits.example.com/gpu", "example.com/gpu", "requests.kubernetes.io/other", "misspelled",
	}
}

// Scope draws scopes of quotas: mostly common ones, and sometimes unknown ones, or invalid operators or
// values.
func Scope() *rapid.Generator[corev1.ScopedResourceSelectorRequirement] {
	return rapid.Custom(func(t *rapid.T) corev1.ScopedResourceSelectorRequirement {
		scope := corev1.ScopedResourceSelectorRequirement{
			ScopeName: rapid.SampledFrom([]corev1.ResourceQuotaScope{
				corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort,
				corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeVolumeAttributesClass, corev1.ResourceQuotaScopeVolumeAttributesClass,
				corev1.ResourceQuotaScopeCrossNamespacePodAffinity, "Other",
			}).Draw(t, "scope"),
			Operator: rapid.SampledFrom([]corev1.ScopeSelectorOperator{
				corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn, corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist,
			}).Draw(t, "operator"),
		}
		if scope.Operator == corev1.ScopeSelectorOpIn || scope.Operator == corev1.ScopeSelectorOpNotIn {
			scope.Values = rapid.SliceOfN(rapid.SampledFrom([]string{"high", "low", "gold", "silver"}), 1, 2).Draw(t, "values")
		}
		if flip(t, "invalid", 2) {
			scope.Operator = rapid.SampledFrom([]corev1.ScopeSelectorOperator{"Other", corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpDoesNotExist}).Draw(t, "invalid operator")
			scope.Values = rapid.SampledFrom([][]string{nil, {"high"}, {"not a label!"}}).Draw(t, "invalid values")
		}
		return scope
	})
}

// ResourceQuota draws quotas with a given name in the namespace shop, for some of the resource names,
// with a status: most limits have a usage. Limits are from zero to more than enough.
func ResourceQuota(name string, names []corev1.ResourceName, quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.ResourceQuota] {
	return rapid.Custom(func(t *rapid.T) *corev1.ResourceQuota {
		quota := &corev1.ResourceQuota{}
		quota.Name, quota.Namespace = name, "shop"
		hard, used := corev1.ResourceList{}, corev1.ResourceList{}
		for range rapid.IntRange(1, 6).Draw(t, "limits") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			hard[name] = rapid.OneOf(quantities, rapid.Just(resource.MustParse("1E")), rapid.Just(resource.MustParse("1E"))).Draw(t, "hard")
			if !flip(t, "usage unknown", 40) {
				used[name] = rapid.OneOf(quantities, rapid.Just(resource.Quantity{})).Draw(t, "used")
			}
		}
		quota.Spec.Hard = hard.DeepCopy()
		quota.Status = corev1.ResourceQuotaStatus{Hard: hard, Used: used}
		if flip(t, "scopes", 2) {
			quota.Spec.Scopes = rapid.SliceOfN(rapid.SampledFrom([]corev1.ResourceQuotaScope{
				corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort,
				corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeCrossNamespacePodAffinity,
				corev1.ResourceQuotaScopeVolumeAttributesClass,
			}), 1, 2).Draw(t, "spec.scopes")
		}
		if flip(t, "selector", 2) {
			quota.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: rapid.SliceOfN(Scope(), 0, 2).Draw(t, "selector")}
		}
		return quota
	})
}
