package cgroup

// The logarithmic formula is evaluated with a table of the largest shares of each weight,
// computed with sufficient precision for all of them. Floating point would be enough for
// all except 1024 shares, whose weight is exactly 100, but 101 if a logarithm or a power
// is rounded the wrong way.
//
// The table is written by
//
//	go test ./cgroup -run TestLogarithmicWeights -update

// logarithmicWeight returns the weight of shares within minShares and maxShares: the smallest
// weight whose largest shares are at least the given ones.
func logarithmicWeight(shares int64) int64 {
	least, most := int64(minWeight), int64(maxWeight)
	for least < most {
		middle := (least + most) / 2
		if greatestLogarithmic(middle) < shares {
			least = middle + 1
		} else {
			most = middle
		}
	}
	return least
}

// greatestLogarithmic returns the largest shares whose logarithmic weight is at most the given one. For
// weight 0, that is one below minShares.
func greatestLogarithmic(weight int64) int64 {
	if weight < minWeight {
		return minShares - 1
	}
	return int64(greatestShares[weight-1])
}
