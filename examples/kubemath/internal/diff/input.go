package diff

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// resources are what kubectl reads. Secrets and ConfigMaps are read only if there are some to apply, because quotas know
// how many there are.
var resources = []string{"namespaces", "nodes", "limitranges", "resourcequotas", "pods", "replicationcontrollers", "services",
	"persistentvolumeclaims", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
	"priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io"}

var onDemand = map[string]string{"Secret": "secrets", "ConfigMap": "configmaps", "ResourceClaim": "resourceclaims.resource.k8s.io",
	"ResourceClaimTemplate": "resourceclaimtemplates.resource.k8s.io"}

// input has what was read. Of objects of the same kind and name, the last one counts.
type input struct {
	comparison.Input
	unread bool // the cluster could not be read
}

// readAll reads the manifests, what was applied before, and the cluster: what -on names; without that, what -old leads
// to by itself; without both, that of kubectl. Without manifests, it reads the samples.
func readAll(o *options, stdin io.Reader) *input {
	r := objects.Reader{Kinds: comparison.Kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}
	in := &input{}
	for _, l := range []*comparison.List{&in.Cluster, &in.Old, &in.Change} {
		*l = comparison.NewList(cmp.Or(o.Namespace, corev1.NamespaceDefault))
	}
	if len(o.Files) == 0 {
		in.Cluster.Read(r.FS(below("samples/cluster")))
		in.Change.Read(r.FS(below("samples/change")))
		return in
	}
	in.Change.Read(origin.Files(r, &o.Common, o.Files))
	in.Old.Read(origin.Files(r, &o.Common, o.old))
	switch {
	case len(o.on) > 0:
		in.Cluster.Read(r.Files(o.on))
	case len(o.old) == 0:
		c := command.Common{Cluster: true, All: true, Context: o.Context}
		r.Check = objects.Unchecked // it is stored already
		in.Cluster.Read(origin.Objects(r, &c, nil, resourcesFor(&in.Change)...))
	}
	in.unread = len(in.Cluster.Objects) == 0 && len(in.Cluster.Problems) > 0
	return in
}

// below returns a folder of the samples.
func below(folder string) fs.FS {
	files, _ := fs.Sub(comparison.Samples, folder) // which is there
	return files
}

// resourcesFor returns what kubectl should read, so that it is known which of the objects are there.
func resourcesFor(l *comparison.List) []string {
	all := slices.Clone(resources)
	for _, kind := range slices.Sorted(maps.Keys(onDemand)) {
		if l.Has(kind) {
			all = append(all, onDemand[kind])
		}
	}
	return all
}

// complain writes the problems, and returns the exit code.
func (in *input) complain(stderr io.Writer) int {
	code := command.OK
	for _, l := range []*comparison.List{&in.Change, &in.Old, &in.Cluster} {
		for _, p := range l.Problems {
			fmt.Fprintf(stderr, "kubemath: %v\n", p)
			code = max(code, p.Code())
		}
	}
	if len(in.Change.Skipped) > 0 {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(in.Change.Skipped)) {
			counts = append(counts, fmt.Sprintf("%d %s", in.Change.Skipped[kind], wording.Printable(kind)))
		}
		fmt.Fprintf(stderr, "kubemath: not considered, because it has no requests: %s\n", strings.Join(counts, ", "))
	}
	return code
}
