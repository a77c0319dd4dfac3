package whatif

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// placeOf returns the namespace of an object, empty for objects of the cluster, and its key.
func placeOf(obj admit.APIObject) (namespace string, k key) {
	kind, isNamespaced := kindOf(obj)
	k = key{kind, obj.GetName()}
	namespace = obj.GetNamespace()
	if namespace == "" && isNamespaced {
		namespace = metav1.NamespaceDefault
	}
	return namespace, k
}

// kindOf returns the kind of an object, and whether objects of that kind are in namespaces, if that is known.
func kindOf(obj admit.APIObject) (kind string, isNamespaced bool) {
	t := reflect.TypeOf(obj).Elem()
	if !strings.HasPrefix(t.PkgPath(), "k8s.io/api/") {
		of := obj.GetObjectKind().GroupVersionKind()
		return kindIn(of.Group, of.Kind), false
	}
	switch t.Name() {
	case "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
		"DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass", "MutatingAdmissionPolicy",
		"MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node", "PersistentVolume",
		"PriorityClass", "PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "ServiceCIDR", "StorageClass",
		"StorageVersion", "StorageVersionMigration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass":
		return t.Name(), false
	}
	return t.Name(), true
}

// kindIn returns a kind, with its group unless that is one of Kubernetes: Service.serving.knative.dev.
func kindIn(group, kind string) string {
	if !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") {
		return kind
	}
	return kind + "." + group
}

// ownerOf returns the controller of an object, zero if it has none.
func ownerOf(obj admit.APIObject) key {
	if owner := metav1.GetControllerOf(obj); owner != nil {
		return referenced(owner)
	}
	return key{}
}

// referenced returns the object that a reference refers to.
func referenced(r *metav1.OwnerReference) key {
	of := schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
	return key{kindIn(of.Group, of.Kind), r.Name}
}

// compile prepares the LimitRanges and quotas of a namespace.
func (s *space) compile(quotas []*corev1.ResourceQuota, opts *Options) error {
	compiled, err := admit.Compile(s.ranges, quotas, opts.Admission)
	if err != nil {
		return err
	}
	s.compiled, s.quotas = compiled, len(quotas)
	return nil
}

// admission returns the LimitRanges and quotas of a namespace as they are now.
func (d *draft) admission(s *space) *admit.Namespace {
	if s.isStale || s.seen != d.sharedChange(s.name) {
		quotas := s.quotasOf()
		shared, changed := d.sharedIn(s.name)
		if err := s.compile(slices.Concat(quotas, shared), &d.opts); err == nil { // each of them has been validated
			s.isStale, s.changed, s.seen = false, nil, changed
		}
	}
	return s.compiled
}

// admissionOf returns what decides about an object. LimitRanges and quotas that follow each other are compiled
// together, because they do not concern each other, unless a quota counts them.
func (d *draft) admissionOf(s *space, obj admit.APIObject) *admit.Namespace {
	switch obj.(type) {
	case *corev1.LimitRange, *corev1.ResourceQuota:
		if s.isStale && !slices.ContainsFunc(s.changed, countsPolicies) && d.sharedChange(s.name) == 0 {
			return d.bare
		}
	}
	return d.admission(s)
}

// countsPolicies reports whether a quota counts LimitRanges or quotas.
func countsPolicies(q *corev1.ResourceQuota) bool {
	return slices.ContainsFunc([]corev1.ResourceName{"resourcequotas", "count/resourcequotas", "count/limitranges"},
		func(name corev1.ResourceName) bool { _, isSet := q.Status.Hard[name]; return isSet })
}

// quotasOf returns copies of the quotas of a namespace, without those that it shares with others.
func (s *space) quotasOf() []*corev1.ResourceQuota {
	if s.isStale {
		return s.changed
	}
	return slices.DeleteFunc(s.compiled.Quotas(), isShared)
}

// take counts what an admitted object uses.
func (d *draft) take(s *space, decision admit.Decision) {
	if len(decision.Increases) > 0 {
		s.compiled = d.admission(s).After(decision)
		d.takeShared(s, decision.Increases)
	}
}

// release subtracts what an object uses from the quotas, since it is deleted.
func (d *draft) release(s *space, obj admit.APIObject) {
	d.unlocked[s.name] = true // its name is free
	if s.quotas == 0 && len(d.shared) == 0 {
		return
	}
	quotas := s.quotasOf()
	object := d.bare.QuotaObject(obj, admit.Attributes{Now: d.opts.Now})
	d.giveShared(s, object, quota.Object{})
	if len(quotas) == 0 {
		return
	}
	for _, q := range quotas {
		usage, _ := object.UsageIn(q) // with invalid scopes, it is not counted
		usage = resourcelist.Mask(usage, resourcelist.ResourceNames(q.Status.Used))
		q.Status.Used = resourcelist.Subtract(q.Status.Used, usage)
	}
	d.recompile(s, quotas)
}

// lower subtracts what an updated object uses less than before from the quotas: admission does not, but the quota
// controller does.
//
// Source: Sync of k8s.io/kubernetes/pkg/controller/resourcequota.
func (d *draft) lower(s *space, old, updated admit.APIObject) {
	quotas, req, isLower := s.quotasOf(), admit.Attributes{Now: d.opts.Now}, false
	was, is := d.bare.QuotaObject(old, req), d.bare.QuotaObject(updated, req)
	d.giveShared(s, was, is)
	for _, q := range quotas {
		before, _ := was.UsageIn(q) // with invalid scopes, it is not counted
		now, _ := is.UsageIn(q)
		less := resourcelist.SubtractWithNonNegativeResult(before, now)
		less = resourcelist.Mask(less, resourcelist.ResourceNames(q.Status.Used))
		if !resourcelist.IsZero(less) {
			q.Status.Used, isLower = resourcelist.Subtract(q.Status.Used, less), true
		}
	}
	if isLower {
		d.recompile(s, quotas)
	}
}

// recompile changes the quotas of a namespace, and controllers that are behind have to look again.
func (d *draft) recompile(s *space, quotas []*corev1.ResourceQuota) {
	s.isStale, s.changed, s.quotas = true, quotas, len(quotas)
	d.unlocked[s.name] = true
}

// reclassify has admission look at a class that is new or gone.
func (d *draft) reclassify(obj admit.APIObject, isThere bool) {
	if d.opts.setClass(obj, isThere) {
		if bare, err := admit.Compile(nil, nil, d.opts.Admission); err == nil {
			d.bare = bare
		}
		for _, name := range slices.Sorted(maps.Keys(d.spaces)) {
			s := d.space(name)
			d.recompile(s, s.quotasOf())
		}
	}
}

// withUsage returns a copy of a quota with the status that the quota controller writes: known usage is that of
// the status of a former quota, nil if there is none, and all other that of the objects.
func (d *draft) withUsage(s *space, q, former *corev1.ResourceQuota) *corev1.ResourceQuota {
	own := q.DeepCopy()
	own.Status.Used = own.Status.Used.DeepCopy()
	isUnknown := d.isReading && q.UID != "" && s.pods.IsEmpty() // neither its controller nor pods say what is used
	if last := cmp.Or(former, q); len(last.Status.Hard) == 0 && len(last.Spec.Hard) > 0 && (isUnknown || former != nil) {
		own.Status = corev1.ResourceQuotaStatus{}
		return own
	}
	if former != nil {
		own.Status.Used = former.Status.Used.DeepCopy()
	}
	if former != nil || len(own.Status.Hard) == 0 {
		own.Status.Hard = own.Spec.Hard.DeepCopy()
		own.Status.Used = resourcelist.Mask(own.Status.Used, resourcelist.ResourceNames(own.Status.Hard))
	}
	if isComplete(own.Status) {
		return own
	}
	fresh, _ := quota.CalculateUsage(d.quotaObjects(s), own) // an invalid scope is refused for each object
	if own.Status.Used == nil {
		own.Status.Used = corev1.ResourceList{}
	}
	for name := range own.Status.Hard {
		if _, known := own.Status.Used[name]; !known {
			if used, counts := fresh.Used[name]; counts {
				own.Status.Used[name] = used
			}
		}
	}
	return own
}

// isComplete reports whether a status says of every limit what is used.
func isComplete(status corev1.ResourceQuotaStatus) bool {
	for name := range status.Hard {
		if _, known := status.Used[name]; !known {
			return false
		}
	}
	return true
}

// quotaObjects returns all objects of a namespace as quotas count them, sorted, because the first one decides in which
// format a sum is.
func (d *draft) quotaObjects(s *space) (objects []quota.Object) {
	req := admit.Attributes{Now: d.opts.Now}
	pods, others := slices.Sorted(s.pods.Keys), slices.SortedFunc(s.items.Keys, key.compare)
	objects = make([]quota.Object, 0, len(pods)+len(others))
	for _, name := range pods {
		objects = append(objects, d.bare.QuotaObject(s.pods.Get(name).Object, req))
	}
	for _, k := range others {
		objects = append(objects, d.bare.QuotaObject(s.items.Get(k).object, req))
	}
	return objects
}

// named is a pointer to an object with a name.
type named interface {
	comparable
	GetName() string
}

// without returns a list without the object of a name, and without nil.
func without[T named](list []T, name string) []T {
	var none T
	return slices.DeleteFunc(slices.Clone(list), func(o T) bool { return o == none || o.GetName() == name })
}
