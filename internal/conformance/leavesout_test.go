package conformance

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	appsdefaults "k8s.io/kubernetes/pkg/apis/apps/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// withDefaults returns a Deployment as the API server stores it.
func withDefaults(d *appsv1.Deployment) *appsv1.Deployment {
	own := d.DeepCopy()
	appsdefaults.SetObjectDefaults_Deployment(own)
	return own
}

func leavesOut(stored, manifest *appsv1.Deployment) bool {
	return applied.LeavesOut(reflect.ValueOf(stored.Spec.Template.Spec), reflect.ValueOf(manifest.Spec.Template.Spec))
}

// allocate sets all objects in a value, and lists to one element, but no text, number or flag.
func allocate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.New(v.Type().Elem()))
			allocate(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			allocate(v.Index(0))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				allocate(v.Field(i))
			}
		}
	}
}

// Whatever the API server sets by default is not left out by a manifest without it.
func TestDefaultsAreNotLeftOut(t *testing.T) {
	d := &appsv1.Deployment{}
	allocate(reflect.ValueOf(&d.Spec.Template.Spec).Elem())
	d.Spec.Template.Spec.EphemeralContainers = nil // which no template has
	stored := withDefaults(d)
	if equality.Semantic.DeepEqual(stored, d) {
		t.Fatal("there are no defaults")
	}
	if leavesOut(stored, d) {
		t.Error(testkit.Fingerprint(stored))
	}
}

// withoutSome returns a JSON value without some fields, but with the keys of lists. Ports of the host and amounts are
// compared elsewhere.
func withoutSome(t *rapid.T, value any) any {
	keys := []string{"name", "mountPath", "containerPort", "topologyKey", "key", "hostPort", "port", "resources"}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !slices.Contains(keys, name) && rapid.IntRange(0, 9).Draw(t, "field "+name) == 0 {
				delete(value, name)
			} else if name != "resources" {
				value[name] = withoutSome(t, value[name])
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutSome(t, value[i])
		}
	}
	return value
}

// A template without some fields of the stored one leaves them out if the API server stores another one then.
func TestLeavesOut(t *testing.T) {
	changes := 0
	rapid.Check(t, func(t *rapid.T) {
		whole := drawApplied(t)
		stored := withDefaults(whole)
		var value any
		testkit.OK(t, json.Unmarshal(marshal(t, stored), &value))
		part := &appsv1.Deployment{}
		testkit.OK(t, json.Unmarshal(marshal(t, withoutSome(t, value)), part))
		want := !equality.Semantic.DeepEqual(withDefaults(part).Spec.Template.Spec, stored.Spec.Template.Spec)
		testkit.Equal(t, leavesOut(stored, part), want, string(marshal(t, part.Spec.Template.Spec)))
		if want {
			changes++
		}
	})
	if changes == 0 {
		t.Error("nothing has changed")
	}
}
