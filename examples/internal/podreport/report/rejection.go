package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Verdict is the result of creating an object in its namespace.
type Verdict struct {
	// Rejection is set if the API server would reject the object, or objects that are created for
	// it. All other fields are then as if it were accepted.
	Rejection *Rejection `json:"rejection,omitempty"`
	// Quotas are the quotas that limit the object, or objects that are created for it, by name, if any.
	Quotas []QuotaUse `json:"quotas,omitempty"`
	// Fit is how much of it fits into the quotas, if there are any.
	Fit *Fit `json:"fit,omitempty"`
}

// Rejection is why the API server would reject an object, as far as requests, limits and quotas
// decide it.
type Rejection struct {
	// Stored is set if the object itself is accepted, but pods or claims that are created for it
	// are rejected.
	Stored bool `json:"stored"`
	// Blocked is why pods of a workload of a cluster are missing now, in the words of its controller or of the API server,
	// if so.
	Blocked string `json:"blocked,omitempty"`
	// Reasons are all reasons; the server may report only some of them at a time.
	Reasons []Reason `json:"reasons"`
}

// Reason is one problem that has to be solved. Its path is in the manifest.
type Reason struct {
	admit.Refusal
	// Subject names the refused object, such as "claim data of replica 3 of 3".
	Subject string `json:"subject"`
	// Server is the message of the API server.
	Server string `json:"server"`
}

func ofQuota(r Reason) bool { return r.Failure != nil }

// reasons describes why a part of a replica is refused.
func (a *application) reasons(p *part, d admit.Decision, number int64) (reasons []Reason) {
	for _, refusal := range d.Refusals {
		r := Reason{Refusal: *refusal, Subject: a.subject(p, number), Server: refusal.Message()}
		if about, is := strings.CutPrefix(r.What, "claim: "); is {
			r.What = p.noun + ": " + about
		}
		r.Path = p.prefix + r.Path
		if ofQuota(r) {
			r.What = r.Subject + ": " + r.What
			switch {
			case a.workload != nil && a.workload.Surge:
				r.Remedy = "let the rollout delete a pod first (maxUnavailable: 1), " + r.Remedy
			case number > 1 && number <= a.wanted:
				r.Remedy = fmt.Sprintf("run no more than %s, %s", wording.Count(number-1, a.unit), r.Remedy)
			}
		}
		reasons = append(reasons, r)
	}
	return reasons
}

// distinct removes repeated reasons: what is invalid in a template is invalid in its pods.
func distinct(reasons []Reason) (list []Reason) {
	for _, r := range reasons {
		if !slices.ContainsFunc(list, func(other Reason) bool { return other.Path == r.Path && other.What == r.What }) {
			list = append(list, r)
		}
	}
	return list
}
