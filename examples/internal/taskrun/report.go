package taskrun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// write writes the pod of a run, or what becomes of those of a PipelineRun.
func (in *input) write(s *command.Session, o *options, r *run) {
	if r.play != nil {
		in.writePlay(s, o, r)
		return
	}
	namespace, err := admit.Compile(in.rangesAndQuotas(r, o))
	if err != nil {
		s.Say(command.Unread, "%s: %v", wording.Printable(r.title), err)
		return
	}
	environment := steps.Environment{Namespace: namespace, Tekton: steps.Tekton{Complete: true}}
	if r.settings != nil { // a pod of Tekton
		environment = in.environment(namespace)
	}
	environment.PodName = r.pod
	spec := steps.TektonContainers(r.spec, r.settings, environment.Tekton)
	plan := steps.WholePod(spec, r.settings, environment, steps.TektonOptions())
	rejected := cmp.Or(r.invalid, r.refused, r.rejection(&plan)) // in the order of Tekton, which creates the pod last
	if rejected != "" && r.state == "" {
		s.Exit(command.Rejected)
	}
	pod := plan.Effect.Decision.Object.(*corev1.Pod)
	if o.Format == "yaml" {
		pod.TypeMeta.APIVersion, pod.TypeMeta.Kind = "v1", "Pod"
		pod.Namespace = r.Namespace
		s.YAML(pod)
		return
	}
	fmt.Fprintf(s, "%s\n  from %s\n\n", wording.Printable(r.title), wording.Printable(r.Source.String()))
	switch {
	case len(plan.Amounts) == 0:
		s.WriteString("  no container sets an amount, and there are no defaults\n")
	case o.explain:
		r.writeSources(s, &plan, pod)
	default:
		writeAmounts(s, &plan, pod)
	}
	switch {
	case r.state != "":
		fmt.Fprintf(s, "  %s, %s\n\n", wording.Printable(r.state), pod.Status.QOSClass)
		return
	case rejected != "":
		s.Hang("  ", "rejected: "+wording.Printable(rejected))
	default:
		fmt.Fprintf(s, "  admitted, %s\n", pod.Status.QOSClass)
	}
	if r.invalid == "" && r.refused == "" { // nothing of it helps a pod that Tekton does not create
		r.writeAsItShould(s, &plan, spec, environment)
		if l := steps.PodLevel(spec, plan.Changes, r.settings, steps.TektonStep, namespace); l.Saves {
			what := "it would be admitted"
			if level, divided := amounts(l.PodLevel.Limits), amounts(l.Divided.Limits); level != divided {
				what = "quotas count limits of " + level + " instead of " + divided
			}
			s.WriteString("  with requirements at the pod level, " + what + "\n")
		}
	}
	if o.explain && r.settings != nil && (plan.Rejected != "" || pod.Status.QOSClass != corev1.PodQOSGuaranteed) {
		r.writeGuaranteed(s, environment)
	}
	s.WriteString("\n")
}

// rejection returns why a pod is rejected, or "". For a pod that Tekton creates, it is the message of the status of its TaskRun.
//
// Source: handlePodCreationError of Tekton's pkg/reconciler/taskrun.
func (r *run) rejection(plan *steps.PodPlan) string {
	err := plan.Effect.Decision.Err()
	switch {
	case err == nil || plan.Rejected != err.Error() || r.settings == nil:
		return plan.Rejected
	case strings.Contains(plan.Rejected, "exceeded quota"):
		return "TaskRun Pod exceeded available resources: " + plan.Rejected
	}
	return fmt.Sprintf("failed to create task run pod %q: %s. Maybe %s", r.Name, plan.Rejected, r.blamed)
}

// rangesAndQuotas returns the LimitRanges and quotas that judge a run. A pod that was created has its defaults already.
func (in *input) rangesAndQuotas(r *run, o *options) ([]*corev1.LimitRange, []*corev1.ResourceQuota, admit.Options) {
	ranges, quotas := inventory.In[*corev1.LimitRange](&in.List, r.Namespace), inventory.In[*corev1.ResourceQuota](&in.List, r.Namespace)
	if r.part != nil {
		quotas = r.part.scene.Free(quotas) // other tasks of the run may be over by then
	}
	if r.state != "" && r.settings == nil {
		ranges = nil
	}
	return ranges, quotas, admit.Options{Kubernetes: o.Kubernetes}
}

// writeAsItShould writes what would help a pod that is rejected, or that counts more than its task has: amounts that are
// divided as they are documented, and smaller defaults.
func (r *run) writeAsItShould(s *command.Session, plan *steps.PodPlan, spec *corev1.PodSpec, environment steps.Environment) {
	if r.settings == nil {
		return
	}
	should := steps.AdmittedPod(spec, r.settings, environment, steps.Options{})
	if should.Rejected != "" || plan.Rejected == "" && !countsLess(should.Effect.Requests, plan.Effect.Requests) {
		return
	}
	what := "it would count " + cmp.Or(amounts(should.Effect.Requests), "nothing")
	if plan.Rejected != "" {
		what = "it would be admitted, and count " + cmp.Or(amounts(should.Effect.Requests), "nothing")
	}
	labels := labelsOf(spec)
	stored, kept := map[string]string{}, map[string]bool{}
	key := func(c *computeresources.Change) string { return fmt.Sprint(c.Ref, c.List, c.Resource) }
	for _, c := range plan.Amounts {
		stored[key(&c)] = quantity.CanonicalOr(c.To, "-")
	}
	var rows [][]string
	var choose []string // a limit of zero would be none
	for _, c := range should.Amounts {
		kept[key(&c)] = true
		label, to := wording.Printable(labels[c.Ref]), quantity.CanonicalOr(c.To, "-")
		switch {
		case to == stored[key(&c)]:
		case c.To == nil || !c.To.IsZero():
			rows = append(rows, []string{"    " + label, wording.Printable(string(c.Resource)), c.List.String(), to})
		case !slices.Contains(choose, label):
			choose = append(choose, label)
		}
	}
	for _, c := range plan.Amounts {
		if !kept[key(&c)] {
			rows = append(rows, []string{"    " + wording.Printable(labels[c.Ref]), wording.Printable(string(c.Resource)), c.List.String(), "-"})
		}
	}
	if len(rows) > 0 {
		s.Hang("  ", "with these amounts, "+what+":")
		s.Aligned(rows, 2)
	}
	if len(choose) > 0 {
		s.Hang("  ", "choose amounts for "+strings.Join(choose, ", ")+": those that Tekton adds get them from "+
			pipelinerun.ContainerKey+" of its ConfigMap config-defaults")
	}
}

// countsLess reports whether an amount is smaller by more than what rounding takes.
func countsLess(a, b corev1.ResourceList) bool {
	for name, q := range b {
		if twice := resourcelist.Multiply(a, 2)[name]; q.Sign() > 0 && twice.Cmp(q) <= 0 {
			return true
		}
	}
	return false
}

// writeAmounts writes a row of each container, and the sums of the pod.
func writeAmounts(s *command.Session, plan *steps.PodPlan, pod *corev1.Pod) {
	opts := computeresources.Options{}
	all := resourcelist.Add(plan.Effect.Requests, plan.Effect.Limits)
	t := terminal.Table{Group: 2}
	titles, heads := t.Add(0, ""), t.Add(0, "")
	for _, name := range resourcelist.ResourceNames(all) {
		titles.Cells = append(titles.Cells, "", wording.Printable(string(name)))
		heads.Cells = append(heads.Cells, "request", "limit")
	}
	add := func(label string, requests, limits corev1.ResourceList) {
		row := t.Add(0, wording.Printable(label))
		for _, name := range resourcelist.ResourceNames(all) {
			for _, list := range []corev1.ResourceList{requests, limits} {
				cell := "-"
				if q, has := list[name]; has {
					cell = quantity.Canonical(q)
				}
				row.Cells = append(row.Cells, cell)
			}
		}
	}
	for ref, c := range computeresources.Containers(&pod.Spec) {
		add(describe(ref, c), c.Resources.Requests, c.Resources.Limits)
	}
	add("counted", plan.Effect.Requests, plan.Effect.Limits)
	add("at the peak", steps.PeakRequests(&pod.Spec, steps.TektonStep, opts),
		steps.PeakLimits(&pod.Spec, steps.TektonStep, opts))
	s.Table(&t)
}

func labelsOf(spec *corev1.PodSpec) map[computeresources.Ref]string {
	labels := map[computeresources.Ref]string{}
	for ref, c := range computeresources.Containers(spec) {
		labels[ref] = describe(ref, c)
	}
	return labels
}

// describe names a container as its author does.
func describe(ref computeresources.Ref, c *corev1.Container) string {
	if steps.TektonStep(ref, c) {
		return "step " + strings.TrimPrefix(c.Name, steps.TektonStepPrefix)
	}
	if name, ok := strings.CutPrefix(c.Name, steps.TektonSidecarPrefix); ok {
		return "sidecar " + name
	}
	return ref.String()
}

func (r *run) writeSources(s *command.Session, plan *steps.PodPlan, pod *corev1.Pod) {
	labels := labelsOf(&pod.Spec)
	var rows [][]string
	for i, a := range plan.Amounts {
		label, to := cmp.Or(labels[a.Ref], a.Ref.String()), quantity.CanonicalOr(a.To, "-")
		if i > 0 && a.Ref == plan.Amounts[i-1].Ref {
			label = ""
		}
		rows = append(rows, []string{"  " + wording.Printable(label), wording.Printable(string(a.Resource)), a.List.String(),
			to, wording.Printable(r.origin(&a))})
	}
	s.Aligned(rows, 2)
}

// origin says where an amount comes from, and what the task had.
func (r *run) origin(a *computeresources.Change) string {
	from := a.Source.String()
	switch {
	case a.Source != (computeresources.Source{}):
	case r.settings == nil:
		from = "the pod"
	default:
		from = "the task"
	}
	if a.Source.Field != "" {
		from += ", " + a.Source.Field
	}
	if a.From != nil && (a.To == nil || a.From.Cmp(*a.To) != 0) {
		from += ", not " + quantity.Canonical(*a.From)
	}
	return from
}

// writeGuaranteed writes what to set so that the pod is Guaranteed, or what contradicts that.
func (r *run) writeGuaranteed(s *command.Session, environment steps.Environment) {
	g, err := steps.Guaranteed(r.spec, r.settings, environment, steps.Options{})
	if err != nil {
		s.WriteString("  cannot be Guaranteed:\n")
		for line := range strings.Lines(err.Error()) {
			s.Hang("    ", wording.Printable(strings.TrimSpace(line)))
		}
		return
	}
	s.WriteString("  Guaranteed with the same requests and limits:\n")
	var rows [][]string
	add := func(where, name string, r corev1.ResourceRequirements) {
		set := amounts(resourcelist.Mask(r.Limits, []corev1.ResourceName{"cpu", "memory"}))
		if set != "" { // otherwise the run names what its task does not have
			rows = append(rows, []string{"    " + where, wording.Printable(name), set})
		}
	}
	for _, o := range g.Run.StepOverrides {
		add("stepSpecs", o.Name, o.Resources)
	}
	for _, o := range g.Run.SidecarOverrides {
		add("sidecarSpecs", o.Name, o.Resources)
	}
	for ref := range computeresources.Containers(&g.Pod.Effect.Decision.Object.(*corev1.Pod).Spec) {
		if r, ok := g.ContainerDefaults[ref.Name]; ok {
			add("config-defaults", ref.Name, r)
		}
	}
	s.Aligned(rows, 2)
}

// amounts returns "cpu 1, memory 1Gi", without a number of pods.
func amounts(list corev1.ResourceList) string {
	var words []string
	for _, name := range resourcelist.ResourceNames(list) {
		if name != corev1.ResourcePods {
			words = append(words, wording.Printable(string(name))+" "+quantity.Canonical(list[name]))
		}
	}
	return strings.Join(words, ", ")
}
