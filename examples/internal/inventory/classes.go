package inventory

import (
	"strings"

	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// Admission returns the options of admission with the classes among objects. This is the rule for when they are all of a kind,
// so that naming another one is an error: if kubectl was asked for them, or if one of them is of a cluster, because the input is
// a dump then. That is one with a UID, or a PriorityClass of the system. Manifests define classes, but there may be others. Of a
// cluster that is given as such (diff -on, nodes), package whatif takes all kinds that are there for complete.
func Admission(objects []admit.APIObject, asked bool) (o admit.Options) {
	o.PriorityClasses = classes[*schedulingv1.PriorityClass](&o, objects, asked, "PriorityClass")
	o.RuntimeClasses = classes[*nodev1.RuntimeClass](&o, objects, asked, "RuntimeClass")
	o.StorageClasses = classes[*storagev1.StorageClass](&o, objects, asked, "StorageClass")
	return o
}

func classes[C admit.APIObject](o *admit.Options, objects []admit.APIObject, asked bool, kind string) (all []C) {
	if asked {
		all = []C{}
	}
	for _, object := range objects {
		if class, is := object.(C); is {
			all = append(all, class)
			asked = asked || class.GetUID() != "" || kind == "PriorityClass" && strings.HasPrefix(class.GetName(), "system-")
		}
	}
	if !asked {
		o.Incomplete = append(o.Incomplete, kind)
	}
	return all
}
