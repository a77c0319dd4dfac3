package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// writeVerdicts says what becomes of each result; of those that are told the same, once.
func writeVerdicts(b *strings.Builder, c *comparison) {
	var texts []string
	names := map[string][]string{}
	for i := range c.results {
		text := c.results[i].verdict(c.objectName)
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

// verdict says what becomes of a result, in lines.
func (r *result) verdict(name objectName) string {
	var b strings.Builder
	switch {
	case !r.admission.Admitted():
		b.WriteString("rejected by the API server\n")
	case len(r.failures) > 0:
		b.WriteString("rejected for its quota\n")
	default:
		fmt.Fprintf(&b, "admitted, %s\n", qos.Class(r.admission.Spec, qos.Options{}))
	}
	for _, u := range r.conflicts {
		fmt.Fprintf(&b, "    - cannot be met: %s\n", printable(u.String()))
	}
	for _, p := range r.admission.Problems() {
		fmt.Fprintf(&b, "    - %s\n", printable(p.String()))
		server := ""
		switch {
		case p.Invalid != nil:
			server = p.Invalid.Error()
		case p.Violation != nil:
			server = p.Violation.Error()
		}
		if server != p.String() {
			fmt.Fprintf(&b, "      server: %s\n", printable(server))
		}
	}
	for _, f := range r.failures {
		fmt.Fprintf(&b, "    - server: %s\n", printable(f.Error()))
		r.writeGap(&b, f, name)
	}
	return b.String()
}

// writeGap sets what a quota charges beside what the pod uses at its peak.
func (r *result) writeGap(b *strings.Builder, f quota.Failure, name objectName) {
	if f.Cause != quota.ExceededQuota {
		return
	}
	usage := quotaplan.Sequential(r.pod(name), steps.TektonStep, quota.PodOptions{})
	for _, resource := range f.Resources {
		charged, peak := usage.Counted[resource], usage.Peak[resource]
		what := "which would not fit, either"
		if quota.Fits(corev1.ResourceList{resource: peak}, f.Used, f.Limited) {
			what = "which would fit"
		}
		fmt.Fprintf(b, "      %s: %s is charged, %s is used at the peak, %s: the gap is %s\n",
			printable(string(resource)), canonical(charged), canonical(peak), what, canonical(minus(charged, peak)))
	}
}
