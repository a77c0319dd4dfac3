package manifest

import (
	"cmp"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// addLimitRange adds a LimitRange with its defaults, unless the API server would reject it, so that it has no effect.
func (in *Input) addLimitRange(at objects.Place, lr *corev1.LimitRange) {
	for i, item := range lr.Spec.Limits {
		lr.Spec.Limits[i] = limitrange.WithDefaults(item)
	}
	in.Ranges = addPolicy(in, in.Ranges, at, "LimitRange", lr, limitrange.ValidateObject)
}

// addQuota adds a ResourceQuota, unless the API server would reject it, so that it has no effect.
func (in *Input) addQuota(at objects.Place, q *corev1.ResourceQuota) {
	validate := func(q *corev1.ResourceQuota) field.ErrorList {
		return quota.ValidateObject(nil, q, computeresources.Kubernetes{})
	}
	in.Quotas = addPolicy(in, in.Quotas, at, "ResourceQuota", q, validate)
}

// QuotaAt returns where a quota is in the input.
func (in *Input) QuotaAt(namespace, name string) objects.Place {
	return cmp.Or(in.byName[identity{"ResourceQuota", namespace, name}], &Object{}).Place
}

// addPolicy adds an object that constrains all others of its namespace. It replaces one with the same name.
func addPolicy[P metav1.Object](
	in *Input, list []P, at objects.Place, kind string, p P, validate func(P) field.ErrorList,
) []P {
	p.SetNamespace(in.orHome(p.GetNamespace()))
	isGenerated := p.GetName() == "" && p.GetGenerateName() != ""
	if isGenerated {
		p.SetName(p.GetGenerateName() + "00000") // the server adds as many characters
	}
	if errs := validate(p); len(errs) > 0 {
		for _, err := range errs {
			in.fail(at, objects.Invalid, objects.Fault{Field: err.Field, Text: err.ErrorBody()})
		}
		return list
	}
	if isGenerated {
		p.SetName(p.GetGenerateName() + generated)
	}
	if in.earlier(&Object{Place: at, Kind: kind, Home: p.GetNamespace(), Name: p.GetName()}) != nil {
		list = slices.DeleteFunc(list, func(before P) bool {
			return before.GetNamespace() == p.GetNamespace() && before.GetName() == p.GetName()
		})
	}
	return append(list, p)
}

// ByNamespace returns the LimitRanges or ResourceQuotas of each namespace, in the order of their names.
func ByNamespace[P metav1.Object](list []P) map[string][]P {
	of := map[string][]P{}
	for _, p := range list {
		of[p.GetNamespace()] = append(of[p.GetNamespace()], p)
	}
	for _, list := range of {
		slices.SortStableFunc(list, func(a, b P) int { return cmp.Compare(a.GetName(), b.GetName()) })
	}
	return of
}

// addNode adds a node whose resources are known. The allocatable ones default to the capacity, as in the API server.
func (in *Input) addNode(at objects.Place, o *corev1.Node) {
	in.Kubelets = append(in.Kubelets, o.Status.NodeInfo.KubeletVersion)
	allocatable := o.Status.Allocatable
	if len(allocatable) == 0 {
		allocatable = o.Status.Capacity
	}
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nameOf(&o.ObjectMeta), Labels: o.Labels}} // other fields take memory
	n.Spec.Unschedulable, n.Status.Allocatable = o.Spec.Unschedulable, allocatable
	cpu, memory := allocatable[corev1.ResourceCPU], allocatable[corev1.ResourceMemory]
	switch {
	case n.Name == "":
		in.fail(at, objects.Invalid, objects.Fault{Field: "metadata.name", Text: "missing"})
	case cpu.IsZero() || memory.IsZero():
		in.fail(at, objects.Skipped, objects.Fault{Text: "no status.allocatable of cpu and memory: no pod fits on it"})
	case isHuge(allocatable):
		in.fail(at, objects.Unreadable, objects.Fault{Field: "status", Text: "too large: cpu, memory or pods"})
	default:
		if in.earlier(&Object{Place: at, Kind: "Node", Name: n.Name}) != nil {
			in.Nodes = slices.DeleteFunc(in.Nodes, func(before *corev1.Node) bool { return before.Name == n.Name })
		}
		in.Nodes = append(in.Nodes, n)
	}
}

// isHuge reports whether the milli-CPU or the bytes exceed an int64, or the pods exceed an int32.
func isHuge(list corev1.ResourceList) bool {
	for name, most := range map[corev1.ResourceName]int64{
		corev1.ResourceCPU: math.MaxInt64 / 1000, corev1.ResourceMemory: math.MaxInt64, corev1.ResourcePods: math.MaxInt32,
	} {
		if q := list[name]; q.CmpInt64(most) > 0 {
			return true
		}
	}
	return false
}

// Selects reports whether a node has all labels of a selector.
func Selects(selector map[string]string, n *corev1.Node) bool {
	return labels.SelectorFromSet(selector).Matches(labels.Set(n.Labels))
}

// addShared adds the quotas of several namespaces that an object describes, unless the API server would reject it. A view of
// one (AppliedClusterResourceQuota) does not replace it.
func (in *Input) addShared(at objects.Place, kind string, o admit.APIObject) {
	described, err := quota.ClusterQuotasOf(o)
	if err != nil {
		in.fail(at, objects.Invalid, objects.Fault{Text: err.Error()})
		return
	}
	for _, q := range described {
		presented := q.In("")
		presented.Status = q.Status
		var faults []objects.Fault
		for _, err := range quota.ValidateObject(nil, presented, computeresources.Kubernetes{}) {
			if !strings.HasPrefix(err.Field, "metadata") {
				faults = append(faults, objects.Fault{Field: quota.SourceOf(presented, err.Field).Field, Text: err.ErrorBody()})
			}
		}
		if _, err := q.Selects(&corev1.Namespace{}); err != nil {
			faults = append(faults, objects.Fault{Field: "spec.selector", Text: err.Error()})
		}
		if len(faults) > 0 {
			in.fail(at, objects.Invalid, faults...)
			continue
		}
		isView := kind == "AppliedClusterResourceQuota"
		i := slices.IndexFunc(in.Shared, func(before Shared) bool { return before.Kind == q.Kind && before.Name == q.Name })
		switch {
		case i < 0:
			in.Shared = append(in.Shared, Shared{q, isView})
		case !isView || in.Shared[i].isView:
			in.Shared[i] = Shared{q, isView}
		}
	}
	slices.SortFunc(in.Shared, func(a, b Shared) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
}

// Shared is a quota that several namespaces share.
type Shared struct {
	*quota.ClusterQuota
	isView bool // the object is only a view of it
}

// IsSharedBy reports whether a namespace shares a quota: by its labels or, if it is not in the input, by the status of the
// quota.
func (in *Input) IsSharedBy(q *quota.ClusterQuota, namespace string) bool {
	if ns := in.spaces[namespace]; ns != nil {
		selected, _ := q.Selects(ns) // its selectors have been validated
		return selected
	}
	_, isCounted := q.Namespaces[namespace]
	return isCounted
}

// SharersKnown reports whether the input says which namespaces share a quota: by their labels, or by its status.
func (in *Input) SharersKnown(q *quota.ClusterQuota) bool {
	return len(in.spaces)+len(q.Namespaces) > 0
}

// dropProjected drops the ResourceQuotas that Capsule derives from quotas of the input, which count instead.
func (in *Input) dropProjected() {
	in.Quotas = slices.DeleteFunc(in.Quotas, func(q *corev1.ResourceQuota) bool {
		name, isSet := q.Labels["projectcapsule.dev/global-resource-quota"]
		return isSet && slices.ContainsFunc(in.Shared, func(s Shared) bool {
			return s.Kind == quota.GlobalResourceQuota && s.Name == name
		})
	})
}
