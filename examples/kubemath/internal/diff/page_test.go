package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

func usage(used, hard string, percent int64) comparison.Usage {
	return comparison.Usage{Used: used, Hard: hard, Percent: &percent}
}

// rowsOf returns the rows of a table, cells between bars.
func rowsOf(s section) (rows []string) {
	for _, row := range s.table.Rows {
		cells := []string{row.Label}
		for _, cell := range row.Cells {
			cells = append(cells, strings.Join(strings.Fields(cell), " "))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows
}

// The rows of quotas: a limit that has changed says what it was.
func TestQuotaRows(t *testing.T) {
	got := rowsOf(quotaTable([]comparison.Quota{
		{Namespace: "shop", Name: "a", Resource: "pods", Before: usage("1", "4", 25), After: usage("3", "4", 75)},
		{Namespace: "shop", Name: "b", Resource: "limits.memory", Before: usage("1Gi", "2Gi", 50), After: usage("1Gi", "4Gi", 25)},
		{Namespace: "shop", Name: "new", Resource: "pods", After: usage("0", "5", 0)},
		{Namespace: "shop", Name: "gone", Resource: "pods", Before: usage("1", "5", 20)},
		{Namespace: "shop", Name: "bytes", Resource: "requests.memory", Before: usage("1073741824", "4Gi", 25), After: usage("2147483648", "4Gi", 50)},
		{Namespace: "shop", Name: "zero", Resource: "pods", Before: comparison.Usage{Used: "0", Hard: "0"}, After: comparison.Usage{Used: "1", Hard: "0"}},
		{Kind: "ClusterResourceQuota", Name: "team", Resource: "pods", Before: usage("2", "4", 50), After: usage("3", "4", 75), Shares: map[string]string{"shop": "1", "data": "2"}},
		{Kind: "ClusterResourceQuota", Name: "all", Resource: "requests.memory", Before: usage("0", "4Gi", 0), After: usage("1Gi", "4Gi", 25), Shares: map[string]string{"shop": "1073741824"}},
	}, 30))
	want := []string{"Quotas|before|after|hard", "shop/a pods|1 25%|3 75%|4", "shop/b limits.memory|1Gi 50%|1Gi 25%|4Gi (was 2Gi)", "shop/new pods|-|0 0%|5",
		"shop/gone pods|1 20%|-|- (was 5)", "shop/bytes requests.memory|1Gi 25%|2Gi 50%|4Gi", "shop/zero pods|0|1|0", "ClusterResourceQuota team pods|2 50%|3 75%|4", "  of data||2|", "  of shop||1|",
		"ClusterResourceQuota all requests.memory|0 0%|1Gi 25%|4Gi", "  of shop||1Gi|"}
	testkit.NoDiff(t, got, want)
}

func load(amounts ...any) map[corev1.ResourceName]comparison.Usage {
	all := map[corev1.ResourceName]comparison.Usage{}
	for i := 0; i < len(amounts); i += 3 {
		all[corev1.ResourceName(amounts[i].(string))] = usage(amounts[i+1].(string), amounts[i+2].(string), 0)
	}
	return all
}

// Columns are pods, cpu and memory, and further resources whose requests change, also if only a new node has them.
func TestNodeColumns(t *testing.T) {
	r := &comparison.Report{
		Nodes: []comparison.Node{{Name: "a", Before: load("cpu", "1", "2"), After: load("cpu", "2", "2")}, {Name: "new", After: load("cpu", "0", "2", "example.com/gpu", "1", "4")}},
		Total: &comparison.Node{Name: "all nodes", Before: load("cpu", "1", "2", "example.com/same", "1", "2"), After: load("cpu", "2", "4", "example.com/gpu", "1", "4", "example.com/same", "1", "2")},
	}
	want := []string{"Nodes|pods|after|cpu|after|memory|after|example.com/gpu|after", "a|-|-|1 0%|2 0%|-|-|-|-", "new|-|-|-|0 0%|-|-|-|1 0%", "all nodes|-|-|1 0%|2 0%|-|-|-|1 0%"}
	testkit.NoDiff(t, rowsOf(nodeTable(r, 30)), want)
	r.Nodes = r.Nodes[:1]
	testkit.NoDiff(t, rowsOf(nodeTable(r, 30)), []string{want[0], want[1]}, "one node has no total")
}

// Without nodes, all pods have rows, with columns of what changes, also of what is gone.
func TestSums(t *testing.T) {
	amount := func(texts ...string) map[corev1.ResourceName]comparison.Usage {
		all := map[corev1.ResourceName]comparison.Usage{}
		for i := 0; i < len(texts); i += 2 {
			all[corev1.ResourceName(texts[i])] = comparison.Usage{Used: texts[i+1]}
		}
		return all
	}
	r := &comparison.Report{Objects: []comparison.Object{{Kind: "Deployment", Name: "a"}}, Sums: []comparison.Node{
		{Name: "requests", Before: amount("pods", "2", "cpu", "1500m", "example.com/gone", "1", "example.com/same", "1"), After: amount("pods", "3", "cpu", "2", "example.com/gpu", "1", "example.com/same", "1")},
		{Name: "limits", Before: amount("example.com/gone", "1"), After: amount("memory", "2Gi", "example.com/gpu", "1")},
	}}
	p := pageOf(r, false)
	testkit.Equal(t, len(p.sections), 2)
	testkit.NoDiff(t, rowsOf(p.sections[1]), []string{"All pods|pods|after|cpu|after|memory|after|example.com/gone|after|example.com/gpu|after",
		"requests|2|3|1500m|2|-|-|1|-|-|1", "limits|-|-|-|-|-|2Gi|1|-|-|1"})
	r.Objects = append(r.Objects, comparison.Object{Kind: "DaemonSet", Name: "b"})
	testkit.Equal(t, pageOf(r, false).sections[1].title, "All pods, with one of each DaemonSet")
}

// Of many nodes, the fullest have rows: of those that are equally full, the first. The report keeps their order.
func TestFullestNodes(t *testing.T) {
	r := &comparison.Report{Total: &comparison.Node{Name: "all nodes"}}
	for i := range 33 {
		full, other, pods := int64(i%11), int64(0), int64(0)
		switch i {
		case 31:
			pods = 60
		case 32:
			other = 50
		}
		r.Nodes = append(r.Nodes, comparison.Node{Name: fmt.Sprintf("n%d", i), After: map[corev1.ResourceName]comparison.Usage{
			"cpu": {Used: "1", Hard: "1", Percent: &full}, "memory": {Used: "1", Hard: "1", Percent: &other}, "pods": {Used: "1", Hard: "1", Percent: &pods},
		}})
	}
	s := nodeTable(r, 30)
	rows := rowsOf(s)
	if s.title != "The fullest 30 of 33 nodes" || len(rows) != 32 {
		t.Fatalf("%q, %d rows", s.title, len(rows))
	}
	for i, name := range map[int]string{1: "n31", 2: "n32", 3: "n10", 4: "n21", 5: "n9", 30: "n22", 31: "all nodes"} {
		if i == 30 {
			continue // of the emptiest, two of three are left out
		}
		if !strings.HasPrefix(rows[i], name+"|") {
			t.Errorf("row %d is %s, want %s", i, rows[i], name)
		}
	}
	if r.Nodes[0].Name != "n0" || r.Nodes[32].Name != "n32" {
		t.Error("the nodes of the report are in another order")
	}
	r.Nodes = r.Nodes[:30] // all of which have rows, in their order
	s = nodeTable(r, 30)
	if rows := rowsOf(s); s.title != "Nodes" || len(rows) != 32 || !strings.HasPrefix(rows[1], "n0|") {
		t.Errorf("%q, %d rows, the first %s", s.title, len(rows), rows[1])
	}
}

// Objects that fail come first, those that change next, and the report keeps their order.
func TestFailuresFirst(t *testing.T) {
	objects := []comparison.Object{{Kind: "X", Action: "Unchanged"}, {Kind: "E", Action: "Unchanged", NotConsidered: []string{"PriorityClass high"}}, {Kind: "A", Action: "Created"}, {Kind: "B", Action: "Refused", Error: "e"}, {Kind: "C", Action: "Created"}, {Kind: "D", Action: "Updated", Outdated: 1}}
	var got string
	for _, it := range items(objects) {
		got += it.head[:1]
	}
	if got != "BDEACX" || objects[0].Kind != "X" {
		t.Errorf("%s, and then %v", got, objects)
	}
}

// The parts of a page, as text and as Markdown.
func TestPages(t *testing.T) {
	r := &comparison.Report{Objects: []comparison.Object{{Kind: "Pod", Namespace: "shop", Name: "p", Action: "Refused", Error: "why\nelse"}}, Notes: []string{"a note"}, NotComputed: []string{"Rollout r"},
		Problems: []string{"a problem"}, Others: []comparison.Object{{Kind: "Job", Name: "j", Action: "Unchanged"}}, Pods: []comparison.Pod{{Namespace: "shop", Name: "q", Before: "n", Gone: true, Preempted: true, Owner: "Job j"}}}
	text := "Fails: 1 object refused, 1 pod preempted. pods: 1 gone\na note\n\nNot computed\n  Rollout r\n\nProblems of the input\n  a problem\n\nPods that lose their place\n  preempted on n: shop/q (Job j)\n\n" +
		"Objects\n  Pod shop/p refused\n    why\n    else\n\nOther workloads\n  Job j unchanged\n"
	testkit.NoDiff(t, written(pageOf(r, false), 80), text)
	page := "**Fails: 1 object refused, 1 pod preempted. pods: 1 gone**\n\na note\n\n#### Not computed\n\n- Rollout r\n\n#### Problems of the input\n\n- a problem\n\n#### Pods that lose their place\n\n- preempted on n: shop/q (Job j)\n\n" +
		"#### Objects\n\n- Pod shop/p refused\n  - why\n  - else\n\n#### Other workloads\n\n- Job j unchanged\n"
	testkit.NoDiff(t, markdown(pageOf(r, false)), page)
}

// A problem of the input is a failure in each format, and a warning is none.
func TestInvalidFails(t *testing.T) {
	created := []comparison.Object{{Kind: "Pod", Name: "p", Action: "Created"}}
	warned := pageOf(&comparison.Report{Objects: created, Problems: []string{"a warning"}}, false)
	invalid := pageOf(&comparison.Report{Objects: created, Problems: []string{"an error"}, Invalid: 1}, false)
	testkit.Equal(t, warned.fails, false, "a warning")
	testkit.Equal(t, invalid.fails, true, "an error")
	refused := pageOf(&comparison.Report{Objects: []comparison.Object{{Kind: "Pod", Name: "p", Action: "Refused", Error: "why"}}}, false)
	testkit.Equal(t, refused.fails, true, "refused")
	testkit.Equal(t, warned.summary, "1 object: 1 created", "summary with a warning")
	testkit.Equal(t, invalid.summary, "Fails: 1 problem of the input. 1 object: 1 created", "summary with an error")
}

// Of more than ten objects, the first ten are listed.
func TestManyObjects(t *testing.T) {
	for n, want := range map[int]string{10: "Pod p unchanged", 11: "and 1 other: -all lists all", 12: "and 2 others: -all lists all"} {
		r := &comparison.Report{Objects: slices.Repeat([]comparison.Object{{Kind: "Pod", Name: "p", Action: "Unchanged"}}, n)}
		for _, all := range []bool{false, true} {
			items := pageOf(r, all).sections[0].items
			if last := items[len(items)-1].head; all && len(items) != n || !all && (last != want || len(items) != min(n, 11)) {
				t.Errorf("%d objects, all %v: %d items, %s", n, all, len(items), last)
			}
		}
	}
}

// Where there was nothing before, all is new; a file that has something is read.
func TestNothingBefore(t *testing.T) {
	dir := t.TempDir()
	empty, none := filepath.Join(dir, "empty.yaml"), filepath.Join(dir, "none")
	testkit.OK(t, os.WriteFile(empty, nil, 0o600))
	folder := filepath.Join(dir, "folder")
	testkit.OK(t, os.Mkdir(folder, 0o700))
	names := files(t, web)
	for _, old := range []string{empty, none, folder, os.DevNull} {
		got := golden.Run(Run, "", "-old", old, "-f", names[0])
		if want := "kubemath: -old " + old + ": nothing is there, so all is new\n"; got.Code != 0 || got.Stderr != want || !strings.HasPrefix(got.Stdout, "1 object: 1 created") {
			t.Errorf("%s: exit code %d, %q\n%s", old, got.Code, got.Stderr, got.Stdout)
		}
	}
	for _, old := range []string{names[0], "-"} {
		if got := golden.Run(Run, web, "-old", old, "-f", names[0]); got.Stderr != "" || !strings.HasPrefix(got.Stdout, "1 object: 1 unchanged") {
			t.Errorf("%s: %q\n%s", old, got.Stderr, got.Stdout)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	defer r.Close()
	_, err = w.WriteString(web)
	testkit.OK(t, err)
	testkit.OK(t, w.Close())
	if got := golden.Run(Run, "", "-old", fmt.Sprintf("/dev/fd/%d", r.Fd()), "-f", names[0]); got.Stderr != "" || !strings.HasPrefix(got.Stdout, "1 object: 1 unchanged") {
		t.Errorf("a pipe: %q\n%s", got.Stderr, got.Stdout)
	}
}

// Options change what is applied: without them, pods of a rollout are replaced one by one, and CronJobs do not run.
func TestOptions(t *testing.T) {
	cron := "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app}]}}}}}\n"
	names := files(t, node+team+web, node+team+strings.Replace(web, "image: x", "image: z", 1), node, cron)
	for _, test := range []struct {
		args []string
		pods int
	}{{[]string{"-on", names[2], "-f", names[3]}, 0}, {[]string{"-on", names[2], "-f", names[3], "-run-cronjobs"}, 1}} {
		if r := reportOf(t, test.args...); len(r.Pods) != test.pods {
			t.Errorf("%q: %d pods", test.args, len(r.Pods))
		}
	}
	if r := reportOf(t, "-n", "team-a", "-old", names[3], "-f", names[2]); r.Objects[1].Namespace != "team-a" || r.Objects[1].Action != "Deleted" {
		t.Errorf("-old: %+v", r.Objects)
	}
	// Objects without a namespace are of that of -n, or of default.
	for namespace, args := range map[string][]string{"default": nil, "team-a": {"-n", "team-a"}} {
		if r := reportOf(t, append([]string{"-on", names[2], "-f", names[3]}, args...)...); r.Objects[0].Namespace != namespace {
			t.Errorf("%q: %s", args, r.Objects[0].Namespace)
		}
	}
}

// Of a cluster, kinds with pods are as they are; what limits others in a way that is not computed is told.
func TestNotComputedOfCluster(t *testing.T) {
	const rollout = "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n"
	const limits = "---\napiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchicalResourceQuota\nmetadata: {name: q}\n"
	names := files(t, node+rollout+limits, web)
	if r := reportOf(t, "-on", names[0], "-f", names[1]); len(r.NotComputed) != 1 || !strings.HasPrefix(r.NotComputed[0], "HierarchicalResourceQuota q: ") {
		t.Errorf("%q", r.NotComputed)
	}
	if r := reportOf(t, "-on", names[1], "-f", names[0]); len(r.NotComputed) != 2 {
		t.Errorf("of the change: %q", r.NotComputed)
	}
	for _, arg := range []string{"-on", "-old"} {
		r := reportOf(t, arg, names[0], "-f", names[0])
		testkit.NoDiff(t, r.NotComputed, []string{"Rollout r: it has pods, which are not computed", "HierarchicalResourceQuota q: it limits what others may use, which is not computed"}, arg)
	}
}

// The release that nodes say is told, unless the arguments say it.
func TestGuessedRelease(t *testing.T) {
	names := files(t, strings.Replace(node, "status: {", "status: {nodeInfo: {kubeletVersion: v1.35.2}, ", 1), web)
	if r := reportOf(t, "-on", names[0], "-f", names[1]); len(r.Notes) == 0 || !strings.Contains(strings.Join(r.Notes, " "), "1.35") {
		t.Errorf("%q", r.Notes)
	}
	if r := reportOf(t, "-on", names[0], "-f", names[1], "-kubernetes", "1.35"); strings.Contains(strings.Join(r.Notes, " "), "1.35") {
		t.Errorf("%q", r.Notes)
	}
}

// Texts of the input stand for themselves in Markdown.
func TestEscapes(t *testing.T) {
	for text, want := range map[string]string{"a|b": `a\|b`, "a*b_c": `a\*b\_c`, "<a>&[b]": `&lt;a&gt;&amp;\[b\]`, "#1 ~x~ `y` \\": "\\#1 \\~x\\~ \\`y\\` \\\\", "@all": "@\u200ball"} {
		testkit.Equal(t, escape(text), want, text, "becomes")
	}
}

// Pods of a rollout are replaced one after the other, unless all are to be replaced at once: then a full quota does not stop it.
func TestAtOnce(t *testing.T) {
	full := strings.Replace(team, "requests.cpu: 2", "pods: 3", 1)
	names := files(t, node+full+web, node+full+strings.Replace(web, "500m", "400m", 1))
	for _, test := range []struct {
		args []string
		code int
	}{{nil, 2}, {[]string{"-at-once"}, 0}} {
		if got := golden.Run(Run, "", append([]string{"-old", names[0], "-f", names[1]}, test.args...)...); got.Code != test.code {
			t.Errorf("%q: exit code %d, want %d\n%s", test.args, got.Code, test.code, got.Stdout)
		}
	}
}

func written(p *page, columns int) string {
	text := terminal.Text{Columns: columns}
	p.write(&text)
	return text.String()
}

// Of many objects, quotas and nodes, a screen has those that fail and are fullest; -all has the others.
func TestPageFitsAScreen(t *testing.T) {
	r := &comparison.Report{Total: &comparison.Node{Name: "all nodes"}, Notes: []string{"a note"}}
	for i := range 142 {
		o := comparison.Object{Kind: "Deployment", Namespace: "shop", Name: fmt.Sprintf("d%03d", i), Action: "Updated", Wanted: 2, Created: 2}
		if i == 100 || i == 141 {
			o.Missing = "no quota"
		}
		r.Objects = append(r.Objects, o)
		r.Others = append(r.Others, comparison.Object{Kind: "ReplicaSet", Name: o.Name, Action: "Unchanged"})
		r.Problems = append(r.Problems, "a problem of "+o.Name)
		r.Quotas = append(r.Quotas, comparison.Quota{Namespace: "shop", Name: o.Name, Resource: "pods", After: usage("1", "2", int64(i%7))})
		r.Nodes = append(r.Nodes, comparison.Node{Name: o.Name, After: load("cpu", "1", "2")})
	}
	text := written(pageOf(r, false), 100)
	if n := strings.Count(text, "\n"); n > 70 {
		t.Errorf("%d lines:\n%s", n, text)
	}
	for _, want := range []string{"Objects\n  Deployment shop/d100 updated: 2 pods wanted, 2 created, 0 on nodes\n    next pod: no quota\n  Deployment shop/d141 ", "\n  and 132 others: -all lists all\n",
		"The fullest 10 of 142 limits of quotas", "\n    shop/d006 pods ", "The fullest 10 of 142 nodes"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "shop/d005 pods") {
		t.Errorf("a quota that is less full:\n%s", text)
	}
	all := written(pageOf(r, true), 100)
	if strings.Contains(all, "others") || strings.Contains(all, "fullest") || strings.Count(all, "d077") != 5 {
		t.Errorf("not all:\n%s", all)
	}
}

func TestRows(t *testing.T) {
	r := &comparison.Report{
		Objects: []comparison.Object{{Kind: "Deployment", Namespace: "shop", Name: "a", Action: "Created", Wanted: 3, Created: 2, Placed: 1, Missing: "full", Waiting: []comparison.Waiting{{Pods: 1, Message: "no node"}}},
			{Kind: "Namespace", Name: "b", Action: "Unchanged"}, {Kind: "Pod", Name: "c", Action: "Refused", Error: "wrong", Missing: "full"}},
		Others: []comparison.Object{{Kind: "Job", Namespace: "shop", Name: "d", Action: "Unchanged", Waiting: []comparison.Waiting{{Pods: 1, Message: "no node"}}}},
	}
	want := "NAMESPACE,KIND,NAME,ACTION,WANTED,CREATED,PLACED,VERDICT,REASON\nshop,Deployment,a,created,3,2,1,fails,full\n,Namespace,b,unchanged,0,0,0,ok,\n,Pod,c,refused,0,0,0,fails,wrong\nshop,Job,d,unchanged,0,0,0,fails,no node\n"
	testkit.NoDiff(t, rows(r).CSV(true), want)
}

// Notes are wrapped, names have no line breaks, and ten limits are all of them.
func TestPageInWords(t *testing.T) {
	r := &comparison.Report{Notes: []string{strings.Repeat("a note ", 20)}, Total: &comparison.Node{After: load("a\nb", "1", "2")}}
	for i := range 10 {
		r.Quotas = append(r.Quotas, comparison.Quota{Kind: "K", Name: fmt.Sprintf("q%d", i), Resource: "pods", After: usage("1", "2", 50), Shares: map[string]string{"a\nb": "1"}})
	}
	text := written(pageOf(r, false), 60)
	if strings.Contains(text, "a\nb") || !strings.Contains(text, "\n  Quotas") || !strings.Contains(text, "q9") {
		t.Error(text)
	}
	for line := range strings.Lines(text) {
		if len(line) > 61 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if head := rowsOf(nodeTable(r, 10))[0]; !strings.Contains(head, `a\nb`) {
		t.Error(head)
	}
}
