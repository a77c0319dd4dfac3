package applied

import (
	"reflect"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Merge returns what is stored once a manifest is applied. What it sets is stored; what it omits is removed if the
// manifest before, which may be nil, had it, and stays otherwise. A list of another kind than those that are merged by
// key is replaced, unless the stored one has all that the manifest sets: the API server has added defaults to that. The
// type, the status and the metadata remain those that are stored, except for labels, annotations, finalizers and
// owners.
//
// All of them have the same type. A value that is set to zero counts as omitted, unless the field is a pointer.
//
// Source: CreateThreeWayMergePatch and StrategicMergePatch of k8s.io/apimachinery/pkg/util/strategicpatch.
func Merge(before, manifest, stored runtime.Object) runtime.Object {
	merged := stored.DeepCopyObject()
	result, own := reflect.ValueOf(merged).Elem(), reflect.ValueOf(manifest.DeepCopyObject()).Elem()
	var former reflect.Value
	if before != nil {
		former = reflect.ValueOf(before).Elem()
	}
	for i := range result.NumField() {
		field := result.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		switch field.Name {
		case "TypeMeta", "Status":
		case "ObjectMeta":
			for _, name := range []string{"Labels", "Annotations", "OwnerReferences", "Finalizers"} {
				part, _ := field.Type.FieldByName(name)
				is := result.Field(i).FieldByName(name)
				is.Set(mergeField(fieldOf(former, i, part.Index[0]), own.Field(i).FieldByName(name), is, part.Tag))
			}
		default:
			result.Field(i).Set(mergeField(fieldOf(former, i), own.Field(i), result.Field(i), field.Tag))
		}
	}
	return merged
}

// fieldOf returns a field of a struct, or one of its fields, if there is a struct.
func fieldOf(of reflect.Value, path ...int) reflect.Value {
	if !of.IsValid() {
		return of
	}
	return of.FieldByIndex(path)
}

// mergeField merges a field, which the manifest may omit.
func mergeField(before, manifest, stored reflect.Value, tag reflect.StructTag) reflect.Value {
	switch {
	case !isSet(manifest) && before.IsValid() && isSet(before):
		return reflect.Zero(stored.Type())
	case !isSet(manifest):
		return stored
	case !isSet(stored):
		return manifest
	}
	return mergeValue(before, manifest, stored, tag)
}

func isSet(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	}
	return !v.IsZero()
}

// mergeValue merges a value that the manifest sets with what is stored.
func mergeValue(before, manifest, stored reflect.Value, tag reflect.StructTag) reflect.Value {
	strategy := strings.Split(tag.Get("patchStrategy"), ",")
	switch manifest.Kind() {
	case reflect.Pointer:
		if before.IsValid() {
			before = before.Elem() // of nil, this is not valid
		}
		result := reflect.New(stored.Type().Elem())
		result.Elem().Set(mergeValue(before, manifest.Elem(), stored.Elem(), tag))
		return result
	case reflect.Struct:
		if hasFields(manifest.Type()) {
			return mergeFields(before, manifest, stored, slices.Contains(strategy, "retainKeys"))
		}
	case reflect.Map:
		return mergeMaps(before, manifest, stored)
	case reflect.Slice:
		if slices.Contains(strategy, "merge") {
			return mergeLists(before, manifest, stored, tag)
		}
		if !hasDefaults(manifest.Type().Elem()) && !Covers(manifest, stored) {
			return manifest
		}
	}
	if Covers(stored, manifest) {
		return stored
	}
	return manifest
}

// hasDefaults reports whether the API server adds defaults to elements of lists that are replaced, or to what is in them.
func hasDefaults(element reflect.Type) bool {
	switch element {
	case reflect.TypeFor[corev1.PersistentVolumeClaim](), reflect.TypeFor[corev1.VolumeProjection](),
		reflect.TypeFor[corev1.DownwardAPIVolumeFile](), reflect.TypeFor[corev1.LimitRangeItem](),
		reflect.TypeFor[batchv1.PodFailurePolicyRule](), reflect.TypeFor[resourcev1.DeviceRequest]():
		return true
	}
	return false
}

// mergeFields merges structs. Those of which only the fields of the manifest are retained lose the others.
func mergeFields(before, manifest, stored reflect.Value, retains bool) reflect.Value {
	result := reflect.New(stored.Type()).Elem()
	result.Set(stored)
	for i := range stored.NumField() {
		field, former := stored.Type().Field(i), fieldOf(before, i)
		switch {
		case !field.IsExported(): // it stays
		case field.Anonymous && hasFields(field.Type): // its fields are those of this struct
			result.Field(i).Set(mergeFields(former, manifest.Field(i), stored.Field(i), retains))
		case retains && !isSet(manifest.Field(i)):
			result.Field(i).SetZero()
		default:
			result.Field(i).Set(mergeField(former, manifest.Field(i), stored.Field(i), field.Tag))
		}
	}
	return result
}

func mergeMaps(before, manifest, stored reflect.Value) reflect.Value {
	result := reflect.MakeMap(stored.Type())
	for _, k := range stored.MapKeys() {
		if !before.IsValid() || !before.MapIndex(k).IsValid() {
			result.SetMapIndex(k, stored.MapIndex(k))
		}
	}
	for _, k := range manifest.MapKeys() {
		value := manifest.MapIndex(k)
		if is := stored.MapIndex(k); is.IsValid() {
			var former reflect.Value
			if before.IsValid() {
				former = before.MapIndex(k)
			}
			value = mergeValue(former, value, is, "")
		}
		result.SetMapIndex(k, value)
	}
	return result
}

// mergeLists merges lists by the key of their elements. Elements of the manifest are in its order, and what others have
// added keeps its place before the first of these that it was before.
//
// Source: mergeSliceWithSpecialElements and normalizeElementOrder of k8s.io/apimachinery/pkg/util/strategicpatch.
func mergeLists(before, manifest, stored reflect.Value, tag reflect.StructTag) reflect.Value {
	former, own, there := keysOf(before, tag), keysOf(manifest, tag), keysOf(stored, tag)
	result := reflect.MakeSlice(stored.Type(), 0, manifest.Len()+stored.Len())
	added := 0
	addUntil := func(end int) { // what others have added up to a place
		for ; added < end; added++ {
			if k := there[added]; !slices.Contains(own, k) && !slices.Contains(former, k) {
				result = reflect.Append(result, stored.Index(added))
			}
		}
	}
	for i, k := range own {
		value := manifest.Index(i)
		if at := slices.Index(there, k); at >= 0 {
			addUntil(at)
			var of reflect.Value
			if j := slices.Index(former, k); j >= 0 {
				of = before.Index(j)
			}
			value = mergeValue(of, value, stored.Index(at), tag)
		}
		result = reflect.Append(result, value)
	}
	addUntil(stored.Len())
	return result
}

// key identifies an element of a list: its key, and how many elements before it have the same.
type key struct {
	value  any
	number int
}

// keysOf returns the keys of a list, which may not be valid.
func keysOf(list reflect.Value, tag reflect.StructTag) (keys []key) {
	if !list.IsValid() {
		return nil
	}
	seen := map[any]int{}
	for i := range list.Len() {
		value := list.Index(i)
		if value.Kind() == reflect.Struct {
			value = value.FieldByNameFunc(func(name string) bool {
				field, _ := value.Type().FieldByName(name)
				json, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				return json == tag.Get("patchMergeKey")
			})
		}
		k := value.Interface()
		keys = append(keys, key{k, seen[k]})
		seen[k]++
	}
	return keys
}
