package main

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// check makes rapid run a property on a number of cases, and shrink the first one that fails. It returns
// nil if none fails. Rapid expects to run in a test; reporter takes its place.
func check(cases int, seed uint64, shrink time.Duration, property func(*rapid.T)) error {
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(cases), "rapid.seed": strconv.FormatUint(seed, 10),
		"rapid.shrinktime": shrink.String(), "rapid.nofailfile": "true",
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	r := &reporter{}
	done := make(chan struct{})
	// A failure ends its goroutine, as in a test.
	go func() {
		defer close(done)
		rapid.Check(r, property)
	}()
	<-done
	return r.err
}

// initTesting gives the packages testing and rapid the flags that they read. They do not read the
// command line.
func initTesting() {
	testing.Init()
	if err := flag.CommandLine.Parse(nil); err != nil {
		panic(err)
	}
}

// reporter remembers the first error. Rapid needs nothing else of testing.TB.
type reporter struct {
	testing.TB
	err error
}

func (r *reporter) Helper()             {}
func (r *reporter) Name() string        { return "apiserver" }
func (r *reporter) Logf(string, ...any) {}
func (r *reporter) Log(...any)          {}
func (r *reporter) Failed() bool        { return r.err != nil }
func (r *reporter) Fail()               { r.Errorf("failed") }
func (r *reporter) Error(args ...any)   { r.Errorf("%s", fmt.Sprint(args...)) }
func (r *reporter) FailNow()            { runtime.Goexit() }
func (r *reporter) Errorf(f string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(f, args...)
	}
}
