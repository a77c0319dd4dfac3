package answer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/playground/internal/coschedule"
)

func coscheduleOf(q Question) (a Answer, err error) {
	explained, err := coschedule.AnswerFor(File, strings.NewReader(q.Text), cmp.Or(q.Coschedule, "pipelineruns"))
	if err != nil {
		return a, err
	}
	for _, p := range explained.Problems {
		a.Problems = append(a.Problems, problem(Error, p.Line, "", "", p.Text))
	}
	var w writer
	w.plan(&explained)
	a.HTML = w.String()
	return a, nil
}

func (w *writer) plan(a *coschedule.Answer) {
	w.Raw("<header>\n<h1>")
	switch len(a.Runs) {
	case 0:
		w.Raw("No PipelineRun is planned")
	case 1:
		w.Raw("Where the pods of a PipelineRun run")
	default:
		w.Around("Where the pods of ", fmt.Sprint(len(a.Runs)), " PipelineRuns run")
	}
	w.Around("</h1>\n"+`<p class="files">Behavior of the affinity assistant: `, a.Behavior, "</p>\n</header>\n"+`<main id="report">`+"\n")
	w.list("Errors", "bad", textsOf(a.Problems))
	for i := range a.Runs {
		w.run(&a.Runs[i])
	}
	w.list("Placeholders to move", "odd", a.ToMove)
	if a.Manifests != "" {
		w.Raw("<section>\n<h2>What has to be created</h2>\n")
		w.Around(`<details class="account"><summary><span class="title">YAML</span></summary>`+"\n"+`<pre tabindex="0">`, a.Manifests, "</pre></details>\n</section>\n")
	}
	for _, note := range a.Notes {
		w.Around(`<p class="skipped">`, note.Text, "</p>\n")
	}
	w.Raw("</main>\n<footer>\n<p>Computed from the manifests alone: no cluster is asked. TEP-0135 describes how Tekton " +
		"keeps the pods of a run on one node.</p>\n</footer>\n")
}

func textsOf(remarks []coschedule.Remark) (texts []string) {
	for _, r := range remarks {
		texts = append(texts, r.Text)
	}
	return texts
}

func (w *writer) run(r *coschedule.ExplainedRun) {
	w.Around("<section>\n<h2>", r.Title, "</h2>\n")
	w.findings("odd", r.Notes)
	for i := range r.Groups {
		w.group(&r.Groups[i])
	}
	var workspaces [][]string
	for _, workspace := range r.Workspaces {
		workspaces = append(workspaces, []string{workspace.Name, workspace.Claim})
	}
	if r.OverTime != "" {
		w.Around("<h3>Over time</h3>\n"+`<pre tabindex="0">`, r.OverTime, "</pre>\n")
	}
	w.table("Workspaces", []string{"workspace", "claim"}, workspaces)
	w.Raw(`<dl class="facts">` + "\n")
	w.fact("Without a pod", r.Podless)
	w.fact("Deleted when it is completed", r.Deleted)
	w.Raw("</dl>\n</section>\n")
}

func (w *writer) group(g *coschedule.Group) {
	if g.Placeholder == "" {
		w.Raw("<article>\n<h3>On any nodes</h3>\n")
	} else {
		w.Around("<article>\n<h3>On the node of ", g.Placeholder, "</h3>\n")
	}
	w.Around(`<p class="place">`, g.Tasks, "</p>\n")
	if g.Err != nil {
		w.Around(`<p class="bad">`, g.Err.Error(), "</p>\n")
	}
	var peaks [][]string
	for _, p := range g.Demand.Peaks {
		peaks = append(peaks, []string{string(p.Resource), p.Amount.String(), strings.Join(p.Tasks, ", ")})
	}
	w.table("Requested at once", []string{"requested at once", "amount", "by"}, peaks)
	if len(g.Nodes) > 0 {
		w.Raw(`<ul class="nodes">` + "\n")
		for i := range g.Nodes {
			w.candidate(&g.Nodes[i])
		}
		w.Raw("</ul>\n")
	}
	w.Raw("</article>\n")
}

func (w *writer) candidate(n *coschedule.GroupCandidate) {
	short := len(n.Shortages) > 0
	w.Raw("<li")
	w.If(short, ` class="short"`)
	w.Around("><h4>Node ", n.Node, "</h4>\n<p")
	w.If(short, ` class="bad"`)
	w.Around(">", n.Room, "</p>\n")
	for _, shortage := range n.Shortages {
		w.Around("<p>", shortage, "</p>\n")
	}
	if n.Scheduler != "" {
		w.Around(`<p class="place">`, n.Scheduler, "</p>\n")
	}
	w.Raw("</li>\n")
}

func (w *writer) fact(name string, list []string) {
	if len(list) > 0 {
		w.Around("<div><dt>", name, "</dt><dd>")
		w.Around("", strings.Join(list, ", "), "</dd></div>\n")
	}
}
