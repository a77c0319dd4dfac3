package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

func immediate(name, provisioner string) *storagev1.StorageClass {
	c := class(name, provisioner)
	c.VolumeBindingMode = nil
	return c
}

// The controller of volumes takes the volume with the fewest access modes, then the smallest.
func TestVolumeFor(t *testing.T) {
	with := func(v *corev1.PersistentVolume, changes ...func(v *corev1.PersistentVolume)) *corev1.PersistentVolume {
		v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		for _, change := range changes {
			change(v)
		}
		return v
	}
	more := func(v *corev1.PersistentVolume) {
		v.Spec.AccessModes = append(v.Spec.AccessModes, corev1.ReadWriteMany)
	}
	twice := func(v *corev1.PersistentVolume) {
		v.Spec.AccessModes = append(v.Spec.AccessModes, corev1.ReadWriteOnce)
	}
	other := func(v *corev1.PersistentVolume) {
		v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadOnlyMany}
	}
	pending := func(v *corev1.PersistentVolume) { v.Status.Phase = corev1.VolumePending }
	reserved := func(name string) func(v *corev1.PersistentVolume) {
		return func(v *corev1.PersistentVolume) {
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "shop", Name: name}
		}
	}
	fast := func(v *corev1.PersistentVolume) { v.Labels = map[string]string{"tier": "fast"} }
	v := func(name, size string, changes ...func(v *corev1.PersistentVolume)) *corev1.PersistentVolume {
		return with(volume(name, "now", size, nil), changes...)
	}
	named := func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "a" }
	for name, test := range map[string]struct {
		volumes []*corev1.PersistentVolume
		claim   func(c *corev1.PersistentVolumeClaim)
		want    string
	}{
		"none":                              {},
		"the smallest that is large enough": {volumes: []*corev1.PersistentVolume{v("a", "3Gi"), v("b", "2Gi"), v("c", "1Gi")}, want: "b"},
		"of equal ones the first":           {volumes: []*corev1.PersistentVolume{v("a", "2Gi"), v("b", "2Gi")}, want: "a"},
		"one with fewer modes":              {volumes: []*corev1.PersistentVolume{v("a", "2Gi", more), v("b", "3Gi")}, want: "b"},
		"a mode that is written twice":      {volumes: []*corev1.PersistentVolume{v("a", "3Gi"), v("b", "2Gi", twice)}, want: "b"},
		"without its mode":                  {volumes: []*corev1.PersistentVolume{v("a", "2Gi", other)}},
		"one that is not available":         {volumes: []*corev1.PersistentVolume{v("a", "2Gi", pending), v("b", "3Gi")}, want: "b"},
		"one of another claim":              {volumes: []*corev1.PersistentVolume{v("a", "2Gi", reserved("other"))}},
		"one that names the claim":          {volumes: []*corev1.PersistentVolume{v("a", "2Gi"), v("b", "3Gi", reserved("data"))}, want: "b"},
		"one that names the claim before":   {volumes: []*corev1.PersistentVolume{v("a", "3Gi", reserved("data")), v("b", "2Gi")}, want: "a"},
		"the smaller that names the claim":  {volumes: []*corev1.PersistentVolume{v("a", "3Gi", reserved("data")), v("b", "2Gi", reserved("data")), v("c", "3Gi", reserved("data"))}, want: "b"},
		"one of fewer modes before it":      {volumes: []*corev1.PersistentVolume{v("a", "2Gi"), v("b", "3Gi", reserved("data"), more)}, want: "a"},
		"one of another class":              {volumes: []*corev1.PersistentVolume{with(volume("a", "later", "2Gi", nil))}},
		"one that is selected": {volumes: []*corev1.PersistentVolume{v("a", "2Gi"), v("b", "3Gi", fast)}, want: "b",
			claim: func(c *corev1.PersistentVolumeClaim) {
				c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "fast"}}
			}},
		"one that is named":               {volumes: []*corev1.PersistentVolume{v("a", "3Gi"), v("b", "2Gi")}, claim: named, want: "a"},
		"one that is named and reserved":  {volumes: []*corev1.PersistentVolume{v("a", "1Gi", reserved("data"))}, claim: named, want: "a"},
		"one that is named and taken":     {volumes: []*corev1.PersistentVolume{v("a", "3Gi", reserved("other"))}, claim: named},
		"one that is named and too small": {volumes: []*corev1.PersistentVolume{v("a", "1Gi")}, claim: named},
		"one that is named and for one node": {volumes: []*corev1.PersistentVolume{v("a", "3Gi")}, claim: func(c *corev1.PersistentVolumeClaim) {
			named(c)
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
		}},
		"one that is named and not there": {volumes: []*corev1.PersistentVolume{v("b", "3Gi")}, claim: named},
		"a claim that is bound": {volumes: []*corev1.PersistentVolume{v("a", "3Gi")}, claim: func(c *corev1.PersistentVolumeClaim) {
			c.Spec.VolumeName, c.Annotations = "a", map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
		}},
		"a claim that is being deleted": {volumes: []*corev1.PersistentVolume{v("a", "3Gi")}, claim: func(c *corev1.PersistentVolumeClaim) { c.DeletionTimestamp = &metav1.Time{} }},
		"a claim that binds on first use": {volumes: []*corev1.PersistentVolume{with(volume("a", "later", "2Gi", nil)), with(volume("b", "later", "2Gi", nil), reserved("data"))}, want: "b",
			claim: func(c *corev1.PersistentVolumeClaim) { *c.Spec.StorageClassName = "later" }},
		"a claim that binds on first use, and no volume names": {volumes: []*corev1.PersistentVolume{with(volume("a", "later", "2Gi", nil))},
			claim: func(c *corev1.PersistentVolumeClaim) { *c.Spec.StorageClassName = "later" }},
		"a claim without a class": {volumes: []*corev1.PersistentVolume{with(volume("a", "", "2Gi", nil))}, want: "a",
			claim: func(c *corev1.PersistentVolumeClaim) { *c.Spec.StorageClassName = "" }},
		"a claim of a class that is not there": {volumes: []*corev1.PersistentVolume{with(volume("a", "none", "2Gi", nil))}, want: "a",
			claim: func(c *corev1.PersistentVolumeClaim) { *c.Spec.StorageClassName = "none" }},
	} {
		claim := pendingClaim("data", "now", "1536Mi")
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		if test.claim != nil {
			test.claim(claim)
		}
		w := world{volumes: test.volumes, classes: []*storagev1.StorageClass{immediate("now", "csi.example.com"), class("later", "csi.example.com")}}
		objects := w.objects()
		named := func() any {
			if found := objects.VolumeFor(claim); found != nil {
				return found.Name
			}
			return ""
		}
		testkit.Contract(t, named, w)
		testkit.Equal(t, named(), any(test.want), name)
	}
}

// A claim whose volume is about to be bound or provisioned does not keep the pod off a node.
func TestBindsSoon(t *testing.T) {
	classless, unset := pendingClaim("data", "", "1Gi"), pendingClaim("data", "", "1Gi")
	unset.Spec.StorageClassName = nil
	named := pendingClaim("data", "now", "1Gi")
	named.Spec.VolumeName = "v"
	unsetAndNamed := changed(unset, func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" })
	classes := []*storagev1.StorageClass{immediate("now", "csi.example.com"), immediate("static", "kubernetes.io/no-provisioner")}
	for name, test := range map[string]struct {
		claim *corev1.PersistentVolumeClaim
		lacks podvolumes.Kind
		want  string
	}{
		"provisioned":                        {claim: pendingClaim("data", "now", "1Gi"), want: "unknown PersistentVolume"},
		"never provisioned":                  {claim: pendingClaim("data", "static", "1Gi"), want: podvolumes.UnboundImmediate},
		"a volume may be missing":            {claim: pendingClaim("data", "static", "1Gi"), lacks: podvolumes.PersistentVolume, want: "unknown PersistentVolume"},
		"no such class":                      {claim: pendingClaim("data", "none", "1Gi"), want: podvolumes.UnboundImmediate},
		"a class may be missing":             {claim: pendingClaim("data", "none", "1Gi"), lacks: podvolumes.StorageClass, want: "unknown StorageClass"},
		"no class":                           {claim: classless, want: podvolumes.UnboundImmediate},
		"no class, even if some are missing": {claim: classless, lacks: podvolumes.StorageClass, want: podvolumes.UnboundImmediate},
		"the default may be missing":         {claim: unset, lacks: podvolumes.StorageClass, want: "unknown StorageClass"},
		"no default":                         {claim: unset, want: podvolumes.UnboundImmediate},
		"a volume that is named, no class":   {claim: unsetAndNamed, lacks: podvolumes.StorageClass, want: podvolumes.UnboundImmediate},
		"a volume that is named":             {claim: named, want: podvolumes.UnboundImmediate},
		"a volume that is named may be":      {claim: named, lacks: podvolumes.PersistentVolume, want: "unknown PersistentVolume"},
	} {
		w := world{claims: []*corev1.PersistentVolumeClaim{test.claim}, classes: classes}
		if test.lacks != "" {
			w.incomplete = []podvolumes.Kind{test.lacks}
		}
		objects := w.objects()
		objects.BindsSoon = true
		testkit.Equal(t, text(podvolumes.Of(podUsing("data"), objects).OfAllNodes()), test.want, name)
	}
}
