package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The default shape is a line from 100 for no utilization to 0 for 100 %.
func TestScores(t *testing.T) {
	yes := true
	everywhere := &metav1.LabelSelector{}
	w := world{
		claims: []*corev1.PersistentVolumeClaim{
			pendingClaim("a", "static", "1Gi"), pendingClaim("b", "static", "1Gi"), pendingClaim("other", "second", "1Gi"),
			pendingClaim("fast", "fast", "1Gi"), pendingClaim("fast2", "fast", "2Gi"), pendingClaim("plain", "plain", "1Gi"),
			pendingClaim("single", "single", "1Gi"), pendingClaim("full", "full", "2Gi"), pendingClaim("full2", "full", "2Gi"),
			pendingClaim("fast9", "fast", "200Gi"), pendingClaim("untracked", "plain", "1Gi"), boundClaim("bound", "v"), pendingClaim("sizeless", "static", ""),
		},
		volumes: []*corev1.PersistentVolume{
			volume("v", "", "10Gi", nil),
			volume("s1", "static", "4Gi", inZone("a")), volume("s2", "static", "8Gi", inZone("a", "b")),
			volume("s3", "static", "16Gi", inZone("b")), volume("o", "second", "3Gi", inZone("a")), volume("p", "second", "1Gi", inZone("b")),
			volume("z", "zero", "0", inZone("a", "b")),
		},
		classes: []*storagev1.StorageClass{
			class("static", ""), class("second", ""), class("fast", "csi.example.com"), class("plain", "plain.example.com"),
			class("single", "csi.example.com"), class("full", "csi.example.com"), class("zero", ""),
		},
		drivers: driver(&yes),
		capacities: []*storagev1.CSIStorageCapacity{
			capacity("fast", "8Gi", "", zoneIs("a")), capacity("fast", "5Gi", "", zoneIs("b")), capacity("fast", "99Gi", "", zoneIs("a")),
			capacity("fast", "", "300Gi", everywhere), capacity("plain", "8Gi", "", everywhere),
			capacity("single", "", "1Gi", everywhere), capacity("full", "3Gi", "", everywhere),
		},
	}
	annotated := pendingClaim("annotated", "", "1Gi")
	annotated.Spec.StorageClassName, annotated.Annotations = nil, map[string]string{corev1.BetaStorageClassAnnotation: "fast"}
	w.claims = append(w.claims, pendingClaim("zero", "zero", "0"), annotated)
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		want []int64 // in the zones a, b
	}{
		{"a bound claim", podUsing("bound"), []int64{0, 0}},
		{"a volume that exists", podUsing("a"), []int64{75, 88}},                      // 1 of 4, 1 of 8 (12.5 % is 12)
		{"a claim without a size", podUsing("sizeless"), []int64{100, 100}},           // 0 of 4
		{"an empty volume", podUsing("zero"), []int64{0, 0}},                          // 0 of 0 is full
		{"two volumes of a class", podUsing("a", "b"), []int64{84, 92}},               // 2 of 12 (16.67 %), 2 of 24 (8.33 %)
		{"volumes of two classes", podUsing("a", "other"), []int64{71, 44}},           // (75 + 67) / 2, (88 + 0) / 2
		{"a provisioner", podUsing("fast"), []int64{88, 80}},                          // 1 of 8, 1 of 5
		{"two claims share its capacity", podUsing("fast", "fast2"), []int64{63, 40}}, // 3 of 8 (37.5 %), 3 of 5
		{"a class in an annotation", podUsing("annotated", "fast"), []int64{75, 60}},  // 2 of 8, 2 of 5; the scheduler panics
		{"two provisioners", podUsing("fast", "single"), []int64{44, 40}},             // (88 + 0) / 2, (80 + 0) / 2
		{"a maximum alone", podUsing("single"), []int64{0, 0}},                        // the scheduler panics
		{"a maximum alone, after a provisioner", podUsing("fast", "fast9"), []int64{0, 0}},
		{"two thirds", podUsing("full"), []int64{34, 34}}, // 2 of 3 (66.67 %)
		{"a provisioner that does not say that it publishes", podUsing("untracked"), []int64{0, 0}},
		{"more than there is", podUsing("full", "full2"), []int64{0, 0}},          // 4 of 3
		{"a provisioner beside a volume", podUsing("fast", "a"), []int64{75, 88}}, // only volumes count
		{"a provisioner that publishes nothing", podUsing("plain"), []int64{0, 0}},
		{"two claims, one of which is published", podUsing("plain", "fast"), []int64{88, 80}},
		{"no claim", podWith(gce("a", false)), []int64{0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nodes := podvolumes.Of(test.pod, w.objects()).On(zoneNodes("b", "a"), func(int) []*corev1.Pod { return nil })
			got := []int64{-1, -1}
			nodes.Scores([]int{1, 0}, got)
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// The average of classes is rounded half away from zero.
func TestScoreIsRounded(t *testing.T) {
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{pendingClaim("a", "x", "1Gi"), pendingClaim("b", "y", "1Gi")},
		volumes: []*corev1.PersistentVolume{volume("v", "x", "4Gi", nil), volume("w", "y", "5Gi", nil)},
		classes: []*storagev1.StorageClass{class("x", ""), class("y", "")},
	}
	nodes := podvolumes.Of(podUsing("a", "b"), w.objects()).On(zoneNodes("a"), func(int) []*corev1.Pod { return nil })
	got := make([]int64, 1)
	nodes.Scores([]int{0}, got)
	testkit.NoDiff(t, got, []int64{78}) // (75 + 80) / 2 = 77.5
}
