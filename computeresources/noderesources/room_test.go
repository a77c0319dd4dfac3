package noderesources

import (
	"slices"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"pgregory.net/rapid"
)

// Each block has its largest amount beside it, after any insertion, removal and change.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v room
		var want []int64
		amount := rapid.Int64Range(0, 1200)
		for range rapid.SampledFrom([]int{3, 70, 300, 4200}).Draw(t, "rows at first") {
			v.insert(len(want), len(want))
			want = append(want, 0)
		}
		for row := 0; row < len(want); row += 7 {
			want[row] = int64(row * 7919 % 1009)
			v.set(row, want[row])
		}
		most := len(want)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"set", "set", "insert", "remove"}).Draw(t, "step") {
			case "set":
				if len(want) > 0 {
					row := rapid.IntRange(0, len(want)-1).Draw(t, "row")
					want[row] = amount.Draw(t, "amount")
					v.set(row, want[row])
				}
			case "insert":
				row := rapid.IntRange(0, len(want)).Draw(t, "row")
				v.insert(row, len(want))
				want = slices.Insert(want, row, 0)
				most = max(most, len(want))
			case "remove":
				if len(want) > 0 {
					row := rapid.IntRange(0, len(want)-1).Draw(t, "row")
					v.remove(row, len(want))
					want = slices.Delete(want, row, row+1)
				}
			}
		}
		if !slices.Equal(v.amounts[:len(want)], want) || slices.Max(append(v.amounts[len(want):], 0)) != 0 {
			t.Fatalf("got %v, want %v and zeros", v.amounts, want)
		}
		if blocks := (most + block - 1) / block; len(v.amounts) != blocks*block || len(v.largest) != blocks {
			t.Fatalf("%d amounts and %d of the largest, want %d blocks", len(v.amounts), len(v.largest), blocks)
		}
		for i := range v.largest {
			testkit.Equal(t, v.largest[i], slices.Max(v.amounts[i*block:i*block+block]), "block", i)
		}
	})
}
