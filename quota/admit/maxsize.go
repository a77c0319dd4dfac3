package admit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	number := 0
	var found []error
	for _, obj := range objects {
		if m == (MaxSize{}) || workload.IsNil(obj) {
			continue
		}
		if number++; m.Bytes <= 0 {
			continue
		}
		text, err := json.Marshal(obj)
		source := computeresources.Source{Kind: kindOf(obj).Kind.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
		switch {
		case err != nil:
			found = append(found, fmt.Errorf("%v: %w", source, err))
		case len(text) > m.Bytes:
			found = append(found, fmt.Errorf("%v: %d bytes, at most %d%s", source, len(text), m.Bytes, largest(text)))
		}
	}
	if m.Objects > 0 && number > m.Objects {
		return fmt.Errorf("%d objects, at most %d", number, m.Objects)
	}
	slices.SortFunc(found, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return aggregate.Of(found)
}

// largest returns what to say about the part that has most of an object: the deepest that has more than half of it.
func largest(text []byte) string {
	path, parts := "", 0
	for whole := len(text); ; {
		var fields map[string]json.RawMessage
		var elements []json.RawMessage
		parts = 0 // none of a value
		if json.Unmarshal(text, &elements) == nil || json.Unmarshal(text, &fields) == nil {
			parts = len(elements) + len(fields)
		}
		name := ""
		for key, value := range fields {
			if 2*len(value) > whole {
				name, text = "."+key, value
			}
		}
		for i, value := range elements {
			if 2*len(value) > whole {
				name, text = fmt.Sprintf("[%d]", i), value
			}
		}
		if name == "" {
			break
		}
		path += name
	}
	said := ""
	if path != "" {
		said = fmt.Sprintf(", of which %s has %d", path[1:], len(text))
	}
	if said != "" && parts > 0 {
		said += fmt.Sprintf(", in %d parts", parts)
	}
	return said
}
