package whatif_test

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func priorityClass(name string, value int32) *schedulingv1.PriorityClass {
	return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value}
}

// kata is a RuntimeClass that costs 250m, whose nodes have the label name=b.
func kata() *nodev1.RuntimeClass {
	return &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Handler: "kata",
		Overhead:   &nodev1.Overhead{PodFixed: testkit.List("cpu", "250m")},
		Scheduling: &nodev1.Scheduling{NodeSelector: map[string]string{"name": "b"}}}
}

// bounds is a LimitRange with a default request of a container.
func bounds(cpu string) *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: meta("bounds"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", cpu)}}}}
}

// service has one port.
func service(name string, kind corev1.ServiceType) *corev1.Service {
	return &corev1.Service{ObjectMeta: meta(name), Spec: corev1.ServiceSpec{Type: kind, Ports: []corev1.ServicePort{{Port: 80}}}}
}

func tainted(n *corev1.Node, key string, effect corev1.TaintEffect) *corev1.Node {
	n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect})
	return n
}

// cordoned is the manifest of a node that only has a name and labels, and is unschedulable.
func cordoned(name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}}}
	n.Spec.Unschedulable = true
	return n
}

func cronJob(name string, parallelism int32, cpu string) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: meta(name), Spec: batchv1.CronJobSpec{Schedule: "0 * * * *",
		JobTemplate: batchv1.JobTemplateSpec{Spec: job(name, parallelism, cpu).Spec}}}
}

// labelled changes what a manifest says, and nothing that matters.
func labelled[O admit.APIObject](obj O) O {
	obj.SetLabels(map[string]string{"team": "a"})
	return obj
}

func hasClass(name string) func(spec *corev1.PodSpec) {
	return func(spec *corev1.PodSpec) { spec.PriorityClassName = name }
}

func requests(pairs ...string) func(spec *corev1.PodSpec) {
	return func(spec *corev1.PodSpec) { spec.Containers[0].Resources.Requests = testkit.List(pairs...) }
}

// createdAt was created at an hour.
func createdAt[O metav1.Object](hour int, obj O) O {
	obj.SetCreationTimestamp(metav1.NewTime(testkit.Now().Add(time.Duration(hour) * time.Hour)))
	return obj
}

// hashed is a ReplicaSet with the hash that the controller of Deployments adds.
func hashed(hash string, obj admit.APIObject) admit.APIObject {
	rs := obj.(*appsv1.ReplicaSet)
	rs.Labels = map[string]string{"app": "web", appsv1.DefaultDeploymentUniqueLabelKey: hash}
	rs.Spec.Selector, rs.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: rs.Labels}, rs.Labels
	return rs
}

func withProxy(name string, p *corev1.Pod) *corev1.Pod {
	p.Spec.Containers = append(p.Spec.Containers, testkit.Container(name, testkit.List("cpu", "100m"), nil))
	return p
}

func gated(p *corev1.Pod) *corev1.Pod {
	p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
	return p
}

func selects(node string) func(spec *corev1.PodSpec) {
	return func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"name": node} }
}

func situationsOfNamespaces() []situation {
	terminating := with(namespace("shop"), func(n *corev1.Namespace) {
		n.DeletionTimestamp, n.Status.Phase = &metav1.Time{Time: testkit.Now()}, corev1.NamespaceTerminating
	})
	return []situation{{
		name:    "namespaces have quotas of their own",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "1"), in("pay", resourceQuota("q", "pods", "5"))},
		ask:     apply(deployment("web", 2, "1"), in("pay", deployment("web", 2, "2"))),
		want: `
			Deployment shop/web Created 2/1/1; misses Forbidden: pods "web-1-2" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
			Deployment pay/web Created 2/2/2
			pod shop/web-1-1 cpu=1 of Deployment shop/web: - -> a
			pod pay/web-1-1 cpu=2 of Deployment pay/web: - -> a
			pod pay/web-1-2 cpu=2 of Deployment pay/web: - -> a
			quota pay/q pods 2/5
			quota shop/q pods 1/1
			nodes a`,
	}, {
		name:    "a namespace is missing, and then there",
		cluster: []admit.APIObject{node("a", "9"), namespace("shop")},
		ask:     apply(in("pay", podOf("p", "1")), in("pay", deployment("web", 1, "1")), namespace("pay"), in("pay", podOf("p", "1"))),
		want: `
			Pod pay/p Refused; refused NotFound: namespaces "pay" not found
			Deployment pay/web Refused; refused NotFound: namespaces "pay" not found
			Namespace pay Created
			Pod pay/p Created
			pod pay/p cpu=1: - -> a
			nodes a`,
	}, {
		// Source: NamespaceLifecycle of k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle.
		name:    "a namespace is being terminated",
		cluster: []admit.APIObject{node("a", "9"), terminating},
		ask:     apply(podOf("p", "1")),
		want: `
			Pod shop/p Refused; refused Forbidden: pods "p" is forbidden: unable to create new content in namespace shop because it is being terminated`,
	}, {
		name: "a controller creates nothing in a namespace that is being terminated",
		cluster: []admit.APIObject{node("a", "9"), terminating, deployment("web", 2, "1"),
			owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-1"), Spec: appsv1.ReplicaSetSpec{Template: template("1")}}, "Deployment", "web"),
			owned(on("a", podOf("web-1-x", "1")), "ReplicaSet", "web-1")},
		ask: apply(deployment("web", 3, "1")),
		want: `
			Deployment shop/web Updated 3/1/1; misses Forbidden: pods "web-1-1" is forbidden: unable to create new content in namespace shop because it is being terminated`,
	}, {
		name: "a namespace is deleted with all that is in it",
		cluster: []admit.APIObject{node("a", "9"), namespace("shop"), resourceQuota("q", "pods", "5"), podOf("p", "20"), on("a", podOf("r", "1")),
			in("pay", on("a", podOf("r", "1")))},
		ask: remove(namespace("shop")),
		want: `
			Namespace shop Deleted
			pod shop/p cpu=20: - -> gone
			pod shop/r cpu=1: a -> gone
			nodes a`,
	}, {
		// Source: attemptToDeleteItem of pkg/controller/garbagecollector.
		name: "a Job is deleted with its pods that have ended",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/pods", "9"), job("j", 1, "1"), owned(on("a", podOf("j-x", "1")), "Job", "j"),
			with(owned(on("a", podOf("j-y", "1")), "Job", "j"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })},
		ask: remove(job("j", 1, "1")),
		want: `
			Job shop/j Deleted
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			pod shop/j-y cpu=1 of Job shop/j: a -> gone
			quota shop/q count/pods 0/9
			nodes a`,
	}, {
		name: "one of two owners is deleted",
		cluster: []admit.APIObject{node("a", "9"), &corev1.ConfigMap{ObjectMeta: meta("c")}, job("j", 1, "1"),
			with(owned(on("a", podOf("j-x", "1")), "Job", "j"), func(p *corev1.Pod) {
				p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c"})
			})},
		ask: inTurn(remove(job("j", 1, "1")), remove(&corev1.ConfigMap{ObjectMeta: meta("c")})),
		want: `
			ConfigMap shop/c Deleted
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		name: "one of two owners of a ReplicaSet is deleted",
		cluster: []admit.APIObject{node("a", "9"), &corev1.ConfigMap{ObjectMeta: meta("c")}, deployment("web", 1, "1"),
			with(owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-x"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("1")}}, "Deployment", "web"), func(rs *appsv1.ReplicaSet) {
				rs.OwnerReferences = append(rs.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c"})
			}), owned(on("a", podOf("web-x-y", "1")), "ReplicaSet", "web-x")},
		ask: inTurn(remove(deployment("web", 1, "1")), remove(&corev1.ConfigMap{ObjectMeta: meta("c")})),
		want: `
			ConfigMap shop/c Deleted
			pod shop/web-x-y cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Source: Admit of k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle.
		name:    "a namespace of the cluster is not deleted",
		cluster: []admit.APIObject{in("kube-system", podOf("p", "1"))},
		ask:     remove(namespace("kube-system"), namespace("default"), namespace("kube-public"), namespace("kube-other")),
		want: `
			Namespace kube-system Refused; refused Forbidden: namespaces "kube-system" is forbidden: this namespace may not be deleted
			Namespace default Refused; refused Forbidden: namespaces "default" is forbidden: this namespace may not be deleted
			Namespace kube-public Refused; refused Forbidden: namespaces "kube-public" is forbidden: this namespace may not be deleted
			Namespace kube-other NotFound`,
	}, {
		name: "a pod is the other owner",
		cluster: []admit.APIObject{resourceQuota("q", "configmaps", "9"), podOf("p", "1"), &corev1.ConfigMap{ObjectMeta: meta("c")},
			with(&corev1.ConfigMap{ObjectMeta: meta("of-both")}, func(c *corev1.ConfigMap) {
				c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c"}, {APIVersion: "v1", Kind: "Pod", Name: "p"}}
			})},
		ask: remove(&corev1.ConfigMap{ObjectMeta: meta("c")}),
		want: `
			ConfigMap shop/c Deleted
			quota shop/q configmaps 1/9`,
	}, {
		name:    "a namespace that is not among the objects is deleted",
		cluster: []admit.APIObject{node("a", "9"), on("a", podOf("r", "1"))},
		ask:     remove(namespace("shop"), namespace("pay")),
		want: `
			Namespace shop Deleted
			Namespace pay NotFound
			pod shop/r cpu=1: a -> gone
			nodes a`,
	}, {
		name:    "the owner of a pod is its workload after both are deleted",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(deployment("web", 1, "1")), remove(deployment("web", 1, "1"))),
		want: `
			Deployment shop/web Deleted
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		name:    "a manifest without a namespace is in default",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(in("", podOf("p", "1"))),
		want: `
			Pod default/p Created
			pod default/p cpu=1: - -> a
			nodes a`,
	}, {
		// The overhead counts on the node and in the quota: KEP-688.
		name:    "a RuntimeClass has overhead",
		cluster: []admit.APIObject{node("b", "2"), kata(), resourceQuota("q", "requests.cpu", "5")},
		ask:     apply(withSpec(deployment("web", 2, "1"), func(spec *corev1.PodSpec) { spec.RuntimeClassName = pointer("kata") })),
		want: `
			Deployment shop/web Created 2/2/1
			pod shop/web-1-1 cpu=1 cpu=250m of Deployment shop/web: - -> b
			pod shop/web-1-2 cpu=1 cpu=250m of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			quota shop/q requests.cpu 2500m/5
			nodes b`,
	}, {
		// Source: setScheduling of plugin/pkg/admission/runtimeclass.
		name:    "a RuntimeClass selects nodes",
		cluster: []admit.APIObject{node("a", "9"), node("b", "2"), kata()},
		ask: apply(withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.RuntimeClassName = pointer("kata") }),
			withSpec(podOf("r", "1"), func(spec *corev1.PodSpec) {
				spec.RuntimeClassName, spec.NodeSelector = pointer("kata"), map[string]string{"name": "a"}
			}),
			withSpec(podOf("s", "1"), func(spec *corev1.PodSpec) { spec.RuntimeClassName = pointer("other") })),
		want: `
			Pod shop/p Created
			Pod shop/r Refused; refused Forbidden: pods "r" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[name] = b; pod.spec.nodeSelector[name] = a
			Pod shop/s Refused; refused Forbidden: pods "s" is forbidden: pod rejected: RuntimeClass "other" not found
			pod shop/p cpu=1 cpu=250m: - -> b
			nodes b`,
	}, {
		// Source: admitPod of plugin/pkg/admission/priority.
		name:    "a PriorityClass is missing",
		cluster: []admit.APIObject{node("a", "9"), priorityClass("high", 10)},
		ask: apply(withSpec(podOf("p", "1"), hasClass("late")), withSpec(podOf("r", "1"), func(spec *corev1.PodSpec) {
			spec.Priority = pointer[int32](10)
		})),
		want: `
			Pod shop/p Refused; refused Forbidden: pods "p" is forbidden: no PriorityClass with name late was found
			Pod shop/r Refused; refused Forbidden: pods "r" is forbidden: the integer value of priority (10) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name`,
	}, {
		name:    "a PriorityClass comes late",
		cluster: []admit.APIObject{node("a", "9"), priorityClass("high", 10)},
		ask:     inTurn(apply(withSpec(deployment("web", 1, "1"), hasClass("late"))), apply(priorityClass("late", 5))),
		want: `
			PriorityClass late Created
			and Deployment shop/web Unchanged 1/1/1
			pod shop/web-1-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name:    "a Deployment has the name of a pod in a namespace that is missing",
		cluster: []admit.APIObject{node("a", "9"), namespace("shop"), in("pay", on("a", podOf("web", "1")))},
		ask:     apply(in("pay", deployment("web", 1, "1")), with(in("pay", podOf("web", "1")), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })),
		want: `
			Deployment pay/web Refused; refused NotFound: namespaces "pay" not found
			Pod pay/web Updated
			pod pay/web cpu=1: a -> a
			nodes a`,
	}, {
		name: "of two ReplicaSets of a Deployment, the first has another owner",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/replicasets.apps", "9", "count/pods", "9"), &corev1.ConfigMap{ObjectMeta: meta("c")}, webOf(1, "1"),
			with(restarted("web-a", "1", 0)[0].(*appsv1.ReplicaSet), func(rs *appsv1.ReplicaSet) {
				rs.OwnerReferences = append(rs.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c"})
			}), restarted("web-b", "2", 1)[0], ofHash("b", "x", "1")},
		ask: remove(webOf(1, "1")),
		want: `
			Deployment shop/web Deleted
			pod shop/web-b-x cpu=1 of Deployment shop/web: a -> gone
			quota shop/q count/pods 0/9, count/replicasets.apps 1/9
			nodes a`,
	}, {
		// Source: absentOwnerCacheEntry and attemptToDeleteItem of pkg/controller/garbagecollector: an owner is of its kind.
		name: "the other owner has the name of a pod, and is gone",
		cluster: []admit.APIObject{resourceQuota("q", "configmaps", "9"), podOf("p", "1"), &corev1.ConfigMap{ObjectMeta: meta("c")},
			with(&corev1.ConfigMap{ObjectMeta: meta("of-both")}, func(c *corev1.ConfigMap) {
				c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c"}, {APIVersion: "v1", Kind: "ConfigMap", Name: "p"}}
			})},
		ask: remove(&corev1.ConfigMap{ObjectMeta: meta("c")}),
		want: `
			ConfigMap shop/c Deleted
			quota shop/q configmaps 0/9`,
	}, {
		name: "an Ingress and a custom resource own objects",
		cluster: []admit.APIObject{resourceQuota("q", "configmaps", "9", "secrets", "9"), &networkingv1.Ingress{ObjectMeta: meta("front")},
			with(&corev1.ConfigMap{ObjectMeta: meta("rules")}, func(c *corev1.ConfigMap) {
				c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "front"}}
			}), with(&corev1.Secret{ObjectMeta: meta("tls")}, func(s *corev1.Secret) {
				s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "cert.example.com/v1", Kind: "Ingress", Name: "front"}}
			})},
		ask: remove(&networkingv1.Ingress{ObjectMeta: meta("front")}),
		want: `
			Ingress shop/front Deleted
			quota shop/q configmaps 0/9, secrets 1/9`,
	}}
}

func situationsOfQuotas() []situation {
	t0 := metav1.NewTime(testkit.Now())
	leaving := func(name string) *corev1.Pod {
		p := on("a", podOf(name, "1"))
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &t0, pointer[int64](30)
		return p
	}
	gold := func(pairs ...string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Annotations: map[string]string{
			corev1.BetaStorageClassAnnotation: "gold"}}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: testkit.List(pairs...)}}}
	}
	scoped := func(name string, scope corev1.ResourceQuotaScope) *corev1.ResourceQuota {
		q := resourceQuota(name, "pods", "1")
		q.Spec.Scopes = []corev1.ResourceQuotaScope{scope}
		return q
	}
	return []situation{{
		name:    "a Service becomes a load balancer",
		cluster: []admit.APIObject{resourceQuota("q", "services", "2", "services.nodeports", "1", "services.loadbalancers", "1"), service("one", corev1.ServiceTypeClusterIP)},
		ask:     apply(service("one", corev1.ServiceTypeLoadBalancer), service("two", corev1.ServiceTypeNodePort), service("three", ""), service("four", "")),
		want: `
			Service shop/one Updated
			Service shop/two Refused; refused Forbidden: services "two" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1
			Service shop/three Created
			Service shop/four Refused; refused Forbidden: services "four" is forbidden: exceeded quota: q, requested: services=1, used: services=2, limited: services=2
			quota shop/q services 2/2, services.loadbalancers 1/1, services.nodeports 1/1`,
	}, {
		// Source: pkg/controller/resourcequota, which counts anew when the type of a Service changes.
		name:    "a Service is a load balancer no longer",
		cluster: []admit.APIObject{resourceQuota("q", "services", "9", "services.loadbalancers", "1"), service("one", corev1.ServiceTypeLoadBalancer)},
		ask:     apply(service("one", corev1.ServiceTypeClusterIP), service("two", corev1.ServiceTypeLoadBalancer)),
		want: `
			Service shop/one Updated
			Service shop/two Created
			quota shop/q services 2/9, services.loadbalancers 1/1`,
	}, {
		name:    "a changed LimitRange is for new pods",
		cluster: []admit.APIObject{node("a", "9"), bounds("500m"), resourceQuota("q", "requests.cpu", "1200m")},
		ask:     inTurn(apply(withSpec(deployment("web", 3, "1"), requests())), apply(bounds("200m"))),
		want: `
			LimitRange shop/bounds Updated
			and Deployment shop/web Unchanged 3/3/3
			pod shop/web-1-3 cpu=200m of Deployment shop/web: - -> a
			quota shop/q requests.cpu 1200m/1200m
			nodes a`,
	}, {
		name:    "a LimitRange refuses, until it is gone",
		cluster: []admit.APIObject{node("a", "9"), with(bounds("1"), func(lr *corev1.LimitRange) { lr.Spec.Limits[0].Max = testkit.List("cpu", "1") })},
		ask: inTurn(apply(withSpec(deployment("web", 1, "2"), func(spec *corev1.PodSpec) { spec.Containers[0].Resources.Limits = testkit.List("cpu", "2") })),
			remove(bounds("1"))),
		want: `
			LimitRange shop/bounds Deleted
			and Deployment shop/web Unchanged 1/1/1
			pod shop/web-1-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		// Source: SetDefaults_LimitRangeItem of pkg/apis/core/v1: the default of what has none is the maximum.
		name: "the maximum of a LimitRange is a default",
		ask: apply(&corev1.LimitRange{ObjectMeta: meta("most"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "1")}}}}, withSpec(podOf("p", "1"), requests()), withSpec(podOf("r", "2"), func(spec *corev1.PodSpec) {
			spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
		})),
		want: `
			LimitRange shop/most Created
			Pod shop/p Created
			Pod shop/r Refused; refused Forbidden: pods "r" is forbidden: maximum cpu usage per Container is 1, but limit is 2
			pod shop/p cpu=1: - -> -`,
	}, {
		name:    "a quota is lowered below what is used",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "5"), on("a", podOf("p", "1")), on("a", podOf("r", "1")), on("a", podOf("s", "1"))},
		ask:     apply(resourceQuota("q", "pods", "2"), podOf("u", "1")),
		want: `
			ResourceQuota shop/q Updated
			Pod shop/u Refused; refused Forbidden: pods "u" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=2
			quota shop/q pods 3/2`,
	}, {
		name:    "a quota is raised",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "1")},
		ask:     inTurn(apply(deployment("web", 3, "1")), apply(resourceQuota("q", "pods", "2"))),
		want: `
			ResourceQuota shop/q Updated
			and Deployment shop/web Unchanged 3/2/2; misses Forbidden: pods "web-1-3" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2
			pod shop/web-1-2 cpu=1 of Deployment shop/web: - -> a
			quota shop/q pods 2/2
			nodes a`,
	}, {
		name:    "a pod that is deleted makes room in a quota",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "1"), on("a", podOf("p", "1"))},
		ask:     inTurn(apply(deployment("web", 1, "2")), remove(podOf("p", "1"))),
		want: `
			Pod shop/p Deleted
			and Deployment shop/web Unchanged 1/1/1
			pod shop/p cpu=1: a -> gone
			pod shop/web-1-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name:    "quotas have scopes",
		cluster: []admit.APIObject{node("a", "9"), scoped("besteffort", corev1.ResourceQuotaScopeBestEffort), scoped("other", corev1.ResourceQuotaScopeNotBestEffort)},
		ask:     apply(withSpec(podOf("p", "1"), requests()), podOf("r", "1"), withSpec(podOf("s", "1"), requests())),
		want: `
			Pod shop/p Created
			Pod shop/r Created
			Pod shop/s Refused; refused Forbidden: pods "s" is forbidden: exceeded quota: besteffort, requested: pods=1, used: pods=1, limited: pods=1
			pod shop/p: - -> a
			pod shop/r cpu=1: - -> a
			quota shop/besteffort pods 1/1
			quota shop/other pods 1/1
			nodes a`,
	}, {
		name:    "a pod leaves a scope",
		cluster: []admit.APIObject{node("a", "9"), scoped("endless", corev1.ResourceQuotaScopeNotTerminating), podOf("p", "1")},
		ask:     apply(withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.ActiveDeadlineSeconds = pointer[int64](60) })),
		want: `
			Pod shop/p Updated
			pod shop/p cpu=1: a -> a
			quota shop/endless pods 0/1
			nodes a`,
	}, {
		// Source: QuotaV1Pod and PodUsageFunc of pkg/quota/v1/evaluator/core.
		name:    "a pod that is being deleted counts until its grace period ends",
		opts:    whatif.Options{Now: t0.Add(20 * time.Second)},
		cluster: []admit.APIObject{node("a", "9"), leaving("p"), on("a", podOf("r", "1"))},
		ask:     apply(resourceQuota("q", "pods", "5", "count/pods", "5", "requests.cpu", "5")),
		want: `
			ResourceQuota shop/q Created
			quota shop/q count/pods 2/5, pods 2/5, requests.cpu 2/5`,
	}, {
		name:    "a pod whose grace period has ended does not count",
		opts:    whatif.Options{Now: t0.Add(time.Minute)},
		cluster: []admit.APIObject{node("a", "9"), leaving("p"), on("a", podOf("r", "1"))},
		ask:     apply(resourceQuota("q", "pods", "5", "count/pods", "5", "requests.cpu", "5")),
		want: `
			ResourceQuota shop/q Created
			quota shop/q count/pods 2/5, pods 1/5, requests.cpu 1/5`,
	}, {
		name:    "a pod whose grace period has ended is gone",
		opts:    whatif.Options{Now: t0.Add(time.Minute)},
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "5", "count/pods", "5"), leaving("p"), on("a", podOf("r", "1"))},
		ask:     remove(podOf("p", "1")),
		want: `
			Pod shop/p Deleted
			pod shop/p cpu=1: a -> gone
			quota shop/q count/pods 1/5, pods 1/5
			nodes a`,
	}, {
		name: "a pod that has ended uses nothing but its object",
		cluster: []admit.APIObject{node("a", "1"), resourceQuota("q", "pods", "5", "count/pods", "5"), with(on("a", podOf("done", "1")), func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
		})},
		ask: apply(podOf("p", "1")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			quota shop/q count/pods 2/5, pods 1/5
			nodes a`,
	}, {
		// Source: storagehelpers.GetPersistentVolumeClaimClass, which prefers the annotation.
		name: "the class of a claim is an annotation",
		cluster: []admit.APIObject{resourceQuota("q", "gold.storageclass.storage.k8s.io/requests.storage", "5Gi", "requests.storage", "5Gi"),
			&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "gold"}}},
		ask: apply(with(statefulSet("db", 2, "1"), func(s *appsv1.StatefulSet) {
			s.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{*gold("storage", "2Gi")}
		})),
		want: `
			StatefulSet shop/db Created 2/2/0
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> -
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> -
			quota shop/q gold.storageclass.storage.k8s.io/requests.storage 4Gi/5Gi, requests.storage 4Gi/5Gi`,
	}, {
		// Source: createPersistentVolumeClaims of pkg/controller/statefulset, which tries each claim.
		name:    "a claim of two is refused",
		cluster: []admit.APIObject{resourceQuota("q", "requests.storage", "15Gi")},
		ask: apply(with(statefulSet("db", 1, "1", "big", "small"), func(s *appsv1.StatefulSet) {
			s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests = testkit.List("storage", "20Gi")
			s.Spec.VolumeClaimTemplates[1].Spec.Resources.Requests = testkit.List("storage", "5Gi")
		})),
		want: `
			StatefulSet shop/db Created 1/0/0; misses Forbidden: persistentvolumeclaims "big-db-0" is forbidden: exceeded quota: q, requested: requests.storage=20Gi, used: requests.storage=0, limited: requests.storage=15Gi
			quota shop/q requests.storage 5Gi/15Gi`,
	}}
}

func situationsOfJobs() []situation {
	state := func(change func(j *batchv1.Job)) *batchv1.Job { return with(job("j", 2, "1"), change) }
	condition := func(kind batchv1.JobConditionType) func(j *batchv1.Job) {
		return func(j *batchv1.Job) {
			j.Status.Conditions = []batchv1.JobCondition{{Type: kind, Status: corev1.ConditionTrue}}
		}
	}
	suspend := func(is bool) func(j *batchv1.Job) { return func(j *batchv1.Job) { j.Spec.Suspend = &is } }
	ofJob := func(name string) *corev1.Pod { return owned(on("a", podOf(name, "1")), "Job", "j") }
	concurrent := func(policy batchv1.ConcurrencyPolicy, cpu string) *batchv1.CronJob {
		return with(cronJob("c", 1, cpu), func(c *batchv1.CronJob) { c.Spec.ConcurrencyPolicy = policy })
	}
	onlyFailed := state(func(j *batchv1.Job) { j.Spec.PodReplacementPolicy = pointer(batchv1.Failed) })
	indexed := state(func(j *batchv1.Job) {
		j.Spec.Parallelism, j.Spec.Completions = pointer[int32](4), pointer[int32](5)
		j.Status.Succeeded = 3
	})
	return []situation{{
		name:    "a Job is suspended from the start",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(state(suspend(true))),
		want: `
			Job shop/j Created`,
	}, {
		name:    "a Job is resumed",
		cluster: []admit.APIObject{node("a", "9"), state(suspend(true))},
		ask:     apply(state(suspend(false))),
		want: `
			Job shop/j Updated 2/2/2
			pod shop/j-1 cpu=1 of Job shop/j: - -> a
			pod shop/j-2 cpu=1 of Job shop/j: - -> a
			nodes a`,
	}, {
		name:    "a Job is suspended while it runs",
		cluster: []admit.APIObject{node("a", "9"), state(suspend(false)), ofJob("j-x")},
		ask:     apply(state(suspend(true))),
		want: `
			Job shop/j Updated
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		name:    "a Job is complete",
		cluster: []admit.APIObject{node("a", "9"), state(condition(batchv1.JobComplete))},
		ask:     apply(labelled(job("j", 2, "1"))),
		want: `
			Job shop/j Updated`,
	}, {
		name:    "a Job has failed",
		cluster: []admit.APIObject{node("a", "9"), state(condition(batchv1.JobFailed))},
		ask:     apply(labelled(job("j", 2, "1"))),
		want: `
			Job shop/j Updated`,
	}, {
		name: "a Job has conditions that are not met",
		cluster: []admit.APIObject{node("a", "9"), state(func(j *batchv1.Job) {
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}, {Type: batchv1.JobComplete, Status: corev1.ConditionFalse}}
		})},
		ask: apply(labelled(job("j", 1, "1"))),
		want: `
			Job shop/j Updated 1/1/1
			pod shop/j-1 cpu=1 of Job shop/j: - -> a
			nodes a`,
	}, {
		name:    "a Job is nearly complete",
		cluster: []admit.APIObject{node("a", "9"), indexed},
		ask:     apply(labelled(with(job("j", 4, "1"), func(j *batchv1.Job) { j.Spec.Completions = pointer[int32](5) }))),
		want: `
			Job shop/j Updated 2/2/2
			pod shop/j-1 cpu=1 of Job shop/j: - -> a
			pod shop/j-2 cpu=1 of Job shop/j: - -> a
			nodes a`,
	}, {
		// Source: manageJob of pkg/controller/job: after the first success, what is running is left running.
		name:    "a work queue has a success",
		cluster: []admit.APIObject{node("a", "9"), state(func(j *batchv1.Job) { j.Status.Succeeded = 1 }), ofJob("j-x")},
		ask:     apply(labelled(job("j", 2, "1"))),
		want: `
			Job shop/j Updated 1/1/1`,
	}, {
		name:    "a work queue is suspended",
		cluster: []admit.APIObject{node("a", "9"), state(func(j *batchv1.Job) { j.Status.Succeeded = 1 }), ofJob("j-x")},
		ask:     apply(state(suspend(true))),
		want: `
			Job shop/j Updated
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		// Source: syncJob of pkg/controller/job: a pod that is evicted has failed.
		name:    "an eviction fails a Job that is not tried again",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](0) }), ofJob("j-x"), ofJob("j-y")},
		ask:     drain("a"),
		want: `
			Node a Updated
			and Job shop/j Unchanged
			pod shop/j-x cpu=1 of Job shop/j: a -> evicted
			pod shop/j-y cpu=1 of Job shop/j: a -> evicted
			nodes a`,
	}, {
		name:    "an eviction is tried again",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](1) }), ofJob("j-x")},
		ask:     drain("a"),
		want: `
			Node a Updated
			and Job shop/j Unchanged 2/2/2
			pod shop/j-x cpu=1 of Job shop/j: a -> evicted
			pod shop/j-1 cpu=1 of Job shop/j: - -> b
			pod shop/j-2 cpu=1 of Job shop/j: - -> b
			nodes a b`,
	}, {
		name:    "a preemption fails a Job that is not tried again",
		cluster: []admit.APIObject{node("a", "2"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](0) }), ofJob("j-x"), ofJob("j-y")},
		ask:     apply(with(podOf("urgent", "1"), func(p *corev1.Pod) { p.Spec.Priority = pointer[int32](9) })),
		want: `
			Pod shop/urgent Created
			and Job shop/j Unchanged
			pod shop/urgent cpu=1: - -> a
			pod shop/j-y cpu=1 of Job shop/j: a -> preempted
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		name:    "a preemption is tried again",
		cluster: []admit.APIObject{node("a", "2"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](1) }), ofJob("j-x"), ofJob("j-y")},
		ask:     apply(with(podOf("urgent", "1"), func(p *corev1.Pod) { p.Spec.Priority = pointer[int32](9) })),
		want: `
			Pod shop/urgent Created
			and Job shop/j Unchanged 2/2/1
			pod shop/urgent cpu=1: - -> a
			pod shop/j-y cpu=1 of Job shop/j: a -> preempted
			pod shop/j-1 cpu=1 of Job shop/j: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			nodes a`,
	}, {
		name:    "a second deletion fails a Job that is tried once more",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](1) })), remove(podOf("j-1", "1")), remove(podOf("j-3", "1"))),
		want: `
			Pod shop/j-3 Deleted
			and Job shop/j Unchanged
			pod shop/j-3 cpu=1 of Job shop/j: a -> gone
			pod shop/j-2 cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		// Source: isPodFailed of pkg/controller/job: a pod that is being deleted has failed already.
		name: "a pod that is being deleted has failed",
		cluster: []admit.APIObject{node("a", "9"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](0) }), ofJob("j-x"),
			with(ofJob("j-y"), func(p *corev1.Pod) {
				p.DeletionTimestamp, p.Finalizers = &metav1.Time{Time: testkit.Now()}, []string{batchv1.JobTrackingFinalizer}
			})},
		ask: apply(labelled(state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](0) }))),
		want: `
			Job shop/j Updated
			pod shop/j-x cpu=1 of Job shop/j: a -> gone
			nodes a`,
	}, {
		// Source: onlyReplaceFailedPods of pkg/controller/job.
		name: "a Job waits until a pod that is being deleted is gone",
		cluster: []admit.APIObject{node("a", "9"), onlyFailed, ofJob("j-x"), with(ofJob("j-y"), func(p *corev1.Pod) {
			p.DeletionTimestamp, p.Finalizers = &metav1.Time{Time: testkit.Now()}, []string{batchv1.JobTrackingFinalizer}
		})},
		ask: inTurn(apply(labelled(onlyFailed.DeepCopy())), remove(podOf("j-y", "1"))),
		want: `
			Pod shop/j-y Deleted
			and Job shop/j Unchanged 2/2/2
			pod shop/j-y cpu=1 of Job shop/j: a -> gone
			pod shop/j-1 cpu=1 of Job shop/j: - -> a
			nodes a`,
	}, {
		// Source: CountTerminatingPods of pkg/controller, which does not look at finalizers.
		name:    "a Job waits for a pod that is being deleted and that its status counts",
		cluster: []admit.APIObject{node("a", "9"), onlyFailed, ofJob("j-x"), with(ofJob("j-y"), func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: testkit.Now()} })},
		ask:     apply(labelled(onlyFailed.DeepCopy())),
		want: `
			Job shop/j Updated 2/1/1`,
	}, {
		name:    "what is left of a work queue goes on",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9"), state(func(j *batchv1.Job) { j.Status.Succeeded = 1 }), ofJob("j-x"), owned(on("b", podOf("j-y", "1")), "Job", "j")},
		ask:     drain("a"),
		want: `
			Node a Updated
			and Job shop/j Unchanged 1/1/1
			pod shop/j-x cpu=1 of Job shop/j: a -> evicted
			nodes a`,
	}, {
		name: "an index has failed, and the others go on",
		cluster: []admit.APIObject{node("a", "9"), with(job("j", 3, "1"), func(j *batchv1.Job) {
			j.Spec.Completions, j.Spec.CompletionMode, j.Spec.BackoffLimitPerIndex = pointer[int32](3), pointer(batchv1.IndexedCompletion), pointer[int32](0)
			j.Status.FailedIndexes = pointer("1")
		})},
		ask: apply(labelled(job("j", 3, "1"))),
		want: `
			Job shop/j Updated 2/2/2
			pod shop/j-1 cpu=1 of Job shop/j: - -> a
			pod shop/j-2 cpu=1 of Job shop/j: - -> a
			nodes a`,
	}, {
		name:    "a policy of failures is not considered",
		cluster: []admit.APIObject{node("a", "9")},
		ask: apply(state(func(j *batchv1.Job) {
			j.Spec.PodFailurePolicy, j.Spec.Parallelism = &batchv1.PodFailurePolicy{}, pointer[int32](1)
		})),
		want: `
			Job shop/j Created 1/1/1
			pod shop/j-1 cpu=1 of Job shop/j: - -> a; unknown Job spec.podFailurePolicy
			nodes a`,
	}, {
		// Source: managedByExternalController of pkg/controller/job: KEP-4368.
		name:    "a Job is managed by another controller",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(state(func(j *batchv1.Job) { j.Spec.ManagedBy = pointer("kueue.x-k8s.io/multikueue") })),
		want: `
			Job shop/j Created`,
	}, {
		// Source: ValidateJobUpdate of pkg/apis/batch/validation.
		name:    "the template of a Job is fixed",
		cluster: []admit.APIObject{node("a", "9"), job("j", 1, "1"), ofJob("j-x")},
		ask: func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
			r, next := c.Apply(job("j", 1, "2"))
			_, r.Objects[0].Reason.Message = r.Objects[0].Reason.Message[:30], r.Objects[0].Reason.Message[:30]
			return r, next
		},
		want: `
			Job shop/j Refused 1/1/1; refused Invalid: Job.batch "j" is invalid: spec`,
	}, {
		name:    "it is time for a CronJob",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/jobs.batch", "1")},
		ask: apply(cronJob("nightly", 2, "1"), cronJob("hourly", 1, "1"), with(cronJob("paused", 1, "1"), func(c *batchv1.CronJob) {
			c.Spec.Suspend = pointer(true)
		})),
		want: `
			CronJob shop/nightly Created
			CronJob shop/hourly Created; misses Forbidden: jobs.batch "hourly-1" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used: count/jobs.batch=1, limited: count/jobs.batch=1
			CronJob shop/paused Created
			pod shop/nightly-1-1 cpu=1 of CronJob shop/nightly: - -> a
			pod shop/nightly-1-2 cpu=1 of CronJob shop/nightly: - -> a
			quota shop/q count/jobs.batch 1/1
			nodes a`,
	}, {
		name:    "a CronJob tries again",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9"), in("pay", resourceQuota("q", "count/jobs.batch", "0"))},
		ask:     inTurn(apply(in("pay", cronJob("c", 1, "1"))), apply(in("pay", resourceQuota("q", "count/jobs.batch", "5")))),
		want: `
			ResourceQuota pay/q Updated
			and CronJob pay/c Unchanged
			pod pay/c-1-1 cpu=1 of CronJob pay/c: - -> a
			quota pay/q count/jobs.batch 1/5
			nodes a`,
	}, {
		// Source: syncCronJob of pkg/controller/cronjob.
		name:    "a CronJob does not run beside its last Job",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(concurrent(batchv1.ForbidConcurrent, "1")), apply(concurrent(batchv1.ForbidConcurrent, "2"))),
		want: `
			CronJob shop/c Updated`,
	}, {
		name:    "a CronJob replaces its last Job",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(concurrent(batchv1.ReplaceConcurrent, "1")), apply(concurrent(batchv1.ReplaceConcurrent, "2"))),
		want: `
			CronJob shop/c Updated
			pod shop/c-1-1 cpu=1 of CronJob shop/c: a -> gone
			pod shop/c-2-1 cpu=2 of CronJob shop/c: - -> a
			nodes a`,
	}, {
		name: "a CronJob is no longer bound to a node",
		opts: whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9"), with(cronJob("c", 1, "1"), func(c *batchv1.CronJob) {
			c.Spec.JobTemplate.Spec.Template.Spec.NodeSelector = map[string]string{"name": "b"}
		})},
		ask: apply(cronJob("c", 1, "1")),
		want: `
			CronJob shop/c Updated
			pod shop/c-1-1 cpu=1 of CronJob shop/c: - -> a
			nodes a`,
	}, {
		name:    "a CronJob runs beside its last Job",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(concurrent("", "1")), apply(concurrent("", "2"))),
		want: `
			CronJob shop/c Updated
			pod shop/c-2-1 cpu=2 of CronJob shop/c: - -> a
			nodes a`,
	}, {
		// Source: cleanupFinishedJobs of pkg/controller/cronjob.
		name: "a CronJob keeps no history",
		cluster: []admit.APIObject{resourceQuota("q", "count/jobs.batch", "5"), cronJob("c", 1, "1"),
			owned(with(job("c-old", 1, "1"), condition(batchv1.JobComplete)), "CronJob", "c")},
		ask: apply(with(cronJob("c", 1, "1"), func(c *batchv1.CronJob) { c.Spec.SuccessfulJobsHistoryLimit = pointer[int32](0) })),
		want: `
			CronJob shop/c Updated
			quota shop/q count/jobs.batch 0/5`,
	}, {
		name:    "a CronJob waits for its time",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(cronJob("nightly", 2, "1")),
		want: `
			CronJob shop/nightly Created`,
	}, {
		name:    "a Job of a CronJob is refused a pod",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "1")},
		ask:     apply(cronJob("c", 2, "1")),
		want: `
			CronJob shop/c Created; misses Forbidden: pods "c-1-2" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
			pod shop/c-1-1 cpu=1 of CronJob shop/c: - -> a
			quota shop/q pods 1/1
			nodes a`,
	}, {
		name:    "a Job of a CronJob is refused a pod once more",
		opts:    whatif.Options{RunCronJobs: true},
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "0")},
		ask:     inTurn(apply(cronJob("c", 2, "1")), apply(resourceQuota("q", "pods", "0", "services", "1"))),
		want: `
			ResourceQuota shop/q Updated
			and CronJob shop/c Unchanged; misses Forbidden: pods "c-1-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0
			quota shop/q pods 0/0, services 0/1`,
	}, {
		name:    "the node of a Job is fixed",
		cluster: []admit.APIObject{node("a", "9"), withSpec(job("j", 1, "1"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"name": "a"} }), ofJob("j-x")},
		ask: func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
			r, next := c.Apply(job("j", 1, "1"))
			_, r.Objects[0].Reason.Message = r.Objects[0].Reason.Message[:30], r.Objects[0].Reason.Message[:30]
			return r, next
		},
		want: `
			Job shop/j Refused 1/1/1; refused Invalid: Job.batch "j" is invalid: spec`,
	}, {
		name: "a pod of a Job that has succeeded is deleted",
		cluster: []admit.APIObject{node("a", "9"), state(func(j *batchv1.Job) { j.Spec.BackoffLimit = pointer[int32](0) }), ofJob("j-x"), ofJob("j-y"),
			with(ofJob("j-z"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })},
		ask: remove(podOf("j-z", "1")),
		want: `
			Pod shop/j-z Deleted
			and Job shop/j Unchanged 2/2/2
			pod shop/j-z cpu=1 of Job shop/j: a -> gone`,
	}}
}

func situationsOfNodes() []situation {
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: meta("b"), Spec: policyv1.PodDisruptionBudgetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "kept"}}}}
	kept := on("a", podOf("kept", "1"))
	kept.Labels = map[string]string{"app": "kept"}
	mirror := on("a", podOf("mirror", "1"))
	mirror.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	anti := func(app string) *corev1.Affinity {
		return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}, TopologyKey: "name"}}}}
	}
	port := func(name string) *corev1.Pod {
		return withSpec(podOf(name, "1"), func(spec *corev1.PodSpec) {
			spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		})
	}
	named := daemonSet("agent", "1")
	named.Spec.Template.Spec.NodeName = "a"
	return []situation{{
		name:    "a node is cordoned by its manifest",
		cluster: []admit.APIObject{node("a", "4"), on("a", podOf("p", "1"))},
		ask:     apply(cordoned("a"), podOf("r", "1")),
		want: `
			Node a Updated
			Pod shop/r Created
			pod shop/r cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) were unschedulable.
			nodes a`,
	}, {
		name:    "a cordoned node comes back",
		cluster: []admit.APIObject{with(node("a", "1"), func(n *corev1.Node) { n.Spec.Unschedulable = true }), podOf("p", "1"), podOf("r", "1")},
		ask:     apply(node("a", "1")),
		want: `
			Node a Updated
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name:    "a node gets the label that a pod waits for",
		cluster: []admit.APIObject{node("a", "4"), withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"disk": "ssd"} })},
		ask:     apply(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"name": "a", "disk": "ssd"}}}),
		want: `
			Node a Updated
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name:    "a selector and a taint keep pods away",
		cluster: []admit.APIObject{tainted(node("a", "4"), "dedicated", corev1.TaintEffectNoSchedule), node("b", "4"), node("c", "1")},
		ask: apply(withSpec(podOf("p", "2"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"name": "a"} }),
			withSpec(podOf("r", "2"), func(spec *corev1.PodSpec) {
				spec.NodeSelector = map[string]string{"name": "c"}
				spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
			})),
		want: `
			Pod shop/p Created
			Pod shop/r Created
			pod shop/p cpu=2: - -> waits, Unschedulable: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector.
			pod shop/r cpu=2: - -> waits, Unschedulable: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.`,
	}, {
		// Source: pkg/controller/tainteviction.
		name:    "a node gets a taint that evicts",
		cluster: []admit.APIObject{node("a", "4")},
		ask: inTurn(apply(deployment("web", 1, "1"), withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) {
			spec.Tolerations = []corev1.Toleration{{Key: "broken", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
		}), node("b", "4")), apply(tainted(node("a", "4"), "broken", corev1.TaintEffectNoExecute))),
		want: `
			Node a Updated
			and Deployment shop/web Unchanged 1/1/1
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> evicted
			pod shop/web-1-2 cpu=1 of Deployment shop/web: - -> b
			nodes a b`,
	}, {
		// Source: NodeShouldRunDaemonPod of pkg/controller/daemon.
		name: "a DaemonSet does not tolerate a taint",
		cluster: []admit.APIObject{tainted(node("a", "4"), "dedicated", corev1.TaintEffectNoSchedule), node("b", "4"),
			with(node("c", "4"), func(n *corev1.Node) { n.Spec.Unschedulable = true }), tainted(node("d", "4"), corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute)},
		ask: apply(daemonSet("agent", "1")),
		want: `
			DaemonSet shop/agent Created 3/3/3
			pod shop/agent-1 cpu=1 of DaemonSet shop/agent: - -> b
			pod shop/agent-2 cpu=1 of DaemonSet shop/agent: - -> c
			pod shop/agent-3 cpu=1 of DaemonSet shop/agent: - -> d
			nodes b c d`,
	}, {
		name:    "a daemon stays on a node that gets a taint, and comes on one that loses it",
		cluster: []admit.APIObject{node("a", "4"), tainted(node("b", "4"), "dedicated", corev1.TaintEffectNoSchedule)},
		ask: inTurn(apply(daemonSet("agent", "1")),
			apply(tainted(node("a", "4"), "dedicated", corev1.TaintEffectNoSchedule), node("b", "4"))),
		want: `
			Node a Updated
			Node b Updated
			and DaemonSet shop/agent Unchanged 1/2/2
			pod shop/agent-2 cpu=1 of DaemonSet shop/agent: - -> b
			nodes a b`,
	}, {
		name:    "a daemon that was refused is not wanted any more",
		cluster: []admit.APIObject{node("a", "4"), resourceQuota("q", "pods", "0")},
		ask:     apply(daemonSet("agent", "1"), tainted(node("a", "4"), "dedicated", corev1.TaintEffectNoSchedule)),
		want: `
			DaemonSet shop/agent Created
			Node a Updated
			nodes a`,
	}, {
		name:    "the template of a DaemonSet names a node that is full",
		cluster: []admit.APIObject{node("a", "1"), node("b", "4"), on("a", podOf("p", "1"))},
		ask:     apply(named),
		want: `
			DaemonSet shop/agent Created 1/1/0
			pod shop/agent-1 cpu=1 of DaemonSet shop/agent: - -> waits, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].`,
	}, {
		name:    "a node is drained",
		cluster: []admit.APIObject{node("a", "9"), on("a", podOf("bare", "1")), mirror},
		ask:     inTurn(apply(daemonSet("agent", "1")), drain("a")),
		want: `
			Node a Updated
			pod shop/bare cpu=1: a -> evicted
			nodes a`,
	}, {
		name:    "daemons come on a drained node",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9")},
		ask:     inTurn(drain("a"), drain("nosuch"), apply(daemonSet("agent", "1"), podOf("p", "1"))),
		want: `
			DaemonSet shop/agent Created 2/2/2
			Pod shop/p Created
			pod shop/agent-1 cpu=1 of DaemonSet shop/agent: - -> a
			pod shop/agent-2 cpu=1 of DaemonSet shop/agent: - -> b
			pod shop/p cpu=1: - -> b
			nodes a b`,
	}, {
		// Source: kubectl/pkg/drain/filters.go: pods that have ended are deleted, too.
		name: "a drain deletes pods that have ended",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/pods", "5"), with(on("a", podOf("done", "1")), func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
		}), with(on("a", podOf("crashed", "1")), func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed })},
		ask: drain("a"),
		want: `
			Node a Updated
			pod shop/crashed cpu=1: a -> evicted
			pod shop/done cpu=1: a -> evicted
			quota shop/q count/pods 0/5
			nodes a`,
	}, {
		name:    "a StatefulSet is drained from its only node",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(statefulSet("db", 2, "1")), drain("a")),
		want: `
			Node a Updated
			and StatefulSet shop/db Unchanged 2/1/0
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> evicted -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) were unschedulable.
			pod shop/db-1 cpu=1 of StatefulSet shop/db: a -> evicted
			nodes a`,
	}, {
		name:    "a node is deleted",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(deployment("web", 1, "1"), daemonSet("agent", "1"), podOf("p", "1")), remove(node("a", "9"), node("b", "9"))),
		want: `
			Node a Deleted
			Node b NotFound
			and DaemonSet shop/agent Unchanged
			and Deployment shop/web Unchanged 1/1/0
			pod shop/agent-1 cpu=1 of DaemonSet shop/agent: a -> evicted
			pod shop/p cpu=1: a -> evicted
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> evicted
			pod shop/web-1-2 cpu=1 of Deployment shop/web: - -> waits, Unschedulable: no nodes available to schedule pods`,
	}, {
		// Source: gcOrphaned of pkg/controller/podgc, which asks for the node of each pod.
		name: "a node is deleted with pods that have ended",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/pods", "5"), with(on("a", podOf("done", "1")), func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
		})},
		ask: remove(node("a", "9")),
		want: `
			Node a Deleted
			pod shop/done cpu=1: a -> evicted
			quota shop/q count/pods 0/5`,
	}, {
		name:    "a pod preempts that of a Deployment",
		cluster: []admit.APIObject{node("a", "1"), priorityClass("high", 10)},
		ask:     inTurn(apply(deployment("web", 1, "1")), apply(withSpec(podOf("urgent", "1"), hasClass("high")))),
		want: `
			Pod shop/urgent Created
			and Deployment shop/web Unchanged 1/1/0
			pod shop/urgent cpu=1: - -> a
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> preempted
			pod shop/web-1-2 cpu=1 of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			nodes a`,
	}, {
		name: "a class does not preempt",
		cluster: []admit.APIObject{node("a", "1"), on("a", podOf("p", "1")), with(priorityClass("polite", 10), func(c *schedulingv1.PriorityClass) {
			c.PreemptionPolicy = pointer(corev1.PreemptNever)
		})},
		ask: apply(withSpec(podOf("urgent", "1"), hasClass("polite"))),
		want: `
			Pod shop/urgent Created
			pod shop/urgent cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.`,
	}, {
		// Source: pickOneNodeForPreemption of pkg/scheduler/framework/preemption: the fewest violations first.
		name:    "a budget decides who is preempted",
		cluster: []admit.APIObject{node("a", "1"), node("b", "1"), kept, on("b", podOf("other", "1")), budget, priorityClass("high", 10)},
		ask:     apply(withSpec(podOf("urgent", "1"), hasClass("high"))),
		want: `
			Pod shop/urgent Created
			pod shop/urgent cpu=1: - -> b
			pod shop/other cpu=1: b -> preempted
			nodes b`,
	}, {
		name: "a budget that allows a disruption does not",
		cluster: []admit.APIObject{node("a", "1"), node("b", "1"), kept, on("b", withSpec(podOf("other", "1"), func(spec *corev1.PodSpec) { spec.Priority = pointer[int32](1) })),
			with(budget.DeepCopy(), func(b *policyv1.PodDisruptionBudget) { b.Status.DisruptionsAllowed = 1 }), priorityClass("high", 10)},
		ask: apply(withSpec(podOf("urgent", "1"), hasClass("high"))),
		want: `
			Pod shop/urgent Created
			pod shop/urgent cpu=1: - -> a
			pod shop/kept cpu=1: a -> preempted
			nodes a`,
	}, {
		name:    "each cluster has two classes",
		cluster: []admit.APIObject{node("a", "1"), on("a", withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.Priority = pointer[int32](1000000000) }))},
		ask:     apply(withSpec(podOf("urgent", "1"), hasClass("system-cluster-critical"))),
		want: `
			Pod shop/urgent Created
			pod shop/urgent cpu=1: - -> a
			pod shop/p cpu=1: a -> preempted
			nodes a`,
	}, {
		name:    "a pod is resized, so that another one fits no longer",
		cluster: []admit.APIObject{node("a", "3"), with(on("a", podOf("p", "1")), func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning })},
		ask:     apply(podOf("p", "1"), podOf("r", "3"), podOf("s", "2")),
		want: `
			Pod shop/p Unchanged
			Pod shop/r Created
			Pod shop/s Created
			pod shop/r cpu=3: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			pod shop/s cpu=2: - -> a
			nodes a`,
	}, {
		// Source: skipPodSchedule of pkg/scheduler.
		name: "a pod is deleted before it has a node",
		cluster: []admit.APIObject{node("a", "1"), with(podOf("gone", "1"), func(p *corev1.Pod) {
			p.DeletionTimestamp, p.Finalizers = &metav1.Time{Time: testkit.Now()}, []string{"example.com/x"}
		})},
		ask: apply(podOf("p", "1")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name:    "a pod has gates",
		cluster: []admit.APIObject{node("a", "3")},
		ask:     apply(withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} })),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, SchedulingGated: Scheduling is blocked due to non-empty scheduling gates`,
	}, {
		// Source: satisfyExistingPodsAntiAffinity of pkg/scheduler/framework/plugins/interpodaffinity.
		name:    "a pod keeps others away",
		cluster: []admit.APIObject{node("a", "3"), on("a", withSpec(podOf("guard", "1"), func(spec *corev1.PodSpec) { spec.Affinity = anti("web") }))},
		ask:     apply(with(podOf("web", "1"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })),
		want: `
			Pod shop/web Created
			pod shop/web cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.`,
	}, {
		name:    "two pods want one port of a node",
		cluster: []admit.APIObject{node("a", "3"), on("a", port("p"))},
		ask:     apply(port("r")),
		want: `
			Pod shop/r Created
			pod shop/r cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.`,
	}, {
		// Source: pkg/scheduler/framework/plugins/dynamicresources, KEP-5004.
		name: "an extended resource comes from a DeviceClass",
		cluster: []admit.APIObject{node("a", "3"), &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"},
			Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: pointer("example.com/gpu")}}},
		ask: apply(withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) {
			spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: testkit.List("example.com/gpu", "8"), Limits: testkit.List("example.com/gpu", "8")}
		})),
		want: `
			Pod shop/p Created
			pod shop/p example.com/gpu=8: - -> waits, Unschedulable: 0/1 nodes are available: 1 cannot allocate all claims.`,
		differs: "devices of ResourceSlices are not considered",
	}, {
		// Source: ValidatePodUpdate of pkg/apis/core/validation: nodes may become fewer while there are gates.
		name: "a pod with gates gets a selector, and loses its gates",
		cluster: []admit.APIObject{node("a", "3"), node("b", "3"), with(gated(podOf("p", "1")), func(p *corev1.Pod) {
			p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"schedulingGates": [{"name": "g"}]}}`}
		})},
		ask: inTurn(apply(withSpec(gated(podOf("p", "1")), selects("b"))), apply(withSpec(podOf("p", "1"), selects("b")))),
		want: `
			Pod shop/p Updated
			pod shop/p cpu=1: - -> b
			nodes b`,
	}}
}

// webOf is a Deployment whose pods have a label.
func webOf(replicas int32, cpu string) *appsv1.Deployment {
	return selectedBy(deployment("web", replicas, cpu), map[string]string{"app": "web"})
}

// remembering is a Deployment that keeps one former ReplicaSet.
func remembering(cpu string) *appsv1.Deployment {
	return with(deployment("web", 1, cpu), func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = pointer[int32](1) })
}

// restartedAt is a Deployment that was restarted at some time, and restarted is a ReplicaSet of it from then.
func restartedAt(at string, replicas int32) *appsv1.Deployment {
	return with(webOf(replicas, "1"), func(d *appsv1.Deployment) {
		d.Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": at}
	})
}

func restarted(name, at string, replicas int32) []admit.APIObject {
	return []admit.APIObject{owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{
		Replicas: &replicas, Template: restartedAt(at, 1).Spec.Template}}, "Deployment", "web")}
}

// versioned is a Deployment with a version in its labels, and versionSets are two ReplicaSets of it.
func versioned(version string, replicas int32) *appsv1.Deployment {
	return with(webOf(replicas, "1"), func(d *appsv1.Deployment) {
		d.Spec.Template.Labels = map[string]string{"app": "web", "version": version}
	})
}

func versionSets() []admit.APIObject {
	first, second := restarted("web-a", "", 0)[0].(*appsv1.ReplicaSet), restarted("web-b", "", 1)[0].(*appsv1.ReplicaSet)
	first.Spec.Template, second.Spec.Template = versioned("1", 1).Spec.Template, versioned("2", 1).Spec.Template
	return []admit.APIObject{first, second}
}

// ofHash is a pod of a ReplicaSet of a Deployment.
func ofHash(hash, name, cpu string) *corev1.Pod {
	p := owned(on("a", podOf("web-"+hash+"-"+name, cpu)), "ReplicaSet", "web-"+hash)
	p.Labels = map[string]string{"app": "web", "pod-template-hash": hash}
	return p
}

func notStarting(p *corev1.Pod) {
	p.Status.Phase = corev1.PodPending
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff"}}}}
}

// brokenRollout is a rollout from pods of 1 CPU to those of 2 CPUs, whose image cannot be pulled.
func brokenRollout() []admit.APIObject {
	set := func(name, cpu string, replicas int32) *appsv1.ReplicaSet {
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: webOf(2, cpu).Spec.Template}}, "Deployment", "web")
		rs.Annotations = map[string]string{"deployment.kubernetes.io/desired-replicas": "2", "deployment.kubernetes.io/max-replicas": "3"}
		return rs
	}
	broken := with(owned(on("a", podOf("web-b-x", "2")), "ReplicaSet", "web-b"), notStarting)
	return []admit.APIObject{node("a", "32"), webOf(2, "2"), set("web-a", "1", 2), set("web-b", "2", 1), broken,
		owned(on("a", podOf("web-a-x", "1")), "ReplicaSet", "web-a"), owned(on("a", podOf("web-a-y", "1")), "ReplicaSet", "web-a")}
}

// aged was created before all that is created now.
func aged(p *corev1.Pod) *corev1.Pod {
	p.CreationTimestamp, p.Labels = metav1.NewTime(testkit.Now()), map[string]string{"app": "web"}
	return p
}

func situationsOfUpdates() []situation {
	ofSet := func(name, revision, cpu string) *corev1.Pod {
		p := owned(on("a", podOf(name, cpu)), "StatefulSet", "db")
		p.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: revision}
		return p
	}
	quarter := intstr.FromString("25%")
	byDefault := appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}}
	partition := func(n int32, cpu string) *appsv1.StatefulSet {
		return with(statefulSet("db", 2, cpu), func(s *appsv1.StatefulSet) {
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &n}}
			s.Status.UpdateRevision = "new"
		})
	}
	onDelete := func(cpu string) *appsv1.DaemonSet {
		return with(daemonSet("agent", cpu), func(d *appsv1.DaemonSet) { d.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType })
	}
	revision := func(name string, number int64, cpu string) *appsv1.ControllerRevision {
		return owned(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "agent-" + name,
			Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: name}}, Revision: number,
			Data: runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"` + cpu + `"}}}]}}}}`)}}, "DaemonSet", "agent")
	}
	strategy := func(kind appsv1.DeploymentStrategyType, cpu string) *appsv1.Deployment {
		return with(deployment("web", 2, cpu), func(d *appsv1.Deployment) { d.Spec.Strategy.Type = kind })
	}
	selecting := withSpec(deployment("web", 1, "1"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"name": "b"} })
	claim := func(size string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: meta("c"), Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: testkit.List("storage", size)}}}
	}
	replicaSet := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2),
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Template: template("1")}}
	replicaSet.Spec.Template.Labels = map[string]string{"app": "web"}
	return []situation{{
		// Source: the defaults of maxSurge and maxUnavailable, 25%, of which one is rounded up, one down.
		name:    "a rolling update is stuck in a quota",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "3")},
		ask:     inTurn(apply(deployment("web", 3, "1")), apply(deployment("web", 3, "2"))),
		want: `
			Deployment shop/web Updated 3/0/0, 3 old; misses Forbidden: pods "web-2-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3`,
	}, {
		name:    "all pods are replaced before others are created",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "2", "requests.cpu", "9")},
		ask:     inTurn(apply(strategy(appsv1.RecreateDeploymentStrategyType, "1")), apply(strategy(appsv1.RecreateDeploymentStrategyType, "2"))),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-1-2 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-2-1 cpu=2 of Deployment shop/web: - -> a
			pod shop/web-2-2 cpu=2 of Deployment shop/web: - -> a
			quota shop/q pods 2/2, requests.cpu 4/9
			nodes a`,
	}, {
		name:    "all pods are replaced at once by option",
		opts:    whatif.Options{AtOnce: true},
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "2")},
		ask:     inTurn(apply(strategy("", "1")), apply(strategy("", "2"))),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-1-2 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-2-1 cpu=2 of Deployment shop/web: - -> a
			pod shop/web-2-2 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		// Source: isScalingEvent of pkg/controller/deployment, which comes before the strategy.
		name:    "a Deployment shrinks although its next ReplicaSet is refused",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/replicasets.apps", "1")},
		ask:     inTurn(apply(deployment("web", 2, "1")), apply(deployment("web", 1, "2"))),
		want: `
			Deployment shop/web Updated 1/0/0, 1 old; misses Forbidden: replicasets.apps "web-2" is forbidden: exceeded quota: q, requested: count/replicasets.apps=1, used: count/replicasets.apps=1, limited: count/replicasets.apps=1
			pod shop/web-1-2 cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Source: rolloutRecreate of pkg/controller/deployment, which creates the next ReplicaSet after all pods are gone.
		name:    "a Deployment that is recreated has no pods if its next ReplicaSet is refused",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/replicasets.apps", "1")},
		ask: inTurn(apply(strategy(appsv1.RecreateDeploymentStrategyType, "1")), apply(with(strategy(appsv1.RecreateDeploymentStrategyType, "2"), func(d *appsv1.Deployment) {
			d.Spec.Replicas = pointer[int32](1)
		}))),
		want: `
			Deployment shop/web Updated 1/0/0; misses Forbidden: replicasets.apps "web-2" is forbidden: exceeded quota: q, requested: count/replicasets.apps=1, used: count/replicasets.apps=1, limited: count/replicasets.apps=1
			pod shop/web-1-2 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Source: rollingUpdate of pkg/controller/daemon: a new daemon that waits counts against maxUnavailable.
		name:    "a daemon stays while that of another node waits",
		cluster: []admit.APIObject{node("a", "9"), node("b", "1")},
		ask: inTurn(apply(withSpec(daemonSet("agent", "1"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"name": "a"} })),
			apply(daemonSet("agent", "2"))),
		want: `
			DaemonSet shop/agent Updated 2/1/0, 1 old
			pod shop/agent-2 cpu=2 of DaemonSet shop/agent: - -> waits, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].`,
	}, {
		// Source: cleanupUnhealthyReplicas of pkg/controller/deployment: pods that are not ready go first, up to those that
		// have to be available.
		name:    "pods of a former template that wait go first",
		cluster: []admit.APIObject{node("a", "3")},
		ask: inTurn(apply(deployment("web", 3, "2")), apply(with(deployment("web", 3, "4"), func(d *appsv1.Deployment) {
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: pointer(intstr.FromInt32(0)), MaxUnavailable: pointer(intstr.FromInt32(2))}
		}))),
		want: `
			Deployment shop/web Updated 3/2/0, 1 old
			pod shop/web-1-3 cpu=2 of Deployment shop/web: - -> gone
			pod shop/web-1-2 cpu=2 of Deployment shop/web: - -> gone
			pod shop/web-2-1 cpu=4 of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			pod shop/web-2-2 cpu=4 of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.`,
	}, {
		// Source: reconcileNewReplicaSet of pkg/controller/deployment, which counts spec.replicas of ReplicaSets, with pods that
		// are refused. An old pod that is evicted from a rollout that is stuck is created again from its own template.
		name:    "a rollout that is stuck loses a pod",
		cluster: []admit.APIObject{node("a", "3")},
		ask:     inTurn(apply(deployment("web", 2, "1")), apply(deployment("web", 2, "9")), remove(podOf("web-1-1", "1"))),
		want: `
			Pod shop/web-1-1 Deleted
			and Deployment shop/web Unchanged 2/1/0, 2 old
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-3 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		// Source: getReplicaSetProportion of pkg/controller/deployment/util: 2 of 3 and 1 of 3 become 3 of 5 and 2 of 5. The new
		// pods have the image that cannot be pulled, so that the rollout is stuck still.
		name:    "a rollout with a broken image is scaled",
		cluster: brokenRollout(),
		ask:     apply(webOf(4, "2")),
		want: `
			Deployment shop/web Updated 4/2/2, 3 old
			pod shop/web-a-1 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-b-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		// Source: cleanupUnhealthyReplicas of pkg/controller/deployment: the pod that is not ready makes room for the next.
		name:    "a rollout with a broken image is mended",
		cluster: brokenRollout(),
		ask:     apply(webOf(2, "3")),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-b-x cpu=2 of Deployment shop/web: a -> gone
			pod shop/web-1-1 cpu=3 of Deployment shop/web: - -> a
			pod shop/web-a-y cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-2 cpu=3 of Deployment shop/web: - -> a
			pod shop/web-a-x cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Source: scale of pkg/controller/deployment: 2 of 3 and 1 of 3 become 3 of 5 and 2 of 5.
		name:    "a rollout that is stuck is scaled in proportion",
		cluster: []admit.APIObject{node("a", "3")},
		ask:     inTurn(apply(deployment("web", 2, "1")), apply(deployment("web", 2, "9")), apply(deployment("web", 4, "9"))),
		want: `
			Deployment shop/web Updated 4/2/0, 3 old
			pod shop/web-1-3 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-2-2 cpu=9 of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			nodes a`,
	}, {
		name:    "a paused rollout is scaled in proportion",
		cluster: []admit.APIObject{node("a", "3")},
		ask: inTurn(apply(deployment("web", 2, "1")), apply(deployment("web", 2, "9")), apply(with(deployment("web", 4, "9"), func(d *appsv1.Deployment) {
			d.Spec.Paused = true
		}))),
		want: `
			Deployment shop/web Updated 4/2/0, 3 old, 3 kept
			pod shop/web-1-3 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-2-2 cpu=9 of Deployment shop/web: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			nodes a`,
	}, {
		// Source: cleanupDeployment of pkg/controller/deployment.
		name:    "former ReplicaSets beyond the limit of the history are deleted",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "count/replicasets.apps", "3")},
		ask:     inTurn(apply(remembering("1")), apply(remembering("2")), apply(remembering("3")), apply(remembering("4"))),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-4-1 cpu=4 of Deployment shop/web: - -> a
			pod shop/web-3-1 cpu=3 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		name: "a rollout whose ReplicaSets were not read goes on",
		cluster: []admit.APIObject{node("a", "9"), webOf(2, "2"), ofHash("old", "x", "1"), ofHash("old", "y", "1"),
			ofHash("new", "z", "2")},
		ask: apply(labelled(webOf(2, "2"))),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-old-y cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-new-1 cpu=2 of Deployment shop/web: - -> a
			pod shop/web-old-x cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		name: "a rollout whose ReplicaSets were not read loses a pod",
		cluster: []admit.APIObject{node("a", "9"), webOf(2, "2"), ofHash("old", "x", "1"), ofHash("old", "y", "1"),
			with(ofHash("new", "z", "2"), notStarting)},
		ask: remove(podOf("web-old-x", "1")),
		want: `
			Pod shop/web-old-x Deleted
			and Deployment shop/web Unchanged 2/1/1, 2 old
			pod shop/web-old-x cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-old-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name: "a rollout whose ReplicaSets were not read is scaled",
		cluster: []admit.APIObject{node("a", "19"), webOf(2, "2"), ofHash("old", "x", "1"), ofHash("old", "y", "1"),
			with(ofHash("new", "z", "2"), notStarting)},
		ask: apply(webOf(4, "2")),
		want: `
			Deployment shop/web Updated 4/2/2, 3 old
			pod shop/web-old-1 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-new-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name: "a ReplicaSet that was not read is that of a Deployment beside an old one that was read",
		cluster: []admit.APIObject{node("a", "9"), webOf(2, "4"), owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-old"), Spec: appsv1.ReplicaSetSpec{
			Replicas: pointer[int32](0), Template: webOf(2, "1").Spec.Template}}, "Deployment", "web"), ofHash("new", "y", "2"), ofHash("new", "z", "2")},
		ask: apply(webOf(1, "4")),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-new-z cpu=2 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		name: "evicted pods of ReplicaSets that were not read do not bring these back",
		cluster: []admit.APIObject{node("a", "9"), webOf(1, "2"), with(ofHash("first", "x", "2"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }),
			ofHash("new", "z", "2")},
		ask: apply(labelled(webOf(1, "2"))),
		want: `
			Deployment shop/web Updated 1/1/1`,
	}, {
		name: "of ReplicaSets that were not read, none has a template that one has that was read",
		cluster: []admit.APIObject{node("a", "9"), webOf(2, "2"), ofHash("a", "y", "1"), ofHash("b", "x", "2"), ofHash("c", "z", "1"), owned(&appsv1.ReplicaSet{
			ObjectMeta: meta("web-b"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: webOf(2, "2").Spec.Template}}, "Deployment", "web")},
		ask: apply(labelled(webOf(2, "2"))),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-a-y cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-b-1 cpu=2 of Deployment shop/web: - -> a
			pod shop/web-c-z cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// kubectl rollout restart sets an annotation of the template, and nothing else.
		name:    "a Deployment that was restarted is scaled",
		cluster: append(restarted("web-a", "1", 0), append(restarted("web-b", "2", 1), node("a", "9"), restartedAt("2", 1), on("a", ofHash("b", "x", "1")))...),
		ask:     apply(restartedAt("2", 2)),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-b-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name:    "a Deployment whose pods have another label is scaled",
		cluster: append(versionSets(), node("a", "9"), versioned("2", 1), ofHash("b", "x", "1")),
		ask:     apply(versioned("2", 2)),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-b-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name: "the ReplicaSet with the most pods is that of a Deployment if none was read and their pods are changed by others",
		cluster: []admit.APIObject{node("a", "9"), webOf(3, "4"), ofHash("old", "x", "1"), ofHash("new", "y", "2"),
			ofHash("new", "z", "2")},
		ask: apply(webOf(2, "4")),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-old-x cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Differs from oldPodsRunning of pkg/controller/deployment: there is no clock, so that the old pod would never be gone.
		name: "a Deployment that is recreated does not wait for pods that are being deleted",
		cluster: []admit.APIObject{node("a", "9"), with(deployment("web", 1, "2"), func(d *appsv1.Deployment) { d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType }),
			owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-a"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](0), Template: template("1")}}, "Deployment", "web"),
			with(owned(on("a", podOf("web-a-x", "1")), "ReplicaSet", "web-a"), func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: testkit.Now()} })},
		ask: apply(labelled(with(deployment("web", 1, "2"), func(d *appsv1.Deployment) { d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType }))),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-1-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name:    "a paused Deployment is not updated",
		cluster: []admit.APIObject{node("a", "9")},
		ask: inTurn(apply(deployment("web", 1, "1")), apply(with(deployment("web", 1, "2"), func(d *appsv1.Deployment) {
			d.Spec.Paused = true
		}))),
		want: `
			Deployment shop/web Updated 1/0/0, 1 old, 1 kept`,
	}, {
		// Source: CreateThreeWayMergePatch of k8s.io/apimachinery/pkg/util/strategicpatch.
		name:    "a manifest takes a pause back",
		cluster: []admit.APIObject{node("a", "9"), with(deployment("web", 1, "2"), func(d *appsv1.Deployment) { d.Spec.Paused = true })},
		ask:     apply(deployment("web", 1, "2")),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-1-1 cpu=2 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name: "a pause that kubectl has not noted stays",
		cluster: []admit.APIObject{node("a", "9"), with(deployment("web", 1, "2"), func(d *appsv1.Deployment) {
			d.Spec.Paused, d.Annotations = true, map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"replicas": 1}}`}
		})},
		ask: apply(deployment("web", 1, "2")),
		want: `
			Deployment shop/web Unchanged 1/0/0`,
	}, {
		name: "kubectl has noted replicas that a manifest drops",
		cluster: []admit.APIObject{node("a", "9"), with(deployment("web", 3, "1"), func(d *appsv1.Deployment) {
			d.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"replicas": 3}}`}
		})},
		ask: apply(with(deployment("web", 3, "1"), func(d *appsv1.Deployment) { d.Spec.Replicas = nil })),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-1-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name:    "a manifest without a strategy keeps the default one",
		cluster: []admit.APIObject{with(deployment("web", 0, "1"), func(d *appsv1.Deployment) { d.Spec.Strategy = byDefault })},
		ask:     apply(deployment("web", 0, "1")),
		want: `
			Deployment shop/web Unchanged`,
	}, {
		// Source: retainKeys of DeploymentSpec.Strategy in k8s.io/api/apps/v1.
		name:    "a manifest has half of the default strategy",
		cluster: []admit.APIObject{with(deployment("web", 0, "1"), func(d *appsv1.Deployment) { d.Spec.Strategy = byDefault })},
		ask: apply(with(deployment("web", 0, "1"), func(d *appsv1.Deployment) {
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &quarter}
		})),
		want: `
			Deployment shop/web Unchanged`,
	}, {
		name: "a manifest of a DaemonSet without a strategy keeps the default one",
		cluster: []admit.APIObject{node("a", "9"), with(daemonSet("agent", "1"), func(d *appsv1.DaemonSet) {
			d.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromInt32(1)), MaxSurge: pointer(intstr.FromInt32(0))}}
		}), owned(on("a", podOf("agent-x", "1")), "DaemonSet", "agent")},
		ask: apply(daemonSet("agent", "1")),
		want: `
			DaemonSet shop/agent Unchanged 1/1/1`,
	}, {
		name:    "a manifest adds a label without a value",
		cluster: []admit.APIObject{node("a", "9")},
		ask: inTurn(apply(deployment("web", 1, "1")), apply(with(deployment("web", 1, "1"), func(d *appsv1.Deployment) {
			d.Spec.Template.Labels = map[string]string{"canary": ""}
		}))),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-2-1 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-1-1 cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		name:    "a manifest drops its strategy",
		cluster: []admit.APIObject{with(deployment("web", 0, "1"), func(d *appsv1.Deployment) { d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType })},
		ask:     apply(deployment("web", 0, "1")),
		want: `
			Deployment shop/web Updated`,
	}, {
		name:    "a manifest drops its node selector",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(selecting), apply(deployment("web", 1, "1"))),
		want: `
			Deployment shop/web Updated 1/1/1
			pod shop/web-2-1 cpu=1 of Deployment shop/web: - -> a
			pod shop/web-1-1 cpu=1 of Deployment shop/web: - -> gone
			nodes a`,
	}, {
		name:    "a StatefulSet is updated from its partition on",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(partition(1, "1")), apply(partition(1, "2"))),
		want: `
			StatefulSet shop/db Updated 2/1/1, 1 old, 1 kept
			pod shop/db-1 cpu=2 of StatefulSet shop/db: a -> a
			nodes a`,
	}, {
		// Source: newVersionedStatefulSetPod of pkg/controller/statefulset.
		name:    "a pod below the partition comes back as it was",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(partition(1, "1")), apply(partition(1, "2")), remove(podOf("db-0", "1"))),
		want: `
			Pod shop/db-0 Deleted
			and StatefulSet shop/db Unchanged 2/1/1, 1 old, 1 kept
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> a
			nodes a`,
	}, {
		name: "a StatefulSet that was read in the middle of an update goes on",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "requests.cpu", "5"), partition(1, "2"),
			ofSet("db-0", "old", "1"), ofSet("db-1", "new", "2")},
		ask: apply(partition(0, "2")),
		want: `
			StatefulSet shop/db Updated 2/2/2
			pod shop/db-0 cpu=2 of StatefulSet shop/db: a -> a
			quota shop/q requests.cpu 4/5
			nodes a`,
	}, {
		name:    "a StatefulSet is updated as its pods are deleted",
		cluster: []admit.APIObject{node("a", "9")},
		ask: inTurn(apply(statefulSet("db", 2, "1")), apply(with(statefulSet("db", 2, "2"), func(s *appsv1.StatefulSet) {
			s.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
		})), remove(podOf("db-1", "1"))),
		want: `
			Pod shop/db-1 Deleted
			and StatefulSet shop/db Unchanged 2/1/1, 1 old, 1 kept
			pod shop/db-1 cpu=2 of StatefulSet shop/db: a -> a
			nodes a`,
	}, {
		name:    "a DaemonSet is updated as its pods are deleted",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9")},
		ask:     inTurn(apply(onDelete("1")), apply(onDelete("2")), remove(podOf("agent-1", "1"))),
		want: `
			Pod shop/agent-1 Deleted
			and DaemonSet shop/agent Unchanged 2/1/1, 1 old, 1 kept
			pod shop/agent-1 cpu=1 of DaemonSet shop/agent: a -> gone
			pod shop/agent-3 cpu=2 of DaemonSet shop/agent: - -> a
			nodes a`,
	}, {
		// Source: getPatch and GetTemplateGeneration of pkg/controller/daemon: pods have the hash of their revision.
		name: "a DaemonSet that was read with a pod of a former revision goes on",
		cluster: []admit.APIObject{node("a", "9"), onDelete("2"), revision("old", 1, "1"), revision("new", 2, "2"),
			with(owned(on("a", podOf("agent-x", "1")), "DaemonSet", "agent"), func(p *corev1.Pod) {
				p.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: "old"}
			})},
		ask: apply(with(onDelete("2"), func(d *appsv1.DaemonSet) { d.Spec.UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType })),
		want: `
			DaemonSet shop/agent Updated 1/1/1
			pod shop/agent-x cpu=1 of DaemonSet shop/agent: a -> gone
			pod shop/agent-1 cpu=2 of DaemonSet shop/agent: - -> a
			nodes a`,
	}, {
		// Source: ValidatePersistentVolumeClaimUpdate of pkg/apis/core/validation.
		name: "a claim shrinks",
		cluster: []admit.APIObject{resourceQuota("q", "requests.storage", "9Gi"), with(claim("5Gi"), func(c *corev1.PersistentVolumeClaim) {
			c.Status.Phase, c.Status.Capacity = corev1.ClaimBound, testkit.List("storage", "5Gi")
		})},
		ask: apply(claim("3Gi")),
		want: `
			PersistentVolumeClaim shop/c Refused; refused Invalid: PersistentVolumeClaim "c" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity`,
	}, {
		// Source: AddPod and claimPods of pkg/controller: a pod without a controller is adopted.
		name: "a ReplicaSet adopts a pod that it selects",
		cluster: []admit.APIObject{node("a", "9"), on("a", podOf("another", "1")), with(on("a", podOf("bare", "1")), func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "web"}
		})},
		ask: apply(replicaSet),
		want: `
			ReplicaSet shop/web Created 2/2/2
			pod shop/bare cpu=1 of ReplicaSet shop/web: a -> a
			pod shop/web-1 cpu=1 of ReplicaSet shop/web: - -> a
			nodes a`,
	}, {
		// Source: getReplicaSetsWithSameController of pkg/controller/replicaset: without a controller, there are none, and it does
		// not matter which pods share a node.
		name: "a ReplicaSet on its own shrinks",
		cluster: []admit.APIObject{node("a", "9"), node("b", "9"), with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = pointer[int32](3) }),
			owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web"), owned(on("a", podOf("web-y", "1")), "ReplicaSet", "web"), owned(on("b", podOf("web-z", "1")), "ReplicaSet", "web")},
		ask: apply(replicaSet),
		want: `
			ReplicaSet shop/web Updated 2/2/2
			pod shop/web-z cpu=1 of ReplicaSet shop/web: b -> gone
			nodes b`,
	}, {
		// Source: manageReplicas of pkg/controller/replicaset, which deletes the newest of pods that are equal otherwise.
		name: "a ReplicaSet has no use for a pod that it selects",
		cluster: []admit.APIObject{node("a", "9"), replicaSet, aged(owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web")),
			aged(owned(on("a", podOf("web-y", "1")), "ReplicaSet", "web"))},
		ask: apply(with(podOf("bare", "1"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })),
		want: `
			Pod shop/bare Created`,
	}, {
		// Source: SetDefaults_ReplicationController of pkg/apis/core/v1: it selects the labels of its template.
		name: "a ReplicationController adopts a pod",
		cluster: []admit.APIObject{node("a", "9"), with(on("a", podOf("bare", "1")), func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "web"}
		})},
		ask: apply(&corev1.ReplicationController{ObjectMeta: meta("rc"), Spec: corev1.ReplicationControllerSpec{
			Replicas: pointer[int32](1), Template: &replicaSet.Spec.Template}}),
		want: `
			ReplicationController shop/rc Created 1/1/1
			pod shop/bare cpu=1 of ReplicationController shop/rc: a -> a
			nodes a`,
	}, {
		// Source: ClaimPods of pkg/controller: a pod that is no longer selected is released.
		name:    "a ReplicaSet releases a pod that it does not select",
		cluster: []admit.APIObject{node("a", "9")},
		ask: inTurn(apply(replicaSet), apply(with(podOf("web-1", "1"), func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "debug"}
		}))),
		want: `
			Pod shop/web-1 Updated
			and ReplicaSet shop/web Unchanged 2/2/2
			pod shop/web-1 cpu=1: a -> a
			pod shop/web-3 cpu=1 of ReplicaSet shop/web: - -> a
			nodes a`,
	}, {
		name: "a workload keeps what a webhook adds to its pods",
		cluster: []admit.APIObject{node("a", "9"), &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("1")}},
			owned(on("a", withSpec(podOf("web-x", "1"), func(spec *corev1.PodSpec) {
				spec.Containers = append(spec.Containers, testkit.Container("proxy", testkit.List("cpu", "100m"), nil))
			})), "ReplicaSet", "web")},
		ask: apply(&appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}}),
		want: `
			ReplicaSet shop/web Updated 2/2/2; injected proxy
			pod shop/web-1 cpu=1+cpu=100m of ReplicaSet shop/web: - -> a
			nodes a`,
	}, {
		name: "pods that are only counted are assumed",
		cluster: []admit.APIObject{&corev1.ReplicationController{ObjectMeta: meta("web"), Spec: corev1.ReplicationControllerSpec{Replicas: pointer[int32](2),
			Template: pointer(template("1"))}, Status: corev1.ReplicationControllerStatus{Replicas: 2}}},
		ask: remove(&corev1.ReplicationController{ObjectMeta: meta("web")}),
		want: `
			ReplicationController shop/web Deleted
			pod shop/web-1 cpu=1 of ReplicationController shop/web: - -> gone; assumed
			pod shop/web-2 cpu=1 of ReplicationController shop/web: - -> gone; assumed`,
	}, {
		name: "ReplicaSets of a Deployment and of a custom resource, neither of which was read, are refused a pod",
		cluster: []admit.APIObject{node("a", "9"), resourceQuota("q", "pods", "0"), restarted("web-a", "1", 2)[0],
			owned(with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) { rs.Name = "canary" }), "Rollout", "canary")},
		ask: apply(resourceQuota("q", "pods", "1")),
		want: `
			ResourceQuota shop/q Updated
			and ReplicaSet shop/canary Unchanged 2/1/1; misses Forbidden: pods "canary-2" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
			and ReplicaSet shop/web-a Unchanged 2/0/0; misses Forbidden: pods "web-a-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
			pod shop/canary-1 cpu=1 of Rollout shop/canary: - -> a
			quota shop/q pods 1/1
			nodes a`,
	}, {
		name: "a pod goes from one ReplicaSet to another",
		cluster: []admit.APIObject{node("a", "9"), with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = pointer[int32](1) }),
			with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) {
				rs.Name, rs.Spec.Replicas = "db", pointer[int32](1)
				rs.Spec.Selector.MatchLabels["app"], rs.Spec.Template.Labels["app"] = "db", "db"
			}), with(owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })},
		ask: apply(with(podOf("web-x", "1"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "db"} })),
		want: `
			Pod shop/web-x Updated
			and ReplicaSet shop/db Unchanged 1/1/1
			and ReplicaSet shop/web Unchanged 1/1/1
			pod shop/web-x cpu=1 of ReplicaSet shop/db: a -> a
			pod shop/web-1 cpu=1 of ReplicaSet shop/web: - -> a
			nodes a`,
	}, {
		name: "a pod that has ended gets a label",
		cluster: []admit.APIObject{node("a", "9"), with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = pointer[int32](1) }),
			with(owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web"), func(p *corev1.Pod) { p.Labels, p.Status.Phase = map[string]string{"app": "web"}, corev1.PodFailed }),
			with(owned(on("a", podOf("web-y", "1")), "ReplicaSet", "web"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })},
		ask: apply(with(podOf("web-x", "1"), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web", "seen": "yes"} })),
		want: `
			Pod shop/web-x Updated
			and ReplicaSet shop/web Unchanged 1/1/1
			pod shop/web-x cpu=1 of ReplicaSet shop/web: a -> a`,
	}, {
		// Source: ClaimPods, isMemberOf and updateStatefulSet of pkg/controller/statefulset: the pod is of no revision.
		name:    "a StatefulSet adopts a pod of its ordinals, and replaces it",
		cluster: []admit.APIObject{node("a", "9"), with(on("a", podOf("db-0", "1")), func(p *corev1.Pod) { p.Labels = map[string]string{"app": "db"} })},
		ask: apply(with(statefulSet("db", 1, "2"), func(s *appsv1.StatefulSet) {
			s.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}
			s.Spec.Template.Labels = s.Spec.Selector.MatchLabels
		})),
		want: `
			StatefulSet shop/db Created 1/1/1
			pod shop/db-0 cpu=2 of StatefulSet shop/db: a -> a
			nodes a`,
	}, {
		// Source: ReplicaSetsByCreationTimestamp in reconcileOldReplicaSets of pkg/controller/deployment.
		name: "the oldest ReplicaSet of a Deployment shrinks first",
		cluster: []admit.APIObject{node("a", "9"), webOf(2, "3"), createdAt(2, restarted("web-a", "1", 1)[0]), createdAt(1, restarted("web-b", "2", 1)[0]),
			ofHash("a", "x", "1"), ofHash("b", "y", "1")},
		ask: apply(labelled(webOf(2, "3"))),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-1-1 cpu=3 of Deployment shop/web: - -> a
			pod shop/web-b-y cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-1-2 cpu=3 of Deployment shop/web: - -> a
			pod shop/web-a-x cpu=1 of Deployment shop/web: a -> gone
			nodes a`,
	}, {
		// Source: EqualIgnoreHash of pkg/controller/deployment/util.
		name:    "a Deployment is scaled whose ReplicaSets have their hash, as in a cluster",
		cluster: []admit.APIObject{node("a", "9"), restartedAt("2", 1), hashed("a", restarted("web-a", "1", 0)[0]), hashed("b", restarted("web-b", "2", 1)[0]), ofHash("b", "x", "1")},
		ask:     apply(restartedAt("2", 2)),
		want: `
			Deployment shop/web Updated 2/2/2
			pod shop/web-b-1 cpu=1 of Deployment shop/web: - -> a
			nodes a`,
	}, {
		name: "a pod of a ReplicaSet that was not read comes on another node",
		cluster: []admit.APIObject{with(node("a", "9"), func(n *corev1.Node) { n.Spec.Unschedulable = true }), node("b", "9"), webOf(2, "2"), ofHash("old", "x", "1"), ofHash("old", "y", "1"),
			with(ofHash("new", "z", "2"), notStarting)},
		ask: remove(podOf("web-old-x", "1")),
		want: `
			Pod shop/web-old-x Deleted
			and Deployment shop/web Unchanged 2/1/1, 2 old
			pod shop/web-old-x cpu=1 of Deployment shop/web: a -> gone
			pod shop/web-old-1 cpu=1 of Deployment shop/web: - -> b
			nodes a b`,
	}, {
		name: "the newest pod says what a webhook adds, whatever its name",
		cluster: []admit.APIObject{node("a", "9"), &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}},
			createdAt(2, owned(on("a", withProxy("new", podOf("web-x", "1"))), "ReplicaSet", "web")), createdAt(1, owned(on("a", withProxy("old", podOf("web-y", "1"))), "ReplicaSet", "web"))},
		ask: apply(labelled(&appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}})),
		want: `
			ReplicaSet shop/web Updated 2/2/2; injected new`,
	}, {
		name:    "a manifest of a ReplicaSet drops its node selector",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     inTurn(apply(withSpec(with(replicaSet.DeepCopy(), func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = pointer[int32](1) }), selects("b"))), apply(replicaSet)),
		want: `
			ReplicaSet shop/web Updated 2/2/1
			pod shop/web-2 cpu=1 of ReplicaSet shop/web: - -> a
			nodes a`,
	}}
}

func situationsOfOptions() []situation {
	foo := withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) {
		spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: testkit.List("example.com/foo", "1"), Limits: testkit.List("example.com/foo", "1")}
	})
	resized := on("a", podOf("p", "2"))
	resized.Status.Phase = corev1.PodRunning
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: testkit.List("cpu", "3"),
		Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3")}}}
	claim := &resourcev1.ResourceClaim{ObjectMeta: meta("c"), Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{
		{Name: "r", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2}}}}}}
	devices := resourceQuota("q", "gpu.deviceclass.resource.k8s.io/devices", "4", "requests.example.com/gpu", "4")
	gold := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "gold", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}}}
	parallel := func(cpu string) *appsv1.StatefulSet {
		return with(statefulSet("db", 3, cpu), func(s *appsv1.StatefulSet) {
			s.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{MaxUnavailable: pointer(intstr.FromInt32(2))}}
		})
	}
	waits := ": a -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu."
	return []situation{{
		name:    "a resource that no node has",
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(foo),
		want: `
			Pod shop/p Created
			pod shop/p example.com/foo=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient example.com/foo.`,
	}, {
		name:    "IgnoredResources",
		opts:    whatif.Options{IgnoredResources: []corev1.ResourceName{"example.com/foo"}},
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(foo),
		want: `
			Pod shop/p Created
			pod shop/p example.com/foo=1: - -> a
			nodes a`,
	}, {
		name:    "IgnoredGroups",
		opts:    whatif.Options{IgnoredGroups: []string{"example.com"}},
		cluster: []admit.APIObject{node("a", "9")},
		ask:     apply(foo),
		want: `
			Pod shop/p Created
			pod shop/p example.com/foo=1: - -> a
			nodes a`,
	}, {
		// Source: checkRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
		name:    "Admission.Limited",
		opts:    whatif.Options{Admission: admit.Options{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"requests.cpu"}}}}},
		cluster: []admit.APIObject{node("a", "9"), in("pay", resourceQuota("q", "requests.cpu", "1"))},
		ask:     apply(podOf("p", "1"), in("pay", podOf("p", "1"))),
		want: `
			Pod shop/p Refused; refused Forbidden: pods "p" is forbidden: insufficient quota to consume: requests.cpu
			Pod pay/p Created
			pod pay/p cpu=1: - -> a
			quota pay/q requests.cpu 1/1
			nodes a`,
	}, {
		name:    "Admission.Kubernetes",
		opts:    whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}},
		cluster: []admit.APIObject{node("a", "3")},
		ask:     inTurn(apply(parallel("1")), apply(parallel("4"))),
		want: `
			StatefulSet shop/db Updated 3/1/0, 2 old
			pod shop/db-2 cpu=4 of StatefulSet shop/db` + waits + `
			nodes a`,
	}, {
		// KEP-961, on by default since 1.37.
		name:    "Admission.Kubernetes of today",
		cluster: []admit.APIObject{node("a", "3")},
		ask:     inTurn(apply(parallel("1")), apply(parallel("4"))),
		want: `
			StatefulSet shop/db Updated 3/2/0, 1 old
			pod shop/db-2 cpu=4 of StatefulSet shop/db` + waits + `
			pod shop/db-1 cpu=4 of StatefulSet shop/db` + waits + `
			nodes a`,
	}, {
		// KEP-1287: until a resize is done, the larger amount counts.
		name:    "the status of a pod counts",
		cluster: []admit.APIObject{node("a", "9"), resized},
		ask:     apply(resourceQuota("q", "requests.cpu", "5")),
		want: `
			ResourceQuota shop/q Created
			quota shop/q requests.cpu 3/5`,
	}, {
		name:    "Admission.IgnoreStatus",
		opts:    whatif.Options{Admission: admit.Options{IgnoreStatus: true}},
		cluster: []admit.APIObject{node("a", "9"), resized},
		ask:     apply(resourceQuota("q", "requests.cpu", "5")),
		want: `
			ResourceQuota shop/q Created
			quota shop/q requests.cpu 2/5`,
	}, {
		// Source: addExtendedResourceQuota of pkg/quota/v1/evaluator/core.
		name:    "Admission.ExtendedResources",
		opts:    whatif.Options{Admission: admit.Options{ExtendedResources: map[string]corev1.ResourceName{"gpu": "example.com/gpu"}}},
		cluster: []admit.APIObject{devices},
		ask:     apply(claim),
		want: `
			ResourceClaim shop/c Created
			quota shop/q gpu.deviceclass.resource.k8s.io/devices 2/4, requests.example.com/gpu 2/4`,
	}, {
		name: "DeviceClasses have extended resources",
		cluster: []admit.APIObject{devices, &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gpu"},
			Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: pointer("example.com/gpu")}}},
		ask: apply(claim),
		want: `
			ResourceClaim shop/c Created
			quota shop/q gpu.deviceclass.resource.k8s.io/devices 2/4, requests.example.com/gpu 2/4`,
	}, {
		name: "Admission.IgnoreExtendedResources",
		opts: whatif.Options{Admission: admit.Options{IgnoreExtendedResources: true,
			ExtendedResources: map[string]corev1.ResourceName{"gpu": "example.com/gpu"}}},
		cluster: []admit.APIObject{devices},
		ask:     apply(claim),
		want: `
			ResourceClaim shop/c Created
			quota shop/q gpu.deviceclass.resource.k8s.io/devices 2/4, requests.example.com/gpu 0/4`,
	}, {
		name:    "Admission.PriorityClasses",
		opts:    whatif.Options{Admission: admit.Options{PriorityClasses: []*schedulingv1.PriorityClass{priorityClass("high", 10)}}},
		cluster: []admit.APIObject{node("a", "1"), on("a", podOf("p", "1"))},
		ask:     apply(withSpec(podOf("urgent", "1"), hasClass("high")), withSpec(podOf("r", "1"), hasClass("low"))),
		want: `
			Pod shop/urgent Created
			Pod shop/r Refused; refused Forbidden: pods "r" is forbidden: no PriorityClass with name low was found
			pod shop/urgent cpu=1: - -> a
			pod shop/p cpu=1: a -> preempted
			nodes a`,
	}, {
		name: "Admission.RuntimeClasses",
		opts: whatif.Options{Admission: admit.Options{RuntimeClasses: []*nodev1.RuntimeClass{{ObjectMeta: metav1.ObjectMeta{Name: "heavy"},
			Overhead: &nodev1.Overhead{PodFixed: corev1.ResourceList{"memory": resource.MustParse("1Gi")}}}}}},
		cluster: []admit.APIObject{node("a", "1")},
		ask:     apply(withSpec(podOf("p", "1"), func(spec *corev1.PodSpec) { spec.RuntimeClassName = pointer("heavy") })),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1 memory=1Gi: - -> a
			nodes a`,
	}, {
		name:    "Admission.StorageClasses",
		opts:    whatif.Options{Admission: admit.Options{StorageClasses: []*storagev1.StorageClass{gold}}},
		cluster: []admit.APIObject{resourceQuota("q", "gold.storageclass.storage.k8s.io/persistentvolumeclaims", "1")},
		ask: apply(&corev1.PersistentVolumeClaim{ObjectMeta: meta("c"), Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1Gi")}}}),
		want: `
			PersistentVolumeClaim shop/c Created
			quota shop/q gold.storageclass.storage.k8s.io/persistentvolumeclaims 1/1`,
	}, {
		name:    "Admission.Incomplete",
		opts:    whatif.Options{Admission: admit.Options{Incomplete: []string{"PriorityClass"}}},
		cluster: []admit.APIObject{node("a", "1"), priorityClass("high", 10)},
		ask:     apply(withSpec(podOf("p", "1"), hasClass("other"))),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown PriorityClass "other"
			nodes a`,
	}, {
		name:    "no PriorityClass is known",
		cluster: []admit.APIObject{node("a", "1")},
		ask:     apply(withSpec(podOf("p", "1"), hasClass("other"))),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown PriorityClass "other"
			nodes a`,
	}}
}
