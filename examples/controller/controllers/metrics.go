package controllers

import (
	"context"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/pool"
)

// The controller's own metrics. controller-runtime provides those of queues, reconcilers and
// clients.
var (
	poolOpenings = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "kubemath_pool_openings_total",
		Help: "How often a pool was opened in the book: once, and again after somebody else has written its record.",
	})
	poolRecords = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "kubemath_pool_records_total",
		Help: "How often the status of a pool was written, and how often that met with a conflict at first.",
	}, []string{"result"})
	pendingClaims = prometheus.NewDesc("kubemath_pool_pending_claims",
		"Claims that were decided on, and are not told yet, since their pool is not recorded.", nil, nil)
)

const (
	resultWritten  = "written"
	resultConflict = "conflict"
)

func init() { metrics.Registry.MustRegister(poolOpenings, poolRecords) }

// Exporter serves the metrics of pools and claims, under Capsule's names: package poolmetrics
// computes them from the cache at the time of the scrape. It is a prometheus.Collector, and a
// Runnable of a manager: only the leader serves them, so no claim is counted twice.
type Exporter struct {
	Client client.Reader
	Book   *book.Book

	leads atomic.Bool
}

// Start serves until the context ends.
func (e *Exporter) Start(ctx context.Context) error {
	e.leads.Store(true)
	defer e.leads.Store(false)
	<-ctx.Done()
	return nil
}

// NeedLeaderElection is true: see Exporter.
func (*Exporter) NeedLeaderElection() bool { return true }

// Describe sends nothing, because the labels depend on the objects.
func (*Exporter) Describe(chan<- *prometheus.Desc) {}

// Collect sends the current metrics.
func (e *Exporter) Collect(ch chan<- prometheus.Metric) {
	if !e.leads.Load() {
		return
	}
	ctx := context.Background()
	pools, err := listPools(ctx, e.Client)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(pendingClaims, err)
		return
	}
	claims, err := listClaims(ctx, e.Client)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(pendingClaims, err)
		return
	}
	ch <- prometheus.MustNewConstMetric(pendingClaims, prometheus.GaugeValue, float64(e.Book.Pending()))
	for _, m := range poolmetrics.Collect(pools, claims, pool.Options{}) {
		for _, sample := range m.Samples {
			var names, values []string
			for _, label := range sample.Labels {
				names, values = append(names, label.Name), append(values, label.Value)
			}
			desc := prometheus.NewDesc(m.Name, m.Help, names, nil)
			ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, sample.Value, values...)
		}
	}
}
