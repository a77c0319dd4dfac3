package report

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

// A workload that cannot be handled is an error, and takes nothing from the report on the others.
func TestFailedWorkload(t *testing.T) {
	const pods = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}\n---\n" +
		"apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {containers: [{name: app, resources: {requests: {cpu: 2}}}]}\n"
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds}.File("pods.yaml", strings.NewReader(pods)), manifest.Options{Home: "shop"})
	in.Workloads[0].Pod = nil // as no manifest does
	r := Of(in, Options{})
	if len(in.Workloads) != 1 || len(r.Workloads) != 1 || r.Workloads[0].Name != "b" || Amounts(r.Totals.Requests).Text("cpu") != "2" {
		t.Errorf("%d workloads, in all %v", len(r.Workloads), r.Totals.Requests)
	}
	if len(in.Problems) != 1 || in.Problems[0].Code() != 3 || len(r.Errors) != 1 || r.Errors[0].Object != "Pod a" || r.Errors[0].Source != (objects.Source{File: "pods.yaml", Document: 1}) {
		t.Errorf("%v, %+v", in.Problems, r.Errors)
	}
}
