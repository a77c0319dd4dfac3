package nodes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	owned := func(pod, kind, name string) string {
		return strings.Replace(pod, "name: ", "labels: {app: "+name+"}, ownerReferences: [{apiVersion: apps/v1, kind: "+kind+", name: "+name+", uid: u, controller: true}], name: ", 1)
	}
	labelled := func(object, labels string) string {
		return strings.Replace(object, "metadata: {", "metadata: {labels: {"+labels+"}, ", 1)
	}
	lines := func(object, name string) string { // whose name has a line break
		return strings.Replace(object, "name: "+name, `name: "`+name+`\n"`, 1)
	}
	workload := func(kind, name, more string) string {
		return "apiVersion: apps/v1\nkind: " + kind + "\nmetadata: {namespace: shop, name: " + name + ", uid: u}\nspec: {" + more + "selector: {matchLabels: {app: " + name + "}}, template: {metadata: {labels: {app: " + name + "}}, spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}\n"
	}
	many := func(n int) string {
		input := aPod("x", "{memory: 3Gi}", on("n03")) + "---\n" + aPod("z", "{cpu: 1}", on("n07"))
		for i := range n {
			input = manifests(input, labelled(aNode(fmt.Sprintf("n%02d", i), "{cpu: 2, memory: 4Gi}"), fmt.Sprintf("zone: z%d", i%2)))
		}
		return input
	}
	a, b := aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 4, memory: 8Gi}")
	used := manifests(labelled(a, "pool: blue"), labelled(b, "pool: blue"), aPod("x", "{cpu: 500m}", on("a")), aPod("z", "{memory: 1Gi}", on("b")), strings.Replace(aPod("w", "{cpu: 1}", on("b")), "shop", "blog", 1))
	odd := manifests(aNode("a", "{example.com/gpu: 2, ephemeral-storage: 1Gi}"), "apiVersion: v1\nkind: Node\nmetadata: {name: none}\n",
		strings.Replace(aPod("x", "{ephemeral-storage: 0}", on("a")), "requests", "limits: {ephemeral-storage: 2Gi}, requests", 1))
	unprintable := manifests(lines(strings.Replace(a, "spec: {", `spec: {unschedulable: true, taints: [{key: "k\n", effect: NoExecute}]`, 1), "a"), lines(b, "b"), lines(strings.Replace(b, "name: b", "name: c", 1), "c"),
		lines(aPod("x", "{cpu: 1}", `  nodeName: "b\n"`+"\n"), "x"), lines(aPod("big", `{cpu: 5, "e.com/g\n": 1}`, "  priority: 3\n"), "big"), lines(aPod("high", "{cpu: 4}", "  priority: 4\n"), "high"), lines(aPod("next", "{cpu: 4}", "  priority: 3\n"), "next"), lines(aPod("other", "{cpu: 1}", "  nodeSelector: {\"k\": \"v\"}\n"), "other"))
	budget := func(name string) string {
		return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: shop, name: " + name + "}\nspec: {minAvailable: 0, selector: {matchLabels: {app: web}}}\n"
	}
	deleted := func(pod string) string {
		return strings.Replace(pod, "name: ", `deletionTimestamp: "2026-01-01T00:00:00Z", name: `, 1)
	}
	const port = "{cpu: 1}}, ports: [{containerPort: 80, hostPort: 80}], securityContext: {privileged: false"
	const data = "  volumes: [{name: v, emptyDir: {}}]\n"
	const ends = "status: {conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}]}\n"
	claims := "  resourceClaims: [{name: gpu}]\n"
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"used, as rows", used, "-f - -usage testdata/top.txt -o csv"},
		{"used, as rows of pods", used, "-f - -usage testdata/top.txt -o csv -pods"},
		{"used, as groups", used, "-f - -usage testdata/top.txt -o csv -group-by pool"},
		{"used by some pods", used, "-f - -usage testdata/top.txt -n shop -containers"},
		{"used by some pods, as JSON", used, "-f - -usage testdata/top.txt -n shop -pods -o json"},
		{"a namespace", used, "-f - -n shop"},
		{"what only a node has, or only limits", odd, "-f -"},
		{"some columns", odd, "-f - -resources gpu,pods"},
		{"no column", odd, "-f - -resources pods"},
		{"no column, with a line break", odd, "-f - -resources x\u001b"},
		{"as many nodes as have rows", many(20), "-f -"},
		{"one more", many(21), "-f -"},
		{"many, in groups", many(21), "-f - -group-by zone"},
		{"many, in groups of which one has no label", many(21), "-f - -group-by none"},
		{"none of the nodes", used, "-f - -l none=such"},
		{"no node of the input", manifests(aPod("x", "{cpu: 1}", on("c")), aPod("v", "{cpu: 1}", on("c")), aPod("z", "{cpu: 1}", on("d")), aPod("gated", "{cpu: 1}", "  schedulingGates: [{name: g}]\n"), aPod("w", "{cpu: 1}", ""), aPod("done", "{}", "status: {phase: Failed}\n")), "-f -"},
		{"names with line breaks", unprintable, "-f - -pods -resources cpu"},
		{"names with line breaks, packed", unprintable, "-f - -pack -all"},
		{"pods of one name", manifests(a, aPod("x", "{}", ""), aPod("x", "{}", "")), "-f -"},
		{"a typo", manifests(a, aPod("x", "{}", "  lifetime: 3\n")), "-f - -strict"},
		{"a shape of no node, a drain of no node", used, "-f - -shape c -drain d\u001b"},
		{"two shapes of no node", used, "-f - -shape c -shape d -pods"},
		{"packed and drained, with all nodes", manifests(a, b, workload("ReplicaSet", "web", "replicas: 1, "), owned(aPod("web-1", "{cpu: 1}", on("a")), "ReplicaSet", "web")), "-f - -pack -drain a -all"},
		{"a drain after which the scheduler draws a node", manifests(a, b, strings.Replace(b, "name: b", "name: c", 1), workload("ReplicaSet", "web", "replicas: 1, "), owned(aPod("web-1", "{cpu: 1}", on("a")), "ReplicaSet", "web")), "-f - -drain a"},
		{"a drain of nothing, as JSON", manifests(used, aNode("e", "{cpu: 1}")), "-f - -drain e -l none=such -o json"},
		{"a drain of pods that have no controller, or data", manifests(a, b, workload("ReplicaSet", "web", "replicas: 2, "), owned(aPod("web-1", "{}", data+on("a")), "ReplicaSet", "web"), aPod("x", "{}", data+on("a")), aPod("z", "{}", on("a")), owned(aPod("web-2", "{}", data+on("a")), "ReplicaSet", "web")), "-f - -drain a -o json -l none=such"},
		{"an invalid LimitRange", manifests(a, "apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, max: {cpu: 1}, min: {cpu: 2}}]}\n"), "-f -"},
		{"pods that are being deleted", manifests(a, deleted(aPod("x", "{cpu: 1}", on("a"))), deleted(aPod("w", "{cpu: 1}", ""))), "-f -"},
		{"a pod that is being resized", manifests(a, resized), "-f - -resources memory"},
		{"a pod that is being resized, in 1.36", manifests(a, resized), "-f - -resources memory -kubernetes 1.36"},
		{"a pod that waits for a port", manifests(a, aPod("x", port, on("a")), aPod("z", port, "")), "-f -"},
		{"a pod that preempts for a device of a class", manifests(a, deviceClass, aPod("x", "{cpu: 2}", on("a")), aPod("z", "{cpu: 1, example.com/gpu: 1}", "  priority: 9\n")), "-f -"},
		{"a pod that preempts, with a device that the scheduler ignores", manifests(a, aPod("x", "{cpu: 2}", on("a")), aPod("z", "{cpu: 1, example.com/a: 1}", "  priority: 9\n")), "-f - -scheduler testdata/scheduler.yaml"},
		{"a pod that has been nominated, where a victim ends", manifests(a, b, aPod("x", "{cpu: 4}", on("b")), deleted(aPod("y1", "{cpu: 2}", on("a")+ends)), aPod("z", "{cpu: 2}", "  priority: 9\nstatus: {nominatedNodeName: a}\n")), "-f -"},
		{"a pod that has not been nominated, where a victim ends", manifests(a, b, aPod("x", "{cpu: 4}", on("b")), deleted(aPod("y1", "{cpu: 2}", on("a")+ends)), aPod("z", "{cpu: 2}", "  priority: 9\n")), "-f -"},
		{"a drain of what is not all in the input", manifests(a, b, workload("ReplicaSet", "web", "replicas: 2, "), owned(aPod("web-1", "{cpu: 1}", on("a")), "ReplicaSet", "web"), owned(aPod("web-2", "{cpu: 1}", on("c")), "ReplicaSet", "web")), "-f - -drain a"},
		{"a drain of pods that have ended", manifests(a, b, aPod("done", "{cpu: 1}", "  volumes: [{name: v, emptyDir: {}}]\n"+on("a")+"status: {phase: Succeeded}\n"), workload("ReplicaSet", "web", "replicas: 1, "), owned(aPod("web-1", "{cpu: 1}", on("a")), "ReplicaSet", "web")), "-f - -drain a"},
		{"what is not computed", manifests(a, aPod("x", "{cpu: 1}", claims), aPod("z", "{cpu: 1}", claims), "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n", "apiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchicalResourceQuota\nmetadata: {name: q}\n"), "-f - -pack -all"},
		{"a node, and a pod that has ended", manifests(a, aPod("x", "{}", on("a")+"status: {phase: Failed}\n")), "-f -"},
		{"a node, and a workload without pods", manifests(a, workload("Deployment", "api", "replicas: 1, ")), "-f - -pack"},
		{"a pod without a namespace", manifests(a, strings.Replace(aPod("x", "{}", on("a")), "namespace: shop, ", "", 1)), "-f - -pods -o csv"},
		{"a drain of a pod that two budgets protect", manifests(a, owned(aPod("web-1", "{cpu: 1}", on("a")), "ReplicaSet", "web"), budget("one"), budget("two")), "-f - -drain a"},

		{"a selector that is invalid", manifests(a, aPod("x", "{cpu: 1}", "  nodeSelector: {\"a b\": c}\n")), "-f - -pack"},
		{"workloads of which one has too many replicas", manifests(a, workload("Deployment", "web", "replicas: 150001, "), workload("Deployment", "api", "replicas: 1, ")), "-f - -pack"},
		{"a scheduler", manifests(a, aPod("x", "{cpu: 1, example.com/a: 1}", "")), "-f - -scheduler testdata/scheduler.yaml"},
		{"no such scheduler", a, "-f - -scheduler testdata/none.yaml"},
	})
}
