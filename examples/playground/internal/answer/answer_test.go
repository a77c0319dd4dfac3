package answer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/playground/internal/answer"
	"github.com/kubemath/kubemath/examples/playground/internal/page"
	"github.com/kubemath/kubemath/internal/testkit"
)

func ask(t *testing.T, q answer.Question) answer.Answer {
	t.Helper()
	var s answer.Session
	a, err := s.Answer(q)
	testkit.OK(t, err)
	return a
}

// The answer about pods is the report on the text, with whatever was asked before.
func TestPodreport(t *testing.T) {
	files, err := filepath.Glob("../../web/samples/*/*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("%q, %v", files, err)
	}
	var s answer.Session
	for _, file := range files {
		text, err := os.ReadFile(file)
		testkit.OK(t, err)
		got, err := s.Answer(answer.Question{Program: "podreport", Text: string(text), CPU: "4", Memory: "8Gi"})
		testkit.OK(t, err)
		var size report.Size
		testkit.OK(t, size.SetCPU("4"))
		testkit.OK(t, size.SetMemory("8Gi"))
		in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Check: objects.Warn, Matters: true}.File(answer.File, strings.NewReader(string(text))), manifest.Options{Home: "default"})
		if page.Body(report.Of(in, report.Options{Size: size})) != got.HTML {
			t.Errorf("%s: not the report", file)
		}
	}
}

const limited = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    resources:
      requests: {cpu: 2, memory: 512m}
      limits: {cpu: 1}
---
kind: Pod
`

func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name     string
		question answer.Question
		want     []answer.Problem
	}{
		{"podreport", answer.Question{Program: "podreport", Text: limited}, []answer.Problem{
			{answer.Error, 11, "Pod", "apiVersion", "missing, or not a string"},
			{answer.Rejected, 8, "Pod web", "spec.containers[0].resources.requests", "container app: request cpu 2 is above its limit 1"},
			{answer.Warning, 8, "Pod web", "spec.containers[0].resources.requests[memory]", "512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"},
		}},
		{"coschedule", answer.Question{Program: "coschedule", Text: "a: 1\n---\n# none\n---\nb: [\n"}, []answer.Problem{
			{answer.Error, 1, "", "", "not a Kubernetes object: it has neither apiVersion nor kind"},
			{answer.Error, 5, "", "", "invalid YAML: line 5: did not find expected node content"},
			{answer.Error, 0, "", "", "the input has no PipelineRun"},
		}},
		{"resourcepool", answer.Question{Program: "resourcepool", Text: "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: a}\nspec: {quotas: {}}\n"}, []answer.Problem{
			{answer.Warning, 4, "ResourcePool a", "spec.quotas", "unknown field, ignored"},
			{answer.Rejected, 4, "ResourcePool a", "spec.quota.hard", "Required value: a pool needs resources"},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, ask(t, test.question).Problems, test.want)
		})
	}
}

func TestCoschedule(t *testing.T) {
	text, err := os.ReadFile("../../web/samples/pipelinerun/1-build.yaml")
	testkit.OK(t, err)
	q := answer.Question{Program: "coschedule", Text: string(text)}
	html := ask(t, q).HTML
	for _, want := range []string{
		"<h2>PipelineRun ci/build-1</h2>", `<tr><th scope="row">cpu</th><td>2500m</td><td>lint, unit</td></tr>`, `<tr><th scope="row">memory</th><td>6Gi</td><td>image</td></tr>`,
		`<li><h4>Node large</h4>`, `<li class="short"><h4>Node busy</h4>`, `<li class="short"><h4>Node small</h4>`, "kind: StatefulSet\n",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	for coschedule, want := range map[string]string{"": "coschedule pipelineruns", "workspaces": "coschedule workspaces"} {
		q.Coschedule = coschedule
		if html := ask(t, q).HTML; !strings.Contains(html, "Behavior of the affinity assistant: "+want+"</p>") {
			t.Errorf("%q:\n%s", coschedule, html)
		}
	}
	q.Coschedule = "disabled"
	if html := ask(t, q).HTML; !strings.Contains(html, "<h3>On any nodes</h3>") || strings.Contains(html, "StatefulSet\n") {
		t.Errorf("disabled:\n%s", html)
	}
}

func TestResourcepool(t *testing.T) {
	const pool = `apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: p}
spec: {selectors: [{matchLabels: {team: a}}], quota: {hard: {pods: 2}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: ns, labels: {team: a}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePoolClaim
metadata: {name: c, namespace: ns}
spec: {pool: p, claim: {pods: 3}}
`
	html := ask(t, answer.Question{Program: "resourcepool", Text: pool}).HTML
	for _, want := range []string{"<h2>ResourcePoolClaims</h2>", `<tr><th scope="row">ns</th><td>c</td><td>p</td>`, "<p>ns/c waits first</p>", "<li>to grant ns/c, add pods=1</li>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: ns}\nspec: {hard: {pods: 3}}\n"
	if html := ask(t, answer.Question{Program: "resourcepool", Text: quota}).HTML; !strings.Contains(html, "<h1>Resource pools in place of the quotas</h1>") || !strings.Contains(html, "kind: ResourcePool\n") {
		t.Errorf("quotas:\n%s", html)
	}
}

func TestWrongQuestions(t *testing.T) {
	for want, q := range map[string]answer.Question{
		`there is no program "bash"`:                                    {Program: "bash"},
		`CPU of the node: "much" is not a quantity such as 500m or 2Gi`: {Program: "podreport", CPU: "much"},
		`memory of the node: must be positive`:                          {Program: "podreport", Memory: "-1Gi"},
		`invalid value for feature flag "coschedule": "nodes"`:          {Program: "coschedule", Coschedule: "nodes"},
	} {
		var s answer.Session
		if _, err := s.Answer(q); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A large text that begins with a brace and is not JSON has an answer, which says so.
func TestLargeTextInBraces(t *testing.T) {
	for _, program := range []string{"podreport", "coschedule", "resourcepool"} {
		text := "{{- range .Values.apps }}\n" + strings.Repeat("  image: {{ .image }}\n", 8000) + "{{- end }}\n"
		problems := ask(t, answer.Question{Program: program, Text: text}).Problems
		if len(problems) == 0 || problems[0].Level != answer.Error || !strings.Contains(problems[0].Text, "looks like a Helm template") {
			t.Errorf("%s: %+v", program, problems)
		}
	}
}

// A text that is broken in any way has an answer, whatever the program.
func FuzzAnswer(f *testing.F) {
	f.Add(limited)
	f.Add("a: [\n---\n{\"kind\": \"List\", \"items\": [1]}")
	programs := []string{"podreport", "coschedule", "resourcepool"}
	f.Fuzz(func(t *testing.T, text string) {
		var s answer.Session
		for _, program := range programs {
			q := answer.Question{Program: program, Text: text}
			first, err := s.Answer(q)
			again, errAgain := s.Answer(q)
			if err != nil || errAgain != nil {
				t.Fatalf("%s: %v, %v", program, err, errAgain)
			}
			if first.HTML != again.HTML || !slices.Equal(first.Problems, again.Problems) {
				t.Errorf("%s: another answer when it is asked again", program)
			}
		}
	})
}
