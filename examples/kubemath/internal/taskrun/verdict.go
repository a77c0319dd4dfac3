package taskrun

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// writeVerdicts writes the verdict on each result, and equal verdicts only once.
func writeVerdicts(b *strings.Builder, c *comparison) {
	var texts []string
	names := map[string][]string{}
	for i := range c.results {
		text := c.results[i].verdict()
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], ways[i].name)
	}
	for _, text := range texts {
		of := strings.Join(names[text], "; ")
		if len(texts) == 1 {
			of = "all"
		}
		fmt.Fprintf(b, "  %s: %s", of, text)
	}
}

// verdict returns the lines about whether a result is admitted, and why not.
func (r *result) verdict() string {
	var b strings.Builder
	ofQuota := func(p *admit.Refusal) bool { return p.Failure != nil }
	switch refusals := r.decision.Refusals; {
	case r.decision.Admitted():
		fmt.Fprintf(&b, "admitted, %s\n", r.pod.Status.QOSClass)
	case ofQuota(refusals[0]): // which come last
		b.WriteString("rejected by a quota\n")
	default:
		b.WriteString("rejected by the API server\n")
	}
	for _, u := range r.conflicts {
		fmt.Fprintf(&b, "    - cannot be met: %s\n", printable(u.Error()))
	}
	for _, p := range r.decision.Refusals {
		fmt.Fprintf(&b, "    - %s\n      server: %s\n", printable(p.Error()), printable(p.Message()))
		if ofQuota(p) {
			r.writeGap(&b, p.Failure)
		}
	}
	return b.String()
}

// writeGap compares what a quota charges with what the pod uses at the peak.
func (r *result) writeGap(b *strings.Builder, f *quota.Failure) {
	if f.Cause != quota.ExceededQuota {
		return
	}
	all := quota.Pod(&corev1.Pod{Spec: r.pod.Spec}, time.Time{}, quota.PodOptions{}).Usage()
	atPeak := quota.Pod(&corev1.Pod{Spec: peakOf(r.pod.Spec)}, time.Time{}, quota.PodOptions{}).Usage()
	for _, resource := range f.Resources {
		charged, peak := all[resource], atPeak[resource]
		what := "which would not fit either"
		if quota.WithinHard(corev1.ResourceList{resource: peak}, f.Used, f.Limited) {
			what = "which would fit"
		}
		fmt.Fprintf(b, "      %s: %s is charged, %s is used at the peak, %s: the gap is %s\n",
			printable(string(resource)), canonical(charged), canonical(peak), what, canonical(minus(charged, peak)))
	}
}

// peakOf returns a spec with one container in place of the steps, which has the largest of their
// amounts.
func peakOf(spec corev1.PodSpec) corev1.PodSpec {
	var containers []corev1.Container
	var step corev1.Container
	for i, c := range spec.Containers {
		if !steps.TektonStep(computeresources.Ref{Kind: computeresources.App, Index: i, Name: c.Name}, &c) {
			containers = append(containers, c)
			continue
		}
		step.Resources.Requests = resourcelist.Max(step.Resources.Requests, c.Resources.Requests)
		step.Resources.Limits = resourcelist.Max(step.Resources.Limits, c.Resources.Limits)
	}
	spec.Containers = append(containers, step)
	return spec
}
