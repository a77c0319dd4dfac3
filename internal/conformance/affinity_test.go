package conformance

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	upstreamapps "k8s.io/kubernetes/pkg/apis/apps/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	upstreamcore "k8s.io/kubernetes/pkg/apis/core/v1"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runNames are names of runs, workspaces and templates, most of them invalid.
var runNames = []string{
	"a", "build-1", "my.cache", "A", "-", "a-", "under_score", "ä", "", strings.Repeat("x", 52), strings.Repeat("x", 53),
	strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x", 242), strings.Repeat("x", 243),
}

func drawRun(t *rapid.T) *affinity.Run {
	run := &affinity.Run{
		Name: rapid.SampledFrom(runNames).Draw(t, "run"), Namespace: "ci", UID: "uid",
		Labels: map[string]string{"team": rapid.SampledFrom([]string{"web", "web", "-"}).Draw(t, "label")},
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(runNames[:4]), 0, 3, rapid.ID).Draw(t, "workspaces") {
		w := affinity.Workspace{Name: name}
		switch rapid.IntRange(0, 2).Draw(t, "claim") {
		case 0:
			w.ClaimName = rapid.SampledFrom(runNames[:5]).Draw(t, "claim name")
		case 1:
			w.ClaimTemplate = &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1Gi")},
			}}
			w.ClaimTemplate.Name = rapid.SampledFrom(runNames).Draw(t, "template")
		}
		run.Workspaces = append(run.Workspaces, w)
		run.Tasks = append(run.Tasks, affinity.Task{Name: "t-" + name, Workspaces: []string{name}})
	}
	return run
}

var behaviors = []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated, affinity.Disabled}

// The API server accepts planned objects: StatefulSets, their pods, claims, and the affinity of tasks.
// It would reject the objects of runs that are refused for their names.
func TestPlansAreValid(t *testing.T) {
	planned, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run := drawRun(t)
		opts := affinity.Options{
			Behavior:    rapid.SampledFrom(behaviors).Draw(t, "behavior"),
			LabelClaims: rapid.Bool().Draw(t, "label claims"),
			Placeholder: affinity.Placeholder{Image: "nop", Args: []string{"run"}},
		}
		plan, err := affinity.PlanFor(run, opts)
		if err != nil {
			rejected++
			if faults := upstreamFaults(planAnyway(t, run, opts)); len(faults) == 0 {
				t.Fatalf("the API server would take what is rejected: %v", err)
			}
			return
		}
		planned++
		if faults := upstreamFaults(plan); len(faults) > 0 {
			t.Fatalf("the API server would not take: %v", faults.ToAggregate())
		}
	})
	if planned == 0 || rejected == 0 {
		t.Errorf("%d planned, %d rejected", planned, rejected)
	}
}

// planAnyway plans a run without the names that are rejected, and puts them into the plan.
func planAnyway(t *rapid.T, run *affinity.Run, opts affinity.Options) *affinity.Plan {
	fixed := *run
	fixed.Name, fixed.Labels, fixed.Workspaces = "run", map[string]string{"team": "web"}, nil
	wanted := map[string]string{} // names, by those in the plan
	for _, w := range run.Workspaces {
		if w.ClaimName != "" {
			wanted["claim-"+strings.ToLower(w.Name)+"-x"] = w.ClaimName
			w.ClaimName = "claim-" + strings.ToLower(w.Name) + "-x"
		}
		if w.ClaimTemplate != nil {
			before := affinity.Workspace{Name: w.Name}.GeneratedClaimName(run.UID, "")
			after := w.GeneratedClaimName(run.UID, "")
			made := w.GeneratedClaimName(run.UID, "run")
			w.ClaimTemplate = w.ClaimTemplate.DeepCopy()
			w.ClaimTemplate.Name = ""
			wanted[before] = after
			if opts.Behavior == affinity.PerRun || opts.Behavior == affinity.PerRunIsolated {
				wanted[before] = strings.TrimSuffix(made, "-"+affinity.Workspace{}.AssistantName("run")+"-0")
			}
		}
		fixed.Workspaces = append(fixed.Workspaces, w)
	}
	plan, err := affinity.PlanFor(&fixed, opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for i := range plan.Claims {
		plan.Claims[i].Name = wanted[plan.Claims[i].Name]
		if opts.LabelClaims {
			plan.Claims[i].Labels["tekton.dev/pipelineRun"] = run.Name
		}
	}
	plan.Provisioned = nil
	for i := range plan.StatefulSets {
		set := &plan.StatefulSets[i]
		set.Labels["tekton.dev/pipelineRun"], set.Labels["team"] = run.Name, run.Labels["team"]
		for j := range set.Spec.VolumeClaimTemplates {
			set.Spec.VolumeClaimTemplates[j].Name = wanted[set.Spec.VolumeClaimTemplates[j].Name]
			set.Spec.Template.Spec.Containers[0].VolumeMounts[j].Name = set.Spec.VolumeClaimTemplates[j].Name
		}
		for j := range set.Spec.Template.Spec.Volumes {
			claim := set.Spec.Template.Spec.Volumes[j].PersistentVolumeClaim
			if name, is := wanted[claim.ClaimName]; is {
				claim.ClaimName = name
			}
		}
	}
	// A run's own name and labels are invalid on the run itself.
	plan.Claims = append(plan.Claims, corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "run", Namespace: "ci", Labels: map[string]string{"tekton.dev/pipelineRun": run.Name, "team": run.Labels["team"]}},
		Spec:       corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1Gi")}},
	})
	for _, w := range run.Workspaces { // and so are the claims that are assumed to exist
		if w.ClaimName != "" {
			claim := plan.Claims[len(plan.Claims)-1].DeepCopy()
			claim.Name, claim.Labels = w.ClaimName, nil
			plan.Claims = append(plan.Claims, *claim)
		}
	}
	if run.Name == "" {
		plan.Claims[0].Name = "" // a run has a name
	}
	return plan
}

// upstreamFaults returns what the API server objects to.
func upstreamFaults(plan *affinity.Plan) (faults field.ErrorList) {
	for i := range plan.StatefulSets {
		faults = append(faults, validateStatefulSet(plan.StatefulSets[i].DeepCopy())...)
	}
	for _, claims := range [...][]corev1.PersistentVolumeClaim{plan.Claims, plan.Provisioned} {
		for i := range claims {
			faults = append(faults, validateClaim(claims[i].DeepCopy())...)
		}
	}
	for _, task := range plan.Tasks {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "task", Namespace: "ci"}}
		pod.Annotations = map[string]string{affinity.AssistantAnnotation: task.Assistant}
		pod.Spec.Affinity = task.Affinity.DeepCopy()
		pod.Spec.Containers = []corev1.Container{{Name: "step", Image: "nop"}}
		faults = append(faults, validatePod(pod)...)
	}
	return faults
}

func validateStatefulSet(set *appsv1.StatefulSet) (faults field.ErrorList) {
	upstreamapps.SetObjectDefaults_StatefulSet(set)
	var internal apps.StatefulSet
	if err := upstreamapps.Convert_v1_StatefulSet_To_apps_StatefulSet(set, &internal, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	faults = append(faults, upstreamStatefulSetErrors(&internal)...)
	pod := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Name, pod.Namespace = set.Name+"-0", set.Namespace
	for i := range set.Spec.VolumeClaimTemplates { // as its controller does
		claim := set.Spec.VolumeClaimTemplates[i].DeepCopy()
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name + "-" + set.Name + "-0"},
		}})
		claim.Name, claim.Namespace = claim.Name+"-"+set.Name+"-0", set.Namespace
		faults = append(faults, validateClaim(claim)...)
	}
	return append(faults, validatePod(pod)...)
}

func validatePod(pod *corev1.Pod) field.ErrorList {
	upstreamcore.SetObjectDefaults_Pod(pod)
	var internal core.Pod
	if err := upstreamcore.Convert_v1_Pod_To_core_Pod(pod, &internal, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return corevalidation.ValidatePodCreate(&internal, corevalidation.PodValidationOptions{})
}

func validateClaim(claim *corev1.PersistentVolumeClaim) field.ErrorList {
	upstreamcore.SetObjectDefaults_PersistentVolumeClaim(claim)
	var internal core.PersistentVolumeClaim
	if err := upstreamcore.Convert_v1_PersistentVolumeClaim_To_core_PersistentVolumeClaim(claim, &internal, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return corevalidation.ValidatePersistentVolumeClaim(&internal, corevalidation.PersistentVolumeClaimSpecValidationOptions{})
}
