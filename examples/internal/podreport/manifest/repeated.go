package manifest

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// identity identifies an object. The kinds that are read differ by name, regardless of their group.
type identity struct{ kind, namespace, name string }

// place is where an object was found, and its index in the list of its kind.
type place struct {
	at    objects.Place
	index int
	owned bool // it is a pod in the list of those with a controller
}

// earlier returns the place of an earlier object with the same identity, and records the place of the
// current one. The later one counts, as if both were applied, and there is a note. Objects with
// metadata.generateName are always different.
func (in *Input) earlier(at objects.Place, id identity, now place) (place, bool) {
	if strings.HasSuffix(id.name, generated) {
		return place{}, false
	}
	before, known := in.byName[id]
	now.at = at
	in.byName[id] = now
	if known {
		in.skip(before.at, "replaced by "+at.Source().String()+": of objects with the same name, the last counts, as if all were applied")
	}
	return before, known
}
