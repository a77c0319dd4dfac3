package podreport

import (
	"cmp"
	"embed"
	"io"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files and directories, the cluster, or the samples.
func readAll(o *options, stdin io.Reader) *manifest.Input {
	home := cmp.Or(o.Namespace, "default")
	reader := objects.Reader{Kinds: manifest.Kinds, Stdin: stdin, Check: objects.Checked(o.Strict), Matters: true}
	all := origin.Objects(reader, &o.Common, samples, resources...)
	return manifest.Of(all, manifest.Options{Home: home, Strict: o.Strict, Asked: o.Cluster && len(o.Files) == 0})
}

// resources are those that kubectl reads.
var resources = []string{
	"pods", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
	"replicationcontrollers", "services", "persistentvolumeclaims", "limitranges", "resourcequotas", "nodes",
	"priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io", "storageclasses.storage.k8s.io",
}
