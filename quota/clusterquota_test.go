package quota_test

import (
	gocmp "cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var clusterQuotaKinds = []quota.ClusterQuotaKind{quota.ClusterResourceQuota, quota.GlobalResourceQuota}

// overTeam is a quota over the namespaces of team a.
func overTeam(kind quota.ClusterQuotaKind, hard, used corev1.ResourceList) *quota.ClusterQuota {
	return &quota.ClusterQuota{Kind: kind, Name: "team", Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"team": "a"}}},
		Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}
}

func requesting(namespace, name string, requests, limits corev1.ResourceList) quota.Object {
	return quota.Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}}}},
		time.Time{}, quota.PodOptions{})
}

// The sum is that of all namespaces after any 100,000 events, and no order of admissions exceeds the limits: pods come
// and go, and namespaces are counted again, selected, and not selected any more.
func TestClusterQuotaIsTheSumOfItsNamespaces(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	hard := testkit.List("requests.cpu", "40", "pods", "60")
	q := overTeam(quota.ClusterResourceQuota, hard, testkit.List("requests.cpu", "0", "pods", "0"))
	pods, selected := map[string][]int64{}, map[string]bool{}
	admitted, refused := 0, 0
	for event := range 100_000 {
		namespace := fmt.Sprintf("ns-%d", random.IntN(12))
		switch of := pods[namespace]; {
		case !selected[namespace] || random.IntN(50) == 0: // counted again
			var objects []quota.Object
			for i, milli := range of {
				objects = append(objects, requesting(namespace, fmt.Sprint(i), testkit.List("cpu", fmt.Sprintf("%dm", milli)), nil))
			}
			status, err := quota.CalculateUsage(objects, q.In(namespace))
			testkit.OK(t, err)
			q.SetUsed(namespace, status.Used)
			selected[namespace] = true
		case random.IntN(200) == 0:
			q.SetUsed(namespace, nil)
			selected[namespace], pods[namespace] = false, nil // its pods go, so that the sum is not exceeded when it returns
		case len(of) > 0 && random.IntN(3) == 0:
			i := random.IntN(len(of))
			q.SetUsed(namespace, resourcelist.Subtract(q.Namespaces[namespace],
				testkit.List("requests.cpu", fmt.Sprintf("%dm", of[i]), "pods", "1")))
			pods[namespace] = append(of[:i:i], of[i+1:]...)
		default:
			milli := 100 + random.Int64N(3000)
			object := requesting(namespace, "new", testkit.List("cpu", fmt.Sprintf("%dm", milli)), nil)
			a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q.In(namespace)}, quota.AdmitOptions{})
			if len(a.Failures) > 0 {
				refused++
				break
			}
			admitted++
			q.SetUsed(namespace, resourcelist.Add(q.Namespaces[namespace], a.Increases[0].Usage))
			pods[namespace] = append(of, milli)
		}
		var milli, number int64
		for name := range selected {
			for _, of := range pods[name] {
				milli, number = milli+of, number+1
			}
		}
		cpu, count := q.Status.Used["requests.cpu"], q.Status.Used["pods"]
		if cpu.MilliValue() != milli || count.Value() != number || milli > 40_000 || number > 60 {
			t.Fatalf("event %d: the sum is %s and %s, pods have %dm and are %d", event, cpu.String(), count.String(), milli, number)
		}
	}
	if admitted < 1000 || refused < 1000 {
		t.Errorf("%d pods admitted, %d refused", admitted, refused)
	}
}

// The sum is exact for any amounts, and SetUsed with what is used already changes nothing.
func TestSetUsedIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := overTeam(quota.GlobalResourceQuota, nil, nil)
		want := map[string]rats{}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			namespace := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "namespace")
			used := corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{"cpu", "memory"} {
				if rapid.Bool().Draw(t, "set") {
					used[name] = testkit.Quantity().Draw(t, "amount")
				}
			}
			q.SetUsed(namespace, used)
			want[namespace] = ratsOf(used)
			q.SetUsed(namespace, used)
		}
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			sum := new(big.Rat)
			for _, used := range want {
				if r := used[name]; r != nil {
					sum.Add(sum, r)
				}
			}
			got := ratsOf(q.Status.Used)[name]
			if got == nil {
				got = new(big.Rat)
			}
			if got.Cmp(sum) != 0 {
				t.Fatalf("%s: %v, want %v", name, got, sum)
			}
		}
	})
}

// With one namespace, a ClusterResourceQuota is a ResourceQuota: the same decision, number of replicas, remaining
// amounts and usage. Only the kind, the namespace and the field of the sources differ.
func TestClusterQuotaOfOneNamespaceIsAResourceQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, old := objects(testkit.Ordinary()).Draw(t, "object"), objects(testkit.Ordinary()).Draw(t, "old")
		plain := testkit.ResourceQuota("q", namesFor(d.object), testkit.Ordinary()).Draw(t, "quota")
		plain.Namespace = gocmp.Or(d.object.Key().Namespace, "shop")
		q := &quota.ClusterQuota{Name: plain.Name, Spec: plain.Spec, Status: plain.Status}
		same := func(what string, got, want any) {
			testkit.NoDiff(t, got, want, what)
		}
		one, other := []*corev1.ResourceQuota{plain}, []*corev1.ResourceQuota{q.In(plain.Namespace)}
		for _, before := range []quota.Object{{}, old.object} {
			a, b := quota.Admit(before, d.object, one, quota.AdmitOptions{}), quota.Admit(before, d.object, other, quota.AdmitOptions{})
			testkit.Equal(t, withoutSources(t, b), withoutSources(t, a))
			for i := range a.Failures {
				testkit.Equal(t, b.Failures[i].Error(), a.Failures[i].Error())
			}
		}
		testkit.Equal(t, withoutSources(t, quota.Replicas(d.object, other, quota.AdmitOptions{})),
			withoutSources(t, quota.Replicas(d.object, one, quota.AdmitOptions{})))
		same("remaining", quota.Remaining(other[0]), quota.Remaining(one[0]))
		usage, err := quota.CalculateUsage([]quota.Object{d.object}, one[0])
		ofOther, errOther := quota.CalculateUsage([]quota.Object{d.object}, other[0])
		same("usage", ofOther, usage)
		testkit.Equal(t, fmt.Sprint(errOther), fmt.Sprint(err))
	})
}

// withoutSources returns an answer as JSON without what a ClusterQuota says otherwise.
func withoutSources(t *rapid.T, answer any) string {
	text, err := json.Marshal(answer)
	testkit.OK(t, err)
	return strings.NewReplacer(`"kind":"ResourceQuota",`, "", `"kind":"ClusterResourceQuota",`, "",
		`"namespace":"shop",`, "", `"namespace":"other",`, "", `"namespace":"a",`, "", `"namespace":"default",`, "",
		"spec.quota.", "spec.", "status.total", "status").Replace(string(text))
}

func TestSelects(t *testing.T) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"team": "a", "stage": "dev"},
		Annotations: map[string]string{"openshift.io/requester": "alice", "empty": ""}}}
	labels := func(pairs ...string) metav1.LabelSelector {
		s := metav1.LabelSelector{MatchLabels: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			s.MatchLabels[pairs[i]] = pairs[i+1]
		}
		return s
	}
	invalid := metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: "Like"}}}
	for _, test := range []struct {
		name        string
		names       []string
		selectors   []metav1.LabelSelector
		annotations map[string]string
		want        bool
	}{
		{name: "nothing"},
		{name: "its name", names: []string{"other", "shop"}, want: true},
		{name: "another name", names: []string{"shop-2"}},
		{name: "an empty selector", selectors: []metav1.LabelSelector{{}}, want: true},
		{name: "its labels", selectors: []metav1.LabelSelector{labels("team", "a", "stage", "dev")}, want: true},
		{name: "one label of two", selectors: []metav1.LabelSelector{labels("team", "a", "stage", "prod")}},
		{name: "one selector of two", selectors: []metav1.LabelSelector{labels("team", "b"), labels("team", "a")}, want: true},
		{name: "the first selector of two", selectors: []metav1.LabelSelector{labels("team", "a"), labels("team", "b")}, want: true},
		{name: "an annotation", selectors: []metav1.LabelSelector{{}}, annotations: map[string]string{"openshift.io/requester": "alice"}, want: true},
		{name: "an annotation alone", annotations: map[string]string{"openshift.io/requester": "alice"}},
		{name: "another value of an annotation", selectors: []metav1.LabelSelector{{}}, annotations: map[string]string{"openshift.io/requester": "bob"}},
		{name: "an empty annotation that is set", selectors: []metav1.LabelSelector{{}}, annotations: map[string]string{"empty": ""}, want: true},
		{name: "an empty annotation that is not set", selectors: []metav1.LabelSelector{{}}, annotations: map[string]string{"none": ""}},
		{name: "one annotation of two", selectors: []metav1.LabelSelector{{}}, annotations: map[string]string{"empty": "", "none": "x"}},
		{name: "labels without the annotation", selectors: []metav1.LabelSelector{labels("team", "a")}, annotations: map[string]string{"none": "x"}},
		{name: "the name without the annotation", names: []string{"shop"}, annotations: map[string]string{"none": "x"}, want: true},
		{name: "the name and an invalid selector", names: []string{"shop"}, selectors: []metav1.LabelSelector{invalid}, want: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := &quota.ClusterQuota{Names: test.names, Selectors: test.selectors, Annotations: test.annotations}
			got, err := q.Selects(namespace)
			if got != test.want || err != nil {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	q := &quota.ClusterQuota{Name: "team", Selectors: []metav1.LabelSelector{labels("team", "a"), invalid}}
	selected, err := q.Selects(namespace)
	if selected || err == nil || !strings.HasPrefix(err.Error(), "quota: ClusterResourceQuota team has an invalid selector: ") {
		t.Errorf("invalid selector: %v, %v", selected, err)
	}
	if selected, err := q.Selects(nil); selected || err != nil {
		t.Errorf("no namespace: %v, %v", selected, err)
	}
	var none *quota.ClusterQuota
	if selected, err := none.Selects(namespace); selected || err != nil {
		t.Errorf("no quota: %v, %v", selected, err)
	}
	none.SetUsed("shop", testkit.List("cpu", "1"))
	if none.In("shop") != nil || none.DeepCopy() != nil {
		t.Error("a nil quota is not nil")
	}
}

// The messages are those of the systems. Capsule's are those of its own tests.
func TestFailuresOfClusterQuotas(t *testing.T) {
	sidecars := quota.Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: corev1.PodSpec{
		Containers:     []corev1.Container{{Name: "web"}, {Name: "log"}},
		InitContainers: []corev1.Container{{Name: "init"}}}}, time.Time{}, quota.PodOptions{})
	type source = computeresources.Source
	for _, test := range []struct {
		name       string
		kind       quota.ClusterQuotaKind
		hard, used corev1.ResourceList
		object     quota.Object
		opts       quota.AdmitOptions
		want       string
		source     source
	}{
		{name: "OpenShift, exceeded", kind: quota.ClusterResourceQuota,
			hard: testkit.List("requests.cpu", "2", "pods", "3"), used: testkit.List("requests.cpu", "1500m", "pods", "2"),
			object: requesting("shop", "web", testkit.List("cpu", "1"), nil),
			want:   "exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=1500m, limited: requests.cpu=2",
			source: source{Kind: "ClusterResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "OpenShift, unset", kind: quota.ClusterResourceQuota,
			hard: testkit.List("limits.cpu", "2"), used: testkit.List("limits.cpu", "0"), object: sidecars,
			want:   "failed quota: team: must specify limits.cpu for: init,log,web",
			source: source{Kind: "ClusterResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "OpenShift, no usage", kind: quota.ClusterResourceQuota,
			hard: testkit.List("pods", "2"), object: sidecars, want: "status unknown for quota: team, resources: pods",
			source: source{Kind: "ClusterResourceQuota", Name: "team", Field: "status.total"}},
		{name: "OpenShift, a resize", kind: quota.ClusterResourceQuota, opts: quota.AdmitOptions{Subresource: "resize"},
			hard: testkit.List("pods", "2"), used: testkit.List("pods", "2"), object: sidecars},
		{name: "OpenShift, exceeded by another resource", kind: quota.ClusterResourceQuota,
			hard: testkit.List("requests.cpu", "2", "services", "1"), used: testkit.List("requests.cpu", "0", "services", "2"),
			object: requesting("shop", "web", testkit.List("cpu", "1"), nil)},
		{name: "Capsule, one of several", kind: quota.GlobalResourceQuota,
			hard:   testkit.List("limits.cpu", "8", "limits.memory", "16Gi", "requests.cpu", "8", "requests.memory", "16Gi"),
			used:   testkit.List("limits.cpu", "8", "limits.memory", "8Gi", "requests.cpu", "800m", "requests.memory", "2Gi"),
			object: requesting("shop", "web", testkit.List("cpu", "100m", "memory", "256Mi"), testkit.List("cpu", "1", "memory", "1Gi")),
			want: `resource exceeds GlobalResourceQuota "team": limits.cpu (requested=1, current=8, projected=9, hard=8, ` +
				`exceededBy=1)`, source: source{Kind: "GlobalResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "Capsule, all of several", kind: quota.GlobalResourceQuota,
			hard: testkit.List("limits.memory", "1Gi", "requests.cpu", "1"), used: testkit.List("limits.memory", "1Gi", "requests.cpu", "750m"),
			object: requesting("shop", "web", testkit.List("cpu", "750m"), testkit.List("memory", "512Mi")),
			want: `resource exceeds GlobalResourceQuota "team": limits.memory (requested=512Mi, current=1Gi, projected=1536Mi, ` +
				`hard=1Gi, exceededBy=512Mi); requests.cpu (requested=750m, current=750m, projected=1500m, hard=1, exceededBy=500m)`,
			source: source{Kind: "GlobalResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "Capsule, another resource is exceeded", kind: quota.GlobalResourceQuota,
			hard: testkit.List("requests.cpu", "2", "services", "1"), used: testkit.List("requests.cpu", "0", "services", "2"),
			object: requesting("shop", "web", testkit.List("cpu", "1"), nil),
			want: `resource exceeds GlobalResourceQuota "team": services (requested=0, current=2, projected=2, hard=1, ` +
				`exceededBy=1)`, source: source{Kind: "GlobalResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "Capsule, nothing more of an exceeded quota", kind: quota.GlobalResourceQuota,
			hard: testkit.List("services", "1"), used: testkit.List("services", "2"), object: sidecars},
		{name: "Capsule, unset", kind: quota.GlobalResourceQuota, hard: testkit.List("limits.cpu", "2", "cpu", "1"), object: sidecars,
			want: `resource cannot be evaluated against GlobalResourceQuota "team": must specify cpu for: web,log,init; ` +
				`limits.cpu for: web,log,init`, source: source{Kind: "GlobalResourceQuota", Name: "team", Field: "spec.quota.hard"}},
		{name: "Capsule, no usage is zero", kind: quota.GlobalResourceQuota, hard: testkit.List("pods", "1"), object: sidecars},
		{name: "Capsule, a resize", kind: quota.GlobalResourceQuota, hard: testkit.List("pods", "0"), object: sidecars,
			want:   `resource exceeds GlobalResourceQuota "team": pods (requested=1, current=0, projected=1, hard=0, exceededBy=1)`,
			source: source{Kind: "GlobalResourceQuota", Name: "team", Field: "spec.quota.hard"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := overTeam(test.kind, test.hard, test.used)
			old := quota.Object{}
			if test.opts.Subresource != "" { // of a pod that is not counted yet
				old = quota.Pod(&corev1.Pod{}, time.Time{}, quota.PodOptions{})
			}
			a := quota.Admit(old, test.object, []*corev1.ResourceQuota{q.In("shop")}, test.opts)
			if test.want == "" {
				testkit.Equal(t, len(a.Failures), 0)
				return
			}
			if len(a.Failures) != 1 {
				t.Fatalf("%d failures: %v", len(a.Failures), a.Failures.Err())
			}
			testkit.Equal(t, a.Failures[0].Error(), test.want)
			testkit.Equal(t, a.Failures[0].Source, test.source)
		})
	}
}

// Capsule's webhook enforces the spec, and the plugin of OpenShift what its controller has copied into the status.
func TestLimitsInForce(t *testing.T) {
	for kind, want := range map[quota.ClusterQuotaKind]int64{quota.ClusterResourceQuota: 1, quota.GlobalResourceQuota: 4} {
		q := overTeam(kind, testkit.List("pods", "5"), testkit.List("pods", "1"))
		q.Status.Hard = testkit.List("pods", "2")
		fit := quota.Replicas(requesting("shop", "web", nil, nil), []*corev1.ResourceQuota{q.In("shop")}, quota.AdmitOptions{})
		testkit.Equal(t, fit.Replicas, want)
	}
}

// A namespace that uses nothing shares the quota, and one that is removed does not.
func TestSetUsedOfNothing(t *testing.T) {
	q := overTeam("", testkit.List("pods", "5"), nil)
	q.SetUsed("shop", testkit.List("pods", "3"))
	q.SetUsed("data", corev1.ResourceList{})
	q.SetUsed("shop", nil)
	q.SetUsed("none", nil)
	pods := q.Status.Used["pods"]
	if _, isThere := q.Namespaces["data"]; !isThere || len(q.Namespaces) != 1 || !pods.IsZero() {
		t.Errorf("%v, %s pods", q.Namespaces, pods.String())
	}
}

func TestSourceOf(t *testing.T) {
	own := withStatus("q", nil, nil)
	for _, test := range []struct {
		q    *corev1.ResourceQuota
		path string
		want computeresources.Source
	}{
		{nil, "spec.hard", computeresources.Source{}},
		{own, "spec.hard", computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q", Field: "spec.hard"}},
		{own, "", computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q"}},
		{overTeam("", nil, nil).In("shop"), "", computeresources.Source{Kind: "ClusterResourceQuota", Name: "team"}},
		{overTeam("", nil, nil).In("shop"), "spec.scopeSelector", computeresources.Source{Kind: "ClusterResourceQuota", Name: "team", Field: "spec.quota.scopeSelector"}},
		{overTeam(quota.GlobalResourceQuota, nil, nil).In("shop"), "status", computeresources.Source{Kind: "GlobalResourceQuota", Name: "team", Field: "status.total"}},
	} {
		testkit.Equal(t, quota.SourceOf(test.q, test.path), test.want)
	}
}

// Quotas over several namespaces cover nothing that is limited by default, which the plugin ResourceQuota requires.
func TestClusterQuotasCoverNothing(t *testing.T) {
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}}}}
	object := requesting("shop", "web", testkit.List("cpu", "1"), nil)
	hard, used := testkit.List("cpu", "2", "requests.cpu", "2"), testkit.List("cpu", "0", "requests.cpu", "0")
	for _, kind := range clusterQuotaKinds {
		a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{overTeam(kind, hard, used).In("shop")}, opts)
		testkit.Equal(t, fmt.Sprint(a.Failures.Err()), "insufficient quota to consume: cpu,requests.cpu")
	}
	plain := withStatus("own", hard, used)
	if a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{plain}, opts); len(a.Failures) > 0 {
		t.Error(a.Failures.Err())
	}
}

// Nor do they cover a scope that is limited by default.
func TestClusterQuotasCoverNoScope(t *testing.T) {
	scopes := []scope{{ScopeName: "NotBestEffort", Operator: "Exists"}}
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchScopes: scopes}}}
	object := requesting("shop", "web", testkit.List("cpu", "1"), nil)
	hard, used := testkit.List("pods", "2"), testkit.List("pods", "0")
	for _, kind := range clusterQuotaKinds {
		q := selecting(overTeam(kind, hard, used).In("shop"), scopes...)
		a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q}, opts)
		testkit.Equal(t, fmt.Sprint(a.Failures.Err()), "insufficient quota to match these scopes: [{NotBestEffort Exists []}]")
	}
	own := selecting(withStatus("own", hard, used), scopes...)
	if a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{own}, opts); len(a.Failures) > 0 {
		t.Error(a.Failures.Err())
	}
}

// The plugin ResourceQuota never refuses an update of a status, OpenShift's ignores it, and Capsule's webhook, which is
// called for all subresources, refuses it.
func TestStatusAtClusterQuotas(t *testing.T) {
	claim := func(size string) quota.Object {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data", ResourceVersion: "1"}}
		c.Spec.Resources.Requests = testkit.List("storage", size)
		return quota.PersistentVolumeClaim(c)
	}
	hard, used := testkit.List("requests.storage", "3Gi"), testkit.List("requests.storage", "2Gi")
	for _, test := range []struct {
		q               *corev1.ResourceQuota
		failures, grows string
	}{
		{withStatus("own", hard, used), "<nil>", "requests.storage=2Gi"},
		{overTeam(quota.ClusterResourceQuota, hard, used).In("shop"), "<nil>", ""},
		{overTeam(quota.GlobalResourceQuota, hard, used).In("shop"), `resource exceeds GlobalResourceQuota "team": ` +
			`requests.storage (requested=2Gi, current=2Gi, projected=4Gi, hard=3Gi, exceededBy=1Gi)`, ""},
	} {
		a := quota.Admit(claim("1Gi"), claim("3Gi"), []*corev1.ResourceQuota{test.q}, quota.AdmitOptions{Subresource: "status"})
		grows := ""
		for _, increase := range a.Increases {
			grows += resourcelist.String(increase.Usage)
		}
		testkit.Equal(t, fmt.Sprint(a.Failures.Err()), test.failures)
		testkit.Equal(t, grows, test.grows)
	}
}

// What asks for nothing of what Capsule's quota limits is admitted, though the quota is exceeded, and so is what asks
// for all that is left.
func TestNothingMoreOfAnExceededGlobalResourceQuota(t *testing.T) {
	for _, test := range []struct{ cpu, used, want string }{
		{"0", "3", "<nil>"},
		{"0", "2", "<nil>"},
		{"1", "1", "<nil>"},
		{"1", "3", `resource exceeds GlobalResourceQuota "team": requests.cpu (requested=1, current=3, projected=4, hard=2, exceededBy=2)`},
	} {
		q := overTeam(quota.GlobalResourceQuota, testkit.List("requests.cpu", "2"), testkit.List("requests.cpu", test.used))
		object := requesting("shop", "web", testkit.List("cpu", test.cpu), nil)
		a := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q.In("shop")}, quota.AdmitOptions{})
		testkit.Equal(t, fmt.Sprint(a.Failures.Err()), test.want)
	}
}

// Capsule's webhook comes before the quotas of the namespace, and OpenShift's plugin after them.
func TestOrderOfClusterQuotas(t *testing.T) {
	hard, used := testkit.List("pods", "1"), testkit.List("pods", "1")
	own := withStatus("own", hard, used)
	own.Namespace = "shop"
	quotas := []*corev1.ResourceQuota{overTeam(quota.ClusterResourceQuota, hard, used).In("shop"), own,
		overTeam(quota.GlobalResourceQuota, hard, used).In("shop")}
	a := quota.Admit(quota.Object{}, requesting("shop", "web", nil, nil), quotas, quota.AdmitOptions{})
	var kinds []string
	for _, f := range a.Failures {
		kinds = append(kinds, f.Source.Kind)
	}
	testkit.Equal(t, fmt.Sprint(kinds), "[GlobalResourceQuota ResourceQuota ClusterResourceQuota]")
	// The webhook comes before what no quota is needed for.
	negative := requesting("shop", "web", testkit.List("cpu", "-1"), nil)
	failures := quota.Admit(quota.Object{}, negative, quotas[2:], quota.AdmitOptions{}).Failures
	testkit.Equal(t, failures[0].Source.Kind+" "+string(failures[1].Cause), "GlobalResourceQuota NegativeUsage")
}

// A usage that is added is found again under the kind and the name of the quota.
func TestIncreaseOfAClusterQuota(t *testing.T) {
	q := overTeam(quota.ClusterResourceQuota, testkit.List("pods", "2"), testkit.List("pods", "1"))
	a := quota.Admit(quota.Object{}, requesting("shop", "web", nil, nil), []*corev1.ResourceQuota{q.In("shop")}, quota.AdmitOptions{})
	want := []quota.Increase{{Source: computeresources.Source{Kind: "ClusterResourceQuota", Name: "team",
		Field: "status.total.used"}, Usage: testkit.List("pods", "1")}}
	testkit.NoDiff(t, a.Increases, want)
}

// Copies and quotas of a namespace share no memory with the quota, not even amounts that need arbitrary precision.
func TestClusterQuotaOwnsItsMemory(t *testing.T) {
	large := func() corev1.ResourceList { return testkit.List("memory", "12345678901234567890123") }
	for _, kind := range clusterQuotaKinds {
		q := overTeam(kind, large(), large())
		q.Names, q.Annotations, q.Namespaces = []string{"shop"}, map[string]string{"a": "b"}, map[string]corev1.ResourceList{"shop": large()}
		testkit.NoDiff(t, q.DeepCopy(), q)
		testkit.Contract(t, func() any { return q.DeepCopy() }, q)
		testkit.Contract(t, func() any { return q.In("shop") }, q)
	}
	q := overTeam(quota.GlobalResourceQuota, testkit.List("pods", "5"), nil)
	testkit.Equal(t, q.In("shop").Status.Used["pods"], resource.Quantity{Format: resource.DecimalSI})
	f := &quota.Failure{Cause: quota.ExceededQuota, Source: computeresources.Source{Kind: "GlobalResourceQuota", Name: "team"},
		Resources: []corev1.ResourceName{"memory"}, Requested: large(), Used: large(), Hard: large()}
	testkit.Contract(t, func() any { return f.Error() }, f)
	q = overTeam("", nil, testkit.List("memory", "1Gi"))
	q.SetUsed("shop", testkit.List("memory", "1e9"))
	testkit.Equal(t, q.Status.Used.Memory().Format, resource.BinarySI, "as before")
}

const openShift = `{"apiVersion":"quota.openshift.io/v1","kind":"KIND","metadata":{"name":"team","uid":"1"},
"spec":{"selector":{"labels":{"matchLabels":{"team":"a"}},"annotations":{"openshift.io/requester":"alice"}},
 "quota":{"hard":{"pods":"10","requests.cpu":"2"},"scopes":["NotTerminating"]}},
"status":{"total":{"hard":{"pods":"10"},"used":{"pods":"5"}},"namespaces":[
 {"namespace":"foo","status":{"hard":{"pods":"10"},"used":{"pods":"3"}}},{"namespace":"bar","status":{}}]}}`

const capsule = `{"apiVersion":"capsule.clastix.io/v1beta2","kind":"GlobalResourceQuota","metadata":{"name":"team"},
"spec":{"namespaceSelectors":[{"matchLabels":{"team":"a"}},{},{"matchLabels":{}}],"quota":{"hard":{"requests.cpu":"4"}}},
"status":{"namespaceCount":2,"namespaces":["foo","bar"],
 "total":{"hard":{"requests.cpu":"4"},"used":{"requests.cpu":"3"},"available":{"requests.cpu":"1"}},
 "namespaceUsage":{"foo":{"used":{"requests.cpu":"3"}},"bar":{}}}}`

const tenant = `{"apiVersion":"capsule.clastix.io/v1beta2","kind":"Tenant","metadata":{"name":"wind"},"spec":{"rules":[
 {"quota":[{"name":"cpu","hard":{"requests.cpu":"4"}},{"name":"pods","hard":{"pods":"7"},"scopes":["Terminating"]}]},null,
 {"namespaceSelector":{"matchLabels":{"stage":"dev"}},"quota":[{"name":"dev","hard":{"pods":"1"}}]},{"enforce":{}}]}}`

func TestClusterQuotasOf(t *testing.T) {
	namespaces := map[string]corev1.ResourceList{"foo": testkit.List("pods", "3"), "bar": {}}
	ofOpenShift := &quota.ClusterQuota{Kind: quota.ClusterResourceQuota, Name: "team",
		Selectors:   []metav1.LabelSelector{{MatchLabels: map[string]string{"team": "a"}}},
		Annotations: map[string]string{"openshift.io/requester": "alice"},
		Spec: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "10", "requests.cpu", "2"),
			Scopes: []corev1.ResourceQuotaScope{"NotTerminating"}},
		Status:     corev1.ResourceQuotaStatus{Hard: testkit.List("pods", "10"), Used: testkit.List("pods", "5")},
		Namespaces: namespaces}
	everywhere := &quota.ClusterQuota{Kind: quota.ClusterResourceQuota, Name: "all", Selectors: make([]metav1.LabelSelector, 1)}
	ofTenant := func(name string, selector map[string]string, spec corev1.ResourceQuotaSpec) *quota.ClusterQuota {
		selector["capsule.clastix.io/tenant"] = "wind"
		return &quota.ClusterQuota{Kind: quota.GlobalResourceQuota, Name: name,
			Selectors: []metav1.LabelSelector{{MatchLabels: selector}}, Spec: spec}
	}
	for _, test := range []struct {
		name, object string
		want         []*quota.ClusterQuota
	}{
		{"a ClusterResourceQuota", strings.Replace(openShift, "KIND", "ClusterResourceQuota", 1), []*quota.ClusterQuota{ofOpenShift}},
		{"an AppliedClusterResourceQuota", strings.Replace(openShift, "KIND", "AppliedClusterResourceQuota", 1), []*quota.ClusterQuota{ofOpenShift}},
		{"no selector", `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"all"}}`, []*quota.ClusterQuota{everywhere}},
		{"a status without namespaces", `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"all"},"status":{"namespaces":null}}`,
			[]*quota.ClusterQuota{everywhere}},
		{"a GlobalResourceQuota", capsule, []*quota.ClusterQuota{{Kind: quota.GlobalResourceQuota, Name: "team",
			Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"team": "a"}}, {MatchLabels: map[string]string{}}},
			Spec:      corev1.ResourceQuotaSpec{Hard: testkit.List("requests.cpu", "4")},
			Status: corev1.ResourceQuotaStatus{Hard: testkit.List("requests.cpu", "4"),
				Used: testkit.List("requests.cpu", "3")},
			Namespaces: map[string]corev1.ResourceList{"foo": testkit.List("requests.cpu", "3"), "bar": {}}}}},
		{"a Tenant", tenant, []*quota.ClusterQuota{
			ofTenant("wind-cpu", map[string]string{}, corev1.ResourceQuotaSpec{Hard: testkit.List("requests.cpu", "4")}),
			ofTenant("wind-pods", map[string]string{}, corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "7"),
				Scopes: []corev1.ResourceQuotaScope{"Terminating"}}),
			ofTenant("wind-dev", map[string]string{"stage": "dev"}, corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1")}),
		}},
		{"another kind", `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"team"}}`, nil},
		{"the kind in another group", `{"apiVersion":"example.com/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			object := &unstructured.Unstructured{}
			testkit.OK(t, json.Unmarshal([]byte(test.object), object))
			got, err := quota.ClusterQuotasOf(object)
			testkit.OK(t, err)
			testkit.NoDiff(t, got, test.want)
			testkit.Contract(t, func() any { all, err := quota.ClusterQuotasOf(object); return []any{all, err} }, object)
			for _, q := range got {
				namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"team": "a"}}}
				testkit.Contract(t, func() any { return q.In("foo") }, q)
				in := q.In("foo")
				testkit.Contract(t, func() any { return quota.SourceOf(in, "spec.hard") }, in)
				testkit.Contract(t, func() any { return q.DeepCopy() }, q)
				testkit.Contract(t, func() any { in, err := q.Selects(namespace); return []any{in, err} }, q, namespace)
				used := testkit.List("pods", "1")
				testkit.Contract(t, func() any { own := q.DeepCopy(); own.SetUsed("foo", used); return own }, q, used)
			}
		})
	}
	for _, spec := range []string{`{"selector":1}`, `{"quota":{"hard":{"cpu":"x"}}}`} {
		object := &unstructured.Unstructured{}
		text := `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},"spec":` + spec + `}`
		testkit.OK(t, json.Unmarshal([]byte(text), object))
		if all, err := quota.ClusterQuotasOf(object); all != nil || err == nil || !strings.HasPrefix(err.Error(), "quota: ClusterResourceQuota team: ") {
			t.Errorf("%s: %v, %v", spec, all, err)
		}
	}
	object := &unstructured.Unstructured{}
	testkit.OK(t, json.Unmarshal([]byte(`{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},"status":{"namespaces":3}}`), object))
	if all, err := quota.ClusterQuotasOf(object); all != nil || err == nil {
		t.Errorf("a number of namespaces: %v, %v", all, err)
	}
	for _, none := range []runtime.Object{nil, (*corev1.Pod)(nil), (*unstructured.Unstructured)(nil)} {
		if all, err := quota.ClusterQuotasOf(none); all != nil || err != nil {
			t.Errorf("nil: %v, %v", all, err)
		}
	}
}

// Capsule's copy of the evaluator takes a pod without a class for one of the class "", which DoesNotExist does not match.
// See docs/decisions/quota.md#pods-without-a-class.
func TestDivergencePodsWithoutAClass(t *testing.T) {
	q := overTeam(quota.GlobalResourceQuota, testkit.List("pods", "1"), testkit.List("pods", "1"))
	q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpDoesNotExist}}}
	a := quota.Admit(quota.Object{}, requesting("shop", "web", nil, nil), []*corev1.ResourceQuota{q.In("shop")}, quota.AdmitOptions{})
	testkit.Equal(t, len(a.Failures), 1)
}

// Capsule's webhook looks for amounts that are missing at each update of a pod, also of its labels.
// See docs/decisions/quota.md#updates-of-pods-without-limits.
func TestDivergenceUpdatesOfPodsWithoutLimits(t *testing.T) {
	q := overTeam(quota.GlobalResourceQuota, testkit.List("limits.cpu", "1"), testkit.List("limits.cpu", "0"))
	stored := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}}}
	updated := stored.DeepCopy()
	updated.Labels = map[string]string{"a": "b"}
	of := func(p *corev1.Pod) quota.Object { return quota.Pod(p, time.Time{}, quota.PodOptions{}) }
	a := quota.Admit(of(stored), of(updated), []*corev1.ResourceQuota{q.In("shop")}, quota.AdmitOptions{})
	testkit.Equal(t, fmt.Sprint(a.Applies, len(a.Failures)), "false 0")
}
