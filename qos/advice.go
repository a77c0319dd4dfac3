package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// Change is one step of the advice to make a pod Guaranteed: request and limit of a
// resource both become the same amount.
type Change struct {
	Ref      computeresources.Ref // the container, or the pod as a whole
	Resource corev1.ResourceName  // cpu or memory
	// To is the amount: the limit if there is one, so that the container keeps what
	// it may use, and otherwise the request. It is nil if neither is stated: any
	// amount above zero will do, and only the author knows which.
	To *resource.Quantity
	// Request and Limit are what Ref states now; absent ones are zero.
	Request, Limit resource.Quantity
}

// String returns the change as an instruction: "container app: raise the cpu request
// from 100m to the limit, 200m".
func (c Change) String() string {
	if c.To == nil {
		return fmt.Sprintf("%v: choose an amount of %s, for request and limit", c.Ref, c.Resource)
	}
	to := c.To.DeepCopy() // as String caches what it returns
	switch {
	case c.Limit.Sign() <= 0:
		return fmt.Sprintf("%v: set the %s limit to the request, %s", c.Ref, c.Resource, to.String())
	case c.Request.Sign() <= 0:
		return fmt.Sprintf("%v: set the %s request to the limit, %s", c.Ref, c.Resource, to.String())
	case c.Request.Cmp(c.Limit) > 0:
		return fmt.Sprintf("%v: lower the %s request from %s to the limit, %s", c.Ref, c.Resource, c.Request.String(), to.String())
	default:
		return fmt.Sprintf("%v: raise the %s request from %s to the limit, %s", c.Ref, c.Resource, c.Request.String(), to.String())
	}
}

// GuaranteedChanges returns what has to change to make a pod Guaranteed: nothing if it
// is already, and otherwise one Change for each container and resource whose request
// and limit are not the same amount above zero, in the order of
// computeresources.Containers, cpu before memory. A resource whose requests and limits
// add up to the same over all containers is left alone. If the pod states resources as a
// whole, only those have to change. Doing all of it makes the pod Guaranteed. A pod
// without containers, or a nil spec, cannot be; there is nothing to advise.
func GuaranteedChanges(spec *corev1.PodSpec) []Change {
	if Class(spec) == corev1.PodQOSGuaranteed {
		return nil
	}
	var advice []Change
	for o := range obstacles(spec) {
		change := Change{Ref: o.ref, Resource: o.name, Request: o.request.DeepCopy(), Limit: o.limit.DeepCopy()}
		switch {
		case o.limit.Sign() > 0:
			to := o.limit.DeepCopy()
			change.To = &to
		case o.request.Sign() > 0:
			to := o.request.DeepCopy()
			change.To = &to
		}
		advice = append(advice, change)
	}
	return advice
}
