package table_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/kubemath/internal/table"
	"github.com/kubemath/kubemath/internal/testkit"
)

func format(columns int, manifests string) string {
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds}.File("manifests.yaml", strings.NewReader(manifests)), manifest.Options{Home: "default"})
	cpu := resource.MustParse("8")
	return written(report.Of(in, report.Options{Size: report.Size{CPU: &cpu}}), columns, false)
}

// Lines keep to the columns of the terminal, and use them. On narrow ones, the names of resources may be longer.
func TestColumns(t *testing.T) {
	const dir = "../podreport/samples"
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
	var manifests strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(dir + "/" + e.Name())
		testkit.OK(t, err)
		manifests.WriteString("---\n" + string(text))
	}
	for columns, most := range map[int]int{40: 51, 80: 80, 200: 200} {
		longest := ""
		text, _, _ := strings.Cut(format(columns, manifests.String()), "\n*  is not set")
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if terminal.TextWidth(line) > terminal.TextWidth(longest) {
				longest = line
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("space at the end of %q", line)
			}
		}
		if n := terminal.TextWidth(longest); n > most || n < min(columns-10, 100) {
			t.Errorf("%d columns: the longest line has %d: %s", columns, n, longest)
		}
	}
	// An amount and its limit, or what a node has of it, are never apart.
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 2Gi, example.com/some: 2}}}]}\n"
	for columns, blocks := range map[int][]string{
		30: {"\n  by namespace  pods  cpu  limit\n", "\n  by namespace  memory  limit\n"},
		36: {"\n                 cpu  limit\n", "\n                 memory  limit\n", "\n  by node  memory    of\n"},
		40: {"\n  by node  pods   of  cpu  of\n", "\n  by node  memory    of\n"},
	} {
		for _, block := range blocks {
			if text := format(columns, pod); !strings.Contains(text, block) {
				t.Errorf("%d columns: no %q in\n%s", columns, block, text)
			}
		}
	}
}

// Of many workloads, the largest are shown; those that are not listed are one row, so the rows add up.
func TestMany(t *testing.T) {
	var manifests strings.Builder
	for i := range 50 {
		fmt.Fprintf(&manifests, "apiVersion: v1\nkind: Node\nmetadata: {name: n%02d}\nstatus: {allocatable: {cpu: %d, memory: 1Gi, pods: 10}}\n---\n"+
			"apiVersion: v1\nkind: Pod\nmetadata: {name: w%02d}\nspec: {containers: [{name: app, resources: {requests: {cpu: %dm}}}]}\n---\n", i, 2+i, i, 60_000+100*i)
	}
	manifests.WriteString("apiVersion: v1\nkind: Pod\nmetadata: {name: bad}\nspec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n")
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds}.File("manifests.yaml", strings.NewReader(manifests.String())), manifest.Options{Home: "default"})
	r := report.Of(in, report.Options{})
	if all := written(r, 100, true); strings.Count(all, "Fit on the empty node") != 51 || strings.Contains(all, "by workload") {
		t.Errorf("not all of them:\n%s", all)
	}
	text := written(r, 100, false)
	for _, want := range []string{
		"rejected\n  - Pod bad: container app: request cpu 2 is above its limit 1\n",
		"\n  Pod w46         1  64.6      -       -      -\n", "\n  46 others      46  2.9k      -       -      -\n", // 2863500m
		"\n  default         50  3.1k      -       -      -\n", "\n  50 workloads    50  3.1k      -       -      -\n", "1 workload rejected",
		"\n  and 46 others, which are less full\n", "  and 49 others: -all lists them\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	i := slices.IndexFunc(r.Workloads, func(w *report.Workload) bool { return w.Name == "bad" })
	r.Workloads[i].Admitted, r.Workloads[i].All.Requests = 1, amounts("cpu", "900") // of a rejected workload, no sums are told
	testkit.NoDiff(t, written(r, 100, false), text)
	r.Workloads[i].Rejection.Stored = true // nor of one whose pods are rejected
	testkit.NoDiff(t, written(r, 100, false), text)
	r.Workloads[i].Rejection.Blocked = "now" // nor of one that is blocked
	if blocked := written(r, 100, false); strings.Contains(blocked, "\n  Pod bad ") || !strings.Contains(blocked, "\n  - Pod bad: blocked now") {
		t.Errorf("a workload that is blocked:\n%s", blocked)
	}
	if n := len(regexp.MustCompile(`(?m)^  n\d\d `).FindAllString(text, -1)); n != 4 {
		t.Errorf("%d nodes:\n%s", n, text)
	}
	if n := strings.Count(text, "  on no node: 1 pod of Pod w"); n != 1 || strings.Contains(text, "w01 ") {
		t.Errorf("%d pods on no node:\n%s", n, text)
	}
	if few := format(100, strings.Repeat("apiVersion: v1\nkind: Pod\nmetadata: {generateName: w}\nspec: {containers: [{name: app}]}\n---\n", 29)); strings.Contains(few, "by workload") || !strings.Contains(few, "QoS class") {
		t.Errorf("a summary of few:\n%s", few)
	}
}

// A report of 142 workloads is at most 60 lines, whatever there is to say about them, and says how much it leaves out.
func TestSummaryFitsAScreen(t *testing.T) {
	r, why := &report.Report{}, strings.Repeat("a long reason ", 9)
	for i := range 142 {
		name := fmt.Sprintf("workload-%03d", i)
		w := report.Workload{Object: report.Object{Kind: "Deployment", Namespace: "shop", Name: name}, Pods: 2,
			All: report.Sums{Requests: amounts("cpu", "1"), Limits: amounts("memory", "1Gi"), Unbounded: []corev1.ResourceName{"memory"}}}
		finding := report.Finding{Object: name, Text: why}
		if i >= 71 {
			w.Rejection = &report.Rejection{Reasons: []report.Reason{reason(why, "", ""), reason("other", "", "")}}
		}
		r.Workloads = append(r.Workloads, &w)
		r.Nodes = append(r.Nodes, &report.Node{Name: name, Allocatable: amounts("cpu", "4"), Missing: amounts("cpu", "1")})
		r.Unplaced = append(r.Unplaced, report.Unplaced{Kind: "Deployment", Name: name, Pods: 1, Message: "0/142 nodes are available: 142 Insufficient cpu."})
		r.Namespaces = append(r.Namespaces, report.Namespace{Name: name, Quotas: []report.Quota{{Held: report.Held{Name: "q", Hard: amounts("pods", "1"), Then: amounts("pods", "1")}}}})
		r.NotComputed, r.Warnings = append(r.NotComputed, finding), append(r.Warnings, finding)
	}
	for _, columns := range []int{100, 120} {
		text := written(r, columns, false)
		if n := strings.Count(text, "\n"); n > 60 || n < 40 {
			t.Errorf("%d lines:\n%s", n, text)
		}
		if n := strings.Count(text, "others"); n != 8 {
			t.Errorf("%d times others:\n%s", n, text)
		}
	}
	if all := written(r, 100, true); strings.Count(all, "others") > 0 || strings.Count(all, "workload-141") < 5 {
		t.Errorf("not all:\n%s", all)
	}
}

func written(r *report.Report, columns int, all bool) string {
	text := terminal.Text{Columns: columns}
	table.Write(&text, r, all)
	return text.String()
}
