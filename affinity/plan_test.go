package affinity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

var list = testkit.List

// Names in the plan of buildRun.
const (
	sourceAssistant = "affinity-assistant-f2eed3e9ad" // of source and run build
	cacheAssistant  = "affinity-assistant-0a1958eb5c"
	runAssistant    = "affinity-assistant-44575cf5b2"
	sourceClaim     = "pvc-83ce0de351"
	madeClaim       = sourceClaim + "-" + runAssistant + "-0"
)

// buildRun clones into a claim that is made, builds, and has a cache that is there.
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

// on is the affinity of a task that goes where a placeholder is.
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

// placeholder is the StatefulSet of a placeholder, with nothing special about it.
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

func TestPlanFor(t *testing.T) {
	run := types.NamespacedName{Namespace: "ci", Name: "build"}
	isolated := provisioning(placeholder(runAssistant, "build-cache-pvc"), sourceClaim)
	isolated.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{others()}}}
	onRun := func() []affinity.Placement {
		var all []affinity.Placement
		for _, task := range []string{"clean", "clone", "notify", "unit", "warm"} {
			all = append(all, affinity.Placement{Task: task, Assistant: runAssistant, Affinity: on(runAssistant)})
		}
		return all
	}
	ofRun := []affinity.Binding{{"cache", "build-cache-pvc", runAssistant}, {"scratch", "", runAssistant}, {"source", madeClaim, runAssistant}}
	perWorkspace := affinity.Plan{
		Run:          run,
		StatefulSets: []appsv1.StatefulSet{placeholder(cacheAssistant, "build-cache-pvc"), placeholder(sourceAssistant, sourceClaim)},
		Claims:       []corev1.PersistentVolumeClaim{createdClaim()},
		Workspaces:   []affinity.Binding{{"cache", "build-cache-pvc", cacheAssistant}, {"scratch", "", ""}, {"source", sourceClaim, sourceAssistant}},
		Tasks: []affinity.Placement{
			{"clean", cacheAssistant, on(cacheAssistant)},
			{"clone", sourceAssistant, on(sourceAssistant)},
			{"notify", "", nil},
			{"unit", sourceAssistant, on(sourceAssistant)},
			{"warm", cacheAssistant, on(cacheAssistant)},
		},
		DeleteStatefulSets: []string{cacheAssistant, sourceAssistant},
	}
	cleaned := perWorkspace
	cleaned.DeleteClaims = []string{sourceClaim}
	for _, test := range []struct {
		name string
		opts affinity.Options
		want affinity.Plan
	}{
		{"per workspace", with(affinity.PerWorkspace), perWorkspace},
		{"per workspace, with cleanup", affinity.Options{AutoCleanup: true, Placeholder: affinity.Placeholder{Image: "nop"}}, cleaned},
		{"per run", with(affinity.PerRun), affinity.Plan{
			Run: run, Behavior: affinity.PerRun,
			StatefulSets: []appsv1.StatefulSet{provisioning(placeholder(runAssistant, "build-cache-pvc"), sourceClaim)},
			Provisioned:  []corev1.PersistentVolumeClaim{provisionedClaim()},
			Workspaces:   ofRun, Tasks: onRun(),
			DeleteStatefulSets: []string{runAssistant}, DeleteClaims: []string{madeClaim},
		}},
		{"isolated", with(affinity.PerRunIsolated), affinity.Plan{
			Run: run, Behavior: affinity.PerRunIsolated,
			StatefulSets: []appsv1.StatefulSet{isolated},
			Provisioned:  []corev1.PersistentVolumeClaim{provisionedClaim()},
			Workspaces:   ofRun, Tasks: onRun(),
			DeleteStatefulSets: []string{runAssistant}, DeleteClaims: []string{madeClaim},
		}},
		{"disabled", affinity.Options{Behavior: affinity.Disabled, AutoCleanup: true}, affinity.Plan{
			Run: run, Behavior: affinity.Disabled,
			Claims:     []corev1.PersistentVolumeClaim{createdClaim()},
			Workspaces: []affinity.Binding{{"cache", "build-cache-pvc", ""}, {"scratch", "", ""}, {"source", sourceClaim, ""}},
			Tasks:      []affinity.Placement{{"clean", "", nil}, {"clone", "", nil}, {"notify", "", nil}, {"unit", "", nil}, {"warm", "", nil}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(&test.want, planFor(t, buildRun(), test.opts)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The placeholder has to go where the tasks can go.
func TestPodTemplate(t *testing.T) {
	user, priority := int64(1000), "low"
	run := buildRun()
	run.APIVersion, run.Kind = "example.com/v2", "Build"
	nodes := &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpIn, Values: []string{"ssd"}}},
	}}}}
	seconds := int64(30)
	run.PodTemplate = affinity.PodTemplate{
		NodeSelector:       map[string]string{"disk": "ssd"},
		Tolerations:        []corev1.Toleration{{Key: "ci", Operator: corev1.TolerationOpExists, TolerationSeconds: &seconds}},
		Affinity:           &corev1.Affinity{NodeAffinity: nodes},
		ImagePullSecrets:   []corev1.LocalObjectReference{{Name: "registry"}},
		SecurityContext:    &corev1.PodSecurityContext{RunAsUser: &user},
		PriorityClassName:  priority,
		ServiceAccountName: "builder",
	}
	yes := true
	opts := with(affinity.PerRun)
	opts.Placeholder = affinity.Placeholder{
		Image: "pause", Args: []string{"--for", "ever"},
		Requests:        list("cpu", "1", "memory", "2Gi", "example.com/gpu", "1"),
		SecurityContext: &corev1.SecurityContext{RunAsNonRoot: &yes},
	}
	want := placeholder(runAssistant, "build-cache-pvc").Spec.Template.Spec
	want.Volumes[0].Name = "workspace-0"
	want.NodeSelector = map[string]string{"disk": "ssd"}
	want.Tolerations = run.PodTemplate.Tolerations
	want.Affinity.NodeAffinity = nodes
	want.ImagePullSecrets = run.PodTemplate.ImagePullSecrets
	want.SecurityContext = run.PodTemplate.SecurityContext
	want.PriorityClassName, want.ServiceAccountName = "low", "builder"
	want.Containers = []corev1.Container{{
		Name: "affinity-assistant", Image: "pause", Args: []string{"--for", "ever"},
		Resources: corev1.ResourceRequirements{
			Requests: list("cpu", "1", "memory", "2Gi", "example.com/gpu", "1"), Limits: list("cpu", "1", "memory", "2Gi", "example.com/gpu", "1"),
		},
		VolumeMounts:    []corev1.VolumeMount{{Name: sourceClaim, MountPath: sourceClaim}},
		SecurityContext: &corev1.SecurityContext{RunAsNonRoot: &yes},
	}}
	plan := planFor(t, run, opts)
	if diff := cmp.Diff(want, plan.StatefulSets[0].Spec.Template.Spec); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	owner := owners()
	owner[0].APIVersion, owner[0].Kind = "example.com/v2", "Build"
	if diff := cmp.Diff(owner, plan.StatefulSets[0].OwnerReferences); diff != "" {
		t.Errorf("owner (-want +got):\n%s", diff)
	}
	taskAffinity := on(runAssistant)
	taskAffinity.NodeAffinity = nodes
	if diff := cmp.Diff(taskAffinity, plan.Tasks[0].Affinity); diff != "" {
		t.Errorf("affinity of a task (-want +got):\n%s", diff)
	}
}

// Affinity that a disabled plan has nothing to add to is that of the run.
func TestAffinityOfTheRunStays(t *testing.T) {
	run := buildRun()
	run.PodTemplate.Affinity = on("something")
	for _, p := range planFor(t, run, affinity.Options{Behavior: affinity.Disabled}).Tasks {
		if diff := cmp.Diff(on("something"), p.Affinity); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p.Task, diff)
		}
	}
}

func TestEmptyRequestsAreNotTheDefault(t *testing.T) {
	opts := with(affinity.PerRun)
	opts.Placeholder.Requests = list()
	got := planFor(t, buildRun(), opts).StatefulSets[0].Spec.Template.Spec.Containers[0].Resources
	if len(got.Requests) != 0 || len(got.Limits) != 0 {
		t.Errorf("requests %v, limits %v", got.Requests, got.Limits)
	}
}

// The claims of the document have labels of the run and its workspace, and an owner.
func TestLabelClaims(t *testing.T) {
	run := buildRun()
	run.Workspaces[0].ClaimTemplate.Labels = map[string]string{"tier": "fast", "tekton.dev/workspace": "other"}
	labels := map[string]string{"tier": "fast", "tekton.dev/pipelineRun": "build", "tekton.dev/workspace": "source"}
	claimType := metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}

	opts := with(affinity.PerRun)
	opts.LabelClaims = true
	plan := planFor(t, run, opts)
	want := *template(sourceClaim)
	want.TypeMeta, want.Labels, want.OwnerReferences = claimType, labels, owners()
	if diff := cmp.Diff([]corev1.PersistentVolumeClaim{want}, plan.StatefulSets[0].Spec.VolumeClaimTemplates); diff != "" {
		t.Errorf("claim templates (-want +got):\n%s", diff)
	}
	want.Name, want.Namespace = madeClaim, "ci"
	want.Labels = placeholder(runAssistant).Labels
	want.Labels["tier"], want.Labels["tekton.dev/workspace"] = "fast", "source"
	if diff := cmp.Diff([]corev1.PersistentVolumeClaim{want}, plan.Provisioned); diff != "" {
		t.Errorf("claims of the StatefulSet (-want +got):\n%s", diff)
	}

	opts.Behavior = affinity.PerWorkspace
	want = createdClaim()
	want.Labels = labels
	if diff := cmp.Diff([]corev1.PersistentVolumeClaim{want}, planFor(t, run, opts).Claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	delete(labels, "tekton.dev/pipelineRun")
	labels["tekton.dev/workspace"] = "other"
	opts.LabelClaims = false
	if diff := cmp.Diff([]corev1.PersistentVolumeClaim{want}, planFor(t, run, opts).Claims); diff != "" {
		t.Errorf("claims without further labels (-want +got):\n%s", diff)
	}
}

// Volumes and claim templates stand in the order of the workspaces, and what is to be
// looked through is sorted.
func TestOrder(t *testing.T) {
	run := &affinity.Run{Name: "r", UID: "u", Workspaces: []affinity.Workspace{
		{Name: "d", ClaimName: "z"}, {Name: "c", ClaimTemplate: template("y")}, {Name: "b", ClaimName: "a"}, {Name: "a", ClaimTemplate: template("b")},
	}}
	plan := planFor(t, run, with(affinity.PerRun))
	var volumes, templates, provisioned, workspaces []string
	set := plan.StatefulSets[0].Spec
	for _, v := range set.Template.Spec.Volumes {
		volumes = append(volumes, v.Name+" "+v.PersistentVolumeClaim.ClaimName)
	}
	for i, c := range set.VolumeClaimTemplates {
		templates = append(templates, c.Name[:1])
		if m := set.Template.Spec.Containers[0].VolumeMounts[i]; m.Name != c.Name || m.MountPath != c.Name {
			t.Errorf("%s is mounted as %+v", c.Name, m)
		}
	}
	for _, c := range plan.Provisioned {
		provisioned = append(provisioned, c.Name[:1])
	}
	for _, w := range plan.Workspaces {
		workspaces = append(workspaces, w.Workspace)
	}
	deleted := []string{plan.DeleteClaims[0][:1], plan.DeleteClaims[1][:1]}
	for _, test := range []struct {
		name      string
		want, got []string
	}{
		{"volumes", []string{"workspace-0 z", "workspace-1 a"}, volumes},
		{"claim templates", []string{"y", "b"}, templates},
		{"claims", []string{"b", "y"}, provisioned},
		{"workspaces", []string{"a", "b", "c", "d"}, workspaces},
		{"deleted", []string{"b", "y"}, deleted},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	claims := planFor(t, run, affinity.Options{Behavior: affinity.Disabled}).Claims
	if len(claims) != 2 || claims[0].Name[:1] != "b" || claims[1].Name[:1] != "y" {
		t.Errorf("claims in another order: %v", claims)
	}
}

// A run without workspaces is held on one node all the same.
func TestRunWithoutWorkspaces(t *testing.T) {
	run := &affinity.Run{Name: "build", UID: "u", Tasks: []affinity.Task{{Name: "a"}}}
	plan := planFor(t, run, with(affinity.PerRun))
	if len(plan.StatefulSets) != 1 || plan.Tasks[0].Assistant != runAssistant || plan.DeleteClaims != nil {
		t.Errorf("%+v", plan)
	}
	for _, b := range []affinity.Behavior{affinity.PerWorkspace, affinity.Disabled} {
		plan = planFor(t, run, affinity.Options{Behavior: b}) // and needs no image
		if len(plan.StatefulSets) != 0 || plan.Tasks[0].Assistant != "" {
			t.Errorf("%v: %+v", b, plan)
		}
	}
}

// Where two workspaces have one claim, Tekton makes the placeholder of the last one, and
// sends the tasks of the other to one that does not exist, so that they wait for ever.
func TestDivergenceSharedClaim(t *testing.T) {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
	run.Tasks = []affinity.Task{{Name: "both", Workspaces: []string{"maven", "cache"}}, {Name: "first", Workspaces: []string{"cache"}}, {Name: "last", Workspaces: []string{"maven"}}}
	run.Finally = nil
	plan := planFor(t, run, with(affinity.PerWorkspace))
	last := affinity.AssistantName("maven", "build")
	var sets []string
	for _, set := range plan.StatefulSets {
		sets = append(sets, set.Name)
	}
	if diff := cmp.Diff([]string{last, sourceAssistant}, sets); diff != "" {
		t.Errorf("placeholders (-want +got):\n%s", diff)
	}
	for _, p := range plan.Tasks {
		if p.Assistant != last {
			t.Errorf("%s goes to %s", p.Task, p.Assistant)
		}
	}
}

// Tekton mounts such a claim twice where there is one placeholder for the run.
func TestDivergenceClaimIsMountedOnce(t *testing.T) {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
	spec := planFor(t, run, with(affinity.PerRun)).StatefulSets[0].Spec.Template.Spec
	if len(spec.Volumes) != 1 || spec.Volumes[0].Name != "workspace-0" {
		t.Errorf("volumes %v", spec.Volumes)
	}
}

// The document draws a placeholder whose labels say per-pipelinerun-affinity-assistant,
// and tasks that look for affinity-assistant, which they would not find. Tekton's
// placeholders are all labeled affinity-assistant, and so are ours.
func TestDivergenceLabelsOfTheDocument(t *testing.T) {
	plan := planFor(t, buildRun(), with(affinity.PerRun))
	labels := plan.StatefulSets[0].Spec.Template.Labels
	for key, value := range plan.Tasks[0].Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector.MatchLabels {
		if labels[key] != value {
			t.Errorf("tasks look for %s=%s, the placeholder has %s", key, value, labels[key])
		}
	}
	if labels["app.kubernetes.io/component"] != "affinity-assistant" {
		t.Errorf("labels %v", labels)
	}
}
