package interpodaffinity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Options are the arguments of the plugin. The zero value is the default.
//
// Source: InterPodAffinityArgs of k8s.io/kube-scheduler/config/v1.
type Options struct {
	HardPodAffinityWeight              *int32 // of the required affinity of pods on nodes, 1 if it is nil
	IgnorePreferredTermsOfExistingPods bool   // if the pod has no preferred terms itself
}

// Incoming is a pod that has no node yet.
type Incoming struct {
	namespace       string
	labels          labels.Set
	namespaceLabels labels.Set
	terms
	invalid       string // the message about invalid terms
	selectsItself bool   // by all terms of its affinity
	hardWeight    int32
	isScored      bool
}

// Of returns what a pod asks for. Namespaces are the labels of all namespaces by name; a namespace that is not among
// them has none, and no namespace selector of the pod selects it unless it is empty.
func Of(pod *corev1.Pod, namespaces map[string]map[string]string, o Options) *Incoming {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	in := &Incoming{
		namespace: pod.Namespace, labels: pod.Labels, namespaceLabels: namespaces[pod.Namespace], hardWeight: 1,
	}
	if o.HardPodAffinityWeight != nil {
		in.hardWeight = *o.HardPodAffinityWeight
	}
	t, err := termsOf(pod.Namespace, pod.Spec.Affinity)
	if err != nil {
		in.invalid = "parsing pod: " + err.Error()
		return in
	}
	for _, list := range t.lists() {
		for i := range list {
			list[i].resolveNamespaces(namespaces)
		}
	}
	in.terms = t
	in.selectsItself = in.selects(pod)
	in.isScored = len(t.preferred) > 0 || !o.IgnorePreferredTermsOfExistingPods
	return in
}

// NeedsOthers reports whether the pod has to be near pods that its required affinity selects.
func (in *Incoming) NeedsOthers() bool { return len(in.affinity) > 0 }

// selects reports whether there is required affinity, and all of its terms select a pod.
func (in *Incoming) selects(pod *corev1.Pod) bool {
	for i := range in.affinity {
		if !in.affinity[i].matches(pod.Namespace, pod.Labels, nil) {
			return false
		}
	}
	return len(in.affinity) > 0
}

// isAbout reports whether a term of the pod is about the pods of a namespace.
func (in *Incoming) isAbout(namespace string) bool {
	for _, list := range in.lists() {
		if slices.ContainsFunc(list, func(t term) bool { return t.isAbout(namespace, nil) }) {
			return true
		}
	}
	return false
}

// isAboutPods reports whether a term of the pod selects the pods of a namespace with these labels.
func (in *Incoming) isAboutPods(namespace string, labels map[string]string) bool {
	for _, list := range in.lists() {
		if slices.ContainsFunc(list, func(t term) bool { return t.matches(namespace, labels, nil) }) {
			return true
		}
	}
	return false
}

// isSelectedBy reports whether a term of a pod on a node selects the pod.
func (in *Incoming) isSelectedBy(t *term) bool {
	return t.matches(in.namespace, in.labels, in.namespaceLabels)
}

// Invalid returns the message of the scheduler about invalid terms, which comes before all filters; it is empty if all
// terms are valid. The API server accepts invalid values of labels in a selector.
func (in *Incoming) Invalid() string { return in.invalid }
