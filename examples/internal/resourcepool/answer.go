package resourcepool

import (
	"io"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Answer is what the program answers about a file.
type Answer struct {
	Tables    []Table
	Plans     []Plan
	Migration string   // what replaces Tenants' and other quotas, where there are neither pools nor claims
	Notes     []string // what does not count, and what is missing
	Problems  []objects.Problem
}

// AnswerFor answers about a file that is open already. An error says why its quotas cannot be migrated.
func AnswerFor(name string, file io.Reader) (a Answer, err error) {
	c := clusterOf(name, objects.Reader{Kinds: kinds, Check: objects.Warn}.File(name, file))
	var o options
	a.Problems = c.problems
	if o.migrate = len(c.pools)+len(c.claims) == 0 && len(c.tenants)+len(c.quotas) > 0; o.migrate {
		var text strings.Builder
		err = showMigration(&text, c)
		a.Migration, a.Notes = text.String(), c.notes(&o)
		return a, err
	}
	now := o.timeFor(c)
	c.reconcile(now)
	a.Tables, a.Plans, a.Notes = c.tables(now), c.plans(), c.notes(&o)
	return a, nil
}
