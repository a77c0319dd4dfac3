package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// binary is the tests of a package, compiled with some files replaced.
type binary struct {
	program string // "" if there are no tests
	dir     string // where the tests run
	race    bool
	spent   *spent

	fit [2]func() (tests, error) // by setting
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
func build(root, pkg, folder string, replaced map[string]string, race bool, s *spent) (*binary, error) {
	b := &binary{program: filepath.Join(folder, "fault.test"), dir: filepath.Join(root, filepath.FromSlash(pkg)), race: race, spent: s}
	for _, draws := range []setting{few, usual} {
		b.fit[draws] = sync.OnceValues(func() (tests, error) { return b.passing(draws, ".") })
	}
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
	compile := exec.Command("go", "test", "-c", "-o", b.program, "-overlay", file, "-vet=off", "-race="+strconv.FormatBool(race), "./"+pkg)
	compile.Dir, compile.Env = root, environment()
	if out, err := s.run(compile); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err := os.Stat(b.program); errors.Is(err, os.ErrNotExist) {
		b.program = ""
	}
	return b, nil
}

// tests are those of a binary if no fault is chosen.
type tests struct {
	passing [speeds]group
	failing []string // tell nothing
}

// group is tests that run together.
type group struct {
	names []string
	took  time.Duration
	fit   func() ([]string, error) // those that also pass if the others do not run
}

// speed tells the tests of small tables from others.
type speed int

const (
	quick speed = iota // up to 100 ms
	slow
	speeds // how many there are
)

var ended = regexp.MustCompile(`(?m)\x16--- (PASS|FAIL|SKIP): (\w+) \((\d+\.\d+)s\)`)

// passing runs those tests without a fault whose names match.
func (b *binary) passing(draws setting, names string) (tests, error) {
	var t tests
	if b.program == "" {
		return t, nil
	}
	c := b.command(draws, names, 0, 10*time.Minute)
	c.Args = append(c.Args, "-test.v=test2json")
	out, err := b.spent.run(c)
	for _, end := range ended.FindAllSubmatch(out, -1) {
		took, _ := time.ParseDuration(string(end[3]) + "s")
		switch name := string(end[2]); {
		case string(end[1]) == "FAIL":
			t.failing = append(t.failing, name)
		case string(end[1]) == "SKIP":
		default:
			g := &t.passing[quick]
			if took > 100*time.Millisecond {
				g = &t.passing[slow]
			}
			g.names, g.took = append(g.names, name), g.took+took
		}
	}
	for i := range t.passing {
		g := &t.passing[i]
		names := g.names
		g.fit = sync.OnceValues(func() ([]string, error) {
			alone, err := b.passing(draws, matching(names))
			return slices.Concat(alone.passing[quick].names, alone.passing[slow].names), err
		})
	}
	if err != nil && t.failing == nil || bytes.Contains(out, timedOut) {
		return t, fmt.Errorf("%s without a fault: %w\n%s", b.dir, err, out)
	}
	return t, nil
}

// only returns the binary with only those of its tests.
func (b *binary) only(names []string) (*binary, error) {
	fit, err := b.passing(usual, matching(names))
	return &binary{fit: [2]func() (tests, error){
		few:   func() (tests, error) { return tests{}, nil },
		usual: func() (tests, error) { return fit, err },
	}}, err
}

// matching returns the regexp of some tests.
func matching(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// command runs tests with a fault, or with none if it is 0.
func (b *binary) command(draws setting, names string, fault int, limit time.Duration) *exec.Cmd {
	c := exec.Command(b.program, append(draws.flags(), "-test.run="+names, "-test.timeout="+limit.String(), "-test.paniconexit0")...)
	c.Dir, c.Env = b.dir, append(draws.environment(), fmt.Sprint(variable, "=", fault))
	c.WaitDelay = time.Minute // for processes that it leaves behind
	return c
}

var timedOut = []byte("panic: test timed out after ")

// try runs tests with a fault until one fails.
func (b *binary) try(draws setting, names []string, fault int, limit time.Duration) (outcome, error) {
	if b.program == "" || len(names) == 0 {
		return unnoticed, nil
	}
	c := b.command(draws, matching(names), fault, limit)
	c.Args = append(c.Args, "-test.failfast")
	out, err := b.spent.run(c)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return unnoticed, nil
	case !errors.As(err, &exit):
		return unjudged, err
	case bytes.Contains(out, timedOut):
		return unjudged, fmt.Errorf("no end after %s", limit)
	case len(out) == 0 || !exit.Exited(): // something ended it before a test failed
		return unjudged, err
	}
	return noticed, nil
}
