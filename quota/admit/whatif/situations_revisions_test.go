package whatif_test

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// situationsOfRevisions are clusters in the middle of an update, as they are read.
func situationsOfRevisions() []situation {
	hash := func(p *corev1.Pod, hash string) *corev1.Pod {
		p.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: hash}
		return p
	}
	ofSet := func(name, hashed, cpu string) *corev1.Pod {
		p := hash(owned(on("a", podOf(name, cpu)), "StatefulSet", "db"), hashed)
		p.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, TolerationSeconds: pointer[int64](300)}} // of the API server
		return p
	}
	daemon := func(name, node, hashed, cpu string) *corev1.Pod {
		return hash(owned(on(node, podOf(name, cpu)), "DaemonSet", "agent"), hashed)
	}
	revision := func(kind, owner, name, hash, cpu string) *appsv1.ControllerRevision {
		return owned(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{appsv1.ControllerRevisionHashLabelKey: hash}},
			Data: runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"$patch":"replace","spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"` + cpu + `"}}}]}}}}`)}}, kind, owner)
	}
	revisions := []admit.APIObject{revision("StatefulSet", "db", "db-old", "old", "500m"), revision("StatefulSet", "db", "db-new", "new", "900m"),
		revision("DaemonSet", "agent", "agent-old", "old", "500m"), revision("DaemonSet", "agent", "agent-new", "new", "900m"),
		revision("DaemonSet", "other", "agent-other", "other", "1"), revision("StatefulSet", "db", "db-none", "none", "")}
	canary := func(replicas, partition int32, cpu string, change func(s *appsv1.StatefulSet)) *appsv1.StatefulSet {
		return with(statefulSet("db", replicas, cpu), func(s *appsv1.StatefulSet) {
			s.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition}}
			s.Status.CurrentRevision, s.Status.UpdateRevision = "db-old", "db-new"
			change(s)
		})
	}
	as := func(*appsv1.StatefulSet) {}
	half := []admit.APIObject{node("a", "9"), resourceQuota("q", "requests.cpu", "4"), canary(4, 2, "900m", as),
		ofSet("db-0", "db-old", "500m"), ofSet("db-1", "db-old", "500m"), ofSet("db-2", "db-new", "900m"), ofSet("db-3", "db-new", "900m")}
	parallel := func(s *appsv1.StatefulSet) { s.Spec.PodManagementPolicy = appsv1.ParallelPodManagement }
	agents := func(cpu string, strategy appsv1.DaemonSetUpdateStrategyType) *appsv1.DaemonSet {
		return with(daemonSet("agent", cpu), func(d *appsv1.DaemonSet) { d.Spec.UpdateStrategy.Type = strategy })
	}
	leaving := func(p *corev1.Pod) *corev1.Pod {
		p.DeletionTimestamp = &metav1.Time{}
		return p
	}
	ended := func(p *corev1.Pod) *corev1.Pod {
		p.Status.Phase = corev1.PodFailed
		return p
	}
	selecting := func(labels *metav1.LabelSelector) func(s *appsv1.StatefulSet) {
		return func(s *appsv1.StatefulSet) {
			s.Spec.Selector, s.Spec.UpdateStrategy = labels, appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
		}
	}
	app := func(p *corev1.Pod, name string) *corev1.Pod {
		p.Labels = map[string]string{"app": name}
		return p
	}
	inApp := func(name string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
	}
	full := cluster(node("a", "9"), resourceQuota("q", "pods", "4"), with(canary(5, 0, "900m", parallel), func(s *appsv1.StatefulSet) { s.Status.CurrentRevision = "db-new" }),
		ofSet("db-0", "db-new", "900m"), ofSet("db-2", "db-new", "900m"), ofSet("db-3", "db-new", "900m"), ofSet("db-4", "db-new", "900m"))
	waiting := daemon("agent-x", "", "new", "99")
	waiting.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}}}}}
	pods := func(revision, size string) string {
		return `
			pod shop/` + revision + ` cpu=` + size + ` of StatefulSet shop/db: a -> a`
	}
	return []situation{{
		// Source: updateStatefulSet of pkg/controller/statefulset, for this and the next ones.
		name:    "a canary ends",
		cluster: half,
		ask:     apply(canary(4, 0, "900m", as)),
		want: `
			StatefulSet shop/db Updated 4/4/4` + pods("db-1", "900m") + pods("db-0", "900m") + `
			quota shop/q requests.cpu 3600m/4
			nodes a`,
	}, {
		// Source: newVersionedStatefulSetPod of pkg/controller/statefulset: those below the partition are of the current revision.
		name:    "the former template of a StatefulSet is not known",
		cluster: []admit.APIObject{node("a", "9"), canary(0, 1, "900m", as)},
		ask:     apply(canary(2, 1, "900m", as)),
		want: `
			StatefulSet shop/db Updated 2/2/2
			pod shop/db-0 cpu=900m of StatefulSet shop/db: - -> a; unknown StatefulSet status.currentRevision
			pod shop/db-1 cpu=900m of StatefulSet shop/db: - -> a
			nodes a`,
	}, {
		name:    "a pod below the partition comes back, as the others are",
		cluster: half,
		ask:     remove(podOf("db-0", "1")),
		want: `
			Pod shop/db-0 Deleted
			and StatefulSet shop/db Unchanged 4/2/2, 2 old, 2 kept` + pods("db-0", "500m") + `
			nodes a`,
	}, {
		name:    "pods below the partition come back, as their revision says",
		cluster: cluster(half[:3], revisions, ofSet("db-1", "db-none", "700m"), ofSet("db-2", "db-new", "900m"), ofSet("db-3", "db-new", "900m")),
		ask:     inTurn(remove(podOf("db-1", "1")), apply(canary(4, 1, "900m", as))),
		want: `
			StatefulSet shop/db Updated 4/3/3, 1 old, 1 kept` + pods("db-1", "900m") + `
			quota shop/q requests.cpu 3200m/4
			nodes a`,
	}, {
		name:    "a canary goes back",
		cluster: cluster(half, revisions),
		ask:     apply(canary(4, 0, "500m", as)),
		want: `
			StatefulSet shop/db Updated 4/4/4` + pods("db-3", "500m") + pods("db-2", "500m") + `
			quota shop/q requests.cpu 2/4
			nodes a`,
	}, {
		name: "an update that is complete is what the next one starts from",
		cluster: []admit.APIObject{node("a", "9"), canary(2, 0, "900m", as), ofSet("db-0", "db-old", "500m"),
			ofSet("db-1", "db-new", "900m")},
		ask: inTurn(apply(canary(2, 0, "900m", func(s *appsv1.StatefulSet) { s.Labels = map[string]string{"a": "b"} })),
			apply(canary(2, 1, "1", as)), remove(podOf("db-0", "1"))),
		want: `
			Pod shop/db-0 Deleted
			and StatefulSet shop/db Unchanged 2/1/1, 1 old, 1 kept` + pods("db-0", "900m") + `
			nodes a`,
	}, {
		name: "a StatefulSet that is stuck shrinks, and goes on",
		cluster: []admit.APIObject{node("a", "9"), canary(3, 0, "99", as), ofSet("db-0", "db-old", "500m"), ofSet("db-1", "db-old", "500m"),
			on("", ofSet("db-2", "db-new", "99"))},
		ask: apply(canary(2, 0, "99", as)),
		want: `
			StatefulSet shop/db Updated 2/1/0, 1 old
			pod shop/db-2 cpu=99 of StatefulSet shop/db: - -> gone
			pod shop/db-1 cpu=99 of StatefulSet shop/db: a -> waits, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
			nodes a`,
	}, {
		// Source: processReplica of pkg/controller/statefulset.
		name: "a replica that has ended, and one that is being deleted",
		cluster: []admit.APIObject{node("a", "9"), canary(2, 0, "900m", as), ended(ofSet("db-0", "db-new", "900m")),
			leaving(ofSet("db-1", "db-old", "500m"))},
		ask: apply(canary(2, 1, "900m", as)),
		want: `
			StatefulSet shop/db Updated 2/1/1, 1 old, 1 kept` + pods("db-1", "900m") + pods("db-0", "500m") + `
			nodes a`,
	}, {
		// Source: runForAll of pkg/controller/statefulset.
		name:    "a StatefulSet that is refused a pod keeps those beyond its replicas",
		cluster: full,
		ask:     apply(canary(3, 0, "900m", parallel)),
		want: `
			StatefulSet shop/db Updated 3/4/4; misses Forbidden: pods "db-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4`,
	}, {
		// Source: processCondemnedPods of pkg/controller/statefulset.
		name:    "since 1.38, it makes room first",
		opts:    ofRelease("1.38"),
		cluster: full,
		ask:     apply(canary(3, 0, "900m", parallel)),
		want: `
			StatefulSet shop/db Updated 3/3/3
			pod shop/db-4 cpu=900m of StatefulSet shop/db: a -> gone
			pod shop/db-3 cpu=900m of StatefulSet shop/db: a -> gone
			pod shop/db-1 cpu=900m of StatefulSet shop/db: - -> a
			quota shop/q pods 3/4
			nodes a`,
	}, {
		// Source: updateDaemonSet and IsPodUpdated of pkg/controller/daemon.
		name: "a DaemonSet that was stuck in a quota goes on",
		cluster: cluster(node("a", "9"), node("b", "9"), resourceQuota("q", "requests.cpu", "1"), agents("900m", ""), revisions,
			daemon("agent-x", "a", "old", "500m")),
		ask: apply(resourceQuota("q", "requests.cpu", "2")),
		want: `
			ResourceQuota shop/q Updated
			and DaemonSet shop/agent Unchanged 2/2/2
			pod shop/agent-1 cpu=900m of DaemonSet shop/agent: - -> b
			pod shop/agent-x cpu=500m of DaemonSet shop/agent: a -> gone
			pod shop/agent-2 cpu=900m of DaemonSet shop/agent: - -> a
			quota shop/q requests.cpu 1800m/2
			nodes a b`,
	}, {
		name: "the revision of a DaemonSet says that a pod is updated, or that of another says nothing",
		cluster: cluster(node("a", "9"), node("b", "9"), agents("900m", appsv1.OnDeleteDaemonSetStrategyType), revisions,
			daemon("agent-x", "a", "new", "900m"), daemon("agent-y", "b", "other", "900m")),
		ask:  apply(agents("900m", appsv1.RollingUpdateDaemonSetStrategyType)),
		want: `DaemonSet shop/agent Updated 2/2/2`,
	}, {
		name: "a DaemonSet goes back to the revision of a pod",
		cluster: cluster(node("a", "9"), with(agents("900m", ""), func(d *appsv1.DaemonSet) {
			d.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "2"}
		}), revisions, with(daemon("agent-x", "a", "old", "500m"), func(p *corev1.Pod) {
			p.Labels["pod-template-generation"] = "1"
			p.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeDiskPressure, Operator: corev1.TolerationOpExists}} // as its controller has added
		})),
		ask:  apply(agents("500m", "")),
		want: `DaemonSet shop/agent Updated 1/1/1`,
	}, {
		name: "a DaemonSet is updated of whose revisions only the generation is known",
		cluster: cluster(node("a", "9"), with(agents("900m", appsv1.OnDeleteDaemonSetStrategyType), func(d *appsv1.DaemonSet) {
			d.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "2"}
		}), with(daemon("agent-x", "a", "old", "500m"), func(p *corev1.Pod) { p.Labels["pod-template-generation"] = "1" })),
		ask: apply(agents("900m", appsv1.RollingUpdateDaemonSetStrategyType)),
		want: `
			DaemonSet shop/agent Updated 1/1/1
			pod shop/agent-x cpu=500m of DaemonSet shop/agent: a -> gone
			pod shop/agent-1 cpu=900m of DaemonSet shop/agent: - -> a
			nodes a`,
	}, {
		// Source: podByCreationTimestampAndPhase of pkg/controller/daemon.
		name:    "of two daemons, the one that has its node stays",
		cluster: []admit.APIObject{node("a", "9"), agents("900m", ""), waiting, daemon("agent-y", "a", "new", "900m")},
		ask:     apply(agents("900m", appsv1.OnDeleteDaemonSetStrategyType)),
		want: `
			DaemonSet shop/agent Updated 1/1/1
			pod shop/agent-x cpu=99 of DaemonSet shop/agent: - -> gone`,
	}, {
		// Source: podsShouldBeOnNode of pkg/controller/daemon.
		name:    "a daemon that has ended is replaced",
		cluster: []admit.APIObject{node("a", "9"), agents("900m", ""), ended(daemon("agent-x", "a", "new", "900m"))},
		ask:     apply(agents("900m", appsv1.OnDeleteDaemonSetStrategyType)),
		want: `
			DaemonSet shop/agent Updated 1/1/1
			pod shop/agent-x cpu=900m of DaemonSet shop/agent: a -> gone
			pod shop/agent-1 cpu=900m of DaemonSet shop/agent: - -> a
			nodes a`,
	}, {
		// Source: ClaimPods of pkg/controller.
		name:    "a DaemonSet adopts a pod, and updates it",
		cluster: []admit.APIObject{node("a", "9"), app(on("a", podOf("bare", "900m")), "agent"), app(on("a", podOf("other", "1")), "web")},
		ask: apply(with(agents("900m", ""), func(d *appsv1.DaemonSet) {
			d.Spec.Selector, d.Spec.Template.Labels = inApp("agent"), map[string]string{"app": "agent"}
		})),
		want: `
			DaemonSet shop/agent Created 1/1/1
			pod shop/bare cpu=900m: a -> gone
			pod shop/agent-1 cpu=900m of DaemonSet shop/agent: - -> a
			nodes a`,
	}, {
		// Source: ClaimPods of pkg/controller: no pod is adopted by what is being deleted.
		name: "a DaemonSet that is being deleted adopts no pod",
		cluster: []admit.APIObject{node("a", "9"), app(on("a", podOf("bare", "900m")), "agent"), with(agents("900m", ""), func(d *appsv1.DaemonSet) {
			d.DeletionTimestamp = &metav1.Time{}
			d.Spec.Selector, d.Spec.Template.Labels = inApp("agent"), map[string]string{"app": "agent"}
		})},
		ask: remove(podOf("bare", "900m")),
		want: `
			Pod shop/bare Deleted
			pod shop/bare cpu=900m: a -> gone
			nodes a`,
	}, {
		// Source: isMemberOf of pkg/controller/statefulset.
		name: "a StatefulSet adopts a pod of its ordinals when it is read",
		cluster: []admit.APIObject{node("a", "9"), canary(1, 0, "900m", selecting(inApp("db"))), app(on("a", podOf("db-0", "1")), "db"),
			app(on("a", podOf("db-x", "1")), "db")},
		ask: remove(canary(1, 0, "900m", as)),
		want: `
			StatefulSet shop/db Deleted
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> gone
			nodes a`,
	}}
}

// situationsOfClaims are StatefulSets whose claims go with their pods, or with them.
func situationsOfClaims() []situation {
	const keeps, deletes = appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	set := func(replicas int32, whenScaled, whenDeleted appsv1.PersistentVolumeClaimRetentionPolicyType) *appsv1.StatefulSet {
		return with(statefulSet("db", replicas, "1", "data"), func(s *appsv1.StatefulSet) {
			s.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenScaled: whenScaled, WhenDeleted: whenDeleted}
		})
	}
	storage := []admit.APIObject{resourceQuota("q", "requests.storage", "5Gi")}
	large := &corev1.PersistentVolumeClaim{ObjectMeta: meta("data-db-0")}
	large.Spec.Resources.Requests = testkit.List("storage", "3Gi")
	both := []admit.APIObject{storage[0], &corev1.ConfigMap{ObjectMeta: meta("c")}, with(claim("data-db-1", ""), func(c *corev1.PersistentVolumeClaim) {
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c", Controller: pointer(false), BlockOwnerDeletion: pointer(true)}}
	})}
	last := `
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> gone`
	scale := func(first, then *appsv1.StatefulSet) func(c *whatif.Cluster) (whatif.Result, *whatif.Cluster) {
		return inTurn(apply(first), apply(then))
	}
	return []situation{{
		name: "claims are kept", cluster: storage,
		ask:  scale(set(2, keeps, deletes), set(1, keeps, deletes)),
		want: `StatefulSet shop/db Updated 1/1/0` + last,
	}, {
		// Source: updateClaimOwnerRefForSetAndPod of pkg/controller/statefulset, for this and the next ones.
		name: "the claim of a pod beyond the replicas is deleted", cluster: storage,
		ask: scale(set(2, keeps, keeps), set(1, deletes, keeps)),
		want: `StatefulSet shop/db Updated 1/1/0` + last + `
			quota shop/q requests.storage 1Gi/5Gi`,
	}, {
		name: "the claim that the set owns is deleted with its pod", cluster: storage,
		ask: scale(set(2, deletes, deletes), set(1, deletes, deletes)),
		want: `StatefulSet shop/db Updated 1/1/0` + last + `
			quota shop/q requests.storage 1Gi/5Gi`,
	}, {
		name: "the claim of a pod that is replaced is kept", cluster: storage,
		ask: inTurn(apply(set(1, deletes, deletes)), remove(podOf("db-0", "1"))),
		want: `
			Pod shop/db-0 Deleted
			and StatefulSet shop/db Unchanged 1/1/0
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> -`,
	}, {
		name: "the claim of a pod that is updated is kept", cluster: []admit.APIObject{storage[0], large},
		ask: scale(set(1, deletes, deletes), with(set(1, deletes, deletes), func(s *appsv1.StatefulSet) { s.Spec.Template = template("2") })),
		want: `
			StatefulSet shop/db Updated 1/1/0
			pod shop/db-0 cpu=2 of StatefulSet shop/db: - -> -`,
	}, {
		name: "claims are deleted with their set, as it said last", cluster: storage,
		ask: inTurn(apply(set(2, keeps, keeps)), apply(set(2, keeps, deletes)), remove(set(2, keeps, keeps))),
		want: `
			StatefulSet shop/db Deleted
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> gone` + last + `
			quota shop/q requests.storage 0/5Gi`,
	}, {
		name: "claims are no longer deleted with their set", cluster: storage,
		ask: inTurn(apply(set(1, keeps, deletes)), apply(set(1, keeps, keeps)), remove(set(1, keeps, keeps))),
		want: `
			StatefulSet shop/db Deleted
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> gone`,
	}, {
		name:    "claims that belong to something else are left to it",
		cluster: []admit.APIObject{storage[0], &appsv1.ReplicaSet{ObjectMeta: meta("x"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](0)}}, owned(&corev1.PersistentVolumeClaim{ObjectMeta: meta("data-db-1"), Spec: statefulSet("", 0, "1", "data").Spec.VolumeClaimTemplates[0].Spec}, "ReplicaSet", "x")},
		ask:     inTurn(apply(set(2, deletes, deletes)), apply(set(1, deletes, deletes)), remove(set(1, deletes, deletes))),
		want: `
			StatefulSet shop/db Deleted
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> gone
			quota shop/q requests.storage 1Gi/5Gi`,
	}, {
		name: "a claim that has another owner is kept with its set", cluster: both,
		ask: inTurn(apply(set(2, deletes, deletes)), remove(set(1, deletes, deletes))),
		want: `
			StatefulSet shop/db Deleted
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> gone` + last + `
			quota shop/q requests.storage 1Gi/5Gi`,
	}, {
		name: "a claim that has another owner is kept beyond the replicas", cluster: both,
		ask: scale(set(2, deletes, deletes), set(0, deletes, deletes)),
		want: `
			StatefulSet shop/db Updated` + last + `
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> gone
			quota shop/q requests.storage 1Gi/5Gi`,
	}, {
		// Source: processReplica of pkg/controller/statefulset, which creates the missing claims of pending pods.
		name: "a pod that waits gets its claim again", cluster: []admit.APIObject{storage[0], node("a", "0")},
		ask: inTurn(apply(set(1, keeps, keeps)), remove(&corev1.PersistentVolumeClaim{ObjectMeta: meta("data-db-0")})),
		want: `
			PersistentVolumeClaim shop/data-db-0 Deleted`,
	}}
}
