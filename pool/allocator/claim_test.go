package allocator

import "testing"

// The first numbers that splitmix64 draws with the seed 0, as published.
func TestScatter(t *testing.T) {
	var state uint64
	for _, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b} {
		if got := scatter(state); got != want {
			t.Errorf("after %#x: %#x, want %#x", state, got, want)
		}
		state += 0x9e3779b97f4a7c15
	}
}
