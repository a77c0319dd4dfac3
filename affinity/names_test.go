package affinity_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
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
		{"pod", affinity.PodName("build", 0), "build-pod"},
		{"pod of the second try", affinity.PodName("build", 1), "build-pod-retry1"},
		{"pod of the longest name that stays", affinity.PodName(strings.Repeat("f", 59), 0), strings.Repeat("f", 59) + "-pod"},
		{"pod of a TaskRun with a long name", affinity.PodName(strings.Repeat("f", 63), 0), strings.Repeat("f", 27) + "105d7597f637e83cc711605ac3ea4957-pod"},
		{"pod of a TaskRun with a long name, tried again", affinity.PodName(strings.Repeat("f", 63), 12), strings.Repeat("f", 19) + "105d7597f637e83cc711605ac3ea4957-pod-retry12"},
		{"TaskRun", affinity.TaskRunName("run", "build", 3, 0), "run-build"},
		{"TaskRun of one combination", affinity.TaskRunName("run", "build", 0, 1), "run-build"},
		{"TaskRun of a matrix", affinity.TaskRunName("mypipelinerun", "mytask", 1, 2), "mypipelinerun-mytask-1"},
		{"TaskRun of a long task", affinity.TaskRunName("mypipelinerun", "longtask-0123456789-0123456789-0123456789-0123456789-0123456789", 1, 2),
			"mypipelineruna56c4ee0aab148ee219d40b21dfe935a-longtask-012345-1"},
		{"TaskRun of a long run", affinity.TaskRunName("pipeline-run-0123456789-0123456789-0123456789-0123456789", "task3", 0, 2),
			"pipeline-run-01234567891276ed292277c9bebded38d907a517fe-task3-0"},
		{"TaskRun of a long run and a long task", affinity.TaskRunName("pipeline-run-0123456789-0123456789-0123456789-0123456789",
			"task2-0123456789-0123456789-0123456789-0123456789-0123456789", 1, 2), "pipeline-run-0123456789-012345607ad8c7aac5873cdfabe472a68996b-1"},
		{"TaskRun of a task as long as a name", affinity.TaskRunName("a", strings.Repeat("f", 62), 0, 1), "a573e220a8e08a3b24e34b7370a95ee7f-" + strings.Repeat("f", 29)},
		{"TaskRun that would end with a sign", affinity.TaskRunName("a", strings.Repeat("_", 70), 0, 1), "afe92da69149bbb5467d72230c5c4783e"},
		{"TaskRun of the beginning and a sum", affinity.TaskRunName(strings.Repeat("a", 17), ".-.-.-.-.-.-."+strings.Repeat("a", 37), 0, 1), "aaaaaaaaaaaaaaaaa5f0f760385acc6f16aeab1652815636a"},
	} {
		testkit.Equal(t, test.got, test.want, test.name)
	}
}
