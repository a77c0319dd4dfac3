package pool

import "github.com/kubemath/kubemath/internal/enum"

// Options select which Capsule is followed. The zero value follows the current one.
//
// Objects of both are always read: see [ResourcePoolClaim.Bound] and [Record]. Options select what
// happens to a bound claim whose spec is edited, which conditions are written, and what a webhook
// refuses.
type Options struct {
	API API
}

// API is a version of Capsule's behaviour. The zero value is Current.
type API uint8

const (
	// Current is Capsule's main branch of August 2026. A claim holds what the pool's status records
	// for it. While its namespace does not use it, it may be edited: it is then resized, or loses
	// what it holds and waits again. The claim has the conditions Ready, Exhausted and Bound. Bound
	// means that the claim is in use.
	Current API = iota
	// Documented is the behaviour of Capsule's documentation. A bound claim cannot be edited. The
	// claim has one condition, and Bound means that it holds what it asks for.
	Documented
)

// String returns "current" or "documented", and "unknown" for any other value.
func (a API) String() string {
	switch a {
	case Current:
		return "current"
	case Documented:
		return "documented"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (a API) MarshalText() ([]byte, error) { return enum.Marshal(a) }

// UnmarshalText sets a to the value of that name. An unknown name is an error.
func (a *API) UnmarshalText(text []byte) error { return enum.Unmarshal(a, text, Documented) }

// Use says whether the usage of its namespace needs a bound claim: see lifecycle.Needed. The
// zero value is unspecified.
type Use uint8

// The uses. By the current API, a claim that is in use can neither be edited nor deleted.
const (
	InUse Use = iota + 1
	Unused
)

// String returns "in use" or "unused", "unspecified" for the zero value, and "unknown" for any
// other.
func (u Use) String() string {
	switch u {
	case 0:
		return "unspecified"
	case InUse:
		return "in use"
	case Unused:
		return "unused"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (u Use) MarshalText() ([]byte, error) { return enum.Marshal(u) }

// UnmarshalText sets u to the value of that name. An unknown name is an error.
func (u *Use) UnmarshalText(text []byte) error { return enum.Unmarshal(u, text, Unused) }
