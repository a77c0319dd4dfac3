package affinity_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
)

func TestNames(t *testing.T) {
	const uid = types.UID("33ed9195-1111-2222-3333-12aa5f056172")
	named := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "cache"}}
	for _, test := range []struct{ name, got, want string }{
		{"assistant of a run", affinity.Workspace{}.AssistantName("pr-maven-repo43"), "affinity-assistant-54ec57a88e"},
		{"assistant of a workspace", affinity.Workspace{Name: "out43"}.AssistantName("pr-maven-repo43"), "affinity-assistant-083e1416b0"},
		{"assistant of the run in the document", affinity.Workspace{}.AssistantName("my-pipelinerun"), "affinity-assistant-0b79942a50"},
		{"assistant of empty names", affinity.Workspace{}.AssistantName(""), "affinity-assistant-e3b0c44298"},
		{"claim", affinity.Workspace{Name: "cache21"}.GeneratedClaimName(uid, ""), "pvc-f07dc91ab7"},
		{"claim of a template that has a name", affinity.Workspace{Name: "cache21", ClaimTemplate: named}.GeneratedClaimName(uid, ""), "cache-f07dc91ab7"},
		{"claim of a StatefulSet", affinity.Workspace{Name: "cache21"}.GeneratedClaimName(uid, "pr-maven-repo43"), "pvc-f07dc91ab7-affinity-assistant-54ec57a88e-0"},
		{"volume of the longest name that stays", affinity.VolumeName(strings.Repeat("x", 63)), strings.Repeat("x", 63)},
		{
			"volume of a claim whose name is too long",
			affinity.VolumeName("a-claim-template-whose-name-goes-on-and-on-until-it-is-too-long-0123456789"),
			"a-claim-template-whose-name-goes-on-and-on-until-it--d25a6bcb8c",
		},
		{
			"without a separator", affinity.Workspace{Name: "src"}.AssistantName("build-1"), affinity.Workspace{Name: "srcb"}.AssistantName("uild-1"),
		},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
}
