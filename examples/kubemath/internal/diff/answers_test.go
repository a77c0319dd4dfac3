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
	urgent := aPod("urgent", "priority: 9,", "cpu: 3") + config
	quotas, nodes := "", ""
	for i := range 11 {
		quotas += fmt.Sprintf("---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: team, name: q%02d}\nspec: {hard: {pods: %d}}\n", i, 20+i)
		nodes += fmt.Sprintf("---\napiVersion: v1\nkind: Node\nmetadata: {name: node-%02d}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 20}}\n", i)
	}
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"a pod that preempts another", strings.Replace(urgent, "requests: {cpu: 1}", "requests: {cpu: 3}", 1), on},
		{"for a workflow", strings.Replace(urgent, "requests: {cpu: 1}", "requests: {cpu: 3}", 1), on + " -o github"},
		{"as rows", urgent + aPod("x", "", "") + aPod("z", "", ""), on + " -o csv"},
		{"as names", config + aPod("x", "", ""), on + " -o name"},
		{"as Markdown", urgent + aPod("z", "", ""), on + " -o markdown"},
		{"a device and a new node", aPod("x", "", "example.com/a: 1") + "---\napiVersion: v1\nkind: Node\nmetadata: {name: n3}\nstatus: {allocatable: {cpu: 9, memory: 8Gi, pods: 20}}\n", on},
		{"a device that the scheduler ignores", aPod("x", "", "example.com/b: 1"), on + " -scheduler testdata/scheduler.yaml"},
		{"a device that it does not ignore", aPod("x", "", "example.com/b: 1"), on},
		{"what was before", config, on + " -old testdata/old.yaml"},
		{"what was before, by label", config, on + " -old testdata/old.yaml -l a=b"},
		{"what was before, and nothing now", "# nothing\n", on + " -old testdata/old.yaml"},
		{"a hook only", job, on},
		{"what is not computed only", other, on},
		{"what is skipped only", event, on},
		{"nothing", "# nothing\n", on},
		{"only a LimitRange that is invalid", "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: r, namespace: team}\nspec: {limits: [{type: Container, max: {cpu: 1}, min: {cpu: 2}}]}\n", on},
		{"a problem, and a note", aPod("x", "", "memory: 512m") + "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: team}\n", on},
		{"a typo", aPod("x", "lifetime: 3,", ""), on + " -strict"},
		{"many quotas and nodes", quotas + nodes + aPod("x", "", ""), on},
		{"many quotas and nodes, all of them", quotas + nodes + aPod("x", "", ""), on + " -all"},
		{"many quotas and nodes, all of them as Markdown", quotas + nodes + aPod("x", "", ""), on + " -all -o markdown"},
		{"many, for a workflow", quotas + nodes + aPod("x", "", ""), on + " -o github"},
		{"a cluster of which a part is read", config, "-f - -on testdata/old.yaml"},
		{"no cluster", config, "-f - -on testdata/none.yaml"},
		{"no such scheduler", "", "-scheduler testdata/none.yaml"},
	})
}
