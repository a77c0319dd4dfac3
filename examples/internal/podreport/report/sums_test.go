package report_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

func reportOn(manifests string) *report.Report {
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(manifests)}.Files([]string{"-"}), manifest.Options{Home: "home"})
	return report.Of(in, report.Options{})
}

// held is what pods hold: how many there are, milli-CPU, and bytes.
type held struct{ pods, cpu, memory int64 }

func (h *held) add(other held) {
	h.pods, h.cpu, h.memory = h.pods+other.pods, h.cpu+other.cpu, h.memory+other.memory
}

func heldBy(pods int64, s *report.Sums) held {
	cpu, memory := s.Requests[corev1.ResourceCPU], s.Requests[corev1.ResourceMemory]
	return held{pods, cpu.MilliValue(), memory.Value()}
}

// Sums of 300 random workloads, which an init container and a sidecar may belong to, are those of integers that are added
// up here. Other resources have no share.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var manifests strings.Builder
	container := func(name, more string) (text string, h held) {
		h = held{0, int64(1 + random.IntN(3000)), int64(1 + random.IntN(1<<30))}
		return fmt.Sprintf("{name: %s, %sresources: {requests: {cpu: %dm, memory: %d}, limits: {example.com/gpu: %d}}}", name, more, h.cpu, h.memory, random.IntN(40)/39), h
	}
	want, total := map[string]*held{}, held{}
	for i := range 300 {
		namespace := []string{"home", "a", "b", "c", "d"}[random.IntN(5)]
		replicas := int64(random.IntN(4))
		app, sum := container("app", "")
		inits := []string{}
		if random.IntN(2) == 0 {
			side, h := container("side", "restartPolicy: Always, ")
			inits = append(inits, side)
			sum.add(h)
		}
		if random.IntN(2) == 0 {
			first, h := container("first", "")
			inits = slices.Insert(inits, 0, first) // it ends before the sidecar starts
			sum.cpu, sum.memory = max(sum.cpu, h.cpu), max(sum.memory, h.memory)
		}
		metadata := fmt.Sprintf("{name: w%d, namespace: %s}", i, namespace)
		if namespace == "home" {
			metadata = fmt.Sprintf("{name: w%d}", i)
		}
		fmt.Fprintf(&manifests, "apiVersion: apps/v1\nkind: Deployment\nmetadata: %s\nspec: {replicas: %d, template: {spec: {initContainers: [%s], containers: [%s]}}}\n---\n",
			metadata, replicas, strings.Join(inits, ", "), app)
		sum = held{replicas, replicas * sum.cpu, replicas * sum.memory}
		if want[namespace] == nil {
			want[namespace] = &held{}
		}
		want[namespace].add(sum)
		total.add(sum)
	}
	r := reportOn(manifests.String())
	if got := heldBy(r.Totals.Pods, &r.Totals.Sums); got != total || len(r.Workloads) != 300 || r.Totals.Workloads != 300 {
		t.Errorf("%+v of %d workloads, want %+v", got, len(r.Workloads), total)
	}
	var workloads held
	for _, w := range r.Workloads {
		workloads.add(heldBy(w.Pods, &w.All))
	}
	testkit.Equal(t, workloads, total, "workloads")
	before := 2.0
	for i := range r.Namespaces {
		n := &r.Namespaces[i]
		got := heldBy(n.Pods, &n.Sums)
		testkit.Equal(t, got, *want[n.Name], n.Name)
		share := max(float64(got.cpu)/float64(total.cpu), float64(got.memory)/float64(total.memory))
		if share > before {
			t.Errorf("%s comes after %f, with %f", n.Name, before, share)
		}
		before = share
	}
	if len(r.Namespaces) != len(want) {
		t.Errorf("%d namespaces", len(r.Namespaces))
	}
}

// What is rejected is counted, and holds nothing.
func TestRejectedPodsDoNotCount(t *testing.T) {
	deployment := func(name, resources string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec: {template: {spec: {containers: [{name: app, resources: " + resources + "}]}}}\n---\n"
	}
	r := reportOn(deployment("a", "{requests: {cpu: 2}, limits: {cpu: 1}}") + deployment("b", "{requests: {cpu: 4}}") + deployment("c", "{limits: {cpu: -1}}"))
	if got := heldBy(r.Totals.Pods, &r.Totals.Sums); got != (held{1, 4000, 0}) || r.Totals.Workloads != 1 || r.Totals.Rejected != 2 || !r.Rejects() {
		t.Errorf("%+v of %d workloads, %d rejected", got, r.Totals.Workloads, r.Totals.Rejected)
	}
}

// A quota is used as its status says, and then by what is admitted.
func TestUsageOfQuotas(t *testing.T) {
	quota := func(name, status string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + name + "}\nspec: {hard: {requests.cpu: 10m, pods: 7}}\n" + status + "---\n"
	}
	pods := func(name string, replicas int) string {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: %d, template: {spec: {containers: [{name: app, resources: {requests: {cpu: 4m}}}]}}}\n---\n", name, replicas)
	}
	r := reportOn(quota("known", "status: {hard: {requests.cpu: 10m, pods: 7}, used: {requests.cpu: 1m, pods: 2}}\n") + pods("fits", 2) + pods("too-many", 1) + quota("new", ""))
	var got []string
	for _, q := range r.Namespaces[0].Quotas {
		const cpu = corev1.ResourceRequestsCPU
		got = append(got, fmt.Sprint(q.Name, " ", q.Used.Text(cpu), " ", q.Used.Text("pods"), " ", q.Then.Text(cpu), " ", q.Then.Text("pods"), " ", q.AtLeast))
	}
	testkit.NoDiff(t, got, []string{"known 1m 2 9m 4 false", "new 0 0 8m 2 true"})
}

// The order of documents changes nothing but the order of workloads.
func TestOrderOfDocuments(t *testing.T) {
	documents := []string{
		"apiVersion: v1\nkind: LimitRange\nmetadata: {name: a}\nspec: {limits: [{type: Container, default: {cpu: 2}, min: {memory: 1Gi}}]}\n",
		"apiVersion: v1\nkind: LimitRange\nmetadata: {name: b}\nspec: {limits: [{type: Container, default: {cpu: 1}, max: {memory: 512Mi}}]}\n",
		"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {limits.cpu: 9}}\nstatus: {hard: {limits.cpu: 9}, used: {limits.cpu: 1}}\n",
		"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, resources: {requests: {memory: 2Gi}}}]}\n",
	}
	want := reportOn(strings.Join(documents, "---\n"))
	if n := want.Namespaces[0]; len(n.Conflicts) == 0 || len(n.Ambiguities) == 0 || len(n.Quotas) == 0 {
		t.Fatal("a namespace without conflicts and ambiguities shows nothing")
	}
	for range len(documents) {
		documents = append(documents[1:], documents[0])
		got := reportOn(strings.Join(documents, "---\n"))
		got.Workloads[0].Source, got.Workloads[0].Line = want.Workloads[0].Source, want.Workloads[0].Line
		if a, b := jsonOf(t, want), jsonOf(t, got); a != b {
			t.Errorf("(-want +got):\n%s", cmp.Diff(a, b))
		}
	}
}

func jsonOf(t *testing.T, r *report.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", " ")
	testkit.OK(t, err)
	return string(text)
}

func TestNamesOfAmounts(t *testing.T) {
	amounts := report.Amounts{}
	for _, name := range []corev1.ResourceName{"z", "pods", "a.b/c", "memory", "cpu", "hugepages-2Mi"} {
		amounts[name] = resource.MustParse("0")
	}
	want := []corev1.ResourceName{"cpu", "memory", "pods", "a.b/c", "hugepages-2Mi", "z"}
	if got := amounts.Names(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Without workloads, programs read an empty list.
func TestNoWorkloads(t *testing.T) {
	text, err := json.Marshal(report.Of(manifest.Of(slices.Values([]objects.Object(nil)), manifest.Options{}), report.Options{}))
	testkit.OK(t, err)
	testkit.Equal(t, string(text), `{"apiVersion":"podreport/v1alpha2","kind":"Report","workloads":[],"totals":{"workloads":0,"pods":0,"requests":{},"limits":{}}}`)
}
