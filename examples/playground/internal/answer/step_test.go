package answer_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/answer"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The HTML of a step has the quotas, the nodes with their pods, and what waits, with what has changed marked.
func TestStep(t *testing.T) {
	const evil = `"<img>'`
	var c answer.Change
	c.SetCluster(`apiVersion: v1
kind: ResourceQuota
metadata: {name: team}
spec: {hard: {pods: 10, requests.cpu: 4}}
---
apiVersion: v1
kind: Node
metadata: {name: '"<img>'''}
status: {allocatable: {cpu: 2, memory: 8Gi, pods: 110, example.com/gpu: 1, example.com/fpga: 1}}
---
apiVersion: v1
kind: Pod
metadata: {name: old}
spec: {nodeName: '"<img>''', containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}
`)
	setChange(t, &c, `apiVersion: v1
kind: Pod
metadata: {name: new}
spec: {containers: [{name: app, resources: {requests: {cpu: 1, example.com/gpu: 1}, limits: {example.com/gpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: waits}
spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: refused}
spec: {containers: [{name: app, resources: {requests: {cpu: 5}}}]}
`)
	before, placed, waits, refused := stepOf(t, &c, 0), stepOf(t, &c, 1), stepOf(t, &c, 2), stepOf(t, &c, 3)
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 10, requests.cpu: %}}\n---\n"
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n%status: {allocatable: {cpu: 2, memory: 8Gi, pods: 110}}\n---\n"
	c.SetCluster(strings.Replace(quota, "%", "250m", 1) + strings.Replace(node, "%", "", 1) +
		"apiVersion: v1\nkind: Pod\nmetadata: {name: old}\nspec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 500m}}}]}\n")
	setChange(t, &c, strings.Replace(quota, "%", "1", 1)+strings.Replace(node, "%", "spec: {taints: [{key: k, effect: NoExecute}]}\n", 1))
	raised, evicts := stepOf(t, &c, 1), stepOf(t, &c, 2)
	for _, test := range []struct{ name, html, want string }{
		{"quotas before", before.Quotas, "Namespaces and their quotas default pods 1 of 10 requests.cpu 500m of 4"},
		{"nodes before", before.Nodes, "Nodes and their pods " + evil + " cpu 500m of 2 memory 1Gi of 8Gi default/old 1"},
		{"quotas", placed.Quotas, "Namespaces and their quotas default pods 1 → 2 of 10 requests.cpu 500m → 1500m of 4"},
		{"nodes", placed.Nodes, "Nodes and their pods " + evil + " cpu 500m → 1500m of 2 example.com/gpu 0 → 1 of 1 memory 1Gi of 8Gi default/new 1 (+1) default/old 1"},
		{"nothing waits", placed.Pending, ""},
		{"waits", waits.Pending, "Pods that wait for a node default/waits: 1 pod 0/1 nodes are available: 1 Insufficient cpu."},
		{"refused", refused.Quotas, "Namespaces and their quotas default pods 3 of 10 requests.cpu 2500m of 4 7500m with all pods that are wanted"},
		{"a higher limit", raised.Quotas, "Namespaces and their quotas default pods 1 of 10 requests.cpu 500m of 250m → 1"},
		{"evicted", evicts.Nodes, "Nodes and their pods a cpu 500m → 0 of 2 memory 0 of 8Gi default/old 0 (−1)"},
	} {
		testkit.Equal(t, textOf(test.html), test.want, test.name)
	}
	for _, test := range []struct {
		name, html, part string
		want             []string
	}{
		{"marked", placed.Nodes, `class="([^"]*changed|pod[^"]*)"`, []string{"box changed", "numbers changed", "numbers changed", "pods", "pod came", "pods", "pod"}},
		{"not marked", before.Nodes, `class="([^"]*changed|pod[^"]*)"`, []string{"pods", "pod"}},
		{"marked, as pods are gone", evicts.Nodes, `class="(box|box changed|pod [^"]*)"`, []string{"box changed", "pod gone"}},
		{"waits since now", waits.Pending, `<li class="([^"]*)"`, []string{"box changed"}},
		{"waits longer", refused.Pending, `<li class="([^"]*)"`, []string{"box"}},
		{"a higher limit is marked", raised.Quotas, `class="(numbers[^"]*)"`, []string{"numbers", "numbers changed"}},
		{"freed", raised.Quotas, `(?:class="(?:amount[^"]*|used|added|freed|over)"|--[a-z]*: [0-9.]*%)`, []string{
			`class="amount"`, "--limit: 100.00%", `class="used"`, "--share: 10.00%",
			`class="amount full"`, "--limit: 50.00%", `class="used"`, "--share: 25.00%", `class="freed"`, "--share: 75.00%"}},
		{"titles", before.Quotas, `<p class="quota" title="([^"]*)"`, []string{"ResourceQuota team", "ResourceQuota team"}},
		{"bar", placed.Quotas, `(?:class="(?:amount[^"]*|used|added)"|--[a-z]*: [0-9.]*%)`, []string{
			`class="amount"`, "--limit: 100.00%", `class="used"`, "--share: 10.00%", `class="added"`, "--share: 10.00%",
			`class="amount"`, "--limit: 100.00%", `class="used"`, "--share: 12.00%", `class="added"`, "--share: 25.00%"}},
		{"over", refused.Quotas, `(?:class="(?:amount[^"]*|used|over)"|--[a-z]*: [0-9.]*%)`, []string{
			`class="amount"`, "--limit: 100.00%", `class="used"`, "--share: 30.00%",
			`class="amount full"`, "--limit: 53.48%", `class="used"`, "--share: 33.16%", `class="over"`, "--share: 66.84%"}},
	} {
		var got []string
		for _, match := range regexp.MustCompile(test.part).FindAllStringSubmatch(test.html, -1) {
			got = append(got, match[len(match)-1])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q\n%s", test.name, got, test.html)
		}
	}
	if strings.Contains(placed.Nodes, "<img") {
		t.Errorf("a name is markup: %s", placed.Nodes)
	}
}

func stepOf(t *testing.T, c *answer.Change, n int) answer.Step {
	t.Helper()
	s, err := c.Step(n)
	testkit.OK(t, err)
	return s
}

// textOf returns the text of HTML.
func textOf(html string) string {
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, " ")
	text = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// Of a workload with many pods on a node, the last ones have a square.
func TestStepOfManyPods(t *testing.T) {
	var c answer.Change
	c.SetCluster("apiVersion: v1\nkind: Node\nmetadata: {name: node}\nstatus: {allocatable: {cpu: 64, memory: 64Gi, pods: 110}}\n")
	setChange(t, &c, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 40, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}\n")
	html := stepOf(t, &c, 1).Nodes
	if n := strings.Count(html, `<span class="pod came"`); n != 30 || !strings.Contains(html, "40 (+40)") {
		t.Errorf("%d squares: %s", n, html)
	}
	if none := stepOf(t, &answer.Change{}, 0); textOf(none.Nodes) != "The cluster has no nodes: where pods go is not known." || none.Quotas+none.Pending != "" {
		t.Errorf("%+v", none)
	}
}
