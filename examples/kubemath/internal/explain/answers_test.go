package explain

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	const (
		large  = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: d}\nspec: {limits: [{type: Container, default: {cpu: 1}, max: {cpu: 2}}]}\n"
		reads  = ", env: [{name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}, {name: MEM, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor: 1Mi}}}]"
		whole  = "requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}"
		set    = "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db, uid: s, labels: {app: db}}\nspec: {selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {initContainers: [{name: side, restartPolicy: Always, resources: {requests: {cpu: 100m, memory: 1Gi, hugepages-2Mi: 4Mi}, limits: {hugepages-2Mi: 4Mi}}}], containers: [{name: app}, {name: log, resources: {limits: {memory: 64Mi}}}]}}}\n"
		ranges = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: d}\nspec: {limits: [{type: Container, default: {cpu: 1}}]}\n"
	)
	unstored := func(pod string) string {
		name, _, _ := strings.Cut(strings.Split(pod, "uid: ")[1], ",")
		return strings.Replace(pod, ", uid: "+name, "", 1)
	}
	pending := func(pod string) string { return strings.Replace(pod, "nodeName: n1, ", "", 1) }
	manifest := unstored(pending(aPod("a", "requests: {cpu: 700m}", "")))
	cluster := aNode + aPod("a", whole, ", volumes: [{name: info, downwardAPI: {items: [{path: cpu, resourceFieldRef: {containerName: app, resource: limits.cpu, divisor: 1m}}]}}]") + strings.Replace(aPod("b", "", ""), "name: app,", "name: app"+reads+",", 1)
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"a node that is full", cluster, "-f - -usage testdata/top.txt"},
		{"the same as JSON", cluster, "-f - -usage testdata/top.txt -o json"},
		{"a workload, as JSON", set + ranges, "-f - -o json"},
		{"a workload", set + ranges, "-f -"},
		{"a workload of a label", set + manifest, "-f - -l app=db -o yaml"},
		{"a workload and a pod of another namespace", set + strings.Replace(manifest, "shop", "blog", 1), "-f - -n blog"},
		{"two that are not stored, of which one fits", aNode + manifest + unstored(pending(aPod("b", "requests: {cpu: 700m}", ""))), "-f -"},
		{"names with control characters", strings.NewReplacer("name: n1", `name: "n\n1"`, "nodeName: n1", `nodeName: "n\n1"`, "name: a,", `name: "a\n",`, "name: app", `name: "app\n"`, "name: CPU", `name: "C\n"`).Replace(aNode + strings.Replace(aPod("a", "requests: {cpu: 3, memory: 1Gi}", ""), "name: app,", "name: app"+reads+",", 1)), "-f -"},
		{"four pods, of which one has other resources", aNode + strings.Replace(aPod("a", "limits: {hugepages-2Mi: 4Mi, \"e.com/x\\n\": 1}", ""), "n1, containers: [", "n2, containers: [{name: free, resources: {limits: {ephemeral-storage: 2Gi}}}, ", 1) + aPod("b", "", "") + aPod("c", "", "") + aPod("d", "", ""), "-f -"},
		{"of the namespace default", strings.ReplaceAll(ranges+manifest, "namespace: shop, ", ""), "-f -"},
		{"what is named twice", aNode + aPod("a", "", "") + strings.Replace(aPod("a", "requests: {cpu: 9}", ""), "uid: a", "uid: b", 1), "-f -"},
		{"an invalid LimitRange", strings.Replace(large, "max: {cpu: 2}", "max: {cpu: 2}, min: {cpu: 3}", 1) + manifest, "-f -"},
		{"a typo", strings.Replace(aPod("a", "", ""), "resources", "resource", 1), "-f - -strict"},
		{"an argument", "", "-x"},
	})
}
