package whatif_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// What happens if a Deployment is applied: the quota admits three of its pods, and the nodes have room for two.
func ExampleCluster_Apply() {
	objects := []admit.APIObject{
		&corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "node-1"},
			Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("8Gi"), corev1.ResourcePods: resource.MustParse("110"),
			}},
		},
		&corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("3")}},
		},
	}
	replicas := int32(4)
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	web.Spec.Replicas = &replicas
	web.Spec.Template.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
	}}}

	cluster, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _ := cluster.Apply(web)
	for _, o := range result.Objects {
		fmt.Printf("%s: %d of %d pods, %d placed\n%s\n", o.Name, o.Pods, o.Wanted, o.Placed, o.Missing.Message)
	}
	for _, p := range result.Pods {
		if p.Waits.Cause != "" {
			fmt.Println(p.Object.Name, "waits:", p.Waits.Message)
		} else {
			fmt.Println(p.Object.Name, "starts on", p.Node)
		}
	}
	// Output:
	// web: 3 of 4 pods, 2 placed
	// pods "web-1-4" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=3, limited: requests.cpu=3
	// web-1-1 starts on node-1
	// web-1-2 starts on node-1
	// web-1-3 waits: 0/1 nodes are available: 1 Insufficient cpu.
}

// What happens if a node is drained: its pods move to another node, if there is room.
func ExampleCluster_Drain() {
	node := func(name, cpu string) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourcePods: resource.MustParse("110")}
		return n
	}
	replicas := int32(3)
	web := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	web.Spec.Replicas = &replicas
	web.Spec.Template.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
	}}}
	var empty *whatif.Cluster
	_, cluster := empty.Apply(node("node-1", "2"), node("node-2", "2"), web)

	result, _ := cluster.Drain("node-1")
	for _, p := range result.Pods {
		switch {
		case p.Gone:
			fmt.Println(p.Object.Name, "is evicted from", p.Before)
		case p.Waits.Cause != "":
			fmt.Println(p.Object.Name, "waits:", p.Waits.Message)
		default:
			fmt.Println(p.Object.Name, "starts on", p.Node)
		}
	}
	// Output:
	// web-1 is evicted from node-1
	// web-3 is evicted from node-1
	// web-4 starts on node-2
	// web-5 waits: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.
}

// What happens if a pod is deleted: another one that waits gets its room.
func ExampleCluster_Delete() {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("110")}
	pod := func(name string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
		p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")},
		}}}
		return p
	}
	var empty *whatif.Cluster
	_, cluster := empty.Apply(n, pod("first"), pod("second"))

	result, _ := cluster.Delete(pod("first"))
	for _, p := range result.Pods {
		fmt.Println(p.Object.Name, p.Before, p.Node, p.Gone)
	}
	// Output:
	// first node-1  true
	// second  node-1 false
}

// How many replicas of a pod are admitted by the quota and fit on the nodes, and what stops the next one.
func ExampleCluster_Room() {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("3"), corev1.ResourcePods: resource.MustParse("110")}
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}}
	q.Spec.Hard = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("10")}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")},
	}}}
	cluster, err := whatif.Read([]admit.APIObject{n, q}, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	room := cluster.Room(p)
	fmt.Println(room.Replicas, room.Next.Message)
	// Output:
	// 6 0/1 nodes are available: 1 Insufficient cpu.
}

// Which pods of a cluster wait for a node, and why.
func ExampleCluster_Pods() {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourcePods: resource.MustParse("110")}
	n.Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule}}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	p.Spec.Containers = []corev1.Container{{Name: "app"}}
	p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}}
	cluster, err := whatif.Read([]admit.APIObject{n, p}, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range cluster.Pods("") {
		fmt.Println(p.Object.Name, p.Waits.Message, p.Unknown)
	}
	// Output:
	// web 0/1 nodes are available: 1 node(s) had untolerated taint(s). [spec.resourceClaims]
}

// A cluster is read once, such as from the output of kubectl get, and answers any number of questions.
func ExampleRead() {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourcePods: resource.MustParse("110")}
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: corev1.PodSpec{NodeName: "node-1"}}
	p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("3")},
	}}}
	cluster, err := whatif.Read([]admit.APIObject{n, p}, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger, err := cluster.Ledger("node-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	free := ledger.Free()
	fmt.Println(free.Cpu(), "CPUs are free on", cluster.Nodes())
	// Output:
	// 5 CPUs are free on [node-1]
}

// How many nodes a Deployment of three pods needs that keep away from each other, and on which nodes a pod may be if
// several are equally good.
func ExampleCluster_Estimate() {
	node := func(name string) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
		n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourcePods: resource.MustParse("110")}
		return n
	}
	pod := func(name string) *corev1.Pod {
		labels := map[string]string{"app": "web"}
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: labels}}
		p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		}}}
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
				LabelSelector: &metav1.LabelSelector{MatchLabels: labels}, TopologyKey: corev1.LabelHostname,
			}},
		}}
		return p
	}
	cluster, err := whatif.Read([]admit.APIObject{node("node-1"), node("node-2")}, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	estimate, _ := cluster.Estimate([]*corev1.Pod{pod("web-1"), pod("web-2"), pod("web-3")}, node("like"), nil)
	fmt.Println(estimate.Nodes, "new nodes")
	result, _ := cluster.Apply(pod("web-1"))
	fmt.Println(result.Pods[0].Choice.Equal, "equal nodes:", result.Pods[0].Choice.Nodes)
	// Output:
	// 3 new nodes
	// 2 equal nodes: [node-1 node-2]
}
