package pool

// Options select which Capsule is followed. The zero value follows the current one.
//
// Objects of both are always read: see [ResourcePoolClaim.Holding] and [Record]. Options select what
// happens to a holding claim whose spec is edited, which conditions are written, and what a webhook
// refuses.
type Options struct {
	API API
}

// API is a version of Capsule's behaviour. The zero value is Current. Any other value than Documented is
// treated as Current.
type API string

const (
	// Current is Capsule's main branch of August 2026. A claim holds what the pool's status records
	// for it. While its namespace does not use it, it may be edited: it is then resized, or loses
	// what it holds and waits again. The claim has the conditions Ready, Exhausted and Bound. Bound
	// means that the claim is in use.
	Current API = ""
	// Documented is the behaviour of Capsule's documentation. A holding claim cannot be edited. The
	// claim has one condition, and Bound means that it holds what it asks for.
	Documented API = "documented"
)
