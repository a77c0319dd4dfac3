package scheduler

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// ofTwoPods returns a node with two pods, of which the second is more important than the new pod.
func ofTwoPods(change func(pods ...*corev1.Pod)) *cluster {
	c := &cluster{namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}}
	c.nodes = []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Allocatable: testkit.List("pods", "9")}}}
	for i, name := range []string{"first", "second", "new"} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		p.Spec.Containers, p.Spec.Priority = []corev1.Container{{Name: "app"}}, new([]int32{0, 9, 5}[i])
		p.Spec.NodeName, p.Status.StartTime = []string{"n", "n", ""}[i], &metav1.Time{}
		c.pods = append(c.pods, p)
	}
	change(c.pods...)
	c.pod, c.pods = c.pods[2], c.pods[:2]
	return c
}

// preemptedBy returns the victims of the new pod, theirs and ours.
func preemptedBy(t *testing.T, c *cluster) (theirs, ours []string) {
	s := newDefaultScheduler(t)
	p, hasRoom := s.preempt(t, newPreemption(t, s), c, "n")
	testkit.Equal(t, hasRoom, false)
	objects := append([]admit.APIObject{c.namespace, in("ops", c.namespace), c.nodes[0], c.pods[0], c.pods[1]}, c.storage.all()...)
	read, err := whatif.Read(objects, whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release}}})
	testkit.OK(t, err)
	result, _ := read.Apply(c.pod)
	for _, p := range result.Pods {
		if p.Preempted {
			ours = append(ours, p.Object.Name)
		}
	}
	return p.victims, ours
}

func in(name string, like *corev1.Namespace) *corev1.Namespace {
	own := like.DeepCopy()
	own.Name = name
	return own
}

// Two pods share a port on a node, which only pods can that were bound without the scheduler. The scheduler forgets the port
// with the first of them that it removes, so that it preempts a pod for nothing. Here the port is in use.
// See docs/decisions/computeresources.md#victims-free-only-what-they-use.
func TestDivergencePortsOfVictims(t *testing.T) {
	theirs, ours := preemptedBy(t, ofTwoPods(func(pods ...*corev1.Pod) {
		for _, p := range pods {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolTCP}}
		}
	}))
	testkit.NoDiff(t, theirs, []string{"first"}, "theirs")
	testkit.Equal(t, len(ours), 0, "ours")
}

// A claim that one pod may use is in use by the second pod, and the first uses it as well, which only pods can that were bound
// without the scheduler; or it uses a claim of the same name in another namespace. The scheduler counts the claim once, and
// forgets it when it removes the first pod, so that it preempts a pod for nothing. Here it is in use.
// See docs/decisions/computeresources.md#victims-free-only-what-they-use.
func TestDivergenceOneClaimOfVictims(t *testing.T) {
	for _, namespace := range []string{"shop", "ops"} {
		theirs, ours := preemptedBy(t, ofOneClaim(namespace))
		testkit.NoDiff(t, theirs, []string{"first"}, "theirs, in", namespace)
		testkit.Equal(t, len(ours), 0, "ours, in", namespace)
	}
}

// ofOneClaim returns two pods that use a claim of one name, the first of them in a namespace.
func ofOneClaim(namespace string) *cluster {
	c := ofTwoPods(func(pods ...*corev1.Pod) {
		for _, p := range pods {
			p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
		}
		pods[0].Namespace = namespace
	})
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	volume.Spec.Local = &corev1.LocalVolumeSource{Path: "/mnt"}
	for _, namespace := range []string{"shop", "ops"} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "data"}}
		claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
		claim.Spec.VolumeName, claim.Spec.AccessModes = "v", []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		c.storage.claims = append(c.storage.claims, claim)
	}
	c.storage.volumes = []*corev1.PersistentVolume{volume}
	return c
}
