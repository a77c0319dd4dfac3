package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// The results of the measured functions are stored here.
var (
	allocationSink *pool.Allocation
	claimsSink     []*pool.ResourcePoolClaim
	demandSink     peak.Demand
)

// scaleRows have no rivals, but a bound on their growth.
func scaleRows() (rows []measure.Scale) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		rows = append(rows, measure.Scale{
			Subject: fmt.Sprintf("allocating %d claims", n), Yardstick: "sorting them", AtMost: 3,
			Prepare: func() (func(), func(), time.Duration) { return allocateBesideSort(n) },
		})
	}
	return append(rows,
		measure.Scale{
			Subject: "5 events of a pool with 1000000 claims", Yardstick: "allocating them", AtMost: 5. / 1000,
			Prepare: eventsBesideAllocate,
		},
		measure.Scale{
			Subject: "a recount of 100000 pods", Yardstick: "the quota controller's functions", AtMost: 1. / 4,
			Prepare: recountBesideEvaluator,
		},
		measure.Scale{
			Subject: "a report of 20000 pods", Yardstick: "decoding their manifests", AtMost: 4,
			Prepare: reportBesideDecoding,
		},
		measure.Scale{
			Subject: "peak demand, 1000 tasks, 250000 edges", Yardstick: "a second", AtMost: 1,
			Prepare: peakOfDenseRun,
		},
	)
}

func newPool(name string, hard corev1.ResourceList) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name, p.Spec.Quota.Hard = name, hard
	return p
}

func newClaim(namespace, name string, second int, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(namespace + "/" + name),
		CreationTimestamp: metav1.Unix(int64(second), 0),
	}}
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: amounts}
	return c
}

func allocateBesideSort(n int) (allocate, order func(), _ time.Duration) {
	p, claims := testkit.ManyClaims(n, newPool, newClaim)
	allocate = func() { allocationSink = pool.Allocate(p, claims, pool.Options{Documented: true}) }
	order = func() {
		claimsSink = slices.Clone(claims)
		slices.SortFunc(claimsSink, func(a, b *pool.ResourcePoolClaim) int {
			return cmp.Or(
				a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name),
				strings.Compare(a.Namespace, b.Namespace), strings.Compare(string(a.UID), string(b.UID)),
			)
		})
	}
	return allocate, order, 0
}

// eventsBesideAllocate: a claim is created, changed and deleted, and the pool grows and
// shrinks.
func eventsBesideAllocate() (events, allocate func(), _ time.Duration) {
	p, claims := testkit.ManyClaims(1_000_000, newPool, newClaim)
	l := allocator.New(p, claims, pool.Options{Documented: true})
	larger := p.DeepCopy()
	for name, q := range larger.Spec.Quota.Hard {
		q.Add(resource.MustParse("1"))
		larger.Spec.Quota.Hard[name] = q
	}
	newcomer := newClaim("namespace-0", "newcomer", 0, testkit.List("requests.cpu", "1", "requests.memory", "1Gi"))
	changed := newcomer.DeepCopy()
	changed.Spec.Claim = testkit.List("requests.cpu", "1500m", "limits.cpu", "2")
	set := func(c *pool.ResourcePoolClaim) {
		if _, err := l.Set(c); err != nil {
			panic(err)
		}
	}
	events = func() {
		set(newcomer)
		set(changed)
		l.Delete(types.NamespacedName{Namespace: newcomer.Namespace, Name: newcomer.Name})
		l.SetPool(larger)
		l.SetPool(p)
	}
	return events, func() { allocationSink = pool.Allocate(p, claims, pool.Options{Documented: true}) }, 0
}

// peakOfDenseRun is about tasks that each wait for every other earlier task.
func peakOfDenseRun() (of, _ func(), limit time.Duration) {
	run := &affinity.Run{}
	for i := range int64(1000) {
		task := affinity.Task{Name: fmt.Sprintf("task-%04d", i), Requests: corev1.ResourceList{
			corev1.ResourceCPU:    *resource.NewMilliQuantity(i*7919%4000+1, resource.DecimalSI),
			corev1.ResourceMemory: *resource.NewQuantity(i*104729%(1<<33)+1, resource.BinarySI),
		}}
		for before := range i {
			if (before+i)%2 == 1 {
				task.RunAfter = append(task.RunAfter, run.Tasks[before].Name)
			}
		}
		run.Tasks = append(run.Tasks, task)
	}
	of = func() {
		demand, err := peak.DemandOf(run, peak.Options{})
		if err != nil {
			panic(err)
		}
		demandSink = demand
	}
	return of, nil, time.Second
}
