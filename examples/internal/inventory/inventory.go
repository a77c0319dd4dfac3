// Package inventory has the objects that a subcommand reads, by kind and name.
package inventory

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// List is objects in the order of the input. Of objects of the same kind and name, the last one counts.
type List struct {
	Objects  []admit.APIObject
	Places   []objects.Place // of the objects
	Problems []objects.Problem
	Skipped  map[string]int // how many objects of other kinds, by kind and version
	// Hooks are objects that are not created with the others: see package hook.
	Hooks []admit.APIObject
	// Home is the namespace of objects without one; if it is empty, they have none.
	Home string
	// Selects reports whether an object is to be in the list; nil for all.
	Selects func(metav1.Object) bool
	// Check returns why the API server rejects an object, which is a problem then; nil for no check.
	Check func(admit.APIObject) field.ErrorList

	kinds map[string]bool // of the objects and of the hooks that run
	index map[identity]int
	hooks map[identity]objects.Place
	last  map[types.UID]template // the last one of each controller
	node  *corev1.Node           // the last one
}

type identity struct{ kind, namespace, name string }

// Read adds objects.
func (l *List) Read(all iter.Seq[objects.Object]) {
	if l.index == nil {
		l.kinds, l.index, l.hooks, l.Skipped = map[string]bool{}, map[identity]int{}, map[identity]objects.Place{}, map[string]int{}
	}
	for o := range all {
		if o.Matters() {
			l.Problems = append(l.Problems, o.Problems...)
			continue
		}
		if o.Unknown() {
			l.Skipped[o.Kind+" of "+o.APIVersion]++
			continue
		}
		l.Problems = append(l.Problems, o.Problems...)
		if object, ok := o.Typed.(admit.APIObject); ok {
			l.Problems = append(l.Problems, objects.Guarded(o.Place, func() { l.add(o.Place, o.Kind, object) })...)
		}
	}
}

// ReadDump adds the objects of a cluster. It has everything, so that what is skipped is not named, nor are objects of other
// kinds that have pods: these are among the objects.
func (l *List) ReadDump(all iter.Seq[objects.Object]) {
	l.Read(Packed(all))
	l.Skipped = nil
	l.Problems = slices.DeleteFunc(l.Problems, func(p objects.Problem) bool {
		return p.Grade == objects.Uncomputed && p.Text == objects.HasPods
	})
}

// ofCluster are the kinds without a namespace.
var ofCluster = []string{"Node", "Namespace", "PriorityClass", "RuntimeClass", "StorageClass", "DeviceClass",
	"PersistentVolume", "CSINode", "CSIDriver", "ResourcePool", "Tenant",
	"ClusterResourceQuota", "AppliedClusterResourceQuota", "GlobalResourceQuota"}

func (l *List) add(at objects.Place, kind string, object admit.APIObject) {
	if prefix := object.GetGenerateName(); object.GetName() == "" && prefix != "" {
		number := len(l.Objects) + len(l.Hooks) + 1
		object.SetName(fmt.Sprintf("%s%05d", prefix[:min(len(prefix), 58)], number)) // as long as the API server's
	}
	if object.GetName() == "" {
		l.Fail(at, objects.Invalid, "metadata.name", "missing")
		return
	}
	if !slices.Contains(ofCluster, kind) {
		object.SetNamespace(cmp.Or(object.GetNamespace(), l.Home))
	}
	if l.Selects != nil && !l.Selects(object) {
		return
	}
	if node, isNode := object.(*corev1.Node); isNode && len(node.Status.Allocatable) == 0 {
		node.Status.Allocatable = node.Status.Capacity // as the API server defaults it
	}
	if claim, isClaim := object.(*resourcev1.ResourceClaim); isClaim {
		claim.Spec = StoredClaim(claim.Spec)
	}
	if l.Check != nil {
		if errs := l.Check(object); len(errs) > 0 {
			for _, err := range errs {
				l.Fail(at, objects.Invalid, err.Field, err.ErrorBody())
			}
			return
		}
	}
	id := identity{kind, object.GetNamespace(), object.GetName()}
	phase := hook.PhaseOf(object)
	l.kinds[kind] = l.kinds[kind] || phase != hook.Never
	if phase != hook.Main {
		l.Hooks, l.hooks[id] = append(l.Hooks, object), at
		return
	}
	object.SetManagedFields(nil)
	if i, known := l.index[id]; known {
		l.Problems = append(l.Problems, objects.Replaced(l.Places[i], at))
		l.Objects[i], l.Places[i] = object, at
		return
	}
	l.share(object)
	l.index[id] = len(l.Objects)
	l.Objects, l.Places = append(l.Objects, object), append(l.Places, at)
}

// StoredClaim returns what the API server stores: a request without a count is for one device.
func StoredClaim(spec resourcev1.ResourceClaimSpec) resourcev1.ResourceClaimSpec {
	var none *admit.Namespace
	return none.Create(&resourcev1.ResourceClaim{Spec: spec}, admit.Attributes{}).Object.(*resourcev1.ResourceClaim).Spec
}

// Fail adds a problem.
func (l *List) Fail(at objects.Place, grade objects.Grade, field, text string) {
	l.Problems = append(l.Problems, objects.Problems(at, grade, objects.Fault{Field: field, Text: text})...)
}

// HooksOf returns the hooks of a phase, in the order in which they run.
func (l *List) HooksOf(phase hook.Phase) []admit.APIObject {
	hooks := slices.DeleteFunc(slices.Clone(l.Hooks), func(o admit.APIObject) bool { return hook.PhaseOf(o) != phase })
	slices.SortStableFunc(hooks, func(a, b admit.APIObject) int { return hook.OrderOf(a).Compare(hook.OrderOf(b)) })
	return hooks
}

// Has reports whether the list has an object of a kind, or a hook that runs.
func (l *List) Has(kind string) bool { return l.kinds[kind] }

// At returns the place of an object, zero if it is not in the list.
func (l *List) At(kind, namespace, name string) objects.Place {
	id := identity{kind, namespace, name}
	if i, known := l.index[id]; known {
		return l.Places[i]
	}
	return l.hooks[id]
}

// Without returns the objects of which no other list has one of the same kind and name.
func (l *List) Without(others ...*List) (objects []admit.APIObject) {
	gone := make([]bool, len(l.Objects))
	for id, i := range l.index {
		gone[i] = slices.ContainsFunc(others, func(other *List) bool { _, has := other.index[id]; return has })
	}
	for i, o := range l.Objects {
		if !gone[i] {
			objects = append(objects, o)
		}
	}
	return objects
}

// Of returns the objects of a type.
func Of[T admit.APIObject](l *List) (all []T) {
	for _, o := range l.Objects {
		if typed, is := o.(T); is {
			all = append(all, typed)
		}
	}
	return all
}

// In returns the objects of a type in a namespace.
func In[T admit.APIObject](l *List, namespace string) []T {
	return slices.DeleteFunc(Of[T](l), func(o T) bool { return o.GetNamespace() != namespace })
}

// Defaults are the amounts that the API server sets in pods that lack them. The zero value has no LimitRanges.
type Defaults struct {
	Kubernetes computeresources.Kubernetes
	ranges     map[string][]*corev1.LimitRange // by namespace
	policies   map[string]*limitrange.Policy
}

// Defaults returns the defaults of a cluster with the LimitRanges that were read.
func (l *List) Defaults(kubernetes computeresources.Kubernetes) *Defaults {
	d := &Defaults{kubernetes, map[string][]*corev1.LimitRange{}, map[string]*limitrange.Policy{}}
	for _, lr := range Of[*corev1.LimitRange](l) {
		stored := *lr
		stored.Spec.Limits = nil
		for _, item := range lr.Spec.Limits {
			stored.Spec.Limits = append(stored.Spec.Limits, limitrange.WithDefaults(item))
		}
		d.ranges[lr.Namespace] = append(d.ranges[lr.Namespace], &stored)
	}
	return d
}

// Apply sets the defaults of a pod. One with a UID is stored: LimitRanges no longer count for it, and it has the pod-level
// amounts of the release that stored it.
func (d *Defaults) Apply(pod *corev1.Pod) {
	computeresources.ApplyRequestDefaults(&pod.Spec, d.Kubernetes)
	if pod.UID != "" {
		return
	}
	if ranges := d.ranges[pod.Namespace]; ranges != nil {
		if d.policies[pod.Namespace] == nil {
			d.policies[pod.Namespace] = limitrange.Compile(ranges, d.Kubernetes)
		}
		d.policies[pod.Namespace].ApplyDefaults(&pod.Spec)
	}
	computeresources.ApplyPodLevelDefaults(&pod.Spec, d.Kubernetes)
}

// Kubelets returns the versions of the kubelets of all nodes.
func (l *List) Kubelets() (versions []string) {
	for _, n := range Of[*corev1.Node](l) {
		versions = append(versions, n.Status.NodeInfo.KubeletVersion)
	}
	return versions
}

// Namespaces returns the namespaces of the objects of lists, and of the hooks that run, sorted.
func Namespaces(lists ...*List) []string {
	names := map[string]bool{}
	for _, l := range lists {
		for _, object := range slices.Concat(l.Objects, l.HooksOf(hook.Before), l.HooksOf(hook.After)) {
			names[object.GetNamespace()] = true
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// IsLost reports whether nothing was read, because it could not be.
func (l *List) IsLost() bool {
	return len(l.Objects) == 0 && len(l.Graded(objects.Unreadable, objects.Invalid, objects.Failed)) > 0
}

// Graded returns the problems of some grades, without their places, if they are of an object.
func (l *List) Graded(grades ...objects.Grade) (messages []string) {
	for _, p := range l.Problems {
		if slices.Contains(grades, p.Grade) {
			message := p.Message()
			if p.Named == "" && p.Grade != objects.Uncomputed {
				message = p.String()
			}
			messages = append(messages, message)
		}
	}
	return messages
}

// NotComputed returns the objects of lists that matter, but from which nothing is computed, and why. One that several lists have is
// named once.
func NotComputed(lists ...*List) (messages []string) {
	named := map[string]bool{}
	for _, l := range lists {
		for _, message := range l.Graded(objects.Uncomputed) {
			if !named[message] {
				messages = append(messages, message)
			}
			named[message] = true
		}
	}
	return messages
}

// Complain says what is wrong with the input, and how many objects of other kinds it has.
func Complain(s *command.Session, lists ...*List) {
	for _, l := range lists {
		for _, p := range objects.Condensed(l.Problems) {
			s.Say(p.Code(), "%v", p)
		}
	}
	if note := Note(lists...); note != "" {
		s.Say(command.OK, "%s", note)
	}
}

// Note says how many objects of other kinds lists have, "" if there are none. Most objects of one list are in the others as
// well, as they were before or are in the cluster, so of each kind the list with the most counts.
func Note(lists ...*List) string {
	skipped := map[string]int{}
	for _, l := range lists {
		for kind, n := range l.Skipped {
			skipped[kind] = max(skipped[kind], n)
		}
	}
	var counts []string
	for _, kind := range slices.Sorted(maps.Keys(skipped)) {
		counts = append(counts, fmt.Sprintf("%d %s", skipped[kind], wording.Printable(kind)))
	}
	if len(counts) == 0 {
		return ""
	}
	return "skipped, because nothing is computed from them: " + strings.Join(counts, ", ")
}
