package report_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The versions of the kinds in these tests.
var versions = map[string]string{
	"Pod": "v1", "Job": "batch/v1", "CronJob": "batch/v1", "Node": "v1", "Service": "v1", "ConfigMap": "v1", "ReplicationController": "v1",
	"PersistentVolumeClaim": "v1", "LimitRange": "v1", "ResourceQuota": "v1", "PriorityClass": "scheduling.k8s.io/v1",
	"RuntimeClass": "node.k8s.io/v1", "StorageClass": "storage.k8s.io/v1", "DeviceClass": "resource.k8s.io/v1", "ResourceClaim": "resource.k8s.io/v1",
}

// document returns an object, given its metadata and its other fields, one a line.
func document(kind, metadata string, more ...string) string {
	version, known := versions[kind]
	if !known {
		version = "apps/v1"
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {%s}\n%s\n", version, kind, metadata, strings.Join(more, "\n"))
}

func spec(fields string) string   { return "spec: {" + fields + "}" }
func status(fields string) string { return "status: {" + fields + "}" }

// container is one that requests so much CPU, and template has it.
func container(cpu string) string {
	return "containers: [{name: app, resources: {requests: {cpu: " + cpu + "}}}]"
}
func template(cpu string) string { return "template: {spec: {" + container(cpu) + "}}" }

// deployment has pods that request so much CPU each.
func deployment(name string, replicas int, cpu string) string {
	return document("Deployment", "name: "+name, spec(fmt.Sprintf("replicas: %d, %s", replicas, template(cpu))))
}

// quota has the same bounds in its status.
func quota(name, hard, used string) string {
	return document("ResourceQuota", "name: "+name+", uid: "+name, spec("hard: {"+hard+"}"), status("hard: {"+hard+"}, used: {"+used+"}"))
}

// reader reads documents.
func reader(documents ...string) iter.Seq[objects.Object] {
	return objects.Reader{Kinds: manifest.Kinds, Matters: true, Check: objects.Warn, Stdin: strings.NewReader(strings.Join(documents, "---\n"))}.Files([]string{"-"})
}

// of returns the report on documents.
func of(opts report.Options, documents ...string) (*report.Report, *manifest.Input) {
	in := manifest.Of(reader(documents...), manifest.Options{Home: "home"})
	return report.Of(in, opts), in
}

// list returns amounts as "cpu 1, memory 2Gi".
func list(a report.Amounts) string {
	var all []string
	for _, name := range a.Names() {
		all = append(all, string(name)+" "+a.Text(name))
	}
	return strings.Join(all, ", ")
}

// verdict describes what becomes of an object, in lines.
func verdict(o *report.Object, pods, admitted int64) (lines []string) {
	line := o.Title()
	if pods >= 0 {
		line += fmt.Sprintf(": %d of %d admitted", admitted, pods)
	}
	if r := o.Rejection; r != nil {
		line += ", rejected"
		if r.Stored {
			line += ", stored"
		}
		if r.Blocked != "" {
			line += ", blocked: " + r.Blocked
		}
	}
	lines = append(lines, line)
	for _, u := range o.Quotas {
		line := fmt.Sprintf("  %s: used %s; asks %s of %s; left %s", u.Name, list(u.Used), list(u.Asked), list(u.Hard), list(u.Left))
		if u.Unknown != "" {
			line += "; " + u.Unknown
		}
		lines = append(lines, line)
	}
	if f := o.Fit; f != nil {
		lines = append(lines, fmt.Sprintf("  %s, of %d, exist %v: %s", f.Unit, f.Wanted, f.Exist, f.Words()))
	}
	if o.Rejection != nil {
		for _, r := range o.Rejection.Reasons {
			lines = append(lines, fmt.Sprintf("  %s (%s): %s: %s", r.Subject, r.Path, r.What, r.Remedy))
		}
	}
	return lines
}

// usage describes the quotas of all namespaces, in lines.
func usage(r *report.Report) (lines []string) {
	for i := range r.Namespaces {
		n := &r.Namespaces[i]
		for _, q := range n.Quotas {
			line := fmt.Sprintf("%s/%s: %s -> %s of %s", n.Name, q.Name, list(q.Used), list(q.Then), list(q.Hard))
			if q.AtLeast {
				line += ", at least"
			}
			if len(q.Unevaluated) > 0 {
				line += fmt.Sprintf(", unevaluated %v, never %v", q.Unevaluated, q.NeverCounted)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// findings describes the problems of the input, in lines.
func findings(r *report.Report) (lines []string) {
	for _, of := range []struct {
		grade string
		list  []report.Finding
	}{{"error", r.Errors}, {"warning", r.Warnings}, {"note", r.Notes}, {"not computed", r.NotComputed}} {
		for _, f := range of.list {
			line := fmt.Sprintf("%s in %d: %s: ", of.grade, f.Source.Document, f.Object)
			if f.Field != "" {
				line += f.Field + ": "
			}
			line += f.Text
			if f.Rejected {
				line += " (rejected)"
			}
			lines = append(lines, line)
		}
	}
	for _, s := range r.Skipped {
		lines = append(lines, fmt.Sprintf("skipped: %d %s", s.Count, s.Kind))
	}
	return lines
}

// scene is an input, and the lines that describe what becomes of it.
type scene struct {
	name  string
	input []string
	want  string
}

// check compares lines about each report.
func check(t *testing.T, opts report.Options, scenes []scene, describe func(*report.Report) []string) {
	t.Helper()
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			r, _ := of(opts, s.input...)
			want := strings.Split(strings.TrimPrefix(strings.ReplaceAll(s.want, "\n\t\t\t", "\n"), "\n"), "\n")
			testkit.NoDiff(t, describe(r), want)
		})
	}
}

// verdicts describes everything that quotas and LimitRanges decide.
func verdicts(r *report.Report) (lines []string) {
	for i := range r.Workloads {
		w := r.Workloads[i]
		lines = append(lines, verdict(&w.Object, w.Pods, w.Admitted)...)
	}
	for i := range r.Objects {
		lines = append(lines, verdict(r.Objects[i], -1, 0)...)
	}
	return append(append(lines, usage(r)...), findings(r)...)
}
