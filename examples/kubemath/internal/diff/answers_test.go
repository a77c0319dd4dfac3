package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	const (
		on     = "-f - -on testdata/cluster.yaml"
		pod    = "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: team, name: POD}\nspec: {MORE containers: [{name: app, image: i, resources: {requests: {cpu: 1}, limits: {AMOUNT}}}]}\n"
		job    = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {namespace: team, name: hook, annotations: {helm.sh/hook: pre-install}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: i}]}}}\n"
		config = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: team, name: c}\n"
		other  = "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n"
		event  = "---\napiVersion: v1\nkind: Event\nmetadata: {name: e}\n"
	)
	aPod := func(name, more, amount string) string {
		return strings.NewReplacer("POD", name, "MORE", more, "AMOUNT", amount).Replace(pod)
	}
	quotas, nodes := "", ""
	for i := range 11 {
		quotas += fmt.Sprintf("---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: team, name: q%02d}\nspec: {hard: {pods: %d}}\n", i, 20+i)
		nodes += fmt.Sprintf("---\napiVersion: v1\nkind: Node\nmetadata: {name: node-%02d}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 20}}\n", i)
	}
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"a device that the scheduler ignores", aPod("x", "", "example.com/b: 1"), on + " -scheduler testdata/scheduler.yaml"},
		{"what was before, and nothing now", "# nothing\n", on + " -old testdata/old.yaml"},
		{"a hook only", job, on},
		{"what is not computed only", other, on},
		{"what is skipped only", event, on},
		{"nothing", "# nothing\n", on},
		{"only a LimitRange that is invalid", "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: r, namespace: team}\nspec: {limits: [{type: Container, max: {cpu: 1}, min: {cpu: 2}}]}\n", on},
		{"many quotas and nodes", quotas + nodes + aPod("x", "", ""), on},
		{"many quotas and nodes, all of them", quotas + nodes + aPod("x", "", ""), on + " -all"},
		{"many quotas and nodes, all of them as Markdown", quotas + nodes + aPod("x", "", ""), on + " -all -o markdown"},
		{"many, for a workflow", quotas + nodes + aPod("x", "", ""), on + " -o github"},
		{"a cluster of which a part is read", config, "-f - -on testdata/old.yaml"},
		{"no cluster", config, "-f - -on testdata/none.yaml"},
		{"no such scheduler", "", "-scheduler testdata/none.yaml"},
	})
}
