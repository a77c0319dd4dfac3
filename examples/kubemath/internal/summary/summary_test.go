package summary_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/kubemath/internal/summary"
)

func format(manifests string) string {
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(manifests)}.Files([]string{"-"}), manifest.Options{Home: "default"})
	cpu := resource.MustParse("8")
	return summary.Format(report.Of(in, report.Options{Size: report.Size{CPU: &cpu}}))
}

func deployment(namespace, name string, replicas int, requests string) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: %s, name: %s}\nspec: {replicas: %d, template: {spec: {containers: [{name: app, resources: {requests: {%s}, limits: {%s}}}]}}}\n---\n",
		namespace, name, replicas, requests, requests)
}

// fields returns the words of the line that begins with a label.
func fields(t *testing.T, text, label string) []string {
	t.Helper()
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, label+" "); found {
			return strings.Fields(rest)
		}
	}
	t.Fatalf("no line of %q in\n%s", label, text)
	return nil
}

func TestRows(t *testing.T) {
	text := format(deployment("shop", "web", 3, "cpu: 500m, memory: 426816Mi, example.com/gpu: 2") + deployment("lab", "bench", 1, "cpu: 9"))
	for label, want := range map[string]string{
		"by namespace":              "pods cpu limit memory limit example.com/gpu",
		"shop":                      "3 1500m 1500m 1.2Ti 1.2Ti 6",
		"lab":                       "1 9 9 - - -",
		"Deployment shop/web":       "3 1500m 1500m 1.2Ti 1.2Ti 6",
		"the node of the arguments": "4 110 10.5 8 1.2Ti 16Gi",
		"  lacks":                   "2500m of cpu and 1.2Ti of memory",
	} {
		if label == "by namespace" {
			if got := strings.Join(fields(t, text, label), " "); !strings.HasPrefix(want, got) {
				t.Errorf("%s: %s, want %s", label, got, want)
			}
			continue
		}
		if got := strings.Join(fields(t, text, label), " "); !strings.HasPrefix(want, got) || got == "" {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
	if strings.Index(text, "\nshop ") > strings.Index(text, "\nlab ") {
		t.Error("shop holds all memory, and comes last")
	}
}

// With many nodes, the rest is one row as well, and some of the unplaced pods are named.
func TestManyNodes(t *testing.T) {
	var manifests strings.Builder
	for i := range 50 {
		fmt.Fprintf(&manifests, "apiVersion: v1\nkind: Node\nmetadata: {name: n%02d}\nstatus: {allocatable: {cpu: %d, memory: 1Gi, pods: 10}}\n---\n", i, 2+i)
		manifests.WriteString(deployment("shop", fmt.Sprintf("w%02d", i), 1, "cpu: 60"))
	}
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(manifests.String())}.Files([]string{"-"}), manifest.Options{Home: "default"})
	text := summary.Format(report.Of(in, report.Options{}))
	if got, want := strings.Join(fields(t, text, "30 others"), " "), "30 1800 1800 - -"; got != want {
		t.Errorf("owners: %s, want %s", got, want)
	}
	nodes := text[strings.Index(text, "by node"):]
	if got, want := strings.Join(fields(t, nodes, "30 others"), " "), "0 300 - 1095 - 30Gi"; got != want { // 22 to 51 CPUs
		t.Errorf("nodes: %s, want %s", got, want)
	}
	if got := strings.Count(text, "on no node: 1 pod of"); got != 20 || !strings.Contains(text, "on no node: pods of 30 others\n") {
		t.Errorf("%d owners have pods on no node:\n%s", got, text)
	}
}

// The owners that are not listed are one row, so the rows add up.
func TestOthersAreSummedUp(t *testing.T) {
	var manifests strings.Builder
	for i := range 50 {
		manifests.WriteString(deployment("shop", fmt.Sprintf("w%02d", i), 1, fmt.Sprintf("cpu: %dm", 100+i)))
	}
	text := format(manifests.String())
	if got := strings.Join(fields(t, text, "30 others"), " "); got != "30 3435m 3435m - -" {
		t.Errorf("30 others: %s", got) // 100m to 129m
	}
	if strings.Contains(text, "shop/w29 ") || !strings.Contains(text, "shop/w30 ") {
		t.Errorf("the twenty largest are not those that are listed:\n%s", text)
	}
}

func TestLinesFit(t *testing.T) {
	long := strings.Repeat("long-", 12) + "name"
	text := format(deployment("shop", "web", 3, "cpu: 1234567m, memory: 1234567890123, example.com/a-device-with-a-very-long-name: 2, hugepages-2Mi: 2Mi, ephemeral-storage: 1Gi") +
		deployment("lab", long, 1, "cpu: 9") + deployment("größer", "web", 1, "cpu: 1") + deployment("lab", long[:45], 1, "cpu: 9999999m, memory: 9999Mi") +
		"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec: {hard: {requests.cpu: 100M, count/deployments.apps: 10}}\n")
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 && !strings.Contains(line, long) {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("space at the end of %q", line)
		}
	}
	for _, want := range []string{long, "hugepages-2Mi", "ephemeral-storage", "example.com/a-device-with-a-very-long-name"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
