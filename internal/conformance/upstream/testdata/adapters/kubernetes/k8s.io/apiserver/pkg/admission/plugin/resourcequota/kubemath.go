package resourcequota

import (
	"errors"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	resourcequotaapi "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/quota"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func CheckRequest(quotas []corev1.ResourceQuota, a admission.Attributes, evaluator upstream.Evaluator, limited []resourcequotaapi.LimitedResource) ([]corev1.ResourceQuota, error) {
	object, ok := objectOf(a.GetObject(), a)
	old, oldOK := quota.Object{}, true
	if a.GetOperation() == admission.Update {
		old, oldOK = objectOf(a.GetOldObject(), a)
	}
	if !ok || !oldOK || a.GetOperation() != admission.Create && a.GetOperation() != admission.Update {
		beside.Forward("CheckRequest", "an object whose evaluator has listers, or none at all")
		return upstreamCheckRequest(quotas, a, evaluator, limited)
	}
	in := beside.Keep("CheckRequest", quotas, a.GetObject(), a.GetOldObject())
	theirs, theirErr := upstreamCheckRequest(copies(quotas), apart(a), evaluator, limited)

	opts := quota.AdmitOptions{Subresource: a.GetSubresource()}
	for _, l := range limited {
		opts.Limited = append(opts.Limited, quota.LimitedResource{APIGroup: l.APIGroup, Resource: l.Resource, MatchContains: l.MatchContains, MatchScopes: l.MatchScopes})
	}
	assessment := quota.Admit(old, object, pointers(quotas), opts)
	after, failures := assessment.After(pointers(quotas), 1), assessment.Failures
	in.Unchanged()
	// The plugin also fills in the namespace.
	if accessor, err := meta.Accessor(a.GetObject()); err == nil && accessor.GetNamespace() == "" {
		accessor.SetNamespace(a.GetNamespace())
	}
	var messages []string
	for _, failure := range failures {
		messages = append(messages, failure.Error())
	}
	if theirErr == nil {
		beside.Compare("CheckRequest: admitted", messages, []string(nil))
		if len(failures) == 0 {
			beside.Compare("CheckRequest: used", used(values(after)), used(theirs))
		}
	} else {
		_, message, forbidden := strings.Cut(theirErr.Error(), " is forbidden: ")
		if !forbidden {
			message = theirErr.Error()
		}
		// Theirs is the first that they meet.
		if slices.Contains(messages, message) {
			messages = []string{message}
		}
		beside.Compare("CheckRequest: refused", messages, []string{message})
	}
	if len(failures) > 0 {
		if failures[0].Cause == quota.UncoveredScopes {
			return quotas, failures[0]
		}
		return nil, admission.NewForbidden(a, errors.New(failures[0].Error()))
	}
	return values(after), nil
}

// objectOf returns an object as kubemath knows it, unless that needs more than the object.
func objectOf(item runtime.Object, a admission.Attributes) (quota.Object, bool) {
	switch t := item.(type) {
	case *core.Pod:
		pod := &corev1.Pod{}
		if err := v1.Convert_core_Pod_To_v1_Pod(t.DeepCopy(), pod, nil); err != nil {
			panic(err)
		}
		return quota.Pod(pod, time.Now(), quota.PodOptions{Kubernetes: cluster.Kubernetes(), IgnoreStatus: !utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodVerticalScaling)}), true
	case *core.Service:
		service := &corev1.Service{}
		if err := v1.Convert_core_Service_To_v1_Service(t.DeepCopy(), service, nil); err != nil {
			panic(err)
		}
		return quota.Service(service), true
	case *core.PersistentVolumeClaim:
		claim := &corev1.PersistentVolumeClaim{}
		if err := v1.Convert_core_PersistentVolumeClaim_To_v1_PersistentVolumeClaim(t.DeepCopy(), claim, nil); err != nil {
			panic(err)
		}
		return quota.PersistentVolumeClaim(claim), true
	case *resource.ResourceClaim, nil:
		return quota.Object{}, false
	}
	metadata, err := meta.Accessor(item)
	if err != nil {
		return quota.Object{}, false
	}
	return quota.Counted(a.GetResource().GroupResource(), metadata), true
}

func copies(quotas []corev1.ResourceQuota) (all []corev1.ResourceQuota) {
	for i := range quotas {
		all = append(all, *quotas[i].DeepCopy())
	}
	return all
}

// pointers returns where quotas are.
func pointers(quotas []corev1.ResourceQuota) (all []*corev1.ResourceQuota) {
	for i := range quotas {
		all = append(all, &quotas[i])
	}
	return all
}

func values(quotas []*corev1.ResourceQuota) []corev1.ResourceQuota {
	all := make([]corev1.ResourceQuota, len(quotas))
	for i, q := range quotas {
		all[i] = *q
	}
	return all
}

func used(quotas []corev1.ResourceQuota) (all []corev1.ResourceList) {
	for i := range quotas {
		all = append(all, quotas[i].Status.Used)
	}
	return all
}

// apart returns attributes that share no object with a.
func apart(a admission.Attributes) admission.Attributes {
	copied := func(item runtime.Object) runtime.Object {
		if item == nil {
			return nil
		}
		return item.DeepCopyObject()
	}
	return admission.NewAttributesRecord(copied(a.GetObject()), copied(a.GetOldObject()), a.GetKind(), a.GetNamespace(), a.GetName(), a.GetResource(), a.GetSubresource(), a.GetOperation(), a.GetOperationOptions(), a.IsDryRun(), a.GetUserInfo())
}
