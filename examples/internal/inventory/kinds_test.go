package inventory_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// workload returns a manifest of a workload named w with a container named app, and more fields of its spec.
func workload(apiVersion, kind, metadata, spec string) string {
	const template = "template: {spec: {containers: [{name: app}]}}"
	if kind == "CronJob" {
		spec += "jobTemplate: {spec: {" + template + "}}"
	} else {
		spec += template
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: w%s}\nspec: {%s}\n", apiVersion, kind, metadata, spec)
}

func TestPodSpec(t *testing.T) {
	for _, test := range []struct {
		manifest string
		has      bool
	}{
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {containers: [{name: app}]}\n", true},
		{workload("v1", "ReplicationController", "", ""), true},
		{workload("apps/v1", "Deployment", "", ""), true},
		{workload("apps/v1", "ReplicaSet", "", ""), true},
		{workload("apps/v1", "StatefulSet", "", ""), true},
		{workload("apps/v1", "DaemonSet", "", ""), true},
		{workload("batch/v1", "Job", "", ""), true},
		{workload("batch/v1", "CronJob", "", ""), true},
		{manifest("ReplicationController", "name: w"), false},
		{manifest("Service", "name: w"), false},
	} {
		l := read(&inventory.List{}, test.manifest)
		if len(l.Objects) != 1 {
			t.Fatalf("%d objects in %s: %v", len(l.Objects), test.manifest, l.Problems)
		}
		spec := inventory.PodSpec(l.Objects[0])
		if (spec != nil) != test.has || test.has && (len(spec.Containers) != 1 || spec.Containers[0].Name != "app") {
			t.Errorf("%s: %+v", test.manifest, spec)
		}
	}
}

// A number of replicas is that of the field of each kind. The default is one; what has ended runs none.
func TestReplicas(t *testing.T) {
	const ended = "status: {conditions: [{type: %s, status: '%s'}]}\n"
	job := func(spec string) string { return workload("batch/v1", "Job", "", spec) }
	for _, test := range []struct {
		manifest string
		replicas int32
		field    string
	}{
		{workload("apps/v1", "Deployment", "", ""), 1, "spec.replicas"},
		{workload("apps/v1", "Deployment", "", "replicas: 3, "), 3, "spec.replicas"},
		{workload("apps/v1", "Deployment", "", "replicas: 0, "), 0, "spec.replicas"},
		{workload("apps/v1", "StatefulSet", "", "replicas: 4, "), 4, "spec.replicas"},
		{workload("apps/v1", "ReplicaSet", "", "replicas: 5, "), 5, "spec.replicas"},
		{workload("v1", "ReplicationController", "", "replicas: 6, "), 6, "spec.replicas"},
		{workload("apps/v1", "DaemonSet", "", ""), 1, "spec.replicas"},
		{workload("batch/v1", "CronJob", "", ""), 0, "spec.replicas"},
		{job(""), 1, "spec.parallelism"},
		{job("completions: 5, "), 1, "spec.parallelism"},
		{job("completions: 0, "), 0, "spec.parallelism"},
		{job("parallelism: 3, "), 3, "spec.parallelism"},
		{job("parallelism: 3, completions: 2, "), 2, "spec.parallelism"},
		{job("parallelism: 3, completions: 9, "), 3, "spec.parallelism"},
		{job("parallelism: 3, completions: 0, "), 0, "spec.parallelism"},
		{job("parallelism: 3, completions: -2, "), 3, "spec.parallelism"},
		{job("parallelism: 3, completions: 9, ") + "status: {succeeded: 7}\n", 2, "spec.parallelism"},
		{job("parallelism: 3, completions: 9, ") + "status: {succeeded: 7, failed: 1, active: 1}\n", 2, "spec.parallelism"},
		{job("parallelism: 3, completions: 9, ") + "status: {succeeded: 10}\n", 0, "spec.parallelism"},
		{job("parallelism: 3, suspend: true, "), 0, "spec.parallelism"},
		{job("parallelism: 3, suspend: false, "), 3, "spec.parallelism"},
		{job("parallelism: 3, manualSelector: true, "), 3, "spec.parallelism"},
		{job("parallelism: 3, ") + fmt.Sprintf(ended, "Complete", "True"), 0, "spec.parallelism"},
		{job("parallelism: 3, ") + fmt.Sprintf(ended, "Failed", "True"), 0, "spec.parallelism"},
		{job("parallelism: 3, ") + fmt.Sprintf(ended, "Complete", "False"), 3, "spec.parallelism"},
		{job("parallelism: 3, ") + fmt.Sprintf(ended, "Failed", "Unknown"), 3, "spec.parallelism"},
		{job("parallelism: 3, ") + fmt.Sprintf(ended, "FailureTarget", "True"), 3, "spec.parallelism"},
	} {
		all := read(&inventory.List{}, test.manifest).Templates()
		if len(all) != 1 || all[0].Replicas != test.replicas || all[0].Field != test.field {
			t.Errorf("%s: %+v, want %d of %s", test.manifest, all, test.replicas, test.field)
		}
	}
}

// A template stands for pods that are not in the list: those of an object that owns nothing there.
func TestTemplates(t *testing.T) {
	const owner = ", ownerReferences: [{controller: %t, apiVersion: apps/v1, kind: ReplicaSet, name: w, uid: %q}]"
	pod := func(namespace string, controller bool, uid string) string {
		return manifest("Pod", "name: p, namespace: "+namespace+fmt.Sprintf(owner, controller, uid))
	}
	set := workload("apps/v1", "ReplicaSet", ", namespace: a, uid: u1", "")
	for name, test := range map[string]struct {
		manifests []string
		want      int
		problems  []string
	}{
		"alone":                          {[]string{set}, 1, nil},
		"its pod, by UID":                {[]string{set, pod("b", true, "u1")}, 0, nil},
		"its pod, by name":               {[]string{set, pod("a", true, "")}, 0, nil},
		"its pod, both at home":          {[]string{workload("apps/v1", "ReplicaSet", "", ""), pod("''", true, "")}, 0, nil},
		"its pod, of a named home":       {[]string{workload("apps/v1", "ReplicaSet", "", ""), pod("home", true, "")}, 0, nil},
		"a pod of another namespace":     {[]string{set, pod("b", true, "")}, 1, nil},
		"a pod that it only owns":        {[]string{set, pod("a", false, "u1")}, 1, nil},
		"a pod of no UID, set of no UID": {[]string{workload("apps/v1", "ReplicaSet", ", namespace: c", ""), pod("a", true, "")}, 1, nil},
		"no containers":                  {[]string{manifest("ReplicationController", "name: w") + "spec: {template: {spec: {}}}\n"}, 0, []string{"ReplicationController w: spec.template.spec.containers: no containers"}},
		"negative":                       {[]string{workload("apps/v1", "Deployment", "", "replicas: -3, ")}, 0, []string{"Deployment w: spec.replicas: -3 is negative"}},
		"a negative Job":                 {[]string{workload("batch/v1", "Job", "", "parallelism: -1, ")}, 0, []string{"Job w: spec.parallelism: -1 is negative"}},
		"no template":                    {[]string{manifest("Service", "name: w"), pod("a", false, "")}, 0, nil},
	} {
		l := read(&inventory.List{Home: "home"}, test.manifests...)
		all := l.Templates()
		if len(all) != test.want || test.want == 1 && (all[0].Object != l.Objects[0] || all[0].Place != l.Places[0] || len(all[0].Spec.Containers) != 1) {
			t.Errorf("%s: %+v, want %d", name, all, test.want)
		}
		testkit.NoDiff(t, l.Graded(objects.Invalid), test.problems, name)
	}
	l := read(&inventory.List{}, manifest("Service", "name: w"), set, workload("apps/v1", "Deployment", "", "replicas: 2, "))
	if all := l.Templates(); len(all) != 2 || all[0].Object != l.Objects[1] || all[1].Object != l.Objects[2] || all[1].Replicas != 2 {
		t.Errorf("%+v", all)
	}
}

// The classes among objects are all that there are if kubectl was asked for them, or one of them is of a cluster.
func TestAdmission(t *testing.T) {
	class := func(apiVersion, kind, metadata, rest string) string {
		return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {" + metadata + "}\n" + rest
	}
	priority := func(metadata string) string {
		return class("scheduling.k8s.io/v1", "PriorityClass", metadata, "value: 5\n")
	}
	runtime := func(metadata string) string { return class("node.k8s.io/v1", "RuntimeClass", metadata, "handler: h\n") }
	storage := func(metadata string) string {
		return class("storage.k8s.io/v1", "StorageClass", metadata, "provisioner: p\n")
	}
	for name, test := range map[string]struct {
		manifests  []string
		asked      bool
		counts     [3]int // of priority, runtime and storage classes; -1 for nil
		incomplete []string
	}{
		"none":                   {nil, false, [3]int{-1, -1, -1}, []string{"PriorityClass", "RuntimeClass", "StorageClass"}},
		"asked":                  {nil, true, [3]int{}, nil},
		"of manifests":           {[]string{priority("name: a"), runtime("name: a"), storage("name: a"), storage("name: b")}, false, [3]int{1, 1, 2}, []string{"PriorityClass", "RuntimeClass", "StorageClass"}},
		"of manifests, asked":    {[]string{priority("name: a"), storage("name: a")}, true, [3]int{1, 0, 1}, nil},
		"one with a UID":         {[]string{priority("name: a"), priority("name: b, uid: u"), priority("name: c")}, false, [3]int{3, -1, -1}, []string{"RuntimeClass", "StorageClass"}},
		"runtime with a UID":     {[]string{runtime("name: a, uid: u")}, false, [3]int{-1, 1, -1}, []string{"PriorityClass", "StorageClass"}},
		"storage with a UID":     {[]string{storage("name: a, uid: u")}, false, [3]int{-1, -1, 1}, []string{"PriorityClass", "RuntimeClass"}},
		"priority of the system": {[]string{priority("name: system-node-critical")}, false, [3]int{1, -1, -1}, []string{"RuntimeClass", "StorageClass"}},
		"named like the system":  {[]string{priority("name: my-system-"), runtime("name: system-a"), storage("name: system-a")}, false, [3]int{1, 1, 1}, []string{"PriorityClass", "RuntimeClass", "StorageClass"}},
	} {
		l := read(&inventory.List{}, test.manifests...)
		if len(l.Objects) != len(test.manifests) {
			t.Fatalf("%s: %d objects: %v", name, len(l.Objects), l.Problems)
		}
		o := inventory.Admission(l.Objects, test.asked)
		counts := [3]int{len(o.PriorityClasses), len(o.RuntimeClasses), len(o.StorageClasses)}
		for i, none := range []bool{o.PriorityClasses == nil, o.RuntimeClasses == nil, o.StorageClasses == nil} {
			if none {
				counts[i] = -1
			}
		}
		testkit.NoDiff(t, counts, test.counts, name, "classes")
		testkit.NoDiff(t, o.Incomplete, test.incomplete, name, "incomplete")
	}
}

// Of an object that k8s.io/api does not have, fields that are not read are ignored, and wrong ones are errors.
func TestManifest(t *testing.T) {
	type spec struct {
		Size int `json:"size"`
	}
	var m inventory.Manifest[spec, struct{}]
	testkit.OK(t, json.Unmarshal([]byte(`{"kind": "Tenant", "metadata": {"name": "a"}, "spec": {"size": 3, "more": {}}, "data": 1}`), &m))
	if m.Kind != "Tenant" || m.Name != "a" || m.Spec.Size != 3 || m.DeepCopyObject() != &m {
		t.Errorf("%+v", m)
	}
	if err := json.Unmarshal([]byte(`{"spec": {"size": "three"}}`), &m); err == nil {
		t.Error("no error for a size that is text")
	}
}

// A pod that is stored keeps the pod-level amounts that the release which stored it has set, or not.
func TestDefaultsOfThePodLevel(t *testing.T) {
	for uid, want := range map[types.UID]string{"": "100Mi", "u": "0"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: uid}, Spec: corev1.PodSpec{
			Resources: &corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("1Gi")}},
			Containers: []corev1.Container{
				{Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("100Mi")}}}},
		}}
		(&inventory.Defaults{}).Apply(pod)
		testkit.Equal(t, pod.Spec.Resources.Requests.Memory().String(), want, "UID", uid, "pod-level request")
		testkit.Equal(t, pod.Spec.Containers[0].Resources.Requests.Memory().String(), "100Mi", "UID", uid, "request")
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A pod that is not stored gets the defaults of the LimitRanges of its namespace, which the server fills in from their maximum.
func TestDefaultsOfLimitRanges(t *testing.T) {
	l := read(&inventory.List{}, `{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: shop},
  spec: {limits: [{type: Container, max: {cpu: "2"}}]}}
`,
		`{apiVersion: v1, kind: LimitRange, metadata: {name: b, namespace: shop},
  spec: {limits: [{type: Container, defaultRequest: {memory: 1Gi}}]}}
`, `{apiVersion: v1, kind: LimitRange, metadata: {name: a, namespace: blog},
  spec: {limits: [{type: Pod, max: {cpu: "9"}}, {type: Container, default: {cpu: "3"}, defaultRequest: {cpu: "1"}}]}}`)
	ranges := jsonOf(t, l.Objects)
	defaults := l.Defaults(computeresources.Kubernetes{})
	for _, test := range []struct {
		namespace string
		uid       types.UID
		limits    corev1.ResourceList
		want      string
	}{
		{"shop", "", nil, `{"limits":{"cpu":"2"},"requests":{"cpu":"2","memory":"1Gi"}}`},
		{"shop", "", corev1.ResourceList{"cpu": resource.MustParse("1")}, `{"limits":{"cpu":"1"},"requests":{"cpu":"1","memory":"1Gi"}}`},
		{"shop", "stored", nil, `{}`},
		{"blog", "", nil, `{"limits":{"cpu":"3"},"requests":{"cpu":"1"}}`},
		{"blog", "", corev1.ResourceList{"memory": resource.MustParse("1Gi")}, `{"limits":{"cpu":"3","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}}`},
		{"shop", "", corev1.ResourceList{"memory": resource.MustParse("2Gi")}, `{"limits":{"cpu":"2","memory":"2Gi"},"requests":{"cpu":"2","memory":"2Gi"}}`},
		{"other", "", nil, `{}`},
	} {
		for _, node := range []string{"", "n1"} { // a manifest may name it
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: test.namespace, UID: test.uid}, Spec: corev1.PodSpec{NodeName: node,
				Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: maps.Clone(test.limits)}}},
			}}
			defaults.Apply(pod)
			testkit.Equal(t, jsonOf(t, pod.Spec.Containers[0].Resources), test.want, test.namespace, test.uid, node)
		}
	}
	testkit.Equal(t, jsonOf(t, l.Objects), ranges, "what was read")
}

// A pod without a priority has that of zero, and a quota is one of its namespace, unless it says another kind.
func TestPriorityAndSharedQuotas(t *testing.T) {
	nine := int32(9)
	testkit.Equal(t, inventory.Priority(&corev1.Pod{}), 0)
	testkit.Equal(t, inventory.Priority(&corev1.Pod{Spec: corev1.PodSpec{Priority: &nine}}), 9)
	shared := (&quota.ClusterQuota{Kind: quota.GlobalResourceQuota, Name: "q"}).In("shop")
	testkit.Equal(t, inventory.IsShared(shared), true)
	testkit.Equal(t, inventory.IsShared(&corev1.ResourceQuota{}), false)
}
