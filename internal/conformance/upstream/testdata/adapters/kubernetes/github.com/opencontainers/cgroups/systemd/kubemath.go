package systemd

import (
	"fmt"
	"slices"

	systemdDbus "github.com/coreos/go-systemd/v22/dbus"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"kubemath.example/upstream/beside"
)

func ExpandSlice(slice string) (string, error) {
	theirs, theirErr := upstreamExpandSlice(slice)
	name, err := cgroupname.ParseUnit(slice)
	if err != nil && theirErr == nil {
		beside.Forward("ExpandSlice", "a name that kubemath refuses")
		return theirs, nil
	}
	beside.Compare("ExpandSlice: an error", err != nil, theirErr != nil)
	if err != nil {
		return "", fmt.Errorf("invalid slice name: %s", slice)
	}
	ours := name.Systemd()
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
