package interpodaffinity

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/labelselector"
)

// term is a PodAffinityTerm.
//
// Source: AffinityTerm of k8s.io/kube-scheduler/framework.
type term struct {
	namespaces        sets.Set[string]
	namespaceSelector labels.Selector
	selector          labels.Selector
	topologyKey       string
	weight            int32 // of a preferred term, negative for anti-affinity
}

// matches reports whether a term selects a pod with these labels in this namespace.
func (t *term) matches(namespace string, podLabels, namespaceLabels labels.Set) bool {
	return t.isAbout(namespace, namespaceLabels) && t.selector.Matches(podLabels)
}

// isAbout reports whether a term is about the pods of a namespace.
func (t *term) isAbout(namespace string, namespaceLabels labels.Set) bool {
	return t.namespaces.Has(namespace) || t.namespaceSelector.Matches(namespaceLabels)
}

// terms are the terms of a pod.
type terms struct {
	affinity, antiAffinity []term // required
	preferred              []term
}

// lists returns all terms.
func (t *terms) lists() [3][]term { return [3][]term{t.affinity, t.antiAffinity, t.preferred} }

// hasTerms reports whether a pod has terms. Most have none.
func hasTerms(a *corev1.Affinity) bool {
	with, without := podAffinities(a)
	return len(with.RequiredDuringSchedulingIgnoredDuringExecution) > 0 ||
		len(with.PreferredDuringSchedulingIgnoredDuringExecution) > 0 ||
		len(without.RequiredDuringSchedulingIgnoredDuringExecution) > 0 ||
		len(without.PreferredDuringSchedulingIgnoredDuringExecution) > 0
}

// podAffinities returns the pod affinity and anti-affinity, empty if they are not set.
func podAffinities(a *corev1.Affinity) (with, without corev1.PodAffinity) {
	if a != nil && a.PodAffinity != nil {
		with = *a.PodAffinity
	}
	if a != nil && a.PodAntiAffinity != nil {
		without = corev1.PodAffinity(*a.PodAntiAffinity)
	}
	return with, without
}

// termsOf returns the terms of a pod in a namespace. If a term of a list is invalid, the list is empty, and the error
// says why.
//
// Source: NewPodInfo of k8s.io/kubernetes/pkg/scheduler/framework.
func termsOf(namespace string, a *corev1.Affinity) (t terms, err error) {
	with, without := podAffinities(a)
	var errs []error
	check := func(list string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", list, err))
		}
	}
	t.affinity, err = requiredTerms(namespace, with.RequiredDuringSchedulingIgnoredDuringExecution)
	check("requiredAffinityTerms", err)
	t.antiAffinity, err = requiredTerms(namespace, without.RequiredDuringSchedulingIgnoredDuringExecution)
	check("requiredAntiAffinityTerms", err)
	attracting, err := preferredTerms(namespace, with.PreferredDuringSchedulingIgnoredDuringExecution, 1)
	check("preferredAffinityTerms", err)
	repelling, err := preferredTerms(namespace, without.PreferredDuringSchedulingIgnoredDuringExecution, -1)
	check("preferredAntiAffinityTerms", err)
	t.preferred = append(attracting, repelling...)
	return t, aggregate.Of(errs)
}

func requiredTerms(namespace string, list []corev1.PodAffinityTerm) (all []term, err error) {
	for i := range list {
		t, err := termOf(namespace, &list[i])
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func preferredTerms(namespace string, list []corev1.WeightedPodAffinityTerm, sign int32) (all []term, err error) {
	for i := range list {
		t, err := termOf(namespace, &list[i].PodAffinityTerm)
		if err != nil {
			return nil, err
		}
		t.weight = sign * list[i].Weight
		all = append(all, t)
	}
	return all, nil
}

// termOf returns a term. It is about the namespace of its pod if it names no others.
func termOf(namespace string, from *corev1.PodAffinityTerm) (t term, err error) {
	t = term{namespaces: sets.New(from.Namespaces...), topologyKey: from.TopologyKey}
	if len(from.Namespaces) == 0 && from.NamespaceSelector == nil {
		t.namespaces.Insert(namespace)
	}
	t.selector, err = labelselector.Of(from.LabelSelector)
	if err != nil {
		return t, err
	}
	t.namespaceSelector, err = labelselector.Of(from.NamespaceSelector)
	return t, err
}

// resolveNamespaces replaces the namespace selector by the names of the namespaces that it selects, unless it selects
// all, and with them those that are not known.
//
// Source: mergeAffinityTermNamespacesIfNotEmpty of the plugin.
func (t *term) resolveNamespaces(namespaces map[string]map[string]string) {
	if t.namespaceSelector.Empty() {
		return
	}
	for name, namespaceLabels := range namespaces {
		if t.namespaceSelector.Matches(labels.Set(namespaceLabels)) {
			t.namespaces.Insert(name)
		}
	}
	t.namespaceSelector = labels.Nothing()
}
