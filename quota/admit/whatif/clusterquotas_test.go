package whatif_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// custom returns an object of another project.
func custom(t testkit.TB, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(text), object); err != nil {
		t.Fatalf("%v", err)
	}
	return object
}

// openShift is a quota over the namespaces with the label team=a.
func openShift(t testkit.TB, hard, status string) *unstructured.Unstructured {
	return custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},
		"spec":{"selector":{"labels":{"matchLabels":{"team":"a"}}},"quota":{"hard":`+hard+`}},"status":{`+status+`}}`)
}

// capsule is a quota over the namespaces with the label team=a.
func capsule(t testkit.TB, hard, status string) *unstructured.Unstructured {
	return custom(t, `{"apiVersion":"capsule.clastix.io/v1beta2","kind":"GlobalResourceQuota","metadata":{"name":"team"},
		"spec":{"namespaceSelectors":[{"matchLabels":{"team":"a"}}],"quota":{"hard":`+hard+`}},"status":{`+status+`}}`)
}

func ofTeam(name, team string) *corev1.Namespace {
	n := namespace(name)
	n.Labels = map[string]string{"team": team}
	return n
}

// tellShared tells what is used of all quotas over several namespaces.
func tellShared(c *whatif.Cluster) string {
	var parts []string
	for _, q := range c.ClusterQuotas() {
		names := []string{}
		for name, used := range q.Namespaces {
			names = append(names, name+" "+resourcelist.String(used))
		}
		slices.Sort(names)
		parts = append(parts, fmt.Sprintf("%s %s: %s of %s (%s)", q.Kind, q.Name, resourcelist.String(q.Status.Used),
			resourcelist.String(q.Status.Hard), strings.Join(names, "; ")))
	}
	return strings.Join(parts, "\n")
}

func wantShared(t *testing.T, c *whatif.Cluster, want string) {
	t.Helper()
	testkit.Equal(t, tellShared(c), want)
}

// Pods of one namespace take from a quota what those of another one then lack, and give it back when they go.
func TestClusterQuotaOverTwoNamespaces(t *testing.T) {
	const message = `pods "web-1-1" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=3, limited: requests.cpu=3`
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), ofTeam("other", "b"),
		openShift(t, `{"requests.cpu":"3"}`, ``))
	wantShared(t, c, "ClusterResourceQuota team: requests.cpu=0 of requests.cpu=3 (data requests.cpu=0; shop requests.cpu=0)")
	r := did(c.Apply(deployment("web", 2, "1")))
	testkit.Equal(t, r.After.Room(in("data", deployment("web", 1, "1"))).Replicas, 1)
	testkit.Equal(t, r.After.Room(in("data", deployment("web", 1, "500m"))).Replicas, 2)
	testkit.Equal(t, len(r.Result.Quotas), 0)
	testkit.Equal(t, len(r.Result.ClusterQuotas), 1)
	r = did(r.After.Apply(in("data", deployment("web", 3, "1")), in("other", deployment("web", 9, "1"))))
	wantShared(t, r.After, "ClusterResourceQuota team: requests.cpu=3 of requests.cpu=3 (data requests.cpu=1; shop requests.cpu=2)")
	testkit.Equal(t, r.Objects[0].Pods, 1)
	testkit.Equal(t, strings.Replace(r.Objects[0].Missing.Message, "web-1-2", "web-1-1", 1), message)
	testkit.Equal(t, r.Objects[1].Pods, 9)
	testkit.Equal(t, r.After.Room(in("data", deployment("more", 1, "1"))).Replicas, 0)
	testkit.Equal(t, tellShared(c), "ClusterResourceQuota team: requests.cpu=0 of requests.cpu=3 (data requests.cpu=0; shop requests.cpu=0)")
	r = did(r.After.Apply(deployment("web", 0, "1"))) // those of data can be created now
	wantShared(t, r.After, "ClusterResourceQuota team: requests.cpu=3 of requests.cpu=3 (data requests.cpu=3; shop requests.cpu=0)")
	testkit.Equal(t, len(r.Result.ClusterQuotas), 1)
	r = did(r.After.Delete(namespace("data")))
	wantShared(t, r.After, "ClusterResourceQuota team: requests.cpu=0 of requests.cpu=3 (shop requests.cpu=0)")
}

// The quotas of a namespace are those that it shares, too, as they are now, whether or not there is anything in it.
func TestNamespaceOfAClusterQuota(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), openShift(t, `{"pods":"3"}`, ``))
	_, c = c.Apply(deployment("web", 2, "1"))
	for _, name := range []string{"shop", "data"} {
		quotas := c.Namespace(name).Quotas()
		if len(quotas) != 1 || quotas[0].Kind != "ClusterResourceQuota" || quotas[0].Namespace != name {
			t.Fatalf("%s: %v", name, quotas)
		}
		used := quotas[0].Status.Used["pods"]
		testkit.Equal(t, used.Value(), 2)
	}
	if c.Namespace("none") != nil {
		t.Error("a namespace that is not there")
	}
}

// What the status says counts, and what it does not say is counted.
func TestStatusOfAClusterQuota(t *testing.T) {
	both := []admit.APIObject{ofTeam("shop", "a"), ofTeam("data", "a"), podOf("a", "1"), in("data", podOf("b", "500m"))}
	for _, test := range []struct{ name, status, want string }{
		{"none", ``, "requests.cpu=1500m,pods=2 of requests.cpu=2,pods=9 (data requests.cpu=500m,pods=1; shop requests.cpu=1,pods=1)"},
		{"all", `"total":{"hard":{"requests.cpu":"2","pods":"9"},"used":{"requests.cpu":"1600m","pods":"3"}},"namespaces":[
			{"namespace":"shop","status":{"used":{"requests.cpu":"1","pods":"1"}}},{"namespace":"data","status":{"used":{"requests.cpu":"600m","pods":"2"}}}]`,
			"requests.cpu=1600m,pods=3 of requests.cpu=2,pods=9 (data requests.cpu=600m,pods=2; shop requests.cpu=1,pods=1)"},
		{"the sum alone", `"total":{"hard":{"requests.cpu":"2","pods":"9"},"used":{"requests.cpu":"1600m","pods":"3"}}`,
			"requests.cpu=1600m,pods=3 of requests.cpu=2,pods=9 (data requests.cpu=500m,pods=1; shop requests.cpu=1,pods=1)"},
		{"one resource", `"total":{"hard":{"requests.cpu":"2","pods":"9"},"used":{"requests.cpu":"1600m"}},"namespaces":[
			{"namespace":"shop","status":{"used":{"requests.cpu":"1"}}},{"namespace":"data","status":{"used":{"requests.cpu":"600m"}}}]`,
			"requests.cpu=1600m,pods=2 of requests.cpu=2,pods=9 (data requests.cpu=600m,pods=1; shop requests.cpu=1,pods=1)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, whatif.Options{}, append(both, openShift(t, `{"requests.cpu":"2","pods":"9"}`, test.status))...)
			testkit.Equal(t, sortedAmounts(tellShared(c)), sortedAmounts("ClusterResourceQuota team: "+test.want))
		})
	}
}

// sortedAmounts returns a text with the amounts in each list sorted.
func sortedAmounts(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ();", r) })
	for i, word := range words {
		amounts := strings.Split(word, ",")
		slices.Sort(amounts)
		words[i] = strings.Join(amounts, ",")
	}
	return strings.Join(words, " ")
}

// Without Namespaces among the objects, the status says which of them share a quota; of those that are there, the labels.
func TestMembersOfAClusterQuota(t *testing.T) {
	status := `"total":{"hard":{"pods":"2"},"used":{"pods":"2"}},"namespaces":[{"namespace":"shop","status":{"used":{"pods":"2"}}}]`
	q := openShift(t, `{"pods":"2"}`, status)
	applied := q.DeepCopy()
	applied.SetKind("AppliedClusterResourceQuota")
	for _, test := range []struct {
		name    string
		objects []admit.APIObject
		want    int64 // pods of two in shop
	}{
		{"the status", []admit.APIObject{q}, 0},
		{"a view", []admit.APIObject{applied}, 0},
		{"a quota and its view", []admit.APIObject{applied, q}, 0},
		{"labels", []admit.APIObject{q, ofTeam("shop", "a")}, 0},
		{"other labels", []admit.APIObject{q, ofTeam("shop", "b")}, 2},
		{"no status and no namespaces", []admit.APIObject{openShift(t, `{"pods":"0"}`, ``)}, 2},
		{"no quota", nil, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, _ := read(t, whatif.Options{}, test.objects...).Apply(deployment("web", 2, "1"))
			testkit.Equal(t, r.Objects[0].Pods, test.want)
		})
	}
}

// Namespaces get and lose labels, and quotas change, come and go.
func TestChangesOfClusterQuotas(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "b"), openShift(t, `{"pods":"2"}`, ``))
	_, c = c.Apply(deployment("web", 3, "1"), in("data", deployment("web", 2, "1")))
	wantShared(t, c, "ClusterResourceQuota team: pods=2 of pods=2 (shop pods=2)")
	_, c = c.Apply(ofTeam("data", "a"))
	wantShared(t, c, "ClusterResourceQuota team: pods=4 of pods=2 (data pods=2; shop pods=2)")
	_, c = c.Apply(ofTeam("new", "a"), in("new", podOf("p", "1")))
	wantShared(t, c, "ClusterResourceQuota team: pods=4 of pods=2 (data pods=2; new pods=0; shop pods=2)")
	r, c := c.Apply(openShift(t, `{"pods":"5","requests.cpu":"9"}`, ``))
	testkit.Equal(t, r.Objects[0].Action, whatif.Updated)
	testkit.Equal(t, sortedAmounts(tellShared(c)), sortedAmounts("ClusterResourceQuota team: pods=5,requests.cpu=5 of pods=5,requests.cpu=9 "+
		"(data pods=2,requests.cpu=2; new pods=0,requests.cpu=0; shop pods=3,requests.cpu=3)"))
	_, c = c.Apply(ofTeam("shop", "b"))
	testkit.Equal(t, sortedAmounts(tellShared(c)), sortedAmounts("ClusterResourceQuota team: pods=2,requests.cpu=2 of pods=5,requests.cpu=9 "+
		"(data pods=2,requests.cpu=2; new pods=0,requests.cpu=0)"))
	r, c = c.Delete(openShift(t, `{}`, ``))
	testkit.Equal(t, r.Objects[0].Action, whatif.Deleted)
	wantShared(t, c, "")
	r, c = c.Apply(in("new", podOf("p", "1")))
	testkit.Equal(t, r.Objects[0].Action, whatif.Created)
	_, c = c.Apply(openShift(t, `{"pods":"2"}`, `"total":{"hard":{"pods":"2"},"used":{"pods":"7"}}`)) // a manifest's status does not count
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=2 (data pods=2; new pods=1)")
	r, c = c.Delete(in("new", podOf("p", "1")))
	testkit.Equal(t, len(r.ClusterQuotas), 1)
	wantShared(t, c, "ClusterResourceQuota team: pods=2 of pods=2 (data pods=2; new pods=0)")
	r, _ = c.Delete(ofTeam("none", "a"))
	testkit.Equal(t, len(r.ClusterQuotas), 0)
	// The status has a namespace that has lost its label since.
	stale := openShift(t, `{"pods":"9"}`, `"total":{"hard":{"pods":"9"},"used":{"pods":"1"}},"namespaces":[{"namespace":"data","status":{"hard":{"pods":"9"},"used":{"pods":"1"}}}]`)
	_, c = read(t, whatif.Options{}, ofTeam("data", "b"), stale, in("data", podOf("p", "1"))).Apply(ofTeam("data", "a"))
	wantShared(t, c, "ClusterResourceQuota team: pods=1 of pods=9 (data pods=1)")
}

// Each of several quotas counts for its own namespaces, whatever the others are.
func TestSeveralClusterQuotas(t *testing.T) {
	of := func(name, team, pods string) *unstructured.Unstructured {
		return custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"`+name+`"},
			"spec":{"selector":{"labels":{"matchLabels":{"team":"`+team+`"}}},"quota":{"hard":{"pods":"`+pods+`"}}}}`)
	}
	changed := func(r whatif.Result) (names []string) {
		for _, q := range r.ClusterQuotas {
			names = append(names, q.Name)
		}
		return names
	}
	c := read(t, whatif.Options{}, of("third", "c", "7"), of("second", "a", "1"), of("first", "b", "5"), ofTeam("shop", "a"), ofTeam("data", "a"), ofTeam("other", "b"), podOf("p", "1"), in("other", podOf("p", "1")))
	first := "ClusterResourceQuota first: pods=1 of pods=5 (other pods=1)\n"
	third := "\nClusterResourceQuota third:  of pods=7 ()"
	wantShared(t, c, first+"ClusterResourceQuota second: pods=1 of pods=1 (data pods=0; shop pods=1)"+third)
	r, c := c.Apply(in("data", deployment("web", 2, "1")), in("other", podOf("r", "1")))
	testkit.Equal(t, r.Objects[0].Missing.Message, `pods "web-1-1" is forbidden: exceeded quota: second, requested: pods=1, used: pods=1, limited: pods=1`)
	testkit.NoDiff(t, changed(r), []string{"first"})
	first = "ClusterResourceQuota first: pods=2 of pods=5 (other pods=2)\n"
	wantShared(t, c, first+"ClusterResourceQuota second: pods=1 of pods=1 (data pods=0; shop pods=1)"+third)
	r, c = c.Delete(podOf("p", "1"))
	testkit.NoDiff(t, changed(r), []string{"second"})
	wantShared(t, c, first+"ClusterResourceQuota second: pods=1 of pods=1 (data pods=1; shop pods=0)"+third)
	r, c = c.Apply(of("second", "a", "2"))
	testkit.NoDiff(t, changed(r), []string{"second"})
	wantShared(t, c, first+"ClusterResourceQuota second: pods=2 of pods=2 (data pods=2; shop pods=0)"+third)
	r, c = c.Apply(ofTeam("data", "c"))
	testkit.NoDiff(t, changed(r), []string{"second", "third"})
	wantShared(t, c, first+"ClusterResourceQuota second: pods=0 of pods=2 (shop pods=0)\nClusterResourceQuota third: pods=2 of pods=7 (data pods=2)")
	r, c = c.Delete(of("first", "b", "5"))
	testkit.Equal(t, len(r.ClusterQuotas), 0)
	wantShared(t, c, "ClusterResourceQuota second: pods=0 of pods=2 (shop pods=0)\nClusterResourceQuota third: pods=2 of pods=7 (data pods=2)")
}

// Quotas of OpenShift and of Capsule may have the same name, and so may one of the namespace: each counts for itself, and
// only those that have changed are in the result.
func TestQuotasOfOneName(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), resourceQuota("team", "pods", "9"),
		openShift(t, `{"pods":"5"}`, ``), capsule(t, `{"pods":"3"}`, ``))
	r, c := c.Apply(in("data", deployment("web", 1, "1")))
	wantShared(t, c, "ClusterResourceQuota team: pods=1 of pods=5 (data pods=1; shop pods=0)\n"+
		"GlobalResourceQuota team: pods=1 of pods=3 (data pods=1; shop pods=0)")
	testkit.Equal(t, len(r.Quotas), 0)
	r, c = c.Apply(deployment("web", 4, "1"))
	testkit.Equal(t, r.Objects[0].Pods, 2)
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=5 (data pods=1; shop pods=2)\n"+
		"GlobalResourceQuota team: pods=3 of pods=3 (data pods=1; shop pods=2)")
	testkit.Equal(t, len(r.Quotas), 1)
	testkit.Equal(t, resourcelist.String(r.Quotas[0].Status.Used), "pods=2")
	r, _ = c.Apply(limitRange("bounds", "9")) // the quotas of its namespace are compiled again, as they were
	testkit.Equal(t, len(r.Quotas)+len(r.ClusterQuotas), 0)
}

// What waits for a quota of OpenShift is created when another namespace leaves it, when it goes, and when a pod that was
// read, in a namespace without quotas of its own, is deleted.
func TestWaitingForAClusterQuota(t *testing.T) {
	former := podOf("former", "1")
	full := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), openShift(t, `{"pods":"1"}`, ``), former)
	r, full := full.Apply(in("data", deployment("web", 2, "1")))
	testkit.Equal(t, r.Objects[0].Pods, 0)
	_, left := full.Apply(ofTeam("shop", "b"))
	wantShared(t, left, "ClusterResourceQuota team: pods=1 of pods=1 (data pods=1)")
	_, smaller := full.Delete(former)
	wantShared(t, smaller, "ClusterResourceQuota team: pods=1 of pods=1 (data pods=1; shop pods=0)")
	_, gone := full.Delete(openShift(t, `{}`, ``))
	for _, pod := range []string{"web-1-1", "web-1-2"} {
		if _, err := gone.Pod(types.NamespacedName{Namespace: "data", Name: pod}); err != nil {
			t.Error(err)
		}
	}
	fresh := read(t, whatif.Options{}, ofTeam("shop", "a"), openShift(t, `{"pods":"1"}`, ``), podOf("former", "1"))
	_, fresh = fresh.Delete(former)
	wantShared(t, fresh, "ClusterResourceQuota team: pods=0 of pods=1 (shop pods=0)")
}

// A quota over several namespaces may count LimitRanges, also those that come with others.
func TestClusterQuotaCountsLimitRanges(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), openShift(t, `{"count/limitranges":"1"}`, ``))
	r, c := c.Apply(limitRange("first", "9"), limitRange("second", "9"))
	testkit.Equal(t, r.Objects[0].Action, whatif.Created)
	testkit.Equal(t, r.Objects[1].Action, whatif.Refused)
	wantShared(t, c, "ClusterResourceQuota team: count/limitranges=1 of count/limitranges=1 (shop count/limitranges=1)")
}

// A quota that selects other namespaces loses what the former ones use.
func TestClusterQuotaSelectsOthers(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "b"), openShift(t, `{"pods":"9"}`, ``))
	_, c = c.Apply(deployment("web", 3, "1"), in("data", deployment("web", 2, "1")))
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=9 (shop pods=3)")
	_, c = c.Apply(custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},
		"spec":{"selector":{"labels":{"matchLabels":{"team":"b"}}},"quota":{"hard":{"pods":"9"}}}}`))
	wantShared(t, c, "ClusterResourceQuota team: pods=2 of pods=9 (data pods=2)")
}

// A resource that a quota limits no more is not in its usage either, and only the quota that was applied has changed.
func TestClusterQuotaWithFewerLimits(t *testing.T) {
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), openShift(t, `{"pods":"5","requests.cpu":"9"}`, ``), capsule(t, `{"pods":"7"}`, ``))
	_, c = c.Apply(deployment("web", 3, "1"))
	r, c := c.Apply(openShift(t, `{"pods":"5"}`, ``))
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=5 (shop pods=3)\nGlobalResourceQuota team: pods=3 of pods=7 (shop pods=3)")
	testkit.Equal(t, len(r.ClusterQuotas), 1)
	testkit.Equal(t, r.ClusterQuotas[0].Kind, quota.ClusterResourceQuota)
	c.ClusterQuotas()[0].SetUsed("shop", testkit.List("pods", "1")) // of a copy
	r.ClusterQuotas[0].SetUsed("shop", nil)
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=5 (shop pods=3)\nGlobalResourceQuota team: pods=3 of pods=7 (shop pods=3)")
}

// With other scopes, a quota counts other objects: what is used is counted again.
func TestClusterQuotaWithOtherScopes(t *testing.T) {
	scoped := func(scopes string) admit.APIObject {
		return custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},
			"spec":{"selector":{"labels":{"matchLabels":{"team":"a"}}},"quota":{"hard":{"pods":"5"}`+scopes+`}}}`)
	}
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), openShift(t, `{"pods":"5"}`, ``))
	_, c = c.Apply(deployment("web", 3, "1"))
	_, c = c.Apply(scoped(`,"scopes":["Terminating"]`))
	wantShared(t, c, "ClusterResourceQuota team: pods=0 of pods=5 (shop pods=0)")
	_, c = c.Apply(scoped(`,"scopeSelector":{"matchExpressions":[{"scopeName":"NotTerminating","operator":"Exists"}]}`))
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=5 (shop pods=3)")
	_, c = c.Apply(deployment("web", 1, "1"))
	wantShared(t, c, "ClusterResourceQuota team: pods=1 of pods=5 (shop pods=1)")
	_, c = c.Apply(scoped(`,"scopeSelector":{"matchExpressions":[{"scopeName":"Terminating","operator":"Exists"}]}`))
	wantShared(t, c, "ClusterResourceQuota team: pods=0 of pods=5 (shop pods=0)")
}

// An update that uses less gives back the rest, to other namespaces as well.
func TestUpdateGivesBackToAClusterQuota(t *testing.T) {
	service := func(namespace string, of corev1.ServiceType) *corev1.Service {
		return in(namespace, &corev1.Service{ObjectMeta: meta("web"), Spec: corev1.ServiceSpec{Type: of, Ports: []corev1.ServicePort{{Port: 80}}}})
	}
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), openShift(t, `{"services.loadbalancers":"1"}`, ``))
	_, c = c.Apply(service("shop", corev1.ServiceTypeLoadBalancer))
	r, c := c.Apply(service("data", corev1.ServiceTypeLoadBalancer))
	testkit.Equal(t, r.Objects[0].Action, whatif.Refused)
	_, c = c.Apply(service("shop", corev1.ServiceTypeClusterIP))
	wantShared(t, c, "ClusterResourceQuota team: services.loadbalancers=0 of services.loadbalancers=1 "+
		"(data services.loadbalancers=0; shop services.loadbalancers=0)")
	r, _ = c.Apply(service("data", corev1.ServiceTypeLoadBalancer))
	testkit.Equal(t, r.Objects[0].Action, whatif.Created)
}

// An invalid quota is refused, and an error of Read.
func TestInvalidClusterQuotas(t *testing.T) {
	bad := openShift(t, `{"pods":"-1"}`, ``)
	r, c := (*whatif.Cluster)(nil).Apply(bad)
	testkit.Equal(t, r.Objects[0].Action, whatif.Refused)
	if want := "spec.quota.hard[pods]: Invalid value"; !strings.Contains(r.Objects[0].Reason.Message, want) {
		t.Errorf("%s, want %s", r.Objects[0].Reason.Message, want)
	}
	wantShared(t, c, "")
	if _, err := whatif.Read([]admit.APIObject{bad}, whatif.Options{}); err == nil || !strings.Contains(err.Error(), "spec.quota.hard[pods]") {
		t.Error(err)
	}
	worse := openShift(t, `{"pods":"-1","requests.cpu":"-2"}`, ``)
	r, _ = c.Apply(worse)
	if got := r.Objects[0].Reason.Message; !strings.Contains(got, "spec.quota.hard[pods]") || !strings.Contains(got, "spec.quota.hard[requests.cpu]") {
		t.Error(got)
	}
	selector := custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},
		"spec":{"selector":{"labels":{"matchExpressions":[{"key":"team","operator":"Like"}]}},"quota":{"hard":{"pods":"1"}}}}`)
	if _, err := whatif.Read([]admit.APIObject{selector}, whatif.Options{}); err == nil || !strings.Contains(err.Error(), "spec.selector") {
		t.Error(err)
	}
	other := custom(t, `{"apiVersion":"quota.openshift.io/v1","kind":"ClusterResourceQuota","metadata":{"name":"team"},"spec":{"quota":{"hard":3}}}`)
	if _, err := whatif.Read([]admit.APIObject{other}, whatif.Options{}); err == nil || !strings.Contains(err.Error(), "ClusterResourceQuota") {
		t.Error(err)
	}
	for field, status := range map[string]string{
		"status.total.used[pods]": `"total":{"hard":{"pods":"1"},"used":{"pods":"-1"}}`,
		"status.total.hard[pods]": `"total":{"hard":{"pods":"-1"},"used":{"pods":"1"}}`,
	} {
		negative := capsule(t, `{"pods":"1"}`, status)
		if _, err := whatif.Read([]admit.APIObject{negative}, whatif.Options{}); err == nil || !strings.Contains(err.Error(), field) {
			t.Error(err)
		}
	}
	if (*whatif.Cluster)(nil).ClusterQuotas() != nil {
		t.Error("quotas of no cluster")
	}
}

// Capsule's webhook refuses a pod, and the ResourceQuotas that Capsule derives from the quota do not count as well.
func TestGlobalResourceQuota(t *testing.T) {
	projected := resourceQuota("capsule-global-quota-1", "requests.cpu", "1")
	projected.Labels = map[string]string{"projectcapsule.dev/managed-by": "controller", "projectcapsule.dev/global-resource-quota": "team"}
	projected.Status = corev1.ResourceQuotaStatus{Hard: projected.Spec.Hard, Used: testkit.List("requests.cpu", "1")}
	q := capsule(t, `{"requests.cpu":"4"}`, `"total":{"hard":{"requests.cpu":"4"},"used":{"requests.cpu":"1"}},
		"namespaces":["data","shop"],"namespaceUsage":{"shop":{"used":{"requests.cpu":"1"}},"data":{"used":{"requests.cpu":"0"}}}`)
	c := read(t, whatif.Options{}, ofTeam("shop", "a"), ofTeam("data", "a"), q, projected, podOf("old", "1"))
	r, c := c.Apply(in("data", deployment("web", 3, "2")))
	testkit.Equal(t, r.Objects[0].Pods, 1)
	if want := `denied the request: resource exceeds GlobalResourceQuota "team": requests.cpu (requested=2, current=3, projected=5, hard=4, exceededBy=1)`; !strings.HasSuffix(
		r.Objects[0].Missing.Message, want) {
		t.Error(r.Objects[0].Missing.Message)
	}
	r, c = c.Apply(deployment("web", 2, "1"))
	testkit.Equal(t, r.Objects[0].Pods, 1)
	wantShared(t, c, "GlobalResourceQuota team: requests.cpu=4 of requests.cpu=4 (data requests.cpu=2; shop requests.cpu=2)")
	_, c = c.Apply(resourceQuota("capsule-global-quota-1", "requests.cpu", "1"), projected) // a webhook would refuse it, and it does not count
	testkit.Equal(t, len(c.Namespace("shop").Quotas()), 1)
	former := capsule(t, `{"requests.cpu":"4","pods":"9"}`, `"total":{"hard":{"requests.cpu":"4","pods":"9"},"used":{"requests.cpu":"1","requests.memory":"1Gi"}},
		"namespaces":["shop"],"namespaceUsage":{"shop":{"used":{"requests.cpu":"1","requests.memory":"1Gi"}}}`)
	wantShared(t, read(t, whatif.Options{}, ofTeam("shop", "a"), former, podOf("old", "1")), "GlobalResourceQuota team: pods=1,requests.cpu=1,requests.memory=1Gi of pods=9,requests.cpu=4 (shop pods=1,requests.cpu=1,requests.memory=1Gi)")
	alone := read(t, whatif.Options{}, ofTeam("shop", "a"), projected, podOf("old", "1"))
	r, _ = alone.Apply(deployment("web", 2, "1"))
	testkit.Equal(t, r.Objects[0].Pods, 0)
	other := read(t, whatif.Options{}, ofTeam("shop", "a"), projected, podOf("old", "1"), openShift(t, `{"pods":"9"}`, ``))
	r, _ = other.Apply(deployment("web", 2, "1")) // that of OpenShift has the name alone
	testkit.Equal(t, r.Objects[0].Pods, 0)
}

// The rules of a Tenant have quotas, unless those that Capsule has created for them are there.
func TestQuotasOfATenant(t *testing.T) {
	tenant := custom(t, `{"apiVersion":"capsule.clastix.io/v1beta2","kind":"Tenant","metadata":{"name":"wind"},
		"spec":{"rules":[{"quota":[{"name":"cpu","hard":{"requests.cpu":"2"}}]}]}}`)
	shop, data := namespace("shop"), namespace("data")
	shop.Labels = map[string]string{"capsule.clastix.io/tenant": "wind"}
	c := read(t, whatif.Options{}, shop, data, tenant)
	_, c = c.Apply(deployment("web", 3, "1"), in("data", deployment("web", 3, "1")))
	wantShared(t, c, "GlobalResourceQuota wind-cpu: requests.cpu=2 of requests.cpu=2 (shop requests.cpu=2)")
	own := capsule(t, `{"requests.cpu":"3"}`, ``)
	own.SetName("wind-cpu")
	c = read(t, whatif.Options{}, shop, data, tenant, own)
	wantShared(t, c, "GlobalResourceQuota wind-cpu:  of requests.cpu=3 ()")
}

// The sum is that of the quotas of the namespaces, and no limit is exceeded, after any changes; changes at once are the
// same as one after the other.
func TestClusterQuotaIsTheSumOfQuotas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"shop", "data", "test"}
		objects := []admit.APIObject{openShift(t, `{"requests.cpu":"6","pods":"7"}`, ``)}
		for _, name := range names {
			objects = append(objects, ofTeam(name, rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "team")),
				in(name, resourceQuota("all", "requests.cpu", "99", "pods", "99")))
		}
		c := read(t, whatif.Options{}, objects...)
		before, changes, isRelabelled := c, []admit.APIObject{}, false
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			name := rapid.SampledFrom(names).Draw(t, "namespace")
			var o admit.APIObject
			switch rapid.IntRange(0, 5).Draw(t, "change") {
			case 0:
				o, isRelabelled = ofTeam(name, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "team")), true
			case 1:
				o = in(name, podOf(rapid.SampledFrom([]string{"p", "q"}).Draw(t, "pod"), "1"))
			default:
				o = in(name, deployment(rapid.SampledFrom([]string{"web", "api"}).Draw(t, "deployment"), int32(rapid.IntRange(0, 4).Draw(t, "replicas")),
					rapid.SampledFrom([]string{"500m", "1", "2"}).Draw(t, "cpu")))
			}
			if rapid.IntRange(0, 4).Draw(t, "delete") == 0 {
				if _, isNamespace := o.(*corev1.Namespace); !isNamespace {
					_, c = c.Delete(o)
					before, changes = c, nil
					checkSum(t, c, names, isRelabelled)
					continue
				}
			}
			_, c = c.Apply(o)
			changes = append(changes, o)
			checkSum(t, c, names, isRelabelled)
		}
		_, atOnce := before.Apply(changes...)
		if got, want := tellShared(atOnce), tellShared(c); got != want {
			t.Fatalf("at once %s, one after the other %s", got, want)
		}
	})
}

func checkSum(t *rapid.T, c *whatif.Cluster, names []string, isRelabelled bool) {
	q := c.ClusterQuotas()[0]
	sum := testkit.List("requests.cpu", "0", "pods", "0")
	for _, name := range names {
		used, isMember := q.Namespaces[name]
		for _, own := range c.Namespace(name).Quotas() {
			switch {
			case own.Kind == "" && isMember:
				sum = resourcelist.Add(sum, own.Status.Used)
				if !resourcelist.Equals(used, own.Status.Used) {
					t.Fatalf("%s uses %s, and counts %s", name, resourcelist.String(own.Status.Used), resourcelist.String(used))
				}
			case own.Kind == string(quota.ClusterResourceQuota) && !isMember:
				t.Fatalf("%s does not share the quota", name)
			case own.Kind == string(quota.ClusterResourceQuota) && !resourcelist.Equals(own.Status.Used, q.Status.Used):
				t.Fatalf("in %s, %s is used of all, not %s", name, resourcelist.String(own.Status.Used), resourcelist.String(q.Status.Used))
			}
		}
	}
	if !resourcelist.IsZero(resourcelist.Subtract(sum, q.Status.Used)) {
		t.Fatalf("the sum is %s, not %s", resourcelist.String(sum), resourcelist.String(q.Status.Used))
	}
	if over, _ := resourcelist.LessThanOrEqual(sum, q.Status.Hard); !over && !isRelabelled {
		t.Fatalf("%s is used of %s", resourcelist.String(sum), resourcelist.String(q.Status.Hard))
	}
}

// The chart of Capsule calls its webhook for the namespaces of tenants only. In others, the ResourceQuotas that Capsule
// derives from the quota refuse pods, with what was left when Capsule wrote them.
// See docs/decisions/quota.md#webhook-in-every-namespace.
func TestDivergenceWebhookInEveryNamespace(t *testing.T) {
	r, _ := read(t, whatif.Options{}, ofTeam("shop", "a"), capsule(t, `{"pods":"1"}`, ``)).Apply(deployment("web", 2, "1"))
	testkit.Equal(t, r.Objects[0].Pods, 1)
	if message := r.Objects[0].Missing.Message; !strings.HasPrefix(message, "admission webhook ") {
		t.Error(message)
	}
}

// Quotas are told by kind and name, and the rules of a Tenant count if it is applied later.
func TestKindsOfClusterQuotas(t *testing.T) {
	second := openShift(t, `{"pods":"1"}`, ``)
	second.SetName("a-second")
	global := capsule(t, `{"pods":"2"}`, ``)
	global.SetName("a-first")
	r, c := (*whatif.Cluster)(nil).Apply(global, openShift(t, `{"pods":"3"}`, ``), second)
	testkit.Equal(t, len(r.ClusterQuotas), 3)
	wantShared(t, c, "ClusterResourceQuota a-second:  of pods=1 ()\nClusterResourceQuota team:  of pods=3 ()\nGlobalResourceQuota a-first:  of pods=2 ()")
	r, c = c.Apply(custom(t, `{"apiVersion":"capsule.clastix.io/v1beta2","kind":"Tenant","metadata":{"name":"a"},
		"spec":{"rules":[{"quota":[{"name":"cpu","hard":{"pods":"9"}}]}]}}`))
	testkit.Equal(t, len(r.ClusterQuotas), 1)
	testkit.Equal(t, r.ClusterQuotas[0].Name, "a-cpu")
	testkit.Equal(t, len(c.ClusterQuotas()), 4)
	r, _ = c.Apply(podOf("web", "1"))
	testkit.Equal(t, len(r.ClusterQuotas), 0)
}

// Several namespaces of which the status knows the first one: the others are counted, each of them.
func TestStatusOfSomeNamespaces(t *testing.T) {
	q := openShift(t, `{"pods":"9"}`, `"total":{"hard":{"pods":"9"},"used":{"pods":"3"}},"namespaces":[{"namespace":"a","status":{"used":{"pods":"1"}}}]`)
	c := read(t, whatif.Options{}, q, ofTeam("a", "a"), ofTeam("b", "a"), ofTeam("c", "a"), in("b", podOf("p", "1")), in("c", podOf("p", "1")))
	wantShared(t, c, "ClusterResourceQuota team: pods=3 of pods=9 (a pods=1; b pods=1; c pods=1)")
}
