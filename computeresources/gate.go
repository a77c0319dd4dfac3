package computeresources

import "github.com/kubemath/kubemath/internal/enum"

// Gate is the state of a feature gate whose default differs between the components of a cluster:
// see Options.PodLevelStatus and quota.PodOptions.PodLevelStatus.
type Gate uint8

const (
	GateDefault Gate = iota // the default of the component
	GateOn
	GateOff
)

// String returns "default", "on" or "off", and "unknown" for any other value.
func (g Gate) String() string {
	switch g {
	case GateDefault:
		return "default"
	case GateOn:
		return "on"
	case GateOff:
		return "off"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (g Gate) MarshalText() ([]byte, error) { return enum.Marshal(g) }

// UnmarshalText sets g to the gate of that name. An unknown name is an error.
func (g *Gate) UnmarshalText(text []byte) error { return enum.Unmarshal(g, text, GateOff) }
