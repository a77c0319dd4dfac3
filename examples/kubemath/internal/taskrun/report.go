package taskrun

import (
	"fmt"
	"strings"
	"text/tabwriter"

	corev1 "k8s.io/api/core/v1"
)

// writeReport writes all comparisons, by namespace, and the legend.
func writeReport(b *strings.Builder, namespaces []*namespace) {
	compared := false
	for _, n := range namespaces {
		if len(n.runs) == 0 {
			continue
		}
		fmt.Fprintf(b, "Namespace %s\n\n", printable(n.name))
		writeBounds(b, n)
		writeQuotas(b, n)
		for i := range n.runs {
			writeRun(b, &n.runs[i])
			compared = true
		}
	}
	if !compared {
		b.WriteString("no runs\n")
		return
	}
	b.WriteString(legend)
}

const legend = `as written       what the task and the step template set, with the overrides of the run.
Fill, truncated  what Tekton does: the requirements of the task and the default request are divided
                 among the steps, and the remainder is lost. Amounts that are set are not changed.
                 (GPUs and huge pages stay whole numbers here. Tekton makes fractions of them.)
Fill, exact      the same, but the parts add up exactly, and no request is set above a limit.
Fit              the same, and amounts that are set are moved into the bounds of the LimitRanges.
*                is not set: the API server sets the request to the limit.
^                is not set: the LimitRanger sets the default, from one LimitRange after another.
-                is not set.
charged          is the sum of the pod for the scheduler and for quotas.
at the peak      is what can be used at the same time, since steps run one after another. It is
                 unbounded if a container has no limit.
gap              is what is charged, but never used at the same time.
spec.resources   are the requirements of the task as pod-level resources. Then quotas count them
                 instead of the sum of the steps.
`

// writeBounds shows the aggregate of the LimitRanges of a namespace.
func writeBounds(b *strings.Builder, n *namespace) {
	if len(n.ranges) == 0 {
		return
	}
	var names []string
	for _, lr := range n.ranges {
		names = append(names, lr.Name)
	}
	fmt.Fprintf(b, "  LimitRange %s:\n", strings.Join(names, " and "))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, v := range n.aggregate.Values() {
		v, _ = n.aggregate.Value(v.Type, v.Resource, v.Bound) // it is there
		fmt.Fprintf(t, "    %s\t%s\t%s\t%s\tof %s\n", printable(string(v.Type)), printable(string(v.Resource)), v.Bound, canonical(v.Amount), v.Source.Name)
	}
	t.Flush()
	for _, c := range n.aggregate.Conflicts() {
		fmt.Fprintf(b, "    conflict: %s\n", printable(c.Error()))
	}
	b.WriteString("\n")
}

func writeQuotas(b *strings.Builder, n *namespace) {
	for _, q := range n.quotas {
		fmt.Fprintf(b, "  ResourceQuota %s:\n", printable(q.Name))
		t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		for _, name := range namesOf(q.Status.Hard) {
			fmt.Fprintf(t, "    %s\t%s\tof which %s is used\n", printable(string(name)), canonical(q.Status.Hard[name]), canonical(q.Status.Used[name]))
		}
		t.Flush()
		b.WriteString("\n")
	}
}

func writeRun(b *strings.Builder, c *comparison) {
	fmt.Fprintf(b, "%s\n  from %s\n", printable(c.title), printable(c.Place.Source().String()))
	writeStatements(b, c.taskRun)
	b.WriteString("\n")
	if len(c.rejected) > 0 {
		b.WriteString("  rejected by Tekton\n")
		for _, err := range c.rejected {
			fmt.Fprintf(b, "    - %s\n", printable(err.Error()))
		}
	} else {
		writeGrids(b, c)
		writeVerdicts(b, c)
		writePodLevel(b, c.podLevel)
	}
	b.WriteString("\n")
}

// writeStatements shows the amounts that are not set on a container.
func writeStatements(b *strings.Builder, run *taskRun) {
	write := func(what string, requests, limits corev1.ResourceList) {
		if len(requests)+len(limits) > 0 {
			fmt.Fprintf(b, "  %s: %s\n", printable(strings.TrimSpace(what)), printable(inWords(requests, limits)))
		}
	}
	if run.pod != nil {
		if whole := run.pod.Resources; whole != nil {
			write("pod level", whole.Requests, whole.Limits)
		}
		write("overhead", run.pod.Overhead, nil)
	}
	says := run.says()
	if task := says.ComputeResources; task != nil {
		write("task level", task.Requests, task.Limits)
	}
	write("step template", says.Template.Requests, says.Template.Limits)
	for _, o := range says.StepOverrides {
		write("the run, step "+o.Name, o.Resources.Requests, o.Resources.Limits)
	}
	for _, o := range says.SidecarOverrides {
		write("the run, sidecar "+o.Name, o.Resources.Requests, o.Resources.Limits)
	}
}

// inWords returns "requests cpu 1, memory 1Gi; limits cpu 2", or one part of that.
func inWords(requests, limits corev1.ResourceList) string {
	var parts []string
	for i, list := range [...]corev1.ResourceList{requests, limits} {
		var amounts []string
		for _, name := range namesOf(list) {
			amounts = append(amounts, string(name)+" "+canonical(list[name]))
		}
		if len(amounts) > 0 {
			parts = append(parts, [...]string{"requests ", "limits "}[i]+strings.Join(amounts, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
