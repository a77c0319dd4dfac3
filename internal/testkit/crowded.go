package testkit

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	replicasOfApp   = 300
	appsOfNamespace = 25
)

// CrowdedCluster returns nodes in three zones, of which every tenth has a taint, and pods on each of them. 300 pods each
// belong to an app, and 25 apps to a namespace. Every sixth app is spread over zones and nodes, and the pods of every sixth
// keep away from each other.
func CrowdedCluster(nodes, podsPerNode int) (all []*corev1.Node, pods []*corev1.Pod) {
	for i := range nodes {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%04d", i)}}
		n.Labels = map[string]string{corev1.LabelHostname: n.Name, corev1.LabelTopologyZone: fmt.Sprint("zone-", i%3)}
		n.Status.Allocatable = List("cpu", "16", "memory", "64Gi", "pods", "110")
		if i%10 == 0 {
			n.Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: fmt.Sprint(i % 100), Effect: corev1.TaintEffectNoSchedule}}
		}
		all = append(all, n)
	}
	for k := range nodes * podsPerNode {
		p := CrowdedPod(k / replicasOfApp)
		p.Name, p.UID = fmt.Sprint("pod-", k), types.UID(fmt.Sprint("pod-", k))
		p.Spec.NodeName = all[k*7919%nodes].Name
		pods = append(pods, p)
	}
	return all, pods
}

// CrowdedPod returns a pod of an app of CrowdedCluster, without a node.
func CrowdedPod(app int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("team-", app/appsOfNamespace), Name: "new", UID: "new"}}
	p.Labels = map[string]string{"app": fmt.Sprint("app-", app)}
	requests := List("cpu", fmt.Sprint(100+app%30*7, "m"), "memory", fmt.Sprint(100+app%50, "Mi"))
	p.Spec.Containers = []corev1.Container{Container("app", requests, nil)}
	switch app % 6 {
	case 0:
		p.Spec.TopologySpreadConstraints = spreadOver(p.Labels)
	case 3:
		p.Spec.Affinity = apart(p.Labels)
	}
	return p
}

// SpreadAndApart adds to a pod that its app is spread over zones and nodes, and that its pods keep away from each other.
func SpreadAndApart(spec *corev1.PodSpec, labels map[string]string) {
	spec.TopologySpreadConstraints, spec.Affinity = spreadOver(labels), apart(labels)
}

func spreadOver(labels map[string]string) []corev1.TopologySpreadConstraint {
	return []corev1.TopologySpreadConstraint{
		{
			TopologyKey: corev1.LabelTopologyZone, MaxSkew: 5, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		},
		{
			TopologyKey: corev1.LabelHostname, MaxSkew: 1, WhenUnsatisfiable: corev1.ScheduleAnyway,
			LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		},
	}
}

func apart(labels map[string]string) *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		}},
	}}
}
