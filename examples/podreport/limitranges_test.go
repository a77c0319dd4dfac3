package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/limitrange"
)

// maxCPU returns a LimitRange that bounds, and gives, a limit of cpu.
func maxCPU(name, amount string) string {
	return limitRangeWith(name, "{type: Container, max: {cpu: "+amount+"}}")
}

// join makes documents one file. A workload, claim or service that has the name of another of its kind gets
// another: web, web-2, web-3.
func join(documents ...string) string {
	seen := map[[2]string]int{}
	for i, d := range documents {
		kind, name := kindIn.FindString(d), nameIn.FindStringSubmatchIndex(d)
		if name == nil || kind == "kind: LimitRange" || kind == "kind: ResourceQuota" || kind == "kind: Node" {
			continue
		}
		key := [2]string{kind, d[name[2]:name[3]]}
		if seen[key]++; seen[key] > 1 {
			documents[i] = d[:name[3]] + fmt.Sprintf("-%d", seen[key]) + d[name[3]:]
		}
	}
	return strings.Join(documents, "---\n")
}

var (
	kindIn = regexp.MustCompile(`kind: \w+`)
	nameIn = regexp.MustCompile(`metadata: \{.*?[{ ]name: ([a-z]+)`)
)

func TestDefaultsOfLimitRanges(t *testing.T) {
	r := reportFor(t, join(
		deploymentWith("{limits: {memory: 1Gi}}"),
		limitRangeWith("cpu", "{type: Pod, max: {cpu: 4}}, {type: Container, default: {cpu: 500m}}"),
		limitRangeWith("memory", "{type: Container, default: {memory: 2Gi}}"),
	))
	cpu := computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: "cpu", Field: "spec.limits[1]"}
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	half, gibi := resource.MustParse("500m"), resource.MustParse("1Gi")
	score := -997
	want := report.Workload{
		Object: report.Object{Source: at(1), Kind: "Deployment", Namespace: "shop", Name: "web", Scale: "1 replica"}, Pods: 1, Admitted: 1,
		Containers: []report.Part{{
			Ref: app, OOMScoreAdj: &score,
			Requests: amounts(texts{"cpu": "500m", "memory": "1Gi"}), Limits: amounts(texts{"cpu": "500m", "memory": "1Gi"}),
		}},
		Defaults: []computeresources.Change{
			{Ref: app, List: computeresources.Requests, Resource: "memory", To: &gibi},
			{Ref: app, List: computeresources.Requests, Resource: "cpu", To: &half, Source: cpu},
			{Ref: app, List: computeresources.Limits, Resource: "cpu", To: &half, Source: cpu},
		},
		Annotation: "LimitRanger plugin set: cpu request for container app; cpu limit for container app",
		Pod: report.Sums{
			Requests: amounts(texts{"cpu": "500m", "memory": "1Gi"}), Limits: amounts(texts{"cpu": "500m", "memory": "1Gi"}),
			BindingLimits: amounts(texts{"cpu": "500m", "memory": "1Gi"}),
		},
		QoS: report.QoS{Class: "Guaranteed", Reason: "requests equal limits for cpu and memory"},
	}
	ignore := cmpopts.IgnoreUnexported(report.Workload{})
	if diff := cmp.Diff(want, r.Workloads[0], ignore); diff != "" {
		t.Errorf("workload (-want +got):\n%s", diff)
	}
	wantNamespaces := []report.Namespace{{Name: "shop", LimitRanges: []report.Policy{
		{Source: at(2), Name: "cpu"}, {Source: at(3), Name: "memory"},
	}}}
	if diff := cmp.Diff(wantNamespaces, r.Namespaces); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
	if r.Totals.PodsByClass["Guaranteed"] != 1 || r.Totals.Limits.Text("cpu") != "500m" {
		t.Errorf("totals %v, %v", r.Totals.PodsByClass, r.Totals.Limits)
	}
}

func TestMarks(t *testing.T) {
	ranges := join(maxCPU("b", "3"), limitRangeWith("a", "{type: Container, default: {memory: 1Gi}}"))
	pod := podSpec("{initContainers: [{name: i}, {name: s, restartPolicy: Always}], containers: [{name: app, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}]}")
	got := runWith(join(pod, ranges), "-f", "-").Stdout
	for _, want := range []string{
		"  init container i       3^     3^     1Gi^   1Gi^   938\n" +
			"  sidecar s              3^     3^     1Gi^   1Gi^   938\n" +
			"  container app           1      2     1Gi^   1Gi^   938\n",
		"  ^ from LimitRange shop/a: memory request, memory limit of container app; memory request, memory\n" +
			"         limit of init container i; memory request, memory limit of sidecar s\n" +
			"  ^ from LimitRange shop/b: cpu request, cpu limit of init container i; cpu request, cpu limit of\n" +
			"         sidecar s\n",
		"\n\n^          is not set in the manifest: it is a default of a LimitRange, named below the table.\n-          is",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("output lacks:\n%s\ngot:\n%s", want, got)
		}
	}
}

func TestWhichLimitRangesCount(t *testing.T) {
	here := strings.NewReplacer("namespace: shop, ", "")
	generated := strings.NewReplacer("name: ", "generateName: ")
	const pod = "{containers: [{name: app}]}"
	for _, test := range []struct {
		name, manifests, args string
		ranges                []string // namespace and name
		cpu                   string   // the limit that the workload gets
		note                  string
	}{
		{"none", deploymentWith("{}"), "", nil, "", ""},
		{"before the workload", join(maxCPU("a", "1"), deploymentWith("{}")), "", []string{"shop/a"}, "1", ""},
		{"behind the workload", join(deploymentWith("{}"), maxCPU("a", "1")), "", []string{"shop/a"}, "1", ""},
		{"of another namespace", join(here.Replace(maxCPU("a", "1")), deploymentWith("{}")), "", []string{"default/a"}, "", ""},
		{"neither states a namespace", here.Replace(join(maxCPU("a", "1"), deploymentWith("{}"))), "", []string{"default/a"}, "1", ""},
		{"the workload states none", join(maxCPU("a", "1"), here.Replace(deploymentWith("{}"))), "shop", []string{"shop/a"}, "1", ""},
		{"the LimitRange states none", join(here.Replace(maxCPU("a", "1")), deploymentWith("{}")), "shop", []string{"shop/a"}, "1", ""},
		{"-n is another", join(here.Replace(maxCPU("a", "1")), deploymentWith("{}")), "mine", []string{"mine/a"}, "", ""},
		{
			"in a List", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: 1}}]}}]\n---\n" + deploymentWith("{}"),
			"", []string{"shop/a"}, "1", "",
		},
		{"without items", join(limitRangeWith("a", ""), deploymentWith("{}")), "", []string{"shop/a"}, "", ""},
		{"null items", join(strings.Replace(limitRangeWith("a", ""), "[]", "null", 1), deploymentWith("{}")), "", []string{"shop/a"}, "", ""},
		{"no spec", join("apiVersion: v1\nkind: LimitRange\nmetadata: {name: a, namespace: shop}\n", deploymentWith("{}")), "", []string{"shop/a"}, "", ""},
		{"null amounts", join(limitRangeWith("a", "{type: Container, max: null}"), deploymentWith("{}")), "", []string{"shop/a"}, "", ""},
		{"the same again", join(maxCPU("a", "1"), maxCPU("a", "1000m"), deploymentWith("{}")), "", []string{"shop/a"}, "1", ""},
		{
			"the same as it is stored", join(limitRangeWith("a", "{type: Container, max: {cpu: 1}, default: {cpu: 1}, defaultRequest: {cpu: 1}}"), maxCPU("a", "1"), deploymentWith("{}")),
			"", []string{"shop/a"}, "1", "",
		},
		{
			"replaced", join(maxCPU("a", "1"), maxCPU("a", "2"), deploymentWith("{}")), "", []string{"shop/a"}, "2",
			"podreport: -: document 1: LimitRange shop/a: skipped: replaced by -, document 2\n",
		},
		{
			"replaced where no namespace is stated", join(maxCPU("a", "1"), here.Replace(maxCPU("a", "2")), deploymentWith("{}")), "shop", []string{"shop/a"}, "2",
			"podreport: -: document 1: LimitRange shop/a: skipped: replaced by -, document 2\n",
		},
		{
			"replaced in a List", join("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: 1}}]}}, "+
				"{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: 2}}]}}]\n", deploymentWith("{}")), "", []string{"shop/a"}, "2",
			"podreport: -: document 1: items[0]: LimitRange shop/a: skipped: replaced by -, document 1, items[1]\n",
		},
		{"of one name in two namespaces", join(maxCPU("a", "1"), here.Replace(maxCPU("a", "2")), deploymentWith("{}")), "", []string{"default/a", "shop/a"}, "1", ""},
		{"names to be generated", join(generated.Replace(maxCPU("a-", "1")), generated.Replace(maxCPU("a-", "1")), deploymentWith("{}")), "", []string{"shop/a-...", "shop/a-..."}, "1", ""},
		{"by name", join(maxCPU("b", "2"), limitRangeWith("a", "{type: Container, default: {cpu: 1}}"), deploymentWith("{}")), "", []string{"shop/a", "shop/b"}, "1", ""},
		{"a live pod", join(maxCPU("a", "1"), podSpec(pod)+"status: {phase: Running}"), "", []string{"shop/a"}, "", ""},
		{"a pod with an empty status", join(maxCPU("a", "1"), podSpec(pod)+"status: {}"), "", []string{"shop/a"}, "1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"-f", "-", "-o", "json"}
			if test.args != "" {
				args = append(args, "-n", test.args)
			}
			got := runWith(test.manifests, args...)
			if got.Code != 0 || got.Stderr != test.note {
				t.Errorf("exit code %d, stderr %q, want 0, %q", got.Code, got.Stderr, test.note)
			}
			r := unmarshal(t, got.Stdout)
			var ranges []string
			for _, n := range r.Namespaces {
				for _, lr := range n.LimitRanges {
					ranges = append(ranges, n.Name+"/"+lr.Name)
				}
			}
			if diff := cmp.Diff(test.ranges, ranges); diff != "" {
				t.Errorf("LimitRanges (-want +got):\n%s", diff)
			}
			if cpu := r.Workloads[0].Pod.Limits.Text("cpu"); cpu != test.cpu {
				t.Errorf("limit cpu %q, want %q", cpu, test.cpu)
			}
		})
	}
}

// TestInvalidLimitRangesDoNotCount: the server keeps the one that it has.
func TestInvalidLimitRangesDoNotCount(t *testing.T) {
	got := runWith(join(maxCPU("a", "1"), limitRangeWith("a", "{type: Container, max: {cpu: 3}, min: {cpu: 4}}"), deploymentWith("{}")), "-f", "-", "-o", "json")
	r := unmarshal(t, got.Stdout)
	if cpu := r.Workloads[0].Pod.Limits.Text("cpu"); got.Code != 2 || cpu != "1" || r.Workloads[0].Rejection != nil {
		t.Errorf("exit code %d, limit cpu %s, rejection %v", got.Code, cpu, r.Workloads[0].Rejection)
	}
}

func TestOrderOfDocumentsDoesNotMatter(t *testing.T) {
	documents := []string{
		limitRangeWith("a", "{type: Container, default: {cpu: 2}, min: {memory: 1Gi}}"),
		limitRangeWith("b", "{type: Container, default: {cpu: 1}, max: {memory: 512Mi}}, {type: PersistentVolumeClaim, max: {storage: 1Gi}}"),
		deploymentWith("{}"),
		claimWith("2Gi"),
	}
	ignore := cmp.Options{cmpopts.IgnoreTypes(objects.Source{}), cmpopts.IgnoreUnexported(report.Workload{})}
	want := reportWith(t, 2, join(documents...))
	if n := want.Namespaces[0]; len(n.Conflicts) == 0 || len(n.Ambiguities) == 0 {
		t.Fatal("a namespace without conflicts and ambiguities shows nothing")
	}
	for order := range permutations(len(documents)) {
		var permuted []string
		for _, i := range order {
			permuted = append(permuted, documents[i])
		}
		if diff := cmp.Diff(want, reportWith(t, 2, join(permuted...)), ignore); diff != "" {
			t.Errorf("in the order %v (-want +got):\n%s", order, diff)
		}
	}
}

// permutations yields all orders of 0 to n-1.
func permutations(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		var extend func(order []int) bool
		extend = func(order []int) bool {
			if len(order) == n {
				return yield(slices.Clone(order))
			}
			for i := range n {
				if !slices.Contains(order, i) && !extend(append(order, i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

func TestHundredLimitRanges(t *testing.T) {
	var documents []string
	for i := range 100 {
		documents = append(documents, limitRangeWith(fmt.Sprintf("r%02d", i), fmt.Sprintf("{type: Container, min: {cpu: %dm}, max: {cpu: %d}}", i+1, 200-i)))
	}
	r := reportFor(t, join(append(documents, deploymentWith("{requests: {cpu: 100m}, limits: {cpu: 101}}"))...))
	if n := r.Namespaces[0]; len(n.LimitRanges) != 100 || len(n.Conflicts) != 2 || len(n.Ambiguities) != 2 || len(n.Ambiguities[0].Values) != 100 {
		t.Errorf("%d LimitRanges, conflicts %v, ambiguities %v", len(n.LimitRanges), n.Conflicts, n.Ambiguities)
	}
	below := reportWith(t, 2, join(append(documents, deploymentWith("{requests: {cpu: 99m}, limits: {cpu: 102}}"))...))
	var servers []string
	for _, reason := range below.Workloads[0].Rejection.Reasons {
		servers = append(servers, reason.Server)
	}
	want := []string{
		"minimum cpu usage per Container is 100m, but request is 99m",
		"maximum cpu usage per Container is 101, but limit is 102",
	}
	if diff := cmp.Diff(want, servers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConflictsAndAmbiguities(t *testing.T) {
	manifests := join(
		limitRangeWith("least", "{type: Container, min: {cpu: 2}}, {type: Pod, max: {memory: -1}}"),
		maxCPU("most", "1"),
		deploymentWith("{}"), deploymentWith("{}"),
	)
	r := reportWith(t, 2, manifests)
	value := func(of corev1.LimitType, resourceName corev1.ResourceName, bound limitrange.Bound, amount, name, field string) limitrange.BoundValue {
		source := computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: name, Field: field}
		return limitrange.BoundValue{Type: of, Resource: resourceName, Bound: bound, Amount: resource.MustParse(amount), Source: source}
	}
	const item = "spec.limits[0]"
	want := report.Namespace{
		Name:        "shop",
		LimitRanges: []report.Policy{{Source: at(1), Name: "least"}, {Source: at(2), Name: "most"}},
		Conflicts: computeresources.Problems[*limitrange.Conflict]{
			{Cause: limitrange.MinAboveMax, Type: "Container", Resource: "cpu", Values: []limitrange.BoundValue{
				value("Container", "cpu", limitrange.Min, "2", "least", item), value("Container", "cpu", limitrange.Max, "1", "most", item),
			}},
			{Cause: limitrange.MaxBelowZero, Type: "Pod", Resource: "memory", Values: []limitrange.BoundValue{value("Pod", "memory", limitrange.Max, "-1", "least", "spec.limits[1]")}},
		},
		Ambiguities: []limitrange.Ambiguity{{Resource: "cpu", Bound: limitrange.DefaultRequest, Values: []limitrange.BoundValue{
			value("Container", "cpu", limitrange.DefaultRequest, "2", "least", item), value("Container", "cpu", limitrange.DefaultRequest, "1", "most", item),
		}}},
	}
	if diff := cmp.Diff([]report.Namespace{want}, r.Namespaces); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text := runWith(manifests, "-f", "-").Stdout
	for _, line := range []string{
		"  Conflict: Container cpu: min is above max: min 2 of LimitRange shop/least, max 1 of LimitRange\n            shop/most\n",
		"  Ambiguous: Container cpu defaultRequest: 2 of LimitRange shop/least, 1 of LimitRange shop/most;\n             the API server may apply any of them, this report applies the first\n",
	} {
		if n := strings.Count(text, line); n != 1 {
			t.Errorf("%d times, want once:\n%s\nin:\n%s", n, line, text)
		}
	}
}

// TestAmbiguities: equal amounts in different formats are not ambiguous, and neither are defaults
// of another type.
func TestAmbiguities(t *testing.T) {
	r := reportFor(t, join(
		limitRangeWith("a", "{type: Container, default: {memory: 1Gi, cpu: 1}, defaultRequest: {cpu: 500m}}"),
		limitRangeWith("b", "{type: Container, default: {memory: 1073741824, cpu: 2}}"),
		limitRangeWith("c", "{type: PersistentVolumeClaim, default: {storage: 2}, max: {storage: 3}}"),
		limitRangeWith("d", "{type: PersistentVolumeClaim, default: {storage: 1}, max: {storage: 3}}"),
	))
	var got []string
	for _, a := range r.Namespaces[0].Ambiguities {
		got = append(got, a.String())
	}
	want := []string{
		"Container cpu default: 1 of LimitRange shop/a, 2 of LimitRange shop/b",
		"Container cpu defaultRequest: 500m of LimitRange shop/a, 2 of LimitRange shop/b",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNamespacesInTable(t *testing.T) {
	manifests := join(strings.Replace(maxCPU("b", "1"), "shop", "default", 1), strings.Replace(maxCPU("a", "1"), "shop", "default", 1), maxCPU("x", "1"))
	want := "Namespace default (also of objects without a namespace)\n  LimitRanges: a, b\n\nNamespace shop\n  LimitRanges: x\n\nno workloads\n"
	if diff := cmp.Diff(result{Code: 0, Stdout: want, Stderr: ""}, runWith(manifests, "-f", "-")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
