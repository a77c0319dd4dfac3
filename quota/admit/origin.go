package admit

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// origin is where a request or limit comes from, if it is a default.
type origin struct {
	source       *computeresources.Source // the LimitRange that it is a default of
	followsLimit bool                     // the API server has taken it from the limit
}

// origins are those of the request and of the limit of one container and resource.
type origins struct{ request, limit origin }

// originsOf returns where a request and a limit come from of which LimitRanges have set these.
func originsOf(defaults []computeresources.Change) (from origins) {
	for i := range defaults {
		if d := &defaults[i]; d.List == computeresources.Limits {
			from.limit.source = &d.Source
		} else {
			from.request.source = &d.Source
		}
	}
	return from
}

// subject returns an amount at the head of a sentence: "request cpu 2", or "the default
// limit cpu 1 from LimitRange team-defaults".
func (o origin) subject(list string, name corev1.ResourceName, q *resource.Quantity) string {
	amount := fmt.Sprintf("%s %s %s", list, name, quantity.Text(q))
	switch {
	case o.source != nil:
		return fmt.Sprintf("the default %s from %v", amount, *o.source)
	case o.followsLimit:
		return amount + ", which follows the limit,"
	}
	return amount
}

// object returns an amount that another one is compared with: "its limit 1", or "the
// default limit 1 from LimitRange team-defaults".
func (o origin) object(list string, q *resource.Quantity) string {
	if o.source != nil {
		return fmt.Sprintf("the default %s %s from %v", list, quantity.Text(q), *o.source)
	}
	return fmt.Sprintf("its %s %s", list, quantity.Text(q))
}

// change returns what to do about an amount: raise or lower it, or set one instead of the
// default.
func (o origin) change(verb, list string) string {
	switch {
	case o.source != nil:
		return "set a " + list
	case o.followsLimit:
		return verb + " the limit"
	}
	return verb + " the " + list
}

// wordsOfMismatch returns how a request contradicts its limit, and what to do.
func wordsOfMismatch(i *computeresources.InvalidResource, from origins) (what, remedy string) {
	request, relation := *i.Amount, "is above" // a copy, since Cmp may convert its receiver
	if request.Cmp(*i.Against) < 0 {
		relation = "is below"
	}
	what = fmt.Sprintf("%v: %s %s %s", i.Ref, from.request.subject("request", i.Resource, i.Amount), relation,
		from.limit.object("limit", i.Against))
	switch {
	case !resourcename.IsOvercommitAllowed(i.Resource):
		return what, "set both to the same amount"
	case from.request.source != nil && from.limit.source != nil:
		return what, "set both"
	case from.limit.source != nil:
		return what, "set a limit or lower the request"
	case from.request.source != nil:
		return what, "set a request or raise the limit"
	}
	return what, "raise the limit or lower the request"
}
