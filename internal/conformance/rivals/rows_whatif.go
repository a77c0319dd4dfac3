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

// whatifRows read a dump of 5,000 nodes with 30 pods each, and apply 100 replicas to it.
func whatifRows() []measure.Scale {
	return []measure.Scale{
		{
			Subject: "reading a cluster of 5000 nodes and 150000 pods", Yardstick: "1 s", AtMost: 3,
			Prepare: func() (func(), func(), time.Duration) {
				objects := dump()
				return func() { clusterSink = clusterOf(objects) }, nil, time.Second
			},
		},
		{
			Subject: "100 replicas onto 5000 nodes with 150000 pods", Yardstick: "50 ms", AtMost: 1,
			Prepare: func() (func(), func(), time.Duration) {
				cluster, web := clusterOf(dump()), replicas("web", 100)
				return func() { whatifSink, _ = cluster.Apply(web) }, nil, 50 * time.Millisecond
			},
		},
		{
			Subject: "100 replicas with a toleration each onto 5000 nodes with 150000 pods", Yardstick: "50 ms", AtMost: 1,
			Prepare: func() (func(), func(), time.Duration) {
				cluster := clusterOf(dump())
				var objects []admit.APIObject
				for i := range 100 {
					d := replicas(fmt.Sprint("web-", i), 1)
					d.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Value: fmt.Sprint(i), Effect: corev1.TaintEffectNoSchedule}}
					objects = append(objects, d)
				}
				return func() { whatifSink, _ = cluster.Apply(objects...) }, nil, 50 * time.Millisecond
			},
		},
	}
}

func clusterOf(objects []admit.APIObject) *whatif.Cluster {
	c, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		panic(err)
	}
	return c
}

// dump returns 5,000 nodes, of which every tenth has a taint, with 30 pods each.
func dump() (objects []admit.APIObject) {
	const podsPerNode = 30
	for i := range manyNodes {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName(i)}}
		n.Status.Allocatable = testkit.List("cpu", "16", "memory", "64Gi", "pods", "110")
		if i%10 == 0 {
			n.Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: fmt.Sprint(i % 100), Effect: corev1.TaintEffectNoSchedule}}
		}
		objects = append(objects, n)
		for j := range podsPerNode {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("pod-", i, "-", j)}}
			p.Spec.NodeName = n.Name
			p.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", fmt.Sprint(100+j*7, "m"), "memory", fmt.Sprint(100+i%50, "Mi")), nil)}
			objects = append(objects, p)
		}
	}
	return objects
}

func replicas(name string, n int32) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: appsv1.DeploymentSpec{Replicas: &n}}
	d.Spec.Template.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", "300m", "memory", "256Mi"), nil)}
	return d
}
