package admit

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/volumeclaim"
	"github.com/kubemath/kubemath/internal/workload"
)

// Fields that cannot change once an object is stored. What the API server sets if a field is missing is no change.

// fix adds a refusal if a field has changed.
func (d *decision) fix(path *field.Path, was, is any) {
	if !equality.Semantic.DeepEqual(was, is) {
		d.refuseChange(field.Invalid(path, is, "field is immutable"))
	}
}

func (d *decision) refuseChange(err *field.Error) {
	d.Refusals = append(d.Refusals, &Refusal{
		Path: err.Field, What: "the " + d.Subject.Kind.Kind + " is there, and " + err.Field + " cannot change",
		Remedy:  "delete it first, or create another one",
		Invalid: computeresources.FieldErrorOf(err),
	})
}

// checkFixed adds the fields of a workload that cannot change.
//
// Source: k8s.io/kubernetes/pkg/apis/apps/validation and pkg/apis/batch/validation.
func (d *decision) checkFixed(old, stored APIObject) {
	selector := field.NewPath("spec", "selector")
	switch is := stored.(type) {
	case *appsv1.Deployment:
		d.fix(selector, old.(*appsv1.Deployment).Spec.Selector, is.Spec.Selector)
	case *appsv1.ReplicaSet:
		d.fix(selector, old.(*appsv1.ReplicaSet).Spec.Selector, is.Spec.Selector)
	case *appsv1.DaemonSet:
		d.fix(selector, old.(*appsv1.DaemonSet).Spec.Selector, is.Spec.Selector)
	case *appsv1.StatefulSet:
		d.checkFixedStatefulSet(fixedOf(&old.(*appsv1.StatefulSet).Spec), fixedOf(&is.Spec))
	case *batchv1.Job:
		d.checkFixedJob(old.(*batchv1.Job), is)
	}
}

// checkFixedStatefulSet adds the fields of a StatefulSet that cannot change, or up to 1.36 that there are some.
func (d *decision) checkFixedStatefulSet(was, is *appsv1.StatefulSetSpec) {
	spec := field.NewPath("spec")
	if release.Rules(d.namespace.opts.Kubernetes).NamesFixedFields() {
		d.fix(spec.Child("selector"), was.Selector, is.Selector)
		if !equality.Semantic.DeepEqual(was.VolumeClaimTemplates, is.VolumeClaimTemplates) {
			d.refuseChange(field.Invalid(spec.Child("volumeClaimTemplates"), field.OmitValueType{}, "field is immutable"))
		}
		d.fix(spec.Child("serviceName"), was.ServiceName, is.ServiceName)
		d.fix(spec.Child("podManagementPolicy"), was.PodManagementPolicy, is.PodManagementPolicy)
		return
	}
	if !equality.Semantic.DeepEqual(was, is) {
		d.refuseChange(field.Forbidden(spec, "updates to statefulset spec for fields other than 'replicas', 'ordinals', "+
			"'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "+
			"'minReadySeconds' are forbidden"))
	}
}

// fixedOf returns the fields of a StatefulSet that cannot change, with defaults.
func fixedOf(spec *appsv1.StatefulSetSpec) *appsv1.StatefulSetSpec {
	own := spec.DeepCopy()
	own.Replicas, own.Template, own.UpdateStrategy, own.MinReadySeconds = nil, corev1.PodTemplateSpec{},
		appsv1.StatefulSetUpdateStrategy{}, 0
	own.Ordinals, own.RevisionHistoryLimit, own.PersistentVolumeClaimRetentionPolicy = nil, nil, nil
	if own.PodManagementPolicy == "" {
		own.PodManagementPolicy = appsv1.OrderedReadyPodManagement
	}
	for i := range own.VolumeClaimTemplates {
		claim := &own.VolumeClaimTemplates[i]
		claim.TypeMeta, claim.Status = metav1.TypeMeta{}, corev1.PersistentVolumeClaimStatus{}
		claim.Spec.VolumeMode = orDefault(claim.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
		roundTripClaim(claim)
	}
	return own
}

func orDefault[T any](value *T, otherwise T) *T {
	if value == nil {
		return &otherwise
	}
	return value
}

// checkFixedJob adds the fields of a Job that cannot change.
func (d *decision) checkFixedJob(old, stored *batchv1.Job) {
	was, is := &old.Spec, &stored.Spec
	mode, completions := orDefault(is.CompletionMode, batchv1.NonIndexedCompletion), field.NewPath("spec", "completions")
	wasWanted, wanted := completionsOf(was), completionsOf(is)
	switch {
	case *mode != batchv1.IndexedCompletion:
		d.fix(completions, wasWanted, wanted)
	case wanted != nil && !equality.Semantic.DeepEqual(wasWanted, wanted) &&
		int(*wanted) != workload.Replicas(is.Parallelism):
		d.refuseChange(field.Invalid(completions, wanted, "can only be modified in tandem with spec.parallelism"))
	}
	d.fix(field.NewPath("spec", "selector"), was.Selector, is.Selector)
	d.checkFixedTemplate(old, &is.Template)
	d.fix(field.NewPath("spec", "completionMode"), orDefault(was.CompletionMode, batchv1.NonIndexedCompletion), mode)
	if !equality.Semantic.DeepEqual(was.PodFailurePolicy, is.PodFailurePolicy) {
		d.refuseChange(field.Invalid(field.NewPath("spec", "podFailurePolicy"), field.OmitValueType{}, "field is immutable"))
	}
	d.fix(field.NewPath("spec", "backoffLimitPerIndex"), was.BackoffLimitPerIndex, is.BackoffLimitPerIndex)
	d.fix(field.NewPath("spec", "managedBy"), was.ManagedBy, is.ManagedBy)
	if !equality.Semantic.DeepEqual(was.SuccessPolicy, is.SuccessPolicy) {
		d.refuseChange(field.Invalid(field.NewPath("spec", "successPolicy"), field.OmitValueType{}, "field is immutable"))
	}
}

// checkFixedTemplate adds that the template of a Job cannot change. While the Job is suspended and has no pods, what
// decides on nodes can, and since 1.36 requests and limits.
//
// Source: validatePodTemplateUpdate of k8s.io/kubernetes/pkg/apis/batch/validation.
func (d *decision) checkFixedTemplate(old *batchv1.Job, is *corev1.PodTemplateSpec) {
	was, template := &old.Spec.Template, field.NewPath("spec", "template")
	resizes := release.Rules(d.namespace.opts.Kubernetes).ResizesSuspendedJobs()
	isSuspended := old.Spec.Suspend != nil && *old.Spec.Suspend
	isFixed := false
	switch {
	case resizes && hasMutableTemplate(old):
		own := withDirectives(&was.Spec, &is.Spec)
		copyResources(own.Containers, is.Spec.Containers)
		copyResources(own.InitContainers, is.Spec.InitContainers)
		template, isFixed = template.Child("spec"), !equality.Semantic.DeepEqual(own, &is.Spec)
	case !resizes && isSuspended && old.Status.StartTime == nil:
		isFixed = !equality.Semantic.DeepEqual(withDirectives(&was.Spec, &is.Spec), &is.Spec)
	default:
		isFixed = !equality.Semantic.DeepEqual(was, is)
	}
	if isFixed {
		d.refuseChange(field.Invalid(template, field.OmitValueType{}, "field is immutable"))
	}
}

// completionsOf returns the completions of a Job, 1 if neither these nor its parallelism are set.
func completionsOf(spec *batchv1.JobSpec) *int32 {
	if spec.Completions == nil && spec.Parallelism == nil {
		return orDefault(nil, int32(1))
	}
	return spec.Completions
}

// hasMutableTemplate reports whether the template of a Job can change in part, since 1.36.
//
// Source: shouldAllowMutablePodTemplate of k8s.io/kubernetes/pkg/registry/batch/job, v1.37.
func hasMutableTemplate(job *batchv1.Job) bool {
	isSuspended := slices.ContainsFunc(job.Status.Conditions, func(c batchv1.JobCondition) bool {
		return c.Type == batchv1.JobSuspended && c.Status == corev1.ConditionTrue
	})
	return job.Spec.Suspend != nil && *job.Spec.Suspend && (job.Status.StartTime == nil || isSuspended) &&
		job.Status.Active == 0
}

// withDirectives returns a copy of the spec of a template with what decides on nodes and can change in another one.
func withDirectives(old, updated *corev1.PodSpec) *corev1.PodSpec {
	own, is := old.DeepCopy(), updated.DeepCopy()
	own.NodeSelector, own.Tolerations, own.SchedulingGates = is.NodeSelector, is.Tolerations, is.SchedulingGates
	if own.Affinity == nil {
		own.Affinity = &corev1.Affinity{}
	}
	own.Affinity.NodeAffinity = nil
	if is.Affinity != nil {
		own.Affinity.NodeAffinity = is.Affinity.NodeAffinity
	} else if *own.Affinity == (corev1.Affinity{}) {
		own.Affinity = nil
	}
	return own
}

// copyResources sets the resources of containers to those of others. Specs with other containers are not equal in any
// case.
func copyResources(own, others []corev1.Container) {
	for i := range min(len(own), len(others)) {
		own[i].Resources = others[i].Resources
	}
}

// checkSelector adds that the selector of a workload does not match the labels of its template.
func (d *decision) checkSelector(w *workload.Workload) {
	selector, err := metav1.LabelSelectorAsSelector(w.Selector)
	if w.Selector == nil || err != nil || selector.Matches(labels.Set(w.Template.Labels)) {
		return
	}
	mismatch := field.Invalid(field.NewPath("spec", "template", "metadata", "labels"), w.Template.Labels,
		"`selector` does not match template `labels`")
	d.Refusals = slices.Insert(d.Refusals, 0, &Refusal{
		Path: mismatch.Field, What: "the selector does not match the labels of the template",
		Remedy:  "add the labels of the selector to the template",
		Invalid: computeresources.FieldErrorOf(mismatch),
	})
}

// checkFixedClaim adds why a claim cannot change: only a claim that is bound can request more, if its class allows
// that. A claim without a phase is a manifest, and counts as bound.
//
// Source: ValidatePersistentVolumeClaimUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
func (d *decision) checkFixedClaim(old, stored *corev1.PersistentVolumeClaim) {
	was, is := old.Spec.DeepCopy(), stored.Spec.DeepCopy()
	was.VolumeMode, is.VolumeMode = orDefault(was.VolumeMode, corev1.PersistentVolumeFilesystem),
		orDefault(is.VolumeMode, corev1.PersistentVolumeFilesystem)
	fixedMode := *was.VolumeMode != *is.VolumeMode
	if was.VolumeName == "" {
		was.VolumeName = is.VolumeName
	}
	class, isSet := old.Annotations[corev1.BetaStorageClassAnnotation]
	isTaken := was.StorageClassName == nil && is.StorageClassName != nil && (!isSet || *is.StorageClassName == class)
	if isTaken {
		was.StorageClassName = is.StorageClassName
	}
	// Only a class that moves to the spec may leave its annotation.
	now, isKept := stored.Annotations[corev1.BetaStorageClassAnnotation]
	if now != class && (isKept || !isTaken) {
		d.refuseChange(field.Invalid(field.NewPath("metadata", "annotations", corev1.BetaStorageClassAnnotation), now,
			"field is immutable"))
	}
	if isBound(old) {
		was.VolumeAttributesClassName = is.VolumeAttributesClassName
		if is.Resources.Requests != nil {
			is.Resources.Requests[corev1.ResourceStorage] = was.Resources.Requests[corev1.ResourceStorage]
		}
	}
	if !equality.Semantic.DeepEqual(was, is) {
		d.refuseChange(field.Forbidden(field.NewPath("spec"),
			"spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"))
	}
	if p, shrinks := shrinkRefusal(old, stored); shrinks {
		d.Refusals = append(d.Refusals, p)
	}
	if fixedMode {
		d.refuseChange(field.Invalid(field.NewPath("volumeMode"), stored.Spec.VolumeMode, "field is immutable"))
	}
	d.checkAttributesClass(old, stored)
}

// checkAttributesClass adds that a claim loses its VolumeAttributesClass after its volume has got the attributes of one.
func (d *decision) checkAttributesClass(old, stored *corev1.PersistentVolumeClaim) {
	was, is := old.Spec.VolumeAttributesClassName, stored.Spec.VolumeAttributesClassName
	if old.Status.CurrentVolumeAttributesClassName == nil || equality.Semantic.DeepEqual(was, is) {
		return
	}
	removed := "nil"
	if is != nil {
		removed = "empty string"
	}
	if is == nil || *is == "" {
		d.refuseChange(field.Forbidden(field.NewPath("spec", "volumeAttributesClassName"),
			"update to "+removed+" is forbidden when status.currentVolumeAttributesClassName is not nil"))
		d.Refusals[len(d.Refusals)-1].Remedy = "keep the class, or set another one"
	}
}

func isBound(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Status.Phase == "" || claim.Status.Phase == corev1.ClaimBound
}

// checkExpansion adds that the class of a claim does not let it request more.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/storage/persistentvolume/resize.
func (d *decision) checkExpansion(o *Options, old, stored *corev1.PersistentVolumeClaim) {
	was, is := old.Spec.Resources.Requests[corev1.ResourceStorage], stored.Spec.Resources.Requests[corev1.ResourceStorage]
	if is.Cmp(was) <= 0 || !isBound(old) { // which validation refuses
		return
	}
	name, _ := volumeclaim.StorageClass(stored)
	before, _ := volumeclaim.StorageClass(old)
	allows := false
	if i := slices.IndexFunc(o.StorageClasses, func(c *storagev1.StorageClass) bool { return c.Name == name }); i >= 0 {
		allow := o.StorageClasses[i].AllowVolumeExpansion
		allows = name == before && allow != nil && *allow
	} else if !isComplete(o, storageClass, o.StorageClasses) {
		d.Unknown = append(d.Unknown, fmt.Sprintf("%s %q", storageClass, name))
		return
	}
	if !allows {
		d.Refusals = append(d.Refusals, &Refusal{
			Resource: corev1.ResourceStorage, Path: storagePath,
			What:   "claim: its StorageClass " + name + " does not allow volume expansion",
			Remedy: "keep the request, or set allowVolumeExpansion of the class",
			Forbidden: "only dynamically provisioned pvc can be resized and " +
				"the storageclass that provisions the pvc must support resize",
		})
	}
}
