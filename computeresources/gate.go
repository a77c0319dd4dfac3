package computeresources

// Gate is the state of a feature gate whose default differs between the components of a cluster:
// see Options.PodLevelStatus and quota.PodOptions.PodLevelStatus. Any value that is not a constant means
// GateDefault.
type Gate string

const (
	GateDefault Gate = "" // the default of the component
	GateOn      Gate = "on"
	GateOff     Gate = "off"
)
