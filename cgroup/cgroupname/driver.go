package cgroupname

// Driver is what formats the names of cgroups on a node. The zero Driver is Cgroupfs, the
// kubelet's default. Identity.Path refuses any value that is not a constant.
type Driver string

const (
	Cgroupfs Driver = ""
	Systemd  Driver = "systemd"
)
