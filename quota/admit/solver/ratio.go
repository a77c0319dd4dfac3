package solver

import (
	"math/big"

	"github.com/kubemath/kubemath/internal/limitranger"
)

// ratio is a maxLimitRequestRatio of at least one, for amounts in units of a resource.
type ratio struct {
	*limitranger.Ratio
	unit *big.Int // of the amounts, in milli-units
}

// leastRequest returns the smallest request that is valid with a limit above zero.
func (r *ratio) leastRequest(limit *big.Int) *big.Int { return r.LeastRequestIn(r.unit, limit) }

// allows reports whether a limit of which the request is a part is within the ratio, exactly.
func (r *ratio) allows(limit, request *big.Int) bool { return r.KeepsExactly(request, limit) }

// mostLimit returns the largest limit that a request above zero allows.
func (r *ratio) mostLimit(request *big.Int) *big.Int { return r.GreatestLimitIn(r.unit, request) }
