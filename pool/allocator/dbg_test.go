package allocator

// EXPLORATION ONLY
func (l *Allocator) Dbg() (s [6]int) {
	q, ok := l.queue.(*unordered)
	if !ok {
		return
	}
	d := &q.byWants.dbg
	s = *d
	*d = [6]int{}
	return s
}
func (l *Allocator) DbgLeft() (x []int64) {
	for i := range l.ledger.Left {
		x = append(x, l.ledger.Left[i].Integer(0))
	}
	return x
}
