package nodes

import (
	"github.com/kubemath/kubemath/examples/internal/command"
)

const gap = "  "

// sheet is the report as text.
type sheet struct {
	*command.Session
	*options
}

func (o *options) write(session *command.Session, r *Report) {
	s := &sheet{session, o}
	s.drained(r.Drain)
	s.packings(r)
	if r.Drain == nil && !o.pack || o.all || o.pods {
		s.pending(r)
		s.nodes(r)
	}
	s.remarks(r)
}
