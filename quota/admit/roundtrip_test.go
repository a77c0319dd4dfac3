package admit_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// computed returns the sum of two amounts in the format of the first, as a program computes it.
func computed(a, b string) resource.Quantity {
	q := resource.MustParse(a)
	q.Add(resource.MustParse(b))
	return q
}

// The server reads the usage that it has stored: 1536870912 has no suffix, so no later sum has one.
func TestUsageHasTheFormatThatIsRead(t *testing.T) {
	memory := resourceQuota("memory", list("requests.memory", "4Gi"), list("requests.memory", "0"))
	object := pod(testkit.Container("a", list("memory", "512Mi"), nil), testkit.Container("b", list("memory", "1e9"), nil))
	const want = `pods "web" is forbidden: exceeded quota: memory, requested: requests.memory=1536870912, used: requests.memory=3073741824, limited: requests.memory=4Gi`
	start := compile(t, nil, []*corev1.ResourceQuota{memory}, admit.Options{})
	namespace := start
	for range 2 {
		namespace = namespace.After(namespace.Create(object, admit.Attributes{}))
	}
	testkit.Equal(t, answerOf(t, namespace.Create(object, admit.Attributes{}).Err()).Message, want, "the third pod")
	fit := start.Replicas([]admit.APIObject{object}, admit.Attributes{})
	if got := answerOf(t, fit.Err()).Message; got != want || fit.Replicas != 2 {
		t.Errorf("%d replicas, then %s\nwant %s", fit.Replicas, got, want)
	}
	testkit.Equal(t, answerOf(t, start.AfterReplicas(fit, 2).Create(object, admit.Attributes{}).Err()).Message, want, "after two replicas")
	used := start.AfterReplicas(fit, 1).Quotas()[0].Status.Used["requests.memory"]
	if used.Format != resource.DecimalSI || used.String() != "1536870912" {
		t.Errorf("used after one replica: %v in the format %s", used.String(), used.Format)
	}
	half := resourceQuota("memory", list("requests.memory", "4Gi"), list("requests.memory", "1Gi"))
	namespace = compile(t, nil, []*corev1.ResourceQuota{half}, admit.Options{})
	used = namespace.AfterReplicas(namespace.Replicas([]admit.APIObject{object}, admit.Attributes{}), 2).Quotas()[0].Status.Used["requests.memory"]
	testkit.Equal(t, used.String(), "4147483648", "1Gi and two replicas are")
	fit = start.Replicas([]admit.APIObject{pod(testkit.Container("a", list("memory", "1Gi"), nil))}, admit.Attributes{})
	whole := start.AfterReplicas(fit, 3).Quotas()[0].Status.Used
	if got := whole["requests.memory"]; got.String() != "3Gi" {
		t.Errorf("used after three replicas of 1Gi: %v", got.String())
	}
}

// The server reads the objects that a program sends.
func TestObjectsHaveTheFormatThatIsRead(t *testing.T) {
	sent := func(amount resource.Quantity) *corev1.PersistentVolumeClaim {
		claim := stored(volumeClaim("1"))
		claim.Spec.Resources.Requests["storage"] = amount
		return claim
	}
	storage := resourceQuota("storage", list("requests.storage", "1Gi"), list("requests.storage", "500Mi"))
	claims := compile(t, nil, []*corev1.ResourceQuota{storage}, admit.Options{})
	old, grown := sent(resource.MustParse("500Mi")), sent(computed("500Mi", "1G"))
	const want = `persistentvolumeclaims "data" is forbidden: exceeded quota: storage, requested: requests.storage=1G, used: requests.storage=500Mi, limited: requests.storage=1Gi`
	testkit.Equal(t, answerOf(t, claims.Update(old, grown, admit.Attributes{}).Err()).Message, want, "a claim that grows")
	if q := grown.Spec.Resources.Requests["storage"]; q.Format != resource.BinarySI {
		t.Errorf("the claim of the caller is now in the format %s", q.Format)
	}

	pods := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("memory", list("requests.memory", "1"), list("requests.memory", "0"))}, admit.Options{})
	object := pod(testkit.Container("a", corev1.ResourceList{"memory": computed("1Ki", "976")}, nil), testkit.Container("b", list("memory", "1Mi"), nil))
	const refused = `pods "web" is forbidden: exceeded quota: memory, requested: requests.memory=1050576, used: requests.memory=0, limited: requests.memory=1`
	testkit.Equal(t, answerOf(t, pods.Create(object, admit.Attributes{}).Err()).Message, refused, "a pod")
	later := pod(testkit.Container("a", list("memory", "1Mi"), nil))
	later.Spec.Containers[0].Resources.Requests["memory"] = computed("1Mi", "424")
	if got := compile(t, nil, nil, admit.Options{}).Create(later, admit.Attributes{}).Object.(*corev1.Pod).Spec.Containers[0].Resources.Requests["memory"]; got.Format != resource.DecimalSI {
		t.Errorf("the stored pod has the format %s", got.Format)
	}
}

// Objects are read from what is sent or stored: amounts have the format of their text, and lists without
// amounts are nil.
func TestObjectsAreReread(t *testing.T) {
	amounts := func() corev1.ResourceList { return corev1.ResourceList{"cpu": computed("1Ki", "976")} }
	both := func() *corev1.ResourceRequirements {
		return &corev1.ResourceRequirements{Requests: amounts(), Limits: amounts()}
	}
	namespace := compile(t, nil, nil, admit.Options{})
	for name, of := range map[string]func() corev1.ResourceList{"computed": amounts, "empty": func() corev1.ResourceList { return corev1.ResourceList{} }} {
		both := func() *corev1.ResourceRequirements { return &corev1.ResourceRequirements{Requests: of(), Limits: of()} }
		p := withInit(pod(testkit.Container("app", of(), of())), testkit.Container("init", of(), of()))
		p.Spec.Overhead, p.Spec.Resources = of(), both()
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: of(), Resources: both()}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", AllocatedResources: of(), Resources: both()}}
		claim := volumeClaim("1")
		claim.Spec.Resources.Limits, claim.Status.AllocatedResources, claim.Status.Capacity = of(), of(), of()
		created := namespace.Create(p, admit.Attributes{}).Object.(*corev1.Pod)
		want := reread(t, p).Spec
		want.Tolerations = defaultTolerations()
		testkit.NoDiff(t, created.Spec, want, inFormat, "a pod that is created", name)
		p.Status.QOSClass = created.Status.QOSClass
		for verb, d := range map[string]admit.Decision{"update": namespace.Update(p, p, admit.Attributes{}), "resize": namespace.Update(p, p, admit.Attributes{Subresource: "resize"})} {
			testkit.NoDiff(t, d.Object.(*corev1.Pod), reread(t, p), inFormat, verb, "of a pod", name)
		}
		if diff := cmp.Diff(reread(t, claim), namespace.Update(claim, claim, admit.Attributes{}).Object.(*corev1.PersistentVolumeClaim), inFormat); diff != "" {
			t.Errorf("a claim, %s (-read +got):\n%s", name, diff)
		}
	}
	q := resourceQuota("all", amounts(), amounts())
	if diff := cmp.Diff([]*corev1.ResourceQuota{reread(t, q)}, compile(t, nil, []*corev1.ResourceQuota{q}, admit.Options{}).Quotas(), inFormat); diff != "" {
		t.Errorf("a quota (-read +got):\n%s", diff)
	}
	defaults := limitRange("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: amounts(), DefaultRequest: amounts()})
	set := compile(t, []*corev1.LimitRange{defaults}, nil, admit.Options{}).Create(pod(testkit.Container("app", nil, nil)), admit.Attributes{}).Object.(*corev1.Pod)
	p := pod(corev1.Container{Name: "app", Resources: *both()})
	p.Spec.Tolerations = defaultTolerations()
	testkit.NoDiff(t, set.Spec, reread(t, p).Spec, inFormat, "defaults of a LimitRange")
}

// inFormat compares amounts with their format.
var inFormat = cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 && a.Format == b.Format })

// reread returns an object after it was written and read.
func reread[T any](t *testing.T, obj *T) *T {
	text, err := json.Marshal(obj)
	testkit.OK(t, err)
	read := new(T)
	testkit.OK(t, json.Unmarshal(text, read))
	return read
}
