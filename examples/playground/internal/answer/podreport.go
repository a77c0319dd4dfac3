package answer

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/page"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

func (s *Session) podreport(q Question) (a Answer, err error) {
	var size report.Size
	if q.CPU != "" {
		if err := size.SetCPU(q.CPU); err != nil {
			return a, fmt.Errorf("CPU of the node: %w", err)
		}
	}
	if q.Memory != "" {
		if err := size.SetMemory(q.Memory); err != nil {
			return a, fmt.Errorf("memory of the node: %w", err)
		}
	}
	read := objects.Reader{Kinds: manifest.Kinds, Check: objects.Warn, Cache: &s.cache}
	in := manifest.Of(read.File(File, strings.NewReader(q.Text)), manifest.Options{Home: "default"})
	r := report.Of(in, report.Options{Size: size})
	a.Problems = problemsOf(r, q.Text)
	a.HTML = page.Body(r)
	return a, nil
}

// problemsOf returns what the report on a text finds wrong, errors first.
func problemsOf(r *report.Report, text string) (list []Problem) {
	list = append(list, findings(Error, r.Errors, text)...)
	for i := range r.Workloads {
		list = append(list, rejection(&r.Workloads[i].Object, text)...)
	}
	for _, all := range [][]report.Object{r.Claims, r.Services, r.Others} {
		for i := range all {
			list = append(list, rejection(&all[i], text)...)
		}
	}
	return append(list, findings(Warning, r.Warnings, text)...)
}

func findings(level Level, found []report.Finding, text string) (list []Problem) {
	for _, f := range found {
		list = append(list, problem(level, fieldLine(text, f.Line, f.Field), f.Object, f.Field, f.Text))
	}
	return list
}

func rejection(o *report.Object, text string) (list []Problem) {
	if o.Rejection == nil {
		return nil
	}
	for _, reason := range o.Rejection.Reasons {
		line := fieldLine(text, o.Line, reason.Path)
		list = append(list, problem(Rejected, line, o.Kind+" "+wording.Qualified(o.Namespace, o.Name), reason.Path, reason.What))
	}
	return list
}

func problem(level Level, line int, object, field, text string) Problem {
	return Problem{level, line, wording.Printable(object), wording.Printable(field), wording.Printable(text)}
}
