package quotatracker

// Len returns the number of objects, for tests.
func (t *Tracker) Len() int { return len(t.objects) }
