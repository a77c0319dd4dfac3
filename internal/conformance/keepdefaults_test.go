package conformance

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	appsdefaults "k8s.io/kubernetes/pkg/apis/apps/v1"
	batchdefaults "k8s.io/kubernetes/pkg/apis/batch/v1"
	coredefaults "k8s.io/kubernetes/pkg/apis/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// keepsDefaults compares an object that is applied again without some of its fields, all of which kubectl has noted, with what
// the API server stores after the patch of kubectl. It returns whether that is another object.
func keepsDefaults[T any, P interface {
	*T
	runtime.Object
}](t *rapid.T, of P, setDefaults func(P)) (changed bool) {
	setDefaults(of)
	stored := marshal(t, of)
	var value map[string]any
	testkit.OK(t, json.Unmarshal(stored, &value))
	value["spec"] = withoutSome(t, value["spec"])
	part := marshal(t, value)
	schema, err := strategicpatch.NewPatchMetaFromStruct(of)
	testkit.OK(t, err)
	patch, err := strategicpatch.CreateThreeWayMergePatch(stored, part, stored, schema, true)
	testkit.OK(t, err)
	text, err := strategicpatch.StrategicMergePatch(stored, patch, of)
	testkit.OK(t, err)
	read := func(text []byte) P {
		object := P(new(T))
		testkit.OK(t, json.Unmarshal(text, object))
		return object
	}
	want := read(text)
	setDefaults(want)
	got := applied.Merge(of, read(part), of)
	applied.KeepDefaults(got, of)
	changed = !equality.Semantic.DeepEqual(want, of)
	testkit.Equal(t, !equality.Semantic.DeepEqual(got, of), changed, "changed by", string(patch))
	setDefaults(got.(P))
	if !equality.Semantic.DeepEqual(got, want) {
		testkit.NoDiff(t, got, runtime.Object(want), string(patch))
	}
	return changed
}

// A manifest that no longer names what the API server sets again changes nothing, and any other one does.
func TestKeepDefaults(t *testing.T) {
	changes, draws := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		kinds := map[string]func() bool{
			"Deployment": func() bool {
				d := drawApplied(t)
				if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
					d.Spec.Strategy.RollingUpdate = nil // which would be invalid
				}
				return keepsDefaults(t, d, appsdefaults.SetObjectDefaults_Deployment)
			},
			"StatefulSet": func() bool {
				set := &appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Replicas: maybe[int32](t, "replicas", 1, 2), Template: drawApplied(t).Spec.Template}}
				return keepsDefaults(t, set, appsdefaults.SetObjectDefaults_StatefulSet)
			},
			"DaemonSet": func() bool {
				return keepsDefaults(t, &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: drawApplied(t).Spec.Template}}, appsdefaults.SetObjectDefaults_DaemonSet)
			},
			"CronJob": func() bool {
				return keepsDefaults(t, &batchv1.CronJob{Spec: batchv1.CronJobSpec{Suspend: maybe(t, "suspended", true, false)}}, batchdefaults.SetObjectDefaults_CronJob)
			},
			"Service": func() bool {
				service := &corev1.Service{Spec: corev1.ServiceSpec{Type: setOrNot(t, "type", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort)}}
				for i := range rapid.IntRange(0, 2).Draw(t, "ports") {
					service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{Name: string(rune('a' + i)), Port: int32(80 + i)})
				}
				return keepsDefaults(t, service, coredefaults.SetObjectDefaults_Service)
			},
		}
		draws++
		if kinds[rapid.SampledFrom([]string{"Deployment", "StatefulSet", "DaemonSet", "CronJob", "Service"}).Draw(t, "kind")]() {
			changes++
		}
	})
	if changes == 0 || changes == draws {
		t.Errorf("%d of %d have changed", changes, draws)
	}
}

// All fields that the API server sets are kept, but those in lists that are replaced: of these, Merge has what is stored.
func TestAllDefaultsAreKept(t *testing.T) {
	d := &appsv1.Deployment{}
	allocate(reflect.ValueOf(&d.Spec).Elem())
	spec := &d.Spec.Template.Spec
	spec.SecurityContext, spec.EphemeralContainers = nil, nil
	spec.InitContainers[0].Image, spec.Volumes[0].Image.Reference = "b", "c:latest"
	spec.Volumes[0].Projected.Sources, spec.Volumes[0].DownwardAPI.Items = nil, nil
	digest := "@sha256:" + strings.Repeat("a", 64)
	for _, image := range []string{"a:1", "b" + digest, "r:5000/c:latest" + digest, "r:5000/c:1" + digest} {
		spec.Containers[0].Image = image
		stored := withDefaults(d)
		got := d.DeepCopy()
		applied.KeepDefaults(got, stored)
		testkit.NoDiff(t, got, stored, image)
	}
}
