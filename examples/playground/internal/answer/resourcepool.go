package answer

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/resourcepool"
)

func resourcepoolOf(q Question) (a Answer, err error) {
	pools, failed := resourcepool.AnswerFor(File, strings.NewReader(q.Text))
	for _, p := range pools.Problems {
		level := Error
		switch p.Grade {
		case objects.Skipped:
			continue
		case objects.Warning:
			level = Warning
		case objects.Invalid:
			level = Rejected
		case objects.Unreadable:
		}
		a.Problems = append(a.Problems, problem(level, p.Begins(), p.Named(), p.Field, p.Text))
	}
	if failed != nil {
		a.Problems = append(a.Problems, problem(Error, 0, "", "", failed.Error()))
	}
	a.HTML, err = format("resourcepool.tmpl", &pools)
	return a, err
}
