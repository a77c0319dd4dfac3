package manifest_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Objects without pods: of two with one name the last counts, and one that exists is told.
func TestObjects(t *testing.T) {
	const bound = "phase: Bound"
	in := input(
		document("PersistentVolumeClaim", "name: a", spec("storageClassName: old"), status(bound)),
		document("PersistentVolumeClaim", "name: a, namespace: home", spec("storageClassName: new")),
		document("PersistentVolumeClaim", "name: a, namespace: other", spec("storageClassName: old")),
		document("Service", "name: s, uid: s", spec("type: NodePort")),
		document("Service", "labels: {a: b}", spec("type: NodePort")),
		document("ResourceClaim", "generateName: g-", spec("devices: {}")),
		document("ResourceClaim", "generateName: g-", spec("devices: {}")),
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, uid: w}\n",
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {generateName: w-, namespace: other}\n",
		"apiVersion: example.com/v1\nkind: Service\nmetadata: {name: s}\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
		"apiVersion: example.com/v2\nkind: ResourceClaim\nmetadata: {name: c}\n",
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n",
		document("PersistentVolumeClaim", "name: b", spec("storageClassName: new")), document("PersistentVolumeClaim", "name: b", spec("storageClassName: old"), status(bound)),
		document("PersistentVolumeClaim", "name: waits", spec("storageClassName: new"), status("phase: Pending")),
		document("PersistentVolumeClaim", "name: lost", spec("storageClassName: new"), status("phase: Lost")),
	)
	var got []string
	for _, o := range in.Objects {
		got = append(got, fmt.Sprint(o.Source.Document, " ", o.Unit(), ": ", o.Kind, " ", o.Namespace, "|", o.Home, "/", o.Name, " ", o.Exists))
	}
	want := []string{
		"2 claim: PersistentVolumeClaim home|home/a true", "3 claim: PersistentVolumeClaim other|other/a false",
		"4 service: Service |home/s true", "6 claim: ResourceClaim |home/g-... false", "7 claim: ResourceClaim |home/g-... false",
		"8 object: Widget |home/w true", "9 object: Widget other|other/w-... false",
		"10 object: Service of example.com/v1 |home/s false", "11 object: ConfigMap |home/c false",
		"12 object: ResourceClaim of example.com/v2 |home/c false", "13 object: Namespace |home/ns false",
		"15 claim: PersistentVolumeClaim |home/b true", "16 claim: PersistentVolumeClaim |home/waits true", "17 claim: PersistentVolumeClaim |home/lost true",
	}
	testkit.NoDiff(t, got, want)
	if diff := cmp.Diff([]string{"1: replaced by the one of -, document 2, which has the same name", "5: invalid: metadata.name missing", "14: replaced by the one of -, document 15, which has the same name"}, problems(in)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	testkit.Equal(t, in.QuotaAt("home", "none"), objects.Place{}, "where no quota is")
	testkit.Equal(t, in.Objects[9].Typed.GetObjectKind().GroupVersionKind().String(), "example.com/v2, Kind=ResourceClaim", "the last one is of")
	if claim := in.Objects[0].Typed.(*corev1.PersistentVolumeClaim); *claim.Spec.StorageClassName != "new" {
		t.Errorf("the claim is that of class %s", *claim.Spec.StorageClassName)
	}
}

// A name that no API server accepts is a problem of what is not stored yet.
func TestRejectedNames(t *testing.T) {
	in := input(document("Service", "name: A_b", spec("type: NodePort")), document("Service", "name: C_d, uid: c", spec("type: NodePort")),
		document("Service", "name: e", spec("type: NodePort")))
	got := problems(in)
	if len(got) != 1 || !strings.HasPrefix(got[0], `1: invalid: metadata.name Invalid value: "A_b": a lowercase RFC 1123 subdomain`) || len(in.Objects) != 2 {
		t.Errorf("%d objects, %q", len(in.Objects), got)
	}
}

// The API server counts one device where a request names no number, and none where it wants all.
func TestDefaultsOfDeviceClaims(t *testing.T) {
	requests := "devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}, {name: b, exactly: {deviceClassName: gpu, count: 3}}, " +
		"{name: c, exactly: {deviceClassName: gpu, allocationMode: All}}, {name: d, firstAvailable: [{name: x, deviceClassName: gpu}, {name: z, deviceClassName: gpu, count: 2, allocationMode: ExactCount}]}]}"
	in := input(
		document("ResourceClaim", "name: a", spec(requests)), document("ResourceClaimTemplate", "name: t", spec("metadata: {labels: {l: m}}, spec: {"+requests+"}")),
		document("Deployment", "name: d", spec("template: {spec: {resourceClaims: [{name: own, resourceClaimName: a}, {name: each, resourceClaimTemplateName: t}, {name: unknown, resourceClaimTemplateName: u}], "+container+"}}")),
	)
	if len(in.Objects) != 1 || len(in.Workloads) != 1 || len(in.Workloads[0].Claims) != 1 {
		t.Fatalf("%+v", in)
	}
	each := in.Workloads[0].Claims[0]
	if each.Path != "spec.template.spec.resourceClaims[1]" || each.Name != "each" || each.Object.GetLabels()["l"] != "m" {
		t.Errorf("the claim of each pod is %+v", each)
	}
	for name, claim := range map[string]any{"a claim": in.Objects[0].Typed, "a template": each.Object} {
		var got []string
		for _, r := range claim.(*resourcev1.ResourceClaim).Spec.Devices.Requests {
			if r.Exactly != nil {
				got = append(got, fmt.Sprint(r.Name, " ", r.Exactly.AllocationMode, " ", r.Exactly.Count))
			}
			for _, f := range r.FirstAvailable {
				got = append(got, fmt.Sprint(r.Name, "/", f.Name, " ", f.AllocationMode, " ", f.Count))
			}
		}
		testkit.NoDiff(t, got, []string{"a ExactCount 1", "b ExactCount 3", "c All 0", "d/x ExactCount 1", "d/z ExactCount 2"}, name)
	}
}

// The fields of v1beta2, which older clusters have, are the same.
func TestDevicesOfV1beta2(t *testing.T) {
	in := input(strings.ReplaceAll(document("ResourceClaimTemplate", "name: t", spec("spec: {devices: {}}"))+"---\n"+document("ResourceClaim", "name: c", spec("devices: {}"))+"---\n"+
		document("DeviceClass", "name: d"), "resource.k8s.io/v1", "resource.k8s.io/v1beta2"), document("Pod", "name: p", spec("resourceClaims: [{name: each, resourceClaimTemplateName: t}], "+container)))
	testkit.Equal(t, fmt.Sprint(len(in.Workloads[0].Claims), len(in.Objects), len(in.Devices), problems(in)), "1 1 1 []")
}

// A template that is elsewhere, or of another namespace, makes no claims.
func TestDeviceClaimsOfAnotherNamespace(t *testing.T) {
	in := input(document("ResourceClaimTemplate", "name: t, namespace: other", spec("spec: {devices: {}}")),
		document("Pod", "name: p", spec("resourceClaims: [{name: each, resourceClaimTemplateName: t}], "+container)))
	if claims := in.Workloads[0].Claims; len(claims) != 0 {
		t.Errorf("%+v", claims)
	}
}

// Claims of a StatefulSet and of ephemeral volumes, with where they are in the manifest. Those of a StatefulSet that exist for
// all of its pods are not created again.
func TestClaimsOfPods(t *testing.T) {
	const claim = "spec: {storageClassName: c, resources: {requests: {storage: 1Gi}}}"
	set := func(uid string) string {
		return document("StatefulSet", "name: db"+uid, spec("replicas: 2, volumeClaimTemplates: [{metadata: {name: data, labels: {l: m}}, "+claim+"}, {metadata: {name: log}, "+claim+"}], "+template), status("replicas: 1, updatedReplicas: 1"))
	}
	exists := func(name string) string {
		return document("PersistentVolumeClaim", "name: "+name, claim, status("phase: Bound"))
	}
	volumes := "volumes: [{name: a, emptyDir: {}}, {name: b, ephemeral: {volumeClaimTemplate: {metadata: {labels: {l: m}}, " + claim + "}}}, {name: c, ephemeral: {}}], " + container
	for _, test := range []struct {
		name  string
		input []string
		want  []string
	}{
		{"a StatefulSet", []string{set("")}, []string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"claims of all pods exist", []string{exists("data-db-0"), exists("data-db-1"), exists("log-db-0"), set(", uid: u")}, []string{"log spec.volumeClaimTemplates[1] c "}},
		{"the claim of one pod exists", []string{exists("data-db-0"), set(", uid: u")}, []string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"the claim of one pod is given twice", []string{exists("data-db-0"), exists("data-db-0"), set(", uid: u")}, []string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"the claims of a set whose name begins with the name", []string{exists("data-db-replica-0"), exists("data-db-replica-1"), set(", uid: u")}, []string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"the claim of the only pod", []string{exists("data-db-0"), document("StatefulSet", "name: db, uid: u", spec("volumeClaimTemplates: [{metadata: {name: data}, "+claim+"}], "+template))}, nil},
		{"neither pods nor claims", []string{document("StatefulSet", "name: db, uid: u", spec("replicas: 0, volumeClaimTemplates: [{metadata: {name: data}, "+claim+"}], "+template))}, []string{"data spec.volumeClaimTemplates[0] c "}},
		{"claims of others exist", []string{exists("data-other-0"), exists("data-other-1"), exists("log"), set(", uid: u")}, []string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"claims are manifests", []string{document("PersistentVolumeClaim", "name: data-db-0", claim), document("PersistentVolumeClaim", "name: data-db-1", claim), set(", uid: u")},
			[]string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"claims of another namespace", []string{document("PersistentVolumeClaim", "name: data-db-0, uid: v, namespace: other", claim), document("PersistentVolumeClaim", "name: data-db-1, uid: w, namespace: other", claim), set(", uid: u")},
			[]string{"data spec.volumeClaimTemplates[0] c m", "log spec.volumeClaimTemplates[1] c "}},
		{"the claim of a pod that leaves is that of its successor", []string{exists("data-db-0"), exists("data-db-1"), set(", uid: u"),
			pod("db-0", "kind: StatefulSet, name: db, uid: u", ""), pod("db-1", "kind: StatefulSet, name: db, uid: u", ", deletionTimestamp: '2026-01-01T00:00:00Z'")}, []string{"log spec.volumeClaimTemplates[1] c "}},
		{"a Deployment of the same name has other claims", []string{exists("b-web-0"), document("Deployment", "name: web, uid: u", spec("template: {spec: {"+volumes+"}}"))},
			[]string{"b spec.template.spec.volumes[1].ephemeral.volumeClaimTemplate c m"}},
		{"a new StatefulSet", []string{exists("data-db-0"), exists("data-db-1"), document("StatefulSet", "name: db", spec("replicas: 2, volumeClaimTemplates: [{metadata: {name: data}, "+claim+"}], "+template))},
			[]string{"data spec.volumeClaimTemplates[0] c "}},
		{"a pod", []string{document("Pod", "name: p", spec(volumes))}, []string{"b spec.volumes[1].ephemeral.volumeClaimTemplate c m"}},
		{"a run of a CronJob", []string{document("CronJob", "name: p", spec("jobTemplate: {spec: {template: {spec: {"+volumes+"}}}}"))},
			[]string{"b spec.jobTemplate.spec.template.spec.volumes[1].ephemeral.volumeClaimTemplate c m"}},
	} {
		var got []string
		for _, c := range input(test.input...).Workloads[0].Claims {
			claim := c.Object.(*corev1.PersistentVolumeClaim)
			if q := claim.Spec.Resources.Requests["storage"]; q.String() != "1Gi" {
				t.Errorf("%s: %s requests %v", test.name, c.Name, &q)
			}
			got = append(got, fmt.Sprint(c.Name, " ", c.Path, " ", *claim.Spec.StorageClassName, " ", claim.Labels["l"]))
		}
		testkit.NoDiff(t, got, test.want, test.name)
	}
}

// LimitRanges and quotas by namespace; those that the API server rejects have no effect.
func TestPolicies(t *testing.T) {
	limits := func(name, most string) string {
		return document("LimitRange", name, spec("limits: [{type: Container, max: {cpu: "+most+"}}]"))
	}
	quota := func(name, most string) string { return document("ResourceQuota", name, spec("hard: {pods: "+most+"}")) }
	in := input(
		limits("name: b", "4"), limits("name: a", "1"), limits("name: a, namespace: other", "3"), limits("name: a", "2"), limits("generateName: g-", "7"), limits("generateName: g-", "8"),
		limits("labels: {a: b}", "7"), document("LimitRange", "name: bad", spec("limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]")),
		quota("name: q", "1"), quota("name: a", "5"), quota("name: q, namespace: other", "2"), quota("name: q, namespace: home", "3"), quota("name: bad", "-1"), limits("name: c, generateName: g-", "9"),
	)
	var got []string
	for namespace, list := range manifest.ByNamespace(in.Ranges) {
		for _, lr := range list {
			got = append(got, fmt.Sprint(namespace, " ", lr.Namespace, "/", lr.Name, " ", lr.Spec.Limits[0].Max.Cpu(), " ", lr.Spec.Limits[0].Default.Cpu()))
		}
	}
	slices.SortStableFunc(got, func(a, b string) int { return strings.Compare(strings.Fields(a)[0], strings.Fields(b)[0]) })
	want := []string{"home home/a 2 2", "home home/b 4 4", "home home/c 9 9", "home home/g-... 7 7", "home home/g-... 8 8", "other other/a 3 3"}
	testkit.NoDiff(t, got, want)
	got = nil
	for _, q := range manifest.ByNamespace(in.Quotas)["home"] {
		got = append(got, fmt.Sprint(q.Name, " ", q.Spec.Hard.Pods()))
	}
	testkit.NoDiff(t, got, []string{"a 5", "q 3"})
	if at := in.QuotaAt("other", "q"); at.Source.Document != 11 {
		t.Errorf("the quota is at %+v", at)
	}
	wantProblems := []string{
		"2: replaced by the one of -, document 4, which has the same name",
		"7: invalid: metadata.name Required value: name or generateName is required",
		"8: invalid: spec.limits[0].min[cpu] Invalid value: \"2\": min value 2 is greater than max value 1",
		"8: invalid: spec.limits[0].defaultRequest[cpu] Invalid value: \"1\": min value 2 is greater than default request value 1",
		"8: invalid: spec.limits[0].default[cpu] Invalid value: \"2\": min value 2 is greater than default value 1",
		"9: replaced by the one of -, document 12, which has the same name",
		"13: invalid: spec.hard[pods] Invalid value: \"-1\": must be greater than or equal to 0",
	}
	testkit.NoDiff(t, problems(in), wantProblems, "problems")
}

// Of classes with one name, the last of each kind counts.
func TestClasses(t *testing.T) {
	in := input(
		document("PriorityClass", "name: high", "value: 1"), document("PriorityClass", "name: low", "value: 0"), document("PriorityClass", "name: high", "value: 2"),
		document("RuntimeClass", "name: high", "handler: h"), document("StorageClass", "name: high", "provisioner: p"), document("StorageClass", "name: high", "provisioner: q"),
		document("DeviceClass", "name: gpu", spec("selectors: []")),
	)
	var got []string
	for _, c := range in.Classes {
		got = append(got, fmt.Sprintf("%s %s", reflect.TypeOf(c).Elem().Name(), c.GetName()))
	}
	testkit.NoDiff(t, got, []string{"PriorityClass low", "PriorityClass high", "RuntimeClass high", "StorageClass high"})
	if value := reflect.ValueOf(in.Classes[1]).Elem().FieldByName("Value").Int(); value != 2 {
		t.Errorf("the class has the value %d", value)
	}
	if len(in.Devices) != 1 || in.Devices[0].Name != "gpu" {
		t.Errorf("device classes: %+v", in.Devices)
	}
}

// What a node has: the allocatable amounts, or the capacity; and which input is none.
func TestNodes(t *testing.T) {
	node := func(meta, state string) string { return document("Node", meta, status(state)) }
	in := input(
		node("name: a, labels: {zone: z}", "allocatable: {cpu: 3, memory: 6Gi}, capacity: {cpu: 4, memory: 8Gi}, nodeInfo: {kubeletVersion: v1.36.1}"),
		document("Node", "name: b", spec("unschedulable: true"), status("capacity: {cpu: 4, memory: 8Gi}")),
		node("name: a", "allocatable: {cpu: 5, memory: 6Gi}, capacity: {cpu: 6, memory: 7Gi, pods: 9}"), node("labels: {a: b}", "allocatable: {cpu: 5, memory: 6Gi}"),
		node("name: no-cpu", "allocatable: {memory: 6Gi}, capacity: {cpu: 4, memory: 8Gi}"), node("name: no-memory", "allocatable: {cpu: 5}, capacity: {cpu: 5, memory: 1Gi}"),
		node("name: most", "allocatable: {cpu: '9223372036854775', memory: '9223372036854775807', pods: '2147483647'}"),
		node("name: too-much-cpu", "allocatable: {cpu: '9223372036854776', memory: 1Gi}"), node("name: too-much-memory", "allocatable: {cpu: 1, memory: '9223372036854775808'}"),
		node("name: too-many-pods", "allocatable: {cpu: 1, memory: 1Gi, pods: '2147483648'}"),
	)
	var got []string
	for _, n := range in.Nodes {
		got = append(got, fmt.Sprint(n.Name, " ", n.Status.Allocatable.Cpu(), " ", n.Status.Allocatable.Memory(), " ", n.Spec.Unschedulable, " ", n.Labels))
	}
	want := []string{"b 4 8Gi true map[]", "a 5 6Gi false map[]", "most 9223372036854775 9223372036854775807 false map[]"}
	testkit.NoDiff(t, got, want)
	wantProblems := []string{
		"1: replaced by the one of -, document 3, which has the same name",
		"4: invalid: metadata.name missing",
		"5: no status.allocatable of cpu and memory: no pod fits on it", "6: no status.allocatable of cpu and memory: no pod fits on it",
		"8: unreadable: status too large: cpu, memory or pods", "9: unreadable: status too large: cpu, memory or pods", "10: unreadable: status too large: cpu, memory or pods",
	}
	testkit.NoDiff(t, problems(in), wantProblems, "problems")
	if len(in.Kubelets) != 10 || in.Kubelets[0] != "v1.36.1" {
		t.Errorf("kubelets: %q", in.Kubelets)
	}
}

// A DaemonSet has a pod on each node that its selector selects, if there are several nodes.
func TestDaemonsOnNodes(t *testing.T) {
	node := func(name, labels string) string {
		return document("Node", "name: "+name+", labels: {"+labels+"}", status("allocatable: {cpu: 1, memory: 1Gi}"))
	}
	daemon := func(more string) string {
		return document("DaemonSet", "name: e", spec("template: {spec: {nodeSelector: {zone: z, arch: a}, "+container+"}}")) + more
	}
	three := []string{node("a", "zone: z, arch: a, more: m"), node("b", "zone: z"), node("c", "zone: z, arch: b"), node("d", "zone: z, arch: a")}
	check(t, []scene{
		{"manifests", append(three, daemon("")), []string{"DaemonSet home/e: 1 pod on each of 2 nodes; pods 2"}},
		{"without a status and pods", append(three, document("DaemonSet", "name: e, uid: e", spec(template))), []string{"DaemonSet home/e: 1 pod on each of 4 nodes; pods 4, exists, assumed"}},
		{"with a status", append(three, document("DaemonSet", "name: e, uid: e", spec(template), status("currentNumberScheduled: 1, desiredNumberScheduled: 3"))),
			[]string{"DaemonSet home/e: 3 pods, of which 1 exist; pods 3, missing 2, exists"}},
		{"with a status of no pods", append(three, document("DaemonSet", "name: e, uid: e", spec(template), status("observedGeneration: 1"))), []string{"DaemonSet home/e: 0 pods; pods 0, exists"}},
		{"with pods", append(three, document("DaemonSet", "name: e, uid: e", spec(template)), pod("x", "kind: DaemonSet, name: e, uid: e", "")),
			[]string{"DaemonSet home/e: 1 pod; pods 1, live 1, members 1, exists"}},
		{"with pods that have ended", append(three, document("DaemonSet", "name: e, uid: e", spec(template)),
			document("Pod", "name: x, uid: x, ownerReferences: [{controller: true, kind: DaemonSet, name: e, uid: e}]", spec(container), status("phase: Failed"))),
			[]string{"DaemonSet home/e: 1 pod on each of 4 nodes, of which 0 exist; pods 4, missing 4, members 1, ended 1, exists"}},
		{"a cordoned node", []string{node("a", "zone: z, arch: a"), strings.Replace(node("b", "zone: z, arch: a"), "status:", "spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}\nstatus:", 1), daemon("")},
			[]string{"DaemonSet home/e: 1 pod on each of 2 nodes; pods 2"}},
		{"no DaemonSet", append(three, document("Deployment", "name: d", spec("template: {spec: {nodeSelector: {zone: z}, "+container+"}}"))), []string{"Deployment home/d: 1 replica; pods 1"}},
		{"one node", []string{node("b", "zone: other"), daemon("")}, []string{"DaemonSet home/e: 1 pod per node; pods 1"}},
		{"a selector that no node matches", []string{node("a", "zone: z"), node("b", "zone: z"), daemon("")}, []string{"DaemonSet home/e: 1 pod on each of 0 nodes; pods 0"}},
	})
}

// An object of another kind that limits others is a problem, and one that does not is only counted.
func TestObjectsThatMatter(t *testing.T) {
	const others = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: l}\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
	all := objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(others), Matters: true}.Files([]string{"-"})
	in := manifest.Of(all, manifest.Options{Home: "home"})
	testkit.NoDiff(t, problems(in), []string{"1: not computed: it limits what others may use, which is not computed"})
}

// Objects of other kinds, such as a Kustomization, need no name: none replaces another.
func TestObjectsWithoutNames(t *testing.T) {
	const kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
	in := input(kustomization, kustomization, "apiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: other}\n")
	var got []string
	for _, o := range in.Objects {
		got = append(got, o.Kind+" "+o.Home+"/"+o.Name)
	}
	testkit.NoDiff(t, got, []string{"Kustomization home/", "Kustomization home/", "Widget other/"})
	testkit.NoDiff(t, problems(in), nil, "problems")
}
