package whatif_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

var actions = []whatif.Action{whatif.Created, whatif.Updated, whatif.Unchanged, whatif.Deleted, whatif.Refused, whatif.NotFound}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func limitRange(name, cpu string) *corev1.LimitRange {
	lr := &corev1.LimitRange{ObjectMeta: meta(name)}
	lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", cpu)}}
	return lr
}

func freeCPU(c *whatif.Cluster, node string) string {
	free := ledgerOf(c, node).Free()
	return free.Cpu().String()
}

// What is read from others may be bounded. Namespaces then are not: they hold what was read, and what is applied.
func TestReadMaxSize(t *testing.T) {
	large := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "l"}}
	large.Spec.Limits = slices.Repeat([]corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer}}, 9)
	bounds := whatif.Options{Admission: admit.Options{MaxSize: admit.MaxSize{Objects: 1, Bytes: 200}}}
	for _, test := range []struct {
		objects []admit.APIObject
		want    string
	}{
		{[]admit.APIObject{large}, "LimitRange shop/l: 253 bytes, at most 200, of which spec.limits has 190, in 9 parts"},
		{[]admit.APIObject{&corev1.Node{}, &corev1.Pod{}}, "2 objects, at most 1"},
		{[]admit.APIObject{&corev1.Namespace{}, nil}, "<nil>"},
	} {
		_, err := whatif.Read(test.objects, bounds)
		testkit.Equal(t, fmt.Sprint(err), test.want)
	}
	empty, err := whatif.Read(nil, bounds)
	testkit.OK(t, err)
	large.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "1")}}
	other := large.DeepCopy()
	other.Name = "other"
	result, after := empty.Apply(large, other)
	testkit.Equal(t, len(result.Objects), 2)
	for _, object := range result.Objects {
		testkit.Equal(t, object.Reason.Message, "")
	}
	tooLarge := podOf("large", "2")
	tooLarge.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
	result, _ = after.Apply(tooLarge, podOf("small", "1"))
	testkit.Equal(t, result.Objects[0].Reason.Message, `pods "large" is forbidden: maximum cpu usage per Container is 1, but limit is 2`)
	testkit.Equal(t, result.Objects[1].Reason.Message, "")
}

func TestReadErrors(t *testing.T) {
	invalid := resourceQuota("q", "pods", "-1")
	_, err := whatif.Read([]admit.APIObject{
		podOf("p", "1"), nil, (*corev1.Pod)(nil), podOf("p", "1"), node("a", "1"), node("a", "1"), deployment("web", 1, "1"), deployment("web", 1, "1"), invalid,
	}, whatif.Options{})
	want := `[ResourceQuota shop/q: spec.hard[pods]: "-1": must be greater than or equal to 0, ResourceQuota shop/q: status.hard[pods]: "-1": must be greater than or equal to 0, whatif: Deployment shop/web already exists, whatif: Node a already exists, whatif: Pod shop/p already exists]`
	testkit.Equal(t, fmt.Sprint(err), want)
	testkit.Equal(t, errors.Is(err, computeresources.ErrExists), true)
}

func TestNothing(t *testing.T) {
	var none *whatif.Cluster
	var zero whatif.Cluster
	_, err := none.Pod(inShop("p"))
	testkit.Equal(t, fmt.Sprint(err, errors.Is(err, computeresources.ErrNotFound)), "whatif: Pod shop/p not found true")
	_, err = none.Ledger("a")
	testkit.Equal(t, fmt.Sprint(err, errors.Is(err, computeresources.ErrNotFound)), "whatif: Node a not found true")
	testkit.Equal(t, fmt.Sprint(none.Nodes(), none.Pods(""), none.Pods("a"), ledgerOf(none, "a") == nil, none.Namespace("shop") == nil), "[] [] [] true true")
	testkit.Equal(t, fmt.Sprint(zero.Nodes(), zero.Pods(""), zero.Pods("a"), ledgerOf(&zero, "a") == nil), "[] [] [] true")
	testkit.Equal(t, fmt.Sprint(none.Room(nil), none.Room(&corev1.ConfigMap{ObjectMeta: meta("c")})), "{0 {  nil <nil>} [] false} {0 {  nil <nil>} [] false}")
	wantStory(t, did(none.Apply(nil, (*corev1.Pod)(nil))), ``)
	wantStory(t, did(none.Drain("a")), `
		Node a NotFound
		`)
	wantStory(t, did(none.Delete(nil, podOf("p", "1"), node("a", "1"), namespace("shop"))), `
		Pod p NotFound
		Node a NotFound
		Namespace shop NotFound
		`)
	wantStory(t, did(none.Apply(podOf("p", "1"))), `
		Pod p Created
		  p >
		`)
	c := read(t, whatif.Options{}, on("a", podOf("p", "1"))) // without its node
	testkit.Equal(t, fmt.Sprint(c.Nodes(), len(c.Pods("a")), ledgerOf(c, "a") == nil), "[] 1 true")
	testkit.Equal(t, freeCPU(did(c.Apply(node("a", "3"))).After, "a"), "2")
}

func TestEndedPods(t *testing.T) {
	ended := on("a", podOf("p", "1"))
	ended.Status.Phase = corev1.PodSucceeded
	r := did(read(t, whatif.Options{}, node("a", "9"), ended).Apply(resourceQuota("q", "pods", "9", "count/pods", "9")))
	got, err := r.After.Pod(inShop("p"))
	testkit.Equal(t, fmt.Sprint(freeCPU(r.After, "a"), len(r.After.Pods("a")), err, got.Waits.Cause == "", testkit.Texts(r.Quotas[0].Status.Used)), "90 <nil> true map[count/pods:1 DecimalSI pods:0 DecimalSI]")
}

func TestActions(t *testing.T) {
	c := read(t, whatif.Options{}, namespace("shop"), resourceQuota("q", "configmaps", "1"))
	text := story(did(c.Apply(&corev1.ConfigMap{ObjectMeta: meta("c")}, namespace("shop"), limitRange("l", "1"), limitRange("l", "2"), resourceQuota("q", "configmaps", "-1"))))
	text += story(did(c.Delete(namespace("shop"), namespace("shop"))))
	for _, action := range actions {
		if !strings.Contains(text, " "+string(action)) {
			t.Errorf("nothing is %s:\n%s", action, text)
		}
	}
}

func TestNamespaces(t *testing.T) {
	foreign := podOf("p", "1")
	foreign.Namespace = "elsewhere"
	inDefault := podOf("p", "1")
	inDefault.Namespace = ""
	c := read(t, whatif.Options{}, namespace("shop"), node("a", "4"))
	refused := `
		Pod p Refused: namespaces "elsewhere" not found
		Namespace elsewhere Created
		Pod p Created
		Pod p Created
		  p >a
		  p >a
		`
	created := wantStory(t, did(c.Apply(foreign, namespace("elsewhere"), foreign, inDefault)), refused).After
	testkit.Equal(t, c.Room(foreign).Next.Message, `namespaces "elsewhere" not found`)
	wantStory(t, did(created.Delete(namespace("elsewhere"))), `
		Namespace elsewhere Deleted
		  p a>
		`)
	r := did(read(t, whatif.Options{}).Apply(inDefault))
	testkit.Equal(t, r.Pods[0].Object.Namespace, "default")
	var all []admit.APIObject
	for _, name := range []string{"default", "kube-system", "kube-public", "kube-node-lease"} {
		all = append(all, in(name, podOf("p", "1")))
	}
	for _, o := range did(c.Apply(all...)).Objects {
		testkit.Equal(t, o.Action, whatif.Created) // each cluster has these
	}
	// Manifests are not all that a cluster has: foreign is of a namespace that may be there.
	r = did(read(t, whatif.Options{}, node("a", "4")).Apply(namespace("shop"), foreign))
	testkit.Equal(t, r.Objects[1].Action, whatif.Created)
}

// A quota that is new counts what is there; a changed one keeps what is known, and frees controllers.
func TestQuotas(t *testing.T) {
	known := resourceQuota("q", "services", "5", "pods", "1")
	known.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("services", "5", "pods", "1"), Used: testkit.List("services", "3")}
	c := read(t, whatif.Options{}, node("a", "9"), known, podOf("p", "1"))
	r := did(c.Apply(resourceQuota("q", "services", "9", "pods", "3", "requests.cpu", "9"), resourceQuota("other", "pods", "2"), podOf("second", "1"), podOf("third", "1")))
	testkit.Equal(t, r.Objects[3].Reason.Message, `pods "third" is forbidden: exceeded quota: other, requested: pods=1, used: pods=2, limited: pods=2`)
	testkit.Equal(t, fmt.Sprint(testkit.Texts(r.Quotas[1].Status.Used)), "map[pods:2 DecimalSI requests.cpu:2 DecimalSI services:3 DecimalSI]")
	without := did(r.After.Delete(&corev1.ResourceQuota{ObjectMeta: meta("other")}, podOf("p", "1")))
	testkit.Equal(t, fmt.Sprint(len(without.Quotas), testkit.Texts(without.Quotas[0].Status.Used)), "1 map[pods:1 DecimalSI requests.cpu:1 DecimalSI services:3 DecimalSI]")
	former := known.DeepCopy()
	former.Status.Used = testkit.List("services", "3", "requests.cpu", "7") // of a limit that it had
	got := read(t, whatif.Options{}, former, podOf("p", "1")).Namespace("shop").Quotas()[0].Status
	testkit.Equal(t, fmt.Sprint(testkit.Texts(got.Used)), "map[pods:1 DecimalSI requests.cpu:7 DecimalSI services:3 DecimalSI]")
	unused := known.DeepCopy()
	unused.Status.Used = nil
	testkit.Equal(t, fmt.Sprint(testkit.Texts(read(t, whatif.Options{}, unused, podOf("p", "1")).Namespace("shop").Quotas()[0].Status.Used)), "map[pods:1 DecimalSI services:0 DecimalSI]")
	lowered := resourceQuota("q", "pods", "9")
	lowered.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("pods", "1"), Used: testkit.List("pods", "1")}
	r = did(read(t, whatif.Options{}, node("a", "9"), lowered, podOf("p", "1")).Apply(podOf("second", "1")))
	testkit.Equal(t, r.Objects[0].Reason.Message, `pods "second" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1`)
	changed := resourceQuota("q", "pods", "9")
	changed.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	wantStory(t, did(c.Apply(changed, resourceQuota("q", "services", "5", "pods", "1"))), `
		ResourceQuota q Refused: ResourceQuota "q" is invalid: spec.scopes: Invalid value: ["BestEffort"]: field is immutable
		ResourceQuota q Unchanged
		`)
}

// A LimitRange that is changed or deleted lets controllers try again.
func TestLimitRanges(t *testing.T) {
	bounds := limitRange("bounds", "1")
	bounds.Spec.Limits[0].Min = testkit.List("cpu", "2")
	bounds.Spec.Limits[0].DefaultRequest = nil
	c := did(read(t, whatif.Options{}, node("a", "9"), bounds).Apply(deployment("web", 1, "1"))).After
	want := `
		LimitRange bounds %s
		  web-1-1 >a
		`
	wantStory(t, did(c.Apply(limitRange("bounds", "2"))), fmt.Sprintf(want, whatif.Updated))
	wantStory(t, did(c.Delete(bounds)), fmt.Sprintf(want, whatif.Deleted))
	invalid := limitRange("other", "2")
	invalid.Spec.Limits[0].Max = testkit.List("cpu", "1")
	wantStory(t, did(c.Apply(invalid)), `
		LimitRange other Refused: LimitRange "other" is invalid: spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1
		`)
}

// An answer that may be another one in another order of LimitRanges is marked, and so is all that follows from it.
func TestDepends(t *testing.T) {
	bare := podOf("bare", "1")
	bare.Spec.Containers[0].Resources.Requests = nil
	objects := []admit.APIObject{node("a", "9"), limitRange("x", "1"), limitRange("y", "2")}
	c := read(t, whatif.Options{}, objects...)
	testkit.Equal(t, c.Room(bare).Depends, true)
	elsewhere := podOf("elsewhere", "1")
	elsewhere.Namespace = "other"
	after := wantStory(t, did(c.Apply(podOf("first", "1"), bare, elsewhere)), `
		Pod first Created
		Pod bare Created depends
		Pod elsewhere Created depends
		  first >a
		  bare >a depends
		  elsewhere >a depends
		`).After
	// What is stored does not depend on placements, but on usage.
	wantStory(t, did(after.Apply(resourceQuota("q", "requests.cpu", "1"))), `
		ResourceQuota q Created
		`)
	wantStory(t, did(after.Apply(resourceQuota("q", "requests.cpu", "9"), &corev1.ConfigMap{ObjectMeta: meta("c")})), `
		ResourceQuota q Created
		ConfigMap c Created depends
		`)
	// Which of two quotas refuses a pod matters for its message only.
	refused := read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "pods", "0"), resourceQuota("r", "requests.cpu", "0"))
	wantStory(t, did(refused.Apply(podOf("p", "1"), &corev1.ConfigMap{ObjectMeta: meta("c")})), `
		Pod p Refused: pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0 depends
		ConfigMap c Created
		`)
}

func TestPods(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "2"), limitRange("l", "1")).Apply(podOf("p", "1"))).After
	same, larger, other, tolerant := podOf("p", "1"), podOf("p", "2"), podOf("p", "1"), podOf("p", "1")
	same.Spec.Containers[0].Resources.Requests = nil
	other.Spec.NodeSelector = map[string]string{"zone": "b"}
	tolerant.Spec.Tolerations, tolerant.Spec.ActiveDeadlineSeconds = []corev1.Toleration{{Key: "t"}}, pointer[int64](9)
	for _, p := range []*corev1.Pod{same, larger, other} {
		o := did(c.Apply(p)).Objects[0]
		t.Log(o.Action, o.Reason.Message)
		testkit.Equal(t, o.Action == whatif.Unchanged, p == same)
		testkit.Equal(t, o.Reason.Cause != "" && strings.Contains(o.Reason.Message, "pod updates may not change fields other than"), p != same)
	}
	r := wantStory(t, did(c.Apply(tolerant)), `
		Pod p Updated
		  p a>a
		`)
	testkit.Equal(t, fmt.Sprint(len(r.Pods[0].Object.Spec.Tolerations), *r.Pods[0].Object.Spec.ActiveDeadlineSeconds), "3 9")
	tainted := node("a", "2")
	tainted.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoSchedule}}
	waiting := did(read(t, whatif.Options{}, tainted).Apply(podOf("p", "1"))).After
	wantStory(t, did(waiting.Apply(tolerant)), `
		Pod p Updated
		  p >a
		`)
}

func TestDrain(t *testing.T) {
	mirror := on("a", podOf("mirror", "1"))
	mirror.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	c := did(read(t, whatif.Options{}, node("a", "9"), mirror, on("a", podOf("bare", "1"))).Apply(daemonSet("agent", "1"), deployment("web", 2, "1"), node("b", "1"))).After
	wantStory(t, did(c.Drain("a")), `
		Node a Updated
		  bare a>
		  web-1-1 a>
		  web-1-2 a>
		  web-1-3: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.
		  web-1-4: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.
		`)
	r := did(c.Drain("a"))
	testkit.Equal(t, fmt.Sprint(r.Nodes, len(r.After.Pods("a"))), "[a] 2")
	testkit.Equal(t, fmt.Sprint(len(r.Others), r.Others[0].Source, r.Others[0].Wanted, r.Others[0].Pods, r.Others[0].Placed), "1 Deployment shop/web 2 2 0")
	// Of the pods that are gone, one is not admitted again.
	less := did(did(c.Apply(resourceQuota("q", "pods", "4"))).After.Drain("a"))
	wantStory(t, less, `
		Node a Updated
		Deployment web 2/1/0: pods "web-1-4" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4
		  bare a>
		  web-1-1 a>
		  web-1-2 a>
		  web-1-3: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.
		`)
}

func TestNodes(t *testing.T) {
	a := node("a", "2")
	a.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 1}}
	c := did(read(t, whatif.Options{}, a).Apply(deployment("web", 2, "1"), deployment("more", 1, "1"))).After
	withoutStatus := node("a", "0")
	withoutStatus.Status = corev1.NodeStatus{}
	wantStory(t, did(c.Apply(a.DeepCopy(), withoutStatus)), `
		Node a Unchanged
		Node a Unchanged
		`)
	tainted := node("a", "3")
	tainted.Spec.Taints = []corev1.Taint{{Key: "gone", Effect: corev1.TaintEffectNoExecute}}
	wantStory(t, did(c.Apply(tainted)), `
		Node a Updated
		  web-1-1 a>
		  web-1-2 a>
		  web-1-3: 0/1 nodes are available: 1 node(s) had untolerated taint(s).
		  web-1-4: 0/1 nodes are available: 1 node(s) had untolerated taint(s).
		`)
	wantStory(t, did(did(c.Delete(node("a", "2"))).After.Apply(node("b", "3"))), `
		Node b Created
		  more-1-1 >b
		  web-1-3 >b
		  web-1-4 >b
		`)
}

// Applied manifests lack what the server sets; nothing else may differ.
func TestWhatIsStored(t *testing.T) {
	stored := deployment("web", 1, "1")
	stored.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: pointer(intstr.FromString("25%"))}
	stored.Spec.RevisionHistoryLimit, stored.Labels = pointer[int32](10), map[string]string{"a": "b"}
	stored.Spec.Template.Spec.DNSPolicy = corev1.DNSClusterFirst
	stored.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "x", Value: "y"}}
	stored.Spec.Template.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
	stored.Spec.Template.Spec.SecurityContext = &corev1.PodSecurityContext{}
	c := read(t, whatif.Options{}, stored)
	for name, change := range map[string]func(d *appsv1.Deployment) bool{
		"nothing": func(*appsv1.Deployment) bool { return false },
		"what the server sets": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.DNSPolicy, d.Spec.RevisionHistoryLimit = "", nil
			return false
		},
		"no strategy": func(d *appsv1.Deployment) bool { d.Spec.Strategy.RollingUpdate = nil; return false },
		"no labels":   func(d *appsv1.Deployment) bool { d.Labels = nil; return false },
		"no replicas": func(d *appsv1.Deployment) bool { d.Spec.Replicas = nil; return false },
		"what kubectl notes": func(d *appsv1.Deployment) bool {
			d.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "x"}
			return false
		},
		"a status": func(d *appsv1.Deployment) bool { d.Status.Replicas = 7; return false },
		"an equal amount": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "1000m")
			return false
		},
		"a label":       func(d *appsv1.Deployment) bool { d.Labels["a"] = "c"; return true },
		"an annotation": func(d *appsv1.Deployment) bool { d.Annotations = map[string]string{"a": "c"}; return true },
		"replicas":      func(d *appsv1.Deployment) bool { *d.Spec.Replicas = 0; return true },
		"a surge": func(d *appsv1.Deployment) bool {
			*d.Spec.Strategy.RollingUpdate.MaxSurge = intstr.FromInt32(0)
			return true
		},
		"a variable": func(d *appsv1.Deployment) bool { d.Spec.Template.Spec.Containers[0].Env[0].Value = "z"; return true },
		"more variables": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.Containers[0].Env = append(d.Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{})
			return true
		},
		"an amount": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "2")
			return true
		},
		"no limit": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.Containers[0].Resources.Limits = nil
			return true
		},
		"a node selector": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.NodeSelector = map[string]string{"zone": "a"}
			return true
		},
		"a pointer": func(d *appsv1.Deployment) bool {
			d.Spec.Template.Spec.AutomountServiceAccountToken = pointer(false)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := stored.DeepCopy()
			changes := change(d)
			testkit.Equal(t, did(c.Apply(d)).Objects[0].Action == whatif.Updated, changes)
		})
	}
}

// kubectl removes what a manifest does not name of a strategy, and the API server sets its defaults again.
func TestDefaultStrategies(t *testing.T) {
	rolling := func(unavailable, surge string) appsv1.DeploymentStrategy {
		r := &appsv1.RollingUpdateDeployment{}
		if unavailable != "" {
			r.MaxUnavailable = pointer(intstr.Parse(unavailable))
		}
		if surge != "" {
			r.MaxSurge = pointer(intstr.Parse(surge))
		}
		return appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: r}
	}
	onlyType := appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType}
	recreate := appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	for name, test := range map[string]struct {
		stored, noted, manifest, want appsv1.DeploymentStrategy // what is unchanged is what is stored
		updated                       bool
	}{
		"the type alone":                    {rolling("25%", "25%"), onlyType, onlyType, rolling("25%", "25%"), false},
		"the type is no longer named":       {rolling("25%", "25%"), onlyType, appsv1.DeploymentStrategy{}, rolling("25%", "25%"), false},
		"other amounts are no longer named": {rolling("1", "50%"), rolling("1", "50%"), onlyType, onlyType, true},
		"one of both":                       {rolling("25%", "1"), rolling("", "1"), rolling("", "1"), rolling("25%", "1"), false},
		"the other of both":                 {rolling("1", "25%"), rolling("1", ""), rolling("1", ""), rolling("1", "25%"), false},
		"one of both is another one":        {rolling("25%", "1"), rolling("", "1"), rolling("", "2"), rolling("25%", "2"), true},
		"recreate":                          {rolling("25%", "25%"), onlyType, recreate, recreate, true},
		"recreate as before":                {recreate, recreate, recreate, recreate, false},
		"what the server has not stored":    {rolling("", "1"), rolling("", "1"), rolling("", "1"), rolling("", "1"), false},
		"nor the other one":                 {rolling("1", ""), rolling("1", ""), rolling("1", ""), rolling("1", ""), false},
		"nor its type alone":                {onlyType, onlyType, onlyType, onlyType, false},
	} {
		t.Run(name, func(t *testing.T) {
			object := func(s appsv1.DeploymentStrategy) *appsv1.Deployment {
				return with(deployment("web", 1, "1"), func(d *appsv1.Deployment) { d.Spec.Strategy = s })
			}
			stored, note := object(test.stored), object(test.noted)
			text, err := json.Marshal(note)
			testkit.OK(t, err)
			stored.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: string(text)}
			r := did(read(t, whatif.Options{}, stored).Apply(object(test.manifest)))
			testkit.Equal(t, r.Objects[0].Action == whatif.Updated, test.updated, "updated")
			if updated, is := r.Objects[0].Decision.Object.(*appsv1.Deployment); is {
				testkit.NoDiff(t, updated.Spec.Strategy, test.want, "strategy")
			}
		})
	}
}

// The API server stores the text of a Secret as data, which wins over data of the same name.
func TestTextOfSecrets(t *testing.T) {
	secret := func(data, text string) *corev1.Secret {
		s := &corev1.Secret{ObjectMeta: meta("s")}
		if data != "" {
			s.Data = map[string][]byte{"key": []byte(data)}
		}
		if text != "" {
			s.StringData = map[string]string{"key": text}
		}
		return s
	}
	for name, test := range map[string]struct {
		stored, manifest *corev1.Secret
		updated          bool
	}{
		"the same text":             {secret("a", ""), secret("", "a"), false},
		"another text":              {secret("a", ""), secret("", "b"), true},
		"text beside data":          {secret("a", ""), secret("b", "a"), false},
		"text where nothing was":    {secret("", ""), secret("", "a"), true},
		"a manifest that is stored": {secret("", "a"), secret("", "a"), false},
		"data":                      {secret("a", ""), secret("a", ""), false},
	} {
		r := did(read(t, whatif.Options{}, test.stored).Apply(test.manifest))
		testkit.Equal(t, r.Objects[0].Action == whatif.Updated, test.updated, name)
		if updated, is := r.Objects[0].Decision.Object.(*corev1.Secret); is {
			testkit.NoDiff(t, updated.Data, map[string][]byte{"key": []byte(test.manifest.StringData["key"])}, name)
		}
	}
}

func TestTextOfSecretsBesideData(t *testing.T) {
	stored := &corev1.Secret{ObjectMeta: meta("s"), Data: map[string][]byte{"user": []byte("u"), "key": []byte("a")}}
	manifest := &corev1.Secret{ObjectMeta: meta("s"), Data: map[string][]byte{"user": []byte("u")}, StringData: map[string]string{"key": "b"}}
	r := did(read(t, whatif.Options{}, stored).Apply(manifest))
	testkit.NoDiff(t, r.Objects[0].Decision.Object.(*corev1.Secret).Data, map[string][]byte{"user": []byte("u"), "key": []byte("b")})
}

// A quota that is applied with the status that it had counts with its new limits.
func TestQuotaWithAFormerStatus(t *testing.T) {
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}}
	before := did(read(t, whatif.Options{}, node("n", "9"), resourceQuota("q", "pods", "1")).Apply(set))
	raised := before.Quotas[0].DeepCopy()
	raised.Spec.Hard = testkit.List("pods", "2")
	wantStory(t, did(before.After.Apply(raised)), `
		ResourceQuota q Updated
		  web-2 >n
		`)
}

// What a manifest leaves out of the metadata stays.
func TestMetadataStays(t *testing.T) {
	stored := podOf("p", "1")
	stored.CreationTimestamp, stored.UID = metav1.Unix(100, 0), "u"
	labelled := podOf("p", "1")
	labelled.Labels = map[string]string{"a": "b"}
	r := did(read(t, whatif.Options{}, stored).Apply(labelled))
	got := r.Objects[0].Decision.Object
	testkit.Equal(t, got.GetCreationTimestamp(), stored.CreationTimestamp)
	testkit.Equal(t, got.GetUID(), stored.UID)
}

// There is no clock, so a claim is bound at once; the API server does not say so when it admits it.
func TestDecisionOnAClaim(t *testing.T) {
	c := &corev1.PersistentVolumeClaim{ObjectMeta: meta("c")}
	c.Spec.AccessModes, c.Spec.Resources.Requests = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, testkit.List("storage", "1Gi")
	r := did(read(t, whatif.Options{}).Apply(c))
	testkit.NoDiff(t, r.Objects[0].Decision.Object.(*corev1.PersistentVolumeClaim).Status, corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending})
}
