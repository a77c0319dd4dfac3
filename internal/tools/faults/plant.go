package main

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// outcome is what became of a fault.
type outcome int

const (
	noticed outcome = iota
	unnoticed
	stale    // the code that it edits is no longer there
	broken   // it does not compile
	unjudged // its tests did not come to an end
	outcomes // how many there are
)

func (o outcome) String() string {
	return [outcomes]string{"noticed", "unnoticed", "stale", "not compiling", "without verdict"}[o]
}

// planter plants faults in a module.
type planter struct {
	*module
	folder   string        // for what it compiles
	patience time.Duration // how much longer than without a fault tests may take, the first time

	edits    []*edit // in the order of the faults, nil if one can not be planted
	outcomes []outcome
	why      []error           // a fault is stale, broken or unjudged
	by       []string          // the test that noticed it, if that took long: see firstFile
	first    map[string]string // by fault, the test that noticed it so before
	spent    map[string]*spent
	binaries sync.Map
}

// newPlanter finds what each fault edits, and checks that it compiles.
func newPlanter(m *module, faults []fault, folder string, patience time.Duration) (*planter, error) {
	p := &planter{
		module: m, folder: folder, patience: patience,
		edits: make([]*edit, len(faults)), outcomes: make([]outcome, len(faults)), why: make([]error, len(faults)), by: make([]string, len(faults)),
		spent: map[string]*spent{},
	}
	of := map[string][]*edit{}
	for i := range faults {
		f := &faults[i]
		p.outcomes[i] = unnoticed
		if p.spent[f.pkg] == nil {
			p.spent[f.pkg] = &spent{}
		}
		pkg := m.packages[f.pkg]
		if pkg == nil {
			p.outcomes[i], p.why[i] = stale, fmt.Errorf("there is no package %s", f.pkg)
			continue
		}
		if _, err := pkg.read(); err != nil {
			return nil, err
		}
		e, err := newEdit(f, pkg)
		if err != nil {
			p.outcomes[i], p.why[i] = stale, err
			continue
		}
		e.id, p.edits[i] = i+1, e
		of[f.pkg] = append(of[f.pkg], e)
	}
	for dir, edits := range of {
		failed, err := m.failing(m.packages[dir], edits)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for e, why := range failed {
			i := e.id - 1
			p.edits[i], p.outcomes[i], p.why[i] = nil, broken, why
			if strings.Contains(why.Error(), "undefined: ") { // a name has changed
				p.outcomes[i] = stale
			}
		}
	}
	return p, nil
}

// key is what a binary holds that several faults share.
type key struct {
	tests string // the package whose tests these are
	pkg   string // the package that has all its faults of functions, which these tests judge; "": none has
}

// binary returns the binary of a key. The first call compiles it.
func (p *planter) binary(k key, s *spent) (*binary, error) {
	find, _ := p.binaries.LoadOrStore(k, sync.OnceValues(func() (*binary, error) {
		replaced := map[string]string{}
		if pkg := p.packages[k.pkg]; pkg != nil {
			replaced, _ = combine(pkg.texts, p.together(k))
			replaced[filepath.Join(pkg.Dir, chosen+".go")] = chooser(pkg.Name)
		}
		folder, err := os.MkdirTemp(p.folder, "")
		if err != nil {
			return nil, err
		}
		return build(p.root, k.tests, folder, replaced, s)
	}))
	return find.(func() (*binary, error))()
}

// together returns the edits of functions that a binary holds.
func (p *planter) together(k key) []*edit {
	var all []*edit
	for _, e := range p.edits {
		if e != nil && e.bodies != nil && e.pkg == k.pkg && slices.Contains(e.tests, k.tests) {
			all = append(all, e)
		}
	}
	return all
}

// plantAll judges all faults, so many at a time, and tells of each.
func (p *planter) plantAll(parallel int, tell func(i int)) {
	var order []*edit
	for i, e := range p.edits {
		if e == nil {
			tell(i)
			continue
		}
		order = append(order, e)
	}
	slices.SortStableFunc(order, func(a, b *edit) int { return strings.Compare(a.pkg, b.pkg) })
	go func() { // so that compiling, much of which is one thread, keeps nobody waiting
		for _, e := range order {
			if e.bodies != nil {
				if b, err := p.binary(key{e.tests[0], e.pkg}, p.spent[e.pkg]); err == nil {
					_, _ = b.tests()
				}
			}
		}
	}()
	next := make(chan *edit)
	var wait sync.WaitGroup
	var telling sync.Mutex
	for range max(parallel, 1) {
		wait.Go(func() {
			for e := range next {
				did, err := p.plant(e)
				telling.Lock()
				p.outcomes[e.id-1], p.why[e.id-1] = did, err
				tell(e.id - 1)
				telling.Unlock()
			}
		})
	}
	for _, e := range order {
		next <- e
	}
	close(next)
	wait.Wait()
}

// plant runs the tests of a fault, package by package until one notices it.
func (p *planter) plant(e *edit) (outcome, error) {
	last, why := unnoticed, error(nil)
	for _, tests := range e.tests {
		judge := p.plantTogether
		if e.bodies == nil {
			judge = func(e *edit, tests string) (outcome, error) { return p.plantAlone(e, tests, nil) }
		}
		switch got, err := judge(e, tests); got {
		case noticed, broken:
			return got, err
		case unjudged:
			last, why = got, err
		}
	}
	return last, why
}

// plantTogether judges a fault in the binary that has those of its package.
func (p *planter) plantTogether(e *edit, tests string) (outcome, error) {
	b, err := p.binary(key{tests, e.pkg}, p.spent[e.pkg])
	if err != nil {
		return unjudged, err
	}
	got, err := p.judge(e, b, b, e.id)
	if got != unnoticed {
		return got, err
	}
	// The switches allocate, and keep functions from being inlined, so tests that measure it may fail without a
	// fault.
	if failing := b.failing(); len(failing) > 0 {
		return p.plantAlone(e, tests, failing)
	}
	return got, err
}

// plantAlone judges a fault in a binary of its own: by all tests, or by some.
func (p *planter) plantAlone(e *edit, tests string, some []string) (outcome, error) {
	s := p.spent[e.pkg]
	plain, err := p.binary(key{tests: tests}, s)
	if err != nil {
		return unjudged, err
	}
	folder, err := os.MkdirTemp(p.folder, "")
	if err != nil {
		return unjudged, err
	}
	defer os.RemoveAll(folder)
	b, err := build(p.root, tests, folder, map[string]string{e.path: e.text}, s)
	if err != nil {
		return broken, err
	}
	if some != nil {
		t := &trial{binary: b, without: plain, draws: usual, by: &p.by[e.id-1], began: time.Now()}
		return p.judgeBy(t, slices.Chunk(some, 1))
	}
	return p.judge(e, b, plain, 0)
}

// brief is how long tests may take to notice a fault until the one that does so runs first.
const brief = 150 * time.Millisecond

// trial is a fault in the binary that has it, and the binary that runs the same tests without it.
type trial struct {
	*binary
	without *binary
	fault   int
	draws   setting
	by      *string
	began   time.Time // of the first test
	endless bool      // some tests did not end
}

// judge runs tests with a fault, first that which noticed it before, then all with few draws.
func (p *planter) judge(e *edit, b, without *binary, fault int) (outcome, error) {
	last, why := unnoticed, error(nil)
	all, err := without.tests()
	if err != nil {
		return unjudged, err
	}
	began := time.Now()
	if name := p.first[e.known()]; slices.Contains(slices.Concat(all.quick, all.slow), name) {
		t := &trial{binary: b, without: without, fault: fault, draws: usual, by: &p.by[e.id-1], began: began}
		if got, _ := t.judge([]string{name}, p.limit(t, all, []string{name})); got == noticed {
			return noticed, nil
		}
	}
	for _, draws := range []setting{few, usual} {
		groups, err := without.groups(draws)
		if err != nil {
			return unjudged, err
		}
		t := &trial{binary: b, without: without, fault: fault, draws: draws, by: &p.by[e.id-1], began: began}
		got, err := p.judgeBy(t, slices.Values(groups))
		if got == noticed {
			return noticed, nil
		}
		if draws == usual && got != unnoticed {
			last, why = got, err
		}
	}
	return last, why
}

// judgeBy judges a fault by groups of tests, one after another. If none notices it, those that did not end
// have more time.
func (p *planter) judgeBy(t *trial, groups iter.Seq[[]string]) (outcome, error) {
	all, err := t.without.tests()
	if err != nil {
		return unjudged, err
	}
	var late [][]string
	for names := range groups {
		got, _ := t.judge(names, p.limit(t, all, names))
		if got == noticed {
			return noticed, nil
		}
		t.endless = t.endless || got == unjudged
		if got == unjudged && t.draws == usual {
			late = append(late, names)
		}
	}
	for _, names := range late {
		start := time.Now()
		if _, err := t.without.try(t.draws, names, 0, 10*time.Minute); err != nil {
			return unjudged, err
		}
		if got, err := t.judge(names, 5*p.patience+25*time.Since(start)); got != unnoticed {
			return got, err
		}
	}
	return unnoticed, nil
}

// limit is how long tests may take at first, by how long they take with few objects.
func (p *planter) limit(t *trial, all tests, names []string) time.Duration {
	var took time.Duration
	for _, name := range names {
		took += all.took[name]
	}
	if t.draws == usual {
		return p.patience + 100*took
	}
	return p.patience + 5*took
}

// judge runs tests until one fails that passes without the fault.
func (t *trial) judge(names []string, limit time.Duration) (outcome, error) {
	names = slices.Clone(names)
	for {
		failed, err := t.try(t.draws, names, t.fault, limit)
		if err != nil {
			return unjudged, err
		}
		if failed == "" {
			return unnoticed, nil
		}
		if t.without.passes(t.draws, failed) && t.isCause(names, failed, limit) {
			t.without.Lock()
			t.without.noticed[failed]++
			t.without.Unlock()
			if t.draws == usual || t.endless || time.Since(t.began) > brief {
				*t.by = failed
			}
			return noticed, nil
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == failed })
	}
}

// isCause reports whether the fault is why one of several tests fails, which passes alone without it: without it
// they all pass together, or with it that one fails alone.
func (t *trial) isCause(names []string, failed string, limit time.Duration) bool {
	if len(names) == 1 || t.without.passes(t.draws, names...) {
		return true
	}
	alone, err := t.try(t.draws, []string{failed}, t.fault, limit)
	return alone != "" || err != nil
}
