package allocator

// turn is a claim with the data that usually decides its turn.
type turn struct {
	seconds int64
	claim   *claim
}

func turnOf(c *claim) turn { return turn{c.seconds, c} }

func (t turn) before(o turn) bool {
	return t.seconds < o.seconds || t.seconds == o.seconds && t.claim.before(o.claim)
}

// orEarlier returns the earlier one of two.
func (t turn) orEarlier(o turn) turn {
	if o.before(t) {
		return o
	}
	return t
}
