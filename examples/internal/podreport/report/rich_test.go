package report_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/golden"
)

// The whole report on a cluster with everything, and what each option changes.
func TestVariants(t *testing.T) {
	golden.Variants(t, everything, "testdata/rich.txt",
		"cluster.yaml",
		"cluster.yaml -kubernetes 1.33",
		"cluster.yaml -asked",
		"cluster.yaml -strict",
		"cluster.yaml -l app=web",
		"cluster.yaml -l app=web -require limits.cpu,memory",
		"cluster.yaml -require requests.cpu",
		"cluster.yaml -strict -require limits.memory",
		"change.yaml -cpu 1 -memory 1Gi",
		"cluster.yaml change.yaml",
		"cluster.yaml change.yaml -home other",
		"change.yaml",
		"change.yaml -cpu 2 -memory 3Gi",
		"change.yaml -cpu 0.5",
		"change.yaml -asked",
		"change.yaml -kubernetes 1.38",
		"calm.yaml",
		"resize.yaml",
		"before.yaml -strict",
		"workloads.yaml",
		"workloads.yaml -asked",
		"workloads.yaml -strict -kubernetes 1.33",
		"pool.yaml",
	)
}

// everything is a program: files, and then flags for the options.
func everything(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	n := 0
	for n < len(args) && !strings.HasPrefix(args[n], "-") {
		n++
	}
	var opts report.Options
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(stderr)
	home, strict, asked := flags.String("home", "default", ""), flags.Bool("strict", false, ""), flags.Bool("asked", false, "")
	selector, required := flags.String("l", "", ""), flags.String("require", "", "")
	flags.StringVar(&opts.Kubernetes.Release, "kubernetes", "", "")
	flags.Func("cpu", "", opts.Size.SetCPU)
	flags.Func("memory", "", opts.Size.SetMemory)
	err := flags.Parse(args[n:])
	selects, failed := labels.Parse(*selector)
	if err := cmp.Or(err, failed); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	for name := range strings.SplitSeq(*required, ",") {
		if name != "" {
			opts.Required = append(opts.Required, corev1.ResourceName(name))
		}
	}
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Check: objects.Checked(*strict), Matters: true}.Files(args[:n]), manifest.Options{
		Home: *home, Strict: *strict, Asked: *asked,
		Selects: func(o metav1.Object) bool { return selects.Matches(labels.Set(o.GetLabels())) },
	})
	r := report.Of(in, opts)
	write := func(what string, value any) {
		if text, err := json.Marshal(value); err != nil {
			fmt.Fprintln(stderr, err)
		} else if string(text) != "null" {
			fmt.Fprintf(stdout, "%s %s\n", what, text)
		}
	}
	fields := reflect.ValueOf(*r)
	for i := range fields.NumField() {
		if field := fields.Field(i); field.Kind() == reflect.Slice {
			for j := range field.Len() {
				write(fields.Type().Field(i).Name, field.Index(j).Interface())
			}
		} else {
			write(fields.Type().Field(i).Name, field.Interface())
		}
	}
	fmt.Fprintln(stdout, "rejects:", r.Rejects())
	for _, n := range r.Namespaces {
		fmt.Fprintf(stdout, "share of %s: %.4f\n", n.Name, r.Share(&n.Sums))
	}
	for _, o := range r.All() {
		fmt.Fprintln(stdout, o.Title())
	}
	return 0
}
