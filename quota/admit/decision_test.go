package admit_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestStoredPod(t *testing.T) {
	defaults := limitRange("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("memory", "64Mi"), Default: list("memory", "128Mi")})
	sent := withPodLevel(pod(testkit.Container("app", nil, list("cpu", "0.0015"))), nil, list("memory", "1Gi"))
	sent.Name, sent.GenerateName = "", "web-"
	sent.Status.Phase = corev1.PodSucceeded
	sent.DeletionTimestamp, sent.DeletionGracePeriodSeconds = pointer(sent.CreationTimestamp), new(int64)
	count := resourceQuota("count", list("pods", "2"), list("pods", "1"))
	namespace := compile(t, []*corev1.LimitRange{defaults}, []*corev1.ResourceQuota{count}, admit.Options{})
	d := namespace.Create(sent, admit.Attributes{GeneratedName: "web-x"})
	stored := d.Object.(*corev1.Pod)
	want := pod(testkit.Container("app", list("cpu", "2m", "memory", "64Mi"), list("cpu", "2m", "memory", "128Mi")))
	want.Name, want.GenerateName = "web-x", "web-"
	want.Annotations = map[string]string{limitrange.AnnotationKey: "LimitRanger plugin set: memory request for container app; memory limit for container app"}
	want.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBurstable}
	want.Spec.Tolerations = defaultTolerations()
	// The pod-level amounts follow from those that the LimitRange has given to the container.
	want = withPodLevel(want, list("cpu", "2m", "memory", "64Mi"), list("cpu", "2m", "memory", "1Gi"))
	testkit.NoDiff(t, stored, want, "stored")
	if diff := cmp.Diff([]string{
		"container app: set the cpu request to 2m",
		"container app: set the memory request to 64Mi (LimitRange shop/defaults)",
		"container app: set the memory limit to 128Mi (LimitRange shop/defaults)",
		"pod: set the cpu request to 2m",
		"pod: set the memory request to 64Mi",
		"pod: set the cpu limit to 2m",
	}, testkit.Strings(d.Changes)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	testkit.NoDiff(t, namespace.After(d).Quotas()[0].Status.Used, list("pods", "2"), "used afterwards")
	// In 1.36, the pod-level request of memory was there before the LimitRange.
	d = compile(t, []*corev1.LimitRange{defaults}, nil, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}).Create(sent, admit.Attributes{})
	testkit.NoDiff(t, d.Object.(*corev1.Pod).Spec.Resources, withPodLevel(pod(), list("cpu", "2m", "memory", "1Gi"), list("memory", "1Gi")).Spec.Resources)
	testkit.NoDiff(t, testkit.Strings(d.Changes), []string{
		"container app: set the cpu request to 2m",
		"pod: set the cpu request to 2m",
		"pod: set the memory request to 1Gi",
		"container app: set the memory request to 64Mi (LimitRange shop/defaults)",
		"container app: set the memory limit to 128Mi (LimitRange shop/defaults)",
	})
}

// A resize or update without spec.resources keeps those of the pod, which get their defaults when the pod is resized. Up
// to 1.36, it removes them, which is refused.
func TestUpdateWithoutPodLevel(t *testing.T) {
	old := withPodLevel(pod(testkit.Container("app", list("cpu", "1", "memory", "1Gi"), nil)), list("cpu", "2"), nil)
	old.Status.QOSClass = corev1.PodQOSBurstable
	sent := old.DeepCopy()
	sent.Spec.Resources = nil
	for subresource, want := range map[string]corev1.ResourceList{"resize": list("cpu", "2", "memory", "1Gi"), "": list("cpu", "2")} {
		d := compile(t, nil, nil, admit.Options{}).Update(old, sent, admit.Attributes{Subresource: subresource})
		testkit.OK(t, d.Err())
		testkit.NoDiff(t, d.Object.(*corev1.Pod).Spec.Resources.Requests, want, subresource)
		testkit.Equal(t, len(d.Changes), len(want)-1, subresource)
		d = compile(t, nil, nil, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}).Update(old, sent, admit.Attributes{Subresource: subresource})
		if d.Admitted() {
			t.Errorf("%q: 1.36 removes %v", subresource, old.Spec.Resources)
		}
	}
}

// The server of 1.36 fills in pod-level requests again whenever it reads the pod: here, of cpu, which a
// LimitRange has given to the container. Since 1.37, they are stored.
func TestStoredPodIsReadAgain(t *testing.T) {
	defaults := limitRange("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "100m")})
	sent := withPodLevel(pod(corev1.Container{Name: "app"}), nil, list("memory", "1Gi"))
	old := withPodLevel(pod(corev1.Container{Name: "app"}), list("memory", "1Gi"), list("memory", "1Gi"))
	old.Status.QOSClass = corev1.PodQOSBurstable
	deployment := &appsv1.Deployment{ObjectMeta: named("web")}
	deployment.Spec.Template.Spec = sent.Spec
	for _, left := range []string{"1", "0"} { // a pod that is refused is read, too
		in136 := admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}
		namespace := compile(t, []*corev1.LimitRange{defaults}, []*corev1.ResourceQuota{resourceQuota("requests", list("requests.cpu", left), list("requests.cpu", "0"))}, in136)
		for name, d := range map[string]admit.Decision{
			"create": namespace.Create(sent, admit.Attributes{}), "resize": namespace.Update(old, sent, admit.Attributes{Subresource: "resize"}),
			"pods": namespace.Create(deployment, admit.Attributes{}).Pods.First,
		} {
			testkit.Equal(t, d.Changes[len(d.Changes)-1].String(), "pod: set the cpu request to 100m", name, "last change")
			if got := d.Object.(*corev1.Pod).Spec.Resources.Requests; !cmp.Equal(got, list("cpu", "100m", "memory", "1Gi")) {
				t.Errorf("%s: pod-level requests: %v", name, got)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	bounds := limitRange("bounds", corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, Max: list("cpu", "2"), Default: list("cpu", "1"),
	})
	compute := resourceQuota("compute", list("requests.cpu", "1", "limits.memory", "1Gi", "requests.memory", "1Gi"), list("requests.cpu", "0", "limits.memory", "0", "requests.memory", "0"))
	deployment := &appsv1.Deployment{ObjectMeta: named("web")}
	deployment.Spec.Template.Spec = *withPodLevel(pod(
		testkit.Container("app", list("cpu", "3", "hugepages-2Mi", "3Mi"), nil),
		testkit.Container("two", list("memory", "1"), list("example.com/gpu", "1.5")),
	), nil, nil).Spec.DeepCopy()
	deployment.Spec.Template.Spec.Resources = nil
	d := compile(t, []*corev1.LimitRange{bounds}, []*corev1.ResourceQuota{compute}, admit.Options{}).Create(deployment, admit.Attributes{})
	type row struct{ Path, Source, Text string }
	rows := func(problems computeresources.Problems[*admit.Refusal]) (rows []row) {
		for _, p := range problems {
			rows = append(rows, row{p.Path, p.Source.String(), p.Error()})
		}
		return rows
	}
	const containers = "spec.template.spec.containers"
	if diff := cmp.Diff([]row{
		{containers + "[0].resources.limits", "pod", `container app: hugepages-2Mi request 3Mi: Limit must be set for non overcommitable resources: set a limit of 3Mi`},
		{containers + "[0].resources.requests[hugepages-2Mi]", "pod", `container app: hugepages-2Mi request 3Mi: 3Mi is not positive integer multiple of hugepages-2Mi: set a multiple of the page size as the request`},
		{containers + "[1].resources.limits[example.com/gpu]", "pod", `container two: example.com/gpu limit 1500m: must be an integer: set a whole number as the limit`},
	}, rows(d.Refusals)); diff != "" {
		t.Errorf("of the template (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]row{
		{containers + "[0].resources.requests", "LimitRange shop/bounds", `container app: request cpu 3 is above the default limit 1 from LimitRange shop/bounds: set a limit or lower the request`},
		{containers + "[0].resources.limits", "pod", `container app: hugepages-2Mi request 3Mi: Limit must be set for non overcommitable resources: set a limit of 3Mi`},
		{containers + "[0].resources.requests[hugepages-2Mi]", "pod", `container app: hugepages-2Mi request 3Mi: 3Mi is not positive integer multiple of hugepages-2Mi: set a multiple of the page size as the request`},
		{containers + "[1].resources.limits[example.com/gpu]", "pod", `container two: example.com/gpu limit 1500m: must be an integer: set a whole number as the limit`},
		{containers + "[1].resources.requests[example.com/gpu]", "pod", `container two: example.com/gpu request 1500m: must be an integer: set a whole number as the request`},
		{containers + "[0].resources.requests[cpu]", "LimitRange shop/bounds", `container app: request cpu 3 is above the maximum 2 of LimitRange shop/bounds: lower the request`},
		{"spec.template.spec", "ResourceQuota shop/compute", `ResourceQuota shop/compute requires limits.memory of app and two, requests.memory of app: set it, or set a default in a LimitRange`},
		{"spec.template.spec", "ResourceQuota shop/compute", `ResourceQuota shop/compute lacks requests.cpu=3: request less, or raise the quota`},
	}, rows(d.Pods.First.Refusals)); diff != "" {
		t.Errorf("of its pods (-want +got):\n%s", diff)
	}
	for _, p := range d.Pods.First.Refusals {
		if p.Remedy == "" {
			t.Errorf("no remedy: %v", p)
		}
		if got := p.Field(nil); got.Field != p.Path || got.Detail != p.Error() {
			t.Errorf("field: %v", got)
		}
		if got := p.Field(field.NewPath("here")); got.Field != "here" {
			t.Errorf("field: %v", got)
		}
	}
}

func TestPods(t *testing.T) {
	two := int32(2)
	template := corev1.PodTemplateSpec{Spec: pod(testkit.Container("app", list("cpu", "400m"), nil)).Spec}
	template.Labels = map[string]string{"app": "web"}
	job := batchv1.JobSpec{Template: template, Parallelism: pointer[int32](5), Completions: &two}
	suspended := batchv1.JobSpec{Template: template, Suspend: pointer(true)}
	// The quota on workloads has room for one.
	objects := resourceQuota("objects",
		list("requests.cpu", "1", "count/deployments.apps", "1"), list("requests.cpu", "100m", "count/deployments.apps", "0"))
	namespace := compile(t, nil, []*corev1.ResourceQuota{objects}, admit.Options{})
	meta := named("web")
	for _, test := range []struct {
		name     string
		object   admit.APIObject
		wanted   int64
		admitted bool
	}{
		{"Deployment", &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Template: template}}, 1, true},
		{"Deployment of three", &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Template: template, Replicas: pointer[int32](3)}}, 3, false},
		{"StatefulSet of two", &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Template: template, Replicas: &two}}, 2, true},
		{"ReplicaSet of none", &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Template: template, Replicas: pointer[int32](0)}}, 0, true},
		{"DaemonSet", &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Template: template}}, 1, true},
		{"Job", &batchv1.Job{ObjectMeta: meta, Spec: job}, 2, true},
		{"suspended Job", &batchv1.Job{ObjectMeta: meta, Spec: suspended}, 0, true},
		{"CronJob", &batchv1.CronJob{ObjectMeta: meta, Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: job}}}, 2, true},
		{"ReplicationController", &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Template: &template}}, 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			for what, d := range map[string]admit.Decision{
				"Create": namespace.Create(test.object, admit.Attributes{PodName: "web-x2k9p"}),
				"Update": namespace.Update(test.object, test.object, admit.Attributes{PodName: "web-x2k9p"}),
			} {
				if d.Pods == nil {
					t.Fatalf("%s: no pods", what)
				}
				if d.Pods.Wanted != test.wanted || d.Pods.Fit.Replicas != 2 || d.Pods.Admitted() != test.admitted {
					t.Errorf("%s: wanted %d, replicas %d, admitted %v", what, d.Pods.Wanted, d.Pods.Fit.Replicas, d.Pods.Admitted())
				}
				const next = `pods "web-x2k9p" is forbidden: exceeded quota: objects, requested: requests.cpu=400m, used: requests.cpu=900m, limited: requests.cpu=1`
				if err := d.Pods.Fit.Err(); err == nil || err.Error() != next {
					t.Errorf("%s: next: %v", what, err)
				}
				first := d.Pods.First.Object.(*corev1.Pod)
				if first.Labels["app"] != "web" || first.Name != "web-x2k9p" || first.GenerateName != "" || first.Namespace != "shop" {
					t.Errorf("%s: %v", what, first.ObjectMeta)
				}
			}
		})
	}
	if d := namespace.Create(&corev1.ReplicationController{ObjectMeta: meta}, admit.Attributes{}); d.Pods != nil || !d.Admitted() {
		t.Errorf("a ReplicationController without a template: %v", d)
	}
	if d := namespace.Create(&corev1.ConfigMap{ObjectMeta: meta}, admit.Attributes{}); d.Pods != nil || !d.Pods.Admitted() {
		t.Errorf("a ConfigMap has pods: %v", d.Pods)
	}
}

func TestNoObject(t *testing.T) {
	namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("none", list("pods", "0"), list("pods", "0"))}, admit.Options{})
	var none *corev1.Pod
	for name, d := range map[string]admit.Decision{
		"nil":                       namespace.Create(nil, admit.Attributes{}),
		"a nil pod":                 namespace.Create(none, admit.Attributes{}),
		"an update of nil":          namespace.Update(nil, pod(), admit.Attributes{}),
		"an update to nil":          namespace.Update(pod(), none, admit.Attributes{}),
		"an update to another type": namespace.Update(pod(), volumeClaim("1Gi"), admit.Attributes{}),
		"a resize of nil":           namespace.Update(nil, pod(), admit.Attributes{Subresource: "resize"}),
		"a resize to nil":           namespace.Update(pod(), nil, admit.Attributes{Subresource: "resize"}),
	} {
		if d.Err() != nil || d.Object != nil || !d.Admitted() || namespace.After(d) != namespace {
			t.Errorf("%s: %v", name, d)
		}
	}
	if fit := namespace.Replicas([]admit.APIObject{none}, admit.Attributes{}); !fit.Unbounded || fit.Err() != nil {
		t.Errorf("replicas of nil: %v", fit)
	}
	var nowhere *admit.Namespace
	if d := nowhere.Create(pod(), admit.Attributes{}); !d.Admitted() || d.Object == nil || nowhere.After(d) != nil {
		t.Errorf("a nil namespace: %v", d)
	}
}

// A quota that counts workloads objects to the workload, and to its pods at their template.
func TestPathsOfQuotas(t *testing.T) {
	count := resourceQuota("count", list("count/deployments.apps", "0", "pods", "0"), list("count/deployments.apps", "0", "pods", "0"))
	deployment := &appsv1.Deployment{ObjectMeta: named("web")}
	deployment.Spec.Template.Spec = pod(corev1.Container{Name: "app"}).Spec
	d := compile(t, nil, []*corev1.ResourceQuota{count}, admit.Options{}).Create(deployment, admit.Attributes{})
	if d.Refusals[0].Path != "spec" || d.Pods.First.Refusals[0].Path != "spec.template.spec" || d.Pods.Fit.Next[0].Path != "spec.template.spec" {
		t.Errorf("%v at %s, its pods at %s, %s", d.Refusals[0], d.Refusals[0].Path, d.Pods.First.Refusals[0].Path, d.Pods.Fit.Next[0].Path)
	}
}

// A created object has a new status, whatever the request has in it, and its amounts are rounded.
func TestCreatedStatus(t *testing.T) {
	namespace := compile(t, nil, nil, admit.Options{})
	claim := volumeClaim("1Gi")
	claim.Spec.Resources.Limits = list("storage", "1n")
	claim.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, Capacity: list("storage", "5Gi")}
	created := namespace.Create(claim, admit.Attributes{}).Object.(*corev1.PersistentVolumeClaim)
	testkit.NoDiff(t, created.Status, corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}, "claim")
	testkit.NoDiff(t, created.Spec.Resources.Limits, list("storage", "1m"), "limits of the claim")
	service := &corev1.Service{ObjectMeta: named("web"), Status: corev1.ServiceStatus{LoadBalancer: corev1.LoadBalancerStatus{Ingress: []corev1.LoadBalancerIngress{{IP: "192.0.2.1"}}}}}
	testkit.NoDiff(t, namespace.Create(service, admit.Attributes{}).Object.(*corev1.Service).Status, corev1.ServiceStatus{}, "service")
}

// An object that is not admitted does not count for those after it, and one that is does.
func TestEachAdmittedObjectCounts(t *testing.T) {
	quotas := []*corev1.ResourceQuota{resourceQuota("two", list("pods", "2"), list("pods", "0"))}
	var got []bool
	for _, d := range createAll(compile(t, nil, quotas, admit.Options{}), []admit.APIObject{pod(), pod(), pod(), pod()}, admit.Attributes{}) {
		got = append(got, d.Admitted())
	}
	testkit.NoDiff(t, got, []bool{true, true, false, false})
}

// The server answers 500 for a quota whose selector it cannot evaluate.
func TestAnswerForAnInvalidSelector(t *testing.T) {
	q := resourceQuota("odd", list("pods", "2"), list("pods", "0"))
	q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"not a label!"}}}}
	p := pod()
	p.Spec.PriorityClassName = "high"
	var status *apierrors.StatusError
	if err := compile(t, nil, []*corev1.ResourceQuota{q}, admit.Options{}).Create(p, admit.Attributes{}).Err(); !errors.As(err, &status) || status.ErrStatus.Code != 500 || status.ErrStatus.Reason != "" {
		t.Errorf("%#v", err)
	}
}

// The annotation of the LimitRanger is one more, and leaves those of the pod.
func TestAnnotationsOfAPodStay(t *testing.T) {
	defaults := limitRange("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1")})
	p := pod(testkit.Container("app", nil, nil))
	p.Annotations = map[string]string{"team": "web"}
	stored := compile(t, []*corev1.LimitRange{defaults}, nil, admit.Options{}).Create(p, admit.Attributes{}).Object
	want := map[string]string{"team": "web", limitrange.AnnotationKey: "LimitRanger plugin set: cpu request for container app; cpu limit for container app"}
	testkit.NoDiff(t, stored.GetAnnotations(), want)
}

// A refusal names the field that has to change, and of several LimitRanges the one whose default comes
// last.
func TestPathAndSourceOfRefusals(t *testing.T) {
	above := compile(t, nil, nil, admit.Options{}).Create(withPodLevel(pod(testkit.Container("app", nil, list("cpu", "3"))), list("cpu", "3"), list("cpu", "2")), admit.Attributes{})
	var paths []string
	for _, r := range above.Refusals {
		paths = append(paths, r.Path+": "+r.Remedy)
	}
	if diff := cmp.Diff([]string{
		"spec.resources.requests: raise the limit or lower the request",
		"spec.containers[0].resources.limits[cpu]: lower the limit to 2, or raise that of the pod",
	}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	ranges := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "2")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1")}),
	}
	refusals := compile(t, ranges, nil, admit.Options{}).Create(pod(testkit.Container("app", nil, nil)), admit.Attributes{}).Refusals
	if len(refusals) != 1 || len(refusals[0].Defaults) != 2 || refusals[0].Source.Name != "b" {
		t.Errorf("%+v", refusals)
	}
}

// A refusal of a quota names a resource if it is about one alone.
func TestResourceOfAQuotaRefusal(t *testing.T) {
	full := resourceQuota("full", list("requests.cpu", "0", "requests.memory", "0"), list("requests.cpu", "0", "requests.memory", "0"))
	for want, requests := range map[corev1.ResourceName]corev1.ResourceList{"": list("cpu", "1", "memory", "1"), "requests.cpu": list("cpu", "1", "memory", "0")} {
		refusals := compile(t, nil, []*corev1.ResourceQuota{full}, admit.Options{}).Create(pod(testkit.Container("app", requests, nil)), admit.Attributes{}).Refusals
		if len(refusals) != 1 || refusals[0].Resource != want {
			t.Errorf("%+v, want %q", refusals, want)
		}
	}
}

// LimitRanges look at the pod that is stored after a resize: a change to the restart policy, which
// would make a sidecar of an init container, is dropped before.
func TestResizeIgnoresTheRestartPolicy(t *testing.T) {
	maximum := limitRange("maximum", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "2")})
	old := withInit(pod(testkit.Container("app", list("cpu", "1"), list("cpu", "2"))), testkit.Container("setup", list("cpu", "1"), list("cpu", "2")))
	old.ResourceVersion, old.Status.QOSClass = "1", corev1.PodQOSBurstable
	updated := old.DeepCopy()
	updated.Spec.InitContainers[0].RestartPolicy = pointer(corev1.ContainerRestartPolicyAlways)
	if d := compile(t, []*corev1.LimitRange{maximum}, nil, admit.Options{}).Update(old, updated, admit.Attributes{Subresource: "resize"}); !d.Admitted() {
		t.Errorf("%v", d.Err())
	}
}

// What the first pod of a workload adds is not that of the Fit: a caller may write to one of them.
func TestPodsOwnTheirIncreases(t *testing.T) {
	quotas := []*corev1.ResourceQuota{resourceQuota("q", list("pods", "9"), list("pods", "0"))}
	set := &appsv1.ReplicaSet{ObjectMeta: named("web"), Spec: appsv1.ReplicaSetSpec{Template: corev1.PodTemplateSpec{Spec: bare().Spec}}}
	pods := compile(t, nil, quotas, admit.Options{}).Create(set, admit.Attributes{}).Pods
	pods.First.Increases[0].Index = 7
	testkit.Equal(t, pods.Fit.Members[0].Increases[0].Index, 0)
}

// The resource of a kind of the core group that quotas do not know is its plural.
func TestSubjectOfAnotherKind(t *testing.T) {
	template := &corev1.PodTemplate{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodTemplate"}, ObjectMeta: named("web")}
	testkit.Equal(t, compile(t, nil, nil, admit.Options{}).Create(template, admit.Attributes{}).Subject, admit.Subject{
		Resource: metav1.GroupResource{Resource: "podtemplates"}, Kind: metav1.GroupKind{Kind: "PodTemplate"}, Name: "web",
	})
}
