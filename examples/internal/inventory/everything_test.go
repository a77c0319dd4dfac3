package inventory_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
)

// Lists of files with everything: what is in them, what is missing, and the templates and defaults of pods.
func TestEverything(t *testing.T) {
	golden.Variants(t, everything, "testdata/everything.txt",
		"cluster.yaml",
		"cluster.yaml dump",
		"cluster.yaml home",
		"cluster.yaml web",
		"cluster.yaml change.yaml",
		"cluster.yaml change.yaml 1.33",
		"change.yaml before.yaml",
		"before.yaml change.yaml",
		"workloads.yaml",
		"workloads.yaml 1.33",
	)
}

// everything is a program: files, of which the last one is what is applied to the others, and options.
func everything(args []string, _ io.Reader, stdout, _ io.Writer) int {
	var before, change inventory.List
	var files []string
	var kubernetes computeresources.Kubernetes
	dump := false
	for _, arg := range args {
		switch arg {
		case "dump":
			dump = true
		case "home":
			before.Home, change.Home = "home", "home"
		case "web":
			before.Selects = func(o metav1.Object) bool { return o.GetLabels()["app"] == "web" }
		case "1.33":
			kubernetes.Release = arg
		default:
			files = append(files, arg)
		}
	}
	reader := objects.Reader{Kinds: inventory.Kinds, Check: objects.Warn, Matters: true}
	for i, name := range files {
		switch {
		case dump:
			before.ReadDump(inventory.Packed(reader.Files([]string{name})))
		case i > 0:
			change.Read(reader.Files([]string{name}))
		default:
			before.Read(reader.Files([]string{name}))
		}
	}
	inventory.Known(&before, &change, files...)
	asJSON := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	for _, l := range []*inventory.List{&before, &change} {
		defaults := l.Defaults(kubernetes)
		for i, o := range l.Objects {
			fmt.Fprintf(stdout, "%v, %v", l.Places[i].Source, l.Places[i].Named)
			if at := l.At(o.GetObjectKind().GroupVersionKind().Kind, o.GetNamespace(), o.GetName()); at != (objects.Place{}) && at != l.Places[i] {
				fmt.Fprintf(stdout, " at %v", at)
			}
			if replicas := inventory.Replicas(o); replicas != nil {
				fmt.Fprintf(stdout, ", replicas %s", asJSON(*replicas))
			}
			if template := inventory.PodTemplate(o); template != nil {
				fmt.Fprintf(stdout, ", template %s", asJSON(template.Labels))
			}
			if spec := inventory.PodSpec(o); spec != nil {
				fmt.Fprintf(stdout, ", %d containers", len(spec.Containers))
			}
			if pod, is := o.(*corev1.Pod); is {
				fmt.Fprintf(stdout, ", priority %d", inventory.Priority(pod))
				pod = pod.DeepCopy()
				defaults.Apply(pod)
				for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
					fmt.Fprintf(stdout, ", %s %s", c.Name, asJSON(c.Resources))
				}
				if pod.Spec.Resources != nil {
					fmt.Fprintf(stdout, ", pod level %s", asJSON(pod.Spec.Resources))
				}
			}
			if c, is := o.(*resourcev1.ResourceClaim); is {
				fmt.Fprintf(stdout, ", spec %s", asJSON(c.Spec))
			}
			if q, is := o.(*corev1.ResourceQuota); is {
				fmt.Fprintf(stdout, ", shared: %t", inventory.IsShared(q))
			}
			fmt.Fprintln(stdout)
		}
		for _, phase := range []hook.Phase{hook.Before, hook.After} {
			for _, o := range l.HooksOf(phase) {
				fmt.Fprintln(stdout, "hook", phase, o.GetName())
			}
		}
		for _, template := range l.Templates() {
			fmt.Fprintln(stdout, "template", asJSON(template))
		}
		for _, p := range l.Problems {
			fmt.Fprintln(stdout, p, p.Code())
		}
		o := inventory.Admission(l.Objects, false)
		fmt.Fprintln(stdout, asJSON(l.Skipped), l.Kubelets(), l.Has("Node"), l.Graded(objects.Invalid, objects.Unreadable), len(o.PriorityClasses), o.PriorityClasses == nil,
			len(o.RuntimeClasses), o.RuntimeClasses == nil, len(o.StorageClasses), o.StorageClasses == nil)
		fmt.Fprintln(stdout, len(inventory.Of[*corev1.Pod](l)), len(inventory.In[*corev1.Pod](l, "shop")))
	}
	fmt.Fprintln(stdout, inventory.Namespaces(&before, &change), inventory.Note(&before, &change))
	for _, o := range before.Without(&change) {
		fmt.Fprintln(stdout, "without:", o.GetNamespace(), o.GetName())
	}
	return 0
}
