package testkit

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// SchedulingCluster is a cluster with pods on nodes, and a pod that comes, on which all plugins of the scheduler's default
// profile have something to say, apart from those of volumes and devices.
type SchedulingCluster struct {
	Nodes      []*corev1.Node
	Pods       []*corev1.Pod // with the name of their node
	Namespaces []*corev1.Namespace
	Service    *corev1.Service    // in the namespace of Incoming
	ReplicaSet *appsv1.ReplicaSet // likewise
	Incoming   *corev1.Pod
}

// PodsOn returns the pods of node i.
func (c *SchedulingCluster) PodsOn(i int) (pods []*corev1.Pod) {
	for _, pod := range c.Pods {
		if pod.Spec.NodeName == c.Nodes[i].Name {
			pods = append(pods, pod)
		}
	}
	return pods
}

// SchedulingClusters draws clusters of up to so many nodes and pods. Pods come from a few templates, as those of workloads.
func SchedulingClusters(nodes, pods int) *rapid.Generator[*SchedulingCluster] {
	return rapid.Custom(func(t *rapid.T) *SchedulingCluster {
		c := &SchedulingCluster{Service: &corev1.Service{}, ReplicaSet: &appsv1.ReplicaSet{}}
		sizes := rapid.SliceOfN(rapid.Int64Range(0, 3000), len(schedulingImages), len(schedulingImages)).Draw(t, "sizes of images")
		for i := range upTo(t, "nodes", 1, nodes) {
			c.Nodes = append(c.Nodes, schedulingNode(t, fmt.Sprint("node-", i), sizes))
		}
		for _, name := range []string{"shop", "bank"} {
			labels := map[string]string{corev1.LabelMetadataName: name, "team": rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "team")}
			c.Namespaces = append(c.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
		}
		c.Service.Namespace, c.Service.Name = "shop", "service"
		c.Service.Spec.Selector = appLabel().Draw(t, "service")
		c.ReplicaSet.Namespace, c.ReplicaSet.Name, c.ReplicaSet.UID = "shop", "replicas", "replicas"
		c.ReplicaSet.Spec.Selector = &metav1.LabelSelector{MatchLabels: appLabel().Draw(t, "replica set")}
		templates := rapid.SliceOfN(rapid.Custom(schedulingPod), 1, 6).Draw(t, "templates")
		for i := range upTo(t, "pods", 0, pods) {
			pod := rapid.SampledFrom(templates).Draw(t, "template").DeepCopy()
			pod.Name, pod.UID = fmt.Sprint("pod-", i), types.UID(fmt.Sprint("pod-", i))
			pod.Spec.NodeName = rapid.SampledFrom(c.Nodes).Draw(t, "node").Name
			c.Pods = append(c.Pods, pod)
		}
		c.Incoming = c.incoming(rapid.SampledFrom(append(templates, schedulingPod(t))).Draw(t, "incoming"))
		return c
	})
}

// incoming returns a pod of a template. It belongs to the ReplicaSet if that selects it.
func (c *SchedulingCluster) incoming(template *corev1.Pod) *corev1.Pod {
	pod, isController := template.DeepCopy(), true
	pod.Namespace, pod.Name, pod.UID = "shop", "incoming", "incoming"
	if pod.Labels["app"] == c.ReplicaSet.Spec.Selector.MatchLabels["app"] {
		pod.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: c.ReplicaSet.Name, UID: c.ReplicaSet.UID, Controller: &isController,
		}}
	}
	return pod
}

func appLabel() *rapid.Generator[map[string]string] {
	return rapid.Map(rapid.SampledFrom([]string{"web", "db"}), func(app string) map[string]string { return map[string]string{"app": app} })
}

// schedulingNode draws a node. Images have the same size on all nodes: of different ones, the cache of the scheduler takes
// the first that it hears of.
func schedulingNode(t *rapid.T, name string, sizes []int64) *corev1.Node {
	node := topologyNode(t, name)
	if !rarely(t, "no zone", 8) {
		node.Labels[corev1.LabelTopologyZone] = rapid.SampledFrom([]string{"eu-1", "eu-2", "eu-3"}).Draw(t, "zone")
	}
	node.Spec.Unschedulable = rarely(t, "cordoned", 12)
	for range rapid.IntRange(0, 3).Draw(t, "taints") / 2 {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key:    rapid.SampledFrom([]string{"dedicated", "spot"}).Draw(t, "key"),
			Value:  rapid.SampledFrom([]string{"", "a"}).Draw(t, "value"),
			Effect: rapid.SampledFrom(append(taintEffects, corev1.TaintEffectPreferNoSchedule)).Draw(t, "effect"),
		})
	}
	for k, image := range schedulingImages {
		if rapid.Bool().Draw(t, "has image") {
			node.Status.Images = append(node.Status.Images, corev1.ContainerImage{Names: []string{"sha", image}, SizeBytes: sizes[k] << 20})
		}
	}
	node.Status.Allocatable = List(
		"cpu", rapid.SampledFrom([]string{"4", "8", "16"}).Draw(t, "cpu"), "memory", rapid.SampledFrom([]string{"8Gi", "64Gi"}).Draw(t, "memory"),
		"pods", rapid.SampledFrom([]string{"8", "110", "110"}).Draw(t, "pods"), "example.com/gpu", rapid.SampledFrom([]string{"0", "4"}).Draw(t, "gpu"),
	)
	return node
}

var taintEffects = []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule}

var schedulingImages = []string{"app", "app:1", "reg.example.com/log:latest", "reg.example.com/log"}

func schedulingPod(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: podLabels().Draw(t, "labels")}}
	pod.Namespace = rapid.SampledFrom([]string{"shop", "shop", "bank"}).Draw(t, "namespace")
	requests := List("cpu", rapid.SampledFrom([]string{"0", "100m", "1"}).Draw(t, "cpu"), "memory", rapid.SampledFrom([]string{"0", "64Mi", "1Gi"}).Draw(t, "memory"))
	pod.Spec.Containers = []corev1.Container{Container("app", requests, nil)}
	if rarely(t, "gpu", 6) {
		requests["example.com/gpu"] = resource.MustParse("1")
		pod.Spec.Containers[0].Resources.Limits = List("example.com/gpu", "1")
	}
	pod.Spec.Containers[0].Image = rapid.SampledFrom(schedulingImages).Draw(t, "image")
	if rarely(t, "init container", 4) {
		pod.Spec.InitContainers = []corev1.Container{Container("init", List("cpu", "2"), nil)}
		pod.Spec.InitContainers[0].Image = rapid.SampledFrom(schedulingImages).Draw(t, "image of init container")
	}
	if rarely(t, "port", 8) {
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{
			HostPort: rapid.Int32Range(1, 3).Draw(t, "port"), Protocol: corev1.ProtocolTCP,
			HostIP: rapid.SampledFrom([]string{"", "10.0.0.1"}).Draw(t, "address"),
		}}
	}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"dedicated", "spot"}), 0, 2, rapid.ID).Draw(t, "tolerations") {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
	}
	if rarely(t, "node selector", 8) {
		pod.Spec.NodeSelector = map[string]string{corev1.LabelTopologyZone: rapid.SampledFrom([]string{"eu-1", "eu-2"}).Draw(t, "selected zone")}
	}
	pod.Spec.TopologySpreadConstraints = spreadConstraints(t)
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: nodeAffinity(t)}
	addPodAffinity(t, pod.Spec.Affinity)
	return pod
}

func nodeAffinity(t *rapid.T) *corev1.NodeAffinity {
	term := func() corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key:      rapid.SampledFrom([]string{"zone", "rack", "absent"}).Draw(t, "key"),
			Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn}).Draw(t, "operator"),
			Values:   []string{rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "value")},
		}}}
	}
	affinity := &corev1.NodeAffinity{}
	for range rapid.IntRange(0, 2).Draw(t, "preferred") {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution,
			corev1.PreferredSchedulingTerm{Weight: rapid.Int32Range(1, 100).Draw(t, "weight"), Preference: term()})
	}
	if rarely(t, "required", 6) {
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term(), term()}}
	}
	return affinity
}

func topologyKey() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{corev1.LabelHostname, corev1.LabelTopologyZone, "rack"})
}

// spreadConstraints draws at most two constraints, which differ in their key or in what happens if they are not met.
func spreadConstraints(t *rapid.T) (all []corev1.TopologySpreadConstraint) {
	if !rarely(t, "spread", 2) {
		return nil
	}
	honor, ignore := corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore
	policies := rapid.SampledFrom([]*corev1.NodeInclusionPolicy{nil, &honor, &ignore})
	for _, key := range rapid.SliceOfNDistinct(topologyKey(), 1, 2, rapid.ID).Draw(t, "keys") {
		c := corev1.TopologySpreadConstraint{
			TopologyKey: key, MaxSkew: rapid.Int32Range(1, 3).Draw(t, "skew"), WhenUnsatisfiable: corev1.ScheduleAnyway,
			LabelSelector:      &metav1.LabelSelector{MatchLabels: appLabel().Draw(t, "spread selector")},
			NodeAffinityPolicy: policies.Draw(t, "node affinity policy"), NodeTaintsPolicy: policies.Draw(t, "node taints policy"),
		}
		if rapid.Bool().Draw(t, "hard") {
			c.WhenUnsatisfiable = corev1.DoNotSchedule
			if rarely(t, "minDomains", 3) {
				least := rapid.Int32Range(1, 4).Draw(t, "minDomains")
				c.MinDomains = &least
			}
		}
		if rarely(t, "match label keys", 3) {
			c.MatchLabelKeys = []string{"tier"}
		}
		all = append(all, c)
	}
	return all
}

func addPodAffinity(t *rapid.T, a *corev1.Affinity) {
	term := func() corev1.PodAffinityTerm {
		term := corev1.PodAffinityTerm{
			TopologyKey:   topologyKey().Draw(t, "affinity key"),
			LabelSelector: &metav1.LabelSelector{MatchLabels: appLabel().Draw(t, "affinity selector")},
		}
		if rarely(t, "namespace selector", 3) {
			team := rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "selected team")
			term.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": team}}
		}
		return term
	}
	weighted := func() []corev1.WeightedPodAffinityTerm {
		return []corev1.WeightedPodAffinityTerm{{Weight: rapid.Int32Range(1, 100).Draw(t, "weight"), PodAffinityTerm: term()}}
	}
	switch rapid.IntRange(0, 11).Draw(t, "pod affinity") {
	case 3:
		a.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term()}}
	case 4, 5:
		a.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term()}}
	case 6, 7:
		a.PodAffinity = &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted()}
	case 8, 9:
		a.PodAntiAffinity = &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted()}
	}
}
