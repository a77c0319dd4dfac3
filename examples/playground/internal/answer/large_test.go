package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/answer"
	"github.com/kubemath/kubemath/internal/testkit"
)

// pods returns as many Pods, after a LimitRange with a default.
func pods(n int, memory string) string {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, defaultRequest: {cpu: 250m}}]}\n")
	for i := range n {
		amount := "1Gi"
		if i == 150 {
			amount = memory
		}
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: app, resources: {requests: {memory: %s}}}]}\n", i, amount)
	}
	return text.String()
}

// Of a large text, what has changed is answered first, with the lines of the text, and then a summary of all of it.
func TestLarge(t *testing.T) {
	var s answer.Session
	q := answer.Question{Program: "podreport", Text: pods(250, "1Gi")}
	if !q.IsLarge() || (answer.Question{Program: "podreport", Text: pods(100, "1Gi")}).IsLarge() {
		t.Error("250 are not large, or 100 are")
	}
	if a, err := s.First(q); err != nil || a.HTML != "" {
		t.Errorf("%.100q, %v: nothing has changed yet", a.HTML, err)
	}
	q.Text = pods(250, "512m")
	a, err := s.First(q)
	testkit.OK(t, err)
	if strings.Count(a.HTML, `<details class="account"`) != 1 || !strings.Contains(a.HTML, "p150") || !strings.Contains(a.HTML, "250m") {
		t.Errorf("%s", a.HTML)
	}
	if len(a.Problems) != 1 || a.Problems[0].Line != 4+150*5+5 {
		t.Errorf("%+v", a.Problems)
	}
	whole, err := s.Overview(q, func() {})
	testkit.OK(t, err)
	if n := strings.Count(whole.HTML, "data-workload="); n != 250 {
		t.Errorf("%d workloads, %d bytes", n, len(whole.HTML))
	}
	if len(whole.Problems) != 1 || whole.Problems[0] != a.Problems[0] {
		t.Errorf("%+v", whole.Problems)
	}
	complete, err := s.Answer(q)
	testkit.OK(t, err)
	if len(whole.HTML) > len(complete.HTML)/2 {
		t.Errorf("%d bytes, and %d with all details", len(whole.HTML), len(complete.HTML))
	}
	if account := s.Account(150); !strings.Contains(account, "p150") || !strings.Contains(complete.HTML, account) {
		t.Errorf("not the account of the whole report:\n%s", account)
	}
	if s.Account(250)+s.Account(-1) != "" {
		t.Error("there is an account of no workload")
	}
}

// What is abandoned leaves the session as it was.
func TestAbandoned(t *testing.T) {
	var s answer.Session
	q := answer.Question{Program: "podreport", Text: pods(250, "1Gi")}
	want, err := s.Overview(q, func() {})
	testkit.OK(t, err)
	for _, after := range []int{1, 100, 300, 600} {
		calls := 0
		func() {
			defer func() { recover() }()
			s.Overview(answer.Question{Program: "podreport", Text: pods(250, "2Gi")}, func() {
				calls++
				if calls == after {
					panic("abandoned")
				}
			})
			t.Errorf("it was called %d times only", calls)
		}()
		if got, err := s.Overview(q, func() {}); err != nil || got.HTML != want.HTML {
			t.Errorf("after %d calls: another answer, %v", after, err)
		}
	}
}

func TestLongText(t *testing.T) {
	var s answer.Session
	_, err := s.Answer(answer.Question{Program: "podreport", Text: strings.Repeat("#\n", 1<<23) + "#"})
	if err == nil || err.Error() != "the text has 16777217 bytes, at most 16777216" {
		t.Error(err)
	}
}
