package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func pointer[T any](v T) *T { return &v }

func meta(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "shop", Name: name} }

// node returns a node with memory for anything and 110 pods.
func node(name, cpu string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}}}
	n.Status.Allocatable = testkit.List("cpu", cpu, "memory", "1Ti", "pods", "110")
	return n
}

func spec(cpu string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", cpu), nil)}}
}

func template(cpu string) corev1.PodTemplateSpec { return corev1.PodTemplateSpec{Spec: spec(cpu)} }

func podOf(name, cpu string) *corev1.Pod { return &corev1.Pod{ObjectMeta: meta(name), Spec: spec(cpu)} }

// on returns a pod on a node.
func on(node string, p *corev1.Pod) *corev1.Pod {
	p.Spec.NodeName = node
	return p
}

func deployment(name string, replicas int32, cpu string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: meta(name), Spec: appsv1.DeploymentSpec{Replicas: &replicas, Template: template(cpu)}}
}

func statefulSet(name string, replicas int32, cpu string, claims ...string) *appsv1.StatefulSet {
	s := &appsv1.StatefulSet{ObjectMeta: meta(name), Spec: appsv1.StatefulSetSpec{Replicas: &replicas, Template: template(cpu)}}
	for _, claim := range claims {
		c := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: claim}}
		c.Spec.Resources.Requests = testkit.List("storage", "1Gi")
		s.Spec.VolumeClaimTemplates = append(s.Spec.VolumeClaimTemplates, c)
	}
	return s
}

func daemonSet(name, cpu string) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{ObjectMeta: meta(name), Spec: appsv1.DaemonSetSpec{Template: template(cpu)}}
}

func job(name string, parallelism int32, cpu string) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: meta(name), Spec: batchv1.JobSpec{Parallelism: &parallelism, Template: template(cpu)}}
}

func resourceQuota(name string, hard ...string) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{ObjectMeta: meta(name), Spec: corev1.ResourceQuotaSpec{Hard: testkit.List(hard...)}}
}

// owned returns an object that belongs to a controller.
func owned[O metav1.Object](obj O, kind, name string) O {
	obj.SetOwnerReferences([]metav1.OwnerReference{{Kind: kind, Name: name, Controller: pointer(true)}})
	return obj
}

func read(t testkit.TB, opts whatif.Options, objects ...admit.APIObject) *whatif.Cluster {
	t.Helper()
	c, err := whatif.Read(objects, opts)
	testkit.OK(t, err)
	return c
}

// inShop returns the name of a pod.
func inShop(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: "shop", Name: name}
}

// ledgerOf returns the ledger of a node, nil if there is none.
func ledgerOf(c *whatif.Cluster, node string) *noderesources.Ledger {
	l, _ := c.Ledger(node)
	return l
}

// outcome is a result, and the cluster afterwards.
type outcome struct {
	whatif.Result
	After *whatif.Cluster
}

// did returns the results of Apply, Delete and Drain as one.
func did(r whatif.Result, after *whatif.Cluster) outcome { return outcome{r, after} }

// story writes a result, one line for each object and pod.
func story(r outcome) string {
	var b strings.Builder
	for _, o := range r.Objects {
		fmt.Fprintf(&b, "%s %s %s", o.Kind, o.Name, o.Action)
		if o.Wanted+o.Pods+o.Outdated > 0 {
			fmt.Fprintf(&b, " %d/%d/%d", o.Wanted, o.Pods, o.Placed)
		}
		if o.Outdated > 0 {
			fmt.Fprintf(&b, " outdated %d", o.Outdated)
		}
		for _, reason := range []whatif.Reason{o.Reason, o.Missing} {
			if reason.Cause != "" {
				fmt.Fprintf(&b, ": %s", reason.Message)
			}
		}
		if o.Depends {
			b.WriteString(" depends")
		}
		b.WriteString("\n")
	}
	for _, o := range r.Others {
		if o.Missing.Cause != "" {
			fmt.Fprintf(&b, "%s %s %d/%d/%d: %s\n", o.Kind, o.Name, o.Wanted, o.Pods, o.Placed, o.Missing.Message)
		}
	}
	for _, p := range r.Pods {
		fmt.Fprintf(&b, "  %s", p.Object.Name)
		switch {
		case p.Gone:
			fmt.Fprintf(&b, " %s>%s", p.Before, map[bool]string{true: "preempted"}[p.Preempted])
		case p.Waits.Cause != "":
			fmt.Fprintf(&b, "%s: %s", map[bool]string{true: " " + p.Before + ">preempted"}[p.Preempted], p.Waits.Message)
		case p.Before != "":
			fmt.Fprintf(&b, " %s>%s", p.Before, p.Node)
		default:
			fmt.Fprintf(&b, " >%s", p.Node)
		}
		if p.Depends {
			b.WriteString(" depends")
		}
		for _, field := range p.Unknown {
			b.WriteString(" ?" + field)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// wantStory compares a result with lines that are indented by tabs.
func wantStory(t *testing.T, r outcome, want string) outcome {
	t.Helper()
	testkit.NoDiff(t, strings.Split(story(r), "\n"), strings.Split(strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\t", ""), "\n"))
	return r
}

// A quota that is applied as an update is only read.
func TestUpdatedQuotaIsOnlyRead(t *testing.T) {
	c := did(read(t, whatif.Options{}).Apply(resourceQuota("q", "pods", "1"))).After
	q := resourceQuota("q", "pods", "2")
	given := testkit.Fingerprint(q)
	c.Apply(q)
	testkit.Equal(t, testkit.Fingerprint(q), given)
}
