package conformance

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWarnings(t *testing.T) {
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		q := stored(quantityRanges[rapid.SampledFrom([]string{"any quantity", "ordinary quantities", "bytes"}).Draw(t, "range")])
		claim := corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{
			Requests: testkit.ResourceList(q).Draw(t, "requests"), Limits: corev1.ResourceList{corev1.ResourceStorage: q.Draw(t, "limit")},
		}}
		ours := testkit.PodWith(q).Draw(t, "pod")
		ours.Annotations = nil
		ours.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: claim}}}}}
		theirs := corePod(t, ours)
		var want []string
		for _, text := range pod.GetWarningsForPod(context.Background(), theirs, nil) {
			want = append(want, strings.TrimPrefix(text, "<nil>."))
		}
		testkit.NoDiff(t, computeresources.SpecWarnings(&ours.Spec, nil), want, "pod")
		want = pod.GetWarningsForPodTemplate(context.Background(), field.NewPath("spec", "template"), &core.PodTemplateSpec{Spec: theirs.Spec}, nil)
		testkit.NoDiff(t, computeresources.SpecWarnings(&ours.Spec, field.NewPath("spec", "template", "spec")), want, "template")
		count += len(computeresources.SpecWarnings(&ours.Spec, nil))
	})
	if count == 0 {
		t.Error("nothing was warned about")
	}
}
