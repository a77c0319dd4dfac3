package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/testkit"
)

// input returns what was read from documents.
func input(documents ...string) *manifest.Input {
	all := objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(strings.Join(documents, "---\n"))}.Files([]string{"-"})
	return manifest.Of(all, manifest.Options{Home: "home"})
}

// template and pods have one container each.
const (
	template  = "template: {spec: {containers: [{name: app}]}}"
	container = "containers: [{name: app}]"
)

// document returns an object, given its fields.
func document(kind, metadata string, more ...string) string {
	versions := map[string]string{
		"Pod": "v1", "ReplicationController": "v1", "Job": "batch/v1", "CronJob": "batch/v1", "Node": "v1", "Service": "v1",
		"PersistentVolumeClaim": "v1", "LimitRange": "v1", "ResourceQuota": "v1", "PriorityClass": "scheduling.k8s.io/v1",
		"RuntimeClass": "node.k8s.io/v1", "StorageClass": "storage.k8s.io/v1", "ResourceClaim": "resource.k8s.io/v1",
		"ResourceClaimTemplate": "resource.k8s.io/v1", "DeviceClass": "resource.k8s.io/v1",
	}
	version, known := versions[kind]
	if !known {
		version = "apps/v1"
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {%s}\n%s\n", version, kind, metadata, strings.Join(more, "\n"))
}

func spec(fields string) string   { return "spec: {" + fields + "}" }
func status(fields string) string { return "status: {" + fields + "}" }

// pod is a running pod of an owner, on a node.
func pod(name, owner, more string) string {
	return document("Pod", "name: "+name+", uid: "+name+", ownerReferences: [{controller: true, "+owner+"}]"+more,
		spec("nodeName: one, "+container), status("phase: Running"))
}

// told describes a workload in one line: what is false or zero is left out.
func told(w *manifest.Workload) string {
	line := fmt.Sprintf("%s %s/%s: %s; pods %d", w.Kind, w.Home, w.Name, w.Scale(), w.Pods)
	ended := int64(0)
	for i := range w.Members {
		if w.Members[i].Ended {
			ended++
		}
	}
	for _, n := range []struct {
		name string
		n    int64
	}{{"missing", w.Missing}, {"live", w.LivePods()}, {"members", int64(len(w.Members))}, {"ended", ended}, {"expired", w.Expired}, {"claims", int64(len(w.Claims))}} {
		if n.n != 0 {
			line += fmt.Sprintf(", %s %d", n.name, n.n)
		}
	}
	for _, is := range []struct {
		name string
		is   bool
	}{
		{"exists", w.Exists}, {"surge", w.Surge}, {"assumed", w.Assumed}, {"next", w.Next}, {"applied", w.Applied},
		{"leaves", w.Leaves && w.Hook != 0}, {"a live pod", w.Live()}, {"node " + w.Node, w.Node != ""},
		{fmt.Sprintf("injected %s: %v", strings.Join(w.Injected, " and "), names(&w.Pod.Spec)), len(w.Injected) > 0},
	} {
		if is.is {
			line += ", " + is.name
		}
	}
	if message, reason := w.Failure(); message+reason != "" {
		line += ", " + reason + ": " + message
	}
	return line
}

// names returns those of containers, in their order.
func names(pod *corev1.PodSpec) (names []string) {
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		names = append(names, c.Name)
	}
	return names
}

// grades are what lines about problems have before the text; nothing if something is skipped.
var grades = map[objects.Grade]string{objects.Invalid: "invalid: ", objects.Unreadable: "unreadable: ", objects.Uncomputed: "not computed: ", objects.Failed: "failed: "}

// problems returns the problems of an input, one a line.
func problems(in *manifest.Input) (lines []string) {
	for _, p := range in.Problems {
		lines = append(lines, fmt.Sprintf("%d: %s%s", p.Source.Document, grades[p.Grade], strings.Join(strings.Fields(p.Field+" "+p.Text), " ")))
	}
	return lines
}

// scene is an input, and the lines about its workloads and then its problems.
type scene struct {
	name  string
	input []string
	want  []string
}

func check(t *testing.T, scenes []scene) {
	t.Helper()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			in := input(s.input...)
			var got []string
			for _, w := range in.Workloads {
				got = append(got, told(w))
				if w.Pod.Namespace != w.Home {
					t.Errorf("%s of %s has pods in %q", w.Name, w.Home, w.Pod.Namespace)
				}
				for _, m := range w.Members {
					if (m.Object == nil) == (m.Pod == nil) {
						t.Errorf("%s has the member %+v", w.Name, m)
					}
				}
			}
			testkit.NoDiff(t, append(got, problems(in)...), s.want)
		})
	}
}
