package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// binary is the tests of a package, compiled with some files replaced.
type binary struct {
	program string // "" if there are no tests
	dir     string // where the tests run
	spent   *spent

	tests func() (tests, error) // the first call runs them

	sync.Mutex
	controls map[control]bool // whether tests pass without a fault, and without others
	noticed  map[string]int   // how many faults a test noticed
}

// control is a run of tests without a fault.
type control struct {
	draws setting
	names string // with "|" between them
}

// spent is the processor time that a package costs.
type spent struct {
	sync.Mutex
	time time.Duration
}

// run runs a command to its end.
func (s *spent) run(c *exec.Cmd) (out []byte, err error) {
	out, err = c.CombinedOutput()
	if c.ProcessState != nil {
		s.Lock()
		s.time += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		s.Unlock()
	}
	return out, err
}

// setting is how many random objects tests draw.
type setting int

const (
	few setting = iota
	usual
)

func (s setting) environment() []string {
	if s == few {
		return environment("RAPID_CHECKS=5")
	}
	return environment()
}

func (s setting) flags() []string {
	if s == few {
		return []string{"-test.short"}
	}
	return nil
}

// environment is that of all commands. A failed test is not to search for a smaller object.
func environment(more ...string) []string {
	all := append(os.Environ(), "GOWORK=off", "RAPID_SEED=1", "RAPID_SHRINKTIME=0s", "RAPID_NOFAILFILE=true")
	return append(all, more...)
}

// build compiles the tests of a package, below the root, with files replaced by path. The folder is for what
// it writes, and has to be empty.
func build(root, pkg, folder string, replaced map[string]string, s *spent) (*binary, error) {
	b := &binary{
		program: filepath.Join(folder, "fault.test"), dir: filepath.Join(root, filepath.FromSlash(pkg)), spent: s,
		controls: map[control]bool{}, noticed: map[string]int{},
	}
	b.tests = sync.OnceValues(b.run)
	overlay := map[string]map[string]string{"Replace": {}}
	for i, path := range slices.Sorted(maps.Keys(replaced)) {
		file := filepath.Join(folder, fmt.Sprint(i, ".go"))
		if err := os.WriteFile(file, []byte(replaced[path]), 0o600); err != nil {
			return nil, err
		}
		overlay["Replace"][path] = file
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	compile := exec.Command("go", "test", "-c", "-o", b.program, "-overlay", file, "-vet=off", "-ldflags=-s -w", "./"+pkg)
	compile.Dir, compile.Env = root, environment()
	if out, err := s.run(compile); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err := os.Stat(b.program); errors.Is(err, os.ErrNotExist) {
		b.program = ""
	}
	return b, nil
}

// tests are those of a binary that may notice a fault, by what they do without one if they draw few objects.
type tests struct {
	quick, slow []string // pass in up to 100 ms, or in more
	other       []string // fail, or are skipped
	took        map[string]time.Duration
	draw        map[string]bool // pass, and draw random objects
}

var (
	ended = regexp.MustCompile(`(?m)\x16--- (PASS|FAIL|SKIP): (\w+) \((\d+\.\d+)s\)`)
	began = regexp.MustCompile(`(?m)\x16=== (?:RUN|CONT|NAME) +(\w+)`)
	drawn = regexp.MustCompile(`(?m)\x16=== (?:RUN|CONT|NAME) +(\w+)|\[rapid\] OK`)
)

// run runs all tests with few objects, without a fault.
func (b *binary) run() (tests, error) {
	t := tests{took: map[string]time.Duration{}, draw: map[string]bool{}}
	if b.program == "" {
		return t, nil
	}
	out, err := b.spent.run(b.command(few, ".", 0, 10*time.Minute))
	for _, end := range ended.FindAllSubmatch(out, -1) {
		name := string(end[2])
		t.took[name], _ = time.ParseDuration(string(end[3]) + "s")
		switch {
		case string(end[1]) != "PASS":
			t.other = append(t.other, name)
		case t.took[name] <= 100*time.Millisecond:
			t.quick = append(t.quick, name)
		default:
			t.slow = append(t.slow, name)
		}
	}
	running := ""
	for _, line := range drawn.FindAllSubmatch(out, -1) {
		if line[1] != nil {
			running = string(line[1])
		} else {
			t.draw[running] = true
		}
	}
	if err != nil && len(t.other) == 0 || bytes.Contains(out, timedOut) {
		return t, fmt.Errorf("%s without a fault: %w\n%s", b.dir, err, out)
	}
	return t, nil
}

// groups returns the tests that run together, in the order in which a fault is put to them. With few objects,
// quick ones run at one time, and slow ones alone, so that a fault costs no more than those that do not notice
// it. With the usual number, those that draw come first, each alone, as only they do anything else than before.
func (b *binary) groups(draws setting) ([][]string, error) {
	t, err := b.tests()
	if err != nil {
		return nil, err
	}
	b.Lock()
	defer b.Unlock()
	fails := func(name string) bool {
		passes, known := b.controls[control{draws, name}]
		return known && !passes
	}
	var drawing, together, alone []string
	for i, names := range [][]string{t.quick, t.slow, t.other} {
		for _, name := range names {
			switch {
			case fails(name):
			case draws == usual && t.draw[name]:
				drawing = append(drawing, name)
			case i == 0:
				together = append(together, name)
			case i == 1 || draws == usual:
				alone = append(alone, name)
			}
		}
	}
	worth := func(name string) float64 {
		return float64(b.noticed[name]) / (t.took[name] + 20*time.Millisecond).Seconds()
	}
	for _, names := range [][]string{drawing, alone} { // those that noticed others in little time come first
		slices.SortStableFunc(names, func(x, y string) int {
			return cmp.Or(cmp.Compare(worth(y), worth(x)), cmp.Compare(t.took[x], t.took[y]))
		})
	}
	groups := slices.Collect(slices.Chunk(drawing, 1))
	if len(together) > 0 {
		groups = append(groups, together)
	}
	return slices.AppendSeq(groups, slices.Chunk(alone, 1)), nil
}

// passes reports whether tests pass without a fault if no other runs.
func (b *binary) passes(draws setting, names ...string) bool {
	run := control{draws, strings.Join(names, "|")}
	b.Lock()
	passes, known := b.controls[run]
	b.Unlock()
	if !known {
		failed, err := b.try(draws, names, 0, 10*time.Minute)
		passes = failed == "" && err == nil
		b.Lock()
		b.controls[run] = passes
		b.Unlock()
	}
	return passes
}

// failing returns the tests that are known to fail without a fault, with the usual number of objects.
func (b *binary) failing() (names []string) {
	b.Lock()
	defer b.Unlock()
	for run, passes := range b.controls {
		if run.draws == usual && !passes && !strings.Contains(run.names, "|") {
			names = append(names, run.names)
		}
	}
	slices.Sort(names)
	return names
}

// memory is the address space that tests may have, in KiB. Go reserves more than a quarter of it, and does not use it.
const memory = 4 << 20

// command runs tests with a fault, or with none if it is 0. If they need more memory than they may have, the test that
// runs fails.
func (b *binary) command(draws setting, names string, fault int, limit time.Duration) *exec.Cmd {
	c := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, memory), b.program,
		"-test.run="+names, "-test.timeout="+limit.String(), "-test.paniconexit0", "-test.v=test2json")
	c.Args = append(c.Args, draws.flags()...)
	c.Dir, c.Env = b.dir, append(draws.environment(), fmt.Sprint(variable, "=", fault))
	c.WaitDelay = time.Minute // for processes that it leaves behind
	return c
}

var timedOut = []byte("panic: test timed out after ")

// try runs tests with a fault until one fails, and returns its name. An error is why they did not come to an
// end.
func (b *binary) try(draws setting, names []string, fault int, limit time.Duration) (failed string, err error) {
	if b.program == "" || len(names) == 0 {
		return "", nil
	}
	c := b.command(draws, "^("+strings.Join(names, "|")+")$", fault, limit)
	c.Args = append(c.Args, "-test.failfast")
	out, err := b.spent.run(c)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	case bytes.Contains(out, timedOut):
		return "", fmt.Errorf("no end after %s", limit)
	case !exit.Exited(): // something ended it before a test failed
		return "", err
	}
	for _, end := range ended.FindAllSubmatch(out, -1) {
		if string(end[1]) == "FAIL" {
			return string(end[2]), nil
		}
	}
	if all := began.FindAllSubmatch(out, -1); len(all) > 0 { // it ended the process
		return string(all[len(all)-1][1]), nil
	}
	return "", fmt.Errorf("%w\n%s", err, out)
}
