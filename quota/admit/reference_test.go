package admit_test

import (
	"encoding/json"
	"maps"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowNamespace is a slow twin of a namespace: sums and comparisons of quantities, written out. It knows one
// LimitRange, or none, and two quotas, the second one of pods with a deadline.
type slowNamespace struct {
	ranged, ignorePodLevel bool
	hard, used             corev1.ResourceList // of the quota of everything
	terminating            corev1.ResourceList // what is left in the quota of pods with a deadline
}

// What the LimitRange of a slowNamespace sets and allows. Containers have a default request of 1 CPU, a default
// limit of 3 and a maximum of 4; claims have a minimum of 2 and a maximum of 3.
func (n *slowNamespace) limitRange() *corev1.LimitRange {
	return limitRange("bounds",
		corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "4"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "1")},
		corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "2"), Max: list("storage", "3")})
}

func whole(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) }

func less(a, b resource.Quantity) bool { return a.Cmp(b) < 0 }

func eachContainer(spec *corev1.PodSpec, of func(*corev1.ResourceRequirements)) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			of(&containers[i].Resources)
		}
	}
}

// settle sets what the server sets in a pod spec, and LimitRanger if it is asked.
func (n *slowNamespace) settle(spec *corev1.PodSpec, requests, ranged bool) {
	eachContainer(spec, func(r *corev1.ResourceRequirements) {
		r.Requests, r.Limits = roundedList(r.Requests), roundedList(r.Limits)
		for name, limit := range r.Limits {
			if _, is := r.Requests[name]; requests && !is {
				r.Requests[name] = limit
			}
		}
		if !ranged || !n.ranged {
			return
		}
		if _, is := r.Limits["cpu"]; !is {
			r.Limits["cpu"] = whole(3)
		}
		if _, is := r.Requests["cpu"]; !is {
			r.Requests["cpu"] = whole(1)
		}
	})
}

func roundedList(amounts corev1.ResourceList) corev1.ResourceList {
	rounded := corev1.ResourceList{}
	for name, q := range amounts {
		q = q.DeepCopy()
		q.RoundUp(resource.Milli)
		rounded[name] = q
	}
	return rounded
}

// slowUsage is what quotas count of an object of a kind.
func (n *slowNamespace) usage(obj admitObject, kind string) corev1.ResourceList {
	usage := corev1.ResourceList{corev1.ResourceName("count/" + kind): whole(1)}
	switch obj := obj.(type) {
	case *corev1.Pod:
		if obj.Status.Phase == corev1.PodSucceeded || obj.Status.Phase == corev1.PodFailed {
			return usage
		}
		usage["pods"] = whole(1)
		usage["requests.cpu"] = n.sum(&obj.Spec, "cpu", func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Requests })
		usage["requests.memory"] = n.sum(&obj.Spec, "memory", func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Requests })
		usage["limits.cpu"] = n.sum(&obj.Spec, "cpu", func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Limits })
	case *corev1.PersistentVolumeClaim:
		usage["persistentvolumeclaims"], usage["requests.storage"] = whole(1), obj.Spec.Resources.Requests["storage"]
	case *corev1.Service:
		usage["services"] = whole(1)
		if obj.Spec.Type == corev1.ServiceTypeLoadBalancer {
			usage["services.loadbalancers"] = whole(1)
		}
		if obj.Spec.Type != corev1.ServiceTypeClusterIP {
			usage["services.nodeports"] = whole(int64(len(obj.Spec.Ports)))
		}
	case *resourcev1.ResourceClaim:
		var devices int64
		for _, request := range obj.Spec.Devices.Requests {
			devices += request.Exactly.Count
		}
		if devices > 0 {
			usage["gold.deviceclass.resource.k8s.io/devices"] = whole(devices)
		}
	}
	return usage
}

// sum is the larger of the sum of the app containers and the largest init container.
func (n *slowNamespace) sum(spec *corev1.PodSpec, name corev1.ResourceName, of func(*corev1.ResourceRequirements) corev1.ResourceList) resource.Quantity {
	if spec.Resources != nil && !n.ignorePodLevel {
		return of(spec.Resources)[name]
	}
	var sum resource.Quantity
	for i := range spec.Containers {
		sum.Add(of(&spec.Containers[i].Resources)[name])
	}
	for i := range spec.InitContainers {
		if q := of(&spec.InitContainers[i].Resources)[name]; less(sum, q) {
			sum = q
		}
	}
	return sum
}

// lacks reports whether a container has no amount that the quota requires.
func (n *slowNamespace) lacks(spec *corev1.PodSpec) (lacks bool) {
	if spec.Resources != nil && !n.ignorePodLevel {
		return false
	}
	eachContainer(spec, func(r *corev1.ResourceRequirements) {
		for name, of := range map[corev1.ResourceName]corev1.ResourceList{"requests.cpu": r.Requests, "requests.memory": r.Requests, "limits.cpu": r.Limits} {
			_, required := n.hard[name]
			_, is := of[corev1.ResourceName(strings.SplitN(string(name), ".", 2)[1])]
			lacks = lacks || required && !is
		}
	})
	return lacks
}

// fits returns how many usages fit into what is left of the quotas, at most 1000.
func (n *slowNamespace) fits(usage corev1.ResourceList, deadline bool) (count int64) {
	for count < 1000 {
		for name, q := range usage {
			total := q.DeepCopy()
			total.Mul(count + 1)
			all := total.DeepCopy()
			all.Add(n.used[name])
			hard, is := n.hard[name]
			left, ofTerminating := n.terminating[name]
			if q.Sign() > 0 && (is && less(hard, all) || deadline && ofTerminating && less(left, total)) {
				return count
			}
		}
		count++
	}
	return count
}

// increase is what one usage has more than another.
func increase(was, is corev1.ResourceList) corev1.ResourceList {
	more := corev1.ResourceList{}
	for name, q := range is {
		q = q.DeepCopy()
		if q.Sub(was[name]); q.Sign() > 0 {
			more[name] = q
		}
	}
	return more
}

// after returns the usage of the quota of everything with more in it.
func (n *slowNamespace) after(more corev1.ResourceList) corev1.ResourceList {
	used := n.used.DeepCopy()
	for name, q := range used {
		q.Add(more[name])
		used[name] = q
	}
	return used
}

// breaksLimits reports whether a request is above its limit, and whether one of them is above the maximum.
func (n *slowNamespace) breaksLimits(spec *corev1.PodSpec) (invalid, violated bool) {
	eachContainer(spec, func(r *corev1.ResourceRequirements) {
		limit, is := r.Limits["cpu"]
		invalid = invalid || is && less(limit, r.Requests["cpu"])
		violated = violated || n.ranged && (less(whole(4), limit) || less(whole(4), r.Requests["cpu"]))
	})
	return invalid, violated
}

// answerTo is the reason of the answer: to an object that is invalid, violates a bound or lacks an amount, and of
// which so many fit.
func answerTo(invalid, violated, lacks bool, fits int64) metav1.StatusReason {
	switch {
	case invalid:
		return metav1.StatusReasonInvalid
	case violated || lacks || fits == 0:
		return metav1.StatusReasonForbidden
	}
	return ""
}

// defaultTolerations returns those that each new pod gets.
func defaultTolerations() (all []corev1.Toleration) {
	for _, taint := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		all = append(all, corev1.Toleration{Key: taint, Operator: "Exists", Effect: "NoExecute", TolerationSeconds: pointer(int64(300))})
	}
	return all
}

// pod returns the answer to a new pod, how many like it are admitted, and the pod.
func (n *slowNamespace) pod(sent *corev1.Pod) (answer metav1.StatusReason, fits int64, stored *corev1.Pod) {
	stored = sent.DeepCopy()
	stored.DeletionTimestamp, stored.DeletionGracePeriodSeconds = nil, nil
	if n.ignorePodLevel {
		stored.Spec.Resources = nil
	}
	n.settle(&stored.Spec, true, true)
	stored.Spec.Tolerations = append(stored.Spec.Tolerations, defaultTolerations()...)
	stored.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: testkit.SpecClass(&stored.Spec)}
	invalid, violated := n.breaksLimits(&stored.Spec)
	fits = n.fits(n.usage(stored, "pods"), stored.Spec.ActiveDeadlineSeconds != nil)
	if answer = answerTo(invalid, violated, n.lacks(&stored.Spec), fits); answer != "" {
		fits = 0
	}
	return answer, fits, stored
}

// claim returns whether a claim is out of the bounds.
func (n *slowNamespace) claim(claim *corev1.PersistentVolumeClaim) (violated bool) {
	storage := claim.Spec.Resources.Requests["storage"]
	return n.ranged && (less(storage, whole(2)) || less(whole(3), storage))
}

// slowWanted is how many pods a workload wants at the same time.
func slowWanted(obj admitObject) int64 {
	number := func(n *int32) int64 {
		if n == nil {
			return 1
		}
		return int64(*n)
	}
	ofJob := func(spec batchv1.JobSpec) int64 {
		if spec.Suspend != nil && *spec.Suspend {
			return 0
		}
		if spec.Completions != nil && int64(*spec.Completions) < number(spec.Parallelism) {
			return int64(*spec.Completions)
		}
		return number(spec.Parallelism)
	}
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		return number(obj.Spec.Replicas)
	case *appsv1.StatefulSet:
		return number(obj.Spec.Replicas)
	case *appsv1.ReplicaSet:
		return number(obj.Spec.Replicas)
	case *corev1.ReplicationController:
		return number(obj.Spec.Replicas)
	case *batchv1.Job:
		return ofJob(obj.Spec)
	case *batchv1.CronJob:
		return ofJob(obj.Spec.JobTemplate.Spec)
	}
	return 1
}

// create returns the answer to a new object of a kind, the object as it is stored, and what it adds to the usage.
func (n *slowNamespace) create(sent admitObject, kind string) (answer metav1.StatusReason, stored admitObject, more corev1.ResourceList) {
	stored = sent.DeepCopyObject().(admitObject)
	if sent.GetNamespace() == "other" {
		return metav1.StatusReasonBadRequest, stored, nil
	}
	violated := false
	switch own := stored.(type) {
	case *corev1.Pod:
		answer, _, own = n.pod(own)
		stored = own
	case *corev1.PersistentVolumeClaim:
		own.Spec.Resources.Requests = roundedList(own.Spec.Resources.Requests)
		own.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
		violated = n.claim(own)
	default:
		setStatus(own, nil)
		n.settleTemplate(own)
	}
	n.name(stored)
	more = n.usage(stored, kind)
	if _, isPod := stored.(*corev1.Pod); !isPod {
		answer = answerTo(false, violated, false, n.fits(more, false))
	}
	return answer, stored, more
}

// settleTemplate rounds the amounts of a workload.
func (n *slowNamespace) settleTemplate(obj admitObject) {
	if spec := testkit.PodSpecOf(obj); spec != nil {
		if n.ignorePodLevel {
			spec.Resources = nil
		}
		n.settle(spec, false, false)
	}
}

// name sets the namespace of the request, and the name that the server generated.
func (n *slowNamespace) name(obj admitObject) {
	if obj.GetNamespace() == "" {
		obj.SetNamespace("shop")
	}
	if obj.GetName() == "" {
		obj.SetName("web-x")
	}
}

// update returns the same for an update.
func (n *slowNamespace) update(old, sent admitObject, kind string) (answer metav1.StatusReason, stored admitObject, more corev1.ResourceList) {
	stored = sent.DeepCopyObject().(admitObject)
	if sent.GetNamespace() == "other" || old.GetNamespace() == "other" {
		return metav1.StatusReasonBadRequest, stored, nil
	}
	if stored.GetNamespace() == "" {
		stored.SetNamespace("shop")
	}
	setStatus(stored, old)
	switch own := stored.(type) {
	case *corev1.Pod:
		was := old.(*corev1.Pod)
		if n.ignorePodLevel && was.Spec.Resources == nil {
			own.Spec.Resources = nil
		}
		n.settle(&own.Spec, true, false)
		if deadline := own.Spec.ActiveDeadlineSeconds != nil; deadline != (was.Spec.ActiveDeadlineSeconds != nil) {
			lacks := n.lacks(&own.Spec)
			answer = answerTo(false, false, lacks, (&slowNamespace{terminating: n.terminating}).fits(n.usage(own, kind), deadline))
		}
		if slowAmounts(was) != slowAmounts(own) {
			answer = metav1.StatusReasonInvalid
		}
	case *corev1.PersistentVolumeClaim:
		was := old.(*corev1.PersistentVolumeClaim)
		own.Spec.Resources.Requests = roundedList(own.Spec.Resources.Requests)
		storage, capacity := own.Spec.Resources.Requests["storage"], was.Status.Capacity["storage"]
		others := func(r corev1.VolumeResourceRequirements) corev1.VolumeResourceRequirements { // which cannot change
			r.Requests, r.Limits = maps.Clone(r.Requests), roundedList(r.Limits)
			delete(r.Requests, corev1.ResourceStorage)
			return r
		}
		_, had := was.Spec.Resources.Requests[corev1.ResourceStorage] // which each stored claim has
		unbound := was.Status.Phase != "" && was.Status.Phase != corev1.ClaimBound && storage.Cmp(was.Spec.Resources.Requests["storage"]) != 0
		shrinks := !had || unbound || !equality.Semantic.DeepEqual(others(was.Spec.Resources), others(own.Spec.Resources)) || less(storage, was.Spec.Resources.Requests["storage"]) && !less(capacity, storage)
		more = increase(n.usage(was, kind), n.usage(own, kind))
		answer = answerTo(shrinks, was.DeletionTimestamp == nil && n.claim(own), false, n.fits(more, false))
	case *corev1.Service, *resourcev1.ResourceClaim:
		more = increase(n.usage(old, kind), n.usage(own, kind))
		answer = answerTo(false, false, false, n.fits(more, false))
	default:
		n.settleTemplate(own)
		if before, is := old.DeepCopyObject().(*batchv1.Job); is {
			n.settleTemplate(before)
			isSuspended := before.Spec.Suspend != nil && *before.Spec.Suspend && before.Status.StartTime == nil && before.Status.Active == 0
			text := func(spec *corev1.PodSpec) string {
				fixed := spec.DeepCopy()
				if isSuspended {
					eachContainer(fixed, func(r *corev1.ResourceRequirements) { *r = corev1.ResourceRequirements{} })
					fixed.NodeSelector, fixed.Tolerations = nil, nil
				}
				text, _ := json.Marshal(fixed)
				return string(text)
			}
			if text(&before.Spec.Template.Spec) != text(&own.(*batchv1.Job).Spec.Template.Spec) {
				answer = metav1.StatusReasonInvalid
			}
		}
	}
	return answer, stored, more
}
