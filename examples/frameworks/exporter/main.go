// Command exporter serves metrics of what is left: of each ResourceQuota, and on each node for further pods. It lists
// and watches ResourceQuotas, Nodes and Pods, and serves the path /metrics on port 8080.
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve reads the cluster of the kubeconfig, or the one that it runs in.
func serve() error {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(newCollector(clients))
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Addr: ":8080", ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

var (
	remaining = prometheus.NewDesc("kubemath_quota_remaining",
		"What remains of a ResourceQuota, in cores, bytes or objects. It is below zero if the quota is exceeded.",
		[]string{"namespace", "resourcequota", "resource"}, nil)
	free = prometheus.NewDesc("kubemath_node_free",
		"What a node has for further pods, in cores, bytes or pods: what it can allocate without the requests of its pods.",
		[]string{"node", "resource"}, nil)
)

// collector has the objects of informers.
type collector struct {
	quotas listers.ResourceQuotaLister
	nodes  listers.NodeLister
	pods   listers.PodLister
}

// newCollector returns a collector that has read all objects once.
func newCollector(clients kubernetes.Interface) *collector {
	factory := informers.NewSharedInformerFactory(clients, 0)
	core := factory.Core().V1()
	c := &collector{core.ResourceQuotas().Lister(), core.Nodes().Lister(), core.Pods().Lister()}
	forever := make(chan struct{})
	factory.Start(forever)
	factory.WaitForCacheSync(forever)
	return c
}

func (c *collector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- remaining
	descriptions <- free
}

// Collect sends what is left now. Objects of informers are shared: the library only reads them.
func (c *collector) Collect(metrics chan<- prometheus.Metric) {
	send := func(what *prometheus.Desc, list corev1.ResourceList, of ...string) {
		for name, amount := range list {
			metrics <- prometheus.MustNewConstMetric(
				what, prometheus.GaugeValue, amount.AsApproximateFloat64(), append(of, string(name))...,
			)
		}
	}
	quotas, err := c.quotas.List(labels.Everything())
	if err != nil {
		metrics <- prometheus.NewInvalidMetric(remaining, err)
	}
	for _, q := range quotas {
		send(remaining, quota.Remaining(q), q.Namespace, q.Name)
	}
	ledgers, err := c.ledgers()
	if err != nil {
		metrics <- prometheus.NewInvalidMetric(free, err)
	}
	for name, ledger := range ledgers {
		send(free, ledger.Free(), name)
	}
}

// ledgers returns each node with the pods that have not ended.
func (c *collector) ledgers() (map[string]*noderesources.Ledger, error) {
	nodes, err := c.nodes.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	pods, err := c.pods.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	ledgers := map[string]*noderesources.Ledger{}
	for _, node := range nodes {
		ledgers[node.Name] = noderesources.NewLedger(node.Status.Allocatable)
	}
	for _, pod := range pods {
		ledger := ledgers[pod.Spec.NodeName]
		if ledger == nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		if err := ledger.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
			return nil, fmt.Errorf("pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
	}
	return ledgers, nil
}
