package objects_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// mapCache keeps everything.
type mapCache struct{ sync.Map }

func (c *mapCache) Load(text string) (json.RawMessage, bool) {
	value, found := c.Map.Load(text)
	raw, _ := value.(json.RawMessage)
	return raw, found
}

func (c *mapCache) Store(text string, raw json.RawMessage) { c.Map.Store(text, raw) }

// With a cache, a file has the objects, the problems and the lines that it has without, whatever was read before.
func TestCache(t *testing.T) {
	pod := func(name, memory string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec:\n  containers:\n  - name: app\n    resources: {requests: {memory: " + memory + "}}\n---\n"
	}
	kinds := objects.Kinds{{"v1", "Pod"}: reflect.TypeFor[corev1.Pod]()}
	var cache mapCache
	for _, text := range []string{
		pod("a", "1Gi") + pod("b", "512m") + "a: [\n",
		"# a line before it\n" + pod("b", "512m") + "a: [\n---\n" + pod("a", "1Gi"),
		pod("a", "1Gi") + pod("a", "1Gi"),
		"",
		pod("a", "2Gi") + pod("b", "512m"),
		pod("b", "512m") + pod("a, name: b", "2Gi"), // a duplicate key
		pod("b", "512m") + pod("a, name: b", "2Gi"),
	} {
		read := func(cache objects.Cache) (all []objects.Object) {
			for o := range (objects.Reader{Kinds: kinds, Check: objects.Warn, Cache: cache}).File("f", strings.NewReader(text)) {
				all = append(all, o)
			}
			return all
		}
		want, got := read(nil), read(&cache)
		testkit.NoDiff(t, got, want, cmpopts.EquateEmpty(), text)
	}
}
