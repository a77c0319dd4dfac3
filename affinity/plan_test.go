package affinity_test

import (
	"maps"
	"testing"

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
			{Task: "clean", Assistant: cacheAssistant, Affinity: on(cacheAssistant)},
			{Task: "clone", Assistant: sourceAssistant, Affinity: on(sourceAssistant)},
			{Task: "notify"},
			{Task: "unit", Assistant: sourceAssistant, Affinity: on(sourceAssistant)},
			{Task: "warm", Assistant: cacheAssistant, Affinity: on(cacheAssistant)},
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
			Tasks:      []affinity.Placement{{Task: "clean"}, {Task: "clone"}, {Task: "notify"}, {Task: "unit"}, {Task: "warm"}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, planFor(t, buildRun(), test.opts), &test.want)
		})
	}
}

// The placeholder has to be scheduled where the tasks can be.
func TestPodTemplate(t *testing.T) {
	user, priority := int64(1000), "low"
	run := buildRun()
	run.APIVersion = "example.com/v2"
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
	testkit.NoDiff(t, plan.StatefulSets[0].Spec.Template.Spec, want)
	owner := owners()
	owner[0].APIVersion = "example.com/v2"
	testkit.NoDiff(t, plan.StatefulSets[0].OwnerReferences, owner, "owner")
	taskAffinity := on(runAssistant)
	taskAffinity.NodeAffinity = nodes
	testkit.NoDiff(t, plan.Tasks[0].Affinity, taskAffinity, "affinity of a task")
}

// The claims of the document have labels of the run and its workspace, and an owner. The StatefulSet controller
// overrides labels of the template with those of the selector.
func TestLabelClaims(t *testing.T) {
	run := buildRun()
	labels := map[string]string{"tier": "fast", "team": "mine", "app.kubernetes.io/component": "mine", "app.kubernetes.io/instance": "mine"}
	run.Workspaces[0].ClaimTemplate.Labels = maps.Clone(labels)
	run.Workspaces[0].ClaimTemplate.Labels["tekton.dev/workspace"] = "other"
	run.Workspaces[0].ClaimTemplate.OwnerReferences = []metav1.OwnerReference{{Kind: "Other"}} // which is not that of the claim
	labels["tekton.dev/pipelineRun"], labels["tekton.dev/workspace"] = "build", "source"
	claimType := metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}

	opts := with(affinity.PerRun)
	opts.LabelClaims = true
	plan := planFor(t, run, opts)
	want := *template(sourceClaim)
	want.TypeMeta, want.Labels, want.OwnerReferences = claimType, labels, owners()
	testkit.NoDiff(t, plan.StatefulSets[0].Spec.VolumeClaimTemplates, []corev1.PersistentVolumeClaim{want}, "claim templates")
	want.Name, want.Namespace = madeClaim, "ci"
	want.Labels = placeholder(runAssistant).Labels
	want.Labels["tier"], want.Labels["tekton.dev/workspace"] = "fast", "source"
	testkit.NoDiff(t, plan.Provisioned, []corev1.PersistentVolumeClaim{want}, "claims of the StatefulSet")

	opts.Behavior = affinity.PerWorkspace
	want = createdClaim()
	want.Labels = labels
	testkit.NoDiff(t, planFor(t, run, opts).Claims, []corev1.PersistentVolumeClaim{want}, "claims")
	delete(labels, "tekton.dev/pipelineRun")
	labels["tekton.dev/workspace"] = "other"
	opts.LabelClaims = false
	testkit.NoDiff(t, planFor(t, run, opts).Claims, []corev1.PersistentVolumeClaim{want}, "claims without further labels")
}

// Claims that readers search are sorted.
func TestOrder(t *testing.T) {
	run := &affinity.Run{Name: "r", UID: "u", Workspaces: []affinity.Workspace{
		{Name: "d", ClaimName: "z"}, {Name: "c", ClaimTemplate: template("y")}, {Name: "b", ClaimName: "a"}, {Name: "a", ClaimTemplate: template("b")},
	}}
	plan := planFor(t, run, with(affinity.PerRun))
	if of := plan.Provisioned; len(of) != 2 || of[0].Name[:1] != "b" || of[1].Name[:1] != "y" {
		t.Errorf("claims in another order: %v", of)
	}
	claims := planFor(t, run, affinity.Options{Behavior: affinity.Disabled}).Claims
	if len(claims) != 2 || claims[0].Name[:1] != "b" || claims[1].Name[:1] != "y" {
		t.Errorf("claims in another order: %v", claims)
	}
}

// The StatefulSet of a single placeholder is that of a plan, and has no owner without a run.
func TestStatefulSetFor(t *testing.T) {
	run := &affinity.Run{Name: "run", Namespace: "ci", UID: "uid", Labels: map[string]string{"team": "a"}}
	for _, test := range []struct {
		run       *affinity.Run
		namespace string
		labels    map[string]string
	}{
		{run, "ci", map[string]string{"team": "a", "tekton.dev/pipelineRun": "run"}},
		{nil, "", map[string]string{"tekton.dev/pipelineRun": ""}},
	} {
		got := affinity.StatefulSetFor(test.run, "a", []string{"claim"}, nil, affinity.Options{})
		test.labels["app.kubernetes.io/component"], test.labels["app.kubernetes.io/instance"] = "affinity-assistant", "a"
		testkit.NoDiff(t, got.Labels, test.labels)
		testkit.Equal(t, got.Namespace, test.namespace)
		testkit.Equal(t, got.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName, "claim")
	}
}
