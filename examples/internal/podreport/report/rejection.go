package report

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota"
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

// QuotaUse is the usage of a ResourceQuota, or of a quota of another Kind, which several namespaces share, for the resources
// that the object uses.
type QuotaUse struct {
	Kind string `json:"kind,omitempty"`
	Name string `json:"name"`
	// Used is the usage in the status of the quota, plus that of earlier objects in the input that
	// are admitted. Resources that are missing in the status are missing here.
	Used Amounts `json:"used,omitempty"`
	// Asked is what the object uses, with all of its replicas.
	Asked Amounts `json:"asked"`
	Hard  Amounts `json:"hard"`
	// Left is Hard minus Used and Asked. If it is negative, the object does not fit. Existing
	// objects are part of Used, and are not subtracted again.
	Left Amounts `json:"left,omitempty"`
	// Unknown is set if the status of the quota lacks limits, because the quota has just been
	// created or changed: it names the resources. Until the quota controller has updated the status,
	// the API server does not enforce these limits. If there is no status at all, an object is only
	// known to be rejected by the updated quota if it exceeds the quota on its own, or together with
	// earlier objects in the input. If the status lacks some limits, these reject nothing.
	Unknown string `json:"unknown,omitempty"`
}

// Title returns the name of the quota, after its kind if that is not ResourceQuota.
func (u QuotaUse) Title() string { return strings.TrimSpace(u.Kind + " " + u.Name) }

func (u QuotaUse) unknown() bool { return u.Unknown != "" }

// Fit is how many replicas fit into the quotas.
type Fit struct {
	// Unit is what is counted: replica, pod, claim or service.
	Unit string `json:"unit"`
	// Replicas is how many of them fit in addition to the usage. It is omitted if no quota
	// limits them.
	Replicas *int64 `json:"replicas,omitempty"`
	// Wanted is the desired number. If they exist, they are part of the usage; if only some of
	// them exist, Replicas includes these.
	Wanted int64 `json:"wanted"`
	Exist  bool  `json:"exist,omitempty"`
	// AtMost is set if fewer may fit, because a quota has no status.
	AtMost bool `json:"atMost,omitempty"`
	// Stops are the reasons why the next one is refused, if any.
	Stops []Reason `json:"stops,omitempty"`
}

// uses describes the quotas that concern an application, before it is added to their usage.
func (c *creation) uses(a *application) (uses []QuotaUse) {
	for _, q := range c.namespace.Quotas() {
		further := a.further()
		asked, unenforced := c.usageOf(q, slices.Concat(a.there, further)), c.unenforced(further, q)
		if len(asked)+len(unenforced) == 0 {
			continue
		}
		names := resourcelist.ResourceNames(asked)
		u := QuotaUse{Name: q.Name, Asked: Amounts(asked), Hard: Amounts(resourcelist.Mask(q.Status.Hard, names))}
		if inventory.IsShared(q) {
			u.Kind = q.Kind
		}
		if c.isUnknown(q) {
			source := computeresources.Source{Name: q.Name}
			failure := quota.Failure{Cause: quota.StatusUnknown, Source: source, Resources: names}
			u.Unknown = failure.Error()
		} else {
			used, left := resourcelist.Mask(q.Status.Used, names), resourcelist.Mask(quota.Remaining(q), names)
			left = resourcelist.Subtract(left, resourcelist.Mask(c.usageOf(q, further), resourcelist.ResourceNames(left)))
			u.Used, u.Left = Amounts(used), Amounts(left)
			if len(unenforced) > 0 {
				failure := quota.Failure{Cause: quota.StatusUnknown, Source: computeresources.Source{Name: q.Name}, Resources: unenforced}
				u.Unknown = failure.Error()
			}
		}
		uses = append(uses, u)
	}
	return uses
}

// unenforced returns the resources of a quota that its status does not have, and that limit any of the new objects, by name.
func (c *creation) unenforced(further []counted, q *corev1.ResourceQuota) (names []corev1.ResourceName) {
	for _, e := range further {
		object := c.namespace.QuotaObject(e.object, admit.Attributes{})
		for _, f := range quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Unenforced {
			names = append(names, f.Resources...)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// usageOf returns what objects use of a quota; empty if it does not count them.
func (c *creation) usageOf(q *corev1.ResourceQuota, objects []counted) (sum corev1.ResourceList) {
	for _, e := range objects {
		if usage, _ := c.namespace.QuotaObject(e.object, admit.Attributes{}).UsageIn(q); usage != nil {
			sum = resourcelist.Add(sum, resourcelist.Multiply(usage, e.n))
		}
	}
	return sum
}

// Words returns how many fit, and why the next does not.
func (f *Fit) Words() string {
	if f.Replicas == nil {
		return "any number"
	}
	words := fmt.Sprint(*f.Replicas)
	if f.AtMost {
		words = "at most " + words
	}
	if *f.Replicas < f.Wanted && !f.Exist {
		words += fmt.Sprintf(" of %d", f.Wanted)
	}
	var stops []string
	for i := range f.Stops {
		stops = append(stops, f.Stops[i].What)
	}
	if len(stops) > 0 {
		words += "; the next does not: " + strings.Join(stops, "; ")
	}
	return words
}
