package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// claims are the claims of a pod, with the volumes that there are.
type claims struct {
	claims     []*corev1.PersistentVolumeClaim
	volumes    []*corev1.PersistentVolume
	incomplete []podvolumes.Kind
}

// around returns the claims as what decides about a pod. Their classes bind on first use, and provision nothing.
func (c claims) around() placement.Around {
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	return placement.Around{Volumes: podvolumes.Objects{
		Claim: func(_, name string) *corev1.PersistentVolumeClaim {
			for _, claim := range c.claims {
				if claim.Name == name {
					return claim
				}
			}
			return nil
		},
		Volume: func(name string) *corev1.PersistentVolume {
			for _, volume := range c.volumes {
				if volume.Name == name {
					return volume
				}
			}
			return nil
		},
		VolumesOf: func(string) []*corev1.PersistentVolume { return c.volumes },
		Class: func(name string) *storagev1.StorageClass {
			return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, VolumeBindingMode: &mode}
		},
		Incomplete: c.incomplete,
	}}
}

// using makes a pod use claims.
func using(names ...string) func(pod *corev1.Pod) {
	return func(pod *corev1.Pod) {
		for _, name := range names {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
		}
	}
}

// bound and unbound return claims of 1Gi.
func bound(name, volume string, modes ...corev1.PersistentVolumeAccessMode) *corev1.PersistentVolumeClaim {
	c := unbound(name)
	c.Annotations, c.Spec.VolumeName, c.Spec.AccessModes = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}, volume, modes
	return c
}

func unbound(name string) *corev1.PersistentVolumeClaim {
	class := "local"
	c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.StorageClassName, c.Spec.Resources.Requests = &class, testkit.List("storage", "1Gi")
	return c
}

// volumeAt returns a volume of a node.
func volumeAt(node, name, size string) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable}}
	v.Spec.StorageClassName, v.Spec.Capacity = "local", testkit.List("storage", size)
	v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{in("name", node)}}}
	return v
}

// Node a has a pod that uses the claim data. Volumes come after resources, and before spread and pod affinity.
func TestVolumesInTheWay(t *testing.T) {
	once := placement.Refusal{Message: podvolumes.OnePodConflict, Resolvable: true}
	elsewhere := placement.Refusal{Message: podvolumes.NodeConflict}
	taken, inUse := bound("old", "gone"), volumeAt("a", "v", "1Gi")
	inUse.Status.Phase = corev1.VolumeBound
	disk := func(pod *corev1.Pod) {
		pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{IQN: "disk"}}}}
	}
	for name, test := range map[string]struct {
		pod, there         *corev1.Pod
		claims             claims
		want               []placement.Refusal // of a and b
		invalid            string
		limited, elsewhere bool
	}{
		"a volume of a node": {pod: web(using("data")), want: []placement.Refusal{{}, elsewhere},
			claims: claims{claims: []*corev1.PersistentVolumeClaim{bound("data", "v")}, volumes: []*corev1.PersistentVolume{volumeAt("a", "v", "1Gi")}}},
		"before pod affinity": {pod: web(func(pod *corev1.Pod) { near(pod); using("data")(pod) }), want: []placement.Refusal{{Message: noAffinity}, elsewhere},
			claims:  claims{claims: []*corev1.PersistentVolumeClaim{bound("data", "v")}, volumes: []*corev1.PersistentVolume{volumeAt("a", "v", "1Gi")}},
			limited: true, elsewhere: true},
		"two reasons": {pod: web(using("data", "log")), want: []placement.Refusal{{Message: podvolumes.BindConflict}, {Message: podvolumes.NodeConflict, Also: podvolumes.BindConflict}},
			claims: claims{claims: []*corev1.PersistentVolumeClaim{bound("data", "v"), unbound("log")}, volumes: []*corev1.PersistentVolume{inUse}}},
		"one pod at a time": {pod: web(using("data")), there: web(using("data")), want: []placement.Refusal{once, once}, limited: true, elsewhere: true,
			claims: claims{claims: []*corev1.PersistentVolumeClaim{bound("data", "v", corev1.ReadWriteOncePod)}, volumes: []*corev1.PersistentVolume{volumeAt("a", "v", "1Gi")}}},
		"a disk":        {pod: web(disk), there: web(disk), want: []placement.Refusal{{Message: podvolumes.DiskConflict, Resolvable: true}, {}}, limited: true},
		"no such claim": {pod: web(using("data")), want: []placement.Refusal{{}, {}}, invalid: `persistentvolumeclaim "data" not found`},
		"before a spread that is invalid": {pod: web(func(pod *corev1.Pod) {
			using("data")(pod)
			spreading(corev1.DoNotSchedule)(pod)
			pod.Spec.TopologySpreadConstraints[0].LabelSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}}
		}), want: []placement.Refusal{{}, {}}, invalid: `persistentvolumeclaim "data" not found`},
		"a volume that is gone": {pod: web(using("old")), want: []placement.Refusal{{}, {}}, invalid: `persistentvolume "gone" not found`,
			claims: claims{claims: []*corev1.PersistentVolumeClaim{taken}}},
	} {
		nodes := []*corev1.Node{node("a"), node("b")}
		p := placement.Of(test.pod, test.claims.around())
		testkit.Equal(t, p.Invalid(), test.invalid, name)
		s := on(p, nodes, nil)
		if test.there != nil {
			s.Add(0, test.there)
		}
		testkit.NoDiff(t, []bool{s.IsLimited(), s.IsLimitedElsewhere()}, []bool{test.limited, test.elsewhere}, name)
		for i, want := range test.want {
			testkit.Equal(t, s.Accepts(i), want == placement.Refusal{} && test.invalid == "", name)
			testkit.Equal(t, s.BeforeResources(i), placement.Refusal{}, name)
			if test.invalid == "" {
				testkit.Equal(t, s.AfterResources(i), want, name)
			}
		}
		if test.there != nil {
			s.Evict(0, test.there)
			testkit.Equal(t, s.Accepts(0), true, name)
		}
	}
}

// The claim is bound to the volume of its node. A node scores higher the less of a volume is used, from 1.37 on.
func TestScoresOfVolumes(t *testing.T) {
	c := claims{claims: []*corev1.PersistentVolumeClaim{unbound("data")}, volumes: []*corev1.PersistentVolume{volumeAt("a", "v", "2Gi"), volumeAt("b", "w", "4Gi")}}
	for name, want := range map[string][]int64{"1.36": {300, 300}, "1.37": {300 + 50, 300 + 75}} {
		around := c.around()
		around.Rules = release.Rules{Release: name}
		s := on(placement.Of(web(using("data")), around), []*corev1.Node{node("a"), node("b")})
		scores := []int64{0, 0}
		s.AddScores([]int{0, 1}, scores)
		testkit.NoDiff(t, scores, want, name)
		testkit.Equal(t, s.Bindings(1)[0].Volume, c.volumes[1], name)
	}
	testkit.Equal(t, len(on(placement.Of(web(nil), c.around()), []*corev1.Node{node("a")}).Bindings(0)), 0)
}

// What is not known about a claim is unknown wherever the pod is; a limit, only on its node.
func TestVolumesThatAreNotKnown(t *testing.T) {
	v := volumeAt("a", "v", "1Gi")
	v.Spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: "csi"}
	known := claims{claims: []*corev1.PersistentVolumeClaim{bound("data", "v")}, volumes: []*corev1.PersistentVolume{v}}
	limits := known
	limits.incomplete = []podvolumes.Kind{podvolumes.CSINode}
	provisioned := unbound("data")
	provisioned.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "b"}
	for name, test := range map[string]struct {
		claims claims
		want   []bool // of a pod that waits, and on a
	}{
		"known":             {known, []bool{false, false}},
		"no claims":         {claims{incomplete: []podvolumes.Kind{podvolumes.PersistentVolumeClaim}}, []bool{true, true}},
		"limits":            {limits, []bool{false, true}},
		"being provisioned": {claims{claims: []*corev1.PersistentVolumeClaim{provisioned}}, []bool{true, false}},
	} {
		s := on(placement.Of(web(using("data")), test.claims.around()), []*corev1.Node{node("a"), node("b")})
		testkit.NoDiff(t, []bool{s.DependsOnUnknown(-1), s.DependsOnUnknown(0)}, test.want, name)
	}
	testkit.Equal(t, on(placement.Of(web(nil), placement.Around{}), []*corev1.Node{node("a")}).DependsOnUnknown(-1), false)
}

// The features of a node come last, from 1.36 on.
func TestDeclaredFeatures(t *testing.T) {
	restarting := func(pod *corev1.Pod) {
		pod.Spec.Containers = []corev1.Container{{RestartPolicyRules: []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}}}
	}
	a, b := node("a"), node("b")
	b.Status.DeclaredFeatures = []string{"RestartAllContainersOnContainerExits"}
	lacks := placement.Refusal{Message: "node(s) didn't match Pod's required features"}
	s := on(placement.Of(web(restarting), placement.Around{}), []*corev1.Node{a, b})
	testkit.NoDiff(t, []placement.Refusal{s.AfterResources(0), s.AfterResources(1)}, []placement.Refusal{lacks, {}})
	s = on(placement.Of(web(func(pod *corev1.Pod) { restarting(pod); near(pod) }), placement.Around{}), []*corev1.Node{a})
	testkit.Equal(t, s.AfterResources(0), placement.Refusal{Message: noAffinity})
	s = on(placement.Of(web(restarting), placement.Around{Rules: release.Rules{Release: "1.35"}}), []*corev1.Node{a})
	testkit.Equal(t, s.AfterResources(0), placement.Refusal{})
}
