package nodetree_test

import (
	"math/big"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generator of the property tests draws pods of each class, and containers that get what they
// want, less, and nothing.
func TestDrawsReachEveryRule(t *testing.T) {
	var members []string
	for _, driver := range drivers {
		members = append(members, "driver: "+string(driver))
	}
	members = append(members, "a sidecar", " of ", " of crio", "systemd of cri-containerd", "systemd of crio", "systemd of docker")
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		pods, opts := nodes(t)
		reached = append(reached, "driver: "+string(opts.Driver))
		root, err := nodetree.Build(pods, opts)
		if err != nil {
			return append(reached, "invalid")
		}
		var uid types.UID
		for _, g := range root.All() {
			if g.Level == cgroupname.Pod {
				uid = types.UID("u" + strings.TrimPrefix(g.Title, "p"))
				reached = append(reached, "a pod: "+string(g.Class))
			}
			if g.Level != cgroupname.Container {
				continue
			}
			if strings.HasPrefix(g.Title, "init-") {
				reached = append(reached, "a sidecar")
			}
			id, _ := cgroupname.Parse(g.Path)
			reached = append(reached, string(opts.Driver)+" of "+id.Runtime)
			if g.Config.Quota.Set {
				reached = append(reached, "a container with a quota")
			} else {
				reached = append(reached, "a container without a quota")
			}
			if g.CPU.Shares.Rat().Cmp(g.CPU.Linear.Rat()) != 0 {
				reached = append(reached, "weights divide otherwise than shares")
			}
			if g.CPU.Mixed.Rat().Cmp(g.CPU.Linear.Rat()) != 0 {
				reached = append(reached, "the formulas divide otherwise")
			}
			want, known := opts.Demands[uid][g.Title]
			switch {
			case !known:
			case want <= 0:
				reached = append(reached, "a demand of nothing")
			case g.CPU.Linear.Rat().Cmp(big.NewRat(want, 1)) == 0:
				reached = append(reached, "a demand is met")
			default:
				reached = append(reached, "a demand is not met")
			}
		}
		return reached
	}, append(members,
		"a pod: Guaranteed", "a pod: Burstable", "a pod: BestEffort", "a container with a quota", "a container without a quota",
		"a demand of nothing", "a demand is met", "a demand is not met",
		"weights divide otherwise than shares", "the formulas divide otherwise",
	)...)
}
