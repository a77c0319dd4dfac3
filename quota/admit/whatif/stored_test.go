package whatif_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// drawOther draws an object that is no workload, quota or node.
func drawOther(t *rapid.T) admit.APIObject {
	all := []admit.APIObject{
		namespace("shop"), namespace("pay"), priorityClass("high", 9), kata(), localVolume("v", "local", "1Gi", "a"), service("web", corev1.ServiceTypeNodePort),
		&policyv1.PodDisruptionBudget{ObjectMeta: meta("b"), Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}},
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "gold"}}, cronJob("c", 1, "1"),
	}
	return rapid.SampledFrom(all).Draw(t, "another object")
}

// drawMany draws a cluster with objects of all kinds: those that manifests create, and those that are stored with amounts
// of the whole range.
func drawMany(t *rapid.T) (c *whatif.Cluster, changes []admit.APIObject) {
	var first []admit.APIObject
	for _, name := range rapid.Permutation([]string{"a", "b"}).Draw(t, "stored kinds") {
		obj := testkit.Stored(t, rapid.SampledFrom(testkit.Kinds()).Draw(t, "kind of object"), testkit.Ordinary())
		obj.SetName("stored-" + name)
		first = append(first, obj)
	}
	c = did(read(t, whatif.Options{RunCronJobs: true}, first...).Apply(drawObjects(t, 6)...)).After
	changes = drawChanges(t)
	for range rapid.IntRange(0, 2).Draw(t, "others") {
		changes = append(changes, drawOther(t))
	}
	return c, changes
}

// What is there can be applied: nothing changes. The same holds for what was applied last.
func TestApplyWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, changes := drawMany(t)
		r := did(c.Apply(changes...))
		last := map[string]admit.APIObject{}
		for i, o := range r.Objects {
			if o.Action == whatif.Created || o.Action == whatif.Updated {
				last[fmt.Sprint(o.Source)] = changes[i]
			}
		}
		there := whatif.NodeObjectsOf(r.After)
		for _, name := range whatif.NamespacesOf(r.After) {
			there = append(there, whatif.ObjectsOf(r.After, name)...)
		}
		for _, obj := range last {
			_, isPod := obj.(*corev1.Pod)
			if _, err := r.After.Pod(inShop(obj.GetName())); !isPod || err == nil { // it may be evicted since
				there = append(there, obj)
			}
		}
		again := did(r.After.Apply(there...))
		for i, o := range again.Objects {
			testkit.Equal(t, o.Action, whatif.Unchanged, o.Source, o.Reason.Message, testkit.Fingerprint(there[i]))
		}
		testkit.Equal(t, len(again.Pods)+len(again.Others)+len(again.Quotas)+len(again.Nodes), 0)
		testkit.NoDiff(t, whole(again.After), whole(r.After))
	})
}

// What kubectl notes was applied before is removed where a manifest omits it, and what others have added stays.
func TestNotedByKubectl(t *testing.T) {
	live := deployment("web", 3, "1")
	live.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"replicas": 3, "template": {"spec": {"containers": [{"name": "app"}, {"name": "old"}], "nodeSelector": {"disk": "ssd"}}}}}`}
	spec := &live.Spec.Template.Spec
	spec.NodeSelector = map[string]string{"disk": "ssd", "zone": "a"}
	spec.Containers = append(spec.Containers, testkit.Container("old", nil, nil), testkit.Container("proxy", nil, nil))
	manifest := deployment("web", 3, "1")
	manifest.Spec.Replicas, manifest.Spec.Template.Spec.NodeSelector = nil, map[string]string{"cpu": "fast"}
	c := read(t, whatif.Options{}, live)
	r := did(c.Apply(manifest))
	stored := r.Objects[0].Decision.Object.(*appsv1.Deployment)
	testkit.Equal(t, stored.Spec.Replicas == nil, true)
	testkit.Equal(t, fmt.Sprint(stored.Spec.Template.Spec.NodeSelector), "map[cpu:fast zone:a]")
	var names []string
	for _, c := range stored.Spec.Template.Spec.Containers {
		names = append(names, c.Name)
	}
	testkit.Equal(t, fmt.Sprint(names), "[app proxy]")
	next := manifest.DeepCopy()
	next.Spec.Template.Spec.NodeSelector = map[string]string{"cpu": "slow"}
	r = did(r.After.Apply(next))
	next.Spec.Template.Spec.NodeSelector = map[string]string{"gpu": "a"}
	r = did(r.After.Apply(next))
	stored = r.Objects[0].Decision.Object.(*appsv1.Deployment)
	testkit.Equal(t, fmt.Sprint(stored.Spec.Template.Spec.NodeSelector), "map[gpu:a zone:a]", "what was applied in between is noted, too")
	testkit.Equal(t, did(c.Apply(live)).Objects[0].Action, whatif.Unchanged)
}

// What an autoscaler or kubectl scale has set stays if a manifest omits it, and the template changes.
func TestReplicasThatAManifestOmits(t *testing.T) {
	for _, live := range []admit.APIObject{deployment("web", 3, "1"), statefulSet("web", 3, "1"),
		&appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](3), Template: template("1")}},
		&corev1.ReplicationController{ObjectMeta: meta("web"), Spec: corev1.ReplicationControllerSpec{Replicas: pointer[int32](3), Template: pointer(template("1"))}}} {
		manifest := live.DeepCopyObject().(admit.APIObject)
		changed := template("2")
		switch o := manifest.(type) {
		case *appsv1.Deployment:
			o.Spec.Replicas, o.Spec.Template = nil, changed
		case *appsv1.StatefulSet:
			o.Spec.Replicas, o.Spec.Template = nil, changed
		case *appsv1.ReplicaSet:
			o.Spec.Replicas, o.Spec.Template = nil, changed
		case *corev1.ReplicationController:
			o.Spec.Replicas, o.Spec.Template = nil, &changed
		}
		got := did(read(t, whatif.Options{}, live).Apply(manifest)).Objects[0]
		testkit.Equal(t, fmt.Sprint(got.Action, " ", got.Wanted), "Updated 3", got.Kind)
	}
}

// A template whose manifest leaves out what decides on amounts and nodes is another one, as the server sets no defaults for
// that: it is removed, and new pods do not have it.
func TestTemplatesLeaveOut(t *testing.T) {
	for name, set := range map[string]func(spec *corev1.PodSpec){
		"init containers":   func(s *corev1.PodSpec) { s.InitContainers = []corev1.Container{{Name: "init"}} },
		"another container": func(s *corev1.PodSpec) { s.Containers = append(s.Containers, corev1.Container{Name: "more"}) },
		"amounts":           func(s *corev1.PodSpec) { s.Containers[0].Resources.Limits = testkit.List("cpu", "2") },
		"pod level":         func(s *corev1.PodSpec) { s.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "2")} },
		"node selector":     func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"name": "a"} },
		"tolerations":       func(s *corev1.PodSpec) { s.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}} },
		"affinity":          func(s *corev1.PodSpec) { s.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{}} },
		"priority class":    func(s *corev1.PodSpec) { s.PriorityClassName = "high" },
		"priority":          func(s *corev1.PodSpec) { s.Priority = pointer[int32](5) },
		"preemption":        func(s *corev1.PodSpec) { s.PreemptionPolicy = pointer(corev1.PreemptNever) },
		"RuntimeClass":      func(s *corev1.PodSpec) { s.RuntimeClassName = pointer("kata") },
		"overhead":          func(s *corev1.PodSpec) { s.Overhead = testkit.List("cpu", "1") },
		"node":              func(s *corev1.PodSpec) { s.NodeName = "a" },
		"deadline":          func(s *corev1.PodSpec) { s.ActiveDeadlineSeconds = pointer[int64](9) },
		"spread constraints": func(s *corev1.PodSpec) {
			s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}}
		},
		"volumes": func(s *corev1.PodSpec) { s.Volumes = []corev1.Volume{{Name: "tmp"}} },
		"a port of the host": func(s *corev1.PodSpec) {
			s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80, HostIP: "127.0.0.1"}}
		},
		"a port of the network of the host": func(s *corev1.PodSpec) {
			s.HostNetwork, s.Containers[0].Ports = true, []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80, Protocol: corev1.ProtocolUDP}}
		},
		"users of the host": func(s *corev1.PodSpec) { s.HostUsers = pointer(false) },
		"host network":      func(s *corev1.PodSpec) { s.HostNetwork = true },
		"claims":            func(s *corev1.PodSpec) { s.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} },
		"gates":             func(s *corev1.PodSpec) { s.SchedulingGates = []corev1.PodSchedulingGate{{Name: "later"}} },
		"restarts":          func(s *corev1.PodSpec) { s.Containers[0].RestartPolicy = pointer(corev1.ContainerRestartPolicyNever) },
		"scheduler":         func(s *corev1.PodSpec) { s.SchedulerName = "own" },
	} {
		t.Run(name, func(t *testing.T) {
			bare := deployment("web", 1, "1").Spec.Template.Spec
			c := did(read(t, whatif.Options{}).Apply(withSpec(deployment("web", 1, "1"), set))).After
			r := did(c.Apply(deployment("web", 1, "1")))
			if r.Objects[0].Action != whatif.Updated {
				t.Fatal(story(r))
			}
			testkit.NoDiff(t, r.Objects[0].Decision.Object.(*appsv1.Deployment).Spec.Template.Spec, bare)
			if len(r.Pods) != 2 || r.Pods[0].Object.Name != "web-2-1" || !r.Pods[1].Gone {
				t.Errorf("the pod is not replaced: %s", story(r))
			}
		})
	}
}

// What decides neither on amounts nor on nodes stays if a manifest leaves it out: others may have set it.
func TestTemplatesKeep(t *testing.T) {
	for name, set := range map[string]func(spec *corev1.PodSpec){
		"a variable":       func(s *corev1.PodSpec) { s.Containers[0].Env = []corev1.EnvVar{{Name: "TZ", Value: "UTC"}} },
		"a port":           func(s *corev1.PodSpec) { s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}} },
		"an account":       func(s *corev1.PodSpec) { s.ServiceAccountName = "web" },
		"a restart policy": func(s *corev1.PodSpec) { s.RestartPolicy = corev1.RestartPolicyAlways },
	} {
		r := did(read(t, whatif.Options{}, withSpec(deployment("web", 1, "1"), set)).Apply(deployment("web", 1, "1")))
		testkit.Equal(t, r.Objects[0].Action, whatif.Unchanged, name)
	}
}

// How pods are replaced is what a manifest says, which may leave it to the API server.
func TestStrategyThatAManifestOmits(t *testing.T) {
	set, stateful := daemonSet("agent", "1"), statefulSet("db", 1, "1")
	set.Spec.UpdateStrategy.Type, stateful.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType
	c := did(read(t, whatif.Options{}, node("a", "9")).Apply(set, stateful)).After
	wantStory(t, did(c.Apply(daemonSet("agent", "2"), statefulSet("db", 1, "2"))), `
		DaemonSet agent Updated 1/1/1
		StatefulSet db Updated 1/1/1
		  agent-1 a>
		  agent-2 >a
		  db-0 a>a
		`)
}

// A manifest without what the API server has set, or without the name of a port, is the same as what is stored.
func TestUnchangedByDefaults(t *testing.T) {
	set := statefulSet("web", 1, "1")
	set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer[int32](0), MaxUnavailable: pointer(intstr.FromInt32(1))}}
	port := func(name string) admit.APIObject {
		return withSpec(deployment("web", 1, "1"), func(s *corev1.PodSpec) {
			s.Containers[0].Ports = []corev1.ContainerPort{{Name: name, ContainerPort: 80, HostPort: 80}}
		})
	}
	for _, test := range [][2]admit.APIObject{{set, statefulSet("web", 1, "1")}, {port("http"), port("")}} {
		r := did(read(t, whatif.Options{}, test[0]).Apply(test[1]))
		testkit.Equal(t, r.Objects[0].Action, whatif.Unchanged, testkit.Fingerprint(test[0]))
	}
}

// What the API server sets by default is no change of a template, although a manifest leaves it out.
func TestTemplatesOfDefaults(t *testing.T) {
	for name, set := range map[string][2]func(spec *corev1.PodSpec){
		"a scheduler": {func(*corev1.PodSpec) {}, func(s *corev1.PodSpec) { s.SchedulerName = corev1.DefaultSchedulerName }},
		"an account, of which kubectl leaves the alias": {func(*corev1.PodSpec) {}, func(s *corev1.PodSpec) {
			s.ServiceAccountName, s.DeprecatedServiceAccount = "web", "web"
		}},
		"a port of the host": {
			func(s *corev1.PodSpec) {
				s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
			},
			func(s *corev1.PodSpec) { s.Containers[0].Ports[0].Protocol = corev1.ProtocolTCP },
		},
		"a port of the network of the host": {
			func(s *corev1.PodSpec) {
				s.HostNetwork, s.Containers[0].Ports = true, []corev1.ContainerPort{{ContainerPort: 80}}
			},
			func(s *corev1.PodSpec) {
				s.Containers[0].Ports[0].Protocol, s.Containers[0].Ports[0].HostPort = corev1.ProtocolTCP, 80
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := withSpec(deployment("web", 1, "1"), set[0])
			stored := withSpec(manifest.DeepCopy(), set[1])
			testkit.Equal(t, did(read(t, whatif.Options{}, stored).Apply(manifest)).Objects[0].Action, whatif.Unchanged)
			// Nor is it one if the manifest before had set it.
			note, err := json.Marshal(stored)
			testkit.OK(t, err)
			stored.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: string(note)}
			r := did(did(read(t, whatif.Options{}).Apply(stored)).After.Apply(manifest))
			want := whatif.Unchanged
			if stored.Spec.Template.Spec.HostNetwork {
				want = whatif.Updated // the number of the port is not kept, and the same in the end
			}
			testkit.Equal(t, r.Objects[0].Action, want)
			testkit.Equal(t, len(r.Pods), 0, "changed pods")
		})
	}
}

// What a manifest leaves out that kubectl has noted makes another template, whatever it decides on, since the server sets
// no defaults for it.
func TestTemplatesLoseWhatIsNoted(t *testing.T) {
	for name, set := range map[string]func(template *corev1.PodTemplateSpec){
		"a label":       func(p *corev1.PodTemplateSpec) { p.Labels = map[string]string{"app": "web", "tier": "front"} },
		"an annotation": func(p *corev1.PodTemplateSpec) { p.Annotations = map[string]string{"scrape": "true"} },
		"variables": func(p *corev1.PodTemplateSpec) {
			p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TZ", Value: "UTC"}}
		},
		"arguments":      func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].Args = []string{"-v"} },
		"a probe":        func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].LivenessProbe = &corev1.Probe{PeriodSeconds: 5} },
		"a grace period": func(p *corev1.PodTemplateSpec) { p.Spec.TerminationGracePeriodSeconds = pointer[int64](31) },
	} {
		for _, manifest := range []admit.APIObject{deployment("web", 1, "1"), statefulSet("web", 1, "1"), daemonSet("web", "1")} {
			t.Run(name+" of a "+reflect.TypeOf(manifest).Elem().Name(), func(t *testing.T) {
				template := func(obj admit.APIObject) *corev1.PodTemplateSpec { return workload.Of(obj).Template }
				stored := manifest.DeepCopyObject().(admit.APIObject)
				template(manifest).Labels = map[string]string{"app": "web"}
				template(stored).Labels = map[string]string{"app": "web"}
				set(template(stored))
				note, err := json.Marshal(stored)
				testkit.OK(t, err)
				stored.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: string(note)})
				c := did(read(t, whatif.Options{}, node("a", "9")).Apply(stored)).After
				testkit.Equal(t, len(did(c.Apply(stored)).Pods), 0, "pods that change")
				r := did(c.Apply(manifest))
				if len(r.Pods) == 0 {
					t.Errorf("the pod is not replaced: %s", story(r))
				}
			})
		}
	}
}

// What kubectl adds to the template of a ReplicaSet, or a webhook to a pod of a revision that was not read, is nothing
// that a manifest of the same template leaves out.
func TestTemplatesOfRunningPods(t *testing.T) {
	web, db := deployment("web", 1, "1"), statefulSet("db", 1, "900m")
	web.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-x"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: *web.Spec.Template.DeepCopy()}}, "Deployment", "web")
	rs.Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}
	rs.Spec.Template.Spec.SchedulerName = corev1.DefaultSchedulerName
	rs.Spec.Template.Spec.Containers[0].Ports[0].Protocol = corev1.ProtocolTCP
	db.Status.CurrentRevision, db.Status.UpdateRevision = "db-old", "db-new"
	former := owned(on("a", podOf("db-0", "500m")), "StatefulSet", "db")
	former.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: "db-old"}
	former.Annotations = map[string]string{"sidecar.istio.io/status": "{}"}
	daemon := owned(on("a", podOf("agent-x", "1")), "DaemonSet", "agent")
	daemon.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: "x"}
	revision := owned(&appsv1.ControllerRevision{ObjectMeta: meta("agent-x"), Data: runtime.RawExtension{Raw: []byte(`{"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}},
		"spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]}}}}`)}}, "DaemonSet", "agent")
	c := read(t, whatif.Options{}, node("a", "9"), web, rs, owned(on("a", podOf("web-x-1", "1")), "ReplicaSet", "web-x"), db, former, daemonSet("agent", "1"), revision, daemon)
	for _, manifest := range []admit.APIObject{labelled(web.DeepCopy()), statefulSet("db", 1, "500m"), labelled(daemonSet("agent", "1"))} {
		r := did(c.Apply(manifest))
		if r.Objects[0].Action != whatif.Updated || len(r.Pods) > 0 {
			t.Error(story(r))
		}
	}
}

// A pod that is updated keeps what the API server has noted about it.
func TestUpdatedPodKeepsItsAnnotations(t *testing.T) {
	p := on("a", podOf("p", "1"))
	p.Annotations = map[string]string{"kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container app"}
	manifest := podOf("p", "1")
	manifest.Annotations = map[string]string{"team": "a"}
	r := did(read(t, whatif.Options{}, node("a", "9"), p).Apply(manifest))
	testkit.Equal(t, r.Objects[0].Action, whatif.Updated)
	testkit.NoDiff(t, r.Pods[0].Object.Annotations, map[string]string{"team": "a", "kubernetes.io/limit-ranger": p.Annotations["kubernetes.io/limit-ranger"]})
}

// A pod notes what was applied, where kubectl has noted it before.
func TestUpdatedPodIsNoted(t *testing.T) {
	p := on("a", podOf("p", "1"))
	p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"metadata": {"labels": {"a": "1"}}}`}
	manifest := podOf("p", "1")
	manifest.Labels = map[string]string{"b": "1"}
	c := did(read(t, whatif.Options{}, p).Apply(manifest)).After
	manifest.Labels = map[string]string{"c": "1"}
	r := did(c.Apply(manifest))
	testkit.Equal(t, fmt.Sprint(r.Pods[0].Object.Labels), "map[c:1]")
}

// An object that is applied in another version of its API keeps its metadata.
func TestAnotherVersion(t *testing.T) {
	created := metav1.NewTime(testkit.Now())
	old := &autoscalingv1.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u", ResourceVersion: "3", CreationTimestamp: created,
		OwnerReferences: []metav1.OwnerReference{{Kind: "ConfigMap", Name: "c"}}}}
	r := did(read(t, whatif.Options{}, old).Apply(&autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: meta("web")}))
	testkit.Equal(t, r.Objects[0].Action, whatif.Updated)
	stored := whatif.ObjectsOf(r.After, "shop")[0]
	testkit.Equal(t, fmt.Sprint(stored.GetUID(), stored.GetResourceVersion(), stored.GetCreationTimestamp().Unix() == created.Unix(), len(stored.GetOwnerReferences())), "u3true 1")
}

// Clusters share the pods that a Job has not counted: what follows from one changes nothing for another.
func TestUncountedPodsAreShared(t *testing.T) {
	waits := job("j", 2, "1")
	waits.Spec.PodReplacementPolicy = pointer(batchv1.Failed)
	leaving := owned(on("a", podOf("j-y", "1")), "Job", "j")
	leaving.DeletionTimestamp = &metav1.Time{Time: testkit.Now()}
	for want, finalizers := range map[string][]string{"2 1": {batchv1.JobTrackingFinalizer}, "2 0": nil} { // which has been counted
		leaving.Finalizers = finalizers
		c := read(t, whatif.Options{}, node("a", "9"), waits.DeepCopy(), leaving.DeepCopy())
		for range 2 {
			r := did(c.Delete(podOf("j-y", "1")))
			testkit.Equal(t, len(r.Pods), 3) // it, and two new ones
			for _, o := range whatif.ObjectsOf(r.After, "shop") {
				if j, ok := o.(*batchv1.Job); ok {
					testkit.Equal(t, fmt.Sprint(j.Status.Active, j.Status.Failed), want)
				}
			}
		}
	}
}

// A CronJob refers to the Jobs that it creates.
func TestCronJobRefersToItsJobs(t *testing.T) {
	r := did(read(t, whatif.Options{RunCronJobs: true}).Apply(cronJob("c", 1, "1")))
	for _, o := range whatif.ObjectsOf(r.After, "shop") {
		if c, ok := o.(*batchv1.CronJob); ok {
			testkit.NoDiff(t, c.Status.Active, []corev1.ObjectReference{{Kind: "Job", APIVersion: "batch/v1", Namespace: "shop", Name: "c-1"}})
		}
	}
}

// A run that another Job forbids is made up for once that is gone: the time of the last run is noted only for one.
//
// Source: syncCronJob of k8s.io/kubernetes v1.37.2 pkg/controller/cronjob/cronjob_controllerv2.go:593.
func TestForbiddenRunIsMadeUpFor(t *testing.T) {
	c := cronJob("c", 1, "1")
	c.Spec.ConcurrencyPolicy = batchv1.ForbidConcurrent
	c.Status.Active = []corev1.ObjectReference{{Kind: "Job", Name: "c-x"}}
	running := owned(job("c-x", 1, "1"), "CronJob", "c")
	changed := c.DeepCopy()
	changed.Spec.JobTemplate.Spec.Template = template("2")
	r := wantStory(t, did(read(t, whatif.Options{RunCronJobs: true}, node("a", "9"), c, running).Apply(changed)), `
		CronJob c Updated
		`)
	wantStory(t, did(r.After.Delete(running)), `
		Job c-x Deleted
		  c-1-1 >a
		`)
}

// A Job that its CronJob waits for, and whose pod has succeeded, is complete once its own controller looks at it.
func TestCronJobWaitsForJobThatIsDone(t *testing.T) {
	c := cronJob("c", 1, "1")
	c.Spec.ConcurrencyPolicy, c.Status.Active = batchv1.ForbidConcurrent, []corev1.ObjectReference{{Kind: "Job", Name: "c-x"}}
	last := owned(on("a", podOf("c-x-1", "1")), "Job", "c-x")
	last.Finalizers, last.Status.Phase = []string{batchv1.JobTrackingFinalizer}, corev1.PodSucceeded
	changed := c.DeepCopy()
	changed.Spec.JobTemplate.Spec.Template = template("2")
	wantStory(t, did(read(t, whatif.Options{RunCronJobs: true}, node("a", "9"), c, owned(job("c-x", 1, "1"), "CronJob", "c"), last).Apply(changed)), `
		CronJob c Updated
		  c-1-1 >a
		`)
}

// A Job is created from the template of its CronJob, which is its controller.
func TestJobOfACronJob(t *testing.T) {
	c := labelled(cronJob("c", 1, "1"))
	c.UID, c.Spec.JobTemplate.Labels, c.Spec.JobTemplate.Annotations = "u", map[string]string{"app": "c"}, map[string]string{"note": "x"}
	r := did(read(t, whatif.Options{RunCronJobs: true}).Apply(c))
	for _, o := range whatif.ObjectsOf(r.After, "shop") {
		if j, ok := o.(*batchv1.Job); ok {
			testkit.NoDiff(t, j.Labels, map[string]string{"app": "c"})
			testkit.NoDiff(t, j.Annotations, map[string]string{"note": "x"})
			testkit.NoDiff(t, j.OwnerReferences, []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", Name: "c", UID: "u", Controller: pointer(true), BlockOwnerDeletion: pointer(true)}})
		}
	}
}

// A pod of a Job with indexes has its own as label and annotation.
func TestPodOfAnIndex(t *testing.T) {
	j := job("j", 1, "1")
	j.Spec.Completions, j.Spec.CompletionMode, j.Spec.Template.Labels = pointer[int32](1), pointer(batchv1.IndexedCompletion), map[string]string{"app": "j"}
	p := did(read(t, whatif.Options{}).Apply(j)).Pods[0].Object
	testkit.NoDiff(t, p.Labels, map[string]string{"app": "j", batchv1.JobCompletionIndexAnnotation: "0"})
	testkit.NoDiff(t, p.Annotations, map[string]string{batchv1.JobCompletionIndexAnnotation: "0"})
}

// A Job that is being deleted counts its pods, and creates none.
//
// Source: syncJob of k8s.io/kubernetes v1.37.2 pkg/controller/job.
func TestJobThatIsBeingDeleted(t *testing.T) {
	j := job("j", 1, "1")
	j.DeletionTimestamp, j.Finalizers, j.Status.Active = &metav1.Time{Time: testkit.Now()}, []string{"example.com/x"}, 1
	r := wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), j, owned(on("a", podOf("j-x", "1")), "Job", "j")).Delete(podOf("j-x", "1"))), `
		Pod j-x Deleted
		  j-x a>
		`)
	status := whatif.ObjectsOf(r.After, "shop")[0].(*batchv1.Job).Status
	testkit.Equal(t, fmt.Sprint(status.Active, status.Failed), "0 1")
}
