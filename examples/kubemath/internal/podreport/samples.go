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

// readAll reads the named files and directories, or the samples if there are none. It calls a
// function before each object.
func readAll(o *options, stdin io.Reader, before func()) *manifest.Input {
	home := cmp.Or(o.Namespace, "default")
	all := origin.Objects(objects.Reader{Kinds: manifest.Kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}, &o.Common, samples, resources...)
	return manifest.Of(all, manifest.Options{Home: home, Strict: o.Strict, Before: before})
}

// resources are those that kubectl reads.
var resources = []string{"pods", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
	"replicationcontrollers", "horizontalpodautoscalers.autoscaling", "services", "persistentvolumeclaims", "limitranges", "resourcequotas", "nodes"}
