package subcommands

import "github.com/kubemath/kubemath/examples/internal/command"

// suggestion asks whether a subcommand was meant that is spelled like it; empty if there is none.
func suggestion(name string, all []command.Subcommand) string {
	least, like := 3, ""
	for _, s := range all {
		if n := distance(name, s.Name); n < least {
			least, like = n, ": did you mean "+s.Name+"?"
		}
	}
	return like
}

// distance returns how many letters have to be added, removed or changed so that a word becomes another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
