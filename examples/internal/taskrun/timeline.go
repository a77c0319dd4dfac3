package taskrun

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// placeholderImage is that of placeholders, which decides nothing.
const placeholderImage = "registry.k8s.io/pause:3.10"

// play is a PipelineRun, and how far it is.
type play struct {
	run        *affinity.Run
	plan       *affinity.Plan
	tasks      []*run // those whose tasks are known
	scene      peak.Scene
	notes      []string
	incomplete bool // a task is not known
	invalid    string
	ended      string
}

// plan plans the placeholders of a run, and reports whether it can be.
func (in *input) plan(at objects.Place, p *play, o *pipelineRun) bool {
	config := &in.refers.Config
	opts := affinity.Options{
		Behavior:    config.Behavior,
		Placeholder: affinity.Placeholder{Image: placeholderImage, Defaults: config.Assistant()},
	}
	for _, err := range affinity.Validate(p.run, opts) {
		in.Fail(at, objects.Invalid, err.Field, err.ErrorBody())
	}
	plan, err := affinity.PlanFor(p.run, opts)
	if err != nil {
		return false
	}
	p.plan, p.ended = plan, o.Status.State()
	return true
}

// follow finds what of a run exists already.
func (in *input) follow(p *play, name types.NamespacedName) {
	p.scene = peak.Scene{Plan: p.plan, Live: map[string][]*corev1.Pod{}}
	for _, o := range inventory.In[*taskRun](&in.List, name.Namespace) {
		task := o.Labels[pipelinerun.TaskLabel]
		if pipelinerun.PartOf(o, "PipelineRun") != name.Name || task == "" {
			continue
		}
		ended, failed := o.Status.Ended()
		pod := in.livePod(types.NamespacedName{Namespace: o.Namespace, Name: o.Name})
		switch {
		case failed:
			p.scene.Failed = append(p.scene.Failed, task)
		case ended:
			p.scene.Succeeded = append(p.scene.Succeeded, task)
		case pod != nil:
			p.scene.Live[task] = append(p.scene.Live[task], pod)
		}
	}
	for _, pod := range inventory.In[*corev1.Pod](&in.List, name.Namespace) {
		for _, set := range p.plan.StatefulSets {
			if pod.Name == set.Name+"-0" && !computeresources.HasEnded(pod) {
				p.scene.Live[set.Name] = []*corev1.Pod{pod}
			}
		}
	}
}

// writePlay writes what becomes of the pods of a PipelineRun, over time.
func (in *input) writePlay(s *command.Session, o *options, r *run) {
	if o.Format == "yaml" { // what becomes of the run is only the exit code
		whole := s.Text
		s.Text = &terminal.Text{}
		defer func() { s.Text = whole }()
	}
	fmt.Fprintf(s, "%s, over time\n  from %s\n\n", wording.Printable(r.title), wording.Printable(r.Source.String()))
	for _, note := range r.play.notes {
		s.Hang("  ", wording.Printable(note))
	}
	in.writeTime(s, o, r)
}

// writeTime writes the moments of a run, and how it ends.
func (in *input) writeTime(s *command.Session, o *options, r *run) {
	p := r.play
	for _, note := range notConsidered(p.run) {
		s.Hang("  ", wording.Printable(note))
	}
	if p.ended != "" {
		fmt.Fprintf(s, "  %s\n\n", p.ended)
		return
	}
	if p.invalid != "" {
		s.Hang("  ", "rejected: "+wording.Printable(p.invalid))
		s.WriteString("\n")
		s.Exit(command.Rejected)
		return
	}
	if p.incomplete {
		s.WriteString("  not all of its tasks are known\n\n")
		return
	}
	ranges, quotas := inventory.In[*corev1.LimitRange](&in.List, r.Namespace), inventory.In[*corev1.ResourceQuota](&in.List, r.Namespace)
	p.scene.Pods = map[string]*corev1.PodSpec{}
	namespace, err := admit.Compile(ranges, quotas, admit.Options{Kubernetes: o.Kubernetes})
	if err != nil {
		s.Say(command.Unread, "%s: %v", wording.Printable(r.title), err)
		return
	}
	environment := in.environment(namespace)
	for _, t := range p.tasks {
		plan := steps.WholePod(t.spec, t.settings, environment, steps.TektonOptions())
		sent := steps.TektonContainers(t.spec, t.settings, environment.Tekton)
		if computeresources.ApplyChanges(sent, plan.Changes) == nil {
			p.scene.Pods[t.task] = sent
		}
	}
	t, err := peak.Play(p.run, p.scene, peak.Options{LimitRanges: ranges, Quotas: quotas,
		Admission: admit.Options{Kubernetes: o.Kubernetes}})
	if err != nil {
		s.Say(command.Unread, "%s: %v", wording.Printable(r.title), err)
		return
	}
	in.writeTimeline(s, p, &t)
}

// notConsidered says which fields of tasks matter only if pods fail while they run.
func notConsidered(run *affinity.Run) (notes []string) {
	var retried, going []string
	for _, t := range slices.Concat(run.Tasks, run.Finally) {
		if t.Retries > 0 && !t.NoPod {
			retried = append(retried, t.Name)
		}
		if t.ContinueOnError && !t.NoPod {
			going = append(going, t.Name)
		}
	}
	if len(retried) > 0 {
		notes = append(notes, "pods that run are taken to succeed: retries are not considered, of "+strings.Join(retried, ", "))
	}
	if len(going) > 0 {
		notes = append(notes, "pods that run are taken to succeed: onError counts only if the pod is refused, of "+strings.Join(going, ", "))
	}
	return notes
}

func (in *input) writeTimeline(s *command.Session, p *play, t *peak.Timeline) {
	var rows [][]string
	said := map[string]bool{}
	var messages []string
	for i, m := range t.Moments {
		var waits, fails []string
		for _, h := range m.Held {
			list := &waits
			if h.Failed {
				list = &fails
			}
			*list = append(*list, h.Task)
			if !said[h.Task] { // what waits does not fail later on
				said[h.Task] = true
				messages = append(messages, h.Task+": "+h.Message)
			}
		}
		rows = append(rows, []string{fmt.Sprintf("  %d", i+1), cell("", m.Running), cell("waits: ", waits), cell("fails: ", fails), amounts(m.Requests)})
	}
	s.Aligned(rows, 2)
	for _, message := range messages {
		s.Hang("  ", wording.Printable(message))
	}
	if len(messages) > 0 {
		s.Exit(command.Rejected)
	}
	if len(t.Peak) > 0 {
		pods := t.Peak[corev1.ResourcePods]
		fmt.Fprintf(s, "  at most %s at once, which request %s\n", wording.Count(pods.Value(), "pod"),
			cmp.Or(amounts(t.Peak), "nothing"))
	}
	for _, set := range p.plan.StatefulSets {
		fmt.Fprintf(s, "  its pods share the node of %s-0, which counts as well\n", wording.Printable(set.Name))
	}
	switch {
	case t.Stuck:
		s.WriteString("  it waits until it times out, unless others free the quota\n")
	case t.Failed:
		s.WriteString("  it fails\n")
	}
	s.WriteString("\n")
}

// cell returns names with how often each comes.
func cell(prefix string, names []string) string {
	count := map[string]int{}
	for _, name := range names {
		count[name]++
	}
	var words []string
	for _, name := range names {
		word := wording.Printable(name)
		if count[name] > 1 {
			word = fmt.Sprintf("%d × %s", count[name], word)
		}
		if count[name] > 0 {
			words = append(words, word)
		}
		count[name] = 0 // which is said
	}
	if len(words) == 0 {
		return ""
	}
	return prefix + strings.Join(words, ", ")
}

// environment returns what the cluster and a namespace add to runs.
func (in *input) environment(ns *admit.Namespace) steps.Environment {
	config := &in.refers.Config
	return steps.Environment{ContainerDefaults: config.ContainerDefaults, Namespace: ns, Tekton: config.Tekton}
}

// columns is the width of a page.
const columns = 100

// OverTime returns what becomes of the pods of the PipelineRuns of a file over time, by run, as the subcommand writes it. The
// flag coschedule is that of Tekton.
func OverTime(file io.Reader, coschedule string) (map[types.NamespacedName]string, error) {
	o, err := parse([]string{"-f", "-", "-coschedule", coschedule}, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	in := read(&o, &command.Session{Stdin: file})
	o.Kubernetes = origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	texts := map[types.NamespacedName]string{}
	for _, r := range in.runs {
		if r.play == nil {
			continue
		}
		part := &command.Session{Text: &terminal.Text{Columns: columns}, Stderr: io.Discard}
		objects.Guarded(r.Place, func() { in.writeTime(part, &o, r) }) // what goes wrong is said about the plan
		texts[types.NamespacedName{Namespace: r.play.run.Namespace, Name: r.play.run.Name}] = part.String()
	}
	return texts, nil
}
