package interpodaffinity_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
)

// cluster is a small cluster that is written by hand.
type cluster struct {
	nodes      []*corev1.Node
	pods       []*corev1.Pod
	namespaces map[string]map[string]string
}

func (c *cluster) podsOn(i int) (pods []*corev1.Pod) {
	for _, p := range c.pods {
		if c.nodes[i] != nil && p.Spec.NodeName == c.nodes[i].Name {
			pods = append(pods, p)
		}
	}
	return pods
}

func (c *cluster) state(incoming *corev1.Pod, o interpodaffinity.Options) *interpodaffinity.State {
	return interpodaffinity.Of(incoming, c.namespaces, o).On(interpodaffinity.NewIndex(c.nodes, c.podsOn))
}

// reasons returns the reason of each node in one word.
func (c *cluster) reasons(s *interpodaffinity.State) (all []string) {
	short := map[string]string{
		"": "", "node(s) didn't match pod affinity rules": "affinity",
		"node(s) didn't match pod anti-affinity rules":             "anti-affinity",
		"node(s) didn't satisfy existing pods anti-affinity rules": "existing",
	}
	for i := range c.nodes {
		reason, _ := s.Refusal(i)
		all = append(all, short[reason])
	}
	return all
}

// scores returns the scores of all nodes, nil if the plugin is skipped.
func (c *cluster) scores(s *interpodaffinity.State) []int64 {
	var feasible []int
	for i := range c.nodes {
		feasible = append(feasible, i)
	}
	scores := slices.Repeat([]int64{-7}, len(feasible))
	if s.Scores(feasible, scores) {
		return nil
	}
	return scores
}

var web, db = map[string]string{"app": "web"}, map[string]string{"app": "db"}

func node(name string, labels map[string]string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

// zoned returns a node with the labels of a host and a zone.
func zoned(name, zone string) *corev1.Node {
	return node(name, map[string]string{"host": name, "zone": zone})
}

// pod returns a pod of namespace shop.
func pod(labels map[string]string, options ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Labels: labels}}
	p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{}, PodAntiAffinity: &corev1.PodAntiAffinity{}}
	for _, option := range options {
		option(p)
	}
	return p
}

func on(name string, p *corev1.Pod) *corev1.Pod {
	p.Spec.NodeName = name
	return p
}

func in(namespace string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Namespace = namespace } }

// appIs is a term about the pods of an app.
func appIs(key, app string, options ...func(*corev1.PodAffinityTerm)) corev1.PodAffinityTerm {
	t := corev1.PodAffinityTerm{TopologyKey: key, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}
	for _, option := range options {
		option(&t)
	}
	return t
}

func inNamespaces(names ...string) func(*corev1.PodAffinityTerm) {
	return func(t *corev1.PodAffinityTerm) { t.Namespaces = names }
}

func ofTeam(team string) func(*corev1.PodAffinityTerm) {
	return func(t *corev1.PodAffinityTerm) {
		t.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": team}}
	}
}

func withoutTeam(t *corev1.PodAffinityTerm) {
	t.NamespaceSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "team", Operator: metav1.LabelSelectorOpDoesNotExist},
	}}
}

func inAll(t *corev1.PodAffinityTerm) { t.NamespaceSelector = &metav1.LabelSelector{} }

// attract, repel, prefer and shun add a term.
func attract(key, app string, options ...func(*corev1.PodAffinityTerm)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		list := &p.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		*list = append(*list, appIs(key, app, options...))
	}
}

func repel(key, app string, options ...func(*corev1.PodAffinityTerm)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		list := &p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		*list = append(*list, appIs(key, app, options...))
	}
}

func prefer(weight int32, key, app string, options ...func(*corev1.PodAffinityTerm)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		list := &p.Spec.Affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		*list = append(*list, corev1.WeightedPodAffinityTerm{Weight: weight, PodAffinityTerm: appIs(key, app, options...)})
	}
}

func shun(weight int32, key, app string, options ...func(*corev1.PodAffinityTerm)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		list := &p.Spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		*list = append(*list, corev1.WeightedPodAffinityTerm{Weight: weight, PodAffinityTerm: appIs(key, app, options...)})
	}
}
