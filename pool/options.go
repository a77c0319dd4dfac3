package pool

// Options select which Capsule is followed. The zero value follows the current API, that of Capsule's main
// branch at 65a4e19: a claim holds what the pool's status records for it. While its namespace does not use
// it, it may be edited: it is then resized, or loses what it holds and waits again. The claim has the
// conditions Ready, Exhausted and Bound. Bound means that the claim is in use.
//
// Objects of both are always read: see [ResourcePoolClaim.Holding] and [Record]. Options select what
// happens to a holding claim whose spec is edited, which conditions are written, and what a webhook
// refuses.
type Options struct {
	// Documented follows the documented API, that of Capsule's documentation. A holding claim cannot be
	// edited. The claim has one condition, and Bound means that it holds what it asks for.
	Documented bool
}
