package table_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/kubemath/internal/table"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// amounts returns those of pairs of a name and a quantity.
func amounts(pairs ...string) report.Amounts {
	all := report.Amounts{}
	for i := 0; i < len(pairs); i += 2 {
		all[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return all
}

// columns matches the space between columns.
var (
	columns = regexp.MustCompile(`(\S) {2,}`)
	begin   = regexp.MustCompile(`(?m)^ {12,}`) // of a table whose first column has no heading
	rule    = regexp.MustCompile(`-{4,}`)
)

// screen returns a report in wide lines, with bars between columns, without the explanations of marks.
func screen(r *report.Report) string {
	text := columns.ReplaceAllString(written(r, 150, false), "$1 | ")
	text, _, _ = strings.Cut(text, "\nAmounts of more")
	return begin.ReplaceAllString(rule.ReplaceAllString(text, "----"), "  | ")
}

func reason(what, remedy, server string) report.Reason {
	return report.Reason{Refusal: admit.Refusal{What: what, Remedy: remedy}, Server: server}
}

func compare(t *testing.T, r *report.Report, want string) {
	t.Helper()
	testkit.NoDiff(t, screen(r), strings.TrimPrefix(want, "\n"))
}

// A workload has all that is known of it: amounts with their marks, what sets them, and its place.
func TestWorkload(t *testing.T) {
	app, side := computeresources.Ref{Name: "app"}, computeresources.Ref{Kind: computeresources.Sidecar, Name: "side"}
	ranges := computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: "d", Field: "spec.limits[0]"}
	three := int64(3)
	w := report.Workload{
		Object: report.Object{
			Source: objects.Source{File: "a.yaml", Document: 2}, Kind: "Deployment", Namespace: "shop", Name: "web",
			Verdict: report.Verdict{
				Rejection: &report.Rejection{Stored: true, Reasons: []report.Reason{reason("too much", "take less", "exceeded quota"), reason("the same", "", "the same")}},
				Quotas: []report.QuotaUse{
					{Name: "team", Used: amounts("cpu", "1"), Asked: amounts("cpu", "2", "pods", "3"), Hard: amounts("cpu", "2500m", "pods", "9"), Left: amounts("cpu", "-500m")},
					{Name: "n\x1bew", Asked: amounts("cpu", "2"), Hard: amounts("cpu", "4"), Unknown: "no status of cpu"}},
				Fit: &report.Fit{Unit: "replica", Replicas: &three, Wanted: 4, Stops: []report.Reason{reason("cpu is used up", "", "")}},
			},
		},
		Scale: "4 replicas", Pods: 4, Admitted: 3,
		Containers: []report.Part{
			{Ref: side, Requests: amounts("cpu", "100m"), Limits: amounts("cpu", "200m", "example.com/gpu", "1")},
			{Ref: app, Requests: amounts("cpu", "400m", "memory", "1Gi"), Limits: amounts("memory", "2Gi")}},
		PodLevel: &report.Part{Ref: computeresources.Ref{Kind: computeresources.Pod}, Requests: amounts("cpu", "600m"), Limits: amounts()},
		Overhead: amounts("memory", "8Mi"),
		Defaults: []computeresources.Change{
			{Ref: side, List: computeresources.Requests, Resource: "cpu", Source: ranges}, {Ref: app, List: computeresources.Requests, Resource: "memory"},
			{Ref: app, List: computeresources.Limits, Resource: "memory", Source: ranges}},
		Classes:  []computeresources.Source{{Kind: "RuntimeClass", Name: "vm", Field: "overhead"}},
		Unknown:  []string{`PriorityClass "high"`, `StorageClass "fast"`},
		Injected: []string{"proxy"},
		Pod:      report.Sums{Requests: amounts("cpu", "600m", "memory", "1032Mi"), Limits: amounts("cpu", "200m", "memory", "2Gi"), Unbounded: []corev1.ResourceName{"cpu"}},
		All:      report.Sums{Requests: amounts("cpu", "2400m", "memory", "4128Mi"), Limits: amounts("cpu", "800m", "memory", "8Gi"), Unbounded: []corev1.ResourceName{"cpu"}},
		Others:   []report.Variant{{Pods: 2, Pod: report.Sums{Requests: amounts("cpu", "700m"), Limits: amounts("cpu", "1"), Unbounded: []corev1.ResourceName{"cpu", "memory"}}}},
		Resizing: true,
		QoS:      report.QoS{Class: "Burstable", Reason: "for a reason", Advice: []string{"do this", "do that"}},
		Nodes:    []report.NodePods{{Node: "one", Pods: 1}, {Node: "two", Pods: 2}},
		Room:     &report.Room{Node: "one", Fit: 5, Stops: amounts("cpu", "490m", "memory", "1Gi")},
	}
	r := report.Report{Workloads: []*report.Workload{&w}, Totals: report.Totals{Workloads: 1, Pods: 3, PodsByClass: map[corev1.PodQOSClass]int64{"Guaranteed": 1, "Burstable": 2, "BestEffort": 4}}}
	compare(t, &r, `
1 workload, 3 pods; 1 rejected

rejected
  - Deployment shop/web: too much (and 1 more reason)

Deployment shop/web: 4 replicas
  from a.yaml, document 2
  on one (1) and two (2)

  | cpu | limit | memory | limit | example.com/gpu | limit
  sidecar side | 100m^ | 200m | - | - | - | 1
  container app | 400m | - | 1Gi* | 2Gi^ | - | -
  pod level | 600m | - | - | - | - | -
  overhead | - | - | 8Mi | - | - | -
  ----
  each pod | 600m | 200m+ | 1032Mi | 2Gi | - | -
  each of 2 that exist | 700m | 1+ | - | - | - | -
  4 pods | 2400m | 800m+ | 4128Mi | 8Gi | - | -
  ^ from LimitRange shop/d: cpu request of sidecar side; memory limit of container app
  Set by RuntimeClass vm: overhead
  Injected: proxy of its pods, not of the template; new pods count with it
  Not known: PriorityClass "high", StorageClass "fast", which may set or refuse more.

  Stored, but the API server rejects objects that are created for it:
    - too much: take less
      server: exceeded quota
    - the same

  ResourceQuota | used | this | hard | left
  team
    cpu | 1 | 2 | 2500m | -500m
    pods | unknown | 3 | 9 | unknown
  n\x1bew
    cpu | unknown | 2 | 4 | unknown
  no status of cpu
  Replicas that fit: 3 of 4; the next does not: cpu is used up
  Fit on the empty node: 5 on one; the next lacks 490m of cpu and 1Gi of memory
  QoS class: Burstable: for a reason
  Resize: in progress, so the pod may count for more or less than its spec.
  To be Guaranteed:
    - do this
    - do that

  by namespace | pods | cpu | limit | memory | limit
  ----
  1 workload | 3 | - | - | - | -

  1 Guaranteed, 2 Burstable, 4 BestEffort

* | is not set in the manifest: the API server sets it when the pod is created
^ | is not set in the manifest: it is a default of a LimitRange
+ | is a sum to which a container without a limit adds nothing, but it may use whatever the node has
- | is not set`)
	r.Workloads[0].Room.Node, r.Workloads[0].Fit.Exist, r.Workloads[0].Pods = "", true, 1
	r.Workloads[0].Rejection.Blocked, r.Workloads[0].Others = "no quota", nil
	r.Workloads[0].Rejection.Reasons[1].Server = "no quota" // which is said above
	compare(t, &r, `
1 workload, 3 pods; 1 blocked now

rejected
  - Deployment shop/web: blocked now, because no quota (and 1 more reason)

Deployment shop/web: 4 replicas
  from a.yaml, document 2
  on one (1) and two (2)

  | cpu | limit | memory | limit | example.com/gpu | limit
  sidecar side | 100m^ | 200m | - | - | - | 1
  container app | 400m | - | 1Gi* | 2Gi^ | - | -
  pod level | 600m | - | - | - | - | -
  overhead | - | - | 8Mi | - | - | -
  ----
  each pod | 600m | 200m+ | 1032Mi | 2Gi | - | -
  ^ from LimitRange shop/d: cpu request of sidecar side; memory limit of container app
  Set by RuntimeClass vm: overhead
  Injected: proxy of its pods, not of the template; new pods count with it
  Not known: PriorityClass "high", StorageClass "fast", which may set or refuse more.

  Blocked now, because no quota
    - too much: take less
      server: exceeded quota
    - the same

  ResourceQuota | used | this | hard | left
  team
    cpu | 1 | 2 | 2500m | -500m
    pods | unknown | 3 | 9 | unknown
  n\x1bew
    cpu | unknown | 2 | 4 | unknown
  no status of cpu
  More replicas that fit: 3; the next does not: cpu is used up
  Fit on the empty node: 5; the next lacks 490m of cpu and 1Gi of memory
  QoS class: Burstable: for a reason
  Resize: in progress, so the pod may count for more or less than its spec.
  To be Guaranteed:
    - do this
    - do that

  by namespace | pods | cpu | limit | memory | limit
  ----
  1 workload | 3 | - | - | - | -

  1 Guaranteed, 2 Burstable, 4 BestEffort

* | is not set in the manifest: the API server sets it when the pod is created
^ | is not set in the manifest: it is a default of a LimitRange
+ | is a sum to which a container without a limit adds nothing, but it may use whatever the node has
- | is not set`)
}

// What is not admitted is named first, with one reason each, and at most 20 of them.
func TestRejected(t *testing.T) {
	r := report.Report{}
	for i := range 23 {
		rejection := &report.Rejection{Reasons: []report.Reason{reason("wrong", "", "wrong")}}
		switch i {
		case 1:
			rejection.Reasons = append(rejection.Reasons, reason("more", "", "more"), reason("most", "", "most"))
		case 2:
			rejection.Blocked = "of a quota"
		case 22:
			rejection = nil
		}
		r.Objects = append(r.Objects, &report.Object{Kind: "Service", Name: fmt.Sprintf("s%02d", i), Verdict: report.Verdict{Rejection: rejection}})
	}
	text := screen(&r)
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	want := []string{"no workloads; 1 blocked now; 21 rejected", "", "rejected", "  - Service s00: wrong", "  - Service s01: wrong (and 2 more reasons)",
		"  - Service s02: blocked now, because of a quota", "  - Service s03: wrong"}
	testkit.NoDiff(t, lines[:len(want)], want)
	want = []string{"  - Service s19: wrong", "  and 2 others: -all lists them", "", "Service s00", "  Rejected by the API server:", "    - wrong"}
	testkit.NoDiff(t, lines[22:22+len(want)], want)
	if strings.Contains(text, "Service s22") {
		t.Errorf("an object that nothing limits:\n%s", text)
	}
}

// Findings have their object and field, and at most 20 are listed.
func TestFindings(t *testing.T) {
	r := report.Report{NotComputed: []report.Finding{{Object: "Kueue a", Text: "not known"}}}
	for i := range 22 {
		r.Warnings = append(r.Warnings, report.Finding{Object: fmt.Sprintf("Pod p%02d", i), Field: "spec.a", Text: "odd"})
	}
	var listed []string
	for i := range 20 {
		listed = append(listed, fmt.Sprintf("  - Pod p%02d: spec.a: odd\n", i))
	}
	compare(t, &r, "no workloads\n\nnot computed\n  - Kueue a: not known\n\nwarnings\n"+strings.Join(listed, "")+"  and 2 others: -all lists them\n\n")
	r.Warnings = r.Warnings[:21]
	compare(t, &r, "no workloads\n\nnot computed\n  - Kueue a: not known\n\nwarnings\n"+strings.Join(listed, "")+"  and 1 other: -all lists them\n\n")
}

// Quotas and nodes are listed with the fullest first, and what is unusual about them below.
func TestQuotasAndNodes(t *testing.T) {
	bound := func(name, q string) limitrange.BoundValue {
		return limitrange.BoundValue{Bound: limitrange.Max, Amount: resource.MustParse(q), Source: computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: name}}
	}
	r := report.Report{
		Namespaces: []report.Namespace{{Name: "shop", Quotas: []report.Quota{
			{Held: report.Held{Name: "a", Hard: amounts("cpu", "4", "memory", "4G", "pods", "0"), Used: amounts("cpu", "100m", "memory", "1Gi"), Then: amounts("cpu", "2", "memory", "3Gi")}},
			{Held: report.Held{Name: "b\x1b", Hard: amounts("requests.cpu", "8"), Used: amounts("requests.cpu", "2"), Then: amounts("requests.cpu", "7"), AtLeast: true},
				Unevaluated: []corev1.ResourceName{"apples", "count/jobs.batch"}, NeverCounted: []corev1.ResourceName{"apples"}},
		}, Conflicts: computeresources.Problems[*limitrange.Conflict]{{Cause: limitrange.MinAboveMax, Type: "Container", Resource: "cpu", Values: []limitrange.BoundValue{bound("x", "1")}}},
			Ambiguities: []limitrange.Ambiguity{{Resource: "cpu", Bound: limitrange.DefaultLimit, Values: []limitrange.BoundValue{bound("x", "1"), bound("y", "2")}}},
		}, {Name: "data", Quotas: []report.Quota{
			{Held: report.Held{Name: "a", Hard: amounts("pods", "4"), Used: amounts("pods", "1"), Then: amounts("pods", "1")}, Unevaluated: []corev1.ResourceName{"services", "apples"}},
		}, Conflicts: computeresources.Problems[*limitrange.Conflict]{{Cause: limitrange.MinAboveMax, Type: "Pod", Resource: "memory", Values: []limitrange.BoundValue{bound("z", "3")}}}}},
		Nodes: []*report.Node{
			{Name: "empty\x1b", Allocatable: amounts("cpu", "4", "memory", "8Gi", "pods", "110"), Requested: amounts()},
			{Name: "full", Allocatable: amounts("cpu", "4", "memory", "8Gi", "pods", "10"), Requested: amounts("cpu", "1", "memory", "7Gi"), Pods: 3, Cordoned: true},
			{Name: "over", Allocatable: amounts("cpu", "4", "memory", "8Gi"), Requested: amounts("cpu", "5"), Missing: amounts("a\x1bb", "2"), Pods: 2, Cordoned: true},
			{Allocatable: amounts("cpu", "2"), Requested: amounts("cpu", "1")},
		},
		Unplaced: []report.Unplaced{{Kind: "Pod", Namespace: "shop", Name: "p", Pods: 2, Message: "no room"}},
	}
	compare(t, &r, `
no workloads

  by quota | used | with this | hard | full
  shop/b\x1b requests.cpu | unknown | 7 | 8 | 87%
  shop/a memory | 1.1G | 3.2G | 4G | 80%
  shop/a cpu | 100m | 2 | 4 | 50%
  data/a pods | 1 | 1 | 4 | 25%
  shop/a pods | - | - | 0 | -

Not evaluated: apples of ResourceQuota shop/b\x1b: Kubernetes never counts this name in this quota, so it limits nothing
Not evaluated: count/jobs.batch of ResourceQuota shop/b\x1b: not used by any object in the input
Conflict: namespace shop: Container cpu: min is above max: max 1 of LimitRange shop/x
Ambiguous: namespace shop: Container cpu default: 1 of LimitRange shop/x, 2 of LimitRange shop/y; the API server may apply any of them, this report
           applies the first
Not evaluated: services of ResourceQuota data/a: not used by any object in the input
Not evaluated: apples of ResourceQuota data/a: not used by any object in the input
Conflict: namespace data: Pod memory: min is above max: max 3 of LimitRange shop/z

  by node | pods | of | cpu | of | memory | of
  over | 2 | 5 | 4 | 0 | 8Gi | lacks 2 of a\x1bb
  full | 3 | 10 | 1 | 4 | 7Gi | 8Gi | cordoned
  the node of the arguments | 0 | 1 | 2 | 0
  empty\x1b | 0 | 110 | 0 | 4 | 0 | 8Gi

  on no node: 2 pods of Pod shop/p: no room

`)
}

// Quotas of several namespaces have their kind, and a line that says who shares them.
func TestSharedQuotas(t *testing.T) {
	const open, global = "ClusterResourceQuota", "GlobalResourceQuota"
	r := report.Report{SharedQuotas: []report.SharedQuota{
		{Kind: open, Held: report.Held{Name: "a", Hard: amounts("pods", "4"), Used: amounts("pods", "1"), Then: amounts("pods", "3")}, Namespaces: []report.Sharer{{Name: "data"}, {Name: "shop"}}},
		{Kind: open, Held: report.Held{Name: "b", Hard: amounts("pods", "4"), Used: amounts("pods", "1"), Then: amounts("pods", "2"), AtLeast: true}},
		{Kind: global, Held: report.Held{Name: "a", Hard: amounts("pods", "4"), Used: amounts(), Then: amounts(), AtLeast: true}, Unknown: true},
	}}
	compare(t, &r, `
no workloads

  by quota | used | with this | hard | full
  ClusterResourceQuota a pods | 1 | 3 | 4 | 75%
  ClusterResourceQuota b pods | unknown | 2 | 4 | 50%
  GlobalResourceQuota a pods | unknown | - | 4 | 0%

Shared: ClusterResourceQuota a by data and shop
Shared: ClusterResourceQuota b by no namespace of the input
Not known: which namespaces share GlobalResourceQuota a: neither Namespaces nor its status are in the input

`)
	o := report.Object{Kind: "Service", Namespace: "shop", Name: "web", Verdict: report.Verdict{Fit: &report.Fit{Unit: "service"}, Quotas: []report.QuotaUse{
		{Name: "a", Used: amounts("services", "1"), Asked: amounts("services", "1"), Hard: amounts("services", "3"), Left: amounts("services", "1")},
		{Kind: open, Name: "a", Used: amounts("services", "2"), Asked: amounts("services", "1"), Hard: amounts("services", "5"), Left: amounts("services", "2")},
		{Name: "b", Used: amounts("memory", "1Gi"), Asked: amounts("memory", "512Mi"), Hard: amounts("memory", "4G"), Left: amounts("memory", "2Gi"), Unknown: "no status"},
		{Name: "c", Used: amounts("memory", "1G"), Asked: amounts("memory", "500M"), Hard: amounts("memory", "4Gi"), Left: amounts("memory", "2G"), Unknown: "old status"},
	}}}
	compare(t, &report.Report{Objects: []*report.Object{&o}}, `
no workloads

Service shop/web
  ResourceQuota | used | this | hard | left
  a
    services | 1 | 1 | 3 | 1
  ClusterResourceQuota a
    services | 2 | 1 | 5 | 2
  b
    memory | 1.1G | 537M | 4G | 2.1G
  c
    memory | 954Mi | 477Mi | 4Gi | 1.9Gi
  no status
  old status
  Services that fit: any number

`)
}

// Workloads after the first are one row with their sums, in the units of the first of them.
func TestOthers(t *testing.T) {
	r := report.Report{}
	for i := range 30 {
		w := report.Workload{Object: report.Object{Kind: "Pod", Name: fmt.Sprintf("p%02d", i)}, Pods: 2, Admitted: 1,
			All: report.Sums{Requests: amounts("cpu", fmt.Sprintf("%dm", 100-i), "memory", "100M"), Limits: amounts("cpu", "1")}}
		if i == 4 {
			w.All.Requests["memory"] = resource.MustParse("1Gi")
		}
		r.Workloads = append(r.Workloads, &w)
	}
	r.Namespaces = []report.Namespace{{Name: "n", Quotas: []report.Quota{{Held: report.Held{Name: "q"}, Unevaluated: []corev1.ResourceName{"x", "y", "z"}}}}}
	for i := range 6 {
		rejection := &report.Rejection{Reasons: []report.Reason{reason("wrong", "", "wrong")}}
		if i == 3 {
			rejection.Blocked = "full"
		}
		r.Objects = append(r.Objects, &report.Object{Kind: "Service", Name: fmt.Sprintf("s%d", i), Verdict: report.Verdict{Rejection: rejection}})
	}
	r.Warnings = []report.Finding{{Text: "first"}, {Text: "second"}}
	r.Totals = report.Totals{Workloads: 30, Pods: 60, Rejected: 2, Sums: report.Sums{Requests: amounts("cpu", "3")}}
	text := screen(&r)
	for _, want := range []string{
		"30 workloads, 60 pods; 1 blocked now; 5 rejected\n\nrejected\n  - Service s0: wrong\n  - Service s1: wrong\n  - Service s2: wrong\n" +
			"  - Service s3: blocked now, because full\n  and 2 others: -all lists them\n\nwarnings\n  - first\n  and 1 other: -all lists them\n\n  by workload | pods | cpu | limit | memory | limit\n  Pod p00 | 2 | 100m | 1 | 100M | -\n  Pod p01 | 2 | 99m |",
		"\nNot evaluated: x of ResourceQuota n/q: not used by any object in the input\n  and 2 others: -all lists them\n\n",
		"\n  Pod p03 | 2 | 97m | 1 | 100M | -\n  26 others | 52 | 2171m | 26 | 3.3Gi | -\n\n", // 1Gi and 25 × 100M
		"\n  ----\n  30 workloads | 60 | 3 | - | - | -\n\n  0 Guaranteed, 0 Burstable, 0 BestEffort; 2 workloads rejected, which the sums do not have\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// One more than the most rows is a row. A workload on more nodes than that does not name them.
func TestOneMore(t *testing.T) {
	r := report.Report{Workloads: []*report.Workload{{Object: report.Object{Kind: "DaemonSet", Name: "d"}}, {Object: report.Object{Kind: "Pod", Name: "p"}}}}
	for i := range 21 {
		name := fmt.Sprintf("n%02d", i)
		r.Namespaces = append(r.Namespaces, report.Namespace{Name: name})
		r.Nodes = append(r.Nodes, &report.Node{Name: name, Allocatable: amounts("cpu", "4")})
		r.Workloads[0].Nodes = append(r.Workloads[0].Nodes, report.NodePods{Node: name, Pods: 1})
	}
	text := screen(&r)
	if strings.Contains(text, "others") || !strings.Contains(text, "\n  n20 | 0 |") || strings.Contains(text, "  on ") {
		t.Errorf("%s", text)
	}
	r.Nodes = append(r.Nodes, &report.Node{Name: "n21", Allocatable: amounts("cpu", "4")})
	if text := screen(&r); !strings.Contains(text, "\n  n19 | 0 | 0 | 4 | 0\n  and 2 others, which are less full\n") {
		t.Errorf("%s", text)
	}
	r.Namespaces = append(r.Namespaces, report.Namespace{Name: "n21"})
	if text := screen(&r); !strings.Contains(text, "\n  n19 | 0 | - | - | - | -\n  2 others | 0 |") {
		t.Errorf("%s", text)
	}
	r.Nodes = r.Nodes[:1]
	if text := screen(&r); !strings.Contains(text, "\n  by node | pods | of | cpu | of | memory | of\n  n00 |") {
		t.Errorf("%s", text)
	}
	r.Workloads[0].Nodes = r.Workloads[0].Nodes[:20]
	if text := screen(&r); strings.Count(text, "  on n00 (1), n01 (1)") != 1 || strings.Count(text, "  on ") != 1 {
		t.Errorf("%s", text)
	}
}

// Each resource that is requested or limited has a column, and control characters of names are written.
func TestColumnsOfSums(t *testing.T) {
	r := report.Report{
		Workloads:  []*report.Workload{{Object: report.Object{Kind: "Pod", Name: "p"}, Pods: 1, QoS: report.QoS{Class: "Burstable", Reason: "r"}}},
		Namespaces: []report.Namespace{{Name: "a\x1bb", Totals: report.Totals{Pods: 1, Sums: report.Sums{Requests: amounts("example.com/a", "1"), Limits: amounts("example.com/b", "2")}}}},
	}
	begins, text, _ := strings.Cut(screen(&r), "by namespace")
	testkit.Equal(t, begins[:len("1 workload, 0 pods: all admitted\n")], "1 workload, 0 pods: all admitted\n")
	want := " | pods | cpu | limit | memory | limit | example.com/a | limit | example.com/b | limit\n  a\\x1bb | 1 | - | - | - | - | 1 | - | - | 2\n"
	testkit.Equal(t, text[:min(len(want), len(text))], want)
}

// A workload has columns for what its containers and its pod request and are limited to, each of which may have resources of its own.
func TestColumnsOfAWorkload(t *testing.T) {
	w := report.Workload{Object: report.Object{Kind: "Pod", Name: "p"}, Pods: 1,
		Containers: []report.Part{{Ref: computeresources.Ref{Name: "a"}, Requests: amounts("x/a", "1")}, {Ref: computeresources.Ref{Name: "b"}, Limits: amounts("x/b", "2")}},
		Pod:        report.Sums{Requests: amounts("x/c", "3"), Limits: amounts("x/d", "4")}, All: report.Sums{Requests: amounts("x/e", "5"), Limits: amounts("x/f", "6")}}
	want := "  | cpu | limit | memory | limit | x/a | limit | x/b | limit | x/c | limit | x/d | limit\n" +
		"  container a | - | - | - | - | 1 | - | - | - | - | - | - | -\n  container b | - | - | - | - | - | - | - | 2 | - | - | - | -\n  ----\n" +
		"  each pod | - | - | - | - | - | - | - | - | 3 | - | - | 4\n"
	if got := screen(&report.Report{Workloads: []*report.Workload{&w}}); !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

// What is rejected is red, and what is doubtful yellow.
func TestColours(t *testing.T) {
	finding := []report.Finding{{Object: "Pod a", Text: "odd"}}
	r := report.Report{
		Objects:     []*report.Object{{Kind: "Service", Name: "s", Verdict: report.Verdict{Rejection: &report.Rejection{Reasons: []report.Reason{reason("wrong", "", "wrong")}}}}},
		NotComputed: finding, Warnings: finding,
		SharedQuotas: []report.SharedQuota{{Kind: "ClusterResourceQuota", Held: report.Held{Name: "q"}}}, Unplaced: []report.Unplaced{{Kind: "Pod", Name: "p", Pods: 1, Message: "no room"}},
	}
	text := terminal.Text{Columns: 100, Coloured: true}
	table.Write(&text, &r, false)
	var to strings.Builder
	text.Pass(&to, &to)
	const red, yellow, ends = "\x1b[31m", "\x1b[33m", "\x1b[0m"
	testkit.NoDiff(t, to.String(), red+"no workloads; 1 rejected\n"+ends+"\n"+red+"rejected\n  - Service s: wrong\n\n"+ends+
		yellow+"not computed\n  - Pod a: odd\n\n"+ends+yellow+"warnings\n  - Pod a: odd\n\n"+ends+
		"Service s\n  Rejected by the API server:\n    - wrong\n\n\n"+
		yellow+"Shared: ClusterResourceQuota q by no namespace of the input\n\n"+ends+red+"  on no node: 1 pod of Pod p: no room\n\n"+ends)
}

// Objects that exist are written only if they are rejected, and those that nothing limits are not.
func TestObjects(t *testing.T) {
	named := func(name string, v report.Verdict) *report.Object {
		return &report.Object{Kind: "Service", Name: name, Verdict: v}
	}
	r := report.Report{Objects: []*report.Object{
		named("n\x1bew", report.Verdict{Fit: &report.Fit{Unit: "service"}}), named("old", report.Verdict{Fit: &report.Fit{Unit: "service", Exist: true}}),
		named("free", report.Verdict{}),
	}}
	compare(t, &r, "no workloads\n\nService n\\x1bew\n  Services that fit: any number\n\n")
	r.Objects = append(r.Objects, named("kept", report.Verdict{Fit: &report.Fit{Unit: "service", Exist: true}, Rejection: &report.Rejection{Reasons: []report.Reason{reason("wrong", "", "")}}}))
	compare(t, &r, "no workloads; 1 rejected\n\nrejected\n  - Service kept: wrong\n\nService n\\x1bew\n  Services that fit: any number\n\n"+
		"Service kept\n  Rejected by the API server:\n    - wrong\n\n  More services that fit: any number\n\n")
}

// The sums of a workload without pods are there, and say so.
func TestNoPods(t *testing.T) {
	for pods, want := range map[int64]string{0: "\n  0 pods |", 1: "", 2: "\n  2 pods |"} {
		got := screen(&report.Report{Workloads: []*report.Workload{{Object: report.Object{Kind: "Job", Name: "a"}, Pods: pods, Pod: report.Sums{Requests: amounts("cpu", "1")}}}})
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "\n  1 pod") {
			t.Errorf("%d pods:\n%s", pods, got)
		}
	}
}

// A workload has a row, and another object only if it is rejected. All resources have columns.
func TestRows(t *testing.T) {
	r := report.Report{
		Workloads: []*report.Workload{
			{Object: report.Object{Kind: "Pod", Namespace: "shop", Name: "a"}, Pods: 1, QoS: report.QoS{Class: "Burstable"},
				Pod: report.Sums{Requests: amounts("cpu", "50m", "example.com/z", "1"), Limits: amounts("memory", "2Gi", "example.com/z", "1")},
				All: report.Sums{Requests: amounts("cpu", "100m", "example.com/gpu", "1", "example.com/r", "3"), Limits: amounts("memory", "1Gi", "example.com/gpu", "2", "example.com/l", "4")}},
			{Object: report.Object{Kind: "Job", Name: "b", Verdict: report.Verdict{Rejection: &report.Rejection{Blocked: "it is full", Reasons: []report.Reason{reason("full", "", "")}}}},
				All: report.Sums{Requests: amounts("example.com/s", "5"), Limits: amounts("example.com/s", "6")}},
		},
		Objects: []*report.Object{{Kind: "Service", Name: "c"}, {Kind: "Service", Name: "d", Verdict: report.Verdict{Rejection: &report.Rejection{Reasons: []report.Reason{reason("wrong", "", ""), reason("other", "", "")}}}}},
	}
	want := "NAMESPACE,KIND,NAME,PODS,CPU,CPU-LIMITS,MEMORY,MEMORY-LIMITS,EXAMPLE.COM/GPU,EXAMPLE.COM/GPU-LIMITS,EXAMPLE.COM/L,EXAMPLE.COM/L-LIMITS,EXAMPLE.COM/R,EXAMPLE.COM/R-LIMITS,EXAMPLE.COM/S,EXAMPLE.COM/S-LIMITS,CLASS,VERDICT,REASON\n" +
		"shop,Pod,a,1,100m,,,1Gi,1,2,,4,3,,,,Burstable,admitted,\n,Job,b,0,,,,,,,,,,,5,6,,blocked,it is full\n,Service,d,,,,,,,,,,,,,,,rejected,wrong\n"
	testkit.NoDiff(t, table.Rows(&r).CSV(true), want)
	testkit.Equal(t, table.Rows(&r).Names(), "pod/a\njob/b\nservice/d\n")
}

// No control character of the input reaches the terminal.
func TestControlCharacters(t *testing.T) {
	const c = "\x1b"
	w := report.Workload{
		Object: report.Object{Source: objects.Source{File: "f" + c}, Kind: "Pod", Name: "p" + c, Verdict: report.Verdict{
			Rejection: &report.Rejection{Blocked: "b" + c, Reasons: []report.Reason{reason("r"+c, "t"+c, "s"+c)}},
			Quotas:    []report.QuotaUse{{Name: "q" + c, Hard: amounts("h"+c, "1"), Unknown: "u" + c}}}},
		Pods: 1, Containers: []report.Part{{Ref: computeresources.Ref{Name: "a" + c}, Requests: amounts("x"+c, "1")}},
		Nodes: []report.NodePods{{Node: "n" + c, Pods: 1}}, Injected: []string{"i" + c}, QoS: report.QoS{Advice: []string{"v" + c}},
	}
	text := written(&report.Report{Workloads: []*report.Workload{&w}}, 150, false)
	for _, name := range strings.Split("f p b r t s q h u a x n i v", " ") {
		if !strings.Contains(text, name+`\x1b`) {
			t.Errorf("no %s in\n%s", name, text)
		}
	}
	if strings.Contains(text, c) || strings.Contains(text, "Not known") {
		t.Errorf("%q", text)
	}
}
