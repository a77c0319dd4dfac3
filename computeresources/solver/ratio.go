package solver

import (
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"
)

// ratio is a maxLimitRequestRatio of at least one, for amounts in units of a resource.
type ratio struct {
	thousandths *big.Int // of the ratio
	unit        *big.Int // of the amounts, in thousandths
}

// holds reports whether limit ≤ ratio · request, for amounts above zero: exactly, and in
// the arithmetic of the server as well, which is in floats. Those reject some limits that are
// exactly at the ratio (2007m for a request of 1 and a ratio of 2.007). It is monotone:
// true for a larger request, and a smaller limit, too.
func (r *ratio) holds(limit, request *big.Int) bool {
	exact := new(big.Int).Mul(limit, big.NewInt(1000))
	return exact.Cmp(new(big.Int).Mul(request, r.thousandths)) <= 0 && r.serverHolds(limit, request)
}

// serverHolds is the test of LimitRanger: in thousandths while all amounts fit, and in
// whole units otherwise.
//
// Source: limitRequestRatioConstraint of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (r *ratio) serverHolds(limit, request *big.Int) bool {
	limit, request = new(big.Int).Mul(limit, r.unit), new(big.Int).Mul(request, r.unit)
	wholeRatio := whole(r.thousandths)
	if !fits(wholeRatio) {
		return float(whole(limit))/float(whole(request)) <= float(wholeRatio)
	}
	if wholeLimit, wholeRequest := whole(limit), whole(request); !fits(wholeLimit) || !fits(wholeRequest) {
		limit, request = wholeLimit, wholeRequest
	}
	return float(limit)/float(request)*1000 <= float(r.thousandths)
}

// fits reports whether the server compares a whole amount in thousandths.
func fits(v *big.Int) bool { return v.IsInt64() && v.Int64() <= resource.MaxMilliValue }

// whole returns an amount above zero, in thousandths, as the next whole one.
func whole(v *big.Int) *big.Int {
	if v.IsInt64() {
		return big.NewInt(v.Int64()/1000 + min(v.Int64()%1000, 1))
	}
	return ceil(v, big.NewInt(1000))
}

// float is the conversion of an int64, which rounds to the nearest.
func float(v *big.Int) float64 { return float64(v.Int64()) }

// leastRequest returns the least request that a limit above zero allows.
func (r *ratio) leastRequest(limit *big.Int) *big.Int {
	low := ceil(new(big.Int).Mul(limit, big.NewInt(1000)), r.thousandths)
	return firstFrom(low, sum(low, margin(low)), func(request *big.Int) bool { return r.holds(limit, request) })
}

// mostLimit returns the largest limit that a request above zero allows.
func (r *ratio) mostLimit(request *big.Int) *big.Int {
	high := floor(new(big.Int).Mul(request, r.thousandths), big.NewInt(1000))
	excess := firstFrom(new(big.Int), margin(high), func(excess *big.Int) bool {
		return r.holds(difference(high, excess), request)
	})
	return difference(high, excess)
}

// margin is more than the floats of the server are off by: a few of their last bits.
func margin(v *big.Int) *big.Int { return sum(new(big.Int).Rsh(v, 48), big.NewInt(1)) }

// firstFrom returns the least number from low to high for which a monotone test holds, and
// high if there is none.
func firstFrom(low, high *big.Int, holds func(*big.Int) bool) *big.Int {
	if holds(low) {
		return low
	}
	// The test fails for low, and holds for high or for nothing.
	for one := big.NewInt(1); sum(low, one).Cmp(high) < 0; {
		middle := new(big.Int).Rsh(sum(low, high), 1)
		if holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
