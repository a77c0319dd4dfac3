package applied_test

import (
	"encoding/json"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// deployment reads a Deployment, whose name is web.
func deployment(t *testing.T, text string) *appsv1.Deployment {
	t.Helper()
	d := &appsv1.Deployment{}
	testkit.OK(t, json.Unmarshal([]byte(text), d))
	d.Name = "web"
	return d
}

func pods(spec string) string { return `{"spec": {"template": {"spec": ` + spec + `}}}` }

// The answers were worked by hand from the page about kubectl apply in the documentation of Kubernetes, and from
// strategicpatch of k8s.io/apimachinery. A test of internal/conformance compares both.
func TestMerge(t *testing.T) {
	for name, test := range map[string]struct{ before, manifest, stored, want string }{
		"what is stored stays": {
			`{}`, `{"spec": {"minReadySeconds": 5}}`, `{"spec": {"replicas": 3}}`, `{"spec": {"minReadySeconds": 5, "replicas": 3}}`},
		"what was applied before is removed": {
			`{"spec": {"replicas": 2}}`, `{"spec": {"minReadySeconds": 1}}`, `{"spec": {"replicas": 3, "paused": true}}`, `{"spec": {"minReadySeconds": 1, "paused": true}}`},
		"a pointer to zero is set": {
			`{}`, `{"spec": {"replicas": 0}}`, `{"spec": {"replicas": 3}}`, `{"spec": {"replicas": 0}}`},
		"labels and annotations by key": {
			`{"metadata": {"labels": {"a": "1", "b": "1"}}}`, `{"metadata": {"labels": {"b": "2"}, "annotations": {"x": "1"}}}`,
			`{"metadata": {"uid": "u", "labels": {"a": "1", "b": "1", "c": "1"}}}`, `{"metadata": {"uid": "u", "labels": {"b": "2", "c": "1"}, "annotations": {"x": "1"}}}`},
		"the metadata and the status are those that are stored": {
			`{}`, `{"kind": "x", "metadata": {"uid": "v", "generation": 3}, "status": {"replicas": 3}}`, `{"metadata": {"uid": "u"}, "status": {"replicas": 1}}`, `{"metadata": {"uid": "u"}, "status": {"replicas": 1}}`},
		"containers by name": {
			`{}`, pods(`{"containers": [{"name": "a", "image": "2"}]}`), pods(`{"containers": [{"name": "proxy"}, {"name": "a", "image": "1", "tty": true}, {"name": "z"}]}`),
			pods(`{"containers": [{"name": "proxy"}, {"name": "a", "image": "2", "tty": true}, {"name": "z"}]}`)},
		"a container that was applied before is removed": {
			pods(`{"containers": [{"name": "a"}, {"name": "b"}]}`), pods(`{"containers": [{"name": "a"}]}`), pods(`{"containers": [{"name": "a"}, {"name": "proxy"}, {"name": "b"}]}`),
			pods(`{"containers": [{"name": "a"}, {"name": "proxy"}]}`)},
		"a new container is where the manifest has it": {
			`{}`, pods(`{"containers": [{"name": "a"}, {"name": "new"}, {"name": "b"}]}`), pods(`{"containers": [{"name": "a"}, {"name": "proxy"}, {"name": "b"}]}`),
			pods(`{"containers": [{"name": "a"}, {"name": "new"}, {"name": "proxy"}, {"name": "b"}]}`)},
		"what a container had before is removed": {
			pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}]}`), pods(`{"containers": [{"name": "a"}]}`), pods(`{"containers": [{"name": "a", "image": "x", "resources": {"requests": {"cpu": "1"}}}]}`),
			pods(`{"containers": [{"name": "a", "image": "x"}]}`)},
		"an amount is replaced": {
			`{}`, pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}`), pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}`),
			pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}]}`)},
		"amounts that are written otherwise are the same": {
			`{}`, pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "1000m"}}}]}`), pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}]}`),
			pods(`{"containers": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}]}`)},
		"mounts by path, and variables by name": {
			`{}`, pods(`{"containers": [{"name": "a", "env": [{"name": "x", "value": "2"}], "volumeMounts": [{"mountPath": "/v", "name": "v"}]}]}`),
			pods(`{"containers": [{"name": "a", "env": [{"name": "x", "value": "1"}, {"name": "y", "value": "1"}], "volumeMounts": [{"mountPath": "/v", "name": "w"}, {"mountPath": "/token", "name": "token"}]}]}`),
			pods(`{"containers": [{"name": "a", "env": [{"name": "x", "value": "2"}, {"name": "y", "value": "1"}], "volumeMounts": [{"mountPath": "/v", "name": "v"}, {"mountPath": "/token", "name": "token"}]}]}`)},
		"a header loses its value, since headers have no defaults": {
			`{}`, pods(`{"containers": [{"name": "a", "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Cookie"}]}}}]}`),
			pods(`{"containers": [{"name": "a", "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Cookie", "value": "x"}]}}}]}`),
			pods(`{"containers": [{"name": "a", "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Cookie"}]}}}]}`)},
		"a projection keeps what the server has set": {
			`{}`, pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]}`),
			pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}]}}]}`),
			pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}]}}]}`)},
		"a volume has one source": {
			`{}`, pods(`{"volumes": [{"name": "v", "emptyDir": {}}]}`), pods(`{"volumes": [{"name": "v", "hostPath": {"path": "/"}}, {"name": "token"}]}`),
			pods(`{"volumes": [{"name": "v", "emptyDir": {}}, {"name": "token"}]}`)},
		"a volume keeps the defaults of its source": {
			`{}`, pods(`{"volumes": [{"name": "v", "secret": {"secretName": "s"}}]}`), pods(`{"volumes": [{"name": "v", "secret": {"secretName": "s", "defaultMode": 420}}]}`),
			pods(`{"volumes": [{"name": "v", "secret": {"secretName": "s", "defaultMode": 420}}]}`)},
		"a strategy is replaced": {
			`{}`, `{"spec": {"strategy": {"type": "Recreate"}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}}`, `{"spec": {"strategy": {"type": "Recreate"}}}`},
		"a number replaces a share": {
			`{}`, `{"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1}}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`,
			`{"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}}}}`},
		"a map without keys is omitted": {
			pods(`{"nodeSelector": {"a": "1"}}`), pods(`{"nodeSelector": {}}`), pods(`{"nodeSelector": {"a": "1", "b": "1"}}`), pods(`{}`)},
		"a list of the manifest has an empty list, which is not stored": {
			`{}`, pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [], "matchFields": [{"key": "a"}]}]}}}}`),
			pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [{"key": "a"}]}]}}}}`),
			pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [{"key": "a"}]}]}}}}`)},
		"a file of the downward API keeps what the server has set": {
			`{}`, pods(`{"volumes": [{"name": "v", "downwardAPI": {"items": [{"path": "p", "fieldRef": {"fieldPath": "f"}}]}}]}`),
			pods(`{"volumes": [{"name": "v", "downwardAPI": {"items": [{"path": "p", "fieldRef": {"apiVersion": "v1", "fieldPath": "f"}}]}}]}`),
			pods(`{"volumes": [{"name": "v", "downwardAPI": {"items": [{"path": "p", "fieldRef": {"apiVersion": "v1", "fieldPath": "f"}}]}}]}`)},
		"tolerations as a whole": {
			`{}`, pods(`{"tolerations": [{"key": "a"}]}`), pods(`{"tolerations": [{"key": "a"}, {"key": "b"}]}`), pods(`{"tolerations": [{"key": "a"}]}`)},
		"a toleration has no defaults": {
			`{}`, pods(`{"tolerations": [{"key": "a"}]}`), pods(`{"tolerations": [{"key": "a", "effect": "NoExecute"}]}`), pods(`{"tolerations": [{"key": "a"}]}`)},
		"a term of an affinity has no defaults": {
			`{}`, pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}}}`),
			pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}], "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}}`),
			pods(`{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}}}`)},
		"a list without elements is omitted": {
			pods(`{"containers": [{"name": "a", "args": ["x"]}]}`), pods(`{"containers": [{"name": "a", "args": []}], "tolerations": []}`), pods(`{"containers": [{"name": "a", "args": ["x"]}], "tolerations": [{"key": "a"}]}`),
			pods(`{"containers": [{"name": "a"}], "tolerations": [{"key": "a"}]}`)},
		"other lists as a whole": {
			`{}`, pods(`{"containers": [{"name": "a", "args": ["x"]}]}`), pods(`{"containers": [{"name": "a", "args": ["x", "y"]}]}`), pods(`{"containers": [{"name": "a", "args": ["x"]}]}`)},
		"elements of other lists keep their defaults": {
			`{}`, pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "s"}}]}}]}`), pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "s", "optional": false}}]}}]}`),
			pods(`{"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "s", "optional": false}}]}}]}`)},
		"ports of one number": {
			`{}`, pods(`{"containers": [{"name": "a", "ports": [{"containerPort": 53, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}]}]}`),
			pods(`{"containers": [{"name": "a", "ports": [{"containerPort": 53, "protocol": "TCP", "name": "tcp"}, {"containerPort": 53, "protocol": "UDP"}]}]}`),
			pods(`{"containers": [{"name": "a", "ports": [{"containerPort": 53, "protocol": "TCP", "name": "tcp"}, {"containerPort": 53, "protocol": "UDP"}]}]}`)},
		"owners by their UID": {
			`{}`, `{"metadata": {"ownerReferences": [{"uid": "a", "name": "new"}]}}`, `{"metadata": {"ownerReferences": [{"uid": "b", "name": "b"}, {"uid": "a", "name": "old", "kind": "Job"}]}}`,
			`{"metadata": {"ownerReferences": [{"uid": "b", "name": "b"}, {"uid": "a", "name": "new", "kind": "Job"}]}}`},
		"finalizers one by one": {
			`{"metadata": {"finalizers": ["a", "b"]}}`, `{"metadata": {"finalizers": ["a", "d"]}}`, `{"metadata": {"finalizers": ["a", "b", "c"]}}`, `{"metadata": {"finalizers": ["a", "d", "c"]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			before, manifest, stored := deployment(t, test.before), deployment(t, test.manifest), deployment(t, test.stored)
			all := []runtime.Object{before.DeepCopy(), manifest.DeepCopy(), stored.DeepCopy()}
			testkit.NoDiff(t, applied.Merge(before, manifest, stored).(*appsv1.Deployment), deployment(t, test.want))
			testkit.NoDiff(t, []runtime.Object{before, manifest, stored}, all, "the arguments")
		})
	}
}

// Lists of which the API server sets defaults in the elements stay as they are stored, unless the manifest sets something
// else.
func TestMergeOfDefaultsInLists(t *testing.T) {
	for _, test := range []struct {
		object                  runtime.Object
		manifest, stored, other string
	}{
		{&appsv1.StatefulSet{}, `{"spec": {"volumeClaimTemplates": [{"spec": {"accessModes": ["ReadWriteOnce"]}}]}}`,
			`{"spec": {"volumeClaimTemplates": [{"spec": {"accessModes": ["ReadWriteOnce"], "volumeMode": "Filesystem"}, "status": {"phase": "Pending"}}]}}`,
			`{"spec": {"volumeClaimTemplates": [{"spec": {"accessModes": ["ReadWriteMany"]}}]}}`},
		{&corev1.LimitRange{}, `{"spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}}]}}`, `{"spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}, "default": {"cpu": "1"}}]}}`,
			`{"spec": {"limits": [{"type": "Container", "max": {"cpu": "2"}}]}}`},
		{&batchv1.Job{}, `{"spec": {"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "a"}]}]}}}`,
			`{"spec": {"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "a", "status": "True"}]}]}}}`,
			`{"spec": {"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "b"}]}]}}}`},
		{&resourcev1.ResourceClaim{}, `{"spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "c"}}]}}}`,
			`{"spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1}}]}}}`,
			`{"spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "d"}}]}}}`},
	} {
		of := func(text string) runtime.Object {
			object := test.object.DeepCopyObject()
			testkit.OK(t, json.Unmarshal([]byte(text), object))
			return object
		}
		testkit.NoDiff(t, applied.Merge(nil, of(test.manifest), of(test.stored)), of(test.stored))
		testkit.NoDiff(t, applied.Merge(nil, of(test.other), of(test.stored)), of(test.other))
	}
}

// Nothing was applied before.
func TestMergeWithoutAnythingBefore(t *testing.T) {
	manifest, stored := deployment(t, `{"spec": {"paused": true}}`), deployment(t, `{"spec": {"replicas": 3}}`)
	testkit.NoDiff(t, applied.Merge(nil, manifest, stored).(*appsv1.Deployment), deployment(t, `{"spec": {"paused": true, "replicas": 3}}`))
}

// What is stored shares no memory with the manifest.
func TestMergeOwnsItsMemory(t *testing.T) {
	text := `{"metadata": {"labels": {"a": "1"}}, "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "a"}]}}}}`
	manifest := deployment(t, text)
	merged := applied.Merge(nil, manifest, deployment(t, `{}`)).(*appsv1.Deployment)
	merged.Labels["a"], *merged.Spec.Replicas, merged.Spec.Template.Spec.Containers[0].Name = "2", 3, "b"
	testkit.NoDiff(t, manifest, deployment(t, text))
}

// custom is a type of a user, with fields that nobody else may set.
type custom struct {
	hidden string
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec customSpec
}

type customSpec struct {
	hidden *customSpec
	*Shared
	A, B          string
	RollingUpdate *customSpec
	At            metav1.Time
	Exactly       metav1.MicroTime
	ByName        map[string]customSpec
	Pod           corev1.PodSpec
}

type Shared struct{ C, D string }

func (c *custom) DeepCopyObject() runtime.Object {
	own := *c
	return &own
}

// Fields that are not exported stay as they are stored.
func TestMergeOfHiddenFields(t *testing.T) {
	stored := &custom{Spec: customSpec{A: "1", B: "1", RollingUpdate: &customSpec{A: "1"}, hidden: &customSpec{A: "1"}}, hidden: "x"}
	before := &custom{Spec: customSpec{B: "1"}}
	got := applied.Merge(before, &custom{Spec: customSpec{A: "2"}, hidden: "y"}, stored)
	applied.KeepDefaults(got, stored)
	want := &custom{Spec: customSpec{A: "2", RollingUpdate: &customSpec{A: "1"}, hidden: &customSpec{A: "1"}}, hidden: "x"}
	testkit.Equal(t, testkit.Fingerprint(got), testkit.Fingerprint(want))
	stored.Spec.Pod.RestartPolicy = corev1.RestartPolicyAlways
	empty := &custom{}
	applied.KeepDefaults(empty, stored)
	testkit.NoDiff(t, empty, &custom{Spec: customSpec{Pod: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways}}})
}

// A time is one value. Structs by name, and those that are embedded, are merged field by field.
func TestMergeOfOtherFields(t *testing.T) {
	early, late := testkit.Now(), testkit.Now().Add(time.Hour)
	of := func(at time.Time, shared Shared, byName map[string]customSpec) *custom {
		return &custom{Spec: customSpec{At: metav1.NewTime(at), Exactly: metav1.NewMicroTime(at), Shared: &shared, ByName: byName}}
	}
	before := of(early, Shared{C: "1"}, map[string]customSpec{"x": {B: "1"}, "z": {A: "1"}})
	stored := of(early, Shared{C: "1", D: "1"}, map[string]customSpec{"x": {Shared: &Shared{D: "1"}, A: "1", B: "1"}, "y": {A: "1"}, "z": {A: "1"}})
	got := applied.Merge(before, of(late, Shared{D: "2"}, map[string]customSpec{"x": {A: "2"}, "new": {A: "1"}}), stored)
	want := of(late, Shared{D: "2"}, map[string]customSpec{"x": {Shared: &Shared{D: "1"}, A: "2"}, "y": {A: "1"}, "new": {A: "1"}})
	testkit.NoDiff(t, got.(*custom), want)
}
