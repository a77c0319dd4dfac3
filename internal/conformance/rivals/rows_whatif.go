package main

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

var (
	whatifSink  whatif.Result
	clusterSink *whatif.Cluster
)

const (
	podsPerNode = 30
	crowded     = "5000 nodes with 150000 pods"
)

// whatifRows read a dump of 5,000 nodes with 30 pods each, a third of which are spread or keep apart, and apply 100
// replicas to it.
func whatifRows() []measure.Scale {
	spread := replicas("spread", 30, 100)
	testkit.SpreadAndApart(&spread.Spec.Template.Spec, spread.Spec.Template.Labels)
	var tolerating []admit.APIObject
	for i := range 100 {
		d := replicas(fmt.Sprint("web-", i), 31, 1)
		d.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Value: fmt.Sprint(i), Effect: corev1.TaintEffectNoSchedule}}
		tolerating = append(tolerating, d)
	}
	return []measure.Scale{
		{
			Subject: "reading " + crowded, Yardstick: "1.5 s", AtMost: 1,
			Prepare: func() (func(), func(), time.Duration) {
				objects := dump()
				return func() { clusterSink = clusterOf(objects) }, nil, 1500 * time.Millisecond
			},
		},
		applying("100 replicas", 20*time.Millisecond, replicas("web", 31, 100)),
		applying("100 replicas with spread and anti-affinity", 150*time.Millisecond, spread),
		applying("100 replicas with a toleration each", 50*time.Millisecond, tolerating...),
	}
}

func applying(what string, limit time.Duration, objects ...admit.APIObject) measure.Scale {
	return measure.Scale{
		Subject: what + " onto " + crowded, Yardstick: limit.String(), AtMost: 1,
		Prepare: func() (func(), func(), time.Duration) {
			cluster := clusterOf(dump())
			return func() {
				whatifSink, _ = cluster.Apply(objects...)
				for i := range whatifSink.Pods {
					if whatifSink.Pods[i].Node == "" {
						panic(whatifSink.Pods[i].Waits.Message)
					}
				}
			}, nil, limit
		},
	}
}

// whatifMemory is what the cluster takes in addition to its objects.
func whatifMemory() []measure.Memory {
	return []measure.Memory{{
		Subject: "a cluster of " + crowded, Part: "pod", Parts: manyNodes * podsPerNode, AtMost: 1200,
		Prepare: func() func() any {
			objects := dump()
			return func() any { return clusterOf(objects) }
		},
	}}
}

func clusterOf(objects []admit.APIObject) *whatif.Cluster {
	c, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		panic(err)
	}
	return c
}

// dump returns the objects of a crowded cluster.
func dump() (objects []admit.APIObject) {
	nodes, pods := testkit.CrowdedCluster(manyNodes, podsPerNode)
	for _, n := range nodes {
		objects = append(objects, n)
	}
	for _, p := range pods {
		objects = append(objects, p)
	}
	return objects
}

// replicas returns a Deployment of pods like those of an app without terms.
func replicas(name string, app int, n int32) *appsv1.Deployment {
	pod := testkit.CrowdedPod(app)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: name}}
	d.Spec = appsv1.DeploymentSpec{Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: pod.Labels}}
	d.Spec.Template.Labels, d.Spec.Template.Spec = pod.Labels, pod.Spec
	return d
}
