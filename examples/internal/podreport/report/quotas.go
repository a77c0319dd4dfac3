package report

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// QuotaUse is how much of a ResourceQuota is used, of what the object may use of it.
type QuotaUse struct {
	Name string `json:"name"`
	// Used is what the status of the quota says, and what stands before in the files as
	// far as it is admitted. What the status does not say is not there.
	Used Amounts `json:"used,omitempty"`
	// Asked is what the object uses, with all of its replicas.
	Asked Amounts `json:"asked"`
	Hard  Amounts `json:"hard"`
	// Left is Hard less Used and Asked: below zero, it does not fit. What exists already
	// is part of Used, and not taken off again.
	Left Amounts `json:"left,omitempty"`
	// Unknown is set if the quota has no status, as one that has never been created. The
	// message is that of the API server. Only what exceeds the quota all by itself, or
	// with what stands before it in the files, is known to be rejected.
	Unknown string `json:"unknown,omitempty"`
}

func (u QuotaUse) unknown() bool { return u.Unknown != "" }

// Fit is how many replicas quotas leave room for.
type Fit struct {
	// Unit is what is counted: replica, pod, claim or service.
	Unit string `json:"unit"`
	// Replicas is how many of them fit, beside what is used. It is left out if no quota
	// stops them.
	Replicas *int64 `json:"replicas,omitempty"`
	// Wanted is how many there shall be. If they exist, they are part of what is used; if only some of
	// them do, Replicas counts these, too.
	Wanted int64 `json:"wanted"`
	Exist  bool  `json:"exist,omitempty"`
	// AtMost is set if quotas without a status may leave room for less.
	AtMost bool `json:"atMost,omitempty"`
	// Stops are why the next one is refused, if it is.
	Stops []Reason `json:"stops,omitempty"`
}

// uses describes the quotas that concern an application, before it is added to their usage.
func (c *creation) uses(a *application) (uses []QuotaUse) {
	for _, q := range c.namespace.Quotas() {
		asked := c.usage(a, q)
		if len(asked) == 0 {
			continue
		}
		names := resourcelist.ResourceNames(asked)
		u := QuotaUse{Name: q.Name, Asked: Amounts(asked), Hard: Amounts(resourcelist.Mask(q.Status.Hard, names))}
		if c.unknown[q.Name] {
			source := computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, Field: "status"}
			u.Unknown = quota.Failure{Cause: quota.StatusUnknown, Source: source, Resources: resourcelist.Difference(names, nil)}.String()
		} else {
			used, left := resourcelist.Mask(q.Status.Used, names), resourcelist.Mask(quotaplan.Remaining(q), names)
			left = resourcelist.Subtract(left, resourcelist.Mask(c.usageOfMore(a, q), resourcelist.ResourceNames(left)))
			u.Used, u.Left = Amounts(used), Amounts(left)
		}
		uses = append(uses, u)
	}
	return uses
}

// usage returns what an application uses of a quota with all of its replicas; nil if the quota
// does not count it.
func (c *creation) usage(a *application, q *corev1.ResourceQuota) corev1.ResourceList {
	there, more := c.usageOfExisting(a, q), c.usageOfMore(a, q)
	if there == nil {
		return more
	}
	return resourcelist.Add(there, more)
}

// usageOfExisting returns what is used by what exists of an application.
func (c *creation) usageOfExisting(a *application, q *corev1.ResourceQuota) (sum corev1.ResourceList) {
	for _, e := range a.there {
		sum = c.addUsage(sum, e.object, e.n, q)
	}
	return sum
}

// usageOfMore returns what is used by what is yet to be created of an application.
func (c *creation) usageOfMore(a *application, q *corev1.ResourceQuota) (sum corev1.ResourceList) {
	for _, p := range a.once {
		sum = c.addUsage(sum, p.stored, 1, q)
	}
	for _, p := range a.each {
		sum = c.addUsage(sum, p.stored, a.more, q)
	}
	return sum
}

func (c *creation) addUsage(sum corev1.ResourceList, object admit.APIObject, n int64, q *corev1.ResourceQuota) corev1.ResourceList {
	if usage, _ := c.namespace.QuotaObject(object, admit.Attributes{}).UsageIn(q); usage != nil {
		return resourcelist.Add(sum, resourcelist.Multiply(usage, n))
	}
	return sum
}

// Words says how many fit, and what stops the next.
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
		stops = append(stops, f.Stops[i].Words)
	}
	if len(stops) > 0 {
		words += "; the next does not: " + strings.Join(stops, "; ")
	}
	return words
}

// countedIn returns one of each kind of the objects in the namespaces that have quotas, as these count it.
func countedIn(applications []application, quotas map[string][]manifest.ResourceQuota) map[string][]quota.Object {
	var namespace *admit.Namespace // any
	counted, seen := map[string][]quota.Object{}, map[string]bool{}
	add := func(home string, object admit.APIObject) {
		kind := home + "/" + fmt.Sprintf("%T/%v", object, object.GetObjectKind().GroupVersionKind())
		if !seen[kind] {
			seen[kind] = true
			counted[home] = append(counted[home], namespace.QuotaObject(object, admit.Attributes{}))
		}
	}
	for i := range applications {
		a := &applications[i]
		if len(quotas[a.home]) == 0 {
			continue
		}
		for _, e := range a.there {
			add(a.home, e.object)
		}
		for _, p := range slices.Concat(a.once, a.each) {
			add(a.home, p.stored)
		}
	}
	return counted
}
