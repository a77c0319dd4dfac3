package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// row counts the faults of a package by their outcomes.
type row struct {
	counts [outcomes]int
	spent  time.Duration
}

func (r *row) String() string {
	planted := 0
	for _, n := range r.counts {
		planted += n
	}
	cells := fmt.Sprint(planted)
	for _, n := range r.counts {
		cells += fmt.Sprint(" | ", n)
	}
	return fmt.Sprintf("%s | %.0f |\n", cells, r.spent.Seconds())
}

// table returns a row for each package, and one for all. The seconds are of one processor.
func (p *planter) table(faults []fault) string {
	rows, all := map[string]*row{}, &row{}
	for i, f := range faults {
		if rows[f.pkg] == nil {
			rows[f.pkg] = &row{spent: p.spent[f.pkg].time}
			all.spent += p.spent[f.pkg].time
		}
		rows[f.pkg].counts[p.outcomes[i]]++
		all.counts[p.outcomes[i]]++
	}
	var b strings.Builder
	b.WriteString("| package | planted |")
	for o := range outcomes {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString(" seconds |\n|---|" + strings.Repeat("--:|", int(outcomes)+2) + "\n")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "| %s | %s", name, rows[name])
	}
	fmt.Fprintf(&b, "| all | %s", all)
	return b.String()
}

// ok reports whether all faults are noticed but stale ones, of which there may be one in fifty.
func (p *planter) ok() bool {
	var counts [outcomes]int
	for _, o := range p.outcomes {
		counts[o]++
	}
	return counts[noticed]+counts[stale] == len(p.outcomes) && 50*counts[stale] <= len(p.outcomes)
}
