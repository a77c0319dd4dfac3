package affinity_test

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// buildRun clones into a claim that is created for the run, builds, and uses a cache that already
// exists.
func buildRun() *affinity.Run {
	return &affinity.Run{
		Name: "build", Namespace: "ci", UID: "uid-1",
		Labels: map[string]string{"team": "web", "app.kubernetes.io/instance": "helm"},
		Workspaces: []affinity.Workspace{
			{Name: "source", ClaimTemplate: template("")},
			{Name: "scratch"},
			{Name: "cache", ClaimName: "build-cache-pvc"},
		},
		Tasks: []affinity.Task{
			{Name: "unit", Workspaces: []string{"source", "scratch"}, RunAfter: []string{"clone"}},
			{Name: "clone", Workspaces: []string{"source"}},
			{Name: "warm", Workspaces: []string{"cache"}},
			{Name: "notify"},
		},
		Finally: []affinity.Task{{Name: "clean", Workspaces: []string{"scratch", "cache"}}},
	}
}

func template(name string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: list("storage", "1Gi")},
	}}
	claim.Name = name
	return claim
}

// with returns options with a behavior and an image.
func with(b affinity.Behavior) affinity.Options {
	return affinity.Options{Behavior: b, Placeholder: affinity.Placeholder{Image: "nop"}}
}

func planFor(t testkit.TB, run *affinity.Run, opts affinity.Options) *affinity.Plan {
	t.Helper()
	plan, err := affinity.PlanFor(run, opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return plan
}

func owners() []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: "tekton.dev/v1", Kind: "PipelineRun", Name: "build", UID: "uid-1", Controller: &yes, BlockOwnerDeletion: &yes}}
}

// on is the affinity of a task that runs on the node of a placeholder.
func on(assistant string) *corev1.Affinity {
	return &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": assistant}},
		TopologyKey:   "kubernetes.io/hostname",
	}}}}
}

// others is the term that keeps placeholders away from each other.
func others() corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/component": "affinity-assistant"}},
		TopologyKey:   "kubernetes.io/hostname",
	}
}

func apart() *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 100, PodAffinityTerm: others()}}}}
}

// placeholder is the StatefulSet of a plain placeholder.
func placeholder(name string, claims ...string) appsv1.StatefulSet {
	labels := func() map[string]string {
		return map[string]string{"team": "web", "app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": name, "tekton.dev/pipelineRun": "build"}
	}
	one := int32(1)
	set := appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ci", Labels: labels(), OwnerReferences: owners()},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &one,
			Selector: &metav1.LabelSelector{MatchLabels: labels()},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels()},
				Spec: corev1.PodSpec{
					Affinity: apart(),
					Containers: []corev1.Container{{
						Name: "affinity-assistant", Image: "nop",
						Resources: corev1.ResourceRequirements{
							Requests: list("cpu", "50m", "memory", "100Mi"), Limits: list("cpu", "50m", "memory", "100Mi"),
						},
						SecurityContext: &corev1.SecurityContext{},
					}},
				},
			},
		},
	}
	for i, claim := range claims {
		set.Spec.Template.Spec.Volumes = append(set.Spec.Template.Spec.Volumes, corev1.Volume{
			Name:         []string{"workspace-0", "workspace-1"}[i],
			VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}},
		})
	}
	return set
}

// provisioning adds a claim template.
func provisioning(set appsv1.StatefulSet, name string) appsv1.StatefulSet {
	set.Spec.VolumeClaimTemplates = append(set.Spec.VolumeClaimTemplates, *template(name))
	c := &set.Spec.Template.Spec.Containers[0]
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: name})
	return set
}

func createdClaim() corev1.PersistentVolumeClaim {
	claim := *template(sourceClaim)
	claim.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	claim.Namespace = "ci"
	claim.OwnerReferences = owners()
	return claim
}

func provisionedClaim() corev1.PersistentVolumeClaim {
	claim := *template(madeClaim)
	claim.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	claim.Namespace = "ci"
	claim.Labels = placeholder(runAssistant).Labels
	return claim
}
