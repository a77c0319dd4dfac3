package module

import (
	"os"
	"testing"
	"time"
	"unsafe"
)

func check(t *testing.T, ok bool) {
	t.Helper()
	if !ok {
		t.Error("wrong")
	}
}

func TestCapped(t *testing.T) { check(t, Capped(3) == 3 && Capped(11) == 10) }

func TestSwap(t *testing.T) {
	p := Pair{1, 2}
	p.Swap()
	check(t, p == Pair{2, 1})
}

func TestSize(t *testing.T) { check(t, unsafe.Sizeof(Pair{}) == 8) }

func TestFirst(t *testing.T) {
	n, found := First([]int{1, 2, 3, 4}, func(n int) bool { return n > 1 })
	check(t, n == 2 && found)
}

func TestStack(t *testing.T) {
	var s Stack[string]
	s.Push("", "a")
	s.Push("", "b")
	check(t, s.Len() == 2)
}

func TestSum(t *testing.T) { check(t, Sum(4) == 10) }

func TestListed(t *testing.T) { check(t, len(Listed(4)) == 4) }

func TestSame(t *testing.T) { check(t, Same(1) == 1 && moved(1) == 1) }

// With few draws this fails without a fault as well.
func TestDrawn(t *testing.T) {
	check(t, os.Getenv("RAPID_CHECKS") != "5" && Drawn(1) == 1)
}

var steps int

func TestFirstStep(t *testing.T) {
	steps++
	time.Sleep(200 * time.Millisecond)
}

// This fails if it does not run with slower tests.
func TestSecondStep(t *testing.T) { check(t, steps == 1 && Stepped(1) == 1) }

func TestCounted(t *testing.T) { check(t, Counted(1) == 1) }

func TestCountedAgain(t *testing.T) { check(t, Counted(1) == 1) }

// This fails in any case, so it notices nothing.
func TestBroken(t *testing.T) { check(t, Broken(1) == 2) }

// With all faults in the binary, this fails even if none is chosen.
func TestMeasured(t *testing.T) {
	sum := 0
	allocs := testing.AllocsPerRun(10, func() { sum += *Measured(1) })
	check(t, allocs == 0 && *Measured(1) == 148)
}
