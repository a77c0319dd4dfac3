package answer

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/playground/internal/page"
)

func (s *Session) podreport(q Question) (a Answer, err error) {
	r, err := s.report(q, q.Text, &s.cache, nil)
	if err != nil {
		return a, err
	}
	return Answer{HTML: page.Body(r), Problems: problemsOf(r, q.Text)}, nil
}

// report returns the report on a text, and keeps its documents, unless kept is nil. Between is called now and then; may be nil.
func (s *Session) report(q Question, text string, kept *cache, between func()) (*report.Report, error) {
	var size report.Size
	if q.CPU != "" {
		if err := size.SetCPU(q.CPU); err != nil {
			return nil, fmt.Errorf("CPU of the node: %w", err)
		}
	}
	if q.Memory != "" {
		if err := size.SetMemory(q.Memory); err != nil {
			return nil, fmt.Errorf("memory of the node: %w", err)
		}
	}
	read := objects.Reader{Kinds: manifest.Kinds, Check: objects.Warn, Matters: true}
	if kept != nil {
		read.Cache = kept
	}
	in := manifest.Of(read.File(File, strings.NewReader(text)), manifest.Options{Home: "default", Before: between})
	if kept != nil {
		kept.turn() // if reading is abandoned, what was kept remains
	}
	return report.Of(in, report.Options{Size: size, Kubernetes: kubernetesOf(q.Kubernetes, in.Kubelets), Between: between}), nil
}

// IsLarge reports whether the answer to a question takes long: then ask for First, and afterwards for Overview.
func (q Question) IsLarge() bool {
	return q.Program == "podreport" && strings.Count(q.Text, "\n---")+strings.Count(q.Text, "\n- apiVersion:") > Many
}

// First returns what can be said of a large text at once: the report on the documents that were not in the text before,
// with the LimitRanges, and without quotas and nodes.
func (s *Session) First(q Question) (Answer, error) {
	before := s.documents
	s.documents = map[string]bool{}
	var text strings.Builder
	changed := 0
	for rest := q.Text; rest != ""; {
		part := rest[:documentEnd(rest)]
		rest = rest[len(part):]
		s.documents[part] = true
		switch {
		case !before[part] && before != nil:
			changed++
			text.WriteString(part)
		case strings.Contains(part, "kind: LimitRange"):
			text.WriteString(part)
		default: // so that lines are those of the whole text
			text.WriteString(strings.Repeat("\n", strings.Count(part, "\n")))
		}
	}
	if changed == 0 || changed > mostFirst {
		return Answer{}, nil
	}
	r, err := s.report(q, text.String(), nil, nil)
	if err != nil {
		return Answer{}, err
	}
	return Answer{HTML: page.Body(r), Problems: problemsOf(r, q.Text)}, nil
}

// mostFirst is the number of changed documents up to which there is a first answer.
const mostFirst = 20

// Overview returns the summary of the answer to a large question. Between is called now and then; if it panics, what is
// computed is abandoned.
func (s *Session) Overview(q Question, between func()) (Answer, error) {
	r, err := s.report(q, q.Text, &s.cache, between)
	if err != nil {
		return Answer{}, err
	}
	s.last = r
	between()
	return Answer{HTML: page.Overview(r), Problems: problemsOf(r, q.Text)}, nil
}

// Account returns the HTML of a workload of the last overview, empty if there is none.
func (s *Session) Account(workload int) string {
	if s.last == nil {
		return ""
	}
	return page.Account(s.last, workload)
}

// problemsOf returns what the report on a text finds wrong, errors first.
func problemsOf(r *report.Report, file string) (list []Problem) {
	text := linesOf(file)
	list = append(list, findings(Error, r.Errors, text)...)
	for _, o := range r.All() {
		list = append(list, rejection(o, text)...)
	}
	return append(list, findings(Warning, r.Warnings, text)...)
}

func findings(level Level, found []report.Finding, text *lines) (list []Problem) {
	for _, f := range found {
		list = append(list, problem(level, text.fieldLine(f.Line, f.Field), f.Object, f.Field, f.Text))
	}
	return list
}

func rejection(o *report.Object, text *lines) (list []Problem) {
	if o.Rejection == nil {
		return nil
	}
	for _, reason := range o.Rejection.Reasons {
		line := text.fieldLine(o.Line, reason.Path)
		list = append(list, problem(Rejected, line, o.Title(), reason.Path, reason.What))
	}
	return list
}

func problem(level Level, line int, object, field, text string) Problem {
	return Problem{level, line, wording.Printable(object), wording.Printable(field), wording.Printable(text)}
}
