package whatif

import (
	"slices"

	"github.com/kubemath/kubemath/quota/admit"
)

// ObjectsOf returns all objects of a namespace, in no order.
var ObjectsOf = func(c *Cluster, namespace string) (objects []admit.APIObject) {
	if s := c.spaces[namespace]; s != nil {
		for _, it := range s.items.All {
			objects = append(objects, it.object)
		}
		for _, p := range s.pods.All {
			objects = append(objects, p.Object)
		}
	}
	return objects
}

// NamespacesOf returns the names of the namespaces that are kept, sorted.
var NamespacesOf = func(c *Cluster) (names []string) {
	for name := range c.spaces {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NodeObjectsOf returns the nodes.
var NodeObjectsOf = func(c *Cluster) (objects []admit.APIObject) {
	for _, n := range c.places.Nodes() {
		objects = append(objects, n)
	}
	return objects
}

// SharesPlaces tells whether a question writes to the places of the cluster, which other questions read.
var SharesPlaces = func(c *Cluster) bool { return c.view().places == c.places }
