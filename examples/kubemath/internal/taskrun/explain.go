package taskrun

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// The name and the key of Tekton's configuration of containers.
const (
	configMap = "config-defaults"
	configKey = "default-container-resource-requirements"
)

// addConfigMap adds the requirements of containers by name, if a ConfigMap is Tekton's.
func (in *input) addConfigMap(m *manifest) {
	text := m.child("data").child(configKey)
	if m.name != configMap || text.missing() {
		in.failAll(m.Place, objects.Skipped, []fault{{text: "not the ConfigMap " + configMap + " with " + configKey}})
		return
	}
	raw, err := yaml.ToJSON([]byte(text.text()))
	var tree objects.Tree
	if err == nil {
		err = tree.UnmarshalJSON(raw)
	}
	if err != nil {
		text.fault("%v", err)
		return
	}
	if tree.Value == nil && string(raw) != "null" {
		text.fault("want a mapping, not %s", raw)
	}
	all := node{tree.Value, text.path, m.faults}
	defaults := map[string]corev1.ResourceRequirements{}
	for key := range all.mapping() {
		defaults[key] = all.child(key).requirements()
	}
	if m.readable() {
		in.replaces("ConfigMap", m)
		in.defaults = defaults
	}
}

// explanation is the pod that Tekton makes of a run, and how it would be Guaranteed.
type explanation struct {
	pod        steps.PodPlan
	guaranteed steps.GuaranteedPlan
	conflict   error // why it cannot be
}

// explain returns the explanation of a run.
func (in *input) explain(n *namespace, run *taskRun, inits []string) (e explanation) {
	states := run.says()
	states.APIVersion = run.apiVersion
	environment := steps.Environment{ContainerDefaults: in.defaults, LimitRanges: n.ranges, ResourceQuotas: n.quotas}
	runs := []steps.TaskRun{states}
	if run.pod != nil {
		runs, environment.ContainerDefaults = nil, nil
	}
	spec := run.spec(inits)
	// All LimitRanges and quotas are valid.
	e.pod, _ = steps.WholePod(spec, runs, environment, steps.TektonOptions())
	e.guaranteed, e.conflict = steps.Guaranteed(spec, runs, environment, steps.Options{})
	return e
}

// writeExplanations writes the pods of all runs, by namespace.
func writeExplanations(b *strings.Builder, in *input, namespaces []*namespace, inits []string) {
	written := false
	for _, n := range namespaces {
		if len(n.runs) == 0 {
			continue
		}
		fmt.Fprintf(b, "Namespace %s\n\n", printable(n.name))
		for i := range n.runs {
			c := &n.runs[i]
			fmt.Fprintf(b, "%s\n  from %s\n\n", printable(c.title), printable(c.Place.Source().String()))
			e := in.explain(n, c.taskRun, inits)
			e.write(b, c)
			b.WriteString("\n")
			written = true
		}
	}
	if !written {
		b.WriteString("no runs\n")
	}
}

func (e *explanation) write(b *strings.Builder, c *comparison) {
	parts := map[computeresources.Ref]string{}
	stored := &e.pod.Effect.Decision.Object.(*corev1.Pod).Spec
	for ref, container := range computeresources.Containers(stored) {
		parts[ref] = describePart(ref, container)
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for i, a := range e.pod.Amounts {
		label, to := cmp.Or(parts[a.Ref], a.Ref.String()), "-"
		if i > 0 && a.Ref == e.pod.Amounts[i-1].Ref {
			label = ""
		}
		if a.To != nil {
			to = canonical(*a.To)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", printable(label), printable(string(a.Resource)), a.List, to, printable(comesFrom(a, c)))
	}
	t.Flush()
	if len(e.pod.Amounts) == 0 {
		b.WriteString("  no container sets an amount, and there are no defaults\n")
	}
	e.writeVerdict(b, c)
}

// comesFrom says where an amount comes from, and what the task had.
func comesFrom(a computeresources.Change, c *comparison) string {
	from := a.Source.String()
	switch {
	case a.Source != (computeresources.Source{}):
	case c.pod != nil:
		from = "the pod"
	default:
		from = "the task"
	}
	if a.Source.Field != "" && !strings.Contains(from, a.Source.Field) {
		from += ", " + a.Source.Field
	}
	if a.From != nil && (a.To == nil || a.From.Cmp(*a.To) != 0) {
		from += ", not " + canonical(*a.From)
	}
	return from
}

func (e *explanation) writeVerdict(b *strings.Builder, c *comparison) {
	class := e.pod.Effect.Decision.Object.(*corev1.Pod).Status.QOSClass
	switch {
	case len(c.rejected) > 0: // with the names of the version
		fmt.Fprintf(b, "  rejected by Tekton: %s\n", printable(c.rejected[0].Error()))
		return
	case e.pod.Rejected != nil:
		fmt.Fprintf(b, "  rejected: %s\n", printable(e.pod.Rejected.Error()))
	default:
		fmt.Fprintf(b, "  admitted, %s\n", class)
	}
	if l := e.pod.PodLevel; l != nil {
		fmt.Fprintf(b, "  with requirements at the pod level, quotas count limits of %s instead of %s\n", inWords(l.PodLevel.Limits, nil)[len("requests "):], inWords(l.Divided.Limits, nil)[len("requests "):])
	}
	switch {
	case e.pod.Rejected == nil && class == corev1.PodQOSGuaranteed, c.pod != nil:
	case e.conflict != nil:
		b.WriteString("  cannot be Guaranteed:\n")
		for line := range strings.Lines(e.conflict.Error()) {
			fmt.Fprintf(b, "    %s\n", printable(strings.TrimSuffix(line, "\n")))
		}
	default:
		e.writeGuaranteed(b)
	}
}

// writeGuaranteed writes what has to be set.
func (e *explanation) writeGuaranteed(b *strings.Builder) {
	b.WriteString("  Guaranteed with the same requests and limits:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	write := func(where, name string, r corev1.ResourceRequirements) {
		fmt.Fprintf(t, "    %s\t%s\t%s\n", where, printable(name), inWords(limitsOfClass(r), nil)[len("requests "):])
	}
	for _, o := range e.guaranteed.Run.StepOverrides {
		write("stepSpecs", o.Name, o.Resources)
	}
	for _, o := range e.guaranteed.Run.SidecarOverrides {
		write("sidecarSpecs", o.Name, o.Resources)
	}
	for ref := range computeresources.Containers(&e.guaranteed.Pod.Effect.Decision.Object.(*corev1.Pod).Spec) {
		if r, ok := e.guaranteed.ContainerDefaults[ref.Name]; ok {
			write(configMap, ref.Name, r)
		}
	}
	t.Flush()
}

// limitsOfClass returns the limits that decide the class.
func limitsOfClass(r corev1.ResourceRequirements) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: r.Limits[corev1.ResourceCPU], corev1.ResourceMemory: r.Limits[corev1.ResourceMemory]}
}
