package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// addSidecar adds what a webhook adds.
func addSidecar(spec *corev1.PodSpec) {
	always := corev1.ContainerRestartPolicyAlways
	proxy, agent := testkit.Container("proxy", testkit.List("cpu", "250m"), nil), testkit.Container("agent", testkit.List("cpu", "50m"), nil)
	proxy.RestartPolicy = &always
	spec.InitContainers = append([]corev1.Container{proxy}, spec.InitContainers...)
	spec.Containers = append(spec.Containers, agent)
}

// If a webhook adds containers to the pods of a workload, its new pods get what they would get from a template with them.
func TestInjected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"}).Draw(t, "kind")
		workload := func(replicas int32, p corev1.PodTemplateSpec) admit.APIObject {
			switch kind {
			case "Deployment":
				return &appsv1.Deployment{ObjectMeta: meta("w"), Spec: appsv1.DeploymentSpec{Replicas: &replicas, Template: p}}
			case "StatefulSet":
				return &appsv1.StatefulSet{ObjectMeta: meta("w"), Spec: appsv1.StatefulSetSpec{Replicas: &replicas, Template: p}}
			case "DaemonSet":
				return &appsv1.DaemonSet{ObjectMeta: meta("w"), Spec: appsv1.DaemonSetSpec{Template: p}}
			case "ReplicaSet":
				return &appsv1.ReplicaSet{ObjectMeta: meta("w"), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: p}}
			}
			return &batchv1.Job{ObjectMeta: meta("w"), Spec: batchv1.JobSpec{Parallelism: &replicas, Template: p}}
		}
		with := func(p corev1.PodTemplateSpec) corev1.PodTemplateSpec {
			own := *p.DeepCopy()
			addSidecar(&own.Spec)
			return own
		}
		old, new := drawTemplate(t), drawTemplate(t)
		quota := resourceQuota("q", "requests.cpu", fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "hard")))
		nodes := []admit.APIObject{drawNode(t), quota}
		c := did(read(t, whatif.Options{}).Apply(append(nodes, workload(rapid.Int32Range(1, 3).Draw(t, "replicas"), with(old)))...)).After
		var plain, whole []admit.APIObject // a dump of both
		hasPods := false
		for _, o := range append(whatif.ObjectsOf(c, "shop"), whatif.NodeObjectsOf(c)...) {
			switch o := o.(type) {
			case *corev1.ResourceQuota:
			case *corev1.Pod:
				p, _ := c.Pod(inShop(o.Name))
				o = on(p.Node, o.DeepCopy())
				plain, whole, hasPods = append(plain, o), append(whole, o), true
			default:
				own := o.DeepCopyObject().(admit.APIObject)
				if spec := specOf(own); spec != nil {
					*spec = old.Spec
				}
				plain, whole = append(plain, own), append(whole, o)
			}
		}
		plain, whole = append(plain, c.Namespace("shop").Quotas()[0]), append(whole, c.Namespace("shop").Quotas()[0])
		if !hasPods {
			return
		}
		replicas := rapid.Int32Range(0, 5).Draw(t, "new replicas")
		a, b := read(t, whatif.Options{}, plain...), read(t, whatif.Options{}, whole...)
		testkit.Equal(t, fmt.Sprint(a.Room(workload(replicas, new))), fmt.Sprint(b.Room(workload(replicas, with(new)))))
		got, want := did(a.Apply(workload(replicas, new))), did(b.Apply(workload(replicas, with(new))))
		testkit.Equal(t, fmt.Sprint(got.Objects[0].Injected), "[proxy agent]")
		testkit.NoDiff(t, stateOf(got.After), stateOf(want.After))
		testkit.NoDiff(t, unnamed(got), unnamed(want))
	})
}

// The newest pod counts. What a template has itself is not injected, nor is what it had before.
func TestInjectedOnce(t *testing.T) {
	class := "kata"
	old, now := owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web"), owned(on("a", podOf("web-y", "1")), "ReplicaSet", "web")
	now.CreationTimestamp = metav1.Unix(2, 0)
	old.CreationTimestamp = metav1.Unix(1, 0)
	addSidecar(&now.Spec)
	now.Spec.RuntimeClassName, now.Spec.Overhead = &class, testkit.List("cpu", "10m")
	rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}}, "Deployment", "gone")
	used := func(c *whatif.Cluster) string {
		return testkit.Texts(c.Namespace("shop").Quotas()[0].Status.Used)["requests.cpu"]
	}
	c := read(t, whatif.Options{}, rs, old, now, resourceQuota("q", "requests.cpu", "9"))
	more := rs.DeepCopy()
	more.Spec.Replicas = pointer[int32](3)
	r := did(c.Apply(more))
	testkit.Equal(t, fmt.Sprint(used(c), used(r.After), r.Objects[0].Injected), "2310m DecimalSI3620m DecimalSI[proxy agent]")
	has := more.DeepCopy()
	addSidecar(&has.Spec.Template.Spec)
	testkit.Equal(t, fmt.Sprint(used(did(c.Apply(has)).After), did(c.Apply(has)).Objects[0].Injected), "3620m DecimalSI[]")
	var names []string
	for _, c := range r.Pods[0].Object.Spec.Containers {
		names = append(names, c.Name)
	}
	testkit.Equal(t, slices.Contains(names, "agent"), true)
}

// A sidecar starts before the init containers of the template, which run beside it: 1 and 250m.
func TestInjectedSidecarIsFirst(t *testing.T) {
	rs := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("100m")}}
	rs.Spec.Template.Spec.InitContainers = []corev1.Container{testkit.Container("setup", testkit.List("cpu", "1"), nil)}
	p := owned(on("a", podOf("web-x", "100m")), "ReplicaSet", "web")
	p.Spec = *rs.Spec.Template.Spec.DeepCopy()
	addSidecar(&p.Spec)
	two := rs.DeepCopy()
	two.Spec.Replicas = pointer[int32](2)
	c := read(t, whatif.Options{}, rs, p, resourceQuota("q", "requests.cpu", "9"))
	for _, c := range []struct {
		at   *whatif.Cluster
		want string
	}{{c, "1250m DecimalSI"}, {did(c.Apply(two)).After, "2500m DecimalSI"}} {
		testkit.Equal(t, testkit.Texts(c.at.Namespace("shop").Quotas()[0].Status.Used)["requests.cpu"], c.want)
	}
}

// A pod that is applied again is unchanged, although the server and a webhook have added to what is stored.
func TestPodAppliedAgain(t *testing.T) {
	applied := podOf("p", "1")
	applied.Spec.Volumes = []corev1.Volume{{Name: "v"}}
	applied.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "v", MountPath: "/v"}}
	stored := on("a", applied.DeepCopy())
	stored.Spec.Volumes = append(stored.Spec.Volumes, corev1.Volume{Name: "kube-api-access-x"})
	stored.Spec.Containers[0].VolumeMounts = append(stored.Spec.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "kube-api-access-x"})
	addSidecar(&stored.Spec)
	c := read(t, whatif.Options{}, stored)
	more, removed, kept := applied.DeepCopy(), applied.DeepCopy(), applied.DeepCopy()
	more.Spec.Volumes = []corev1.Volume{{Name: "w"}, {Name: "v"}}
	removed.Name, kept.Name = "q", "r"
	whole := on("a", applied.DeepCopy())
	whole.Name, whole.Spec.Volumes = "r", append(whole.Spec.Volumes, corev1.Volume{Name: "w"})
	c = did(c.Apply(whole)).After // of which kubectl notes nothing here
	whole = whole.DeepCopy()
	whole.Name, whole.Annotations = "q", map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"volumes": [{"name": "v"}, {"name": "w"}]}}`}
	c = did(c.Apply(whole)).After
	for _, test := range []struct {
		pod  *corev1.Pod
		want whatif.Action
	}{{applied, whatif.Unchanged}, {stored, whatif.Unchanged}, {more, whatif.Refused}, {removed, whatif.Refused}, {kept, whatif.Unchanged}} {
		testkit.Equal(t, did(c.Apply(test.pod)).Objects[0].Action, test.want)
	}
}
