package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/quota/admit"
)

// images are those of containers and of nodes.
var images = []string{"image", "registry/app:1", "registry/log"}

// describe draws what pods can ask of a node beside resources: labels, taints and images.
func (d *drawing) describe(n *corev1.Node) {
	n.Labels = map[string]string{"zone": d.zone()}
	if d.chance(85) {
		n.Labels[corev1.LabelHostname] = n.Name
	}
	if d.chance(85) {
		n.Labels[corev1.LabelTopologyZone] = d.zone()
	}
	if d.chance(50) {
		n.Labels["size"] = fmt.Sprint(d.between(1, 3))
	}
	d.taint(n)
	for i, image := range images {
		if d.chance(35) {
			n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
				Names: []string{image + map[string]string{"image": ":latest", "registry/log": ":latest"}[image]}, SizeBytes: d.sizes[i],
			})
		}
	}
}

func (d *drawing) taint(n *corev1.Node) {
	n.Spec.Taints = nil
	for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute} {
		if d.chance(map[corev1.TaintEffect]int{corev1.TaintEffectNoSchedule: 12, corev1.TaintEffectPreferNoSchedule: 25}[effect] + 4) {
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "t", Value: d.zone(), Effect: effect})
		}
	}
}

// services draws Services, which select pods of some workloads, so that the default constraints of the scheduler spread them.
func (d *drawing) services() (objects []admit.APIObject) {
	for i := range d.between(0, 2) {
		s := &corev1.Service{ObjectMeta: d.meta(fmt.Sprint("service-", i))}
		s.Spec.Ports = []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromInt32(80)}}
		s.Spec.Selector = map[string]string{"tier": d.tier()}
		objects = append(objects, s)
	}
	return objects
}

func (d *drawing) tier() string { return string(rune('a' + d.IntN(2))) }

// key draws the key of a label of nodes.
func (d *drawing) key() string {
	return []string{"zone", "size", corev1.LabelHostname, corev1.LabelTopologyZone}[d.IntN(4)]
}

// constrain draws what pods of a template ask of nodes and of each other.
func (d *drawing) constrain(t *corev1.PodTemplateSpec) {
	t.Labels["tier"] = d.tier()
	s := &t.Spec
	for i := range s.Containers {
		s.Containers[i].Image = images[d.IntN(len(images))]
	}
	if d.chance(12) {
		s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: int32(d.between(8080, 8081))}}
	}
	if d.chance(15) {
		s.NodeSelector = map[string]string{"zone": d.zone()}
	}
	for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute, ""} {
		if d.chance(20) {
			s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: "t", Value: d.zone(), Effect: effect})
		}
	}
	s.Affinity = &corev1.Affinity{NodeAffinity: d.nodeAffinity(), PodAffinity: d.podAffinity(), PodAntiAffinity: d.podAntiAffinity()}
	if *s.Affinity == (corev1.Affinity{}) {
		s.Affinity = nil
	}
	for range d.IntN(2) * d.IntN(3) {
		d.spread(s)
	}
}

func (d *drawing) nodeAffinity() *corev1.NodeAffinity {
	a := &corev1.NodeAffinity{}
	term := func() corev1.NodeSelectorTerm {
		key, operator := d.key(), []corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists}[d.IntN(3)]
		e := corev1.NodeSelectorRequirement{Key: key, Operator: operator}
		if operator != corev1.NodeSelectorOpExists {
			e.Values = []string{d.zone(), fmt.Sprint(d.between(1, 3))}
		}
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{e}}
	}
	if d.chance(12) {
		a.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term(), term()}}
	}
	for range d.IntN(2) * d.IntN(3) {
		a.PreferredDuringSchedulingIgnoredDuringExecution = append(a.PreferredDuringSchedulingIgnoredDuringExecution,
			corev1.PreferredSchedulingTerm{Weight: int32(d.between(1, 100)), Preference: term()})
	}
	if a.RequiredDuringSchedulingIgnoredDuringExecution == nil && len(a.PreferredDuringSchedulingIgnoredDuringExecution) == 0 {
		return nil
	}
	return a
}

func (d *drawing) selector() *metav1.LabelSelector {
	if d.chance(15) {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpExists}}}
	}
	return &metav1.LabelSelector{MatchLabels: map[string]string{"tier": d.tier()}}
}

func (d *drawing) podTerm() corev1.PodAffinityTerm {
	term := corev1.PodAffinityTerm{TopologyKey: d.key(), LabelSelector: d.selector()}
	if d.chance(15) {
		term.NamespaceSelector = &metav1.LabelSelector{}
	}
	return term
}

func (d *drawing) weighted() (terms []corev1.WeightedPodAffinityTerm) {
	for range d.between(1, 2) {
		terms = append(terms, corev1.WeightedPodAffinityTerm{Weight: int32(d.between(1, 100)), PodAffinityTerm: d.podTerm()})
	}
	return terms
}

func (d *drawing) podAffinity() *corev1.PodAffinity {
	switch d.IntN(8) {
	case 0:
		return &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{d.podTerm()}}
	case 1:
		return &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: d.weighted()}
	}
	return nil
}

func (d *drawing) podAntiAffinity() *corev1.PodAntiAffinity {
	switch d.IntN(8) {
	case 0:
		return &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{d.podTerm()}}
	case 1:
		return &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: d.weighted()}
	}
	return nil
}

// spread draws a topology spread constraint, unless there is one of its key and action already.
func (d *drawing) spread(s *corev1.PodSpec) {
	c := corev1.TopologySpreadConstraint{MaxSkew: int32(d.between(1, 2)), TopologyKey: d.key(), LabelSelector: d.selector(), WhenUnsatisfiable: corev1.ScheduleAnyway}
	if d.chance(50) {
		c.WhenUnsatisfiable = corev1.DoNotSchedule
		if d.chance(30) {
			domains := int32(d.between(1, 4))
			c.MinDomains = &domains
		}
	}
	if d.chance(20) {
		ignore, honor := corev1.NodeInclusionPolicyIgnore, corev1.NodeInclusionPolicyHonor
		c.NodeAffinityPolicy, c.NodeTaintsPolicy = &ignore, &honor
	}
	for i := range s.TopologySpreadConstraints {
		if other := &s.TopologySpreadConstraints[i]; other.TopologyKey == c.TopologyKey && other.WhenUnsatisfiable == c.WhenUnsatisfiable {
			return
		}
	}
	s.TopologySpreadConstraints = append(s.TopologySpreadConstraints, c)
}
