package page_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/page"
	"github.com/kubemath/kubemath/internal/testkit"
)

const two = `
apiVersion: v1
kind: Pod
metadata: {name: small, namespace: shop}
spec: {containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 1Gi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: large, namespace: lab}
spec: {containers: [{name: app, resources: {requests: {cpu: 3, memory: 1Gi}, limits: {cpu: 8, memory: 4Gi}}}]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: compute, namespace: shop}
spec: {hard: {requests.cpu: 8, limits.cpu: 2, pods: 10}}
status: {hard: {requests.cpu: 8, limits.cpu: 2, pods: 10}, used: {requests.cpu: 2, limits.cpu: 0, pods: 4}}
---
apiVersion: v1
kind: Node
metadata: {name: worker}
status: {allocatable: {cpu: 8, memory: 1Gi, pods: 10}}
`

// barsOf returns the classes and widths of the segments of each bar of a part of a page.
func barsOf(t *testing.T, part *element) (bars []map[string]float64) {
	t.Helper()
	for _, bar := range part.all("bar") {
		segments := map[string]float64{}
		for _, c := range bar.children {
			if s, is := c.(*element); is {
				segments[s.attributes["class"]] = width(t, s)
			}
		}
		bars = append(bars, segments)
	}
	return bars
}

func TestBars(t *testing.T) {
	root := parse(t, page.Body(reportOn(two)))
	section := func(id string) *element {
		for _, s := range root.all("section") {
			if s.attributes["id"] == id {
				return s
			}
		}
		t.Fatalf("no section %s", id)
		return nil
	}
	type bar = map[string]float64
	t.Run("namespaces have one scale", func(t *testing.T) {
		var got []bar
		for _, table := range section("namespaces").all("held") {
			got = append(got, barsOf(t, table)...)
		}
		// Of 8 CPUs and 4Gi, limits of lab, which holds the most.
		want := []bar{{"limit": 100, "request": 37.5}, {"limit": 100, "request": 25}, {"limit": 25, "request": 12.5}, {"limit": 25, "request": 25}}
		testkit.NoDiff(t, got, want)
	})
	t.Run("quotas", func(t *testing.T) {
		got := barsOf(t, section("namespaces").all("quota")[0])
		want := []bar{{"used": 40, "added": 10}, {"used": 0, "added": 100}, {"used": 25, "added": 12.5}} // pods, limits.cpu, requests.cpu
		testkit.NoDiff(t, got, want)
		if full := section("namespaces").all("full"); len(full) != 1 || full[0].all("th")[0].text() != "limits.cpu" {
			t.Errorf("%d rows are full", len(full))
		}
	})
	t.Run("holders", func(t *testing.T) {
		want := []bar{{"c0": 100}, {"c0": 100}, {"c1": 33.33}, {"c1": 100}}
		testkit.NoDiff(t, barsOf(t, section("holders")), want)
	})
	t.Run("nodes", func(t *testing.T) {
		// The arguments say that the node has 8 CPUs. Of memory it has half of what is requested.
		want := []bar{{"c0": 37.5, "c1": 12.5}, {"c0": 50, "c1": 50, "end": 50}, {"c0": 10, "c1": 10}}
		testkit.NoDiff(t, barsOf(t, section("nodes")), want)
		short := section("nodes").all("room")[1]
		testkit.Equal(t, short.attributes["class"], "room bad", "memory is")
	})
}
