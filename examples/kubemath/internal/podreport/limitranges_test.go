package podreport_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
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
			"kubemath: -: document 1: LimitRange shop/a: skipped: replaced by -, document 2\n",
		},
		{
			"replaced where no namespace is stated", join(maxCPU("a", "1"), here.Replace(maxCPU("a", "2")), deploymentWith("{}")), "shop", []string{"shop/a"}, "2",
			"kubemath: -: document 1: LimitRange shop/a: skipped: replaced by -, document 2\n",
		},
		{
			"replaced in a List", join("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: 1}}]}}, "+
				"{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: 2}}]}}]\n", deploymentWith("{}")), "", []string{"shop/a"}, "2",
			"kubemath: -: document 1: items[0]: LimitRange shop/a: skipped: replaced by -, document 1, items[1]\n",
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
