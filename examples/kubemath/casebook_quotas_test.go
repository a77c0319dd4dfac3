package main_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// quotaCases are questions about quotas, also those of queues, and prices.
var quotaCases = []libraryCase{
	{
		name:     "cohort with a nominal quota of its own",
		question: "A cohort of 4 has two teams with 2 each: how much may team b still use, if team a uses 4?",
		source:   "kubernetes-sigs/kueue#5289: the quotas add up to 8, so 4 (a maintainer)",
		got: func(t *testing.T) string {
			tree := treeOf(t, quotatree.Node{Name: "ab", Nominal: cpus(4)}, quotatree.Node{Name: "team-a", Parent: "ab", Nominal: cpus(2), Used: cpus(4)}, quotatree.Node{Name: "team-b", Parent: "ab", Nominal: cpus(2)})
			return fmt.Sprint(tree.State("team-b", "cpu").Available, "; ", tree.Take("team-b", cpus(5)))
		},
		want: "4; quotatree: team-b requests cpu=5, available: 4: nominal of ab",
	},
	{
		name:     "borrowing and lending limits",
		question: "How much may a queue of 6 use, if it borrows at most 4, or the other lends at most 4 of its 10?",
		source:   "kubernetes-sigs/kueue#709, #672 (borrowingLimit), #1751, #1331 (lendingLimit): 10 and 10",
		got: func(t *testing.T) string {
			borrows := treeOf(t, quotatree.Node{Name: "cohort"}, quotatree.Node{Name: "a", Parent: "cohort", Nominal: cpus(6), BorrowingLimit: cpus(4)}, quotatree.Node{Name: "b", Parent: "cohort", Nominal: cpus(10)})
			lends := treeOf(t, quotatree.Node{Name: "cohort"}, quotatree.Node{Name: "a", Parent: "cohort", Nominal: cpus(6)}, quotatree.Node{Name: "b", Parent: "cohort", Nominal: cpus(10), LendingLimit: cpus(4)})
			return fmt.Sprint(borrows.State("a", "cpu").Available, " ", lends.State("a", "cpu").Available)
		},
		want: "10 10",
	},
	{
		name:     "queues with guarantees",
		question: "Two queues are guaranteed 4 of 10 CPUs: does a third one get a group of 4?",
		source:   "volcano-sh/volcano#3684: it waits, since 2 are left for it",
		got: func(t *testing.T) string {
			shared := treeOf(t, quotatree.Node{Name: "root", Nominal: cpus(10)}, quotatree.Node{Name: "a", Parent: "root", Guarantee: cpus(4)}, quotatree.Node{Name: "b", Parent: "root", Guarantee: cpus(4)}, quotatree.Node{Name: "c", Parent: "root"})
			reserved := treeOf(t, quotatree.Node{Name: "root", Nominal: cpus(2)}, quotatree.Node{Name: "a", Parent: "root", Nominal: cpus(4), LendingLimit: cpus(0)}, quotatree.Node{Name: "b", Parent: "root", Nominal: cpus(4), LendingLimit: cpus(0)}, quotatree.Node{Name: "c", Parent: "root"})
			return fmt.Sprint(shared.FairShares("cpu", map[string]int64{"a": 4, "b": 4, "c": 4})["c"], " ", reserved.Take("c", cpus(4)) != nil)
		},
		want: "2 true",
	},
	{
		name:     "guarantees above the cluster",
		question: "May the guarantees of queues add up to more than the cluster has?",
		source:   "volcano-sh/volcano#4076: no, an error",
		got: func(*testing.T) string {
			_, err := quotatree.New([]quotatree.Node{{Name: "root", Nominal: cpus(10)}, {Name: "a", Parent: "root", Guarantee: cpus(11)}}, quotatree.Options{})
			return fmt.Sprint(err != nil)
		},
		want: "true",
	},
	{
		name:     "deserved above the capability",
		question: "May a queue deserve more than its capability?",
		source:   "volcano-sh/volcano#4292: an error since #4293",
		marked:   "shared quotas",
		got: func(*testing.T) string {
			_, err := quotatree.New([]quotatree.Node{{Name: "root", Nominal: cpus(20)}, {Name: "a", Parent: "root", Nominal: cpus(6), Max: cpus(4)}}, quotatree.Options{})
			return fmt.Sprint(err != nil)
		},
		want: "true",
	},
	{
		name:     "weights of queues",
		question: "What does the weight of a queue mean, if both queues ask for more than there is?",
		source:   "volcano-sh/volcano#975: 9 CPUs are shared 1 to 2",
		got: func(t *testing.T) string {
			one, two := list("w=1")["w"], list("w=2")["w"]
			tree := treeOf(t, quotatree.Node{Name: "root", Nominal: cpus(9)}, quotatree.Node{Name: "a", Parent: "root", Weight: &one}, quotatree.Node{Name: "b", Parent: "root", Weight: &two})
			shares := tree.FairShares("cpu", map[string]int64{"a": 9, "b": 9})
			return string(shares["a"] + " " + shares["b"])
		},
		want: "3 6",
	},
	{
		name:     "overused queue",
		question: "Whose job does my queue get its 6 CPUs back from, if another one uses 4 of them?",
		source:   "volcano-sh/volcano#1373: the overused queue's, and only as much as is needed",
		got: func(t *testing.T) string {
			tree := treeOf(t, quotatree.Node{Name: "root"}, quotatree.Node{Name: "a", Parent: "root", Nominal: cpus(6)}, quotatree.Node{Name: "b", Parent: "root", Nominal: cpus(4), Used: cpus(8)})
			holders := []quotatree.Holder{{Name: "large", Node: "b", Amounts: cpus(4), Priority: 1}, {Name: "small", Node: "b", Amounts: cpus(4)}}
			got, err := tree.Reclaim(quotatree.Holder{Name: "new", Node: "a", Amounts: cpus(6), Priority: 1}, holders, quotatree.Policy{WithinTree: quotatree.Any})
			return fmt.Sprint(err == nil, " ", len(got.Indices), " ", holders[got.Indices[0]].Name)
		},
		want: "true 1 small",
	},
	{
		name:     "quotas along a tree of namespaces",
		question: "The company has 100 GPUs, the department 50 and the team 10: what stops a request of the team?",
		source:   "kubernetes-retired/multi-tenancy#439, kubernetes-sigs/hierarchical-namespaces#277: the least along the path",
		got: func(t *testing.T) string {
			tree := treeOf(t, quotatree.Node{Name: "company", Nominal: cpus(100)},
				quotatree.Node{Name: "department", Parent: "company", Max: cpus(50)}, quotatree.Node{Name: "other", Parent: "department", Used: cpus(45)},
				quotatree.Node{Name: "team", Parent: "department", Max: cpus(10)})
			return fmt.Sprint(tree.Take("team", cpus(5)), "; ", tree.Take("team", cpus(5)))
		},
		want: "<nil>; quotatree: team requests cpu=5, available: 0: max of department",
	},
	{
		name:     "terminal pods in count/pods",
		question: "Are pods that have ended still counted?",
		source:   "kubernetes/kubernetes#117663, #138148; pkg/quota/v1/evaluator/core/pods.go, v1.36.3: as count/pods alone",
		got: func(*testing.T) string {
			pod := podOf("done", "cpu=1", "cpu=1")
			pod.Status.Phase = corev1.PodFailed
			return resourcelist.String(quota.Pod(pod, time.Now(), quota.PodOptions{}).Usage())
		},
		want: "count/pods=1",
	},
	{
		name:     "names that a quota never counts",
		question: "Which names of my quota limit nothing?",
		source:   "NVIDIA/k8s-device-plugin#211, Project-HAMi/website#104; pkg/quota/v1/evaluator/core/pods.go, v1.36.3: extended resources count as requests. alone",
		got: func(t *testing.T) string {
			q := parsed[corev1.ResourceQuota](t, `{spec: {hard: {requests.nvidia.com/gpu: 4, limits.nvidia.com/gpu: 2, nvidia.com/gpu: 1, limits.cpu: 8}}}`)
			return lines(quota.Unevaluated(q, nil))
		},
		want: "limits.nvidia.com/gpu; nvidia.com/gpu",
	},
	{
		name:     "resize through an update of the pod",
		question: "May I raise the memory request of a running pod from 200Mi to 400Mi?",
		source:   "kubernetes/kubernetes#125559: through the subresource resize; pkg/apis/core/validation/validation.go (ValidatePodUpdate), v1.36.3",
		got: func(t *testing.T) string {
			ns, old, resized := namespaceOf(t), podOf("web", "memory=200Mi", ""), podOf("web", "memory=400Mi", "")
			return fmt.Sprint(ns.Update(old, resized, admit.Attributes{}).Err() != nil, " ", ns.Update(old, resized, admit.Attributes{Subresource: "resize"}).Err())
		},
		want: "true <nil>",
	},
	{
		name:     "resize beyond a quota",
		question: "Does a quota stop a resize in place?",
		source:   "KEP-1287; pkg/quota/v1/evaluator/core/pods.go, v1.36.3: by the difference",
		got: func(t *testing.T) string {
			ns := namespaceOf(t, quotaOf("q", "requests.memory=300Mi", "requests.memory=200Mi"))
			old := podOf("web", "memory=200Mi", "")
			old.ResourceVersion = "7" // without it, the server charges all that is requested
			return fmt.Sprint(ns.Update(old, podOf("web", "memory=400Mi", ""), admit.Attributes{Subresource: "resize"}).Err())
		},
		want: `pods "web" is forbidden: exceeded quota: q, requested: requests.memory=200Mi, used: requests.memory=200Mi, limited: requests.memory=300Mi`,
	},
	{
		name:     "amounts that a quota needs",
		question: "failed quota: must specify limits.cpu: is it my YAML or my code?",
		source:   "labring/sealos#1741; pkg/quota/v1/evaluator/core/pods.go, v1.36.3: each container has to set it, also the second one",
		got: func(t *testing.T) string {
			pod := podOf("web", "", "cpu=1")
			pod.Spec.Containers = append(pod.Spec.Containers, containerOf("proxy", "cpu=1", ""))
			return fmt.Sprint(namespaceOf(t, quotaOf("q", "limits.cpu=4", "limits.cpu=0")).Create(pod, admit.Attributes{}).Err())
		},
		want: `pods "web" is forbidden: failed quota: q: must specify limits.cpu for: proxy`,
	},
	{
		name:     "peak of a rollout",
		question: "How much quota does an update of one replica need, beside the old pod?",
		source:   "KBVE/kbve#10829; pkg/controller/deployment/util/deployment_util.go, v1.36.3: both pods at once, with Recreate one",
		got: func(t *testing.T) string {
			pod := list("limits.cpu=2500m")
			rolling, err := quota.Rollout(pod, pod, 1, appsv1.DeploymentStrategy{})
			recreate, err2 := quota.Rollout(pod, pod, 1, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			return resourcelist.String(rolling.Peak) + " " + resourcelist.String(recreate.Peak)
		},
		want: "limits.cpu=5 limits.cpu=2500m",
	},
	{
		name:     "peak of a rollout of two at 25%",
		question: "Two replicas at 25%: how many pods more, and how many may be missing?",
		source:   "gke-labs/kube-agents#977; pkg/controller/deployment/util/deployment_util.go (ResolveFenceposts), v1.36.3: one surge pod, none missing",
		got: func(t *testing.T) string {
			quarter := intstr.FromString("25%")
			usage, err := quota.Rollout(list("pods=1"), list("pods=1"), 2, appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}})
			testkit.OK(t, err)
			return fmt.Sprint(usage.Surge, usage.Unavailable, " ", resourcelist.String(usage.Peak))
		},
		want: "1 0 pods=3",
	},
	{
		name:     "claim on a pool that is in use",
		question: "Can I get around the limits of a ResourcePool by deleting the claim?",
		source:   "projectcapsule/capsule#1662, internal/webhook/resourcepool at 65a4e19e: not while its resources are in use",
		got: func(*testing.T) string {
			claim, used, unused := &pool.ResourcePoolClaim{}, true, false
			claim.Status.Pool.Name = "team"
			claim.Status.Conditions = []metav1.Condition{{Type: "Exhausted", Status: metav1.ConditionFalse}} // it has what it requests
			return fmt.Sprint(len(pool.ValidateClaimDeletion(claim, pool.AdmissionOptions{InUse: &used})), " ", len(pool.ValidateClaimDeletion(claim, pool.AdmissionOptions{InUse: &unused})))
		},
		want: "1 0",
	},
	{
		name:     "cost of a pod",
		question: "What does a pod cost, if it pays for the larger of its requests and its usage?",
		source:   "opencost/opencost#3082: 0.15 CPU at 0.031611 and 0.5 GiB at 0.004237 an hour",
		got: func(*testing.T) string {
			prices := map[corev1.ResourceName]*big.Rat{"cpu": big.NewRat(31611, 1_000_000_000), "memory": big.NewRat(4237, 1_000_000<<30)}
			total := new(big.Rat)
			for name, n := range resourcelist.Integers(resourcelist.Max(list("cpu=100m memory=512Mi"), list("cpu=150m memory=200Mi"))) {
				total.Add(total, new(big.Rat).Mul(prices[name], big.NewRat(n, 1)))
			}
			return total.FloatString(8)
		},
		want: "0.00686015",
	},
}

func cpus(n int64) map[corev1.ResourceName]int64 { return map[corev1.ResourceName]int64{"cpu": n} }

func treeOf(t *testing.T, nodes ...quotatree.Node) *quotatree.Tree {
	t.Helper()
	tree, err := quotatree.New(nodes, quotatree.Options{})
	testkit.OK(t, err)
	return tree
}

func quotaOf(name, hard, used string) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{}
	q.Name, q.Spec.Hard = name, list(hard)
	q.Status = corev1.ResourceQuotaStatus{Hard: list(hard), Used: list(used)}
	return q
}

func namespaceOf(t *testing.T, quotas ...*corev1.ResourceQuota) *admit.Namespace {
	t.Helper()
	ns, err := admit.Compile(nil, quotas, admit.Options{})
	testkit.OK(t, err)
	return ns
}
