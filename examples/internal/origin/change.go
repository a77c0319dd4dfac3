package origin

import (
	"cmp"
	"io"
	"io/fs"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// onDemand are what kubectl reads only if there are some to apply, because quotas know how many there are.
var onDemand = map[string]string{"Secret": "secrets", "ConfigMap": "configmaps",
	"ResourceClaim":         "resourceclaims.resource.k8s.io",
	"ResourceClaimTemplate": "resourceclaimtemplates.resource.k8s.io"}

// Change returns the objects of -f that are selected, and the cluster that they are for: what -on names, or that of kubectl.
// Without -f, it returns samples, which are in two folders. The places of the cluster's objects are unknown.
func Change(c *command.Common, stdin io.Reader, samples fs.FS) (change, cluster *inventory.List) {
	r := objects.Reader{Kinds: inventory.Kinds, Stdin: stdin, Check: objects.Checked(c.Strict), Matters: true}
	home := c.Namespace
	if home == "" && c.Cluster {
		home = CurrentNamespace(c)
	}
	home = cmp.Or(home, corev1.NamespaceDefault)
	change, cluster = &inventory.List{Home: home, Selects: c.Rows.Selects, Check: objects.RejectedName}, &inventory.List{Home: home}
	if len(c.Files) == 0 {
		for folder, l := range map[string]*inventory.List{"samples/cluster": cluster, "samples/change": change} {
			files, _ := fs.Sub(samples, folder) // which is there
			l.Read(r.FS(files))
		}
		return change, cluster
	}
	change.Read(Files(r, c, c.Files))
	if c.Cluster {
		var more []string
		for _, kind := range slices.Sorted(maps.Keys(onDemand)) {
			if change.Has(kind) {
				more = append(more, onDemand[kind])
			}
		}
		cluster.Read(inventory.Packed(Cluster(r, c, inventory.Namespaces(change), more...)))
	} else {
		cluster.ReadDump(r.Files(c.On))
	}
	command.LimitGarbage()
	// The rest of it is large, and only reading needs it.
	return change, &inventory.List{Objects: cluster.Objects, Problems: cluster.Problems, Skipped: cluster.Skipped}
}
