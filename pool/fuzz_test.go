package pool_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
)

// For any requests of three claims, the allocation is that of the slow twin.
func FuzzAllocate(f *testing.F) {
	f.Add("2Gi", "1", "1Gi", "1", "2Gi", "0", "512Mi", "500m", true)
	f.Add("1.5Gi", "0", "0.5Gi", "0", "1Gi", "-1", "1", "1n", false)
	f.Add("10E", "1n", "10E", "1n", "1", "1", "9E", "0", true)
	f.Fuzz(func(t *testing.T, hardA, hardB, a1, b1, a2, b2, a3, b3 string, ordered bool) {
		list := func(a, b string) map[string]string { return map[string]string{"requests.memory": a, "limits.cpu": b} }
		parse := func(texts map[string]string) (pairs []string) {
			for _, name := range []string{"requests.memory", "limits.cpu"} {
				if _, ok := testkit.Parse(texts[name]); ok {
					pairs = append(pairs, name, texts[name])
				}
			}
			return pairs
		}
		p := newPool("sampler", testkit.List(parse(list(hardA, hardB))...))
		p.Spec.Config.OrderedQueue = ordered
		claims := []*pool.ResourcePoolClaim{
			newClaim("ns", "a", 2, testkit.List(parse(list(a1, b1))...)),
			newClaim("ns", "b", 1, testkit.List(parse(list(a2, b2))...)),
			asHolding(newClaim("ns", "c", 0, testkit.List(parse(list(a3, b3))...))),
		}
		o := pool.Options{Documented: true}
		testkit.Equal(t, pooltest.Allocate(p, claims, o).Diff(pool.Allocate(p, claims, o)), "")
	})
}

// A manifest that is read and written again is read as the same object.
func FuzzManifest(f *testing.F) {
	f.Add("apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: a, namespace: b}\nspec: {pool: c, claim: {pods: 1, requests.memory: 1.5Gi}}\n")
	f.Add("apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: a}\nspec: {selectors: [{}], defaults: {pods: 1}, config: {defaultsZero: true}, quota: {hard: {pods: 3}, scopes: [BestEffort]}}\n")
	f.Add("{}")
	writer := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, nil, json.SerializerOptions{Yaml: true})
	f.Fuzz(func(t *testing.T, manifest string) {
		if len(manifest) > 2000 || strings.ContainsAny(manifest, "eE") && hasLongExponent(manifest) {
			return
		}
		for _, objects := range [][2]runtime.Object{{&pool.ResourcePool{}, &pool.ResourcePool{}}, {&pool.ResourcePoolClaim{}, &pool.ResourcePoolClaim{}}} {
			if err := yaml.UnmarshalStrict([]byte(manifest), objects[0]); err != nil {
				continue
			}
			var text, second strings.Builder
			testkit.OK(t, writer.Encode(objects[0], &text))
			if err := yaml.UnmarshalStrict([]byte(text.String()), objects[1]); err != nil {
				t.Fatalf("%v in\n%s", err, text.String())
			}
			if err := writer.Encode(objects[1], &second); err != nil || text.String() != second.String() {
				t.Errorf("%v: written again:\n%s\nand again:\n%s", err, text.String(), second.String())
			}
		}
	})
}

// hasLongExponent reports whether a text may contain a number like 1e1000000000, which takes too
// long to write out.
func hasLongExponent(text string) bool {
	for i, r := range text {
		if r == 'e' || r == 'E' {
			digits := strings.TrimLeft(text[i+1:], "+-")
			if len(digits)-len(strings.TrimLeft(digits, "0123456789")) > 2 {
				return true
			}
		}
	}
	return false
}
