package pages_test

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const clusterDump = `
apiVersion: v1
kind: Node
metadata: {name: node-1}
status: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}
---
apiVersion: v1
kind: Node
metadata: {name: node-2}
status: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {namespace: shop, name: team}
spec: {hard: {requests.cpu: 6}}
status: {hard: {requests.cpu: 6}, used: {requests.cpu: 3}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {namespace: shop, name: cart}
spec:
  replicas: 3
  template: {spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: cart-a, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: cart, controller: true}]}
spec: {nodeName: node-1, containers: [{name: app, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: cart-b, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: cart, controller: true}]}
spec: {nodeName: node-1, containers: [{name: app, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: cart-c, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: cart, controller: true}]}
spec: {nodeName: node-2, containers: [{name: app, resources: {requests: {cpu: 1}}}]}
`

const pullRequest = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: web}
spec:
  replicas: 2
  template: {spec: {containers: [{name: app, resources: {requests: {cpu: 2}}}]}}
`

// decode reads the objects of a file.
func decode(file string) (objects []admit.APIObject, err error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := appsv1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(file)))
	for {
		document, err := documents.Read()
		if err == io.EOF {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(string(document)) == "" {
			continue
		}
		object, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object.(admit.APIObject))
	}
}

func Example_whatifRead() {
	file := strings.NewReader(pullRequest)

	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), appsv1.AddToScheme(scheme)); err != nil { // and others of k8s.io/api
		fmt.Println(err)
		return
	}
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	var manifests []admit.APIObject
	for documents := yaml.NewYAMLReader(bufio.NewReader(file)); ; { // of k8s.io/apimachinery/pkg/util/yaml
		document, err := documents.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		object, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			fmt.Println(err) // a type that is not in the scheme, or no object at all
			return
		}
		manifests = append(manifests, object.(admit.APIObject))
	}
	fmt.Println(len(manifests), manifests[0].GetName())
	// Output:
	// 1 web
}

func Example_whatifCheck() {
	dump, err := decode(clusterDump) // kubectl get nodes,namespaces,limitranges,resourcequotas,deployments,replicasets,pods,… -A -o yaml
	if err != nil {
		fmt.Println(err)
		return
	}
	manifests, err := decode(pullRequest)
	if err != nil {
		fmt.Println(err)
		return
	}

	cluster, err := whatif.Read(dump, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _ := cluster.Apply(manifests...)
	for _, o := range result.Objects {
		if o.Action == whatif.Refused || o.Placed < o.Wanted || o.Outdated > 0 {
			fmt.Println(o.Name, o.Action, o.Placed, "of", o.Wanted, "pods placed:", cmp.Or(o.Reason.Message, o.Missing.Message))
		}
	}
	for _, p := range result.Pods {
		if p.Waits.Cause != "" || len(p.Unknown) > 0 {
			fmt.Println(p.Object.Name, p.Waits.Message, p.Unknown)
		}
	}
	// Output:
	// web Created 1 of 2 pods placed: pods "web-1-2" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=5, limited: requests.cpu=6
}

func Example_whatifDrain() {
	objects, err := decode(clusterDump)
	if err != nil {
		fmt.Println(err)
		return
	}
	cluster, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

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
	// cart-a is evicted from node-1
	// cart-b is evicted from node-1
	// cart-1 starts on node-2
	// cart-2 starts on node-2
}

func Example_whatifQuota() {
	objects, err := decode(clusterDump + "---" + pullRequest)
	if err != nil {
		fmt.Println(err)
		return
	}
	web := objects[len(objects)-1]
	cluster, err := whatif.Read(objects[:len(objects)-1], whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	_, stuck := cluster.Apply(web) // one of its two pods is missing
	quota := stuck.Namespace("shop").Quotas()[0]
	quota.Spec.Hard[corev1.ResourceRequestsCPU] = resource.MustParse("8")
	result, _ := stuck.Apply(quota)
	for _, p := range result.Pods {
		fmt.Println(p.Object.Name, "starts on", p.Node)
	}
	for _, q := range result.Quotas {
		used := q.Status.Used[corev1.ResourceRequestsCPU]
		fmt.Println(q.Name, used.String(), "used")
	}
	// Output:
	// web-1-2 starts on node-1
	// team 7 used
}

func Example_whatifSizes() {
	objects, err := decode(clusterDump)
	if err != nil {
		fmt.Println(err)
		return
	}
	cluster, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	cart := objects[3].(*appsv1.ReplicaSet).DeepCopy()
	_, without := cluster.Delete(cart) // its quotas do not count the pods that are replaced
	recommendation := solver.Recommendation{
		Ref:      computeresources.Ref{Name: "app"},
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("600m")},
	}
	shop := without.Namespace("shop")
	sized, err := solver.RightSize(&cart.Spec.Template.Spec, []solver.Recommendation{recommendation},
		solver.Input{LimitRanges: shop.LimitRanges(), Quotas: shop.Quotas(), Replicas: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := computeresources.ApplyChanges(&cart.Spec.Template.Spec, sized.Changes); err != nil {
		fmt.Println(err)
		return
	}
	_, smaller := without.Apply(cart) // the pods of a ReplicaSet keep their size
	for _, name := range smaller.Nodes() {
		ledger, err := smaller.Ledger(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		free := ledger.Free()
		fmt.Println(name, free.Cpu(), "free")
	}
	before, after := cluster.Room(cart), smaller.Room(cart)
	fmt.Println("room for", before.Replicas, "more before, now for", after.Replicas)
	// Output:
	// node-1 2800m free
	// node-2 3400m free
	// room for 5 more before, now for 7
}
