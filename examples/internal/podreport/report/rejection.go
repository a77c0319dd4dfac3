package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Verdict is what becomes of an object in its namespace.
type Verdict struct {
	// Rejection is set if the API server would reject the object, or what is created for it. All
	// else is then what it would be if the server did not.
	Rejection *Rejection `json:"rejection,omitempty"`
	// Quotas are those that limit the object, or what is created for it, by name, if any.
	Quotas []QuotaUse `json:"quotas,omitempty"`
	// Fit is how much of it they leave room for, if there are any.
	Fit *Fit `json:"fit,omitempty"`
}

// Rejection is what the API server would reject because of requests, limits and quotas.
type Rejection struct {
	// Stored says that the object itself is accepted, and that the pods and claims are
	// rejected that are created for it.
	Stored bool `json:"stored"`
	// Reasons are all that there are; the server may name only some of them at a time.
	Reasons []Reason `json:"reasons"`
}

// Reason is one thing that has to change. Its path is in the manifest.
type Reason struct {
	admit.Refusal
	// Subject is what is refused, in words: "claim data of replica 3 of 3".
	Subject string `json:"subject"`
	// Server is the message of the API server.
	Server string `json:"server"`

	Words string `json:"-"` // What, without the number of a replica
}

func ofQuota(r Reason) bool { return r.Failure != nil }

// reasons describes why a part of the replica of a number is refused.
func (a *application) reasons(p *part, d admit.Decision, number int64) (reasons []Reason) {
	for _, refusal := range d.Refusals {
		r := Reason{Refusal: refusal, Subject: a.subject(p, number), Server: refusal.Message()}
		if about, is := strings.CutPrefix(r.What, "claim: "); is {
			r.What = p.noun + ": " + about
		}
		r.Path, r.Words = p.prefix+r.Path, r.What
		if ofQuota(r) {
			r.What = r.Subject + ": " + r.What
			if number > 1 && number <= a.wanted {
				r.Remedy = fmt.Sprintf("run no more than %s, %s", wording.Count(number-1, a.unit), r.Remedy)
			}
		}
		reasons = append(reasons, r)
	}
	return reasons
}

// distinct removes reasons that are there already: what is invalid in a template is in its pods.
func distinct(reasons []Reason) (list []Reason) {
	for _, r := range reasons {
		if !slices.ContainsFunc(list, func(other Reason) bool { return other.Path == r.Path && other.What == r.What }) {
			list = append(list, r)
		}
	}
	return list
}
