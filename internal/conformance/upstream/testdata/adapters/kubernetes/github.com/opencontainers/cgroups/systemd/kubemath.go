package systemd

import (
	"slices"
	"strings"

	systemdDbus "github.com/coreos/go-systemd/v22/dbus"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"kubemath.example/upstream/beside"
)

func ExpandSlice(slice string) (string, error) {
	theirs, theirErr := upstreamExpandSlice(slice)
	dashed, isSlice := strings.CutSuffix(slice, ".slice")
	ours, err := cgroupname.Identity{
		Driver: cgroupname.Systemd, CgroupRoot: "/" + strings.NewReplacer("-", "/", "_", "-").Replace(dashed),
		WithoutKubepods: true, Class: corev1.PodQOSGuaranteed,
	}.Path()
	if err != nil || !isSlice || dashed == "" || strings.Contains(slice, "/") {
		beside.Forward("ExpandSlice", "a name that kubemath refuses, or that is not of a slice")
		return theirs, theirErr
	}
	beside.Compare("ExpandSlice: an error", false, theirErr != nil)
	beside.Compare("ExpandSlice", ours, theirs)
	return ours, nil
}

func addCPUQuota(cm *dbusConnManager, properties *[]systemdDbus.Property, quota *int64, period uint64) {
	given := *quota
	theirs := slices.Clone(*properties)
	theirQuota := given
	upstreamAddCPUQuota(cm, &theirs, &theirQuota, period)
	*properties = theirs
	if given <= 0 {
		*quota = theirQuota
		beside.Forward("addCPUQuota", "no quota, which is a property, too")
		return
	}
	perSecond, inForce := cgroup.SystemdQuota(given, int64(period))
	for i, property := range theirs {
		if property.Name == "CPUQuotaPerSecUSec" {
			beside.Compare("addCPUQuota: CPUQuotaPerSecUSec", uint64(perSecond), property.Value.Value())
			(*properties)[i] = newProp("CPUQuotaPerSecUSec", uint64(perSecond))
		}
	}
	beside.Compare("addCPUQuota: in force", inForce, theirQuota)
	*quota = inForce
}
