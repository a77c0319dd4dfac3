package admit_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// stored returns an object as the API server stores it.
func stored[O admit.APIObject](obj O) O {
	obj.SetResourceVersion("1")
	return obj
}

func deleted[O admit.APIObject](obj O) O {
	now := metav1.NewTime(testkit.Now())
	grace := int64(30)
	obj.SetDeletionTimestamp(&now)
	obj.SetDeletionGracePeriodSeconds(&grace)
	return obj
}

// Where pod-level resources are off, a stored pod keeps them, and neither validation nor LimitRanges look at
// them; a template loses them.
func TestIgnoredPodLevel(t *testing.T) {
	maximum := limitRange("maximum", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("memory", "2")})
	namespace := compile(t, []*corev1.LimitRange{maximum}, nil, admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}})
	large := withPodLevel(pod(testkit.Container("app", list("memory", "1"), list("memory", "2"))), list("memory", "3"), list("memory", "3"))
	for _, r := range namespace.Update(large, large, admit.Attributes{Subresource: "resize"}).Refusals {
		if r.Violation != nil {
			t.Errorf("a resize: %v", r)
		}
	}
	old := withPodLevel(pod(testkit.Container("app", list("cpu", "2"), nil)), list("cpu", "1"), nil)
	if d := namespace.Update(old, old, admit.Attributes{}); !d.Admitted() || d.Object.(*corev1.Pod).Spec.Resources == nil {
		t.Errorf("an update of a pod that has some: %v, %v", d.Err(), d.Object)
	}
	job := &batchv1.Job{ObjectMeta: named("once"), Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: old.Spec}}}
	if d := namespace.Create(job, admit.Attributes{}); !d.Admitted() || d.Object.(*batchv1.Job).Spec.Template.Spec.Resources != nil {
		t.Errorf("a template: %v, %v", d.Err(), d.Object)
	}
}

// What is limited by default concerns the pods of a workload, and requests that follow from limits are changes.
func TestPodsOfAWorkloadAreLimited(t *testing.T) {
	namespace := compile(t, nil, nil, admit.Options{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}}}})
	job := &batchv1.Job{ObjectMeta: named("once")}
	old := pod(testkit.Container("app", list("cpu", "1"), list("cpu", "1")))
	job.Spec.Template.Spec = old.Spec
	if d := namespace.Create(job, admit.Attributes{}); !d.Admitted() || d.Pods.First.Admitted() || d.Pods.Admitted() {
		t.Errorf("the job: %v, its pod: %v", d.Err(), d.Pods.First.Err())
	}
	if d := namespace.Update(old, pod(testkit.Container("app", nil, list("cpu", "1"))), admit.Attributes{}); len(d.Changes) != 1 || d.Changes[0].List != computeresources.Requests {
		t.Errorf("changes of an update: %v", d.Changes)
	}
}

// An update may keep what a new pod, or a new template, must not have.
func TestUpdateKeepsWhatIsInvalid(t *testing.T) {
	lenient := func(pages string) *corev1.Pod {
		amounts := list("cpu", "1", "hugepages-2Mi", pages)
		p := withInit(stored(pod(testkit.Container("app", amounts, amounts))), testkit.Container("setup", nil, nil))
		p.Spec.InitContainers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}}
		return p
	}
	job := func(p *corev1.Pod) *batchv1.CronJob { // whose template can change
		job := &batchv1.CronJob{ObjectMeta: named("daily")}
		job.Spec.JobTemplate.Spec.Template.Spec = p.Spec
		return stored(job)
	}
	namespace := compile(t, nil, nil, admit.Options{})
	for name, test := range map[string]struct{ old, updated admit.APIObject }{
		"a pod": {lenient("3Mi"), lenient("3Mi")}, "a template": {job(lenient("3Mi")), job(lenient("5Mi"))},
	} {
		if err := namespace.Update(test.old, test.updated, admit.Attributes{}).Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, test := range map[string]struct {
		d    admit.Decision
		want int
	}{
		"a new pod":                   {namespace.Create(lenient("3Mi"), admit.Attributes{}), 3},
		"a new template":              {namespace.Create(job(lenient("3Mi")), admit.Attributes{}), 3},
		"a template that was without": {namespace.Update(job(pod(testkit.Container("app", nil, nil))), job(lenient("3Mi")), admit.Attributes{}), 3},
	} {
		if len(test.d.Refusals) != test.want {
			t.Errorf("%s: %v", name, test.d.Err())
		}
	}
}

func TestUpdate(t *testing.T) {
	ofClaims := limitRange("claims", corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi")})
	ofPods := limitRange("pods", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "100m")})
	storage := resourceQuota("storage", list("requests.storage", "12Gi"), list("requests.storage", "8Gi"))
	terminating := resourceQuota("terminating", list("pods", "1"), list("pods", "1"))
	terminating.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	ports := resourceQuota("ports", list("services.nodeports", "2"), list("services.nodeports", "1"))
	bound := func(requested, capacity string) *corev1.PersistentVolumeClaim {
		claim := stored(volumeClaim(requested))
		claim.Status.Phase = corev1.ClaimBound
		claim.Status.Capacity = list("storage", capacity)
		return claim
	}
	unknown := bound("8Gi", "0")
	unknown.Status.Capacity = nil
	service := func(ports int) *corev1.Service {
		return stored(&corev1.Service{ObjectMeta: named("web"), Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort, Ports: make([]corev1.ServicePort, ports)}})
	}
	app := func(cpu string) *corev1.Pod { return stored(pod(testkit.Container("app", list("cpu", cpu), nil))) }
	withDeadline := app("1")
	withDeadline.Spec.ActiveDeadlineSeconds = pointer[int64](60)
	for _, test := range []struct {
		name         string
		ranges       []*corev1.LimitRange
		quotas       []*corev1.ResourceQuota
		old, updated admit.APIObject
		want         string
		used         corev1.ResourceList
	}{
		{name: "a claim grows", ranges: []*corev1.LimitRange{ofClaims}, quotas: []*corev1.ResourceQuota{storage}, old: bound("8Gi", "8Gi"), updated: bound("10Gi", "8Gi"), used: list("requests.storage", "10Gi")},
		{
			name: "a claim grows beyond the maximum", ranges: []*corev1.LimitRange{ofClaims}, old: bound("8Gi", "8Gi"), updated: bound("11Gi", "8Gi"),
			want: `persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi`,
		},
		{name: "a claim grows while it is being deleted", ranges: []*corev1.LimitRange{ofClaims}, old: deleted(bound("8Gi", "8Gi")), updated: bound("11Gi", "8Gi")},
		{
			name: "a claim grows beyond the quota", quotas: []*corev1.ResourceQuota{storage}, old: bound("8Gi", "8Gi"), updated: bound("13Gi", "8Gi"),
			want: `persistentvolumeclaims "data" is forbidden: exceeded quota: storage, requested: requests.storage=5Gi, used: requests.storage=8Gi, limited: requests.storage=12Gi`,
		},
		{
			name: "a claim shrinks to its capacity", old: bound("8Gi", "4Gi"), updated: bound("4Gi", "0"),
			want: `PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`,
		},
		{name: "a claim shrinks whose capacity is not known", old: unknown, updated: bound("4Gi", "0")},
		{name: "a claim shrinks to more than its capacity", old: bound("8Gi", "4Gi"), updated: bound("5Gi", "0")},
		{
			name: "a service takes more ports", quotas: []*corev1.ResourceQuota{ports}, old: service(1), updated: service(3),
			want: `services "web" is forbidden: exceeded quota: ports, requested: services.nodeports=2, used: services.nodeports=1, limited: services.nodeports=2`,
		},
		{name: "a pod keeps its resources", ranges: []*corev1.LimitRange{ofPods}, old: app("1"), updated: app("1000m")},
		{
			name: "a pod changes its resources", old: app("1"), updated: app("2"),
			want: "Pod \"web\" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
		},
		{
			name: "a pod becomes Terminating", quotas: []*corev1.ResourceQuota{terminating}, old: app("1"), updated: withDeadline,
			want: `pods "web" is forbidden: exceeded quota: terminating, requested: pods=1, used: pods=1, limited: pods=1`,
		},
		{name: "a config map", quotas: []*corev1.ResourceQuota{resourceQuota("maps", list("configmaps", "0"), list("configmaps", "1"))}, old: stored(&corev1.ConfigMap{ObjectMeta: named("a")}), updated: &corev1.ConfigMap{ObjectMeta: named("a")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, test.quotas, admit.Options{})
			d := namespace.Update(test.old, test.updated, admit.Attributes{})
			testkit.Equal(t, answerOf(t, d.Err()).Message, test.want)
			if test.used != nil && !cmp.Equal(test.used, namespace.After(d).Quotas()[0].Status.Used) {
				t.Errorf("used %v, want %v", namespace.After(d).Quotas()[0].Status.Used, test.used)
			}
		})
	}
	changed := compile(t, nil, nil, admit.Options{}).Update(app("1"), app("2"), admit.Attributes{}).Refusals[0]
	testkit.Equal(t, changed.Path, "spec")
	testkit.Equal(t, changed.Ref, computeresources.Ref{Kind: computeresources.Pod})
	d := compile(t, nil, nil, admit.Options{}).Update(bound("8Gi", "4Gi"), bound("5Gi", "0"), admit.Attributes{})
	if got := d.Object.(*corev1.PersistentVolumeClaim).Status.Capacity; !cmp.Equal(got, list("storage", "4Gi")) {
		t.Errorf("the status of the update counts: %v", got)
	}
}

func TestResize(t *testing.T) {
	running := func(requests, limits corev1.ResourceList) *corev1.Pod {
		p := stored(pod(testkit.Container("app", requests, limits)))
		p.Status.QOSClass, p.Status.Phase = corev1.PodQOSBurstable, corev1.PodRunning
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: "app", AllocatedResources: requests, Resources: &corev1.ResourceRequirements{Requests: requests, Limits: limits},
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}
		return p
	}
	one := func() *corev1.Pod { return running(list("cpu", "1", "memory", "1Gi"), nil) }
	maximum := limitRange("maximum", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "2")})
	cpu := resourceQuota("cpu", list("requests.cpu", "4"), list("requests.cpu", "3"))
	windows := one()
	windows.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
	podLevel := withPodLevel(one(), list("cpu", "2"), nil)
	renamed := one()
	renamed.Spec.Containers[0].Name = "other"
	gone := deleted(one())
	placed := func(p *corev1.Pod) *corev1.Pod {
		p = p.DeepCopy()
		p.Spec.NodeName = "node-1"
		return p
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}, Status: corev1.NodeStatus{Allocatable: list("cpu", "2", "memory", "4Gi")}}
	windowsNode := node.DeepCopy()
	windowsNode.Labels = map[string]string{corev1.LabelOSStable: "windows"}
	morePodLevel := withPodLevel(one(), list("cpu", "2"), list("cpu", "3"))
	shrinking := one()
	shrinking.Spec.Containers[0].Resources.Requests = list("cpu", "500m", "memory", "1Gi")
	for _, test := range []struct {
		name         string
		ranges       []*corev1.LimitRange
		quotas       []*corev1.ResourceQuota
		opts         admit.Options
		old, updated *corev1.Pod
		now          time.Time
		node         *corev1.Node
		want         string
		cause        metav1.CauseType
		used         corev1.ResourceList
	}{
		{name: "an increase within the quota", quotas: []*corev1.ResourceQuota{cpu}, old: one(), updated: running(list("cpu", "2", "memory", "1Gi"), nil), used: list("requests.cpu", "4")},
		{name: "a decrease counts after the node has actuated it", quotas: []*corev1.ResourceQuota{cpu}, old: one(), updated: running(list("cpu", "500m", "memory", "1Gi"), nil), used: list("requests.cpu", "3")},
		{
			name:   "more than before, less than the node still has set aside, where the status does not count",
			quotas: []*corev1.ResourceQuota{cpu}, opts: admit.Options{IgnoreStatus: true},
			old: shrinking, updated: running(list("cpu", "800m", "memory", "1Gi"), nil), used: list("requests.cpu", "3300m"),
		},
		{
			name: "beyond the quota", quotas: []*corev1.ResourceQuota{cpu}, old: one(), updated: running(list("cpu", "3", "memory", "1Gi"), nil),
			want: `pods "web" is forbidden: exceeded quota: cpu, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=4`,
		},
		{name: "above the quota, after the grace period of the pod", quotas: []*corev1.ResourceQuota{cpu}, old: gone, updated: deleted(running(list("cpu", "3", "memory", "1Gi"), nil)), now: testkit.Now().Add(time.Minute)},
		{
			name: "above the maximum, with a limit by default", ranges: []*corev1.LimitRange{maximum}, old: one(), updated: running(list("cpu", "3", "memory", "1Gi"), nil),
			want: `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`,
		},
		{
			name: "beyond the maximum", ranges: []*corev1.LimitRange{maximum}, old: one(), updated: running(list("cpu", "3", "memory", "1Gi"), list("cpu", "3")),
			want: `pods "web" is forbidden: maximum cpu usage per Container is 2, but limit is 3`,
		},
		{name: "beyond the maximum, of a pod that is being deleted", ranges: []*corev1.LimitRange{maximum}, old: gone, updated: running(list("cpu", "3", "memory", "1Gi"), list("cpu", "3"))},
		{
			name: "more of what is limited by default, and of which there is no quota", opts: admit.Options{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}}}},
			old: one(), updated: running(list("cpu", "2", "memory", "1Gi"), nil), want: `pods "web" is forbidden: insufficient quota to consume: cpu,requests.cpu`,
		},
		{
			name: "a change of the QoS class", old: one(), updated: running(list("cpu", "1", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi")),
			want: `Pod "web" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing`,
		},
		{name: "a Windows pod", old: windows, updated: one(), want: `Pod "web" is invalid: []: Forbidden: windows pods cannot be resized`},
		{
			name: "a pod with pod-level resources and the gate off", opts: admit.Options{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}, old: podLevel, updated: podLevel,
			want: `Pod "web" is invalid: []: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled`,
		},
		{
			name: "an update with another container name", old: one(), updated: renamed,
			want: `Pod "web" is invalid: spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize`,
		},
		{
			name: "invalid comes first", old: one(), updated: running(list("cpu", "1"), list("memory", "-1")),
			want: `Pod "web" is invalid: [spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater than or equal to 0, spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0]`,
		},
		{name: "within the node", old: placed(one()), updated: running(list("cpu", "2", "memory", "1Gi"), nil), node: node},
		{
			name: "beyond the node, and then beyond the quota", quotas: []*corev1.ResourceQuota{cpu}, old: placed(one()), updated: running(list("cpu", "3", "memory", "1Gi"), nil), node: node,
			want: `pods "web" is forbidden: node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000`, cause: "NodeCapacity",
		},
		{
			name: "beyond the maximum before beyond the node", ranges: []*corev1.LimitRange{maximum}, old: placed(one()), updated: running(list("cpu", "3", "memory", "1Gi"), list("cpu", "3")), node: node,
			want: `pods "web" is forbidden: maximum cpu usage per Container is 2, but limit is 3`,
		},
		{
			name: "beyond the node, by a request that follows from the limit",
			old:  placed(running(list("cpu", "1", "memory", "1Gi"), list("cpu", "1"))), updated: running(list("memory", "1Gi"), list("cpu", "3")), node: node,
			want: `pods "web" is forbidden: node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000`, cause: "NodeCapacity",
		},
		{
			name: "a Windows node that is also too small", old: placed(one()), updated: running(list("cpu", "3", "memory", "1Gi"), nil), node: windowsNode,
			want: `pods "web" is forbidden: pod resize is only supported on linux nodes, node "node-1" is "windows"`, cause: "UnsupportedPlatform",
		},
		{
			name: "a node without the feature", old: placed(podLevel), updated: morePodLevel, node: node,
			want: `pods "web" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "node-1"`,
		},
		{
			name: "a node that declares no features", opts: admit.Options{Kubernetes: computeresources.Kubernetes{NodeDeclaredFeatures: testkit.Off()}}, old: placed(podLevel), updated: morePodLevel, node: node,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, test.quotas, test.opts)
			d := namespace.Update(test.old, test.updated, admit.Attributes{Subresource: "resize", Now: test.now, Node: test.node})
			testkit.Equal(t, answerOf(t, d.Err()).Message, test.want)
			if status := (*apierrors.StatusError)(nil); errors.As(d.Err(), &status) && apierrors.IsForbidden(status) {
				var want []metav1.StatusCause
				if test.cause != "" {
					want = []metav1.StatusCause{{Type: test.cause}}
				}
				testkit.NoDiff(t, status.ErrStatus.Details.Causes, want, "causes")
			}
			if test.used != nil && !cmp.Equal(test.used, namespace.After(d).Quotas()[0].Status.Used) {
				t.Errorf("used %v, want %v", namespace.After(d).Quotas()[0].Status.Used, test.used)
			}
			for _, p := range d.Refusals {
				if p.Remedy == "" || p.What == "" || p.Message() == "" {
					t.Errorf("no remedy or no message: %+v", p)
				}
				if p.Node != nil && (p.Resource == "cpu") != (p.Node.Cause == computeresources.ResizeNodeIsTooSmall) {
					t.Errorf("of resource %q: %v", p.Resource, p)
				}
			}
		})
	}
	nowhere := one()
	nowhere.Namespace = ""
	if d := compile(t, nil, []*corev1.ResourceQuota{cpu}, admit.Options{}).Update(nowhere, one(), admit.Attributes{Subresource: "resize"}); d.Object.GetNamespace() != "shop" {
		t.Errorf("a pod without a namespace is stored in %q", d.Object.GetNamespace())
	}
	updated := running(list("cpu", "2", "memory", "1Gi"), nil)
	updated.Spec.Containers[0].Image, updated.Labels = "other", map[string]string{"a": "b"}
	updated.Status = corev1.PodStatus{}
	want := one()
	want.Spec.Containers[0].Resources.Requests = list("cpu", "2", "memory", "1Gi")
	d := compile(t, nil, nil, admit.Options{}).Update(one(), updated, admit.Attributes{Subresource: "resize"})
	testkit.NoDiff(t, d.Object.(*corev1.Pod), want, "stored")
	d = compile(t, []*corev1.LimitRange{maximum}, nil, admit.Options{}).Update(podLevel, withPodLevel(one(), list("cpu", "3"), nil), admit.Attributes{Subresource: "resize"})
	testkit.Equal(t, fmt.Sprint(d.Changes), "[container app: set the cpu limit to 2 (LimitRange shop/maximum) pod: set the memory request to 1Gi pod: set the cpu limit to 3]", "the defaults of containers, and then of the pod")
}

// Amounts that are invalid come before everything else that a resize does wrong.
func TestOrderOfResizeRefusals(t *testing.T) {
	old := pod(testkit.Container("app", list("cpu", "1", "memory", "1Gi"), list("cpu", "2")))
	old.ResourceVersion, old.Status.QOSClass = "1", corev1.PodQOSBurstable
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests = list("cpu", "3")
	refusals := compile(t, nil, nil, admit.Options{}).Update(old, updated, admit.Attributes{Subresource: "resize"}).Refusals
	if len(refusals) != 2 || refusals[0].Amount == nil || refusals[1].Resize == nil {
		t.Errorf("%+v", refusals)
	}
}

// An update cannot rename containers.
func TestUpdateRenamesNoContainer(t *testing.T) {
	old := pod(testkit.Container("app", list("cpu", "1"), nil))
	sent := old.DeepCopy()
	sent.Spec.Containers[0].Name = "other"
	if compile(t, nil, nil, admit.Options{}).Update(old, sent, admit.Attributes{}).Admitted() {
		t.Error("a container was renamed")
	}
}
