package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

func ephemeralPod() *corev1.Pod {
	return podWith(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
		VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}, Annotations: map[string]string{"a": "b"}},
			Spec:       pendingClaim("", "fast", "1Gi").Spec,
		},
	}})
}

// ephemeral returns a claim that belongs to the pod of ephemeralPod.
func ephemeral(claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	pod := ephemeralPod()
	claim.Name = "web-0-data"
	claim.OwnerReferences = podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[0]).OwnerReferences
	return claim
}

// The messages are those of PreFilter of the three plugins, of Kubernetes 1.37.2.
func TestOfAllNodes(t *testing.T) {
	isLost := func(c *corev1.PersistentVolumeClaim) { c.Status.Phase = corev1.ClaimLost }
	isDeleted := func(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{} }
	immediate := changed(class("now", "csi.example.com"), func(c *storagev1.StorageClass) {
		mode := storagev1.VolumeBindingImmediate
		c.VolumeBindingMode = &mode
	})
	classes := []*storagev1.StorageClass{class("fast", "csi.example.com"), immediate,
		changed(immediate, func(c *storagev1.StorageClass) { c.Name, c.VolumeBindingMode = "default", nil })}
	const unbound = "pod has unbound immediate PersistentVolumeClaims"
	for _, test := range []struct {
		name   string
		pod    *corev1.Pod
		claims []*corev1.PersistentVolumeClaim
		want   string
	}{
		{"a missing claim", podUsing("a"), nil, `persistentvolumeclaim "a" not found`},
		{"the second is missing", podUsing("a", "b"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "fast", "1Gi")},
			`persistentvolumeclaim "b" not found`},
		{"a claim without a name", podUsing(""), nil, `persistentvolumeclaim "" not found`},
		{"a claim of another namespace", podUsing("a"), []*corev1.PersistentVolumeClaim{
			changed(pendingClaim("a", "fast", "1Gi"), func(c *corev1.PersistentVolumeClaim) { c.Namespace = "ops" })},
			`persistentvolumeclaim "a" not found`},
		{"a missing claim after a lost one", podUsing("a", "b"), []*corev1.PersistentVolumeClaim{changed(boundClaim("a", "v"), isLost)},
			`persistentvolumeclaim "b" not found`},
		{"a lost claim", podUsing("a"), []*corev1.PersistentVolumeClaim{changed(boundClaim("a", "v"), isLost)},
			`persistentvolumeclaim "a" bound to non-existent persistentvolume "v"`},
		{"a lost claim that is deleted", podUsing("a"),
			[]*corev1.PersistentVolumeClaim{changed(changed(boundClaim("a", "v"), isLost), isDeleted)},
			`persistentvolumeclaim "a" bound to non-existent persistentvolume "v"`},
		{"a deleted claim", podUsing("a"), []*corev1.PersistentVolumeClaim{changed(pendingClaim("a", "now", "1Gi"), isDeleted)},
			`persistentvolumeclaim "a" is being deleted`},
		{"an unbound claim after one that is deleted", podUsing("b", "a"), []*corev1.PersistentVolumeClaim{
			pendingClaim("b", "now", "1Gi"), changed(pendingClaim("a", "fast", "1Gi"), isDeleted)},
			`persistentvolumeclaim "a" is being deleted`},
		{"an immediate claim", podUsing("a"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "now", "1Gi")}, unbound},
		{"a class without a binding mode", podUsing("a"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "default", "1Gi")}, unbound},
		{"an immediate claim after another volume", changed(podWith(corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}), func(pod *corev1.Pod) {
			pod.Spec.Volumes = append(pod.Spec.Volumes, podUsing("a").Spec.Volumes...)
		}), []*corev1.PersistentVolumeClaim{pendingClaim("a", "now", "1Gi")}, unbound},
		{"a claim that is said to be bound, without a volume", podUsing("a"), []*corev1.PersistentVolumeClaim{
			changed(pendingClaim("a", "now", "1Gi"), func(c *corev1.PersistentVolumeClaim) { c.Annotations = boundClaim("a", "").Annotations })}, unbound},
		{"no class", podUsing("a"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "", "1Gi")}, unbound},
		{"a missing class", podUsing("a"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "slow", "1Gi")}, unbound},
		{"an immediate claim before one for later", podUsing("a", "b"), []*corev1.PersistentVolumeClaim{
			pendingClaim("a", "now", "1Gi"), pendingClaim("b", "fast", "1Gi")}, unbound},
		{"a claim that names a volume and is not bound", podUsing("a"), []*corev1.PersistentVolumeClaim{
			changed(pendingClaim("a", "fast", "1Gi"), func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" })}, unbound},
		{"a missing volume", podUsing("a"), []*corev1.PersistentVolumeClaim{boundClaim("a", "v")}, `persistentvolume "v" not found`},
		{"an immediate claim after one whose volume is missing", podUsing("a", "b"), []*corev1.PersistentVolumeClaim{
			boundClaim("a", "v"), pendingClaim("b", "now", "1Gi")}, unbound},
		{"a claim for later", podUsing("a"), []*corev1.PersistentVolumeClaim{pendingClaim("a", "fast", "1Gi")}, ""},
		{"a class by annotation", podUsing("a"), []*corev1.PersistentVolumeClaim{
			changed(pendingClaim("a", "now", "1Gi"), func(c *corev1.PersistentVolumeClaim) {
				c.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: "fast"}
			})}, ""},
		{"a missing ephemeral claim", ephemeralPod(), nil,
			`waiting for ephemeral volume controller to create the persistentvolumeclaim "web-0-data"`},
		{"an ephemeral claim of another", ephemeralPod(), []*corev1.PersistentVolumeClaim{pendingClaim("web-0-data", "fast", "1Gi")},
			"PVC shop/web-0-data was not created for pod shop/web-0 (pod is not owner)"},
		{"an ephemeral claim of a former pod of the name", ephemeralPod(), []*corev1.PersistentVolumeClaim{
			changed(ephemeral(pendingClaim("", "fast", "1Gi")), func(c *corev1.PersistentVolumeClaim) { c.OwnerReferences[0].UID = "former" })},
			"PVC shop/web-0-data was not created for pod shop/web-0 (pod is not owner)"},
		{"an ephemeral claim", ephemeralPod(), []*corev1.PersistentVolumeClaim{ephemeral(pendingClaim("", "fast", "1Gi"))}, ""},
		{"an immediate ephemeral claim", ephemeralPod(), []*corev1.PersistentVolumeClaim{ephemeral(pendingClaim("", "now", "1Gi"))}, unbound},
		{"an ephemeral claim that is deleted", ephemeralPod(),
			[]*corev1.PersistentVolumeClaim{changed(ephemeral(pendingClaim("", "fast", "1Gi")), isDeleted)},
			`persistentvolumeclaim "web-0-data" is being deleted`},
		{"an ephemeral claim without a volume", ephemeralPod(), []*corev1.PersistentVolumeClaim{ephemeral(boundClaim("", "v"))}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			volumes := podvolumes.Of(test.pod, world{claims: test.claims, classes: classes}.objects())
			all := volumes.OfAllNodes()
			testkit.Equal(t, text(all), test.want)
			if test.want == "" {
				return
			}
			nodes := volumes.On(zoneNodes("a"), func(int) []*corev1.Pod { return nil })
			testkit.Equal(t, text(nodes.Verdict(0)), test.want)
			testkit.Equal(t, len(nodes.Bindings(0)), 0)
		})
	}
}

// A volume that is missing is a matter of each node if the claim is ephemeral.
func TestEphemeralClaimWithoutVolume(t *testing.T) {
	w := world{claims: []*corev1.PersistentVolumeClaim{ephemeral(boundClaim("", "v"))}}
	testkit.NoDiff(t, texts(verdicts(ephemeralPod(), w, zoneNodes("a")...)),
		[]string{"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"})
}

func TestEphemeralClaim(t *testing.T) {
	pod, isTrue := ephemeralPod(), true
	claim := podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[0])
	want := pendingClaim("web-0-data", "fast", "1Gi")
	want.Status.Phase = ""
	want.Labels, want.Annotations = map[string]string{"app": "web"}, map[string]string{"a": "b"}
	want.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "pod", Controller: &isTrue, BlockOwnerDeletion: &isTrue}}
	testkit.NoDiff(t, claim, want)
	testkit.Contract(t, func() any { return podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[0]) }, pod)

	for _, source := range []corev1.VolumeSource{
		{}, {Ephemeral: &corev1.EphemeralVolumeSource{}}, podUsing("a").Spec.Volumes[0].VolumeSource,
		{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}, Ephemeral: pod.Spec.Volumes[0].Ephemeral},
	} {
		if claim := podvolumes.EphemeralClaim(pod, &corev1.Volume{VolumeSource: source}); claim != nil {
			t.Errorf("got %v", claim)
		}
	}
}

func TestClaimName(t *testing.T) {
	pod := ephemeralPod()
	testkit.Equal(t, podvolumes.ClaimName(pod, &pod.Spec.Volumes[0]), "web-0-data")
	testkit.Equal(t, podvolumes.ClaimName(pod, &podUsing("a").Spec.Volumes[0]), "a")
	testkit.Equal(t, podvolumes.ClaimName(pod, &corev1.Volume{Name: "x"}), "")
}

// Volumes that no plugin looks at decide nothing, whatever the input lacks.
func TestVolumesOfNoConcern(t *testing.T) {
	for name, pod := range map[string]*corev1.Pod{
		"no pod":     nil,
		"no volume":  podUsing(),
		"a folder":   podWith(corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}),
		"NFS":        podWith(corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}),
		"inline CSI": podWith(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{}}),
	} {
		if podvolumes.Of(pod, podvolumes.Objects{}) != nil {
			t.Errorf("%s: not nil", name)
		}
	}
}

// Functions that are nil find nothing.
func TestNoObjects(t *testing.T) {
	all := podvolumes.Of(podUsing("a"), podvolumes.Objects{}).OfAllNodes()
	testkit.Equal(t, text(all), `persistentvolumeclaim "a" not found`)
	claims := []*corev1.PersistentVolumeClaim{pendingClaim("a", "fast", "1Gi"), boundClaim("b", "v")}
	only := podvolumes.Objects{Claim: world{claims: claims}.objects().Claim}
	all = podvolumes.Of(podUsing("a"), only).OfAllNodes()
	testkit.Equal(t, text(all), "pod has unbound immediate PersistentVolumeClaims")
	all = podvolumes.Of(podUsing("b"), only).OfAllNodes()
	testkit.Equal(t, text(all), `persistentvolume "v" not found`)
}
