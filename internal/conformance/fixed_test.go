package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// fixedFields draws updates of what cannot change, and compares which fields are refused with the validation of the API server.
type fixedFields struct{ *rand.Rand }

func (r fixedFields) half() bool { return r.IntN(2) == 0 }

func (r fixedFields) rarely() bool { return r.IntN(5) == 0 }

func pick[T any](r fixedFields, of ...T) T { return of[r.IntN(len(of))] }

func (r fixedFields) template(app string) corev1.PodTemplateSpec {
	container := func(name string) corev1.Container {
		return corev1.Container{Name: name, Image: pick(r, "a:1", "a:1", "a:1", "a:2"), TerminationMessagePolicy: "File", ImagePullPolicy: "Always",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(pick(r, "1", "1", "1", "2"))}}}
	}
	spec := corev1.PodSpec{
		RestartPolicy: "Never", DNSPolicy: "ClusterFirst", TerminationGracePeriodSeconds: new(int64),
		Containers: []corev1.Container{container("app"), container("log")}, InitContainers: []corev1.Container{container("init")},
	}
	if r.rarely() {
		spec.NodeSelector = map[string]string{"a": pick(r, "b", "c")}
	}
	if r.rarely() {
		spec.Tolerations = []corev1.Toleration{{Key: pick(r, "b", "c"), Operator: "Exists"}}
	}
	if r.rarely() {
		spec.Affinity = &corev1.Affinity{}
		if r.half() {
			spec.Affinity.NodeAffinity = &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
				Weight: 1 + int32(r.IntN(2)), Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "a", Operator: "Exists"}}},
			}}}
		}
		if r.rarely() {
			spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{}
		}
	}
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}}, Spec: spec}
}

func (r fixedFields) selector() (*metav1.LabelSelector, string) {
	app := pick(r, "web", "web", "web", "api")
	if r.IntN(9) == 0 {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}, "other"
	}
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}, app
}

func meta() metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1", UID: "u"}
}

func (r fixedFields) job() *batchv1.Job {
	n, no, yes := int32(1+r.IntN(2)), false, true
	job := &batchv1.Job{ObjectMeta: meta(), Spec: batchv1.JobSpec{Parallelism: &n, BackoffLimit: new(int32), ManualSelector: &yes, Suspend: pick(r, &no, &yes, nil)}}
	if r.half() {
		completions := int32(1 + r.IntN(2))
		job.Spec.Completions = &completions
	}
	mode := pick(r, batchv1.NonIndexedCompletion, batchv1.NonIndexedCompletion, batchv1.IndexedCompletion)
	if mode == batchv1.IndexedCompletion && job.Spec.Completions == nil {
		job.Spec.Completions = &n
	}
	job.Spec.CompletionMode = &mode
	selector, app := r.selector()
	job.Spec.Selector, job.Spec.Template = selector, r.template(app)
	if r.rarely() {
		job.Status.StartTime = &metav1.Time{}
	}
	if r.rarely() {
		job.Status.Active = 1
	}
	if r.rarely() {
		job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: pick(r, corev1.ConditionTrue, corev1.ConditionFalse)}}
	}
	if r.rarely() {
		manager := pick(r, "a.example/b", "a.example/c")
		job.Spec.ManagedBy = &manager
	}
	if r.rarely() {
		job.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{Action: pick(r, batchv1.PodFailurePolicyActionIgnore, batchv1.PodFailurePolicyActionCount),
			OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}}}}}
	}
	return job
}

func (r fixedFields) claim(phase corev1.PersistentVolumeClaimPhase) *corev1.PersistentVolumeClaim {
	mode := pick(r, corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeBlock)
	c := &corev1.PersistentVolumeClaim{ObjectMeta: meta(), Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{pick(r, corev1.ReadWriteOnce, corev1.ReadWriteOnce, corev1.ReadWriteMany)}, VolumeMode: &mode,
		Resources:  corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse(pick(r, "1Gi", "2Gi", "3Gi", "1024Mi"))}},
		VolumeName: pick(r, "", "v", "v"),
	}, Status: corev1.PersistentVolumeClaimStatus{Phase: phase, Capacity: corev1.ResourceList{"storage": resource.MustParse(pick(r, "1Gi", "2Gi"))}}}
	if r.half() {
		class := pick(r, "gold", "gold", "tin")
		c.Spec.StorageClassName = &class
	}
	if r.rarely() {
		class := pick(r, "fast", "slow")
		c.Spec.VolumeAttributesClassName = &class
	}
	if r.half() {
		class := pick(r, "", "fast")
		c.Status.CurrentVolumeAttributesClassName = &class
	}
	if r.rarely() {
		c.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: pick(r, "gold", "tin", "")}
	}
	return c
}

func (r fixedFields) statefulSet() *appsv1.StatefulSet {
	selector, app := r.selector()
	n := int32(r.IntN(3))
	s := &appsv1.StatefulSet{ObjectMeta: meta(), Spec: appsv1.StatefulSetSpec{
		Replicas: &n, Selector: selector, Template: r.template(app), ServiceName: pick(r, "a", "a", "a", "b"), MinReadySeconds: n,
		PodManagementPolicy: pick(r, appsv1.OrderedReadyPodManagement, appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement),
		UpdateStrategy:      appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType},
	}}
	s.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
	if r.half() {
		claim := r.claim("")
		claim.ResourceVersion, claim.UID, claim.Namespace, claim.Status = "", "", "", corev1.PersistentVolumeClaimStatus{Phase: "Pending"}
		s.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{*claim}
	}
	return s
}

func (r fixedFields) deployment() *appsv1.Deployment {
	selector, app := r.selector()
	d := &appsv1.Deployment{ObjectMeta: meta(), Spec: appsv1.DeploymentSpec{Replicas: new(int32), Selector: selector, Template: r.template(app), Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}}}
	d.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
	return d
}

func internalOf[T any](t *testing.T, obj any) *T {
	t.Helper()
	out := new(T)
	testkit.OK(t, legacyscheme.Scheme.Convert(obj, out, nil))
	return out
}

// refused returns the fields that are refused for one of the reasons that admit knows.
func refused(errs field.ErrorList) (fields []string) {
	for _, err := range errs {
		for _, reason := range []string{"immutable", "updates to statefulset spec", "does not match template", "in tandem", "status.capacity", "update to"} {
			if strings.Contains(err.Detail, reason) {
				fields = append(fields, err.Field+": "+strings.SplitN(err.Detail, "\n", 2)[0])
				break
			}
		}
	}
	return fields
}

// TestFixedFields compares 4 times 1,000 drawn updates.
func TestFixedFields(t *testing.T) {
	namespace, err := admit.Compile(nil, nil, admit.Options{Kubernetes: kubernetes})
	testkit.OK(t, err)
	r, admitted := fixedFields{rand.New(rand.NewPCG(1, 2))}, 0
	compare := func(old, updated admit.APIObject, theirs field.ErrorList) {
		t.Helper()
		d := namespace.Update(old, updated, admit.Attributes{})
		var ours field.ErrorList
		for _, refusal := range d.Refusals {
			ours = append(ours, refusal.Invalid.Field(nil))
		}
		want, got := strings.Join(refused(theirs), "; "), strings.Join(refused(ours), "; ")
		if want != got {
			t.Errorf("%T: upstream %q, kubemath %q", updated, want, got)
		}
		if got == "" {
			admitted++
		} else if !apierrors.IsInvalid(d.Err()) {
			t.Errorf("%T: %v", updated, d.Err())
		}
	}
	for range 1000 {
		oldJob, job := r.job(), r.job()
		if r.half() {
			job = oldJob.DeepCopy()
			job.Spec.Template = r.template("web")
		}
		job.Status = oldJob.Status
		isSuspended := len(oldJob.Status.Conditions) > 0 && oldJob.Status.Conditions[0].Status == corev1.ConditionTrue
		mutable := oldJob.Spec.Suspend != nil && *oldJob.Spec.Suspend && (oldJob.Status.StartTime == nil || isSuspended) && oldJob.Status.Active == 0
		compare(oldJob, job, batchvalidation.ValidateJobUpdate(internalOf[batch.Job](t, job), internalOf[batch.Job](t, oldJob),
			batchvalidation.JobValidationOptions{AllowMutableSchedulingDirectives: mutable, AllowMutablePodResources: mutable}))

		oldSet, set := r.statefulSet(), r.statefulSet()
		if r.half() {
			set = oldSet.DeepCopy()
			set.Spec.Template.Spec.Containers[0].Image, set.Spec.Replicas = "b", new(int32)
		}
		compare(oldSet, set, upstreamStatefulSetUpdateErrors(internalOf[apps.StatefulSet](t, set), internalOf[apps.StatefulSet](t, oldSet)))

		oldDeployment, deployment := r.deployment(), r.deployment()
		compare(oldDeployment, deployment, appsvalidation.ValidateDeploymentUpdate(internalOf[apps.Deployment](t, deployment), internalOf[apps.Deployment](t, oldDeployment), corevalidation.PodValidationOptions{}))

		oldClaim := r.claim(pick(r, corev1.ClaimBound, corev1.ClaimBound, corev1.ClaimPending, corev1.ClaimLost))
		claim := r.claim(oldClaim.Status.Phase)
		if r.half() {
			grown := claim.Spec.Resources
			claim = oldClaim.DeepCopy()
			claim.Spec.Resources = grown
		}
		claim.Status = oldClaim.Status
		internal, was := internalOf[core.PersistentVolumeClaim](t, claim), internalOf[core.PersistentVolumeClaim](t, oldClaim)
		compare(oldClaim, claim, corevalidation.ValidatePersistentVolumeClaimUpdate(internal, was, corevalidation.ValidationOptionsForPersistentVolumeClaim(internal, was)))
	}
	if admitted < 500 || admitted > 3500 {
		t.Errorf("%d of 4000 updates are admitted", admitted)
	}
}
