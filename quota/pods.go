package quota

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// PodOptions select what counts of a pod. The zero value means a default cluster.
type PodOptions struct {
	// IgnoreStatus ignores the status of containers, like a cluster without
	// InPlacePodVerticalScaling (KEP-1287). Otherwise, while a pod is resized in place, the largest
	// of the desired, allocated and actuated resources counts.
	IgnoreStatus bool

	// IgnorePodLevel, PodLevelStatus and MaxPerContainer count. PodLevelStatus is off by default, as
	// in the quota controller of Kubernetes 1.36. With IgnoreStatus, it is always off.
	computeresources.Gates
}

const (
	countPods corev1.ResourceName = "count/pods"

	requestsPrefix = corev1.DefaultResourceRequestsPrefix
)

func isPodResource(name corev1.ResourceName) bool {
	_, ofRequests := resourcelist.RequestOfQuota(name)
	_, ofLimits := resourcelist.LimitOfQuota(name)
	return name == countPods || name == corev1.ResourcePods || ofRequests || ofLimits || requestsExtended(name)
}

// requestsExtended reports whether a quota name is requests. and the name of an extended resource,
// explicit or of a device class. Like upstream, it does not check whether containers may request a
// resource of that name: resourcelist.RequestOfQuota does.
func requestsExtended(name corev1.ResourceName) bool {
	requested, ok := strings.CutPrefix(string(name), requestsPrefix)
	return ok && (!resourcename.IsNative(name) || strings.HasPrefix(requested, resourcev1.ResourceDeviceClassPrefix))
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
		prefixed, bare := resourcelist.RequestQuotaNames(name)
		if prefixed != "" {
			dst[prefixed] = q
		}
		if bare != "" {
			dst[bare] = q.DeepCopy()
		}
	}
	o.podLimitsInto(amounts)
	for name, q := range amounts {
		if limited := resourcelist.LimitQuotaName(name); limited != "" {
			dst[limited] = q
		}
	}
}

func (o *Object) podRequestsInto(dst corev1.ResourceList) {
	if opts := o.sums(); o.podOptions.IgnoreStatus {
		computeresources.SpecRequestsInto(dst, &o.pod.Spec, opts)
	} else {
		computeresources.PodRequestsInto(dst, o.pod, opts)
	}
}

func (o *Object) podLimitsInto(dst corev1.ResourceList) {
	pod := o.pod
	if o.podOptions.IgnoreStatus {
		pod = &corev1.Pod{Spec: o.pod.Spec}
	}
	computeresources.PodLimitsInto(dst, pod, o.sums())
}

// sums returns the options for the requests and limits of a pod that count.
func (o *Object) sums() computeresources.Options {
	opts := computeresources.Options{Gates: o.podOptions.Gates}
	if opts.PodLevelStatus == nil && o.pod.Status.Resources != nil { // otherwise nothing reads the gate
		opts.PodLevelStatus = new(bool) // off
	}
	return opts
}

// hasEnded reports whether a pod no longer uses its requests: it has succeeded or failed, or its grace
// period for deletion has expired.
func hasEnded(pod *corev1.Pod, now time.Time) bool {
	if podwalk.HasEnded(pod) {
		return true
	}
	end, ok := graceEnds(pod)
	return ok && now.After(end)
}

// graceEnds returns when the grace period of a pod that is being deleted ends.
func graceEnds(pod *corev1.Pod) (time.Time, bool) {
	if pod.DeletionTimestamp == nil || pod.DeletionGracePeriodSeconds == nil {
		return time.Time{}, false
	}
	return pod.DeletionTimestamp.Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second), true
}
