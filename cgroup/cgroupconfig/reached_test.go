package cgroupconfig_test

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach each state of each value, of pods, containers and
// tiers.
func TestDrawsReachEveryRule(t *testing.T) {
	var members []string
	for _, on := range []string{"true", "false"} {
		members = append(members, "memory QoS: "+on, "reservation: "+on, "swap: "+on, "no swap controller: "+on)
	}
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		opts := options().Draw(t, "options")
		reached = append(reached,
			"memory QoS: "+strconv.FormatBool(opts.Kubernetes.MemoryQoS == nil), "reservation: "+strconv.FormatBool(opts.TieredReservation),
			"swap: "+strconv.FormatBool(opts.LimitedSwap), "no swap controller: "+strconv.FormatBool(opts.SwapUnavailable))
		pod := rapid.OneOf(testkit.Pod(), testkit.PodWith(testkit.Ordinary()), testkit.LimitedPod(), limitedAsAWhole(), limitedAsAWhole(), limitedAsAWhole()).Draw(t, "pod")
		note := func(what string, c cgroupconfig.Cgroup) {
			for name, value := range map[string]cgroupconfig.Value{
				"quota": c.Quota, "memory": c.Memory, "memory.min": c.MemoryMin, "memory.low": c.MemoryLow, "memory.high": c.MemoryHigh,
				"swap": c.Swap, "OOM group": c.OOMGroup,
			} {
				state := "unset"
				switch {
				case value.Set:
					state = "set"
				case value.Unlimited:
					state = "unlimited"
				}
				reached = append(reached, what+": "+name+" "+state)
			}
			for _, h := range c.HugePages {
				if h.Limit > 0 {
					reached = append(reached, what+": huge pages")
				} else {
					reached = append(reached, what+": no huge pages")
				}
			}
		}
		note("pod", cgroupconfig.ForPod(pod, opts))
		for _, c := range computeresources.Containers(&pod.Spec) {
			note("container", cgroupconfig.ForContainer(pod, c, opts).Cgroup)
		}
		tiers := cgroupconfig.ForTiers([]*corev1.Pod{pod}, opts)
		note("tier", tiers.Guaranteed)
		note("tier", tiers.Burstable)
		note("tier", tiers.BestEffort)
		note("overhead", cgroupconfig.ForSandbox(pod, opts).Overhead)
		return reached
	}, append(members,
		"pod: quota set", "pod: quota unset", "pod: quota unlimited", "pod: memory set", "pod: memory unset", "pod: memory.min set", "pod: memory.low set",
		"pod: memory.high set", "pod: memory.high unset",
		"pod: huge pages", "pod: no huge pages",
		"container: quota set", "container: quota unset", "container: quota unlimited", "container: memory set", "container: memory unset",
		"container: memory.min set", "container: memory.low set", "container: memory.high set", "container: memory.high unset", "container: memory.high unlimited",
		"container: swap set", "container: swap unset", "container: OOM group set", "container: OOM group unset", "container: huge pages", "container: no huge pages",
		"tier: memory set", "tier: memory.min set", "tier: memory.low set", "tier: huge pages",
		"overhead: quota set", "overhead: memory set", "overhead: OOM group set",
	)...)
}
