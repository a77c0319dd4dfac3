package report_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func reportOn(manifests string) *report.Report {
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(manifests)}.Files([]string{"-"}), manifest.Options{Home: "home"})
	return report.Of(in, report.Options{})
}

func workload(namespace, name string, replicas, milli, bytes int) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s%s}\nspec: {replicas: %d, template: {spec: {containers: [{name: app, resources: {requests: {cpu: %dm, memory: %d}}}]}}}\n---\n",
		name, strings.Repeat(", namespace: "+namespace, min(len(namespace), 1)), replicas, milli, bytes)
}

// What is summed up by namespace and by owner is the sum of the replicas of each, in another way to
// add; and all is there once, sorted by what is held.
func TestSummary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var manifests strings.Builder
		cpu, memory, pods := map[string]int64{}, map[string]int64{}, map[string]int64{}
		var allCPU, allMemory int64
		for i := range 1 + random.IntN(12) {
			namespace := []string{"", "a", "b", "c", "d"}[random.IntN(5)]
			replicas, milli, bytes := random.IntN(4), 1+random.IntN(3), 1+random.IntN(3)
			manifests.WriteString(workload(namespace, fmt.Sprint("w", i), replicas, milli, bytes))
			home := namespace
			if namespace == "" {
				home = "home"
			}
			cpu[home] += int64(replicas * milli)
			memory[home] += int64(replicas * bytes)
			pods[home] += int64(replicas)
			allCPU += int64(replicas * milli)
			allMemory += int64(replicas * bytes)
		}
		s := reportOn(manifests.String()).Summary
		if len(s.Namespaces) != len(pods) {
			t.Fatalf("%d namespaces, want %d", len(s.Namespaces), len(pods))
		}
		for _, n := range s.Namespaces {
			gotCPU, gotMemory := n.Requests[corev1.ResourceCPU], n.Requests[corev1.ResourceMemory]
			if gotCPU.MilliValue() != cpu[n.Name] || gotMemory.Value() != memory[n.Name] || n.Pods != pods[n.Name] {
				t.Errorf("%s holds %v of %d pods, want %dm, %d, of %d", n.Name, n.Requests, n.Pods, cpu[n.Name], memory[n.Name], pods[n.Name])
			}
		}
		share := func(h *report.Held) *big.Rat {
			most := new(big.Rat)
			q, m := h.Requests[corev1.ResourceCPU], h.Requests[corev1.ResourceMemory]
			if allCPU > 0 {
				most.SetFrac64(q.MilliValue(), allCPU)
			}
			if allMemory > 0 {
				if other := big.NewRat(m.Value(), allMemory); other.Cmp(most) > 0 {
					most = other
				}
			}
			return most
		}
		for i := 1; i < len(s.Namespaces); i++ {
			if a, b := &s.Namespaces[i-1], &s.Namespaces[i]; share(&a.Held).Cmp(share(&b.Held)) < 0 {
				t.Errorf("%s comes before %s, which holds more", a.Name, b.Name)
			}
		}
		var owned int64
		for i := range s.Owners {
			q := s.Owners[i].Requests[corev1.ResourceCPU]
			owned += q.MilliValue()
			if i > 0 && share(&s.Owners[i-1].Held).Cmp(share(&s.Owners[i].Held)) < 0 {
				t.Errorf("%s comes before %s, which holds more", s.Owners[i-1].Name, s.Owners[i].Name)
			}
		}
		if owned != allCPU {
			t.Errorf("owners hold %dm, want %dm", owned, allCPU)
		}
	}
}

// What holds the same is sorted by namespace and name; what is rejected holds nothing, and is counted.
func TestSummaryTies(t *testing.T) {
	const rejected = "apiVersion: v1\nkind: Pod\nmetadata: {name: aaa, namespace: b}\nspec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n---\n"
	r := reportOn(workload("b", "yy", 1, 5, 5) + workload("a", "z", 1, 5, 5) + workload("b", "xx", 1, 5, 5) + rejected)
	var got []string
	for _, o := range r.Summary.Owners {
		got = append(got, fmt.Sprintf("%s %s/%s %d of %d, %d", o.Kind, o.Namespace, o.Name, o.Rejected, o.Workloads, o.Pods))
	}
	want := []string{"Deployment a/z 0 of 1, 1", "Deployment b/xx 0 of 1, 1", "Deployment b/yy 0 of 1, 1", "Pod b/aaa 1 of 1, 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A quota is used as its status says, and then by what is admitted.
func TestSummaryOfQuotas(t *testing.T) {
	quota := func(name, status string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + name + ", namespace: a}\nspec: {hard: {requests.cpu: 10m, pods: 7}}\n" + status + "---\n"
	}
	status := "status: {hard: {requests.cpu: 10m, pods: 7}, used: {requests.cpu: 1m, pods: 2}}\n"
	r := reportOn(quota("known", status) + workload("a", "fits", 2, 4, 1) + workload("a", "too-many", 1, 4, 1) + quota("new", ""))
	type row struct {
		name, used, then, hard string
		atLeast                bool
	}
	var got []row
	for _, q := range r.Summary.Namespaces[0].Quotas {
		const cpu = corev1.ResourceRequestsCPU
		got = append(got, row{q.Name, q.Used.Text(cpu) + " " + q.Used.Text("pods"), q.Then.Text(cpu) + " " + q.Then.Text("pods"), q.Hard.Text(cpu) + " " + q.Hard.Text("pods"), q.AtLeast})
	}
	want := []row{{"known", "1m 2", "9m 4", "10m 7", false}, {"new", "0 0", "8m 2", "10m 7", true}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
}
