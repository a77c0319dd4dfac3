package manifest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/golden"
)

// What a report is about: all objects of files with everything, and what each option changes.
func TestVariants(t *testing.T) {
	golden.Variants(t, everything, "testdata/rich.txt",
		"cluster.yaml",
		"cluster.yaml home",
		"cluster.yaml strict",
		"cluster.yaml web",
		"cluster.yaml change.yaml",
		"change.yaml",
		"workloads.yaml",
		"workloads.yaml strict",
		"workloads.yaml web",
		"resize.yaml",
		"calm.yaml",
		"pool.yaml",
	)
}

// everything is a program: files, and options.
func everything(args []string, _ io.Reader, stdout, _ io.Writer) int {
	opts, check, files := manifest.Options{Home: "default"}, objects.Warn, []string(nil)
	for _, arg := range args {
		switch arg {
		case "home":
			opts.Home = "home"
		case "strict":
			opts.Strict, check = true, objects.Strict
		case "web":
			opts.Selects = func(o metav1.Object) bool { return o.GetLabels()["app"] == "web" }
		default:
			files = append(files, arg)
		}
	}
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Check: check, Matters: true}.Files(files), opts)
	asJSON := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	object := func(o *manifest.Object) {
		fmt.Fprintf(stdout, "%s %s/%s in %s of %v, a %s; exists: %t, hidden: %t", o.Kind, o.Namespace, o.Name, o.Home, o.Place, o.Unit(), o.Exists, o.Hidden)
	}
	for _, w := range in.Workloads {
		object(&w.Object)
		message, reason := w.Failure()
		fmt.Fprintf(stdout, "; %d pods, idle: %q, prefix: %q, live: %t, %d live, read: %t, scale: %s, failure: %q %q\n", w.Pods, w.Idle, w.Prefix, w.Live(), w.LivePods(),
			w.HasPods(), w.Scale(), message, reason)
		fmt.Fprintf(stdout, "  %d missing, surge: %t, assumed: %t, next: %t, applied: %t, %d expired, injected: %q, node: %q, selector: %s, hook: %v, leaves: %t, %d claims\n",
			w.Missing, w.Surge, w.Assumed, w.Next, w.Applied, w.Expired, w.Injected, w.Node, asJSON(w.Selector), w.Hook, w.Leaves, len(w.Claims))
		fmt.Fprintf(stdout, "  pod %s\n", asJSON(w.Pod))
		for _, m := range w.Members {
			fmt.Fprintf(stdout, "  member %T, on %q, ended: %t", m.Object, m.Node, m.Ended)
			if m.Pod != nil {
				fmt.Fprintf(stdout, ", %s", asJSON(m.Pod.Spec.Containers))
			}
			fmt.Fprintln(stdout)
		}
	}
	for _, o := range in.Objects {
		object(o)
		fmt.Fprintf(stdout, "\n  %s\n", asJSON(o.Typed))
	}
	for _, r := range in.Ranges {
		fmt.Fprintln(stdout, "LimitRange", asJSON(r))
	}
	for _, q := range in.Quotas {
		fmt.Fprintln(stdout, "ResourceQuota", in.QuotaAt(q.Namespace, q.Name), asJSON(q))
	}
	for _, s := range in.Shared {
		fmt.Fprintln(stdout, "shared", asJSON(s.ClusterQuota), "known:", in.SharersKnown(s.ClusterQuota))
		for _, namespace := range []string{"shop", "data", "no-quota", "share-a", "share-b-of-the-status", "fresh"} {
			fmt.Fprintf(stdout, "  by %s: %t\n", namespace, in.IsSharedBy(s.ClusterQuota, namespace))
		}
	}
	for _, n := range in.Nodes {
		fmt.Fprintf(stdout, "Node %s: %s\n  of web: %t, of the GPUs: %t\n", n.Name, asJSON(n), manifest.Selects(map[string]string{"pool": "web"}, n),
			manifest.Selects(map[string]string{"pool": "gpu", "disk": "fast"}, n))
	}
	for _, d := range in.Devices {
		fmt.Fprintln(stdout, "DeviceClass", asJSON(d))
	}
	for _, c := range in.Classes {
		fmt.Fprintln(stdout, "class", asJSON(c))
	}
	fmt.Fprintln(stdout, "kubelets:", in.Kubelets)
	for _, p := range in.Problems {
		fmt.Fprintln(stdout, p, p.Code())
	}
	return 0
}
