package diff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What fails has the file and the line of the object: of a document, of an item of a list, and of a hook.
func TestAnnotations(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		testkit.OK(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	const small = "  containers: [{name: app, image: i, resources: {requests: {cpu: 100m}}}]\n"
	const large = "  containers: [{name: app, image: i, resources: {requests: {cpu: 3}}}]\n"
	on := write("cluster.yaml", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: shop, uid: q}\n"+
		"spec: {hard: {requests.cpu: 2}}\nstatus: {hard: {requests.cpu: 2}, used: {requests.cpu: 0}}\n"+
		"---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, uid: n}\n")
	pods := write("pods.yaml", "# two pods\napiVersion: v1\nkind: Pod\nmetadata: {name: fits, namespace: shop}\nspec:\n"+small+
		"---\n# and one that is too large\napiVersion: v1\nkind: Pod\nmetadata: {name: large, namespace: shop}\nspec:\n"+large)
	list := write("list.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: typo, namespace: shop, labls: {}}\n  spec:\n  "+small+
		"- apiVersion: batch/v1\n  kind: Job\n  metadata: {name: hook, namespace: shop, annotations: {helm.sh/hook: pre-install}}\n"+
		"  spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: i, resources: {requests: {cpu: 5}}}]}}}\n"+
		"- apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web, namespace: shop}\n"+
		"  spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: i, resources: {requests: {cpu: 6}}}]}}}\n")
	got := golden.Run(Run, "", "-f", pods, "-f", list, "-on", on, "-o", "github")
	refused := func(name, cpu string) string {
		return "pods \"" + name + "\" is forbidden: exceeded quota: team, requested: requests.cpu=" + cpu + ", used: requests.cpu=0, limited: requests.cpu=2"
	}
	lines := strings.Split(got.Stdout, "\n")
	want := []string{
		"::warning file=" + list + ",line=4,title=Pod shop/typo::metadata.labls: unknown field, ignored",
		"::error file=" + list + ",line=9,title=Job shop/hook::Job shop/hook created: 1 pod wanted, 0 created%0A",
		"::error file=" + pods + ",line=9,title=Pod shop/large::Pod shop/large refused%0A",
		"::error file=" + list + ",line=13,title=Deployment shop/web::Deployment shop/web created: 1 pod wanted, 0 created%0A",
		"",
	}
	if len(lines) != len(want) || got.Code != 2 {
		t.Fatalf("exit code %d:\n%s", got.Code, got.Stdout)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d: %s\nwant %s", i, lines[i], want[i])
		}
	}
	if text := strings.ReplaceAll(refused("large", "3"), "used: requests.cpu=0", "used: requests.cpu=100m"); !strings.Contains(lines[2], text) {
		t.Errorf("%s lacks %s", lines[2], text)
	}
	sarif := golden.Run(Run, "", "-f", pods, "-f", list, "-on", on, "-o", "sarif").Stdout
	var rules []string
	for line := range strings.Lines(sarif) {
		if rule, is := strings.CutPrefix(strings.TrimSpace(line), `"ruleId": `); is {
			rules = append(rules, rule)
		}
	}
	testkit.NoDiff(t, rules, []string{`"input",`, `"missing-pods",`, `"refused",`, `"missing-pods",`}, "rules")
	passing := golden.Run(Run, "", "-f", pods, "-l", "none=such", "-on", on, "-o", "github")
	testkit.NoDiff(t, passing.Stdout, "", "of nothing")
	lost := []comparison.Pod{{Namespace: "shop", Name: "a", Before: "n1", Evicted: true}, {Namespace: "shop", Name: "b", Before: "n2", Preempted: true, Node: "n3"}, {Name: "c", Gone: true}}
	if all := annotations(&comparison.Input{}, &comparison.Report{Pods: lost}); len(all) != 1 || all[0].Rule != "preempted" || all[0].Text != "preempted on n2: shop/b" {
		t.Errorf("%+v", all)
	}
	for want, o := range map[string]comparison.Object{"refused": {Error: "e"}, "missing-pods": {Missing: "m", Outdated: 1}, "stuck": {Outdated: 1}, "waiting": {Waiting: []comparison.Waiting{{Pods: 1}}}} {
		if all := annotations(&comparison.Input{}, &comparison.Report{Objects: []comparison.Object{o}}); len(all) != 1 || all[0].Rule != want {
			t.Errorf("%+v, want %s", all, want)
		}
	}
	if all := annotations(&comparison.Input{}, &comparison.Report{Objects: []comparison.Object{{Outdated: 1, Kept: 1}}}); len(all) > 0 {
		t.Errorf("pods that are kept: %+v", all)
	}
	if all := annotations(&comparison.Input{}, &comparison.Report{Objects: []comparison.Object{{Outdated: 1, Kept: 1, Waiting: []comparison.Waiting{{Pods: 1}}}}}); all[0].Rule != "waiting" {
		t.Errorf("pods that are kept beside one that waits: %+v", all)
	}
}
