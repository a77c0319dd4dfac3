package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// at returns the options of a time.
func at(now time.Time) whatif.Options {
	o := options
	o.Now = now
	return o
}

// isRedrawn reports whether a prediction is that of the cluster if package whatif deletes the pods that controllers have deleted among those
// that they do not tell apart. They compare the ages of pods at some time of the step.
func (s *outcome) isRedrawn(got string) bool {
	objects := s.renamed()
	for _, now := range []time.Time{s.begin, time.Now()} {
		before, err := whatif.Read(objects, at(now))
		if err != nil {
			return false
		}
		if _, after := s.change(before); tally(after, false) == got {
			return true
		}
	}
	return false
}

// change does the step.
func (s *outcome) change(before *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
	if s.step.deleted {
		return before.Delete(s.step.object)
	}
	return before.Apply(s.step.object)
}

// renamed returns the objects before the step, in which pods of a controller that draws their names have exchanged them: the first that
// was deleted has the last name. Of pods that the controller deletes in any order, package whatif takes the last by name.
//
// Source: ActivePods and ActivePodsWithRanks of k8s.io/kubernetes/pkg/controller, by which pods are sorted.
func (s *outcome) renamed() (objects []admit.APIObject) {
	all := map[types.UID][]*corev1.Pod{}
	for _, o := range s.earlier {
		p, is := o.(*corev1.Pod)
		owner := metav1.GetControllerOfNoCopy(o)
		if !is || owner == nil || !isExchangeable(p, owner.Kind) {
			objects = append(objects, o)
			continue
		}
		all[owner.UID] = append(all[owner.UID], p)
	}
	place := func(p *corev1.Pod) int { // among those that are deleted
		if i := slices.Index(s.deleted, p.UID); i >= 0 {
			return i
		}
		return len(s.deleted)
	}
	for _, pods := range all {
		var names []string
		for _, p := range pods {
			names = append(names, p.Name)
		}
		slices.Sort(names)
		slices.SortFunc(pods, func(a, b *corev1.Pod) int {
			return cmp.Or(cmp.Compare(place(b), place(a)), strings.Compare(a.Name, b.Name))
		})
		for i, p := range pods {
			own := *p
			own.Name = names[i]
			objects = append(objects, &own)
		}
	}
	return objects
}

// isExchangeable reports whether nothing depends on the name of a pod of a kind of controller but the order of deletion.
func isExchangeable(p *corev1.Pod, kind string) bool {
	_, hasIndex := p.Annotations[batchv1.JobCompletionIndexAnnotation]
	hasClaims := slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.Ephemeral != nil })
	return !hasIndex && !hasClaims && (kind == "ReplicaSet" || kind == "ReplicationController" || kind == "Job")
}

// deletions returns the pods that are being deleted, or gone, in the order in which that has begun.
func deletions(happenings []happening) (pods []types.UID) {
	known := map[types.UID]bool{}
	for i := range happenings {
		h := &happenings[i]
		if p, is := h.object.(*corev1.Pod); is && !known[p.UID] && (h.gone || p.DeletionTimestamp != nil) {
			known[p.UID], pods = true, append(pods, p.UID)
		}
	}
	return pods
}

// areInAnyOrder reports whether pods of a DaemonSet have got nodes in the step, or wait, and decide about the places of each other: the
// controller creates them in any order. Which nodes they get is judged by the attempts of the scheduler.
//
// Source: manage of k8s.io/kubernetes/pkg/controller/daemon, which goes through a map of nodes.
func (s *outcome) areInAnyOrder() bool {
	had := map[types.UID]bool{} // a node before
	for _, o := range s.earlier {
		if p, is := o.(*corev1.Pod); is {
			had[p.UID] = p.Spec.NodeName != ""
		}
	}
	tried := map[types.UID]int{} // pods, by controller
	for _, o := range s.after {
		if owner := metav1.GetControllerOfNoCopy(o); owner != nil && !had[o.GetUID()] {
			tried[owner.UID]++
		}
	}
	return slices.ContainsFunc(s.after, func(o admit.APIObject) bool {
		d, is := o.(*appsv1.DaemonSet)
		return is && tried[d.UID] > 1 && (s.sharesClaim(d) || concernsItself(&d.Spec.Template))
	})
}

// sharesClaim reports whether pods of a DaemonSet share a claim that one of them has bound in the step, where it is.
func (s *outcome) sharesClaim(d *appsv1.DaemonSet) bool {
	before, now := boundClaims(s.earlier), boundClaims(s.after)
	return slices.ContainsFunc(d.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool {
		if v.PersistentVolumeClaim == nil {
			return false
		}
		claim := d.Namespace + "/" + v.PersistentVolumeClaim.ClaimName
		return now[claim] && !before[claim]
	})
}

// concernsItself reports whether pods of a template attract each other, repel each other or are spread, so that nodes are refused.
func concernsItself(t *corev1.PodTemplateSpec) bool {
	selects := func(selector *metav1.LabelSelector) bool {
		s, err := metav1.LabelSelectorAsSelector(selector)
		return err == nil && s.Matches(labels.Set(t.Labels))
	}
	var terms []corev1.PodAffinityTerm
	if a := t.Spec.Affinity; a != nil && a.PodAffinity != nil {
		terms = append(terms, a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	}
	if a := t.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		terms = append(terms, a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	}
	isOwn := func(term corev1.PodAffinityTerm) bool { return selects(term.LabelSelector) }
	isSpread := func(c corev1.TopologySpreadConstraint) bool {
		return c.WhenUnsatisfiable == corev1.DoNotSchedule && selects(c.LabelSelector)
	}
	return slices.ContainsFunc(terms, isOwn) || slices.ContainsFunc(t.Spec.TopologySpreadConstraints, isSpread)
}

// numbers returns a tally without how many pods have nodes.
func numbers(tally string) (pods []string) {
	for line := range strings.Lines(tally) {
		of, _, _ := strings.Cut(line, ",")
		pods = append(pods, of)
	}
	return pods
}

// boundClaims returns the names of the claims that are bound.
func boundClaims(objects []admit.APIObject) map[string]bool {
	bound := map[string]bool{}
	for _, o := range objects {
		if c, is := o.(*corev1.PersistentVolumeClaim); is && c.Spec.VolumeName != "" {
			bound[c.Namespace+"/"+c.Name] = true
		}
	}
	return bound
}

// isOverrun reports whether a quota uses more of a resource than it allows, and more than before. The controller of quotas has then written
// what it had counted before a pod was admitted, so that one more was.
//
// Source: syncResourceQuota of k8s.io/kubernetes/pkg/controller/resourcequota, whose cache of pods may be late.
func (s *outcome) isOverrun() bool {
	before := map[string]corev1.ResourceList{}
	for _, o := range s.earlier {
		if q, is := o.(*corev1.ResourceQuota); is {
			before[q.Namespace+"/"+q.Name] = q.Status.Used
		}
	}
	return slices.ContainsFunc(s.after, func(o admit.APIObject) bool {
		q, is := o.(*corev1.ResourceQuota)
		if !is {
			return false
		}
		for name, used := range q.Status.Used {
			hard, earlier := q.Status.Hard[name], before[q.Namespace+"/"+q.Name][name]
			if used.Cmp(hard) > 0 && used.Cmp(earlier) > 0 {
				return true
			}
		}
		return false
	})
}
