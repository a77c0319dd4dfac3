package manifest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubemath/kubemath/computeresources"
)

// status is what the status of an object of a cluster says about its pods.
type status struct {
	known   bool                     // the object has a status
	pods    int64                    // that exist
	missing int64                    // of a DaemonSet: nodes that lack their pod
	updated int64                    // pods of the present template
	failing string                   // the reason of the condition that its controller could not create the next pod
	failure string                   // its message, if any
	ended   batchv1.JobConditionType // of a Job that has finished
}

func statusOf[S any](of S, pods, updated int32) status {
	var none S
	return status{known: !equality.Semantic.DeepEqual(of, none), pods: int64(pods), updated: int64(updated)}
}

// note notes a condition, if it is true.
func (s *status) note(kind string, is corev1.ConditionStatus, reason, message string) {
	switch {
	case is != corev1.ConditionTrue:
	case kind == string(appsv1.DeploymentReplicaFailure):
		s.failing, s.failure = cmp.Or(reason, "FailedCreate"), message
	case kind == string(batchv1.JobComplete), kind == string(batchv1.JobFailed):
		s.ended = batchv1.JobConditionType(kind)
	}
}

// settle counts the pods of a workload: existing ones, and those that are yet to be created.
func (in *Input) settle(w *Workload) {
	if !w.unread {
		if w.Kind == "CronJob" {
			w.Pods = max(w.Pods, w.wanted)
		}
		w.wanted = w.Pods
	}
	live, staying, succeeded := int64(0), int64(0), int64(0)
	first := (*corev1.Pod)(nil)
	for _, m := range w.Members {
		if m.Pod == nil {
			continue
		}
		w.Exists = true
		if first == nil || computeresources.HasEnded(first) && !m.Ended {
			first = m.Pod
		}
		if m.Pod.Status.Phase == corev1.PodSucceeded {
			succeeded++
		}
		if !m.Ended {
			live++
			if !m.leaving {
				staying++
			}
		}
	}
	if w.Pod == nil { // only members were read
		w.Pod, w.live = first, true
	}
	if w.Exists && w.Kind != "Pod" {
		in.settleLive(w, live, staying, succeeded)
		return
	}
	in.countNodes(w)
	w.Pods = w.wanted
}

// settleLive counts the pods of a workload of a cluster. Without pods in the input, its status says how many there are,
// or that of its ReplicaSets or Jobs; without these, none exists if there are others of its namespace.
func (in *Input) settleLive(w *Workload, live, staying, succeeded int64) {
	seen := in.populated[w.Home]
	if !w.status.known {
		for _, c := range w.children {
			w.status.known = w.status.known || c.status.known
			w.status.pods += c.status.pods
		}
	}
	w.Next = w.Kind == "CronJob" && !w.running
	switch {
	case w.HasPods():
	case w.Next: // no run exists
	case w.status.known:
		live, staying = w.status.pods, w.status.pods
	case !seen && w.wanted > 0:
		live, staying, w.Assumed = w.wanted, w.wanted, true
	}
	switch w.Kind {
	case "DaemonSet":
		w.wanted = live
		if w.status.known {
			w.wanted += w.status.missing
		} else if live == 0 || w.Assumed {
			w.wanted = 1
			in.countNodes(w)
		}
		if w.Assumed {
			live = w.wanted
		}
		staying = live
	case "Job":
		if w.completions != nil {
			w.wanted = min(w.wanted, max(0, *w.completions-succeeded))
		}
	}
	w.Missing = max(0, w.wanted-staying)
	behind := int64(0) // pods that ReplicaSets and Jobs lack
	for _, c := range w.children {
		if w.status.failing == "" && !w.Applied {
			w.status.failing, w.status.failure = c.status.failing, c.status.failure
		}
		switch {
		case w.HasPods():
			behind += max(0, c.Pods-c.staying)
		case c.status.known || seen:
			behind += max(0, c.Pods-c.status.pods)
		}
	}
	if w.status.failing != "" && len(w.children) == 0 && w.status.updated < w.wanted {
		behind = max(behind, 1)
	}
	w.Surge = w.Kind == "Deployment" && behind > w.Missing
	w.Missing = max(w.Missing, behind)
	w.Pods = live + w.Missing
	in.dropClaims(w)
	w.dropHistory()
	w.inject()
}

// countNodes counts the pods of a DaemonSet on several nodes: those with the labels that it selects.
func (in *Input) countNodes(w *Workload) {
	if w.Kind != "DaemonSet" || len(in.Nodes) < 2 {
		return
	}
	w.counted, w.wanted = true, 0
	for _, n := range in.Nodes {
		if Selects(w.Selector, n) {
			w.wanted++
		}
	}
}

// dropClaims removes the claims of a StatefulSet that exist already for all of its pods: they outlive the pods.
func (in *Input) dropClaims(w *Workload) {
	if w.Kind != "StatefulSet" {
		return
	}
	w.Claims = slices.DeleteFunc(w.Claims, func(t template) bool {
		there := int64(0)
		for _, o := range in.Objects {
			_, is := o.Typed.(*corev1.PersistentVolumeClaim)
			ordinal, ofSet := strings.CutPrefix(o.Name, t.Name+"-"+w.Name+"-")
			_, err := strconv.Atoi(ordinal) // and not the rest of another name
			if is && ofSet && err == nil && o.Exists && o.Home == w.Home {
				there++
			}
		}
		return there >= w.wanted && there > 0
	})
}

// inject adds the containers to new pods that all live ones have beyond the template: a webhook added them. During a
// rollout they may be those of a former template.
func (w *Workload) inject() {
	sets := 0
	for _, c := range w.children {
		if c.Pods > 0 || c.staying > 0 {
			sets++
		}
	}
	var pods []*corev1.Pod
	for _, m := range w.Members {
		if m.Pod != nil && !m.Ended && (len(pods) == 0 || pods[len(pods)-1] != m.Pod) {
			pods = append(pods, m.Pod)
		}
	}
	if len(pods) == 0 || w.template == nil || sets > 1 || sets == 0 && w.status.updated != w.status.pods {
		return
	}
	own := w.Pod.Spec.DeepCopy()
	injected := func(template, of []corev1.Container, list func(*corev1.Pod) []corev1.Container, noun string) []corev1.Container {
		var all []corev1.Container // in the order of the live pod, which decides on sums of init containers
		for _, c := range of {
			named := func(other corev1.Container) bool { return other.Name == c.Name }
			lacks := func(pod *corev1.Pod) bool { return !slices.ContainsFunc(list(pod), named) }
			if i := slices.IndexFunc(template, named); i >= 0 {
				all = append(all, template[i])
				template = slices.Delete(template, i, i+1)
			} else if !slices.ContainsFunc(pods, lacks) && !w.had(c.Name) {
				all = append(all, c)
				w.Injected = append(w.Injected, noun+" "+c.Name)
			}
		}
		return append(all, template...)
	}
	own.InitContainers = injected(own.InitContainers, pods[0].Spec.InitContainers,
		func(pod *corev1.Pod) []corev1.Container { return pod.Spec.InitContainers }, "init container")
	own.Containers = injected(own.Containers, pods[0].Spec.Containers,
		func(pod *corev1.Pod) []corev1.Container { return pod.Spec.Containers }, "container")
	if len(w.Injected) > 0 {
		pod := *w.Pod
		pod.Spec, w.Pod = *own, &pod
	}
}

// had reports whether the template of an object that a workload replaces has a container.
func (w *Workload) had(name string) bool {
	named := func(c corev1.Container) bool { return c.Name == name }
	return w.former != nil && (slices.ContainsFunc(w.former.Spec.InitContainers, named) ||
		slices.ContainsFunc(w.former.Spec.Containers, named))
}

// Failure returns why the controller of a workload could not create the next pod, as its status says: the message, or at
// least the reason. Both are empty if it does not say so.
func (w *Workload) Failure() (message, reason string) { return w.status.failure, w.status.failing }

// dropHistory counts the Jobs of a CronJob that its controller deletes before the next run, because its history is limited.
func (w *Workload) dropHistory() {
	o, is := w.Typed.(*batchv1.CronJob)
	if !is {
		return
	}
	left := map[batchv1.JobConditionType]int32{batchv1.JobComplete: 3, batchv1.JobFailed: 1} // the API server's defaults
	if n := o.Spec.SuccessfulJobsHistoryLimit; n != nil {
		left[batchv1.JobComplete] = *n
	}
	if n := o.Spec.FailedJobsHistoryLimit; n != nil {
		left[batchv1.JobFailed] = *n
	}
	for _, c := range w.children {
		ended := c.status.ended
		left[ended]--
		if ended != "" && left[ended] < 0 {
			w.Expired++
		}
	}
}
