package arch_test

import (
	"encoding/json"
	"fmt"
	"go/types"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
	"github.com/kubemath/kubemath/pool/poolplan"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// What functions return as an answer is plain data: it compares with go-cmp and Semantic.DeepEqual, and survives a
// round trip through JSON. Handles that compute are opaque, and are listed.

// handles are the exported types that compute, or that only functions of their package read, and are no answers; and
// settings, which functions return for callers to change.
var handles = strings.Fields("computeresources/noderesources.Cluster computeresources/noderesources.Ledger " +
	"computeresources/noderesources.Ranking computeresources/noderesources.Request computeresources/noderesources.Scorer " +
	"limitrange.Policy pool/allocator.Allocator pool.Record quota.Object quota/admit.Namespace quota/admit/whatif.Cluster " +
	"quota/quotatree.Tree affinity/steps.Options computeresources.Kubernetes")

// answerTypes has an answer of each type that exported functions return, but those that others of them have as parts.
var answerTypes = []any{
	affinity.Collision{}, affinity.Plan{}, affinity.StrandedPlaceholder{}, peak.Demand{}, peak.FullNode{},
	peak.Size{}, peak.Verdict{}, peak.Timeline{}, steps.GuaranteedPlan{}, steps.PodLevelPlan{},
	cgroupconfig.Container{}, cgroupconfig.Sandbox{}, cgroupconfig.Setting{}, cgroupconfig.TierCgroups{},
	cgroupname.Identity{}, nodetree.Tree{}, noderesources.AllocatedResource{}, noderesources.Estimate{},
	noderesources.Placements{}, noderesources.PotentialVictim{}, noderesources.Preemption{}, noderesources.Resize{},
	limitrange.Aggregate{}, limitrange.Ambiguity{}, pool.Allocation{}, pool.ResourcePoolClaimList{},
	pool.ResourcePoolList{}, migrate.Loss{}, migrate.Migration{}, migrate.PoolSource{}, poolplan.Overtaking{},
	qos.Eviction{}, qos.Reason{}, qos.Tiers{}, qos.Unset{}, quota.Assessment{}, quota.Key{}, quota.ReplicaFit{},
	quota.RolloutUsage{}, admit.Outcomes{}, solver.RightSized{}, whatif.Result{}, whatif.Room{},
	quotatree.Reclaimed{}, quotatree.Share{}, quotatree.State{},
}

// resultTypes returns the names of the types of ours that exported functions return, below the module.
func resultTypes() (names []string) {
	for _, p := range ours().public() {
		for _, f := range functionsOf(p.Package) {
			for result := range f.Signature().Results().Variables() {
				t := types.Unalias(result.Type())
				for {
					part, has := t.(interface{ Elem() types.Type })
					if !has {
						break
					}
					t = types.Unalias(part.Elem())
				}
				named, ok := t.(*types.Named)
				if ok && isOurs(named) && !slices.Contains(handles, nameOf(named)) {
					if _, isStruct := named.Underlying().(*types.Struct); isStruct {
						names = append(names, nameOf(named))
					}
				}
			}
		}
	}
	return sorted(names)
}

// parts adds the structs of ours that a type reaches, by their name below the module.
func parts(of reflect.Type, all map[string]reflect.Type) {
	switch of.Kind() {
	case reflect.Map:
		parts(of.Key(), all)
		fallthrough
	case reflect.Pointer, reflect.Slice, reflect.Array:
		parts(of.Elem(), all)
	case reflect.Struct:
		pkg, isOurs := below(of.PkgPath())
		name := pkg + "." + of.Name()
		if !isOurs || slices.Contains(handles, name) || all[name] != nil {
			return
		}
		all[name] = of
		for i := range of.NumField() {
			parts(of.Field(i).Type, all)
		}
	}
}

// allAnswers returns the types of answers and of their parts, by their name below the module.
func allAnswers() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for _, answer := range answerTypes {
		parts(reflect.TypeOf(answer), all)
	}
	return all
}

func TestAnswersAreKnown(t *testing.T) {
	all := allAnswers()
	for _, name := range resultTypes() {
		if all[name] == nil {
			t.Errorf("%s is returned, and is missing in answerTypes", name)
		}
	}
	for name, of := range all {
		for i := range of.NumField() {
			field := of.Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if first, _ := utf8.DecodeRuneInString(tag); (!field.Anonymous || tag != "") && !unicode.IsLower(first) {
				t.Errorf("%s.%s has no JSON tag in lower camel case", name, field.Name)
			}
		}
	}
}

// Each answer compares with go-cmp, reflect and Semantic.DeepEqual without a panic, is the same after a round trip
// through JSON, and, if it has a DeepCopy, shares nothing with it: empty, and with all fields set.
func TestAnswersCompareAndMarshal(t *testing.T) {
	for _, of := range allAnswers() {
		t.Run(of.String(), func(t *testing.T) {
			defer func() {
				if problem := recover(); problem != nil {
					t.Fatalf("panic: %v", problem)
				}
			}()
			for seed := range 3 {
				one, same := filled(of, seed), filled(of, seed)
				if !cmp.Equal(one, same) || !equality.Semantic.DeepEqual(one, same) || !reflect.DeepEqual(one, same) {
					t.Fatalf("two equal answers differ:\n%s", cmp.Diff(one, same))
				}
				if other := filled(of, seed+1); cmp.Equal(one, other) || equality.Semantic.DeepEqual(one, other) {
					t.Fatalf("two answers are equal: %v", one)
				}
				text, err := json.Marshal(one)
				if err != nil {
					t.Fatal(err)
				}
				again := reflect.New(of)
				if err := json.Unmarshal(text, again.Interface()); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				read := again.Elem().Interface()
				if diff := cmp.Diff(one, read); diff != "" || !equality.Semantic.DeepEqual(one, read) {
					t.Fatalf("another one after a round trip (-before +after):\n%s", diff)
				}
				checkDeepCopy(t, one)
			}
		})
	}
}

// checkDeepCopy checks the DeepCopy of an answer, if it has one.
func checkDeepCopy(t *testing.T, answer any) {
	t.Helper()
	pointer := reflect.New(reflect.TypeOf(answer))
	pointer.Elem().Set(reflect.ValueOf(answer))
	deepCopy := pointer.MethodByName("DeepCopy")
	if !deepCopy.IsValid() {
		return
	}
	testkit.Contract(t, func() any { return deepCopy.Call(nil)[0].Interface() }, pointer.Interface())
	testkit.NoDiff(t, deepCopy.Call(nil)[0].Interface(), pointer.Interface())
}

// filled returns a value of a type in its own memory: the zero value for seed 0, and otherwise one of which each field
// is set, to other values for another seed.
func filled(of reflect.Type, seed int) any {
	v := reflect.New(of).Elem()
	if seed > 0 {
		fill(v, seed, 0)
	}
	return v.Interface()
}

// fill sets a value and what it reaches in a few steps, but of structs of others only texts and the metadata.
func fill(v reflect.Value, seed, depth int) {
	if depth > 6 && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, v.Kind()) {
		return // of a type that contains itself
	}
	switch p := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*p = resource.MustParse([]string{"100m", "1536Mi", "10E", "1n"}[seed%4])
		return
	case *metav1.Time:
		*p = metav1.NewTime(time.Unix(int64(seed), 0))
		return
	case *admit.Subject: // by which the object of a Decision is read
		*p = admit.Subject{Resource: metav1.GroupResource{Resource: "pods"}, Kind: metav1.GroupKind{Kind: "Pod"}, Name: fmt.Sprint("pod-", seed)}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d", strings.ToLower(v.Type().Name()), seed))
	case reflect.Bool:
		v.SetBool(seed%2 == 1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(math.MaxInt32 - int64(seed))
	case reflect.Uint8:
		v.SetUint(uint64(1 + seed%2)) // of an enumeration that indexes
	case reflect.Float64:
		v.SetFloat(1 / float64(seed+2))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), seed, depth+1)
		fill(v.Index(1), seed+1, depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, seed, depth+1)
		fill(value, seed, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Interface: // an object of the API
		v.Set(reflect.ValueOf(&corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pod-", seed)}}))
	case reflect.Struct:
		_, ours := below(v.Type().PkgPath())
		for i := range v.NumField() {
			if f := v.Type().Field(i); ours || v.Type().PkgPath() == "" || f.Type.Kind() == reflect.String || f.Name == "ObjectMeta" && depth <= 6 {
				fill(v.Field(i), seed, depth+1)
			}
		}
	default:
		panic("no value for " + v.Type().String())
	}
}
