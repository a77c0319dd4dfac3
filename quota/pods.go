package quota

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// PodOptions says what of a pod counts. The zero value is what a default cluster counts.
type PodOptions struct {
	// IgnoreStatus leaves the status of containers out, as a cluster without
	// InPlacePodVerticalScaling (KEP-1287) does. Otherwise, while a pod is resized in
	// place, the greatest of what is specified, allocated and actuated counts.
	IgnoreStatus bool

	// PodLevelStatus says whether status.resources and status.allocatedResources of the pod
	// count (KEP-5419). By default they do not, as for the quota controller of Kubernetes
	// 1.36. IgnoreStatus leaves them out in any case.
	PodLevelStatus computeresources.Gate

	// IgnorePodLevel leaves spec.resources out, as a cluster without PodLevelResources
	// (KEP-2837) does.
	IgnorePodLevel bool
}

// podName reports whether quotas count pods under a name, hugepages and extended
// resources aside.
func podName(name corev1.ResourceName) bool {
	switch name {
	case countPods, corev1.ResourcePods,
		corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage,
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage:
		return true
	}
	return false
}

const (
	countPods corev1.ResourceName = "count/pods"

	requestsPrefix = corev1.DefaultResourceRequestsPrefix
)

func isPodResource(name corev1.ResourceName) bool {
	return podName(name) ||
		resourcelist.IsHugePages(name) ||
		strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix) ||
		requestsExtended(name)
}

// requestsExtended reports whether a quota name is requests. before the name of an
// extended resource, explicit or that of a device class.
func requestsExtended(name corev1.ResourceName) bool {
	requested, ok := strings.CutPrefix(string(name), requestsPrefix)
	return ok && (!resourcelist.IsNative(name) || strings.HasPrefix(requested, resourcev1.ResourceDeviceClassPrefix))
}

// extended reports whether containers may request the resource of a device plugin, or of
// a device class, by this name.
func extended(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), resourcev1.ResourceDeviceClassPrefix) || resourcelist.IsExtended(name)
}

func (o *Object) podUsageInto(dst corev1.ResourceList) {
	dst[countPods] = units(1)
	if hasEnded(o.pod, o.now) {
		return
	}
	dst[corev1.ResourcePods] = units(1)
	amounts := make(corev1.ResourceList, 8)
	o.podRequestsInto(amounts)
	for name, q := range amounts {
		switch name {
		case corev1.ResourceCPU:
			setBoth(dst, name, corev1.ResourceRequestsCPU, q)
		case corev1.ResourceMemory:
			setBoth(dst, name, corev1.ResourceRequestsMemory, q)
		case corev1.ResourceEphemeralStorage:
			setBoth(dst, name, corev1.ResourceRequestsEphemeralStorage, q)
		default:
			if resourcelist.IsHugePages(name) {
				setBoth(dst, name, requestsPrefix+name, q)
			} else if extended(name) {
				dst[requestsPrefix+name] = q
			}
		}
	}
	o.podLimitsInto(amounts)
	for name, q := range amounts {
		switch name {
		case corev1.ResourceCPU:
			dst[corev1.ResourceLimitsCPU] = q
		case corev1.ResourceMemory:
			dst[corev1.ResourceLimitsMemory] = q
		case corev1.ResourceEphemeralStorage:
			dst[corev1.ResourceLimitsEphemeralStorage] = q
		}
	}
}

func (o *Object) podRequestsInto(dst corev1.ResourceList) {
	if opts := o.podOptions.sums(); o.podOptions.IgnoreStatus {
		computeresources.SpecRequestsInto(dst, &o.pod.Spec, opts)
	} else {
		computeresources.PodRequestsInto(dst, o.pod, opts)
	}
}

func (o *Object) podLimitsInto(dst corev1.ResourceList) {
	if opts := o.podOptions.sums(); o.podOptions.IgnoreStatus {
		computeresources.SpecLimitsInto(dst, &o.pod.Spec, opts)
	} else {
		computeresources.PodLimitsInto(dst, o.pod, opts)
	}
}

// sums returns what counts of a pod for its requests and limits.
func (o PodOptions) sums() computeresources.Options {
	opts := computeresources.Options{IgnorePodLevel: o.IgnorePodLevel, PodLevelStatus: computeresources.GateOff}
	if o.PodLevelStatus == computeresources.GateOn {
		opts.PodLevelStatus = computeresources.GateOn
	}
	return opts
}

// setBoth sets two names to an amount that dst may keep.
func setBoth(dst corev1.ResourceList, bare, prefixed corev1.ResourceName, q resource.Quantity) {
	dst[bare] = q
	dst[prefixed] = q.DeepCopy()
}

// hasEnded reports whether a pod no longer uses what it asks for: it has succeeded or
// failed, or its grace period for deletion is over.
func hasEnded(pod *corev1.Pod, now time.Time) bool {
	if podwalk.HasEnded(pod) {
		return true
	}
	end, ok := graceEnds(pod)
	return ok && now.After(end)
}

// graceEnds returns when a pod that is being deleted has to be gone.
func graceEnds(pod *corev1.Pod) (time.Time, bool) {
	if pod.DeletionTimestamp == nil || pod.DeletionGracePeriodSeconds == nil {
		return time.Time{}, false
	}
	return pod.DeletionTimestamp.Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second), true
}
