package quota

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// PodOptions select what counts of a pod. The zero value means a default cluster.
type PodOptions struct {
	// IgnoreStatus ignores the status of containers, like a cluster without
	// InPlacePodVerticalScaling (KEP-1287). Otherwise, while a pod is resized in place, the largest
	// of the desired, allocated and actuated resources counts.
	IgnoreStatus bool

	// Kubernetes selects whether the pod level counts, and how the status of a pod does. The quota controller does
	// not read InPlacePodLevelResourcesVerticalScaling, so it is ignored: the pod-level status never counts.
	Kubernetes computeresources.Kubernetes
}

const (
	countPods corev1.ResourceName = "count/pods"

	requestsPrefix = corev1.DefaultResourceRequestsPrefix

	// requestsOfDeviceClass begins what a quota calls a device class by its implicit name.
	requestsOfDeviceClass = requestsPrefix + resourcev1.ResourceDeviceClassPrefix
)

func isPodResource(name corev1.ResourceName) bool {
	_, ofRequests := resourcename.RequestOfQuota(name)
	_, ofLimits := resourcename.LimitOfQuota(name)
	return name == countPods || name == corev1.ResourcePods || ofRequests || ofLimits || requestsExtended(name)
}

// requestsExtended reports whether a quota name is requests. and the name of an extended resource,
// explicit or of a device class. Like upstream, it does not check whether containers may request a
// resource of that name: resourcename.RequestOfQuota does.
func requestsExtended(name corev1.ResourceName) bool {
	requested, ok := strings.CutPrefix(string(name), requestsPrefix)
	return ok && (!resourcename.IsNative(name) || strings.HasPrefix(requested, resourcev1.ResourceDeviceClassPrefix))
}

func (o *Object) podUsageInto(dst corev1.ResourceList) {
	dst[countPods] = units(1)
	if isNoLongerCharged(o.pod, o.now) {
		return
	}
	dst[corev1.ResourcePods] = units(1)
	pod := o.pod
	if o.podOptions.IgnoreStatus {
		pod = &corev1.Pod{Spec: o.pod.Spec}
	}
	opts := computeresources.Options{Kubernetes: o.podOptions.Kubernetes}
	if pod.Status.Resources != nil { // otherwise nothing reads the gate
		opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling = new(bool) // off
	}
	amounts := make(corev1.ResourceList, 8)
	computeresources.PodRequestsInto(amounts, pod, opts)
	countsImplicit := o.countsImplicitNames()
	for name, q := range amounts {
		if !countsImplicit && strings.HasPrefix(string(name), resourcev1.ResourceDeviceClassPrefix) {
			continue
		}
		prefixed, bare := resourcename.RequestQuotaNames(name)
		if prefixed != "" {
			dst[prefixed] = q
		}
		if bare != "" {
			dst[bare] = q.DeepCopy()
		}
	}
	computeresources.PodLimitsInto(amounts, pod, opts)
	for name, q := range amounts {
		if limited := resourcename.LimitQuotaName(name); limited != "" {
			dst[limited] = q
		}
	}
}

// countsImplicitNames reports whether pods use device classes by their implicit names.
func (o *Object) countsImplicitNames() bool {
	return release.Rules(o.podOptions.Kubernetes).CountsImplicitNames()
}

// isNoLongerCharged reports whether a pod no longer uses its requests: it has succeeded or failed, or its grace
// period for deletion has expired. Without deletionGracePeriodSeconds, it never does: the pod counts until it is gone.
func isNoLongerCharged(pod *corev1.Pod, now time.Time) bool {
	if computeresources.HasEnded(pod) {
		return true
	}
	if pod.DeletionTimestamp == nil || pod.DeletionGracePeriodSeconds == nil {
		return false
	}
	return now.After(pod.DeletionTimestamp.Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second))
}
