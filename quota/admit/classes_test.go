package admit_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func wantErr(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// withClasses are options with some classes of each kind.
func withClasses() admit.Options {
	return admit.Options{
		PriorityClasses: []*schedulingv1.PriorityClass{
			{ObjectMeta: named("usual"), Value: 7, GlobalDefault: true}, {ObjectMeta: named("low"), Value: 5, GlobalDefault: true}, nil,
			{ObjectMeta: named("a-low"), Value: 5, GlobalDefault: true, PreemptionPolicy: pointer(corev1.PreemptNever)}, {ObjectMeta: named("high"), Value: 10},
		},
		RuntimeClasses: []*nodev1.RuntimeClass{
			{ObjectMeta: named("runc")}, nil,
			{ObjectMeta: named("kata"), Overhead: &nodev1.Overhead{PodFixed: list("cpu", "250m")}, Scheduling: &nodev1.Scheduling{
				NodeSelector: map[string]string{"zone": "a", "sandbox": "kata"}, Tolerations: []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpExists}},
			}},
		},
		StorageClasses: []*storagev1.StorageClass{
			{ObjectMeta: metav1.ObjectMeta{Name: "old", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}}}, nil,
			{ObjectMeta: metav1.ObjectMeta{Name: "gold", CreationTimestamp: metav1.NewTime(time.Unix(9, 0)), Annotations: map[string]string{"storageclass.beta.kubernetes.io/is-default-class": "true"}}},
			{ObjectMeta: metav1.ObjectMeta{Name: "late", CreationTimestamp: metav1.NewTime(time.Unix(99, 0)), Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "false"}}},
		},
	}
}

// The messages are those of the plugins Priority and RuntimeClass of v1.36.3.
func TestClassesOfPods(t *testing.T) {
	all, some, none := withClasses(), withClasses(), admit.Options{}
	some.Incomplete = []string{"PriorityClass", "RuntimeClass"}
	noDefault := admit.Options{PriorityClasses: []*schedulingv1.PriorityClass{}}
	for _, test := range []struct {
		name     string
		opts     admit.Options
		set      func(spec *corev1.PodSpec)
		priority int32 // -1 for none
		err      string
		path     string
		unknown  []string
		classes  []computeresources.Source
	}{
		{name: "the default class of the lowest value, and then the first name", opts: all, priority: 5, classes: []computeresources.Source{{Kind: "PriorityClass", Name: "a-low", Field: "value"}}},
		{name: "no default class", opts: noDefault, priority: 0},
		{name: "nothing is known", opts: none, priority: -1},
		{name: "a class", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "high" }, priority: 10},
		{name: "a class of an incomplete list", opts: some, set: func(s *corev1.PodSpec) { s.PriorityClassName = "high" }, priority: 10},
		{name: "a class of each cluster", opts: none, set: func(s *corev1.PodSpec) { s.PriorityClassName = "system-cluster-critical" }, priority: 2000000000},
		{name: "the other one", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "system-node-critical" }, priority: 2000001000},
		{name: "a class that does not exist", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "hihg" }, priority: -1,
			err: `pods "web" is forbidden: no PriorityClass with name hihg was found`, path: "spec.priorityClassName"},
		{name: "a class that may exist", opts: some, set: func(s *corev1.PodSpec) { s.PriorityClassName = "hihg" }, priority: -1, unknown: []string{`PriorityClass "hihg"`}},
		{name: "another priority", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.Priority = "high", pointer[int32](3) }, priority: 3,
			err:  `pods "web" is forbidden: the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 10 from the given PriorityClass name`,
			path: "spec.priority"},
		{name: "another policy", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.PreemptionPolicy = "high", pointer(corev1.PreemptNever)
		}, priority: -1, path: "spec.preemptionPolicy",
			err: `pods "web" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name`},
		{name: "a policy without a class", opts: noDefault, set: func(s *corev1.PodSpec) { s.PreemptionPolicy = pointer(corev1.PreemptNever) }, priority: -1, path: "spec.preemptionPolicy",
			err: `pods "web" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name`},
		{name: "a RuntimeClass", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.NodeSelector = "high", pointer("kata"), map[string]string{"zone": "a"}
		}, priority: 10,
			classes: []computeresources.Source{{Kind: "RuntimeClass", Name: "kata", Field: "overhead.podFixed"}}},
		{name: "the same overhead", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.Overhead = "high", pointer("kata"), list("cpu", "0.25")
		}, priority: 10},
		{name: "another overhead", opts: all, set: func(s *corev1.PodSpec) { s.RuntimeClassName, s.Overhead = pointer("kata"), list("cpu", "1") }, priority: 5,
			err: `pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`, path: "spec.overhead",
			classes: []computeresources.Source{{Kind: "PriorityClass", Name: "a-low", Field: "value"}}},
		{name: "overhead without a class", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.Overhead = "high", list("cpu", "1") }, priority: 10,
			err: `pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead`, path: "spec.overhead"},
		{name: "overhead of a class without it", opts: some, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.Overhead = "high", pointer("runc"), list("cpu", "1")
		}, priority: 10,
			err: `pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead`, path: "spec.overhead"},
		{name: "overhead, where no RuntimeClass is known", opts: none, set: func(s *corev1.PodSpec) { s.Overhead = list("cpu", "1") }, priority: -1},
		{name: "a RuntimeClass that does not exist", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.RuntimeClassName = "high", pointer("gvisor") }, priority: 10,
			err: `pods "web" is forbidden: pod rejected: RuntimeClass "gvisor" not found`, path: "spec.runtimeClassName"},
		{name: "a RuntimeClass that may exist", opts: none, set: func(s *corev1.PodSpec) { s.RuntimeClassName = pointer("gvisor") }, priority: -1, unknown: []string{`RuntimeClass "gvisor"`}},
		{name: "another node selector", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.NodeSelector = "high", pointer("kata"), map[string]string{"zone": "b"}
		}, priority: 10, path: "spec.nodeSelector",
			err:     `pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[zone] = a; pod.spec.nodeSelector[zone] = b`,
			classes: []computeresources.Source{{Kind: "RuntimeClass", Name: "kata", Field: "overhead.podFixed"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sent := pod(testkit.Container("app", list("cpu", "1"), nil))
			if test.set != nil {
				test.set(&sent.Spec)
			}
			namespace := compile(t, nil, nil, test.opts)
			d := namespace.Create(sent, admit.Attributes{})
			wantErr(t, d.Err(), test.err)
			if test.err != "" && (d.Refusals[0].Path != test.path || d.Refusals[0].Error() == "") {
				t.Errorf("path %s: %v", d.Refusals[0].Path, d.Refusals[0])
			}
			stored := d.Object.(*corev1.Pod)
			priority := int32(-1)
			if stored.Spec.Priority != nil {
				priority = *stored.Spec.Priority
			}
			if priority != test.priority {
				t.Errorf("priority %d", priority)
			}
			if diff := cmp.Diff([2]any{test.unknown, test.classes}, [2]any{d.Unknown, d.Classes}); diff != "" {
				t.Errorf("unknown, classes (-want +got):\n%s", diff)
			}
			owner := &appsv1.ReplicaSet{ObjectMeta: named("web-"), Spec: appsv1.ReplicaSetSpec{Template: corev1.PodTemplateSpec{Spec: sent.Spec}}}
			ofTemplate := namespace.Create(owner, admit.Attributes{PodName: "web"})
			wantErr(t, ofTemplate.Err(), "")
			wantErr(t, ofTemplate.Pods.First.Err(), test.err)
			if test.err != "" && ofTemplate.Pods.First.Refusals[0].Path != "spec.template."+test.path {
				t.Errorf("path %s of a template", ofTemplate.Pods.First.Refusals[0].Path)
			}
			if n := namespace.Replicas([]admit.APIObject{sent}, admit.Attributes{}); (n.Replicas == 0) != (test.err != "") {
				t.Errorf("%d replicas", n.Replicas)
			}
			if outcomes := d.Possible(); len(outcomes.Decisions) != 1 || outcomes.Never != (test.err != "") {
				t.Errorf("possible: %+v", outcomes)
			}
		})
	}
}

// A class comes before validation, overhead without a class after the bounds of LimitRanges. Overhead counts for bounds and quotas.
func TestOrderOfClasses(t *testing.T) {
	sandbox := pod(testkit.Container("app", list("cpu", "1"), nil))
	sandbox.Spec.RuntimeClassName = pointer("kata")
	namespace := compile(t, []*corev1.LimitRange{limitRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "2")})},
		[]*corev1.ResourceQuota{resourceQuota("compute", list("requests.cpu", "3"), list("requests.cpu", "1800m"))}, withClasses())
	sandbox.Spec.Containers[0].Resources.Limits = list("cpu", "2")
	d := namespace.Create(sandbox, admit.Attributes{})
	wantErr(t, d.Err(), `pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=1250m, used: requests.cpu=1800m, limited: requests.cpu=3`)
	spec := d.Object.(*corev1.Pod).Spec
	if got := spec.Tolerations[len(spec.Tolerations)-1].Key; got != "kata" || len(spec.Tolerations) != 3 || spec.NodeSelector["sandbox"] != "kata" {
		t.Errorf("tolerations %v, selector %v", spec.Tolerations, spec.NodeSelector)
	}
	sandbox.Spec.Containers[0].Resources.Requests = list("cpu", "3")
	wantErr(t, namespace.Create(sandbox, admit.Attributes{}).Err(), `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`)
	sandbox.Spec.Overhead = list("cpu", "1")
	wantErr(t, namespace.Create(sandbox, admit.Attributes{}).Err(), `pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`)
	sandbox.Spec.RuntimeClassName = nil
	d = namespace.Create(sandbox, admit.Attributes{})
	wantErr(t, d.Err(), `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`)
	if got := d.Refusals[len(d.Refusals)-2].Forbidden; got != "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead" {
		t.Errorf("the refusal before that of the quota: %q", got)
	}
}

func TestDefaultStorageClass(t *testing.T) {
	namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("storage", list("gold.storageclass.storage.k8s.io/requests.storage", "10Gi"), list("gold.storageclass.storage.k8s.io/requests.storage", "0"))}, withClasses())
	for _, test := range []struct {
		name, want, err string
		set             func(claim *corev1.PersistentVolumeClaim)
	}{
		{name: "the newest default class", want: "gold", err: `persistentvolumeclaims "data" is forbidden: exceeded quota: storage, requested: gold.storageclass.storage.k8s.io/requests.storage=20Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=10Gi`},
		{name: "no class on purpose", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("") }},
		{name: "a class", want: "old", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("old") }},
		{name: "a class by annotation", set: func(c *corev1.PersistentVolumeClaim) {
			c.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: "old"}
		}},
		{name: "a class that does not exist", want: "nosuch", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("nosuch") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := volumeClaim("20Gi")
			claim.Name = "data"
			if test.set != nil {
				test.set(claim)
			}
			d := namespace.Create(claim, admit.Attributes{})
			wantErr(t, d.Err(), test.err)
			class := ""
			if name := d.Object.(*corev1.PersistentVolumeClaim).Spec.StorageClassName; name != nil {
				class = *name
			}
			if class != test.want || (len(d.Classes) == 1) != (test.err != "") {
				t.Errorf("class %q, classes %v", class, d.Classes)
			}
		})
	}
}

// A pod that tolerates everything gets no further tolerations.
func TestDefaultTolerations(t *testing.T) {
	p := pod(testkit.Container("app", nil, nil))
	p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	if got := compile(t, nil, nil, admit.Options{}).Create(p, admit.Attributes{}).Object.(*corev1.Pod).Spec.Tolerations; len(got) != 1 {
		t.Errorf("tolerations %v", got)
	}
}
