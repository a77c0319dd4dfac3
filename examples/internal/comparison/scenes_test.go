package comparison_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// listOf returns the objects of documents.
func listOf(documents ...string) inventory.List {
	l := inventory.List{Home: "shop"}
	reader := objects.Reader{Kinds: inventory.Kinds, Check: objects.Warn, Matters: true}
	l.Read(reader.File("a", strings.NewReader(strings.Join(documents, "---\n"))))
	return l
}

// told describes a report in lines: everything but the fix of requests, which Notes has.
func told(r *comparison.Report) (lines []string) {
	lines = append(lines, r.Summary(), fmt.Sprint("fails: ", r.Fails()))
	for i, list := range [][]comparison.Object{r.Objects, r.Others} {
		for j := range list {
			lines = append(lines, strings.Repeat("other ", i)+list[j].Head())
			for _, note := range list[j].Notes() {
				lines = append(lines, "  "+note)
			}
		}
	}
	for i := range r.Pods {
		p := &r.Pods[i]
		line := fmt.Sprintf("pod %s/%s: %q -> %q", p.Namespace, p.Name, p.Before, p.Node)
		for word, is := range map[string]bool{"": false, " gone": p.Gone} {
			if is {
				line += word
			}
		}
		lines = append(lines, line)
	}
	lines = append(lines, comparison.Lost(r.Pods)...)
	usage := func(u comparison.Usage) string {
		text := u.Used + " of " + u.Hard
		if u.Percent != nil {
			text += fmt.Sprintf(" (%d%%)", *u.Percent)
		}
		return text
	}
	for _, q := range r.Quotas {
		lines = append(lines, fmt.Sprintf("quota %s/%s %s: %s -> %s", q.Namespace, q.Name, q.Resource, usage(q.Before), usage(q.After)))
	}
	nodes := slices.Clone(r.Nodes)
	if r.Total != nil {
		nodes = append(nodes, *r.Total)
	}
	for _, n := range nodes {
		line := "node " + n.Name + ":"
		for _, name := range slices.Sorted(maps.Keys(n.After)) {
			if name == corev1.ResourceCPU || name == corev1.ResourcePods {
				line += fmt.Sprintf(" %s %s -> %s;", name, usage(n.Before[name]), usage(n.After[name]))
			}
		}
		if n.After == nil {
			line += " gone"
		}
		lines = append(lines, line)
	}
	for _, of := range []struct {
		what  string
		lines []string
	}{{"note: ", r.Notes}, {"not computed: ", r.NotComputed}, {"problem: ", r.Problems}} {
		for _, line := range of.lines {
			lines = append(lines, of.what+line)
		}
	}
	return lines
}

// document is an object of namespace shop, given its fields.
func document(kind, metadata string, more ...string) string {
	version := map[string]string{"Pod": "v1", "Namespace": "v1", "PersistentVolumeClaim": "v1", "Node": "v1", "LimitRange": "v1", "ResourceQuota": "v1", "Service": "v1", "Job": "batch/v1", "PriorityClass": "scheduling.k8s.io/v1"}[kind]
	if version == "" {
		version = "apps/v1"
	}
	return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {" + metadata + "}\n" + strings.Join(more, "\n") + "\n"
}

func node(name, cpu string) string {
	return document("Node", "name: "+name, "status: {allocatable: {cpu: "+cpu+", memory: 8Gi, pods: 10}}")
}

func quota(hard, used string) string {
	return document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {"+hard+"}}", "status: {hard: {"+hard+"}, used: {"+used+"}}")
}

// web is a workload whose pods request so much CPU.
func web(kind string, replicas int, cpu, more string) string {
	return document(kind, "name: web, namespace: shop", fmt.Sprintf("spec: {replicas: %d, selector: {matchLabels: {a: b}}, %stemplate: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, resources: {requests: {cpu: %s}}}]}}}", replicas, more, cpu))
}

func pod(name, fields, cpu string) string {
	return document("Pod", "name: "+name+", namespace: shop", "spec: {"+fields+"containers: [{name: app, resources: {requests: {cpu: "+cpu+"}}}]}")
}

// What is said about a change.
func TestScenes(t *testing.T) {
	two := []string{node("a", "2"), node("b", "2")}
	stored := web("Deployment", 2, "1", "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}, ")
	const partition, onDelete = "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}, ", "updateStrategy: {type: OnDelete}, "
	ofSet := func(name, revision, cpu string) string {
		return document("Pod", "name: "+name+", namespace: shop, uid: "+name+", labels: {a: b, controller-revision-hash: "+revision+"}, ownerReferences: [{apiVersion: apps/v1, controller: true, kind: StatefulSet, name: web, uid: web}]", "spec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: "+cpu+"}}}]}", "status: {phase: Running}")
	}
	ranges := func(name, cpu string) string {
		return document("LimitRange", "name: "+name+", namespace: shop", "spec: {limits: [{type: Container, default: {cpu: "+cpu+"}}]}")
	}
	job := func(name, annotations string) string {
		return document("Job", "name: "+name+", namespace: shop, annotations: {"+annotations+"}", "spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}")
	}
	owned := func(name, spec string) string {
		return document("Pod", "name: "+name+", namespace: shop, uid: "+name+", labels: {a: b, pod-template-hash: x}, ownerReferences: [{apiVersion: apps/v1, controller: true, kind: ReplicaSet, name: web-x, uid: web-x}]", "spec: {"+spec+"}", "status: {phase: Running}")
	}
	running := func(replicas string) []string {
		return []string{
			document("Deployment", "name: web, namespace: shop, uid: web", "spec: {replicas: "+replicas+", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}", "status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1}"),
			document("ReplicaSet", "name: web-x, namespace: shop, uid: web-x, labels: {a: b, pod-template-hash: x}, ownerReferences: [{apiVersion: apps/v1, controller: true, kind: Deployment, name: web, uid: web}]", "spec: {replicas: "+replicas+", selector: {matchLabels: {a: b, pod-template-hash: x}}, template: {metadata: {labels: {a: b, pod-template-hash: x}}, spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}", "status: {replicas: 1}"),
			owned("web-x-1", "nodeName: a, containers: [{name: app, resources: {requests: {cpu: 1}}}]"),
		}
	}
	for _, s := range []struct {
		name                 string
		cluster, old, change []string
		onCluster            bool
		want                 string
	}{
		{"created", append(two[:2:2], quota("pods: 4, requests.cpu: 4", "pods: 1, requests.cpu: 1")), nil, []string{web("Deployment", 2, "1", "")}, false, `
			1 object: 1 created; pods: 2 placed
			fails: false
			Deployment shop/web created: 2 pods wanted, 2 created, 2 on nodes
			  2 new on a, b
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> "b"
			quota shop/team pods: 1 of 4 (25%) -> 3 of 4 (75%)
			quota shop/team requests.cpu: 1 of 4 (25%) -> 3 of 4 (75%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 2 of 4 (50%); pods 0 of 20 (0%) -> 2 of 20 (10%);`},
		{"a range and a pod that go, so that the first pod is created at last", []string{quota("pods: 1", "pods: 0"), ranges("a", "1")}, []string{pod("x", "", "100m"), ranges("b", "2")},
			[]string{web("ReplicaSet", 1, "100m", "")}, false, `
			3 objects: 1 created, 2 deleted; pods: 1 new, 1 gone
			fails: false
			ReplicaSet shop/web created: 1 pod wanted, 1 created
			  the API server may decide otherwise: its LimitRanges have different defaults, and no order
			LimitRange shop/b deleted
			Pod shop/x deleted
			  1 gone
			pod shop/web-1: "" -> ""
			pod shop/x: "" -> "" gone`},
		{"a range and a pod that go, so that the next pod depends on nothing", []string{quota("pods: 2", "pods: 0"), ranges("a", "1")}, []string{pod("x", "", "100m"), ranges("b", "2")},
			[]string{web("ReplicaSet", 2, "100m", "")}, false, `
			3 objects: 1 created, 2 deleted; pods: 2 new, 1 gone
			fails: false
			ReplicaSet shop/web created: 2 pods wanted, 2 created
			  the API server may decide otherwise: its LimitRanges have different defaults, and no order
			LimitRange shop/b deleted
			Pod shop/x deleted
			  1 gone
			pod shop/web-1: "" -> ""
			pod shop/web-2: "" -> ""
			pod shop/x: "" -> "" gone
			quota shop/team pods: 1 of 2 (50%) -> 2 of 2 (100%)`},
		{"too many for the nodes", two, nil, []string{web("Deployment", 5, "1", "")}, false, `
			Fails: 1 pod waiting. 1 object: 1 created; pods: 4 placed
			fails: true
			Deployment shop/web created: 5 pods wanted, 5 created, 4 on nodes
			  4 new on a (2), b (2)
			  1 pod: 0/2 nodes are available: 2 Insufficient cpu.
			  all would be admitted with 4 replicas
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> "b"
			pod shop/web-1-3: "" -> "a"
			pod shop/web-1-4: "" -> "b"
			pod shop/web-1-5: "" -> ""
			node a: cpu 0 of 2 (0%) -> 2 of 2 (100%); pods 0 of 10 (0%) -> 2 of 10 (20%);
			node b: cpu 0 of 2 (0%) -> 2 of 2 (100%); pods 0 of 10 (0%) -> 2 of 10 (20%);
			node all nodes: cpu 0 of 4 (0%) -> 4 of 4 (100%); pods 0 of 20 (0%) -> 4 of 20 (20%);`},
		{"too many for the quota", append(two[:2:2], quota("pods: 4", "pods: 1")), nil, []string{web("StatefulSet", 5, "100m", "")}, false, `
			Fails: 2 pods not created. 1 object: 1 created; pods: 3 placed
			fails: true
			StatefulSet shop/web created: 5 pods wanted, 3 created, 3 on nodes
			  3 new on a (2), b
			  next pod: pods "web-3" is forbidden: exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4
			  all would be admitted with pods 6 (is 4) in quota team
			  or with 3 replicas
			pod shop/web-0: "" -> "a"
			pod shop/web-1: "" -> "b"
			pod shop/web-2: "" -> "a"
			quota shop/team pods: 1 of 4 (25%) -> 4 of 4 (100%)
			node a: cpu 0 of 2 (0%) -> 200m of 2 (10%); pods 0 of 10 (0%) -> 2 of 10 (20%);
			node b: cpu 0 of 2 (0%) -> 100m of 2 (5%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 300m of 4 (7%); pods 0 of 20 (0%) -> 3 of 20 (15%);
			note: 2 pods on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"requests are too large for the quota", append(two[:2:2], quota("requests.cpu: 2", "requests.cpu: 0")), nil, []string{web("Deployment", 3, "1", "")}, false, `
			Fails: 1 pod not created. 1 object: 1 created; pods: 2 placed
			fails: true
			Deployment shop/web created: 3 pods wanted, 2 created, 2 on nodes
			  2 new on a, b
			  next pod: pods "web-1-3" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2
			  all would be admitted with cpu request 650m (is 1) of container app
			  or with requests.cpu 3 (is 2) in quota team
			  or with 2 replicas
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> "b"
			quota shop/team requests.cpu: 0 of 2 (0%) -> 2 of 2 (100%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 2 of 4 (50%); pods 0 of 20 (0%) -> 2 of 20 (10%);`},
		{"nothing helps", append(two[:2:2], quota("pods: 0", "pods: 0"), document("LimitRange", "name: lr, namespace: shop", "spec: {limits: [{type: Pod, max: {cpu: 10m}, min: {cpu: 5m}}]}")), nil, []string{web("Deployment", 1, "1", "")}, false, `
			Fails: 1 pod not created. 1 object: 1 created
			fails: true
			Deployment shop/web created: 1 pod wanted, 0 created, 0 on nodes
			  next pod: pods "web-1-1" is forbidden: maximum cpu usage per Pod is 10m.  No limit is specified
			  no other requests, limits, replicas, strategy or quota would admit all`},
		{"what the objects need comes behind them", []string{document("Namespace", "name: other")}, nil, []string{web("ReplicaSet", 1, "1", ""), pod("p", "", "2"), document("PersistentVolumeClaim", "name: c, namespace: shop", "spec: {resources: {requests: {storage: 1Gi}}}"),
			document("Namespace", "name: shop"), quota("requests.cpu: 2, persistentvolumeclaims: 1", ""), pod("q", "", "1")}, false, `
			Fails: 3 objects refused. 6 objects: 3 created; pods: 1 new
			fails: true
			ReplicaSet shop/web refused
			  namespaces "shop" not found
			  it would be admitted if the change was applied once more
			Pod shop/p refused
			  namespaces "shop" not found
			PersistentVolumeClaim shop/c refused
			  namespaces "shop" not found
			  it would be admitted if the change was applied once more
			Namespace shop created
			ResourceQuota shop/team created
			Pod shop/q created
			pod shop/q: "" -> ""
			quota shop/team persistentvolumeclaims:  of  -> 0 of 1 (0%)
			quota shop/team requests.cpu:  of  -> 1 of 2 (50%)`},
		{"a rollout does not end", append(two[:2:2], quota("pods: 2", "pods: 0")), []string{stored}, []string{strings.Replace(stored, "cpu: 1}", "cpu: 500m}", 1)}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 2 pods wanted, 0 created, 0 on nodes, 2 of the former template left
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2
			  all would be admitted with maxSurge 0 and maxUnavailable 1
			  or with pods 3 (is 2) in quota team`},
		{"a rollout of one does not end", append(two[:2:2], quota("pods: 1", "pods: 0")), []string{strings.Replace(stored, "replicas: 2", "replicas: 1", 1)}, []string{strings.Replace(strings.Replace(stored, "replicas: 2", "replicas: 1", 1), "cpu: 1}", "cpu: 500m}", 1)}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 1 pod wanted, 0 created, 0 on nodes, 1 of the former template left
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1
			  all would be admitted with strategy Recreate
			  or with pods 2 (is 1) in quota team`},
		{"updated", two, []string{stored}, []string{strings.Replace(stored, "cpu: 1}", "cpu: 500m}", 1)}, false, `
			1 object: 1 updated; pods: 2 placed, 2 gone
			fails: false
			Deployment shop/web updated: 2 pods wanted, 2 created, 2 on nodes
			  2 gone, 2 new on a (2)
			pod shop/web-1-1: "a" -> "" gone
			pod shop/web-1-2: "b" -> "" gone
			pod shop/web-2-1: "" -> "a"
			pod shop/web-2-2: "" -> "a"
			node a: cpu 1 of 2 (50%) -> 1 of 2 (50%); pods 1 of 10 (10%) -> 2 of 10 (20%);
			node b: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node all nodes: cpu 2 of 4 (50%) -> 1 of 4 (25%); pods 2 of 20 (10%) -> 2 of 20 (10%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"unchanged, and one waits", two, []string{web("Deployment", 5, "1", "")}, []string{web("Deployment", 5, "1", "")}, false, `
			Fails: 1 pod waiting. 1 object: 1 unchanged
			fails: true
			Deployment shop/web unchanged: 5 pods wanted, 5 created, 4 on nodes
			  1 pod: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"deleted", two, []string{web("Deployment", 1, "1", ""), pod("p", "", "1")}, []string{web("Deployment", 1, "1", "")}, false, `
			2 objects: 1 unchanged, 1 deleted; pods: 1 gone
			fails: false
			Deployment shop/web unchanged: 1 pod wanted, 1 created, 1 on nodes
			Pod shop/p deleted
			  1 gone
			pod shop/p: "b" -> "" gone
			node b: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node all nodes: cpu 2 of 4 (50%) -> 1 of 4 (25%); pods 2 of 20 (10%) -> 1 of 20 (5%);`},
		{"what was applied is in the cluster", append(two[:2:2], pod("p", "nodeName: a, ", "1")), []string{pod("p", "", "1")}, []string{pod("q", "", "1")}, true, `
			2 objects: 1 created, 1 deleted; pods: 1 placed, 1 gone
			fails: false
			Pod shop/q created
			  1 new on b
			Pod shop/p deleted
			  1 gone
			pod shop/p: "a" -> "" gone
			pod shop/q: "" -> "b"
			node a: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 1 of 4 (25%) -> 1 of 4 (25%); pods 1 of 20 (5%) -> 1 of 20 (5%);`},
		{"an object to delete is not in the cluster", two, []string{pod("p", "", "1")}, []string{pod("q", "", "1")}, true, `
			2 objects: 1 created, 1 not found; pods: 1 placed
			fails: false
			Pod shop/q created
			  1 new on a
			Pod shop/p not found
			pod shop/q: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"preempted", []string{node("a", "2"), pod("p", "nodeName: a, ", "1"), pod("r", "nodeName: a, priority: 3, ", "1")}, nil, []string{pod("q", "priority: 5, ", "1")}, false, `
			Fails: 1 pod preempted. 1 object: 1 created; pods: 1 placed, 1 gone
			fails: true
			Pod shop/q created
			  1 new on a
			pod shop/p: "a" -> "" gone
			pod shop/q: "" -> "a"
			preempted on a: shop/p
			node a: cpu 2 of 2 (100%) -> 2 of 2 (100%); pods 2 of 10 (20%) -> 2 of 10 (20%);
			node all nodes: cpu 2 of 2 (100%) -> 2 of 2 (100%); pods 2 of 10 (20%) -> 2 of 10 (20%);`},
		{"without nodes", []string{quota("pods: 2", "pods: 0")}, nil, []string{web("Deployment", 2, "1", ""), pod("p", "", "1")}, false, `
			Fails: 1 object refused. 2 objects: 1 created; pods: 2 new
			fails: true
			Deployment shop/web created: 2 pods wanted, 2 created
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2
			  all would be admitted with pods 3 (is 2) in quota team
			pod shop/web-1-1: "" -> ""
			pod shop/web-1-2: "" -> ""
			quota shop/team pods: 0 of 2 (0%) -> 2 of 2 (100%)`},
		{"a node is deleted", []string{node("a", "2")}, []string{node("b", "2"), pod("p", "nodeName: b, ", "1")}, []string{pod("p", "nodeName: b, ", "1")}, false, `
			2 objects: 1 unchanged, 1 deleted; pods: 1 gone, 1 evicted
			fails: false
			Pod shop/p unchanged
			  1 gone (1 evicted)
			Node b deleted
			pod shop/p: "b" -> "" gone
			evicted from b: shop/p`},
		{"hooks", append(two[:2:2], quota("count/jobs.batch: 2, requests.cpu: 1", "count/jobs.batch: 0, requests.cpu: 0")), nil,
			[]string{job("before", "helm.sh/hook: pre-install"), job("goes", "helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded"), job("after", "helm.sh/hook: post-install"), job("test", "helm.sh/hook: test"), job("main", "")}, false, `
			Fails: 1 object refused. 5 objects: 3 created, 1 not installed; pods: 3 placed
			fails: true
			Job shop/before created: 1 pod wanted, 1 created, 1 on nodes
			  a hook: nothing else is created before it has succeeded
			  1 new on a
			Job shop/goes created: 1 pod wanted, 1 created, 1 on nodes
			  a hook: nothing else is created before it has succeeded
			  1 new on a
			Job shop/main created: 1 pod wanted, 1 created, 1 on nodes
			  1 new on a
			Job shop/after refused
			  a hook: it runs after all others
			  jobs.batch "after" is forbidden: exceeded quota: team, requested: count/jobs.batch=1, used: count/jobs.batch=2, limited: count/jobs.batch=2
			  all would be admitted with count/jobs.batch 3 (is 2) and requests.cpu 2 (is 1) in quota team
			Job shop/test not installed
			  a hook for tests, a deletion or a rollback
			pod shop/main-1: "" -> "a"
			quota shop/team count/jobs.batch: 1 of 2 (50%) -> 2 of 2 (100%)
			quota shop/team requests.cpu: 0 of 1 (0%) -> 1 of 1 (100%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"a hook is refused", append(two[:2:2], quota("requests.cpu: 500m", "requests.cpu: 0")), nil, []string{job("before", "helm.sh/hook: pre-install")}, false, `
			Fails: 1 pod not created. 1 object: 1 created
			fails: true
			Job shop/before created: 1 pod wanted, 0 created, 0 on nodes
			  a hook: nothing else is created before it has succeeded
			  next pod: pods "before-1" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=0, limited: requests.cpu=500m
			  all would be admitted with cpu request 500m (is 1) of container app
			  or with requests.cpu 1 (is 500m) in quota team`},
		{"a hook of which a pod is refused, and its object would stay", append(two[:2:2], quota("count/jobs.batch: 2, requests.cpu: 1", "count/jobs.batch: 0, requests.cpu: 0")), nil,
			[]string{strings.Replace(job("before", "helm.sh/hook: pre-install"), "spec: {template", "spec: {parallelism: 2, completions: 2, template", 1), job("main", "")}, false, `
			Fails: 1 pod not created. 2 objects: 2 created; pods: 2 placed
			fails: true
			Job shop/before created: 2 pods wanted, 1 created, 1 on nodes
			  a hook: nothing else is created before it has succeeded
			  1 new on a
			  next pod: pods "before-2" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1
			  all would be admitted with cpu request 500m (is 1) of container app
			  or with requests.cpu 2 (is 1) in quota team
			Job shop/main created: 1 pod wanted, 1 created, 1 on nodes
			  1 new on a
			pod shop/main-1: "" -> "a"
			quota shop/team count/jobs.batch: 1 of 2 (50%) -> 2 of 2 (100%)
			quota shop/team requests.cpu: 0 of 1 (0%) -> 1 of 1 (100%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"a hook preempts", []string{node("a", "1"), pod("p", "nodeName: a, ", "1")}, nil, []string{strings.Replace(job("before", "helm.sh/hook: pre-install"), "restartPolicy", "priority: 3, restartPolicy", 1)}, false, `
			Fails: 1 pod preempted. 1 object: 1 created; pods: 1 placed, 1 gone
			fails: true
			Job shop/before created: 1 pod wanted, 1 created, 1 on nodes
			  a hook: nothing else is created before it has succeeded
			  1 new on a
			pod shop/p: "a" -> "" gone
			preempted on a: shop/p`},
		{"a quota changes", append(two[:2:2], quota("pods: 4, services: 1", "pods: 1, services: 0")), nil, []string{document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 8, services: 1}}"), document("ResourceQuota", "name: new, namespace: shop", "spec: {hard: {pods: 3}}")}, false, `
			2 objects: 1 created, 1 updated
			fails: false
			ResourceQuota shop/team updated
			ResourceQuota shop/new created
			quota shop/new pods:  of  -> 0 of 3 (0%)
			quota shop/team pods: 1 of 4 (25%) -> 1 of 8 (12%)`},
		{"a quota without usage", append(two[:2:2], document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 4}}")), nil, []string{pod("p", "", "1")}, false, `
			1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/p created
			  1 new on a
			pod shop/p: "" -> "a"
			quota shop/team pods: 0 of 4 (0%) -> 1 of 4 (25%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"pods of the status", append(two[:2:2], document("Deployment", "name: web, namespace: shop, uid: web", "spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}", "status: {replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2}")), nil, []string{pod("p", "", "1")}, false, `
			1 object: 1 created; pods: 1 new
			fails: false
			Pod shop/p created
			pod shop/p: "" -> ""
			note: 2 pods not in the input: the status of workloads counts them`},
		{"classes and fields that are not known", two, nil, []string{pod("p", "priorityClassName: high, resourceClaims: [{name: c, resourceClaimName: d}], ", "1")}, false, `
			1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/p created
			  1 new on a
			  not considered: PriorityClass "high", spec.resourceClaims
			pod shop/p: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"orders of LimitRanges", append(two[:2:2], quota("requests.cpu: 2", "requests.cpu: 0"), document("LimitRange", "name: x, namespace: shop", "spec: {limits: [{type: Container, default: {cpu: 1}}]}"), document("LimitRange", "name: z, namespace: shop", "spec: {limits: [{type: Container, default: {cpu: 3}}]}")), nil,
			[]string{document("Pod", "name: p, namespace: shop", "spec: {containers: [{name: app}]}")}, false, `
			1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/p created
			  1 new on a
			  the API server may decide otherwise: its LimitRanges have different defaults, and no order
			pod shop/p: "" -> "a"
			quota shop/team requests.cpu: 0 of 2 (0%) -> 1 of 2 (50%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"of another kind", two, nil, []string{"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n", document("Pod", "name: bad", "spec: {containers: [{name: app, resources: {requests: {memory: 500m}}}]}")}, false, `
			1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/bad created
			  1 new on a
			pod shop/bad: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 0 of 2 (0%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 0 of 4 (0%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it
			not computed: Rollout r: it has pods, which are not computed
			problem: Pod bad: warning: spec.containers[0].resources.requests[memory]: 500m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi`},
		{"what cannot be read, and what is rejected", two, nil, []string{document("Pod", "name: bad", "spec: {containers: [{name: app, resources: {requests: {memory: 500m}}}]}"),
			"apiVersion: v1\nkind: Pod\nmetadata: {}\n", "{{ range }}\n"}, false, `
			Fails: 2 problems of the input. 1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/bad created
			  1 new on a
			pod shop/bad: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 0 of 2 (0%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 0 of 4 (0%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it
			problem: Pod: metadata.name: missing
			problem: a: document 3: looks like a Helm template: render it first, with helm template
			problem: Pod bad: warning: spec.containers[0].resources.requests[memory]: 500m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi`},
		{"nothing can be read", two, nil, []string{"{{ range }}\n"}, false, `
			Fails: 1 problem of the input.
			fails: false
			problem: a: document 1: looks like a Helm template: render it first, with helm template`},
		{"containers of a webhook", append(two[:2:2], document("Deployment", "name: web, namespace: shop, uid: web", "spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}", "status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1}"),
			document("ReplicaSet", "name: web-x, namespace: shop, uid: web-x, labels: {a: b, pod-template-hash: x}, ownerReferences: [{apiVersion: apps/v1, controller: true, kind: Deployment, name: web, uid: web}]", "spec: {replicas: 1, selector: {matchLabels: {a: b, pod-template-hash: x}}, template: {metadata: {labels: {a: b, pod-template-hash: x}}, spec: {containers: [{name: app}]}}}", "status: {replicas: 1}"),
			owned("web-x-1", "nodeName: a, containers: [{name: app}, {name: proxy}]")), nil, []string{web("Deployment", 1, "1", "")}, false, `
			1 object: 1 updated; pods: 1 placed, 1 gone
			fails: false
			Deployment shop/web updated: 1 pod wanted, 1 created, 1 on nodes
			  1 gone, 1 new on b
			  new pods also have proxy, which a webhook adds
			pod shop/web-1-1: "" -> "b"
			pod shop/web-x-1: "a" -> "" gone
			node a: cpu 0 of 2 (0%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 1 of 20 (5%) -> 1 of 20 (5%);`},
		{"a controller that is not applied", append(two[:2:2], web("Deployment", 2, "1", ""), document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 1}}")), nil, []string{document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 2}}")}, false, `
			1 object: 1 updated; pods: 2 placed
			fails: false
			ResourceQuota shop/team updated
			other Deployment shop/web unchanged: 2 pods wanted, 2 created, 2 on nodes
			  2 new on a, b
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> "b"
			quota shop/team pods: 0 of 1 (0%) -> 2 of 2 (100%)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 2 of 4 (50%); pods 0 of 20 (0%) -> 2 of 20 (10%);`},
		{"a node is tainted", append(running("1"), node("a", "2")), nil, []string{document("Node", "name: a", "spec: {taints: [{key: k, effect: NoExecute}]}", "status: {allocatable: {cpu: 2, memory: 8Gi, pods: 10}}")}, false, `
			Fails: 1 pod waiting. 1 object: 1 updated; pods: 1 evicted
			fails: true
			Node a updated
			other Deployment shop/web unchanged: 1 pod wanted, 1 created, 0 on nodes
			  1 evicted
			  1 pod: 0/1 nodes are available: 1 node(s) had untolerated taint(s).
			pod shop/web-x-1: "a" -> ""
			evicted from a: shop/web-x-1 (Deployment web)
			node a: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node all nodes: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);`},
		{"unchanged, and one is missing", append(running("2"), two...), nil, []string{web("Deployment", 2, "1", "")}, false, `
			1 object: 1 unchanged
			fails: false
			Deployment shop/web unchanged: 2 pods wanted, 1 created, 1 on nodes
			  the input does not say why pods are missing: nothing in it refuses the next one`},
		{"unchanged, and the quota refuses the next one", append(append(running("2"), two...), quota("pods: 1", "pods: 1")), nil, []string{web("Deployment", 2, "1", "")}, false, `
			Fails: 1 pod not created. 1 object: 1 unchanged
			fails: true
			Deployment shop/web unchanged: 2 pods wanted, 1 created, 1 on nodes
			  blocked now, because pods "web-x-2" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1
			  all would be admitted with pods 2 (is 1) in quota team
			  or with 1 replica`},
		{"a class of a refused pod", append(two[:2:2], quota("pods: 0", "pods: 0")), nil, []string{pod("p", "priorityClassName: high, ", "1")}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0
			  all would be admitted with pods 1 (is 0) in quota team
			  not considered: PriorityClass "high"`},
		{"fields about places do not matter without nodes", nil, nil, []string{pod("p", "priorityClassName: high, resourceClaims: [{name: c, resourceClaimName: d}], ", "1")}, false, `
			1 object: 1 created; pods: 1 new
			fails: false
			Pod shop/p created
			  not considered: PriorityClass "high"
			pod shop/p: "" -> ""`},
		{"pods wait for the same reason", []string{node("a", "1")}, nil, []string{web("Deployment", 2, "3", "")}, false, `
			Fails: 2 pods waiting. 1 object: 1 created
			fails: true
			Deployment shop/web created: 2 pods wanted, 2 created, 0 on nodes
			  2 pods: 0/1 nodes are available: 1 Insufficient cpu.
			pod shop/web-1-1: "" -> ""
			pod shop/web-1-2: "" -> ""`},
		{"the first node", nil, nil, []string{node("a", "2"), web("StatefulSet", 1, "100m", ""), pod("p", "", "1"), strings.Replace(pod("z", "", "1"), "namespace: shop", "namespace: app", 1)}, false, `
			Fails: 1 pod waiting. 4 objects: 4 created; pods: 2 placed
			fails: true
			Node a created
			StatefulSet shop/web created: 1 pod wanted, 1 created, 1 on nodes
			  1 new on a
			Pod shop/p created
			  1 new on a
			Pod app/z created
			  1 pod: 0/1 nodes are available: 1 Insufficient cpu.
			pod app/z: "" -> ""
			pod shop/p: "" -> "a"
			pod shop/web-0: "" -> "a"
			node a: cpu  of  -> 1100m of 2 (55%); pods  of  -> 2 of 10 (20%);
			node all nodes: cpu  of  -> 1100m of 2 (55%); pods  of  -> 2 of 10 (20%);`},
		{"a Service is refused", append(two[:2:2], quota("services: 0", "services: 0")), nil, []string{document("Service", "name: s, namespace: shop", "spec: {ports: [{port: 80}]}")}, false, `
			Fails: 1 object refused.
			fails: true
			Service shop/s refused
			  services "s" is forbidden: exceeded quota: team, requested: services=1, used: services=0, limited: services=0`},
		{"a LimitRange of the change", two, nil, []string{document("LimitRange", "name: lr, namespace: shop", "spec: {limits: [{type: Container, min: {cpu: 600m}}]}"), web("Deployment", 1, "500m", "")}, false, `
			Fails: 1 pod not created. 2 objects: 2 created
			fails: true
			LimitRange shop/lr created
			Deployment shop/web created: 1 pod wanted, 0 created, 0 on nodes
			  next pod: pods "web-1-1" is forbidden: minimum cpu usage per Container is 600m, but request is 500m
			  all would be admitted with cpu request 600m (is 500m) of container app`},
		{"a pod of the status", append(two[:2:2], document("StatefulSet", "name: web, namespace: shop, uid: web", "spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}", "status: {replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1}")), nil, []string{document("Service", "name: s, namespace: shop", "spec: {ports: [{port: 80}]}")}, false, `
			1 object: 1 created
			fails: false
			Service shop/s created
			note: 1 pod not in the input: the status of workloads counts them`},
		{"updated without nodes", nil, []string{stored}, []string{strings.Replace(stored, "cpu: 1}", "cpu: 500m}", 1)}, false, `
			1 object: 1 updated; pods: 2 new, 2 gone
			fails: false
			Deployment shop/web updated: 2 pods wanted, 2 created
			  2 gone, 2 new
			pod shop/web-1-1: "" -> "" gone
			pod shop/web-1-2: "" -> "" gone
			pod shop/web-2-1: "" -> ""
			pod shop/web-2-2: "" -> ""`},
		{"what a change lacks is deleted, the last first", nil, []string{document("Service", "name: s, namespace: shop", "spec: {ports: [{port: 80}]}"), pod("p", "", "1"), pod("q", "", "1")}, []string{pod("p", "", "1")}, false, `
			3 objects: 1 unchanged, 2 deleted; pods: 1 gone
			fails: false
			Pod shop/p unchanged
			Pod shop/q deleted
			  1 gone
			Service shop/s deleted
			pod shop/q: "" -> "" gone`},
		{"no container is left without what it requests", []string{quota("requests.example.com/gpu: 0", "requests.example.com/gpu: 0")}, nil, []string{strings.Replace(pod("p", "", "1"), "requests: {cpu: 1}", "limits: {cpu: 1, example.com/gpu: 1}", 1)}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: requests.example.com/gpu=1, used: requests.example.com/gpu=0, limited: requests.example.com/gpu=0
			  all would be admitted with requests.example.com/gpu 1 (is 0) in quota team`},
		{"what was applied before is not computed", nil, []string{"apiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchicalResourceQuota\nmetadata: {name: q}\n"}, []string{pod("p", "", "1")}, false, `
			1 object: 1 created; pods: 1 new
			fails: false
			Pod shop/p created
			pod shop/p: "" -> ""
			not computed: HierarchicalResourceQuota q: it limits what others may use, which is not computed`},
		{"an update that is stuck half way", []string{quota("requests.cpu: 4", "requests.cpu: 0")}, []string{stored}, []string{strings.Replace(stored, "cpu: 1}", "cpu: 2}", 1)}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated; pods: 1 new, 1 gone
			fails: true
			Deployment shop/web updated: 2 pods wanted, 1 created, 1 of the former template left
			  1 gone, 1 new
			  next pod: pods "web-2-2" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=4
			  all would be admitted with maxSurge 0 and maxUnavailable 1
			  or with requests.cpu 5 (is 4) in quota team
			pod shop/web-1-2: "" -> "" gone
			pod shop/web-2-1: "" -> ""
			quota shop/team requests.cpu: 2 of 4 (50%) -> 3 of 4 (75%)`},
		{"an update from a partition on", nil, []string{web("StatefulSet", 3, "1", partition)}, []string{web("StatefulSet", 3, "2", partition)}, false, `
			1 object: 1 updated
			fails: false
			StatefulSet shop/web updated: 3 pods wanted, 1 created, 2 kept of the former template
			pod shop/web-2: "" -> ""`},
		{"an update from a partition on that is stuck", []string{quota("requests.cpu: 4", "requests.cpu: 0")}, []string{web("StatefulSet", 3, "1", partition)}, []string{web("StatefulSet", 3, "3", partition)}, false, `
			Fails: 1 pod not created. 1 object: 1 updated; pods: 1 gone
			fails: true
			StatefulSet shop/web updated: 3 pods wanted, 0 created, 2 kept of the former template
			  1 gone
			  next pod: pods "web-2" is forbidden: exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=2, limited: requests.cpu=4
			  all would be admitted with cpu request 1300m (is 3) of container app
			  or with requests.cpu 5 (is 4) in quota team
			pod shop/web-2: "" -> "" gone
			quota shop/team requests.cpu: 3 of 4 (75%) -> 2 of 4 (50%)`},
		{"an update from a partition on, which has no room", two, []string{web("StatefulSet", 3, "1", partition)}, []string{web("StatefulSet", 3, "3", partition)}, false, `
			Fails: 1 pod waiting. 1 object: 1 updated
			fails: true
			StatefulSet shop/web updated: 3 pods wanted, 1 created, 0 on nodes, 2 kept of the former template
			  1 pod: 0/2 nodes are available: 2 Insufficient cpu.
			pod shop/web-2: "a" -> ""
			node a: cpu 2 of 2 (100%) -> 1 of 2 (50%); pods 2 of 10 (20%) -> 1 of 10 (10%);
			node all nodes: cpu 3 of 4 (75%) -> 2 of 4 (50%); pods 3 of 20 (15%) -> 2 of 20 (10%);`},
		{"pods from a partition on that were updated before", []string{node("a", "9"), strings.Replace(web("StatefulSet", 2, "2", strings.Replace(partition, "2", "1", 1)), "namespace: shop", "namespace: shop, uid: web", 1) + "status: {currentRevision: old, updateRevision: new, replicas: 2, updatedReplicas: 1}\n",
			ofSet("web-0", "old", "1"), ofSet("web-1", "new", "2")}, nil, []string{web("StatefulSet", 2, "2", strings.Replace(partition, "2", "1", 1))}, false, `
			1 object: 1 unchanged
			fails: false
			StatefulSet shop/web unchanged: 2 pods wanted, 1 created, 1 on nodes, 1 kept of the former template`},
		{"an update that waits until pods are deleted", nil, []string{web("StatefulSet", 3, "1", onDelete)}, []string{web("StatefulSet", 3, "2", onDelete)}, false, `
			1 object: 1 updated
			fails: false
			StatefulSet shop/web updated: 3 pods wanted, 0 created, 3 kept of the former template`},
		{"a quota whose usage is not known", []string{document("ResourceQuota", "name: team, namespace: shop, uid: q", "spec: {hard: {pods: 1}}")}, nil, []string{document("Service", "name: s, namespace: shop", "spec: {ports: [{port: 80}]}")}, false, `
			1 object: 1 created
			fails: false
			Service shop/s created
			note: usage of ResourceQuota shop/team not known: neither its status nor the pods of its namespace are in the input`},
		{"a limit of which a request follows", []string{quota("requests.cpu: 1, limits.cpu: 1", "requests.cpu: 0, limits.cpu: 0")}, nil, []string{strings.Replace(pod("p", "", "2"), "requests", "limits", 1)}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: limits.cpu=2,requests.cpu=2, used: limits.cpu=0,requests.cpu=0, limited: limits.cpu=1,requests.cpu=1
			  all would be admitted with cpu limit 1 (is 2) of container app
			  or with limits.cpu 2 (is 1) and requests.cpu 2 (is 1) in quota team`},
		{"one equal node of two", two, nil, []string{pod("p", "", "1")}, false, `
			1 object: 1 created; pods: 1 placed
			fails: false
			Pod shop/p created
			  1 new on a
			pod shop/p: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 1 of 4 (25%); pods 0 of 20 (0%) -> 1 of 20 (5%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"another workload gets pods twice", append(two[:2:2], web("Deployment", 3, "100m", ""), pod("p", "nodeName: a, ", "1"), quota("pods: 1", "pods: 1")), []string{pod("p", "", "1")}, []string{document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 3}}")}, true, `
			2 objects: 1 updated, 1 deleted; pods: 3 placed, 1 gone
			fails: false
			ResourceQuota shop/team updated
			Pod shop/p deleted
			  1 gone
			other Deployment shop/web unchanged: 3 pods wanted, 3 created, 3 on nodes
			  3 new on a, b (2)
			pod shop/p: "a" -> "" gone
			pod shop/web-1-1: "" -> "b"
			pod shop/web-1-2: "" -> "b"
			pod shop/web-1-3: "" -> "a"
			quota shop/team pods: 1 of 1 (100%) -> 3 of 3 (100%)
			node a: cpu 1 of 2 (50%) -> 100m of 2 (5%); pods 1 of 10 (10%) -> 1 of 10 (10%);
			node b: cpu 0 of 2 (0%) -> 200m of 2 (10%); pods 0 of 10 (0%) -> 2 of 10 (20%);
			node all nodes: cpu 1 of 4 (25%) -> 300m of 4 (7%); pods 1 of 20 (5%) -> 3 of 20 (15%);`},
		{"all is deleted", two, []string{pod("p", "", "1")}, nil, false, `
			1 object: 1 deleted; pods: 1 gone
			fails: false
			Pod shop/p deleted
			  1 gone
			pod shop/p: "a" -> "" gone
			node a: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node all nodes: cpu 1 of 4 (25%) -> 0 of 4 (0%); pods 1 of 20 (5%) -> 0 of 20 (0%);`},
		{"unchanged without nodes", nil, []string{stored}, []string{stored}, false, `
			1 object: 1 unchanged
			fails: false
			Deployment shop/web unchanged: 2 pods wanted, 2 created`},
		{"unchanged, and the first pod waits", two, []string{web("StatefulSet", 2, "3", "")}, []string{web("StatefulSet", 2, "3", "")}, false, `
			Fails: 1 pod waiting. 1 object: 1 unchanged
			fails: true
			StatefulSet shop/web unchanged: 2 pods wanted, 1 created, 0 on nodes
			  1 pod: 0/2 nodes are available: 2 Insufficient cpu.`},
		{"an unchanged pod waits, and a new one does not", []string{node("a", "2"), node("b", "1"), pod("q", "", "3")}, nil, []string{pod("q", "", "3"), pod("p", "", "2")}, false, `
			Fails: 1 pod waiting. 2 objects: 1 created, 1 unchanged; pods: 1 placed
			fails: true
			Pod shop/q unchanged
			  1 pod: 0/2 nodes are available: 2 Insufficient cpu.
			Pod shop/p created
			  1 new on a
			pod shop/p: "" -> "a"
			node a: cpu 0 of 2 (0%) -> 2 of 2 (100%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 3 (0%) -> 2 of 3 (66%); pods 0 of 20 (0%) -> 1 of 20 (5%);`},
		{"unchanged, and what waited has a place", two, []string{web("Deployment", 5, "1", "")}, []string{web("Deployment", 5, "1", ""), node("c", "2")}, false, `
			2 objects: 1 created, 1 unchanged; pods: 1 placed
			fails: false
			Deployment shop/web unchanged: 5 pods wanted, 5 created, 5 on nodes
			  1 new on c
			Node c created
			pod shop/web-1-5: "" -> "c"
			node c: cpu  of  -> 1 of 2 (50%); pods  of  -> 1 of 10 (10%);
			node all nodes: cpu 4 of 4 (100%) -> 5 of 6 (83%); pods 4 of 20 (20%) -> 5 of 30 (16%);`},
		{"unchanged, and preempted", append(running("1"), node("a", "1")), nil, []string{web("Deployment", 1, "1", ""), pod("q", "priority: 5, ", "1")}, false, `
			Fails: 1 pod waiting, 1 pod preempted. 2 objects: 1 created, 1 unchanged; pods: 1 placed
			fails: true
			Deployment shop/web unchanged: 1 pod wanted, 1 created, 0 on nodes
			  1 preempted
			  1 pod: 0/1 nodes are available: 1 Insufficient cpu.
			Pod shop/q created
			  1 new on a
			pod shop/q: "" -> "a"
			pod shop/web-x-1: "a" -> ""
			preempted on a: shop/web-x-1 (Deployment web)
			node a: cpu 1 of 1 (100%) -> 1 of 1 (100%); pods 1 of 10 (10%) -> 1 of 10 (10%);
			node all nodes: cpu 1 of 1 (100%) -> 1 of 1 (100%); pods 1 of 10 (10%) -> 1 of 10 (10%);`},
		{"a hook counts after it has ended", append(two[:2:2], quota("count/jobs.batch: 1", "count/jobs.batch: 0")), nil, []string{job("before", "helm.sh/hook: pre-install"), job("main", ""), strings.Replace(pod("p", "", "1"), "namespace: shop", "namespace: shop, annotations: {helm.sh/hook: post-install}", 1)}, false, `
			Fails: 1 object refused. 3 objects: 2 created; pods: 2 placed
			fails: true
			Job shop/before created: 1 pod wanted, 1 created, 1 on nodes
			  a hook: nothing else is created before it has succeeded
			  1 new on a
			Job shop/main refused
			  jobs.batch "main" is forbidden: exceeded quota: team, requested: count/jobs.batch=1, used: count/jobs.batch=1, limited: count/jobs.batch=1
			  all would be admitted with count/jobs.batch 2 (is 1) in quota team
			Pod shop/p created
			  a hook: it runs after all others
			  1 new on a`},
		{"hooks of other occasions, and without nodes", nil, nil, []string{job("one", "helm.sh/hook: test"), job("before", "helm.sh/hook: pre-install"), job("two", "helm.sh/hook: pre-rollback")}, false, `
			3 objects: 1 created, 2 not installed; pods: 1 new
			fails: false
			Job shop/before created: 1 pod wanted, 1 created
			  a hook: nothing else is created before it has succeeded
			Job shop/one not installed
			  a hook for tests, a deletion or a rollback
			Job shop/two not installed
			  a hook for tests, a deletion or a rollback`},
		{"a hook that does not end", two, nil, []string{pod("p", "", "1"), strings.Replace(document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 0}}"), "namespace: shop", "namespace: shop, annotations: {helm.sh/hook: pre-install}", 1)}, false, `
			Fails: 1 object refused. 2 objects: 1 created
			fails: true
			ResourceQuota shop/team created
			  a hook: nothing else is created before it has succeeded
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0
			  all would be admitted with pods 1 (is 0) in quota team`},
		{"a quota that is raised leaves a pod without a node", append(two[:2:2], quota("pods: 0", "pods: 0")), nil, []string{pod("p", "", "5")}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0
			  no other requests, limits, replicas, strategy or quota would admit all`},
		{"a remedy has to help the object", append(two[:2:2], quota("pods: 0", "pods: 0")), nil, []string{pod("p", "", "5"), pod("q", "", "1")}, false, `
			Fails: 2 objects refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0
			  no other requests, limits, replicas, strategy or quota would admit all
			Pod shop/q refused
			  pods "q" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0
			  all would be admitted with pods 1 (is 0) in quota team`},
		{"a strategy has to help the object", []string{quota("requests.cpu: 4", "requests.cpu: 0")}, []string{web("Deployment", 1, "3", "")}, []string{web("Deployment", 1, "5", ""), pod("q", "", "2")}, false, `
			Fails: 1 object refused, 1 pod not created, 1 update not complete. 2 objects: 1 updated
			fails: true
			Deployment shop/web updated: 1 pod wanted, 0 created, 1 of the former template left
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: requests.cpu=5, used: requests.cpu=3, limited: requests.cpu=4
			  all would be admitted with cpu request 1 (is 5) of container app
			  or with requests.cpu 10 (is 4) in quota team
			Pod shop/q refused
			  pods "q" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=4
			  all would be admitted with cpu request 1 (is 2) of container app`},
		{"an update that no node has room for", []string{node("a", "2")}, []string{web("Deployment", 1, "1", "")}, []string{web("Deployment", 1, "5", "")}, false, `
			Fails: 1 pod waiting, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 1 pod wanted, 1 created, 0 on nodes, 1 of the former template left
			  1 pod: 0/1 nodes are available: 1 Insufficient cpu.
			  no other requests, limits, replicas, strategy or quota would admit all
			pod shop/web-2-1: "" -> ""`},
		{"an update that has room without the former pod", []string{node("a", "1")}, []string{web("Deployment", 1, "1", "")}, []string{web("Deployment", 1, "900m", "")}, false, `
			Fails: 1 pod waiting, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 1 pod wanted, 1 created, 0 on nodes, 1 of the former template left
			  1 pod: 0/1 nodes are available: 1 Insufficient cpu.
			  all would be admitted with strategy Recreate
			pod shop/web-2-1: "" -> ""`},
		{"room for one replica", []string{node("a", "1")}, nil, []string{web("Deployment", 2, "1", "")}, false, `
			Fails: 1 pod waiting. 1 object: 1 created; pods: 1 placed
			fails: true
			Deployment shop/web created: 2 pods wanted, 2 created, 1 on nodes
			  1 new on a
			  1 pod: 0/1 nodes are available: 1 Insufficient cpu.
			  all would be admitted with 1 replica
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> ""
			node a: cpu 0 of 1 (0%) -> 1 of 1 (100%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 1 (0%) -> 1 of 1 (100%); pods 0 of 10 (0%) -> 1 of 10 (10%);`},
		{"a request beside the former pod", []string{quota("requests.cpu: 3", "requests.cpu: 0")}, []string{web("Deployment", 1, "1", "")}, []string{web("Deployment", 1, "3", "")}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 1 pod wanted, 0 created, 1 of the former template left
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=1, limited: requests.cpu=3
			  all would be admitted with strategy Recreate
			  or with cpu request 2 (is 3) of container app
			  or with requests.cpu 4 (is 3) in quota team`},
		{"a request without a surge", []string{quota("requests.cpu: 6", "requests.cpu: 0")}, []string{web("Deployment", 3, "1", "")}, []string{web("Deployment", 3, "5", "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}, ")}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated; pods: 1 gone
			fails: true
			Deployment shop/web updated: 3 pods wanted, 0 created, 2 of the former template left
			  1 gone
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: requests.cpu=5, used: requests.cpu=2, limited: requests.cpu=6
			  all would be admitted with cpu request 2 (is 5) of container app
			  or with requests.cpu 15 (is 6) in quota team
			pod shop/web-1-3: "" -> "" gone
			quota shop/team requests.cpu: 3 of 6 (50%) -> 2 of 6 (33%)`},
		{"an update that is stuck after its first pod", []string{quota("requests.cpu: 6", "requests.cpu: 0")}, []string{web("Deployment", 4, "1", "")}, []string{web("Deployment", 4, "2500m", "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}, ")}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated; pods: 1 new, 2 gone
			fails: true
			Deployment shop/web updated: 4 pods wanted, 1 created, 2 of the former template left
			  2 gone, 1 new
			  next pod: pods "web-2-2" is forbidden: exceeded quota: team, requested: requests.cpu=2500m, used: requests.cpu=4500m, limited: requests.cpu=6
			  all would be admitted with cpu request 1500m (is 2500m) of container app
			  or with requests.cpu 10 (is 6) in quota team
			pod shop/web-1-3: "" -> "" gone
			pod shop/web-1-4: "" -> "" gone
			pod shop/web-2-1: "" -> ""
			quota shop/team requests.cpu: 4 of 6 (66%) -> 4500m of 6 (75%)`},
		{"what comes afterwards fails later", []string{quota("requests.cpu: 2", "requests.cpu: 0")}, nil, []string{web("Deployment", 3, "1", ""), pod("q", "", "1")}, false, `
			Fails: 1 object refused, 1 pod not created. 2 objects: 1 created; pods: 2 new
			fails: true
			Deployment shop/web created: 3 pods wanted, 2 created
			  next pod: pods "web-1-3" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2
			  all would be admitted with cpu request 650m (is 1) of container app
			  or with requests.cpu 4 (is 2) in quota team
			  or with 2 replicas
			Pod shop/q refused
			  pods "q" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2
			  all would be admitted with requests.cpu 4 (is 2) in quota team
			pod shop/web-1-1: "" -> ""
			pod shop/web-1-2: "" -> ""
			quota shop/team requests.cpu: 0 of 2 (0%) -> 2 of 2 (100%)`},
		{"what a quota demands", []string{quota("requests.cpu: 1, limits.memory: 1Gi", "requests.cpu: 0")}, nil, []string{document("Pod", "name: p, namespace: shop", "spec: {containers: [{name: app}]}")}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: failed quota: team: must specify limits.memory for: app; requests.cpu for: app
			  all would be admitted with cpu request 100m and memory limit 128Mi of container app`},
		{"limits of which two requests follow", []string{quota("requests.cpu: 1, limits.cpu: 1, requests.memory: 1Gi, limits.memory: 1Gi, pods: 1", "pods: 0")}, nil, []string{strings.Replace(pod("p", "", "2, memory: 2Gi"), "requests", "limits", 1)}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: limits.cpu=2,limits.memory=2Gi,requests.cpu=2,requests.memory=2Gi, used: limits.cpu=0,limits.memory=0,requests.cpu=0,requests.memory=0, limited: limits.cpu=1,limits.memory=1Gi,requests.cpu=1,requests.memory=1Gi
			  all would be admitted with cpu limit 1 (is 2) and memory limit 1Gi (is 2Gi) of container app
			  or with limits.cpu 2 (is 1), limits.memory 2Gi (is 1Gi), requests.cpu 2 (is 1) and requests.memory 2Gi (is 1Gi) in quota team`},
		{"a need that is not round", []string{quota("requests.cpu: 1, requests.memory: 1Gi", "requests.cpu: 0")}, nil, []string{pod("p", "", "1234m, memory: 1500Mi")}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: requests.cpu=1234m,requests.memory=1500Mi, used: requests.cpu=0,requests.memory=0, limited: requests.cpu=1,requests.memory=1Gi
			  all would be admitted with cpu request 1 (is 1234m) and memory request 1Gi (is 1500Mi) of container app
			  or with requests.cpu 1250m (is 1) and requests.memory 1536Mi (is 1Gi) in quota team`},
		{"the third advice is for what is there by then", []string{quota("requests.cpu: 1", "requests.cpu: 0")}, nil, []string{pod("p", "", "2"), pod("q", "", "2"), document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {requests.cpu: 5}}"), pod("r", "", "6"), pod("s", "", "7")}, false, `
			Fails: 4 objects refused. 5 objects: 1 updated
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1
			  it would be admitted if the change was applied once more
			  all would be admitted with requests.cpu 17 (is 5) in quota team
			Pod shop/q refused
			  pods "q" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1
			  it would be admitted if the change was applied once more
			  all would be admitted with requests.cpu 15 (is 5) in quota team
			ResourceQuota shop/team updated
			Pod shop/r refused
			  pods "r" is forbidden: exceeded quota: team, requested: requests.cpu=6, used: requests.cpu=0, limited: requests.cpu=5
			  all would be admitted with cpu request 5 (is 6) of container app
			  or with requests.cpu 13 (is 5) in quota team
			Pod shop/s refused
			  pods "s" is forbidden: exceeded quota: team, requested: requests.cpu=7, used: requests.cpu=0, limited: requests.cpu=5
			  all would be admitted with cpu request 5 (is 7) of container app
			  or with requests.cpu 7 (is 5) in quota team
			quota shop/team requests.cpu: 0 of 1 (0%) -> 0 of 5 (0%)`},
		{"a quota that demands an amount has no room for one", []string{quota("requests.cpu: 50m", "requests.cpu: 0")}, nil, []string{document("Pod", "name: p, namespace: shop", "spec: {containers: [{name: app}]}")}, false, `
			Fails: 1 object refused.
			fails: true
			Pod shop/p refused
			  pods "p" is forbidden: failed quota: team: must specify requests.cpu for: app
			  no other requests, limits, replicas, strategy or quota would admit all`},
		{"a least request that is not round", nil, nil, []string{document("LimitRange", "name: lr, namespace: shop", "spec: {limits: [{type: Container, min: {cpu: 601m}}]}"), pod("p", "", "500m")}, false, `
			Fails: 1 object refused. 2 objects: 1 created
			fails: true
			LimitRange shop/lr created
			Pod shop/p refused
			  pods "p" is forbidden: minimum cpu usage per Container is 601m, but request is 500m
			  all would be admitted with cpu request 650m (is 500m) of container app`},
		{"a new workload has no surge beside a rollout", []string{quota("pods: 2", "pods: 0")}, []string{strings.ReplaceAll(stored, "name: web", "name: api")}, []string{web("Deployment", 1, "1", ""), strings.Replace(strings.ReplaceAll(stored, "name: web", "name: api"), "cpu: 1}", "cpu: 500m}", 1)}, false, `
			Fails: 2 pods not created, 1 update not complete. 2 objects: 1 created, 1 updated
			fails: true
			Deployment shop/web created: 1 pod wanted, 0 created
			  next pod: pods "web-1-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2
			  all would be admitted with pods 3 (is 2) in quota team
			Deployment shop/api updated: 2 pods wanted, 0 created, 2 of the former template left
			  next pod: pods "api-2-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2
			  all would be admitted with pods 4 (is 2) in quota team`},
		{"a rollout to smaller pods", []string{quota("requests.cpu: 6", "requests.cpu: 0")}, []string{strings.Replace(stored, "cpu: 1}", "cpu: 3}", 1)}, []string{stored}, false, `
			Fails: 1 pod not created, 1 update not complete. 1 object: 1 updated
			fails: true
			Deployment shop/web updated: 2 pods wanted, 0 created, 2 of the former template left
			  next pod: pods "web-2-1" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=6, limited: requests.cpu=6
			  all would be admitted with maxSurge 0 and maxUnavailable 1
			  or with requests.cpu 7 (is 6) in quota team`},
		{"what is used of a quota and a node is the same in the end", []string{node("a", "2"), quota("pods: 2", "pods: 1"), pod("p", "nodeName: a, ", "1")}, []string{pod("p", "", "1")}, []string{pod("q", "", "1")}, true, `
			2 objects: 1 created, 1 deleted; pods: 1 placed, 1 gone
			fails: false
			Pod shop/q created
			  1 new on a
			Pod shop/p deleted
			  1 gone
			pod shop/p: "a" -> "" gone
			pod shop/q: "" -> "a"
			node a: cpu 1 of 2 (50%) -> 1 of 2 (50%); pods 1 of 10 (10%) -> 1 of 10 (10%);
			node all nodes: cpu 1 of 2 (50%) -> 1 of 2 (50%); pods 1 of 10 (10%) -> 1 of 10 (10%);`},
		{"a node goes while another one fills", []string{node("a", "2"), node("b", "2"), pod("p", "nodeName: b, ", "1")}, []string{node("b", "2")}, []string{pod("q", "", "1")}, true, `
			2 objects: 1 created, 1 deleted; pods: 1 placed, 1 gone, 1 evicted
			fails: false
			Pod shop/q created
			  1 new on a
			Node b deleted
			pod shop/p: "b" -> "" gone
			pod shop/q: "" -> "a"
			evicted from b: shop/p
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 1 of 4 (25%) -> 1 of 2 (50%); pods 1 of 20 (5%) -> 1 of 10 (10%);`},
		{"a quota loses a limit, and others are in order", []string{quota("pods: 4, services: 1", "pods: 1")}, nil, []string{document("ResourceQuota", "name: z, namespace: shop", "spec: {hard: {pods: 3}}"), document("ResourceQuota", "name: b, namespace: shop", "spec: {hard: {pods: 2}}"), document("ResourceQuota", "name: team, namespace: shop", "spec: {hard: {pods: 4}}"), document("ResourceQuota", "name: w, namespace: app", "spec: {hard: {pods: 1}}")}, false, `
			4 objects: 3 created, 1 updated
			fails: false
			ResourceQuota shop/z created
			ResourceQuota shop/b created
			ResourceQuota shop/team updated
			ResourceQuota app/w created
			quota app/w pods:  of  -> 0 of 1 (0%)
			quota shop/b pods:  of  -> 0 of 2 (0%)
			quota shop/team services: 0 of 1 (0%) ->  of 
			quota shop/z pods:  of  -> 0 of 3 (0%)`},
		{"pods of two owners on two equal nodes", two, nil, []string{pod("p", "", "1"), pod("q", "", "1")}, false, `
			2 objects: 2 created; pods: 2 placed
			fails: false
			Pod shop/p created
			  1 new on a
			Pod shop/q created
			  1 new on b
			pod shop/p: "" -> "a"
			pod shop/q: "" -> "b"
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node b: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 0 of 4 (0%) -> 2 of 4 (50%); pods 0 of 20 (0%) -> 2 of 20 (10%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
		{"what is deleted makes room for what was applied", []string{node("a", "2"), quota("pods: 2", "pods: 0")}, []string{pod("p", "", "1")}, []string{web("Deployment", 3, "1", "")}, false, `
			Fails: 1 pod not created. 2 objects: 1 created, 1 deleted; pods: 2 placed, 1 gone
			fails: true
			Deployment shop/web created: 3 pods wanted, 2 created, 2 on nodes
			  2 new on a (2)
			  next pod: pods "web-1-3" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2
			  all would be admitted with 1 replica
			Pod shop/p deleted
			  1 gone
			pod shop/p: "a" -> "" gone
			pod shop/web-1-1: "" -> "a"
			pod shop/web-1-2: "" -> "a"
			quota shop/team pods: 1 of 2 (50%) -> 2 of 2 (100%)
			node a: cpu 1 of 2 (50%) -> 2 of 2 (100%); pods 1 of 10 (10%) -> 2 of 10 (20%);
			node all nodes: cpu 1 of 2 (50%) -> 2 of 2 (100%); pods 1 of 10 (10%) -> 2 of 10 (20%);`},
		{"what is deleted was preempted before", []string{node("a", "2"), document("PriorityClass", "name: high", "value: 9")}, []string{web("Deployment", 2, "1", "")},
			[]string{pod("high", "priorityClassName: high, ", "1")}, false, `
			Fails: 1 pod preempted. 2 objects: 1 created, 1 deleted; pods: 1 placed, 3 gone
			fails: true
			Pod shop/high created
			  1 new on a
			Deployment shop/web deleted
			  3 gone (1 preempted)
			pod shop/high: "" -> "a"
			pod shop/web-1-1: "a" -> "" gone
			pod shop/web-1-2: "a" -> "" gone
			pod shop/web-1-3: "" -> "" gone
			preempted on a: shop/web-1-2 (Deployment web)
			node a: cpu 2 of 2 (100%) -> 1 of 2 (50%); pods 2 of 10 (20%) -> 1 of 10 (10%);
			node all nodes: cpu 2 of 2 (100%) -> 1 of 2 (50%); pods 2 of 10 (20%) -> 1 of 10 (10%);`},
		{"a node of a DaemonSet is deleted", []string{node("a", "2")}, []string{node("b", "2")}, []string{strings.Replace(web("DaemonSet", 1, "1", ""), "replicas: 1, ", "", 1)}, false, `
			2 objects: 1 created, 1 deleted; pods: 1 placed, 1 gone, 1 evicted
			fails: false
			DaemonSet shop/web created: 1 pod wanted, 1 created, 1 on nodes
			  1 gone (1 evicted), 1 new on a
			Node b deleted
			pod shop/web-1: "" -> "a"
			pod shop/web-2: "" -> "" gone
			evicted from nodes that they got meanwhile: shop/web-2 (DaemonSet web)
			node a: cpu 0 of 2 (0%) -> 1 of 2 (50%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node b:
			node all nodes: cpu 0 of 4 (0%) -> 1 of 2 (50%); pods 0 of 20 (0%) -> 1 of 10 (10%);`},
		{"a pod that waited is preempted where it came to", []string{node("a", "2"), pod("old", "priority: 5, nodeName: a, ", "2"), pod("waits", "", "2")}, nil,
			[]string{node("b", "2"), document("PriorityClass", "name: high", "value: 9"), pod("high", "priorityClassName: high, ", "2")}, true, `
			Fails: 1 pod preempted. 3 objects: 3 created; pods: 1 placed, 1 gone
			fails: true
			Node b created
			PriorityClass high created
			Pod shop/high created
			  1 new on b
			pod shop/high: "" -> "b"
			pod shop/waits: "" -> "" gone
			preempted from nodes that they got meanwhile: shop/waits
			node b: cpu  of  -> 2 of 2 (100%); pods  of  -> 1 of 10 (10%);
			node all nodes: cpu 2 of 2 (100%) -> 4 of 4 (100%); pods 1 of 10 (10%) -> 2 of 20 (10%);`},
		{"a quota without limits, and pods of the status that go", append(two[:2:2], document("ResourceQuota", "name: none, namespace: shop"), document("Deployment", "name: web, namespace: shop, uid: web", "spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}", "status: {replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2}")), nil, []string{web("Deployment", 1, "1", "")}, false, `
			1 object: 1 updated; pods: 1 new, 2 gone
			fails: false
			Deployment shop/web updated: 1 pod wanted, 1 created
			  2 gone, 1 new
			pod shop/web-1-1: "" -> "" gone
			pod shop/web-1-2: "" -> "" gone
			pod shop/web-2-1: "" -> ""
			note: 2 pods not in the input: the status of workloads counts them`},
		{"a pod that comes back on one of two equal nodes", []string{node("a", "2"), node("b", "4"), node("c", "4"),
			document("StatefulSet", "name: web, namespace: shop, uid: web", "spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}",
				"status: {replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, availableReplicas: 1, currentRevision: r, updateRevision: r}"),
			document("Pod", "name: web-0, namespace: shop, uid: web-0, labels: {a: b, controller-revision-hash: r}, ownerReferences: [{apiVersion: apps/v1, controller: true, kind: StatefulSet, name: web, uid: web}]",
				"spec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 1}}}]}", "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"),
		}, nil, []string{web("StatefulSet", 1, "3", "")}, false, `
			1 object: 1 updated; pods: 1 placed
			fails: false
			StatefulSet shop/web updated: 1 pod wanted, 1 created, 1 on nodes
			  1 new on b
			pod shop/web-0: "a" -> "b"
			node a: cpu 1 of 2 (50%) -> 0 of 2 (0%); pods 1 of 10 (10%) -> 0 of 10 (0%);
			node b: cpu 0 of 4 (0%) -> 3 of 4 (75%); pods 0 of 10 (0%) -> 1 of 10 (10%);
			node all nodes: cpu 1 of 10 (10%) -> 3 of 10 (30%); pods 1 of 30 (3%) -> 1 of 30 (3%);
			note: 1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it`},
	} {
		t.Run(s.name, func(t *testing.T) {
			in := &comparison.Input{Cluster: listOf(s.cluster...), Old: listOf(s.old...), Change: listOf(s.change...)}
			r, err := comparison.ReportOf(in, comparison.Options{OnCluster: s.onCluster})
			testkit.OK(t, err)
			want := strings.Split(strings.TrimPrefix(strings.ReplaceAll(s.want, "\n\t\t\t", "\n"), "\n"), "\n")
			testkit.NoDiff(t, told(r), want)
		})
	}
}

// A quota is raised by its kind and name, as it is after the change, and so that what has its name fits as well.
func TestRaisesOfQuotasOfOneName(t *testing.T) {
	shared := func(team, hard, used string) string {
		return "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\n" +
			"spec: {selector: {labels: {matchLabels: {team: " + team + "}}}, quota: {hard: {" + hard + "}}}\n" +
			"status: {total: {hard: {" + hard + "}, used: {" + used + "}}, namespaces: [{namespace: shop, status: {used: {" + used + "}}}]}\n"
	}
	const shop = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}\n"
	twice := web("Deployment", 2, "1", "")
	for _, test := range []struct {
		name            string
		cluster, change []string
		want            []string
	}{
		{"one of the namespace and one of several", []string{shop, quota("requests.cpu: 9", "requests.cpu: 1"), shared("a", "pods: 1", "pods: 0")}, []string{twice},
			[]string{"all would be admitted with pods 2 (is 1) in ClusterResourceQuota team"}},
		{"one that selects the namespace by the change", []string{shop, shared("b", "pods: 1", "pods: 0")}, []string{shared("a", "pods: 1", "pods: 0"), twice},
			[]string{"all would be admitted with pods 2 (is 1) in ClusterResourceQuota team"}},
		{"a hook", []string{shop, shared("a", "pods: 1", "pods: 1")}, []string{strings.Replace(twice, "name: web", `name: web, annotations: {helm.sh/hook: pre-install}`, 1)},
			[]string{"all would be admitted with pods 3 (is 1) in ClusterResourceQuota team"}},
		{"a workload of its name afterwards", []string{quota("pods: 1", "pods: 0")}, []string{strings.Replace(twice, "replicas: 2", "replicas: 1", 1),
			strings.Replace(twice, "name: web", "name: next", 1), strings.Replace(strings.Replace(twice, "replicas: 2", "replicas: 1", 1), "name: web", "name: team", 1)},
			[]string{"all would be admitted with pods 4 (is 1) in quota team", "all would be admitted with pods 4 (is 1) in quota team"}}, // of next, and of team
	} {
		t.Run(test.name, func(t *testing.T) {
			in := &comparison.Input{Cluster: listOf(test.cluster...), Change: listOf(test.change...)}
			r, err := comparison.ReportOf(in, comparison.Options{})
			testkit.OK(t, err)
			var raises []string
			for _, line := range told(r) {
				if strings.Contains(line, " in ") && strings.Contains(line, "all would be") {
					raises = append(raises, strings.TrimSpace(line))
				}
			}
			if diff := cmp.Diff(test.want, raises); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(told(r), "\n"))
			}
		})
	}
}

// The rows of quotas of one name are those of each kind, with what each namespace has of it.
func TestRowsOfSharedQuotas(t *testing.T) {
	namespaces := "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}\n---\n" +
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: data, labels: {team: a}}\n"
	open := "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\n" +
		"spec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {pods: 3}}}\n" +
		"status: {total: {hard: {pods: 3}, used: {pods: 1}}, namespaces: [{namespace: shop, status: {used: {pods: 1}}}, {namespace: data, status: {used: {pods: 0}}}]}\n"
	global := "apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\nmetadata: {name: team}\n" +
		"spec: {namespaceSelectors: [{matchLabels: {team: a}}], quota: {hard: {pods: 7}}}\n" +
		"status: {total: {hard: {pods: 7}, used: {pods: 4}}, namespaces: [shop, data], namespaceUsage: {shop: {used: {pods: 4}}, data: {used: {pods: 0}}}}\n"
	one := web("Deployment", 1, "1", "")
	for _, test := range []struct {
		name                 string
		cluster, old, change []string
		want                 []string
	}{
		{"three of one name", []string{namespaces, quota("pods: 9", "pods: 2"), open, global}, nil, []string{one}, []string{
			" shop/team pods: 2 -> 3 map[]", "ClusterResourceQuota /team pods: 1 -> 2 map[data:0 shop:2]",
			"GlobalResourceQuota /team pods: 4 -> 5 map[data:0 shop:5]"}},
		{"another share of the same sum", []string{namespaces, open}, []string{one}, []string{strings.Replace(one, "replicas: 1", "replicas: 0", 1),
			strings.Replace(one, "namespace: shop", "namespace: data", 1)}, []string{"ClusterResourceQuota /team pods: 2 -> 2 map[data:1 shop:1]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(test.cluster...), Old: listOf(test.old...), Change: listOf(test.change...)}, comparison.Options{})
			testkit.OK(t, err)
			var rows []string
			for _, q := range r.Quotas {
				rows = append(rows, fmt.Sprintf("%s %s/%s %s: %s -> %s %v", q.Kind, q.Namespace, q.Name, q.Resource, q.Before.Used, q.After.Used, q.Shares))
			}
			testkit.NoDiff(t, rows, test.want)
		})
	}
}

// The labels of the Namespaces in a change decide which of them share a quota. There may be none.
func TestUnknownSharers(t *testing.T) {
	const open = "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\n" +
		"spec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {pods: 3}}}\n"
	const other = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: b}}\n"
	const note = "not known which namespaces share ClusterResourceQuota team: neither Namespaces nor its status are in the input"
	one := web("Deployment", 1, "1", "")
	for _, test := range []struct {
		name            string
		cluster, change []string
		want            []string
	}{
		{"none", []string{open}, []string{one}, []string{note}},
		{"none, and the quota is new", nil, []string{open, one}, []string{note}},
		{"of the status", []string{open + "status: {total: {hard: {pods: 3}, used: {pods: 1}}, namespaces: [{namespace: shop, status: {hard: {pods: 3}, used: {pods: 1}}}]}\n"}, []string{one}, nil},
		{"of the change", []string{open}, []string{other, one}, nil},
		{"of the cluster", []string{open, other}, []string{one}, nil},
		{"of both", []string{open, other}, []string{strings.Replace(other, "name: shop", "name: data", 1), one}, nil},
	} {
		r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(test.cluster...), Change: listOf(test.change...)}, comparison.Options{})
		testkit.OK(t, err)
		testkit.NoDiff(t, r.Notes, test.want, test.name)
	}
}

// The last answer about a pod counts, but where it was before, and whether it lost its place, is remembered.
func TestPodsThatChangeTwice(t *testing.T) {
	at := func(name, before, node string) whatif.Pod {
		return whatif.Pod{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}, Before: before, Node: node}
	}
	first, second, third, fourth, stays := at("p", "a", ""), at("p", "", "b"), at("q", "", "c"), at("r", "a", ""), at("s", "a", "a")
	first.Preempted, second.Evicted, fourth.Evicted = true, true, true
	second.Owner = computeresources.Source{Kind: "StatefulSet", Name: "p"}
	third.Owner, third.Choice, stays.Choice = second.Owner, whatif.Choice{Equal: 2}, whatif.Choice{Equal: 3}
	late := at("t", "a", "")
	d := &comparison.Difference{}
	d.AddPods([]whatif.Pod{first, fourth, late})
	late.Preempted, late.Owner, fourth.Evicted = true, second.Owner, false
	d.AddPods([]whatif.Pod{third, second, stays, fourth, late})
	want := []comparison.Pod{
		{Namespace: "shop", Name: "p", Before: "a", Node: "b", Preempted: true, Evicted: true, Owner: "StatefulSet p"},
		{Namespace: "shop", Name: "q", Node: "c", Choice: whatif.Choice{Equal: 2}}, {Namespace: "shop", Name: "r", Before: "a", Evicted: true},
		{Namespace: "shop", Name: "s", Before: "a", Node: "a"}, {Namespace: "shop", Name: "t", Before: "a", Preempted: true, Owner: "StatefulSet p"},
	}
	testkit.NoDiff(t, d.Pods(), want)
	testkit.NoDiff(t, comparison.Lost(d.Pods()), []string{"preempted on a: shop/p (StatefulSet p), shop/t (StatefulSet p)", "evicted from a: shop/r"})
}

// What is not considered of one pod is not considered of its owner, whatever becomes of another. The last answer about another
// workload counts.
func TestAnswersAboutOwners(t *testing.T) {
	owner := computeresources.Source{Kind: "StatefulSet", Namespace: "shop", Name: "web"}
	of := func(name string, gone bool) whatif.Pod {
		return whatif.Pod{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}, Owner: owner, Gone: gone, Unknown: []string{"PriorityClass"}}
	}
	for _, gone := range [][]bool{{false, true}, {true, false}, {true, true}} {
		d := &comparison.Difference{Before: &whatif.Cluster{}, After: &whatif.Cluster{}}
		d.AddPods([]whatif.Pod{of("web-0", gone[0]), of("web-1", gone[1])})
		others := d.Others([]whatif.Object{{Source: owner, Pods: 1}}, nil, []whatif.Object{{Source: owner, Pods: 2}})
		if got := slices.Contains(others[0].NotConsidered, "PriorityClass"); got == (gone[0] && gone[1]) || others[0].Created != 2 || len(others) != 1 {
			t.Errorf("gone %v: %+v", gone, others)
		}
	}
}

// What is said of an owner is said of its pods in their order: the nodes that they came to, and why they wait.
func TestPodsOfAnOwner(t *testing.T) {
	owner := computeresources.Source{Kind: "StatefulSet", Namespace: "shop", Name: "web"}
	of := func(name string, p whatif.Pod) whatif.Pod {
		p.Object, p.Owner = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}, owner
		return p
	}
	waits := func(message string) whatif.Pod {
		return whatif.Pod{Waits: whatif.Reason{Cause: "Unschedulable", Message: message}}
	}
	before, err := whatif.Read(listOf(node("a", "1")).Objects, whatif.Options{})
	testkit.OK(t, err)
	d := &comparison.Difference{Before: before, After: before}
	d.AddPods([]whatif.Pod{of("g", waits("y")), of("f", waits("x")), of("e", waits("y")), of("d", whatif.Pod{Before: "a", Node: "a", Unknown: []string{"spec.b"}}),
		of("c", whatif.Pod{Before: "a", Node: "b"}), of("b", whatif.Pod{Node: "a", Unknown: []string{"spec.a"}}),
		of("a", whatif.Pod{Before: "a", Gone: true, Preempted: true, Unknown: []string{"Job spec.podFailurePolicy", "spec.c"}})})
	o := d.Object(&whatif.Object{Source: owner, Action: whatif.Updated, Wanted: 6, Pods: 6, Placed: 3})
	want := []string{"1 gone (1 preempted), 2 new on a, b", "2 pods: y", "1 pod: x", "not considered: Job spec.podFailurePolicy, spec.a, spec.b"}
	testkit.NoDiff(t, o.Notes(), want)
	testkit.NoDiff(t, o.On, []string{"a", "b"})
}

// Advice is given about the first objects that fail, and is for what is applied after them, if that is not too much.
func TestMuchAdvice(t *testing.T) {
	const note = "advice is given about the first 20 objects that fail"
	for n, want := range map[int]struct {
		quota string
		notes []string
	}{20: {"0", nil}, 21: {"0", []string{note}}, 32: {"0", []string{note}}, 33: {"33", nil}} {
		var pods []string
		for i := range n {
			pods = append(pods, pod(fmt.Sprintf("p%02d", i), "", "1"))
		}
		r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(quota("pods: "+want.quota, "pods: 0")), Change: listOf(pods...)}, comparison.Options{})
		testkit.OK(t, err)
		testkit.NoDiff(t, r.Notes, want.notes, n)
		for i, o := range r.Objects {
			var raise []comparison.Raise
			if o.Remedies != nil {
				raise = o.Remedies.Quotas
			}
			var raised []comparison.Raise
			if i < 20 && n < 33 {
				room := n - i // for the pod and all that follow
				if i == 0 && n == 32 {
					room = 1 // too many follow
				}
				raised = []comparison.Raise{{Name: "team", Hard: map[corev1.ResourceName]string{"pods": fmt.Sprint(room)}, From: map[corev1.ResourceName]string{"pods": "0"}}}
			}
			testkit.NoDiff(t, raise, raised, n, "objects, number", i)
		}
	}
}

// What was not tried is not said to help nothing: a trial costs a place for each pod and for each object that follows.
func TestTooMuchToTry(t *testing.T) {
	service := document("Service", "name: s, namespace: shop", "spec: {ports: [{port: 80}]}")
	for _, test := range []struct {
		name     string
		change   []string
		replicas int32 // that are advised
	}{
		{"two trials", []string{web("Deployment", 9999, "1", "")}, 10},
		{"a pod too many", []string{web("Deployment", 10_000, "1", "")}, 0},
		{"an object too many", []string{web("Deployment", 9999, "1", ""), service}, 0},
		{"two trials with an object", []string{web("Deployment", 9998, "1", ""), service}, 10},
		{"not one trial", []string{web("Deployment", 20_000, "1", "")}, 0},
	} {
		r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(quota("pods: 10", "pods: 0")), Change: listOf(test.change...)}, comparison.Options{})
		testkit.OK(t, err)
		var want *comparison.Remedies
		if test.replicas > 0 {
			want = &comparison.Remedies{Replicas: test.replicas}
		}
		testkit.NoDiff(t, r.Objects[0].Remedies, want, test.name)
	}
}

// A strategy that is advised is complete.
func TestAdvisedStrategy(t *testing.T) {
	none, one := intstr.FromInt32(0), intstr.FromInt32(1)
	for replicas, want := range map[int]appsv1.DeploymentStrategy{
		1: {Type: appsv1.RecreateDeploymentStrategyType},
		2: {Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &none, MaxUnavailable: &one}},
	} {
		old, full := web("Deployment", replicas, "1", ""), fmt.Sprint("pods: ", replicas)
		r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(quota(full, "pods: 0")), Old: listOf(old), Change: listOf(strings.Replace(old, "cpu: 1}", "cpu: 500m}", 1))}, comparison.Options{})
		testkit.OK(t, err)
		testkit.NoDiff(t, *r.Objects[0].Remedies.Strategy, want, replicas)
	}
}

// Advice counts as the release does: 1.33 does not count the pod level.
func TestAdviceOfARelease(t *testing.T) {
	at := func(cpu string) string {
		return strings.Replace(web("Deployment", 2, cpu, ""), "spec: {containers", "spec: {resources: {requests: {cpu: 3}}, containers", 1)
	}
	options := comparison.Options{}
	options.Admission.Kubernetes.Release = "1.33"
	r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(quota("requests.cpu: 2", "requests.cpu: 0")), Change: listOf(at("2"))}, options)
	testkit.OK(t, err)
	want := []comparison.Change{{Container: "container app", List: computeresources.Requests, Resource: "cpu", From: "2", To: "1", Ref: computeresources.Ref{Kind: computeresources.App, Name: "app"}}}
	testkit.NoDiff(t, r.Objects[0].Fix, want)
	r, err = comparison.ReportOf(&comparison.Input{Cluster: listOf(quota("requests.cpu: 4", "requests.cpu: 0")), Old: listOf(at("2")), Change: listOf(at("1"))}, options)
	testkit.OK(t, err)
	testkit.NoDiff(t, r.Objects[0].Remedies.Quotas, []comparison.Raise{{Name: "team", Hard: map[corev1.ResourceName]string{"requests.cpu": "5"}, From: map[corev1.ResourceName]string{"requests.cpu": "4"}}})
}

// What cannot be read at all is an error. What failed is among the problems of the change.
func TestProblems(t *testing.T) {
	options := comparison.Options{}
	options.Admission.MaxSize.Objects = 1
	if r, err := comparison.ReportOf(&comparison.Input{Cluster: listOf(node("a", "1"), node("b", "1"))}, options); err == nil || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
	change := listOf(pod("p", "", "1"))
	for _, grade := range []objects.Grade{objects.Warning, objects.Failed, objects.Skipped, objects.Invalid, objects.Unreadable} {
		change.Fail(objects.Place{Named: "Pod p"}, grade, "spec", fmt.Sprint("grade ", grade))
	}
	r, err := comparison.ReportOf(&comparison.Input{Change: change}, comparison.Options{})
	testkit.OK(t, err)
	testkit.Equal(t, r.Invalid, 3, "problems that are errors")
	want := []string{fmt.Sprint("grade ", objects.Failed), fmt.Sprint("grade ", objects.Invalid), fmt.Sprint("grade ", objects.Unreadable), fmt.Sprint("grade ", objects.Warning)}
	for i, part := range want {
		if len(r.Problems) != 4 || !strings.Contains(r.Problems[i], part) {
			t.Errorf("no %q in %q", part, r.Problems)
		}
	}
}

// A summary has what fails first, and all that became of objects and pods in one order.
func TestSummary(t *testing.T) {
	of := func(action whatif.Action, o comparison.Object) comparison.Object {
		o.Action = action
		return o
	}
	r := &comparison.Report{Invalid: 1, Objects: []comparison.Object{of(whatif.Refused, comparison.Object{}), of(whatif.Created, comparison.Object{On: []string{"a", "b"}, Coming: 3}),
		of(whatif.Updated, comparison.Object{Outdated: 1, Wanted: 4, Created: 1, Missing: "m"}), of(whatif.Unchanged, comparison.Object{Waiting: []comparison.Waiting{{Pods: 2}, {Pods: 1}}}),
		of(whatif.Deleted, comparison.Object{}), of(whatif.NotFound, comparison.Object{}), of("NotInstalled", comparison.Object{})},
		Others: []comparison.Object{{On: []string{"a"}, Missing: "m"}},
		Pods:   []comparison.Pod{{Gone: true, Preempted: true}, {Gone: true, Evicted: true}, {Gone: true}}}
	testkit.Equal(t, r.Summary(), "Fails: 1 problem of the input, 1 object refused, 3 pods not created, 3 pods waiting, 1 pod preempted, 1 update not complete. "+
		"7 objects: 1 created, 1 updated, 1 unchanged, 1 deleted, 1 not found, 1 not installed; pods: 3 placed, 3 new, 3 gone, 1 evicted")
	testkit.Equal(t, (&comparison.Report{}).Summary(), "nothing is computed: no object uses quotas or nodes")
	testkit.Equal(t, (&comparison.Report{Invalid: 2}).Summary(), "Fails: 2 problems of the input.")
}

// Names are printed without control characters. A pod was lost where it was, wherever it is now.
func TestPrintable(t *testing.T) {
	o := comparison.Object{Kind: "a\x1b", Namespace: "n\x1b", Name: "b\x1b", Action: whatif.Unchanged, Created: 2, Placed: 1, Error: "e\x1b\n  f\n", Injected: []string{"proxy"}}
	testkit.Equal(t, o.Head(), `a\x1b n\x1b/b\x1b unchanged: 0 pods wanted, 2 created, 1 on nodes`)
	testkit.NoDiff(t, o.Notes(), []string{`e\x1b`, "f"})
	o = comparison.Object{Kind: "Job", Name: "j", Action: whatif.Updated, Wanted: 1, Outdated: 1, Fix: []comparison.Change{
		{Container: "container a", List: computeresources.Requests, Resource: "cpu", To: "1"}, {Container: "container b", List: computeresources.Requests, Resource: "cpu", From: "3", To: "2"},
		{Container: "container a", List: computeresources.Limits, Resource: "memory", From: "1Gi", To: "2Gi"}}}
	testkit.NoDiff(t, o.Notes(), []string{"all would be admitted with cpu request 1 and memory limit 2Gi (is 1Gi) of container a; cpu request 2 (is 3) of container b"})
	testkit.Equal(t, o.Head(), "Job j updated: 1 pod wanted, 0 created, 0 on nodes, 1 of the former template left")
	o.Outdated, o.Kept = 3, 2
	testkit.Equal(t, o.Head(), "Job j updated: 1 pod wanted, 0 created, 0 on nodes, 1 of the former template left, 2 kept of the former template")
	lost := comparison.Lost([]comparison.Pod{{Name: "p\x1b", Before: "a", Node: "b", Preempted: true}, {Name: "q", Before: "a", Evicted: true, Owner: "Job j"}})
	testkit.NoDiff(t, lost, []string{`preempted on a: p\x1b`, "evicted from a: q (Job j)"})
	q := func(name string) *corev1.ResourceQuota {
		return &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": {}}}}
	}
	shared := &inventory.SharedQuota[inventory.OpenShiftUsage]{TypeMeta: metav1.TypeMeta{APIVersion: "quota.openshift.io/v1", Kind: "ClusterResourceQuota"}, ObjectMeta: metav1.ObjectMeta{Name: "s\x1b"}}
	shared.Spec.Quota.Hard = corev1.ResourceList{"pods": {}}
	after, err := whatif.Read([]admit.APIObject{shared}, whatif.Options{})
	testkit.OK(t, err)
	d := &comparison.Difference{In: &comparison.Input{Cluster: inventory.List{Objects: []admit.APIObject{q("q\x1b")}}}, Before: after, After: after}
	testkit.NoDiff(t, d.Notes(), []string{`not known which namespaces share ClusterResourceQuota s\x1b: neither Namespaces nor its status are in the input`})
}

// What fails an object, each on its own.
func TestFails(t *testing.T) {
	for want, list := range map[bool][]comparison.Object{
		true:  {{Error: "e"}, {Missing: "m"}, {Waiting: []comparison.Waiting{{Pods: 1}}}, {Outdated: 1}, {Outdated: 2, Kept: 1}},
		false: {{}, {Depends: true, NotConsidered: []string{"x"}, Unexplained: true}, {Wanted: 2, Created: 1}, {Outdated: 2, Kept: 2}},
	} {
		for _, o := range list {
			if o.Fails() != want {
				t.Errorf("%+v: fails %v", o, !want)
			}
			if r := (&comparison.Report{Others: []comparison.Object{o}}); r.Fails() != want {
				t.Errorf("other %+v: fails %v", o, !want)
			}
		}
	}
}

// Advice is given only if it is asked for.
func TestUnfixed(t *testing.T) {
	cluster, change := listOf(quota("pods: 0", "pods: 0")), listOf(pod("p", "", "1"))
	before, err := whatif.Read(cluster.Objects, whatif.Options{})
	testkit.OK(t, err)
	applied, after := before.Apply(change.Objects...)
	for _, unfixed := range []bool{false, true} {
		d := &comparison.Difference{In: &comparison.Input{Cluster: cluster, Change: change}, Before: before, After: after, Unfixed: unfixed}
		r := d.Report(applied, whatif.Result{})
		if got := r.Objects[0].Remedies == nil; got != unfixed || r.Objects[0].Error == "" {
			t.Errorf("unfixed %v: %+v", unfixed, r.Objects[0])
		}
	}
}

// Other workloads are sorted, and of two answers about one, the last counts.
func TestOthersAreSorted(t *testing.T) {
	of := func(kind, namespace, name string, wanted int64) whatif.Object {
		return whatif.Object{Source: computeresources.Source{Kind: kind, Namespace: namespace, Name: name}, Wanted: wanted}
	}
	d := comparison.Difference{After: &whatif.Cluster{}}
	var got []string
	for _, o := range d.Others([]whatif.Object{of("Job", "a", "d", 1), of("Job", "a", "c", 1), of("Job", "a", "b", 1), of("Job", "a", "a", 1), of("Job", "b", "a", 1)}, []whatif.Object{of("Deployment", "c", "c", 2), of("Job", "a", "a", 3)}) {
		got = append(got, fmt.Sprint(o.Kind, " ", o.Namespace, "/", o.Name, " ", o.Wanted))
	}
	testkit.NoDiff(t, got, []string{"Deployment c/c 2", "Job a/a 3", "Job a/b 1", "Job a/c 1", "Job a/d 1", "Job b/a 1"})
}
