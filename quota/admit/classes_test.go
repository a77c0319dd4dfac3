package admit_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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
	testkit.Equal(t, got, want)
}

// withClasses are options with some classes of each kind.
func withClasses() admit.Options {
	return admit.Options{
		PriorityClasses: []*schedulingv1.PriorityClass{
			{ObjectMeta: named("a-common"), Value: 7, GlobalDefault: true}, {ObjectMeta: named("low"), Value: 5, GlobalDefault: true}, nil,
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
			{ObjectMeta: metav1.ObjectMeta{Name: "ancient", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}}},
			{ObjectMeta: metav1.ObjectMeta{Name: "gold", CreationTimestamp: metav1.NewTime(time.Unix(9, 0)), Annotations: map[string]string{"storageclass.beta.kubernetes.io/is-default-class": "true"}}},
			{ObjectMeta: metav1.ObjectMeta{Name: "late", CreationTimestamp: metav1.NewTime(time.Unix(99, 0)), Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "false"}}},
		},
	}
}

// wantFirstPath compares the path of the first refusal, "" if there is none. It must have a message.
func wantFirstPath(t *testing.T, refusals []*admit.Refusal, want string) {
	t.Helper()
	got := ""
	if len(refusals) > 0 {
		got = refusals[0].Path
	}
	if got != want || len(refusals) > 0 && refusals[0].Error() == "" {
		t.Errorf("path %q, want %q: %v", got, want, refusals)
	}
}

// A classCase is a new pod, and what the classes of the options make of it.
type classCase struct {
	name     string
	opts     admit.Options
	set      func(spec *corev1.PodSpec)
	priority int32 // -1 for none
	err      string
	path     string
	words    string // of the first refusal
	unknown  []string
	classes  []computeresources.Source
}

// run creates the pod, alone and by the template of a ReplicaSet.
func (test classCase) run(t *testing.T) {
	sent := pod(testkit.Container("app", list("cpu", "1"), nil))
	if test.set != nil {
		test.set(&sent.Spec)
	}
	namespace := compile(t, nil, nil, test.opts)
	d := namespace.Create(sent, admit.Attributes{})
	wantErr(t, d.Err(), test.err)
	wantFirstPath(t, d.Refusals, test.path)
	if test.path != "" {
		testkit.Equal(t, d.Refusals[0].Error(), test.words)
		testkit.Equal(t, d.Refusals[0].Ref, computeresources.Ref{Kind: computeresources.Pod})
	}
	stored := d.Object.(*corev1.Pod)
	priority := int32(-1)
	if stored.Spec.Priority != nil {
		priority = *stored.Spec.Priority
	}
	testkit.Equal(t, priority, test.priority, "priority")
	testkit.NoDiff(t, [2]any{d.Unknown, d.Classes}, [2]any{test.unknown, test.classes}, "unknown, classes")
	owner := &appsv1.ReplicaSet{ObjectMeta: named("web-"), Spec: appsv1.ReplicaSetSpec{Template: corev1.PodTemplateSpec{Spec: sent.Spec}}}
	ofTemplate := namespace.Create(owner, admit.Attributes{PodName: "web"})
	wantErr(t, ofTemplate.Err(), "")
	wantErr(t, ofTemplate.Pods.First.Err(), test.err)
	if test.path != "" {
		wantFirstPath(t, ofTemplate.Pods.First.Refusals, "spec.template."+test.path)
	}
	if n := namespace.Replicas([]admit.APIObject{sent}, admit.Attributes{}); (n.Replicas == 0) != (test.err != "") {
		t.Errorf("%d replicas", n.Replicas)
	}
	if outcomes := namespace.Possible(nil, sent, admit.Attributes{}); len(outcomes.Decisions) != 1 || outcomes.Never != (test.err != "") {
		t.Errorf("possible: %+v", outcomes)
	}
}

// Compile keeps no memory of classes, and of overhead what is stored.
func TestCompileCopiesClasses(t *testing.T) {
	opts := withClasses()
	opts.RuntimeClasses[2].Overhead.PodFixed["memory"] = *resource.NewMilliQuantity(1500, resource.BinarySI)
	opts.Incomplete = []string{"PriorityClass"}
	namespace := compile(t, nil, nil, opts)
	testkit.Scramble(opts)
	sent := pod(testkit.Container("app", list("cpu", "1"), nil))
	sent.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	sent.Spec.PriorityClassName, sent.Spec.RuntimeClassName = "hihg", pointer("kata")
	d := namespace.Create(sent, admit.Attributes{})
	want := sent.DeepCopy()
	want.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBurstable}
	want.Spec.Overhead = list("cpu", "250m", "memory", "1500m")
	want.Spec.NodeSelector = map[string]string{"zone": "a", "sandbox": "kata"}
	want.Spec.Tolerations = append(defaultTolerations(), corev1.Toleration{Key: "kata", Operator: corev1.TolerationOpExists})
	testkit.NoDiff(t, d.Object.(*corev1.Pod), want)
	testkit.Equal(t, d.Object.(*corev1.Pod).Spec.Overhead.Memory().Format, resource.DecimalSI, "as 1500m is read")
	testkit.NoDiff(t, d.Unknown, []string{`PriorityClass "hihg"`})
}

// The server looks for the priority class first.
func TestOrderOfRefusalsByClasses(t *testing.T) {
	web := bare()
	web.Spec.PriorityClassName, web.Spec.RuntimeClassName = "nosuch", pointer("gvisor")
	var paths []string
	for _, refusal := range compile(t, nil, nil, withClasses()).Create(web, admit.Attributes{}).Refusals {
		paths = append(paths, refusal.Path)
	}
	testkit.NoDiff(t, paths, []string{"spec.priorityClassName", "spec.runtimeClassName"})
}
