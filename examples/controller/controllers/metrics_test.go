package controllers

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// gathered returns the metrics of an exporter, a line for each.
func gathered(e *Exporter) (string, error) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(e)
	families, err := registry.Gather()
	var text strings.Builder
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, label := range m.GetLabel() {
				labels = append(labels, label.GetName()+"="+label.GetValue())
			}
			fmt.Fprintf(&text, "%s{%s} %v: %s\n", family.GetName(), strings.Join(labels, ","), m.GetGauge().GetValue(), family.GetHelp())
		}
	}
	return text.String(), err
}

// The leader alone serves metrics, from what is stored and what the book has not published. A list that fails is an error
// of the scrape.
func TestExporter(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "2"))
	e := &Exporter{Client: w, Book: w.book}
	if got, err := gathered(e); got != "" || err != nil || !e.NeedLeaderElection() {
		t.Errorf("without the lead: %s, %v", got, err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- e.Start(ctx) }()
	for !e.leads.Load() {
		select {
		case err := <-ended:
			t.Fatal("it ended before its context:", err)
		case <-time.After(time.Millisecond):
		}
	}
	got, err := gathered(e)
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"capsule_claim_resource{name=has,resource=pods,target_namespace=a} 2: The given amount of resources from the claim\n",
		"capsule_pool_available{pool=p,resource=pods} 1: Current resource availability for a given resource in a resource pool\n",
		"kubemath_pool_pending_claims{} 0: Claims that were decided on, and are not told yet, since their pool is not recorded.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %sin\n%s", want, got)
		}
	}
	for n := range 2 {
		w.breakCall(n)
		if _, err := gathered(&Exporter{Client: w.claims.Client, Book: w.book}); err != nil {
			t.Errorf("list %d fails without the lead: %v", n, err)
		}
		e.Client = w.claims.Client
		if _, err := gathered(e); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("list %d: %v", n, err)
		}
	}
	end()
	if err := <-ended; err != nil || e.leads.Load() {
		t.Errorf("after the lead: %v, %t", err, e.leads.Load())
	}
}
