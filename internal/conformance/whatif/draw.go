package main

import (
	"fmt"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// change is one step of a scenario: an object is applied, or deleted.
type change struct {
	object  admit.APIObject
	deleted bool
	what    string
}

// drawing draws the objects of a scenario.
type drawing struct {
	*rand.Rand
	namespace string
	nodes     []*corev1.Node
	sizes     [3]int64 // of images: the scheduler takes that of the first node that it hears of
	quota     *corev1.ResourceQuota
	workloads []admit.APIObject // that are there, unless they were refused
	drawn     int
	tight     bool // there always is a quota, which leaves little room
	planned   []change
	crowded   bool // there is little room on nodes, so that pods preempt others
	volumes   int  // of 100 scenarios have some
	claims    int  // that are there
}

func (d *drawing) chance(percent int) bool { return d.IntN(100) < percent }

func (d *drawing) between(least, most int64) int64 { return least + d.Int64N(most-least+1) }

func milli(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) }
func mebi(n int64) resource.Quantity  { return *resource.NewQuantity(n<<20, resource.BinarySI) }
func count(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) }

// priorityClasses are those that pods have.
func priorityClasses() []admit.APIObject {
	never := corev1.PreemptNever
	return []admit.APIObject{
		&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000},
		&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "gentle"}, Value: 1000, PreemptionPolicy: &never},
	}
}

// begin draws what is there before the first step.
func (d *drawing) begin() (objects []admit.APIObject) {
	for i := range d.sizes {
		d.sizes[i] = d.between(10, 1500) << 20
	}
	d.crowded = d.chance(30)
	equal, amounts, nodes := d.chance(35), d.amounts(), d.between(3, 9)
	if d.crowded {
		nodes = d.between(2, 4)
	}
	for i := range nodes {
		if !equal {
			amounts = d.amounts()
		}
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%02d", i)}}
		n.Status.Allocatable = amounts
		n.Status.Capacity = n.Status.Allocatable
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		n.Spec.Unschedulable = d.chance(8)
		d.describe(n)
		d.nodes, objects = append(d.nodes, n), append(objects, n)
	}
	if d.chance(40) {
		item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer}
		if d.chance(70) {
			item.DefaultRequest = corev1.ResourceList{corev1.ResourceCPU: milli(d.between(100, 300))}
			item.Default = corev1.ResourceList{corev1.ResourceCPU: milli(d.between(300, 900)), corev1.ResourceMemory: mebi(d.between(256, 1024))}
		}
		if d.chance(50) {
			item.Max = corev1.ResourceList{corev1.ResourceCPU: milli(d.between(900, 1500))}
		}
		objects = append(objects, &corev1.LimitRange{ObjectMeta: d.meta("range"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}})
	}
	if d.tight || !d.crowded && d.chance(75) {
		d.quota = d.drawQuota()
		objects = append(objects, d.quota)
	}
	return append(append(objects, d.services()...), d.storage()...)
}

// amounts draws what a node has.
func (d *drawing) amounts() corev1.ResourceList {
	if d.crowded {
		return corev1.ResourceList{
			corev1.ResourceCPU: milli(d.between(1000, 2500)), corev1.ResourceMemory: mebi(d.between(1500, 4000)), corev1.ResourcePods: count(d.between(2, 5)),
		}
	}
	return corev1.ResourceList{
		corev1.ResourceCPU: milli(d.between(300, 4000)), corev1.ResourceMemory: mebi(d.between(512, 8192)), corev1.ResourcePods: count(d.between(2, 10)),
	}
}

func (d *drawing) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: d.namespace, Name: name}
}

func (d *drawing) zone() string { return string(rune('x' + d.IntN(2))) }

// replace takes another object for one of the workloads.
func (d *drawing) replace(object admit.APIObject) {
	for i, w := range d.workloads {
		if kindOf(w) == kindOf(object) && w.GetName() == object.GetName() {
			d.workloads[i] = object
		}
	}
}

func (d *drawing) drawQuota() *corev1.ResourceQuota {
	hard := corev1.ResourceList{corev1.ResourcePods: count(d.between(2, 14)), corev1.ResourceRequestsCPU: milli(d.between(500, 6000))}
	if d.chance(25) {
		hard[corev1.ResourceLimitsMemory] = mebi(d.between(1024, 8192))
	}
	if d.chance(25) {
		hard["count/deployments.apps"], hard["count/replicasets.apps"] = count(d.between(0, 2)), count(d.between(0, 3))
	}
	return &corev1.ResourceQuota{ObjectMeta: d.meta("team"), Spec: corev1.ResourceQuotaSpec{Hard: hard}}
}

func (d *drawing) template() corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": fmt.Sprint("app-", d.drawn)}}}
	zero := int64(0)
	t.Spec.TerminationGracePeriodSeconds = &zero
	for i := range d.between(1, 2) {
		c := corev1.Container{Name: fmt.Sprint("c", i), Image: "image"}
		c.Resources.Requests, c.Resources.Limits = corev1.ResourceList{}, corev1.ResourceList{}
		if d.chance(80) {
			c.Resources.Requests[corev1.ResourceCPU] = milli(d.between(50, 1100))
		}
		if d.chance(70) {
			c.Resources.Requests[corev1.ResourceMemory] = mebi(d.between(32, 1200))
		}
		if d.chance(25) {
			c.Resources.Limits[corev1.ResourceCPU], c.Resources.Limits[corev1.ResourceMemory] = milli(d.between(1100, 1600)), mebi(d.between(1200, 2000))
		}
		t.Spec.Containers = append(t.Spec.Containers, c)
	}
	d.constrain(&t)
	if d.chance(25) || d.crowded && d.drawn > 1 && d.chance(50) {
		t.Spec.PriorityClassName = []string{"high", "high", "gentle"}[d.IntN(3)]
	}
	return t
}

// workload draws a new workload, or a pod.
func (d *drawing) workload() admit.APIObject {
	d.drawn++
	meta, replicas, t := d.meta(fmt.Sprint("w", d.drawn)), int32(d.between(1, 6)), d.template()
	selector := &metav1.LabelSelector{MatchLabels: t.Labels}
	switch d.IntN(7) {
	case 0, 1:
		w := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: selector, Template: t}}
		if d.chance(50) {
			d.strategy(&w.Spec)
		}
		return w
	case 2:
		w := &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: &replicas, Selector: selector, Template: t}}
		if d.chance(50) {
			w.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		}
		if d.chance(50) {
			d.updateStrategy(&w.Spec)
		}
		if d.chance(25) {
			w.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: int32(d.between(1, 3))}
		}
		return w
	case 3:
		w := &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Selector: selector, Template: t}}
		if d.chance(50) {
			d.daemonStrategy(&w.Spec)
		}
		return w
	case 4:
		t.Spec.RestartPolicy = corev1.RestartPolicyNever
		w := &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Parallelism: &replicas, Completions: &replicas, Template: t}}
		if d.chance(30) {
			indexed := batchv1.IndexedCompletion
			w.Spec.CompletionMode = &indexed
		}
		if d.chance(30) {
			more := int32(d.between(1, 3))
			w.Spec.Parallelism = &more
		}
		if d.chance(20) {
			isSuspended := true
			w.Spec.Suspend = &isSuspended
		}
		return w
	case 5:
		if d.chance(50) {
			return &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Replicas: &replicas, Selector: t.Labels, Template: &t}}
		}
		return &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: selector, Template: t}}
	}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: meta.Namespace, Name: meta.Name, Labels: t.Labels}, Spec: t.Spec}
}

// surge plans a new image of a Deployment whose pods fill the quota, so that only those beyond its replicas are too many.
func (d *drawing) surge() bool {
	if len(d.workloads) != 1 {
		return false
	}
	w, is := d.workloads[0].DeepCopyObject().(*appsv1.Deployment)
	if !is || w.Spec.Strategy.Type != "" || *w.Spec.Replicas == 0 {
		return false
	}
	w.Spec.Template.Spec.Containers[0].Image += "-new"
	d.quota = &corev1.ResourceQuota{ObjectMeta: d.meta("team"), Spec: corev1.ResourceQuotaSpec{
		Hard: corev1.ResourceList{corev1.ResourcePods: count(int64(*w.Spec.Replicas))},
	}}
	d.planned = []change{{object: d.quota, what: "update"}, {object: w, what: "update"}}
	d.workloads[0] = w
	return true
}

// next draws a step, of a cluster with these objects.
func (d *drawing) next(objects []admit.APIObject) change {
	if len(d.planned) > 0 || d.tight && d.chance(60) && d.surge() {
		step := d.planned[0]
		d.planned = d.planned[1:]
		return step
	}
	if d.chance(40) {
		if step, found := d.mutated(objects); found {
			return step
		}
	}
	if len(d.workloads) == 0 || d.chance(45) {
		w := d.workload()
		d.mount(w)
		d.workloads = append(d.workloads, w)
		return change{object: w, what: "create"}
	}
	i := d.IntN(len(d.workloads))
	w := d.workloads[i].DeepCopyObject().(admit.APIObject)
	switch {
	case d.chance(15):
		d.workloads = append(d.workloads[:i:i], d.workloads[i+1:]...)
		return change{object: w, deleted: true, what: "delete"}
	case d.quota != nil && d.chance(20):
		d.quota = d.drawQuota()
		return change{object: d.quota, what: "update"}
	case d.chance(20):
		n := d.nodes[d.IntN(len(d.nodes))].DeepCopy()
		n.Spec.Unschedulable = !n.Spec.Unschedulable
		if d.chance(30) {
			d.taint(n)
		}
		return change{object: n, what: "update"}
	}
	replicas, t := int32(d.between(0, 7)), d.template()
	updated := d.chance(50)
	set := func(template *corev1.PodTemplateSpec) {
		t.Labels, t.Spec.Volumes = template.Labels, template.Spec.Volumes
		if updated {
			*template = t
		}
	}
	switch o := w.(type) {
	case *appsv1.Deployment:
		o.Spec.Replicas = &replicas
		set(&o.Spec.Template)
	case *appsv1.StatefulSet:
		o.Spec.Replicas = &replicas
		set(&o.Spec.Template)
	case *appsv1.DaemonSet:
		updated = true
		set(&o.Spec.Template)
	default:
		return change{object: w, deleted: true, what: "delete"}
	}
	d.workloads[i] = w
	return change{object: w, what: "update"}
}
