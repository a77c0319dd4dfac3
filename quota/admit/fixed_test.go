package admit_test

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func selector(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func templateOf(app string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}}, Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Container("init", list("cpu", "1"), nil)},
		Containers:     []corev1.Container{testkit.Container("app", list("cpu", "1"), nil), testkit.Container("log", list("cpu", "1"), nil)},
	}}
}

// Updates of one field each. The messages are those of v1.36.3, but for the value of a template.
func TestFixedFields(t *testing.T) {
	job := func(change func(job *batchv1.Job)) *batchv1.Job {
		job := stored(&batchv1.Job{ObjectMeta: named("once"), Spec: batchv1.JobSpec{
			Parallelism: pointer[int32](2), Completions: pointer[int32](2), Selector: selector("web"), Template: templateOf("web"),
		}})
		change(job)
		return job
	}
	same := func(*batchv1.Job) {}
	suspended := func(job *batchv1.Job) { job.Spec.Suspend = pointer(true) }
	indexed := func(job *batchv1.Job) { job.Spec.CompletionMode = pointer(batchv1.IndexedCompletion) }
	both := func(changes ...func(*batchv1.Job)) func(*batchv1.Job) {
		return func(job *batchv1.Job) {
			for _, change := range changes {
				change(job)
			}
		}
	}
	each := func(job *batchv1.Job) {
		job.Spec.BackoffLimitPerIndex, job.Spec.ManagedBy = pointer[int32](1), pointer("kueue")
		job.Spec.PodFailurePolicy, job.Spec.SuccessPolicy = &batchv1.PodFailurePolicy{}, &batchv1.SuccessPolicy{}
	}
	image := func(job *batchv1.Job) { job.Spec.Template.Spec.Containers[1].Image = "log:2" }
	amounts := func(job *batchv1.Job) {
		job.Spec.Template.Spec.Containers[1].Resources.Requests = list("cpu", "2")
		job.Spec.Template.Spec.InitContainers[0].Resources.Requests = list("cpu", "2")
	}
	directives := func(job *batchv1.Job) {
		spec := &job.Spec.Template.Spec
		spec.NodeSelector, spec.Tolerations = map[string]string{"a": "b"}, []corev1.Toleration{{Key: "k"}}
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
		job.Spec.Template.Labels["app"] = "web"
		job.Spec.Template.Annotations = map[string]string{"kueue": "yes"}
	}
	antiAffinity := func(job *batchv1.Job) {
		job.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
	}
	deployment := func(of, labels string) *appsv1.Deployment {
		return stored(&appsv1.Deployment{ObjectMeta: named("web"), Spec: appsv1.DeploymentSpec{Selector: selector(of), Template: templateOf(labels)}})
	}
	replicaSet := func(of, labels string) *appsv1.ReplicaSet {
		return stored(&appsv1.ReplicaSet{ObjectMeta: named("web"), Spec: appsv1.ReplicaSetSpec{Selector: selector(of), Template: templateOf(labels)}})
	}
	daemonSet := func(of, labels string) *appsv1.DaemonSet {
		return stored(&appsv1.DaemonSet{ObjectMeta: named("web"), Spec: appsv1.DaemonSetSpec{Selector: selector(of), Template: templateOf(labels)}})
	}
	controller := func(of, labels string) *corev1.ReplicationController {
		return stored(&corev1.ReplicationController{ObjectMeta: named("web"), Spec: corev1.ReplicationControllerSpec{
			Selector: map[string]string{"app": of}, Template: pointer(templateOf(labels)),
		}})
	}
	set := func(change func(spec *appsv1.StatefulSetSpec)) *appsv1.StatefulSet {
		s := stored(&appsv1.StatefulSet{ObjectMeta: named("db"), Spec: appsv1.StatefulSetSpec{
			ServiceName: "db", Selector: selector("db"), Template: templateOf("db"), VolumeClaimTemplates: []corev1.PersistentVolumeClaim{*volumeClaim("1Gi")},
		}})
		change(&s.Spec)
		return s
	}
	const (
		ofJob       = `Job.batch "once" is invalid: `
		immutable   = `: field is immutable`
		mismatch    = `spec.template.metadata.labels: Invalid value: {"app":"api"}: ` + "`selector` does not match template `labels`"
		newSelector = `spec.selector: Invalid value: {"matchLabels":{"app":"api"}}: field is immutable`
		ofSet       = `StatefulSet.apps "db" is invalid: spec.`
	)
	for _, test := range []struct {
		name         string
		old, updated admit.APIObject
		err          string
	}{
		{"a Job as it is", job(same), job(func(job *batchv1.Job) { job.Spec.CompletionMode = pointer(batchv1.NonIndexedCompletion) }), ""},
		{"a Job with each field, as it is", job(both(indexed, each)), job(both(indexed, each)), ""},
		{"parallelism alone of an indexed Job", job(indexed), job(both(indexed, func(job *batchv1.Job) { job.Spec.Parallelism = pointer[int32](1) })), ""},
		{"completions of an indexed Job that are removed", job(indexed), job(both(indexed, func(job *batchv1.Job) { job.Spec.Completions = nil })), ""}, // which is invalid for another reason
		{"parallelism", job(same), job(func(job *batchv1.Job) { job.Spec.Parallelism = pointer[int32](1) }), ""},
		{"completions", job(same), job(func(job *batchv1.Job) { job.Spec.Completions = pointer[int32](3) }), ofJob + `spec.completions: Invalid value: 3: field is immutable`},
		{"completions that are set to their default", job(func(job *batchv1.Job) { job.Spec.Completions, job.Spec.Parallelism = nil, nil }), job(func(job *batchv1.Job) {
			job.Spec.Completions, job.Spec.Parallelism = pointer[int32](1), pointer[int32](1)
		}), ""},
		{"completions without parallelism", job(func(job *batchv1.Job) { job.Spec.Parallelism = nil }), job(func(job *batchv1.Job) {
			job.Spec.Completions, job.Spec.Parallelism = pointer[int32](3), nil
		}), ofJob + `spec.completions: Invalid value: 3: field is immutable`},
		{"completions of a queue", job(func(job *batchv1.Job) { job.Spec.Completions = nil }), job(func(job *batchv1.Job) { job.Spec.Completions = pointer[int32](1) }), ofJob + `spec.completions: Invalid value: 1: field is immutable`},
		{"completions of an indexed Job", job(indexed), job(both(indexed, func(job *batchv1.Job) {
			job.Spec.Completions, job.Spec.Parallelism = pointer[int32](3), pointer[int32](3)
		})), ""},
		{"completions alone of an indexed Job", job(indexed), job(both(indexed, func(job *batchv1.Job) { job.Spec.Completions = pointer[int32](3) })), ofJob + `spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism`},
		{"completion mode", job(same), job(indexed), ofJob + `spec.completionMode: Invalid value: "Indexed": field is immutable`},
		{"a selector", job(same), job(func(job *batchv1.Job) { job.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{} }), ""},
		{"a failure policy", job(same), job(func(job *batchv1.Job) { job.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{} }), ofJob + `spec.podFailurePolicy: Invalid value` + immutable},
		{"a success policy", job(same), job(func(job *batchv1.Job) { job.Spec.SuccessPolicy = &batchv1.SuccessPolicy{} }), ofJob + `spec.successPolicy: Invalid value` + immutable},
		{"a limit by index", job(same), job(func(job *batchv1.Job) { job.Spec.BackoffLimitPerIndex = pointer[int32](1) }), ofJob + `spec.backoffLimitPerIndex: Invalid value: 1: field is immutable`},
		{"a manager", job(same), job(func(job *batchv1.Job) { job.Spec.ManagedBy = pointer("kueue") }), ofJob + `spec.managedBy: Invalid value: "kueue": field is immutable`},
		{"an image", job(same), job(image), ofJob + `spec.template: Invalid value` + immutable},
		{"an image of a suspended Job", job(suspended), job(both(suspended, image)), ofJob + `spec.template.spec: Invalid value` + immutable},
		{"amounts", job(same), job(amounts), ofJob + `spec.template: Invalid value` + immutable},
		{"amounts in another format", job(same), job(func(job *batchv1.Job) { job.Spec.Template.Spec.Containers[1].Resources.Requests = list("cpu", "1000m") }), ""},
		{"a container of a suspended Job", job(suspended), job(both(suspended, func(job *batchv1.Job) {
			job.Spec.Template.Spec.Containers = job.Spec.Template.Spec.Containers[:1]
		})), ofJob + `spec.template.spec: Invalid value` + immutable},
		{"amounts of a suspended Job", job(suspended), job(both(suspended, amounts)), ""},
		{"amounts of a Job that is resumed", job(suspended), job(amounts), ""},
		{"amounts of a Job that was suspended after its start", job(both(suspended, func(job *batchv1.Job) {
			job.Status.StartTime = &metav1.Time{}
			job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}
		})), job(both(suspended, amounts)), ""},
		{"amounts of a Job that is not suspended yet", job(both(suspended, func(job *batchv1.Job) { job.Status.StartTime = &metav1.Time{} })), job(both(suspended, amounts)), ofJob + `spec.template: Invalid value` + immutable},
		{"amounts of a Job that has pods", job(both(suspended, func(job *batchv1.Job) { job.Status.Active = 1 })), job(both(suspended, amounts)), ofJob + `spec.template: Invalid value` + immutable},
		{"directives", job(suspended), job(both(suspended, directives)), ""},
		{"directives that are removed", job(both(suspended, directives)), job(suspended), ""},
		{"anti-affinity", job(both(suspended, directives)), job(both(suspended, antiAffinity)), ofJob + `spec.template.spec: Invalid value` + immutable},
		{"a Deployment as it is", deployment("web", "web"), deployment("web", "web"), ""},
		{"another selector", deployment("web", "web"), deployment("api", "api"), `Deployment.apps "web" is invalid: ` + newSelector},
		{"other labels", deployment("web", "web"), deployment("web", "api"), `Deployment.apps "web" is invalid: ` + mismatch},
		{"a selector of a ReplicaSet", replicaSet("web", "web"), replicaSet("api", "api"), `ReplicaSet.apps "web" is invalid: ` + newSelector},
		{"a selector of a DaemonSet", daemonSet("web", "web"), daemonSet("api", "api"), `DaemonSet.apps "web" is invalid: ` + newSelector},
		{"a selector of a ReplicationController", controller("web", "web"), controller("api", "api"), ""},
		{"labels of a ReplicationController", controller("web", "web"), controller("web", "api"), `ReplicationController "web" is invalid: ` + mismatch},
		{"a StatefulSet as it is", set(func(*appsv1.StatefulSetSpec) {}), set(func(s *appsv1.StatefulSetSpec) {
			s.PodManagementPolicy, s.VolumeClaimTemplates[0].Spec.VolumeMode = appsv1.OrderedReadyPodManagement, pointer(corev1.PersistentVolumeFilesystem)
			s.VolumeClaimTemplates[0].Status.Phase = corev1.ClaimPending
		}), ""},
		{"what can change", set(func(*appsv1.StatefulSetSpec) {}), set(func(s *appsv1.StatefulSetSpec) {
			s.Replicas, s.MinReadySeconds, s.RevisionHistoryLimit, s.Ordinals = pointer[int32](9), 3, pointer[int32](1), &appsv1.StatefulSetOrdinals{Start: 1}
			s.PersistentVolumeClaimRetentionPolicy, s.UpdateStrategy.Type = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{}, appsv1.OnDeleteStatefulSetStrategyType
			s.Template.Spec.Containers[1].Image = "log:2"
		}), ""},
		{"claim templates", set(func(*appsv1.StatefulSetSpec) {}), set(func(s *appsv1.StatefulSetSpec) {
			s.VolumeClaimTemplates[0].Spec.Resources.Requests = list("storage", "2Gi")
		}), ofSet + `volumeClaimTemplates: Invalid value` + immutable},
		{"a service", set(func(*appsv1.StatefulSetSpec) {}), set(func(s *appsv1.StatefulSetSpec) { s.ServiceName = "other" }), ofSet + `serviceName: Invalid value: "other"` + immutable},
		{"a policy", set(func(*appsv1.StatefulSetSpec) {}), set(func(s *appsv1.StatefulSetSpec) { s.PodManagementPolicy = appsv1.ParallelPodManagement }), ofSet + `podManagementPolicy: Invalid value: "Parallel"` + immutable},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := compile(t, nil, nil, admit.Options{}).Update(test.old, test.updated, admit.Attributes{})
			wantErr(t, d.Err(), test.err)
			for _, r := range d.Refusals {
				want := "the " + d.Subject.Kind.Kind + " is there, and " + r.Path + " cannot change: delete it first, or create another one"
				if r.Path == "spec.template.metadata.labels" {
					want = "the selector does not match the labels of the template: add the labels of the selector to the template"
				}
				testkit.Equal(t, r.Error(), want)
				testkit.Equal(t, strings.Contains(test.err, r.Path), true, r.Path)
			}
		})
	}
	// Up to 1.35, a Job that has not started can only change what decides on nodes, also if it has pods.
	earlier := compile(t, nil, nil, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.35"}})
	started := func(job *batchv1.Job) {
		job.Status.StartTime = &metav1.Time{}
		job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}
	}
	hasPods := func(job *batchv1.Job) { job.Status.Active = 1 }
	for _, test := range []struct {
		old, updated *batchv1.Job
		err          string
	}{
		{job(suspended), job(both(suspended, amounts)), ofJob + `spec.template: Invalid value` + immutable},
		{job(suspended), job(both(suspended, directives)), ""},
		{job(both(suspended, hasPods)), job(both(suspended, directives)), ""},
		{job(both(suspended, started)), job(both(suspended, directives)), ofJob + `spec.template: Invalid value` + immutable},
		{job(same), job(directives), ofJob + `spec.template: Invalid value` + immutable},
	} {
		wantErr(t, earlier.Update(test.old, test.updated, admit.Attributes{}).Err(), test.err)
	}
	namespace := compile(t, nil, nil, admit.Options{})
	wantErr(t, namespace.Create(deployment("web", "api"), admit.Attributes{}).Err(), `Deployment.apps "web" is invalid: `+mismatch)
	wantErr(t, namespace.Create(deployment("web", "web"), admit.Attributes{}).Err(), "")
	d := namespace.Update(stored(&corev1.ReplicationController{ObjectMeta: named("web")}), controller("web", "web"), admit.Attributes{})
	testkit.Equal(t, d.Admitted() && d.Pods != nil, true, "a controller that gets its first template")
}

// Each field of a StatefulSet that can change up to 1.36 can change alone.
func TestFieldsOfStatefulSetsUpTo136(t *testing.T) {
	set := func() *appsv1.StatefulSet {
		return stored(&appsv1.StatefulSet{ObjectMeta: named("db"), Spec: appsv1.StatefulSetSpec{Selector: selector("db"), Template: templateOf("db")}})
	}
	for name, change := range map[string]func(spec *appsv1.StatefulSetSpec){
		"replicas":             func(s *appsv1.StatefulSetSpec) { s.Replicas = pointer[int32](9) },
		"ordinals":             func(s *appsv1.StatefulSetSpec) { s.Ordinals = &appsv1.StatefulSetOrdinals{Start: 1} },
		"template":             func(s *appsv1.StatefulSetSpec) { s.Template.Spec.Containers[1].Image = "log:2" },
		"updateStrategy":       func(s *appsv1.StatefulSetSpec) { s.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType },
		"revisionHistoryLimit": func(s *appsv1.StatefulSetSpec) { s.RevisionHistoryLimit = pointer[int32](1) },
		"minReadySeconds":      func(s *appsv1.StatefulSetSpec) { s.MinReadySeconds = 3 },
		"persistentVolumeClaimRetentionPolicy": func(s *appsv1.StatefulSetSpec) {
			s.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{}
		},
	} {
		updated := set()
		change(&updated.Spec)
		if err := compile(t, nil, nil, ofRelease("1.36")).Update(set(), updated, admit.Attributes{}).Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFixedClaims(t *testing.T) {
	claim := func(phase corev1.PersistentVolumeClaimPhase, storage, class string, change func(claim *corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
		c := stored(volumeClaim(storage))
		c.Spec.StorageClassName, c.Status.Phase, c.Status.Capacity = pointer(class), phase, list("storage", "5Gi")
		if change != nil {
			change(c)
		}
		return c
	}
	annotated := func(c *corev1.PersistentVolumeClaim) {
		c.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: "gold"}
	}
	beta := func(c *corev1.PersistentVolumeClaim) {
		annotated(c)
		c.Spec.StorageClassName = nil
	}
	attributes := func(class *string) *corev1.PersistentVolumeClaim {
		return claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = class })
	}
	current := claim("Bound", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) {
		c.Spec.VolumeAttributesClassName, c.Status.CurrentVolumeAttributesClassName = pointer("fast"), pointer("fast")
	})
	pending := attributes(pointer("fast"))
	pending.Status.Phase = "Bound"
	yes, no := true, false
	classes := admit.Options{StorageClasses: []*storagev1.StorageClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "gold"}, AllowVolumeExpansion: &yes}, {ObjectMeta: metav1.ObjectMeta{Name: "tin"}, AllowVolumeExpansion: &no}, {ObjectMeta: metav1.ObjectMeta{Name: "tape"}},
	}}
	some := classes
	some.Incomplete = []string{"StorageClass"}
	const (
		fixed      = `PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims`
		annotation = `PersistentVolumeClaim "data" is invalid: metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: `
		attributed = `PersistentVolumeClaim "data" is invalid: spec.volumeAttributesClassName: Forbidden: update to `
		noClass    = `persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`
	)
	for _, test := range []struct {
		name         string
		opts         admit.Options
		old, updated *corev1.PersistentVolumeClaim
		err, unknown string
	}{
		{"a bound claim grows", classes, claim("Bound", "5Gi", "gold", nil), claim("", "9Gi", "gold", nil), "", ""},
		{"a manifest grows", classes, claim("", "5Gi", "gold", nil), claim("", "9Gi", "gold", nil), "", ""},
		{"a claim that is not bound grows", classes, claim("Pending", "5Gi", "gold", nil), claim("", "9Gi", "gold", nil), fixed, ""},
		{"a claim that is not bound grows, of a class that does not allow it", classes, claim("Pending", "5Gi", "tin", nil), claim("", "9Gi", "tin", nil), fixed, ""},
		{"a claim that is lost grows", classes, claim("Lost", "5Gi", "gold", nil), claim("", "9Gi", "gold", nil), fixed, ""},
		{"a class that does not allow it", classes, claim("Bound", "5Gi", "tin", nil), claim("", "9Gi", "tin", nil), noClass, ""},
		{"a class that does not say so", some, claim("Bound", "5Gi", "tape", nil), claim("", "9Gi", "tape", nil), noClass, ""},
		{"a class that is gone", classes, claim("Bound", "5Gi", "old", nil), claim("", "9Gi", "old", nil), noClass, ""},
		{"a class that is not known", some, claim("Bound", "5Gi", "old", nil), claim("", "9Gi", "old", nil), "", `StorageClass "old"`},
		{"no class", classes, claim("Bound", "5Gi", "", nil), claim("", "9Gi", "", nil), noClass, ""},
		{"nothing is known", admit.Options{}, claim("Bound", "5Gi", "tin", nil), claim("", "9Gi", "tin", nil), "", `StorageClass "tin"`},
		{"a class by annotation, which comes first", classes, claim("Bound", "5Gi", "tin", annotated), claim("", "9Gi", "tin", annotated), "", ""},
		{"a volume that is larger than the request", classes, claim("Bound", "5Gi", "tin", func(c *corev1.PersistentVolumeClaim) { c.Status.Capacity = list("storage", "10Gi") }), claim("", "9Gi", "tin", nil), noClass, ""},
		{"the same size", classes, claim("Bound", "5Gi", "tin", nil), claim("", "5120Mi", "tin", nil), "", ""},
		{"a bound claim shrinks", classes, claim("Bound", "9Gi", "gold", nil), claim("", "5Gi", "gold", nil), `PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`, ""},
		{"another class", classes, claim("Bound", "5Gi", "gold", nil), claim("", "5Gi", "tin", nil), fixed, ""},
		{"a class for a claim without one", classes, claim("Bound", "5Gi", "", func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = nil }), claim("", "5Gi", "tin", nil), "", ""},
		{"a class for a claim without one, which grows", classes, claim("Bound", "5Gi", "", func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = nil }), claim("", "9Gi", "gold", nil), noClass, ""},
		{"the class of the annotation", classes, claim("Bound", "5Gi", "", beta), claim("", "5Gi", "gold", annotated), "", ""},
		{"another class than that of the annotation", classes, claim("Bound", "5Gi", "", beta), claim("", "5Gi", "tin", annotated), fixed, ""},
		{"an annotation that the class of the spec replaces", classes, claim("Bound", "5Gi", "", beta), claim("", "5Gi", "gold", nil), "", ""},
		{"an annotation that goes", classes, claim("Bound", "5Gi", "gold", annotated), claim("", "5Gi", "gold", nil), annotation + `"": field is immutable`, ""},
		{"an annotation that comes with its class", classes, claim("Bound", "5Gi", "", func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = nil }), claim("", "5Gi", "gold", annotated), annotation + `"gold": field is immutable`, ""},
		{"a volume", classes, claim("Pending", "5Gi", "gold", nil), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" }), "", ""},
		{"another volume", classes, claim("Bound", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "w" }), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" }), fixed, ""},
		{"an access mode", classes, claim("Bound", "5Gi", "gold", nil), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"ReadWriteMany"}
		}), fixed, ""},
		{"attributes", classes, claim("Bound", "5Gi", "gold", nil), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = pointer("fast") }), "", ""},
		{"other attributes than those of the volume", classes, current, attributes(pointer("slow")), "", ""},
		{"the attributes of the volume are removed", classes, current, attributes(nil), attributed + "nil is forbidden when status.currentVolumeAttributesClassName is not nil", ""},
		{"the attributes of the volume are empty", classes, current, attributes(pointer("")), attributed + "empty string is forbidden when status.currentVolumeAttributesClassName is not nil", ""},
		{"attributes that the volume has not got yet are removed", classes, pending, attributes(nil), "", ""},
		{"another mode", classes, claim("Bound", "5Gi", "gold", nil), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeMode = pointer(corev1.PersistentVolumeBlock) }),
			strings.Replace(fixed, "spec:", "[spec:", 1) + `, volumeMode: Invalid value: "Block": field is immutable]`, ""},
		{"the default mode", classes, claim("Bound", "5Gi", "gold", nil), claim("", "5Gi", "gold", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeMode = pointer(corev1.PersistentVolumeFilesystem) }), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := compile(t, nil, nil, test.opts).Update(test.old, test.updated, admit.Attributes{})
			wantErr(t, d.Err(), test.err)
			if len(d.Unknown) > 0 != (test.unknown != "") || test.unknown != "" && d.Unknown[0] != test.unknown {
				t.Errorf("unknown %v", d.Unknown)
			}
			want := []string{"the PersistentVolumeClaim is there, and spec cannot change: delete it first, or create another one", "", "spec"}
			switch {
			case test.err == "":
				return
			case test.err == noClass:
				want = []string{"claim: its StorageClass " + *test.updated.Spec.StorageClassName + " does not allow volume expansion: keep the request, or set allowVolumeExpansion of the class", "storage", "spec.resources.requests[storage]"}
			case strings.Contains(test.err, "status.capacity"):
				want = []string{"claim: storage request 5Gi is not above the capacity 5Gi: raise the request", "storage", "spec.resources.requests[storage]"}
			case strings.HasPrefix(test.err, annotation):
				want = []string{"the PersistentVolumeClaim is there, and metadata.annotations.volume.beta.kubernetes.io/storage-class cannot change: delete it first, or create another one", "", "metadata.annotations.volume.beta.kubernetes.io/storage-class"}
			case strings.HasPrefix(test.err, attributed):
				want = []string{"the PersistentVolumeClaim is there, and spec.volumeAttributesClassName cannot change: keep the class, or set another one", "", "spec.volumeAttributesClassName"}
			}
			r := d.Refusals[0]
			testkit.Equal(t, len(d.Refusals), 1+strings.Count(test.err, ", volumeMode"))
			testkit.NoDiff(t, []string{r.Error(), string(r.Resource), r.Path}, want)
		})
	}
}

// Up to 1.36, a StatefulSet has one message for all fields that cannot change.
func TestFixedFieldsOfOlderStatefulSets(t *testing.T) {
	old := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Spec: appsv1.StatefulSetSpec{ServiceName: "db"}}
	updated := old.DeepCopy()
	updated.Spec.ServiceName, updated.Spec.PodManagementPolicy = "other", appsv1.ParallelPodManagement
	namespace, err := admit.Compile(nil, nil, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}})
	testkit.OK(t, err)
	want := `StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', ` +
		`'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`
	testkit.Equal(t, namespace.Update(old, updated, admit.Attributes{}).Err().Error(), want, "the error of 1.36")
}
