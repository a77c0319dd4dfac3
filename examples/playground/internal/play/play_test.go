package play_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
	"github.com/kubemath/kubemath/internal/testkit"
)

// tester is what tests of one input and of random ones have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
}

func listOf(texts ...string) inventory.List {
	l := inventory.List{Home: "default"}
	l.Read(objects.Reader{Kinds: inventory.Kinds, Check: objects.Warn}.File("manifests.yaml", strings.NewReader(strings.Join(texts, "---\n"))))
	return l
}

func sample(t tester, name string) string {
	t.Helper()
	text, err := comparison.Samples.ReadFile("samples/" + name + "/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func played(t tester, p *play.Play, in comparison.Input) {
	t.Helper()
	if err := p.Set(in, computeresources.Kubernetes{}); err != nil {
		t.Fatal(err)
	}
	for p.Next() {
	}
}

// asJSON returns a report as kubemath diff -o json writes it.
func asJSON(t tester, r *comparison.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func reportOf(t tester, in comparison.Input) string {
	t.Helper()
	r, err := comparison.ReportOf(&in, comparison.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return asJSON(t, r)
}

// drawManifests returns manifests of a small cluster, in which names, and therefore updates, are frequent.
func drawManifests(t *rapid.T) (texts []string) {
	for range rapid.IntRange(1, 6).Draw(t, "objects") {
		name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
		amounts := fmt.Sprintf("{cpu: %dm, memory: 64Mi}", 100*rapid.IntRange(1, 12).Draw(t, "cpu"))
		spec := fmt.Sprintf("{priority: %d, containers: [{name: app, resources: {requests: %s}}]}", rapid.IntRange(0, 1).Draw(t, "priority"), amounts)
		template := fmt.Sprintf("replicas: %d, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: %s}", rapid.IntRange(0, 4).Draw(t, "replicas"), name, name, spec)
		texts = append(texts, rapid.SampledFrom([]string{
			"apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 6}}\n",
			"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + name + "}\nspec: {hard: {requests.cpu: 2, pods: 5}}\n",
			"apiVersion: v1\nkind: LimitRange\nmetadata: {name: " + name + "}\nspec: {limits: [{type: Container, max: {cpu: 1}}]}\n",
			"apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: " + spec + "\n",
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec: {" + template + "}\n",
			"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: " + name + "}\nspec: {" + template + "}\n",
			"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: " + name + "}\nspec: {selector: {matchLabels: {app: " + name + "}}, template: {metadata: {labels: {app: " + name + "}}, spec: " + spec + "}}\n",
		}).Draw(t, "kind"))
	}
	return texts
}

// The play of all objects ends with what kubemath diff says of them together, whatever was played before.
func TestPlayIsTheComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p play.Play
		cluster := listOf(drawManifests(t)...)
		for range 3 {
			in := comparison.Input{Cluster: cluster, Change: listOf(drawManifests(t)...)}
			played(t, &p, in)
			testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, in))
		}
	})
}

func TestPlayOfTheSamples(t *testing.T) {
	in := comparison.Input{Cluster: listOf(sample(t, "cluster")), Change: listOf(sample(t, "change"))}
	var p play.Play
	played(t, &p, in)
	testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, in))
	want := []play.Title{
		{Object: "Deployment shop/web", Action: "Updated", Outcome: play.Stored},
		{Object: "Deployment shop/search", Action: "Created", Outcome: play.Refused},
		{Object: "Job shop/reindex", Action: "Created", Outcome: play.Refused},
		{Object: "StatefulSet data/postgres", Action: "Created", Outcome: play.Waits},
	}
	testkit.NoDiff(t, p.Titles(), want)
	// What is used of requests.cpu in each step: before, after, and with all pods that are refused.
	for n, want := range [][3]string{{"3500m", "3500m", ""}, {"3500m", "4500m", ""}, {"4500m", "7500m", "8500m"}, {"7500m", "7500m", ""}, {"7500m", "7500m", ""}, {"3500m", "7500m", "8500m"}} {
		s := p.Step(n)
		q := s.Namespaces[0].Quotas[1]
		if got := [3]string{q.Before.Used, q.After.Used, q.Wanted}; q.Resource != "requests.cpu" || got != want {
			t.Errorf("step %d: %s %q, want %q", n, q.Resource, got, want)
		}
		if len(s.Nodes) != 3 || len(s.Objects) != 1 && n > 0 && n < 5 {
			t.Errorf("step %d: %d nodes, %d objects", n, len(s.Nodes), len(s.Objects))
		}
	}
	var part play.Play // an amount is proposed once all is played
	testkit.OK(t, part.Set(in, computeresources.Kubernetes{}))
	for part.Played() < 2 {
		part.Next()
	}
	testkit.Equal(t, fmt.Sprint(part.Step(2).Objects[0].Fixed, p.Step(2).Objects[0].Fixed), "false true")
	first := p.Step(1).Nodes[0]
	web := play.OwnerPods{Owner: "shop/web", Stay: []string{}, Came: []string{"web-1-3"}, Gone: []string{"web-6d4b9-4kx2m"}}
	cart := play.OwnerPods{Owner: "shop/cart", Stay: []string{"cart-7f9c8-b2mlx"}, Came: []string{}, Gone: []string{}}
	testkit.NoDiff(t, first.Owners, []play.OwnerPods{cart, web})
	pending := []play.Pending{{Owner: "data/postgres", Pods: 1, Came: 1, Reason: "0/3 nodes are available: 3 Insufficient cpu."}}
	testkit.NoDiff(t, p.Step(4).Pending, pending)
	if told := p.Step(5).Objects; len(told) != 4 || !told[1].Fixed || !told[2].Fixed || told[3].Fixed || told[1].Step != 2 {
		t.Errorf("told %+v", told)
	}
}

// Of many objects, some clusters are kept, and each step is what it is in a play of all objects up to it. What comes
// after the first object that differs is applied again, and nothing else.
func TestPlayOfMany(t *testing.T) {
	var texts []string
	for i := range 300 {
		texts = append(texts, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m}}}]}\n", i))
	}
	cluster := listOf("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 1000}}\n", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 1}}\n")
	in := comparison.Input{Cluster: cluster, Change: listOf(texts...)}
	var p play.Play
	played(t, &p, in)
	// The 101st pod exceeds the quota.
	if i := slices.IndexFunc(p.Titles(), func(title play.Title) bool { return title.Outcome == play.Refused }); i != 100 {
		t.Errorf("the first refusal is of object %d", i)
	}
	for _, n := range []int{1, 16, 17, 99, 100, 101, 300} {
		want := fmt.Sprintf("%dm", min(n*10, 1000))
		if want == "1000m" {
			want = "1"
		}
		testkit.Equal(t, p.Step(n).Namespaces[0].Quotas[0].After.Used, want, "step", n)
	}
	changed := in
	changed.Change.Objects = slices.Clone(in.Change.Objects)
	changed.Change.Objects[200] = listOf(strings.Replace(texts[200], "10m", "0", 1)).Objects[0]
	if err := p.Set(changed, computeresources.Kubernetes{}); err != nil || p.Played() < 200-16 || p.Played() > 200 {
		t.Errorf("%d objects are still applied, %v", p.Played(), err)
	}
	for p.Next() {
	}
	if got := p.Titles()[200]; got.Outcome != play.Stored {
		t.Errorf("%+v", got)
	}
	testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, changed))
}

// A pod that is preempted or evicted is named, whoever owns it.
func TestPlayOfLostPods(t *testing.T) {
	cluster := listOf("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 6}}\n",
		"apiVersion: v1\nkind: Pod\nmetadata: {name: pg-1, ownerReferences: [{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: pg, uid: u, controller: true}]}\nspec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 2}}}]}\n")
	in := comparison.Input{Cluster: cluster, Change: listOf("apiVersion: v1\nkind: Pod\nmetadata: {name: urgent}\nspec: {priority: 9, containers: [{name: app, resources: {requests: {cpu: 1}}}]}\n",
		"apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {taints: [{key: k, effect: NoExecute}]}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 6}}\n")}
	var p play.Play
	played(t, &p, in)
	var got []string
	for step := range p.Len() + 2 {
		for _, told := range p.Step(step).Objects {
			got = append(got, fmt.Sprint(step, " ", told.Head, " ", told.Outcome))
		}
	}
	want := []string{
		"1 Pod default/urgent created stored", "1 preempted on a: default/pg-1 (Cluster.postgresql.cnpg.io pg) waits",
		"2 Node a updated stored", "2 evicted from a: default/urgent waits",
		"3 Pod default/urgent created stored", "3 Node a updated stored", "3 preempted on a: default/pg-1 (Cluster.postgresql.cnpg.io pg) waits",
	}
	testkit.NoDiff(t, got, want)
	testkit.NoDiff(t, p.Titles(), []play.Title{{Object: "Pod default/urgent", Action: "Created", Outcome: play.Waits}, {Object: "Node a", Action: "Updated", Outcome: play.Waits}})
}

// A pod that moves twice has come from its first node.
func TestPlayOfAPodThatMovesTwice(t *testing.T) {
	node := func(name string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {name: " + name + "}}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 6}}\n"
	}
	set := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {%scontainers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: db-0, labels: {a: b}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]}\n" +
		"spec: {nodeName: one, containers: [{name: c, resources: {requests: {cpu: 1}}}]}\nstatus: {phase: Running}\n"
	in := comparison.Input{Cluster: listOf(node("one"), node("three"), node("two"), strings.Replace(set, "%s", "", 1), pod),
		Change: listOf(strings.Replace(node("one"), "status:", "spec: {taints: [{key: k, effect: NoExecute}]}\nstatus:", 1), strings.Replace(set, "%s", "nodeSelector: {name: two}, ", 1))}
	var p play.Play
	played(t, &p, in)
	testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, in))
	var nodes []string
	for _, n := range p.Report().Nodes {
		nodes = append(nodes, n.Name)
	}
	testkit.NoDiff(t, nodes, []string{"one", "two"})
	// Only the set is changed; it is preempted before, or is new and is preempted or evicted afterwards.
	urgent := "apiVersion: v1\nkind: Pod\nmetadata: {name: urgent}\nspec: {priority: 9, nodeSelector: {name: one}, containers: [{name: c, resources: {requests: {cpu: 2}}}]}\n"
	moved, stays := strings.Replace(set, "%s", "nodeSelector: {name: two}, ", 1), strings.Replace(set, "%s", "nodeSelector: {name: one}, ", 1)
	tainted := strings.Replace(node("one"), "status:", "spec: {taints: [{key: k, effect: NoExecute}]}\nstatus:", 1)
	for name, test := range map[string]struct{ cluster, change inventory.List }{
		"moved": {in.Cluster, listOf(moved)}, "preempted, and moved": {in.Cluster, listOf(urgent, moved)},
		"new, and preempted": {listOf(node("one"), node("two")), listOf(stays, urgent)}, "new, and evicted": {listOf(node("one"), node("two")), listOf(stays, tainted)},
	} {
		var p play.Play
		of := comparison.Input{Cluster: test.cluster, Change: test.change}
		played(t, &p, of)
		testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, of), name)
	}
	var owners []string
	for _, n := range p.Step(2).Nodes {
		owners = append(owners, fmt.Sprintf("%s %+v", n.Name, n.Owners))
	}
	testkit.NoDiff(t, owners, []string{"one []", "three [{Owner:default/db Stay:[] Came:[] Gone:[db-0]}]", "two [{Owner:default/db Stay:[] Came:[db-0] Gone:[]}]"})
}

// Of what is applied, there is a summary, and why a step refuses something; of the rest, there are names.
func TestSummaryOfAPlay(t *testing.T) {
	in := comparison.Input{Cluster: listOf(sample(t, "cluster")), Change: listOf(sample(t, "change"))}
	var p play.Play
	testkit.OK(t, p.Set(in, computeresources.Kubernetes{}))
	var got []string
	for more := true; ; more = p.Next() {
		got = append(got, fmt.Sprint(p.Played(), " of ", p.Len(), ", ", more, ": ", p.Summary()))
		if !more {
			break
		}
	}
	const two, all = "2 objects: 1 created, 1 updated; pods: 8 placed, 3 gone", "Fails: 2 pods not created, 1 pod waiting. 4 objects: 3 created, 1 updated; pods: 8 placed, 3 gone"
	testkit.NoDiff(t, got, []string{"0 of 4, true: nothing is computed: no object uses quotas or nodes", "1 of 4, true: 1 object: 1 updated; pods: 5 placed, 3 gone",
		"2 of 4, true: Fails: 1 pod not created. " + two, "3 of 4, true: Fails: 2 pods not created. 3 objects: 2 created, 1 updated; pods: 8 placed, 3 gone", "4 of 4, false: " + all})
	if p.Next() || p.Played() != 4 || p.Summary() != all {
		t.Errorf("behind the last object, %d are applied: %s", p.Played(), p.Summary())
	}
	for i, want := range []string{"", `pods "search-1-4" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=7500m, limited: requests.cpu=8`,
		`Pod "reindex-1" is invalid: spec.containers[0].resources.requests: Invalid value: "6Gi": must be less than or equal to memory limit of 4Gi`, ""} {
		testkit.Equal(t, p.Refusal(i+1), want, "step", i+1)
	}
	var names []string
	for i := range p.Len() {
		names = append(names, p.Named(i))
	}
	testkit.NoDiff(t, names, []string{"Deployment shop/web", "Deployment shop/search", "Job shop/reindex", "StatefulSet data/postgres"})
	// The same change keeps what is applied, and a shorter one what it still has.
	testkit.OK(t, p.Set(in, computeresources.Kubernetes{}))
	testkit.Equal(t, fmt.Sprint(p.Played(), " ", p.Summary()), "4 "+all)
	in.Change.Objects, in.Change.Places = in.Change.Objects[:2], in.Change.Places[:2]
	testkit.OK(t, p.Set(in, computeresources.Kubernetes{}))
	testkit.Equal(t, fmt.Sprint(p.Played(), " ", len(p.Titles()), " ", p.Summary()), "2 2 Fails: 1 pod not created. "+two)
}

// A step says why its object is refused, and the names of objects are printable.
func TestRefusals(t *testing.T) {
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 0, count/configmaps: 0}}\n"
	set := "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}}\n"
	in := comparison.Input{Cluster: listOf(set), Change: listOf("apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 1}}]}\n", quota,
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n", set)}
	in.Change.Places[0].Named = "LimitRange a\x1b"
	var p play.Play
	played(t, &p, in)
	testkit.Equal(t, p.Named(0), `LimitRange a\x1b`)
	for i, want := range []string{"", "", `configmaps "m" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=0, limited: count/configmaps=0`, ""} {
		testkit.Equal(t, p.Refusal(i+1), want, "step", i+1)
	}
	q := p.Step(3).Namespaces[0].Quotas[0]
	testkit.Equal(t, fmt.Sprint(q.Resource, " ", q.After.Used, " ", q.Wanted), "count/configmaps 0 1")
}

// A step says why the next pod of another workload is refused.
func TestRefusalOfAnother(t *testing.T) {
	set := "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r}\nspec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}}\n"
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1}}\n"
	var p play.Play
	played(t, &p, comparison.Input{Cluster: listOf(set, quota), Change: listOf(strings.Replace(quota, "pods: 1", "pods: 2, requests.cpu: 1", 1))})
	testkit.Equal(t, p.Refusal(1), `pods "r-1" is forbidden: failed quota: q: must specify requests.cpu for: c`)
	testkit.NoDiff(t, p.Titles(), []play.Title{{Object: "ResourceQuota default/q", Action: "Updated", Outcome: play.Refused}})
	var steps []int // of the change, and 0 for others
	for _, told := range p.Step(1).Objects {
		steps = append(steps, told.Step)
	}
	testkit.NoDiff(t, steps, []int{1, 0})
}

// What is refused of the object of a step comes before what is refused of another workload.
func TestRefusalOfBoth(t *testing.T) {
	set := func(name, spec, requests string) string {
		return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " + name + "}\nspec: {selector: {matchLabels: {a: " + name + "}}, " + spec + "containers: [{name: c, resources: {" + requests + "}}]}}}\n"
	}
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {limits.cpu: 2}}\n"
	in := comparison.Input{Cluster: listOf("apiVersion: v1\nkind: Node\nmetadata: {name: one}\nstatus: {allocatable: {cpu: 2, memory: 1Gi, pods: 9}}\n",
		set("low", "replicas: 1, template: {metadata: {labels: {a: low}}, spec: {", "requests: {cpu: 2}"), quota,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: low-x, labels: {a: low}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: low, uid: u, controller: true}]}\n"+
			"spec: {nodeName: one, containers: [{name: c, resources: {requests: {cpu: 2}}}]}\nstatus: {phase: Running}\n"),
		Change: listOf(set("high", "replicas: 2, template: {metadata: {labels: {a: high}}, spec: {priority: 9, ", "limits: {cpu: 2}"))}
	var p play.Play
	played(t, &p, in)
	testkit.Equal(t, p.Refusal(1), `pods "high-2" is forbidden: exceeded quota: q, requested: limits.cpu=2, used: limits.cpu=2, limited: limits.cpu=2`)
	testkit.Equal(t, p.Report().Others[0].Missing, `pods "low-1" is forbidden: failed quota: q: must specify limits.cpu for: c`)
}

// What the input does not say is told of the whole change, and not in each step.
func TestNotesOfSteps(t *testing.T) {
	var p play.Play
	played(t, &p, comparison.Input{Cluster: listOf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop, uid: q}\nspec: {hard: {pods: 2}}\n"),
		Change: listOf("apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: shop}\n", "apiVersion: v1\nkind: Secret\nmetadata: {name: b, namespace: shop}\n")})
	var got []string
	for step := range p.Len() + 2 {
		for _, told := range p.Step(step).Objects {
			got = append(got, fmt.Sprint(step, " ", told.Head))
		}
	}
	testkit.NoDiff(t, got, []string{"1 Secret shop/a created", "2 Secret shop/b created", "3 Secret shop/a created", "3 Secret shop/b created",
		"3 usage of ResourceQuota shop/q not known: neither its status nor the pods of its namespace are in the input"})
	played(t, &p, comparison.Input{Cluster: listOf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop, uid: q}\nspec: {hard: {pods: 2}}\n"), Change: listOf("apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: shop}\n")})
	testkit.Equal(t, len(p.Step(1).Objects), 2, "told of a change of one object")
}

// Another release of the cluster decides anew, and a cluster that cannot be read has nothing to play.
func TestSetOfAnotherCluster(t *testing.T) {
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 1}}\n"
	in := comparison.Input{Cluster: listOf(quota), Change: listOf("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {resources: {requests: {cpu: 2}}, containers: [{name: app, resources: {requests: {cpu: 100m}}}]}\n")}
	var p play.Play
	for _, release := range []string{"1.37", "1.33", "1.37"} {
		testkit.OK(t, p.Set(in, computeresources.Kubernetes{Release: release}))
		testkit.Equal(t, p.Played(), 0, release)
		for p.Next() {
		}
		testkit.Equal(t, p.Titles()[0].Outcome, map[string]play.Outcome{"1.37": play.Refused, "1.33": play.Stored}[release], release)
	}
	in.Cluster = listOf(strings.Replace(quota, "cpu: 1", "cpu: 3", 1))
	testkit.OK(t, p.Set(in, computeresources.Kubernetes{Release: "1.37"}))
	testkit.Equal(t, p.Next(), false)
	testkit.Equal(t, p.Titles()[0].Outcome, play.Stored)
	in.Cluster = listOf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1500m}}\n")
	if err := p.Set(in, computeresources.Kubernetes{}); err == nil || p.Len() != 0 || p.Played() != 0 {
		t.Errorf("%v, %d of %d objects", err, p.Played(), p.Len())
	}
}

// A step has the quotas with what all refused pods would use, the pods of each node by workload, and those that wait by reason.
func TestSteps(t *testing.T) {
	pod := func(metadata, more, requests string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {" + metadata + "}\nspec: {" + more + "containers: [{name: c, resources: {requests: {" + requests + "}}}]}\n"
	}
	node := func(name, cpu string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nstatus: {allocatable: {cpu: " + cpu + ", pods: 10}}\n"
	}
	quota := func(namespace, hard string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: " + namespace + "}\nspec: {hard: {" + hard + "}}\n"
	}
	const pg = ", namespace: data, ownerReferences: [{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: pg, uid: u, controller: true}]"
	in := comparison.Input{
		Cluster: listOf(node("a", "2"), node("b", "1"), pod("name: web, namespace: shop", "nodeName: a, ", "cpu: 1"), pod("name: web, namespace: data", "nodeName: a, ", "cpu: 500m"), pod("name: new, namespace: other", "nodeName: b, ", "cpu: 100m"),
			pod("name: pg-1"+pg, "", "cpu: 9"), pod("name: pg-2"+pg, "", "example.com/gpu: 1"), quota("shop", "requests.cpu: 2"), quota("data", "pods: 9")),
		Change: listOf(pod("name: new, namespace: data", "", "cpu: 600m"),
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, resources: {requests: {cpu: 600m}}}]}}}\n",
			pod("name: urgent, namespace: data", "priority: 9, ", "cpu: 1800m"), quota("late", "pods: 1")),
	}
	var p play.Play
	played(t, &p, in)
	var got []string
	for n := range p.Len() + 2 {
		s := p.Step(n)
		for _, namespace := range s.Namespaces {
			for _, q := range namespace.Quotas {
				got = append(got, fmt.Sprintf("%d %s %s %s: %s to %s, wanted %q %d%%", n, namespace.Name, q.Name, q.Resource, q.Before.Used, q.After.Used, q.Wanted, q.WantedPercent))
			}
			if len(namespace.Quotas) == 0 {
				got = append(got, fmt.Sprintf("%d %s", n, namespace.Name))
			}
		}
		for _, node := range s.Nodes {
			got = append(got, fmt.Sprintf("%d %s %+v", n, node.Name, node.Owners))
		}
		for _, pending := range s.Pending {
			got = append(got, fmt.Sprintf("%d %+v", n, pending))
		}
	}
	for _, title := range p.Titles() {
		got = append(got, fmt.Sprint(title))
	}
	testkit.NoDiff(t, got, []string{
		`0 data q pods: 3 to 3, wanted "" 0%`,
		`0 shop q requests.cpu: 1 to 1, wanted "" 0%`,
		"0 a [{Owner:data/web Stay:[web] Came:[] Gone:[]} {Owner:shop/web Stay:[web] Came:[] Gone:[]}]",
		"0 b [{Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"0 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"0 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		`1 data q pods: 3 to 4, wanted "" 0%`,
		`1 shop q requests.cpu: 1 to 1, wanted "" 0%`,
		"1 a [{Owner:data/web Stay:[web] Came:[] Gone:[]} {Owner:shop/web Stay:[web] Came:[] Gone:[]}]",
		"1 b [{Owner:data/new Stay:[] Came:[new] Gone:[]} {Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"1 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"1 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		`2 data q pods: 4 to 4, wanted "" 0%`,
		`2 shop q requests.cpu: 1 to 1600m, wanted "2800m" 140%`,
		"2 a [{Owner:data/web Stay:[web] Came:[] Gone:[]} {Owner:shop/web Stay:[web] Came:[] Gone:[]}]",
		"2 b [{Owner:data/new Stay:[new] Came:[] Gone:[]} {Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"2 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"2 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		"2 {Owner:shop/api Pods:1 Came:1 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		`3 data q pods: 4 to 4, wanted "" 0%`,
		`3 shop q requests.cpu: 1600m to 1800m, wanted "" 0%`,
		"3 a [{Owner:data/urgent Stay:[] Came:[urgent] Gone:[]} {Owner:data/web Stay:[] Came:[] Gone:[web]} {Owner:shop/web Stay:[] Came:[] Gone:[web]}]",
		"3 b [{Owner:data/new Stay:[new] Came:[] Gone:[]} {Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"3 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"3 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		"3 {Owner:shop/api Pods:3 Came:2 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		`4 data q pods: 4 to 4, wanted "" 0%`,
		`4 late q pods:  to 0, wanted "" 0%`,
		`4 shop q requests.cpu: 1800m to 1800m, wanted "" 0%`,
		"4 a [{Owner:data/urgent Stay:[urgent] Came:[] Gone:[]}]",
		"4 b [{Owner:data/new Stay:[new] Came:[] Gone:[]} {Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"4 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"4 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		"4 {Owner:shop/api Pods:3 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		`5 data q pods: 3 to 4, wanted "" 0%`,
		`5 late q pods:  to 0, wanted "" 0%`,
		`5 shop q requests.cpu: 1 to 1800m, wanted "" 0%`,
		"5 a [{Owner:data/urgent Stay:[] Came:[urgent] Gone:[]} {Owner:data/web Stay:[] Came:[] Gone:[web]} {Owner:shop/web Stay:[] Came:[] Gone:[web]}]",
		"5 b [{Owner:data/new Stay:[] Came:[new] Gone:[]} {Owner:other/new Stay:[new] Came:[] Gone:[]}]",
		"5 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"5 {Owner:data/pg Pods:1 Came:0 Reason:0/2 nodes are available: 2 Insufficient example.com/gpu.}",
		"5 {Owner:shop/api Pods:3 Came:3 Reason:0/2 nodes are available: 2 Insufficient cpu.}",
		"{Pod data/new Created stored}",
		"{Deployment shop/api Created refused}",
		"{Pod data/urgent Created waits}",
		"{ResourceQuota late/q Created stored}",
	})
}

// Of many nodes and namespaces, those that the change concerns are shown, and of many objects, those that are not just stored.
func TestStepOfMany(t *testing.T) {
	var cluster, change []string
	for i := range 45 {
		cluster = append(cluster, fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: n%02d}\nstatus: {allocatable: {cpu: 1, pods: 100}}\n", i),
			fmt.Sprintf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: s%02d}\nspec: {hard: {pods: 63}}\n", i))
	}
	for i := range 66 {
		spec := map[int]string{0: "containers: [{name: c, resources: {requests: {cpu: 2}}}]", 65: "containers: [{name: c}]"}[i]
		change = append(change, fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p%02d, namespace: s44}\nspec: {%s}\n", i, cmp.Or(spec, "nodeName: n44, containers: [{name: c}]")))
	}
	var p play.Play
	played(t, &p, comparison.Input{Cluster: listOf(cluster...), Change: listOf(change...)})
	s := p.Step(p.Len() + 1)
	var got []string
	for _, o := range s.Objects {
		got = append(got, fmt.Sprint(o.Step, " ", o.Head, " ", o.Outcome))
	}
	// The first pod waits, and three are more than the quota allows.
	testkit.NoDiff(t, got, []string{"1 Pod s44/p00 created waits", "64 Pod s44/p63 refused refused", "65 Pod s44/p64 refused refused", "66 Pod s44/p65 refused refused"})
	got = []string{fmt.Sprint(len(s.Nodes), " ", s.OtherNodes), fmt.Sprint(len(s.Namespaces), " ", s.OtherNamespaces)}
	for _, i := range []int{0, 38, 39} {
		got = append(got, s.Nodes[i].Name+" "+s.Namespaces[i].Name)
	}
	testkit.NoDiff(t, got, []string{"40 5", "40 5", "n00 s00", "n38 s38", "n44 s44"})
	testkit.Equal(t, s.OtherObjects, 62)
	before := p.Step(0)
	testkit.Equal(t, fmt.Sprintln(len(before.Nodes), before.OtherNodes, before.Nodes[39].Name, len(before.Objects), before.OtherObjects), "40 5 n44 0 0\n")
}

// A step has the namespaces that only share a quota.
func TestNamespacesOfSteps(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: one}\nstatus: {allocatable: {cpu: 1, pods: 9}}\n"
	shared := "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\nspec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {pods: 9}}}\n"
	var p play.Play
	played(t, &p, comparison.Input{Cluster: listOf(node, shared, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shared, labels: {team: a}}\n"),
		Change: listOf(strings.Replace(node, "cpu: 1", "cpu: 2", 1))})
	var got []string
	for _, n := range p.Step(1).Namespaces {
		got = append(got, fmt.Sprintf("%s %s of %s", n.Name, n.Quotas[0].After.Hard, n.Quotas[0].Name))
	}
	testkit.NoDiff(t, got, []string{"shared 9 of team"})
}

// A namespace is among those that are shown if an object of it is refused, and if its quotas change with an object that has no namespace.
func TestStepOfManyNamespaces(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n%sstatus: {allocatable: {cpu: 1, pods: 100}}\n"
	cluster := []string{strings.Replace(node, "%s", "", 1), "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: s44}\nspec: {nodeName: n1, containers: [{name: c}]}\n"}
	for i := range 45 {
		cluster = append(cluster, fmt.Sprintf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: s%02d}\nspec: {hard: {pods: 1}}\n", i))
	}
	for name, change := range map[string]string{
		"an object that is refused": "apiVersion: v1\nkind: Pod\nmetadata: {name: r, namespace: s44}\nspec: {containers: [{name: c}]}\n",
		"a pod that is evicted":     strings.Replace(node, "%s", "spec: {taints: [{key: k, effect: NoExecute}]}\n", 1),
	} {
		var p play.Play
		played(t, &p, comparison.Input{Cluster: listOf(cluster...), Change: listOf(change)})
		if shown := p.Step(1).Namespaces; len(shown) != 40 || shown[38].Name != "s38" || shown[39].Name != "s44" {
			t.Errorf("%s: %d namespaces, the last is %s", name, len(shown), shown[len(shown)-1].Name)
		}
	}
}

// Pods that a workload keeps of its former template are no update that does not end.
func TestKeptPods(t *testing.T) {
	set := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {replicas: 2, updateStrategy: {type: OnDelete}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: db-0, labels: {a: b}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]}\nspec: {nodeName: one, containers: [{name: c, resources: {requests: {cpu: 1}}}]}\nstatus: {phase: Running}\n"
	var p play.Play
	played(t, &p, comparison.Input{Cluster: listOf(set, pod, strings.Replace(pod, "db-0", "db-1", 1)), Change: listOf(strings.Replace(set, "cpu: 1", "cpu: 2", 1))})
	testkit.NoDiff(t, p.Titles(), []play.Title{{Object: "StatefulSet default/db", Action: "Updated", Outcome: play.Stored}})
	told := p.Step(1).Objects
	testkit.Equal(t, fmt.Sprint(told[0].Head, " ", told[0].Outcome), "StatefulSet default/db updated: 2 pods wanted, 0 created, 2 kept of the former template stored")
}
