package admit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/workload"
)

// MaxSize bounds the objects of others, such as the pods and LimitRanges that tenants write. All costs of this library
// follow from how much objects say. Zero is no bound, because the API server has its own.
type MaxSize struct {
	// Objects is how many objects may be given at once.
	Objects int
	// Bytes are how many an object may have as JSON. The API server takes requests of up to 3 MiB.
	Bytes int
}

// Check returns an error that says what is too large, its number, and the bound: of an object also the field
// that has most of it. It is nil if nothing is. Nil objects are ignored.
//
// Options.MaxSize calls it for what Compile and whatif.Read get. Call it for what Namespace.Create or
// whatif.Cluster.Apply get from others.
//
// Cost: linear in the size of the objects, and nothing without a bound.
func (m MaxSize) Check(objects ...APIObject) error {
	objects = slices.DeleteFunc(slices.Clone(objects), func(obj APIObject) bool { return workload.IsNil(obj) })
	if m.Objects > 0 && len(objects) > m.Objects {
		return fmt.Errorf("%d objects, at most %d", len(objects), m.Objects)
	}
	if m.Bytes <= 0 {
		return nil
	}
	var found []error
	for _, obj := range objects {
		text, err := json.Marshal(obj)
		source := computeresources.Source{Kind: kindOf(obj).Kind.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
		switch {
		case err != nil:
			found = append(found, fmt.Errorf("%v: %w", source, err))
		case len(text) > m.Bytes:
			found = append(found, fmt.Errorf("%v: %d bytes, at most %d%s", source, len(text), m.Bytes, largest(text)))
		}
	}
	slices.SortFunc(found, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return aggregate.Of(found)
}

// part is a field of an object, or an element of a list.
type part struct {
	name string
	text json.RawMessage
}

// partsOf returns the parts of a value of JSON, and none of one that is neither an object nor a list.
func partsOf(text []byte) (parts []part) {
	var fields map[string]json.RawMessage
	var elements []json.RawMessage
	if json.Unmarshal(text, &fields) == nil {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			parts = append(parts, part{"." + name, fields[name]})
		}
	} else if json.Unmarshal(text, &elements) == nil {
		for i, element := range elements {
			parts = append(parts, part{fmt.Sprintf("[%d]", i), element})
		}
	}
	return parts
}

// largest returns what to say about the part that has most of an object: the deepest that has more than half of it.
func largest(text []byte) string {
	whole, path, parts := len(text), "", partsOf(text)
	for len(parts) > 0 {
		most := slices.MaxFunc(parts, func(a, b part) int { return cmp.Compare(len(a.text), len(b.text)) })
		if 2*len(most.text) <= whole {
			break
		}
		path, text, parts = path+most.name, most.text, partsOf(most.text)
	}
	if path == "" {
		return ""
	}
	said := fmt.Sprintf(", of which %s has %d", path[1:], len(text))
	if len(parts) > 0 {
		said += fmt.Sprintf(", in %d parts", len(parts))
	}
	return said
}

// check checks the LimitRanges and quotas of a namespace.
func (m MaxSize) check(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota) error {
	if m == (MaxSize{}) {
		return nil
	}
	var objects []APIObject
	for _, lr := range ranges {
		objects = append(objects, lr)
	}
	for _, q := range quotas {
		objects = append(objects, q)
	}
	return m.Check(objects...)
}
