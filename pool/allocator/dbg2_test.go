package allocator_test
import ("testing";"fmt";"os";"slices";"time";"runtime")
func TestDbg(t *testing.T) {
	n := many()
	runtime.LockOSThread()
	for _, which := range []int{0,1} {
	st := threadTime()
	h0 := heap()
	var w weather
	if which == 0 { w = halfBound(n, false, fourResources, false) } else { w = halfBound(n, false, dozen(), true) }
	fmt.Fprintln(os.Stderr, "setup", threadTime()-st, "bytes a claim", (heap()-h0)/uint64(n))
	w.live.Dbg()
	type rec struct{ took time.Duration; b, s, n, l int}
	took := map[string][]rec{}
	for range 1500 {
		for _, k := range w.kind {
			b0,_ := w.live.Counts()
			start := threadTime()
			k.do()
			took_ := threadTime()-start
			b1,_ := w.live.Counts()
			d := w.live.Dbg()
			took[k.name] = append(took[k.name], rec{took_, b1-b0, d[0],d[1],d[2]})
		}
	}
	fmt.Fprintln(os.Stderr, w.live.DbgLeft())
	for _, k := range w.kind {
		all := took[k.name]
		slices.SortFunc(all, func(a,b rec) int { return int(a.took-b.took)})
		fmt.Fprintln(os.Stderr, k.name, "p50", all[len(all)/2],"p90", all[len(all)*9/10], "p99", all[len(all)*99/100])
	}
	}
}
