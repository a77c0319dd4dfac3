package layered_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/layered"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Maps and their forks are each what a map would be that is copied whole.
func TestForksDoNotInfluenceEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, want := []*layered.Map[int, int]{{}}, []map[int]int{{}}
		for range rapid.IntRange(0, 80).Draw(t, "events") {
			i := rapid.IntRange(0, len(all)-1).Draw(t, "map")
			switch k := rapid.IntRange(0, 20).Draw(t, "key"); rapid.IntRange(0, 6).Draw(t, "event") {
			case 0: // neither writes to what is shared
				own, again := all[i].Fork(), all[i].Fork()
				all[i] = &again
				all, want = append(all, &own), append(want, maps.Clone(want[i]))
			case 1, 2:
				all[i].Set(k, nil)
				delete(want[i], k)
			default:
				v := rapid.Int().Draw(t, "value")
				all[i].Set(k, &v)
				want[i][k] = v
			}
		}
		for i, m := range all {
			got := map[int]int{}
			for k, v := range m.All {
				got[k] = *v
				testkit.Equal(t, m.Get(k), v)
			}
			testkit.NoDiff(t, got, want[i])
			testkit.NoDiff(t, slices.Sorted(m.Keys), slices.Sorted(maps.Keys(want[i])))
			testkit.Equal(t, m.IsEmpty(), len(got) == 0)
			testkit.Equal(t, m.Get(-1), nil)
			for range m.Keys { // which can be left
				break
			}
		}
	})
}

// A fork of a large map costs nothing but its layer.
func TestForkCopiesTheLayer(t *testing.T) {
	large, one := layered.Map[int, int]{}, 1
	for k := range 100_000 {
		large.Set(k, &one)
	}
	shared := large.Fork()
	testkit.Equal(t, testing.AllocsPerRun(10, func() { testkit.Keep(shared.Fork()) }) <= 3, true)
	for k := range 50_000 {
		shared.Set(k, nil)
	}
	merged := shared.Fork()
	testkit.Equal(t, len(slices.Collect(merged.Keys)), 50_000)
}

// Keys that come and go leave nothing behind, also above a shared base: another Fork copies nothing of them.
func TestNothingStays(t *testing.T) {
	value := ""
	var shared layered.Map[int, string]
	for i := range 10_000 {
		shared.Set(-i-1, &value)
	}
	m := shared.Fork()
	for i := range 1000 {
		m.Set(i, &value)
		m.Set(i, nil)
	}
	if bytes := testkit.Allocated(func() { m.Fork() }); bytes > 1000 {
		t.Errorf("a copy has %d bytes", bytes)
	}
}
