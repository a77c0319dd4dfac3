package measure

import (
	"slices"
	"testing"
	"time"
)

// Row is one line of the table: a kernel, its rival, and the targets.
type Row struct {
	Kernel string
	Rival  string
	Ours   func()
	Theirs func()
	// Floor, if set, is the work that any implementation has to do.
	Floor func()
	// Above says what the time above the floor is spent on, where ours is more than twice as much.
	Above string

	AtLeast, Aim float64 // theirs ÷ ours
	FloorWithin  float64 // ours ÷ floor at most; 0: no target
	Allocs       int     // of ours at most
}

// Result is a Row as measured. Times are medians, in nanoseconds a call.
type Result struct {
	Kernel, Rival, Above    string
	Ours, Theirs, Floor     float64
	Ratio                   float64 // theirs ÷ ours
	OverFloor               float64 // ours ÷ floor
	AtLeast, Aim            float64
	FloorWithin             float64
	OurAllocs, TheirAllocs  float64
	OurAllocsAtMost, Rounds int
}

// Run measures rows, in turn, over a number of rounds of some milliseconds for each function.
func Run(rows []Row, rounds int) []Result {
	const slice = 15 * time.Millisecond
	times := make([][3][]float64, len(rows))
	calls := make([][3]int, len(rows))
	for i, row := range rows {
		for j, f := range row.functions() {
			calls[i][j] = callsWithin(f, slice)
		}
	}
	for range rounds {
		for i, row := range rows {
			for j, f := range row.functions() {
				if f != nil {
					times[i][j] = append(times[i][j], nanoseconds(f, calls[i][j]))
				}
			}
		}
	}
	results := make([]Result, len(rows))
	for i, row := range rows {
		ours, theirs, floor := times[i][0], times[i][1], times[i][2]
		results[i] = Result{
			Kernel: row.Kernel, Rival: row.Rival, Above: row.Above,
			Ours: median(ours), Theirs: median(theirs), Floor: median(floor),
			Ratio:   median(theirs) / median(ours),
			AtLeast: row.AtLeast, Aim: row.Aim, FloorWithin: row.FloorWithin,
			OurAllocs: allocations(row.Ours, calls[i][0]), TheirAllocs: allocations(row.Theirs, calls[i][1]),
			OurAllocsAtMost: row.Allocs, Rounds: rounds,
		}
		if row.Floor != nil {
			results[i].OverFloor = median(ours) / median(floor)
		}
	}
	return results
}

func (r Row) functions() [3]func() { return [3]func(){r.Ours, r.Theirs, r.Floor} }

// callsWithin returns how often f can be called within a time, at least once.
func callsWithin(f func(), within time.Duration) int {
	if f == nil {
		return 0
	}
	calls := 1
	for {
		start := time.Now()
		for range calls {
			f()
		}
		if took := time.Since(start); took >= within/2 {
			return max(1, int(float64(calls)*float64(within)/float64(took)))
		}
		calls *= 2
	}
}

// allocations returns the average over a hundred calls, or over ten of a function that takes milliseconds.
func allocations(f func(), callsWithinSlice int) float64 {
	return testing.AllocsPerRun(min(100, 10*callsWithinSlice), f)
}

func nanoseconds(f func(), calls int) float64 {
	start := time.Now()
	for range calls {
		f()
	}
	return float64(time.Since(start).Nanoseconds()) / float64(calls)
}

// median returns the median of values, and 0 if there are none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Met returns the target that the ratio meets: "aim", "at least", or "missed" if it meets none, or if the
// limit over the floor or the limit of allocations is exceeded. A kernel that takes at most twice its floor
// meets its aim, however fast the rival is.
func (r Result) Met() string {
	nearFloor := r.Floor > 0 && r.OverFloor <= 2
	switch {
	case r.OurAllocs > float64(r.OurAllocsAtMost), r.FloorWithin > 0 && r.OverFloor > r.FloorWithin:
		return "missed"
	case r.Ratio >= r.Aim, nearFloor:
		return "aim"
	case r.Ratio >= r.AtLeast:
		return "at least"
	default:
		return "missed"
	}
}
