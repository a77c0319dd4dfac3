package cgroup_test

import (
	"math"
	"math/big"
)

// The slow twins of the conversions follow their definitions in arbitrary precision.

// floor returns a·b / c rounded down, within int64.
func floor(a, b, c int64) int64 {
	q := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	q.Quo(q, big.NewInt(c))
	if !q.IsInt64() {
		return math.MaxInt64
	}
	return q.Int64()
}

func slowShares(milliCPU int64) int64 {
	if milliCPU <= 0 {
		return 2
	}
	return min(max(floor(milliCPU, 1024, 1000), 2), 262144)
}

func slowLinear(shares int64) int64 {
	if shares <= 0 {
		return 0
	}
	return 1 + floor(min(max(shares, 2), 262144)-2, 9999, 262142)
}

func slowQuota(milliCPU, period int64) int64 {
	if milliCPU <= 0 {
		return 0
	}
	return max(1000, floor(milliCPU, period, 1000))
}

func slowSystemd(quota, period int64) (perSecond, inForce int64) {
	if quota <= 0 {
		return 0, 0
	}
	micros := new(big.Int).Mul(big.NewInt(quota), big.NewInt(1000000))
	micros.Quo(micros, big.NewInt(period))
	step := big.NewInt(10000)
	up, rest := new(big.Int).QuoRem(micros, step, new(big.Int))
	if rest.Sign() > 0 || micros.Sign() == 0 {
		up.Add(up, big.NewInt(1))
	}
	up.Mul(up, step)
	switch {
	case !up.IsInt64():
		return math.MaxInt64, math.MaxInt64
	case up.Cmp(micros) == 0:
		return up.Int64(), quota
	default:
		return up.Int64(), floor(up.Int64(), period, 1000000)
	}
}
