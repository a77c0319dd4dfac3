package vectors_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/vectors"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
)

const docs = "../../docs/vectors"

// hold compares our answer to each question of a file with the recorded one.
func hold[In, Out any](t *testing.T, name string, answer func(In, computeresources.Kubernetes) (Out, error)) {
	t.Helper()
	file, err := vectors.Read[In, Out](docs, name)
	testkit.OK(t, err)
	if len(file.Cases) < 200 {
		t.Errorf("%d cases, want 200", len(file.Cases))
	}
	for _, c := range file.Cases {
		got, err := answer(c.Input, computeresources.Kubernetes{Release: file.Kubernetes})
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		} else if diff := cmp.Diff(c.Answer, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-recorded +ours):\n%s", c.Name, diff)
		}
		if c.Why == "" {
			t.Errorf("%s: nobody says why it is there", c.Name)
		}
	}
}

func TestRequests(t *testing.T) {
	hold(t, "requests", func(in vectors.Pod, of computeresources.Kubernetes) (out vectors.Totals, err error) {
		spec, err := in.PodSpec()
		return vectors.Totals{
			Requests: vectors.AmountsOf(computeresources.SpecRequests(spec, computeresources.Options{Kubernetes: of})),
			Limits:   vectors.AmountsOf(computeresources.SpecLimits(spec, computeresources.Options{Kubernetes: of})),
		}, err
	})
}

func TestClasses(t *testing.T) {
	hold(t, "qos", func(in vectors.PodOnNode, of computeresources.Kubernetes) (out vectors.Class, err error) {
		spec, err := in.PodSpec()
		out = vectors.Class{QOSClass: qos.Class(spec, of), OOMScoreAdj: map[string]int{}}
		for _, c := range computeresources.Containers(spec) {
			out.OOMScoreAdj[c.Name] = qos.OOMScoreAdj(&corev1.Pod{Spec: *spec}, c, in.NodeMemory, of)
		}
		return out, err
	})
}

func TestConversions(t *testing.T) {
	set := func(v cgroupconfig.Value) *int64 {
		if !v.Set {
			return nil
		}
		return &v.Amount
	}
	hold(t, "cgroup", func(in vectors.Conversion, of computeresources.Kubernetes) (out vectors.Numbers, err error) {
		switch {
		case in.MilliCPU != nil:
			shares, quota := cgroup.MilliCPUToShares(*in.MilliCPU), cgroup.MilliCPUToQuota(*in.MilliCPU, *in.Period)
			out.Shares, out.Quota = &shares, &quota
		case in.Shares != nil:
			weight, linear := cgroup.SharesToLogarithmicWeight(*in.Shares), cgroup.SharesToLinearWeight(*in.Shares)
			out.Weight, out.LinearWeight = &weight, &linear
		case in.Identity != nil:
			id := cgroupname.Identity{Class: in.Identity.QOSClass, UID: types.UID(in.Identity.UID), Driver: cgroupname.Cgroupfs}
			out.Cgroupfs, err = id.Path()
			if err != nil {
				return out, err
			}
			id.Driver = cgroupname.Systemd
			out.Systemd, err = id.Path()
		case in.Pod != nil:
			spec, err := in.Pod.PodSpec()
			if err != nil {
				return out, err
			}
			c := cgroupconfig.ForPod(&corev1.Pod{Spec: *spec}, cgroupconfig.Options{Kubernetes: of})
			out.Shares, out.Quota, out.Memory = set(c.Shares), set(c.Quota), set(c.Memory)
		}
		return out, err
	})
}

func TestCreations(t *testing.T) {
	hold(t, "limitrange", func(in vectors.Creation, of computeresources.Kubernetes) (out vectors.Verdict, err error) {
		lr := in.Object()
		for i := range lr.Spec.Limits {
			lr.Spec.Limits[i] = limitrange.WithDefaults(lr.Spec.Limits[i])
		}
		policy := limitrange.Compile([]*corev1.LimitRange{lr}, of)
		if in.Pod == nil {
			storage, err := vectors.Amounts{corev1.ResourceStorage: in.Storage}.List()
			if err != nil {
				return out, err
			}
			claim := &corev1.PersistentVolumeClaimSpec{}
			claim.Resources.Requests = storage
			for _, v := range policy.ValidateClaim(nil, claim) {
				out.Messages = append(out.Messages, v.Error())
			}
			out.Admitted = len(out.Messages) == 0
			return out, nil
		}
		spec, err := in.Pod.PodSpec()
		if err != nil {
			return out, err
		}
		computeresources.ApplyRequestDefaults(spec, of)
		policy.ApplyDefaults(spec)
		for _, invalid := range computeresources.Validate(nil, spec, of) {
			out.Messages = append(out.Messages, invalid.Field(nil).Error())
		}
		if len(out.Messages) == 0 {
			for _, v := range policy.Validate(nil, spec) {
				out.Messages = append(out.Messages, v.Error())
			}
		}
		slices.Sort(out.Messages)
		out.Messages = slices.Compact(out.Messages)
		out.Admitted = len(out.Messages) == 0
		if !out.Admitted {
			return out, nil
		}
		out.Containers = map[string]vectors.Requirements{}
		for _, c := range computeresources.Containers(spec) {
			out.Containers[c.Name] = vectors.Requirements{Requests: vectors.AmountsOf(c.Resources.Requests), Limits: vectors.AmountsOf(c.Resources.Limits)}
		}
		return out, nil
	})
}

func TestAdmissions(t *testing.T) {
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	object := func(in vectors.Request, of computeresources.Kubernetes) (object quota.Object, err error) {
		meta := metav1.ObjectMeta{Namespace: "shop", Name: "x"}
		switch in.Kind {
		case "Pod":
			pod := &corev1.Pod{ObjectMeta: meta}
			err = json.Unmarshal(in.Spec, &pod.Spec)
			return quota.Pod(pod, now, quota.PodOptions{Kubernetes: of}), err
		case "PersistentVolumeClaim":
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta}
			err = json.Unmarshal(in.Spec, &claim.Spec)
			return quota.PersistentVolumeClaim(claim), err
		default:
			service := &corev1.Service{ObjectMeta: meta}
			err = json.Unmarshal(in.Spec, &service.Spec)
			return quota.Service(service), err
		}
	}
	hold(t, "quota", func(in vectors.Request, of computeresources.Kubernetes) (out vectors.Admission, err error) {
		asked, err := object(in, of)
		if err != nil {
			return out, err
		}
		rq, err := in.Quota()
		if err != nil {
			return out, err
		}
		out.Usage = vectors.AmountsOf(asked.Usage())
		out.Counts, err = asked.Matches(rq)
		if err != nil {
			return out, err
		}
		assessment := quota.Admit(quota.Object{}, asked, []*corev1.ResourceQuota{rq}, quota.AdmitOptions{})
		if len(assessment.Failures) > 0 {
			out.Message = assessment.Failures[0].Error()
			return out, nil
		}
		out.Admitted, out.Used = true, vectors.AmountsOf(assessment.After([]*corev1.ResourceQuota{rq}, 1)[0].Status.Used)
		return out, nil
	})
}

func TestPlacements(t *testing.T) {
	scorer := func(strategy noderesources.Strategy) noderesources.Profile {
		s, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: strategy, Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}}})
		testkit.OK(t, err)
		return noderesources.Profile{{Scorer: s}}
	}
	least, most, balanced := scorer(noderesources.LeastAllocated), scorer(noderesources.MostAllocated), scorer(noderesources.BalancedAllocation)
	hold(t, "node", func(in vectors.Placement, of computeresources.Kubernetes) (out vectors.Fit, err error) {
		allocatable, err := in.Allocatable.List()
		if err != nil {
			return out, err
		}
		ledger := noderesources.NewLedger(allocatable)
		for i, p := range in.Placed {
			spec, err := p.PodSpec()
			if err != nil {
				return out, err
			}
			if err := ledger.Add(types.UID(rune('a'+i)), noderesources.SpecRequest(spec, computeresources.Options{Kubernetes: of})); err != nil {
				return out, err
			}
		}
		spec, err := in.Pod.PodSpec()
		if err != nil {
			return out, err
		}
		request := noderesources.SpecRequest(spec, computeresources.Options{Kubernetes: of})
		for _, s := range ledger.Shortages(request, noderesources.FitOptions{}) {
			out.Reasons = append(out.Reasons, s.Error())
		}
		slices.Sort(out.Reasons)
		out.LeastAllocated, out.MostAllocated, out.BalancedAllocation = ledger.Score(request, least), ledger.Score(request, most), ledger.Score(request, balanced)
		return out, nil
	})
}

func TestQueues(t *testing.T) {
	hold(t, "pool", func(in vectors.Queue, _ computeresources.Kubernetes) (out vectors.Bound, err error) {
		p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		p.Spec.Config.OrderedQueue = in.Ordered
		p.Spec.Quota.Hard, err = in.Hard.List()
		if err != nil {
			return out, err
		}
		var claims []*pool.ResourcePoolClaim
		for i, amounts := range in.Claims {
			c := &pool.ResourcePoolClaim{}
			c.Name, c.Namespace, c.Spec.Pool = string(rune('a'+i)), "shop", "p"
			c.UID = types.UID(c.Name)
			c.CreationTimestamp = metav1.Unix(int64(i), 0)
			c.Spec.Claim, err = amounts.List()
			if err != nil {
				return out, err
			}
			claims = append(claims, c)
		}
		a := pool.Allocate(p, claims, pool.Options{})
		for _, d := range a.Decisions {
			out.Bound = append(out.Bound, d.State == pool.Holding)
		}
		out.Available = vectors.AmountsOf(a.Available)
		return out, nil
	})
}
