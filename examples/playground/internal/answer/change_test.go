package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/playground/internal/answer"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
	"github.com/kubemath/kubemath/internal/testkit"
)

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := comparison.Samples.ReadFile("samples/" + name + "/" + name + ".yaml")
	testkit.OK(t, err)
	return string(text)
}

func setChange(t *testing.T, c *answer.Change, text string) answer.Overview {
	t.Helper()
	testkit.OK(t, c.Set(text, ""))
	for c.Continue(time.Millisecond) {
	}
	return c.Overview()
}

// The change of the samples is refused in two steps. What is written for each of them admits it.
func TestChange(t *testing.T) {
	var c answer.Change
	c.SetCluster(sample(t, "cluster"))
	text := sample(t, "change")
	o := setChange(t, &c, text)
	if o.Steps != 4 || o.Played != 4 || o.Refused != 2 || o.Summary != "Fails: 2 pods not created, 1 pod waiting. 4 objects: 3 created, 1 updated; pods: 8 placed, 3 gone" {
		t.Errorf("%+v", o)
	}
	var lines []int
	for _, title := range o.Titles {
		lines = append(lines, title.Line)
	}
	testkit.NoDiff(t, lines, []int{2, 17, 31, 43}, "lines")
	if len(o.Problems) != 2 || o.Problems[0].Level != answer.Rejected || o.Problems[0].Line != 17 || !strings.Contains(o.Problems[0].Text, "exceeded quota: team") {
		t.Errorf("problems %+v", o.Problems)
	}
	fixed, err := c.Fixed(2)
	testkit.OK(t, err)
	want := strings.Replace(text, `{requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`, `{requests: {cpu: "850m", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`, 1)
	testkit.NoDiff(t, fixed, want)
	o = setChange(t, &c, fixed)
	testkit.Equal(t, o.Refused, 3, "the first refusal is")
	// The amounts are rounded down, which leaves some of the quota for the Job.
	fixed, err = c.Fixed(3)
	testkit.OK(t, err)
	o = setChange(t, &c, fixed)
	if o.Refused != 0 || o.Outcomes["refused"] != 0 || !strings.Contains(fixed, "{requests: {cpu: 100m, memory: 512Mi}}") {
		t.Errorf("%+v\n%s", o.Problems, fixed)
	}
	setChange(t, &c, text)
	if _, err := c.Fixed(1); err == nil {
		t.Error("what is admitted is fixed")
	}
	for _, n := range []int{-1, 6} {
		if _, err := c.Step(n); err == nil {
			t.Errorf("there is a step %d", n)
		}
	}
}

// The answer about a text does not depend on what was asked before, and problems have the lines of the whole text.
func TestChangeOfTexts(t *testing.T) {
	pod := func(name, cpu string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {containers: [{name: app, resources: {requests: {cpu: " + cpu + "}}}]}\n"
	}
	var c answer.Change
	c.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2}}\n")
	for _, text := range []string{
		pod("a", "1") + "---\n" + pod("b", "2"),
		"# one more line\n" + pod("a", "1") + "---\n" + pod("b", "2"),
		pod("a", "1") + "---\na: [\n---\n" + pod("b", "2"),
		pod("a", "1") + "---\n" + pod("a", "1"),
		pod("a", "2") + "---\n" + pod("a", "1") + "---\n" + pod("c", "512m") + "---\nkind: Pod\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: x}\n  spec: {containers: [{name: app, resources: {requests: {cpu: 3}}}]}\n",
		strings.Repeat("---\nkind: Pod\n", 5) + "---\n" + pod("c", "1, memory: 512m") + "---\n" + pod("a", "3"),
		"{", "", "---\n---\n", "apiVersion: v1\nkind: Widget\nmetadata: {name: w}\n",
	} {
		var fresh answer.Change
		fresh.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2}}\n")
		want := setChange(t, &fresh, text)
		testkit.NoDiff(t, setChange(t, &c, text), want, text)
		testkit.NoDiff(t, c.Overview(), want, "once more", text)
	}
	// What is refused comes before warnings.
	o := setChange(t, &c, strings.Replace(pod("a", "1"), "{name: a}", "{name: a, lable: x}", 1)+"---\n"+pod("b", "2"))
	if len(o.Problems) != 2 || o.Problems[0].Line != 6 || o.Problems[1].Line != 3 || o.Problems[1].Level != answer.Warning {
		t.Errorf("%+v", o.Problems)
	}
	generated := "---\n" + strings.Replace(pod("a-", "1"), "name: a-", "generateName: a-", 1)
	for _, text := range []string{generated + generated, generated + generated, generated, strings.Replace(generated, "cpu: 1", "cpu: 500m", 1) + generated} {
		if o := setChange(t, &c, text); o.Steps != strings.Count(text, "---") || o.Outcomes["stored"] != o.Steps || o.Titles[o.Steps-1].Line != 5*o.Steps-3 {
			t.Errorf("pods whose names are generated: %+v\n%s", o, text)
		}
	}
	o = setChange(t, &c, pod("a", "1")+"---\na: [\n---\n"+pod("b", "2"))
	if len(o.Problems) != 2 || o.Problems[0].Line != 6 || !strings.Contains(o.Problems[0].Text, "line 6") || o.Problems[1].Line != 8 {
		t.Errorf("%+v", o.Problems)
	}
}

// A cluster that cannot be is an error, and the next one is not.
func TestChangeOfAnInvalidCluster(t *testing.T) {
	var c answer.Change
	c.SetCluster("apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}\n")
	if err := c.Set("", ""); err == nil || !strings.Contains(err.Error(), "the cluster cannot be") {
		t.Error(err)
	}
	c.SetCluster("")
	if o := setChange(t, &c, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: app}]}\n"); o.Outcomes["stored"] != 1 {
		t.Errorf("%+v", o)
	}
}

// Of many objects, the overview names those that are refused or wait.
func TestChangeOfMany(t *testing.T) {
	var text strings.Builder
	for i := range 250 {
		fmt.Fprintf(&text, "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m}}}]}\n---\n", i)
	}
	var c answer.Change
	c.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2480m}}\n")
	o := setChange(t, &c, text.String())
	if len(o.Titles) != 2 || o.Titles[0].Step != 249 || o.Steps != 250 || o.Outcomes["stored"] != 248 {
		t.Errorf("%d titles, %+v", len(o.Titles), o.Outcomes)
	}
	c.SetCluster("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 2495m, memory: 1Gi, pods: 300}}\n")
	o = setChange(t, &c, text.String())
	if len(o.Titles) != 1 || o.Titles[0].Step != 250 || o.Titles[0].Outcome != play.Waits || o.Outcomes["waits"] != 1 {
		t.Errorf("one waits: %+v, %+v", o.Titles, o.Outcomes)
	}
	c.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2480m}}\n")
	o = setChange(t, &c, strings.ReplaceAll(text.String(), "cpu: 10m", "cpu: 3"))
	if len(o.Titles) != 200 || o.Titles[199].Step != 200 || o.Outcomes["refused"] != 250 || len(o.Problems) != 250 {
		t.Errorf("all refused: %d titles, %d problems, %+v", len(o.Titles), len(o.Problems), o.Outcomes)
	}
}

// The release of the cluster is the one that is chosen, or that of the newest kubelet: before 1.34, spec.resources does not
// count, and the quota demands a request of the container. A choice counts at once, for the same texts.
func TestRelease(t *testing.T) {
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2}}\n---\n"
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 8Gi, pods: 9}, nodeInfo: {kubeletVersion: v1.33.4}}\n---\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {resources: {requests: {cpu: 1}}, containers: [{name: app, image: x}]}\n"
	for _, test := range []struct {
		cluster, release string
		refused          bool
	}{
		{quota, "", false}, {quota, "1.34", false}, {quota, "1.33", true}, {quota + node, "", true}, {quota + node, "1.36", false},
	} {
		var c answer.Change
		c.SetCluster(test.cluster)
		setChange(t, &c, pod) // which is another question
		testkit.OK(t, c.Set(pod, test.release))
		c.Continue(time.Second)
		if refused := c.Overview().Refused > 0; refused != test.refused {
			t.Errorf("%q in a cluster with %d objects: refused %t", test.release, c.Overview().Objects, refused)
		}
		q := answer.Question{Program: "podreport", Text: test.cluster + pod, Kubernetes: test.release}
		if refused := strings.Contains(ask(t, q).HTML, "must specify requests.cpu"); refused != test.refused {
			t.Errorf("%q: the report says refused %t", test.release, refused)
		}
	}
}
