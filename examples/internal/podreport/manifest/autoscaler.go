package manifest

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Autoscaler is the HorizontalPodAutoscaler of a workload.
type Autoscaler struct {
	objects.Place
	Name     string
	Min, Max int64
}

type autoscaler struct {
	Autoscaler
	target owner
}

// addAutoscaler adds a HorizontalPodAutoscaler. The API server defaults the minimum to 1.
func (in *Input) addAutoscaler(at objects.Place, read *objects.Object, meta *metav1.ObjectMeta, kind, name string, least *int32, most int32) {
	a := autoscaler{Autoscaler{at, nameOf(meta), orOne(least), int64(most)}, owner{kind, in.orHome(meta.Namespace), name}}
	var faults []objects.Fault
	if a.Min < 0 {
		faults = append(faults, objects.Fault{Field: "spec.minReplicas", Text: fmt.Sprintf("%d is negative", a.Min)})
	}
	if a.Max < max(1, a.Min) {
		faults = append(faults, objects.Fault{Field: "spec.maxReplicas", Text: fmt.Sprintf("%d is less than minReplicas, or than 1", a.Max)})
	}
	if len(faults) > 0 {
		in.failAll(at, objects.Invalid, faults)
		return
	}
	in.Others = in.addPodless(in.Others, at, Object{Kind: read.Kind, Unit: "autoscaler", Scale: fmt.Sprintf("%d to %s of %s %s", a.Min, wording.Count(a.Max, "replica"), kind, name), Object: read.Typed.(admit.APIObject)}, meta)
	in.autoscalers = append(in.autoscalers, a)
}

// scale sets the autoscalers of workloads.
func (in *Input) scale() {
	for _, a := range in.autoscalers {
		i := slices.IndexFunc(in.Workloads, func(w Workload) bool { return owner{w.Kind, w.Home, w.Name} == a.target })
		if i < 0 {
			in.skip(a.Place, fmt.Sprintf("it scales %s %s, which is not in the input", a.target.kind, wording.Qualified(a.target.namespace, a.target.name)))
			continue
		}
		in.Workloads[i].Scaled = &a.Autoscaler
	}
	in.autoscalers = nil
}
