package answer

import (
	"cmp"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/coschedule"
)

func coscheduleOf(q Question) (a Answer, err error) {
	explained, err := coschedule.AnswerFor(File, strings.NewReader(q.Text), cmp.Or(q.Coschedule, "pipelineruns"))
	if err != nil {
		return a, err
	}
	for _, p := range explained.Problems {
		a.Problems = append(a.Problems, problem(Error, p.Line, "", "", p.Text))
	}
	a.HTML, err = format("coschedule.tmpl", &explained)
	return a, err
}
