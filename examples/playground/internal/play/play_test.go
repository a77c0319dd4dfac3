package play_test

import (
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
