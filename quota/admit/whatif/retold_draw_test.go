package whatif_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// The second generator draws changes of clusters with two namespaces, three nodes and all kinds of workloads, with what the
// first one (draw_test.go) leaves out: RuntimeClasses, Services, Jobs in every state, CronJobs, partitions, OnDelete,
// pods that are being deleted, cordons and taints by manifest, and options.
//
// Each pod selects a node by its name, so that scores do not matter. Not drawn: budgets, affinity, updates of bare pods,
// several LimitRanges in a namespace,
// clusters without nodes, and workloads whose pods were read. The first generator, or situations_test.go, has these.

// mold is what decides on amounts and nodes of a pod. Two molds that are equal make the same template.
type mold struct {
	cpu                             string // empty: the LimitRange decides
	node                            string // empty: any, of a DaemonSet
	high, kata, tolerates, x, gated bool
}

func drawMold(t *rapid.T, nodes ...string) mold {
	return mold{
		cpu: rapid.SampledFrom([]string{"", "500m", "1", "2"}).Draw(t, "cpu"), node: rapid.SampledFrom(nodes).Draw(t, "on"),
		high: flip(t, "high", 5), kata: flip(t, "kata", 5), tolerates: flip(t, "tolerates", 4), x: flip(t, "x", 8), gated: flip(t, "gated", 10),
	}
}

// spec returns the spec of a template, or of a pod.
func (m mold) spec() corev1.PodSpec {
	s := corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}
	r := corev1.ResourceList{}
	if m.cpu != "" {
		r = testkit.List("cpu", m.cpu)
	}
	if m.x {
		r["example.com/x"], s.Containers[0].Resources.Limits = testkit.List("n", "1")["n"], testkit.List("example.com/x", "1")
	}
	s.Containers[0].Resources.Requests = r
	if m.node != "" {
		s.NodeSelector = map[string]string{"name": m.node}
	}
	if m.high {
		s.PriorityClassName = "high"
	}
	if m.kata {
		s.RuntimeClassName = pointer("kata")
	}
	if m.gated {
		s.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
	}
	if m.tolerates {
		s.Tolerations = []corev1.Toleration{{Key: "t", Operator: corev1.TolerationOpExists}}
	}
	return s
}

func (m mold) template() corev1.PodTemplateSpec { return corev1.PodTemplateSpec{Spec: m.spec()} }

// drawn is a manifest, with what the reference reads of it.
type drawn struct {
	obj admit.APIObject
	controller
}

// drawNodeOf draws the manifest of a node.
func drawNodeOf(t *rapid.T, name string) *corev1.Node {
	n := node(name, rapid.SampledFrom([]string{"2", "3", "4"}).Draw(t, "cpu of node"))
	n.Status.Allocatable["pods"] = testkit.List("pods", rapid.SampledFrom([]string{"3", "6", "9"}).Draw(t, "pods of node"))["pods"]
	n.Spec.Unschedulable = flip(t, "cordoned", 5)
	if flip(t, "tainted", 5) {
		tainted(n, "t", rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect"))
	}
	return n
}

// drawQuota draws a quota for what the reference counts.
func drawQuota(t *rapid.T) *corev1.ResourceQuota {
	var hard []string
	for _, name := range []string{"pods", "count/pods", "requests.cpu", "services", "services.loadbalancers", "count/jobs.batch",
		"count/replicasets.apps", "persistentvolumeclaims", "requests.storage"} {
		if flip(t, "limits "+name, 3) {
			hard = append(hard, name, fmt.Sprint(rapid.IntRange(0, 6).Draw(t, name), map[bool]string{true: "Gi"}[name == "requests.storage"]))
		}
	}
	return resourceQuota(someNames.Draw(t, "quota"), hard...)
}

// drawManifest draws an object to apply. The reference says what is there, since some fields cannot change.
func (w *retold) drawManifest(t *rapid.T) drawn {
	ns := rapid.SampledFrom([]string{"shop", "pay"}).Draw(t, "namespace")
	replicas := rapid.IntRange(0, 3).Draw(t, "replicas")
	n := int32(replicas)
	m := drawMold(t, "a", "a", "b", "c")
	d := drawn{controller: controller{ns: ns, mold: m, replicas: replicas}}
	old := func(kind, name string) *controller { return w.workloads[name3{ns, kind, name}] }
	switch rapid.IntRange(0, 14).Draw(t, "kind") {
	case 0, 1:
		d.kind, d.name = "Deployment", "web"
		if was := old("Deployment", "web"); was != nil {
			if flip(t, "same template", 2) {
				d.mold = was.mold
			}
		}
		d.surge, d.unavailable = rapid.IntRange(0, 2).Draw(t, "surge"), rapid.IntRange(0, 2).Draw(t, "unavailable")
		o := &appsv1.Deployment{ObjectMeta: meta("web"), Spec: appsv1.DeploymentSpec{Replicas: &n, Template: d.mold.template()}}
		o.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{
			MaxSurge: pointer(intstr.FromInt(d.surge)), MaxUnavailable: pointer(intstr.FromInt(d.unavailable))}}
		if d.surge+d.unavailable == 0 {
			d.recreate, o.Spec.Strategy = true, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
		}
		d.paused = flip(t, "paused", 4)
		o.Spec.Paused = d.paused
		d.obj = o
	case 2:
		d.kind, d.name = "ReplicaSet", "rs"
		d.obj = &appsv1.ReplicaSet{ObjectMeta: meta("rs"), Spec: appsv1.ReplicaSetSpec{Replicas: &n, Template: m.template()}}
	case 3:
		d.kind, d.name = "ReplicationController", "rc"
		d.obj = &corev1.ReplicationController{ObjectMeta: meta("rc"), Spec: corev1.ReplicationControllerSpec{Replicas: &n, Template: pointer(m.template())}}
	case 4, 5:
		d.kind, d.name = "StatefulSet", someNames.Draw(t, "set")
		d.parallel, d.onDelete, d.start = d.name == "y", flip(t, "on delete", 4), max(0, rapid.IntRange(-2, 2).Draw(t, "start"))
		o := statefulSet(d.name, n, "1", "data")
		if d.start > 0 {
			o.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: int32(d.start)}
		}
		o.Spec.Template, o.Spec.PodManagementPolicy = m.template(), appsv1.OrderedReadyPodManagement
		if d.parallel {
			o.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		}
		if d.onDelete {
			o.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
		} else {
			d.partition = rapid.IntRange(0, 2).Draw(t, "partition")
			o.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer(int32(d.partition))}}
		}
		d.obj = o
	case 6, 7:
		d.kind, d.name, d.onDelete = "DaemonSet", "agent", flip(t, "on delete", 3)
		d.mold = drawMold(t, "", "", "a")
		if d.unavailable = rapid.IntRange(-1, 2).Draw(t, "unavailable daemons"); d.unavailable < 1 {
			d.unavailable, d.surge = 0, 1-d.unavailable
			d.mold.tolerates = true // for pods of a former template on nodes that have got a taint, see the test of package controllers
		}
		o := &appsv1.DaemonSet{ObjectMeta: meta("agent"), Spec: appsv1.DaemonSetSpec{Template: d.mold.template()}}
		o.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{
			MaxUnavailable: pointer(intstr.FromInt(d.unavailable)), MaxSurge: pointer(intstr.FromInt(d.surge))}}
		if d.onDelete {
			o.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		}
		d.obj = o
	case 8:
		d.kind, d.name, d.suspended = "Job", "j", flip(t, "suspended", 3)
		if was := old("Job", "j"); was != nil {
			d.mold = was.mold // which cannot change
		}
		o := job("j", n, "1")
		o.Spec.Template, o.Spec.Suspend = d.mold.template(), &d.suspended
		o.Spec.Completions = pointer[int32](2)
		d.obj = o
	case 9:
		d.kind, d.name, d.suspended = "CronJob", "c", flip(t, "suspended", 3)
		o := cronJob("c", n, "1")
		o.Spec.JobTemplate.Spec.Template, o.Spec.Suspend = m.template(), &d.suspended
		o.Spec.JobTemplate.Spec.Completions = pointer[int32](2)
		d.obj = o
	case 10:
		w.count++
		d.kind, d.name = "Pod", fmt.Sprintf("pod-%02d", w.count)
		d.obj = &corev1.Pod{ObjectMeta: meta(d.name), Spec: m.spec()}
	case 11:
		d.kind, d.name = "Service", someNames.Draw(t, "service")
		d.obj = service(d.name, rapid.SampledFrom([]corev1.ServiceType{corev1.ServiceTypeClusterIP, corev1.ServiceTypeLoadBalancer}).Draw(t, "type"))
	case 12:
		q := drawQuota(t)
		d.kind, d.name, d.obj = "ResourceQuota", q.Name, q
	case 13:
		d.kind, d.name, d.obj = "LimitRange", "bounds", bounds(rapid.SampledFrom([]string{"250m", "500m", "1"}).Draw(t, "default"))
	default:
		d.ns, d.kind, d.name = "", "Node", rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "node")
		d.obj = drawNodeOf(t, d.name)
		return d
	}
	in(d.ns, d.obj)
	return d
}

// drawStart draws what is there at first: nodes, pods that run, have ended or are being deleted, and Jobs that have ended.
func (w *retold) drawStart(t *rapid.T) (start []drawn) {
	add := func(ns, kind, name string, obj admit.APIObject, change func(d *drawn)) {
		d := drawn{obj: obj, controller: controller{ns: ns, kind: kind, name: name}}
		if change != nil {
			change(&d)
		}
		start = append(start, d)
	}
	for _, name := range []string{"a", "b", "c"} {
		if name == "a" || flip(t, "has "+name, 2) {
			add("", "Node", name, drawNodeOf(t, name), nil)
		}
	}
	if flip(t, "has namespaces", 2) {
		add("", "Namespace", "shop", namespace("shop"), nil)
		if flip(t, "has pay", 2) {
			add("", "Namespace", "pay", namespace("pay"), nil)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "running") {
		w.count++
		p := on("a", podOf(fmt.Sprintf("pod-%02d", w.count), "500m"))
		switch rapid.IntRange(0, 3).Draw(t, "state") {
		case 0: // is no victim, and no replacement for it is created
			p.Spec.Priority = pointer[int32](10)
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: testkit.Now()}, pointer[int64](30)
		case 1:
			p.Spec.NodeName, p.Status.Phase = "", corev1.PodFailed
		}
		add("shop", "Pod", p.Name, p, nil)
	}
	if flip(t, "has a Job", 3) {
		m := drawMold(t, "a", "b")
		j := job("j", 2, "1")
		j.Spec.Template, j.Spec.Completions, j.Spec.Suspend = m.template(), pointer[int32](2), pointer(false)
		switch rapid.IntRange(0, 2).Draw(t, "state of the Job") {
		case 0:
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
		case 1:
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailureTarget, Status: corev1.ConditionFalse}, {Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
		case 2:
			j.Status.Succeeded = 2
		}
		add("shop", "Job", "j", j, func(d *drawn) {
			d.mold, d.replicas, d.succeeded, d.ended = m, 2, int(j.Status.Succeeded), len(j.Status.Conditions) > 0
		})
	}
	if flip(t, "has a quota", 2) {
		q := drawQuota(t)
		add("shop", "ResourceQuota", q.Name, q, nil)
	}
	return start
}
