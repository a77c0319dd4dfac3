package comparison_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
)

// The whole report on what is applied to a cluster with everything, and what each option changes.
func TestVariants(t *testing.T) {
	golden.Variants(t, everything, "testdata/rich.txt",
		"-on cluster.yaml change.yaml",
		"-on cluster.yaml change.yaml -old before.yaml",
		"-on cluster.yaml change.yaml -at-once -run-cronjobs",
		"-on cluster.yaml change.yaml -kubernetes 1.33",
		"-on cluster.yaml change.yaml -strict",
		"-on cluster.yaml change.yaml -asked",
		"-on cluster.yaml change.yaml -app web",
		"-on cluster.yaml -remove shop",
		"-on calm.yaml change.yaml",
		"-on calm.yaml change.yaml -at-once",
		"-on calm.yaml calm.yaml",
		"-on resize.yaml resize.yaml",
		"change.yaml",
		"change.yaml -old before.yaml",
		"before.yaml -old change.yaml",
		"cluster.yaml -run-cronjobs",
	)
}

// everything is a program: a file to apply, and flags for the rest.
func everything(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o comparison.Options
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	on, old, remove, app := flags.String("on", "", ""), flags.String("old", "", ""), flags.String("remove", "", ""), flags.String("app", "", "")
	strict, asked := flags.Bool("strict", false, ""), flags.Bool("asked", false, "")
	flags.BoolVar(&o.AtOnce, "at-once", false, "")
	flags.BoolVar(&o.RunCronJobs, "run-cronjobs", false, "")
	flags.StringVar(&o.Admission.Kubernetes.Release, "kubernetes", "", "")
	name := ""
	for i, arg := range args { // which may stand before flags
		if arg[0] != '-' && (i == 0 || args[i-1][0] != '-' || slices.Contains([]string{"-strict", "-asked", "-at-once", "-run-cronjobs"}, args[i-1])) {
			name, args = arg, slices.Delete(slices.Clone(args), i, i+1)
			break
		}
	}
	if err := flags.Parse(args); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	read := func(l *inventory.List, name string, check objects.Check) {
		if name != "" {
			l.Home = "default"
			l.Read(objects.Reader{Kinds: inventory.Kinds, Check: check, Matters: true}.Files([]string{name}))
		}
	}
	in := &comparison.Input{}
	if *app != "" {
		in.Change.Selects = func(o metav1.Object) bool { return o.GetLabels()["app"] == *app }
	}
	read(&in.Change, name, objects.Checked(*strict))
	read(&in.Old, *old, objects.Warn)
	read(&in.Cluster, *on, objects.Unchecked)
	if *remove != "" {
		in.Old.Selects = func(o metav1.Object) bool { return o.GetNamespace() == *remove }
		read(&in.Old, *on, objects.Unchecked)
	}
	if o.OnCluster = *on != ""; *asked {
		kubernetes := o.Admission.Kubernetes
		o.Admission = inventory.Admission(in.Cluster.Objects, true)
		o.Admission.Kubernetes = kubernetes
	}
	r, err := comparison.ReportOf(in, o)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	fmt.Fprintln(stdout, r.Summary(), r.Fails())
	fields := reflect.ValueOf(*r)
	for i := range fields.NumField() {
		field, what := fields.Field(i), fields.Type().Field(i).Name
		if field.Kind() != reflect.Slice {
			field = reflect.Append(reflect.MakeSlice(reflect.SliceOf(field.Type()), 0, 1), field)
		}
		for j := range field.Len() {
			value := field.Index(j).Interface()
			text, err := json.Marshal(value)
			fmt.Fprintln(stdout, what, string(text))
			if err != nil {
				fmt.Fprintln(stderr, err)
			}
			if o, is := value.(comparison.Object); is {
				fmt.Fprintf(stdout, "  %s (%t, %s, %d)\n", o.Head(), o.Fails(), o.Gone, o.Coming)
				for _, note := range o.Notes() {
					fmt.Fprintln(stdout, "   ", note)
				}
			}
		}
	}
	for _, line := range comparison.Lost(r.Pods) {
		fmt.Fprintln(stdout, line)
	}
	return 0
}
