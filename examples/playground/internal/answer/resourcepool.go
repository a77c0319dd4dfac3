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
		case objects.Warning, objects.Uncomputed:
			level = Warning
		case objects.Invalid:
			level = Rejected
		case objects.Unreadable, objects.Failed:
		}
		a.Problems = append(a.Problems, problem(level, fieldLine(q.Text, p.Begins(), p.Field), p.Named, p.Field, p.Text))
	}
	if failed != nil {
		a.Problems = append(a.Problems, problem(Error, 0, "", "", failed.Error()))
	}
	var w writer
	w.pools(&pools)
	a.HTML = w.String()
	return a, nil
}

func (w *writer) pools(a *resourcepool.Answer) {
	w.Raw("<header>\n<h1>")
	switch {
	case len(a.Tables) > 0:
		w.Raw("Which claims on the pools hold what they request")
	case a.Migration != "":
		w.Raw("Resource pools in place of the quotas")
	default:
		w.Raw("The input has no resource pool")
	}
	w.Raw("</h1>\n")
	for _, note := range a.Notes {
		w.Around(`<p class="remark">`, note, "</p>\n")
	}
	w.Raw("</header>\n" + `<main id="report">` + "\n")
	for _, t := range a.Tables {
		w.Around("<section>\n<h2>", t.Title, "</h2>\n<article>")
		w.table(t.Title, t.Columns, t.Rows)
		w.Raw("</article>\n</section>\n")
	}
	if len(a.Plans) > 0 {
		w.Raw("<section>\n<h2>What has to change</h2>\n")
		for i := range a.Plans {
			w.change(&a.Plans[i])
		}
		w.Raw("</section>\n")
	}
	if a.Migration != "" {
		w.Around("<section>\n<h2>What has to be created</h2>\n"+`<article><pre tabindex="0">`, a.Migration, "</pre></article>\n</section>\n")
	}
	w.Raw("</main>\n<footer>\n<p>Computed from the manifests alone: no cluster is asked. Ages are those when the " +
		"youngest object is two seconds old.</p>\n</footer>\n")
}

func (w *writer) change(p *resourcepool.Plan) {
	w.Raw("<article")
	w.If(p.First != "", ` class="verdict"`)
	w.Around(">\n<h3>", p.Pool, "</h3>\n<p>")
	if p.First == "" {
		w.Raw("no claim waits</p>\n")
	} else {
		w.Around("", p.First, " waits first</p>\n")
	}
	if len(p.Lines) > 0 {
		w.Raw(`<ul class="reasons">` + "\n")
		for _, line := range p.Lines {
			w.Around("<li>", line, "</li>\n")
		}
		w.Raw("</ul>\n")
	}
	w.Raw("</article>\n")
}
