package whatif_test

import (
	"fmt"
	"runtime"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const (
	manyNodes   = 5_000
	podsPerNode = 30
	perSet      = 50 // pods of a ReplicaSet
	setsPerTeam = 6
)

// dump returns the objects of a large cluster: nodes that are half full, and the pods of Deployments in namespaces
// with a quota and a LimitRange. A namespace has 300 pods.
func dump() (objects []admit.APIObject) {
	for i := range manyNodes {
		n := node(fmt.Sprintf("node-%04d", i), "16")
		if i%10 == 0 {
			n.Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: fmt.Sprint(i % 100), Effect: corev1.TaintEffectNoSchedule}}
		}
		objects = append(objects, n)
	}
	for set := range manyNodes * podsPerNode / perSet {
		team := fmt.Sprint("team-", set/setsPerTeam)
		if set%setsPerTeam == 0 {
			q := resourceQuota("quota", "requests.cpu", "1000", "pods", "1000")
			q.Namespace = team
			lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: team, Name: "defaults"}}
			lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("memory", "64Mi")}}
			objects = append(objects, q, lr)
		}
		d := deployment(fmt.Sprint("app-", set), perSet, fmt.Sprint(200+set%7*50, "m"))
		d.Namespace = team
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: team, Name: d.Name + "-1"}}, "Deployment", d.Name)
		rs.Spec = appsv1.ReplicaSetSpec{Replicas: d.Spec.Replicas, Template: d.Spec.Template}
		objects = append(objects, d, rs)
		for i := range perSet {
			p := owned(podOf(fmt.Sprint(rs.Name, "-", i), "1"), "ReplicaSet", rs.Name)
			p.Namespace, p.Spec = team, *d.Spec.Template.Spec.DeepCopy()
			objects = append(objects, on(fmt.Sprintf("node-%04d", (set*perSet+i)%manyNodes), p))
		}
	}
	return objects
}

// teamDeployment returns a new Deployment in one of the namespaces.
func teamDeployment(name string, replicas int32) *appsv1.Deployment {
	d := deployment(name, replicas, "300m")
	d.Namespace = "team-7"
	return d
}

func BenchmarkDump(b *testing.B) {
	objects := dump()
	b.Run("Read", func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c := read(b, whatif.Options{}, objects...)
		runtime.GC()
		runtime.ReadMemStats(&after)
		for b.Loop() {
			testkit.Keep(read(b, whatif.Options{}, objects...))
		}
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(manyNodes*podsPerNode), "heap-B/pod")
		runtime.KeepAlive(c)
	})
	c := read(b, whatif.Options{}, objects...)
	distinct := make([]admit.APIObject, 100)
	for i := range distinct {
		d := teamDeployment(fmt.Sprint("new-", i), 1)
		d.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Value: fmt.Sprint(i), Effect: corev1.TaintEffectNoSchedule}}
		distinct[i] = d
	}
	larger := teamDeployment("new", 100)
	larger.Spec.Template = template("400m")
	rollout := did(c.Apply(teamDeployment("new", 100))).After
	for _, question := range []struct {
		name string
		ask  func() any
	}{
		{"100 replicas", func() any { return did(c.Apply(teamDeployment("new", 100))) }},
		{"100 replicas with distinct tolerations", func() any { return did(c.Apply(distinct...)) }},
		{"rollout of 100 replicas", func() any { return did(rollout.Apply(larger)) }},
		{"1 replica", func() any { return did(c.Apply(teamDeployment("new", 1))) }},
		{"drain", func() any { return did(c.Drain("node-0042")) }},
		{"room", func() any { return c.Room(teamDeployment("new", 1)) }},
	} {
		b.Run(question.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(question.ask())
			}
		})
	}
}
