package ledger

import "github.com/kubemath/kubemath/internal/quantity"

// Totals are sums of amounts by resource, such as those of a namespace.
type Totals []quantity.Amount

// Add returns the totals plus the requested amounts.
func (t Totals) Add(l *Ledger, wants []Want) Totals {
	for _, w := range wants {
		for len(t) <= w.Resource {
			t = append(t, quantity.Amount{})
		}
		t[w.Resource] = t[w.Resource].Plus(w.Amount, l.Resources[w.Resource].Scale)
	}
	return t
}

// Remove is the inverse of Add.
func (t Totals) Remove(l *Ledger, wants []Want) {
	for _, w := range wants {
		t[w.Resource] = t[w.Resource].Minus(w.Amount, l.Resources[w.Resource].Scale)
	}
}
