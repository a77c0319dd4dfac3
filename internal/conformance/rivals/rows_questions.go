package main

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	helpers "k8s.io/component-helpers/resource"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

var (
	roomSink    whatif.Room
	objectsSink []admit.APIObject
)

// questionRows are the other questions of whatif about the crowded cluster. There is no code of Kubernetes for them, so
// that each is beside what an author of a controller writes with the lists of its informers: it knows no quotas, no
// LimitRanges, no filter of the scheduler but that for resources, and no controller.
func questionRows() []measure.Scale {
	room := func() (func(), func(), time.Duration) {
		objects := dump()
		cluster, d := clusterOf(objects), replicas("web", 31, 1)
		return func() { roomSink = cluster.Room(d) }, func() { intSink = roomByHand(objects, &d.Spec.Template.Spec) }, 0
	}
	drain := func() (func(), func(), time.Duration) {
		objects := dump()
		cluster := clusterOf(objects)
		return func() { whatifSink, _ = cluster.Drain("node-0007") }, func() { intSink = drainByHand(objects, "node-0007") }, 0
	}
	remove := func() (func(), func(), time.Duration) {
		objects, d := append(dump(), owned()...), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
		cluster := clusterOf(objects)
		return func() { whatifSink, _ = cluster.Delete(d) }, func() { objectsSink = dependentsByHand(objects, "web") }, 0
	}
	estimate := func() (func(), func(), time.Duration) {
		objects := dump()
		cluster, like := clusterOf(objects), objects[1].(*corev1.Node)
		var pods []*corev1.Pod
		var requests []corev1.ResourceList
		for _, p := range podsOf(objects)[:3000] {
			own := p.DeepCopy()
			own.Spec.NodeName, own.Spec.Affinity, own.Spec.TopologySpreadConstraints = "", nil, nil
			pods, requests = append(pods, own), append(requests, helpers.PodRequests(own, helpers.PodResourcesOptions{}))
		}
		return func() { estimateSink, _ = cluster.Estimate(pods, like, nil) },
			func() { intSink = firstFitDecreasing(requests, like.Status.Allocatable) }, 0
	}
	return []measure.Scale{
		{Subject: "the room for a Deployment on " + crowded, Yardstick: "requests of all pods, added up by hand", AtMost: 0.1, Prepare: room},
		{Subject: "draining one of " + crowded, Yardstick: "first fit of its pods, by hand", AtMost: 0.1, Prepare: drain},
		{Subject: "deleting a Deployment of 100 pods of " + crowded, Yardstick: "all objects, asked for their owners", AtMost: 0.5, Prepare: remove},
		{Subject: "how many nodes 3000 pods of a cluster need", Yardstick: "first fit decreasing by hand, which asks no filter", AtMost: 5, Prepare: estimate},
	}
}

func podsOf(objects []admit.APIObject) (pods []*corev1.Pod) {
	for _, o := range objects {
		if p, isPod := o.(*corev1.Pod); isPod {
			pods = append(pods, p)
		}
	}
	return pods
}

// freeByHand returns what the pods of a cluster leave of its nodes, by their names, and counts pods as a resource.
func freeByHand(objects []admit.APIObject) map[string]corev1.ResourceList {
	free := map[string]corev1.ResourceList{}
	for _, o := range objects {
		if n, isNode := o.(*corev1.Node); isNode && !n.Spec.Unschedulable {
			free[n.Name] = n.Status.Allocatable.DeepCopy()
		}
	}
	for _, p := range podsOf(objects) {
		if in := free[p.Spec.NodeName]; in != nil {
			takeByHand(in, withPod(helpers.PodRequests(p, helpers.PodResourcesOptions{})))
		}
	}
	return free
}

func withPod(requests corev1.ResourceList) corev1.ResourceList {
	requests[corev1.ResourcePods] = *resource.NewQuantity(1, resource.DecimalSI)
	return requests
}

func takeByHand(free, requests corev1.ResourceList) {
	for name, q := range requests {
		left := free[name]
		left.Sub(q)
		free[name] = left
	}
}

func fitsByHand(requests, free corev1.ResourceList) bool {
	for name, q := range requests {
		if left := free[name]; left.Cmp(q) < 0 {
			return false
		}
	}
	return true
}

// roomByHand returns how many pods of a spec fit on the nodes.
func roomByHand(objects []admit.APIObject, spec *corev1.PodSpec) (n int) {
	requests := withPod(helpers.PodRequests(&corev1.Pod{Spec: *spec}, helpers.PodResourcesOptions{}))
	for _, free := range freeByHand(objects) {
		for ; fitsByHand(requests, free); n++ {
			takeByHand(free, requests)
		}
	}
	return n
}

// drainByHand returns how many pods of a node fit on other ones.
func drainByHand(objects []admit.APIObject, node string) (moved int) {
	free := freeByHand(objects)
	delete(free, node)
	for _, p := range podsOf(objects) {
		if p.Spec.NodeName != node {
			continue
		}
		requests := withPod(helpers.PodRequests(p, helpers.PodResourcesOptions{}))
		for _, in := range free {
			if fitsByHand(requests, in) {
				takeByHand(in, requests)
				moved++
				break
			}
		}
	}
	return moved
}

// dependentsByHand returns what an object and its dependents own.
func dependentsByHand(objects []admit.APIObject, uid types.UID) (gone []admit.APIObject) {
	for owners := []types.UID{uid}; len(owners) > 0; {
		var next []types.UID
		for _, o := range objects {
			if slices.ContainsFunc(o.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return slices.Contains(owners, r.UID) }) {
				gone, next = append(gone, o), append(next, o.GetUID())
			}
		}
		owners = next
	}
	return gone
}

// owned are a Deployment with its ReplicaSet, and 100 pods of that which are on nodes.
func owned() []admit.APIObject {
	ref := func(kind, name string) []metav1.OwnerReference {
		controls := true
		return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: name, UID: types.UID(name), Controller: &controls}}
	}
	d := replicas("web", 31, 100)
	d.Namespace, d.UID = "shop", "web"
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "web-1", OwnerReferences: ref("Deployment", "web"),
		Labels: map[string]string{"pod-template-hash": "1"}}}
	rs.Spec.Replicas, rs.Spec.Template = d.Spec.Replicas, d.Spec.Template
	all := []admit.APIObject{d, rs}
	for i := range 100 {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", OwnerReferences: ref("ReplicaSet", "web-1"), Labels: d.Spec.Template.Labels}}
		node := fmt.Sprintf("node-%04d", i+1)
		p.Name = rs.Name + "-" + node
		p.UID, p.Spec = types.UID(p.Name), d.Spec.Template.Spec
		p.Spec.NodeName = node
		all = append(all, p)
	}
	return all
}
