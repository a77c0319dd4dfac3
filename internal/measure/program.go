package measure

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
)

// Main is the program of a module with rivals of its own: it measures rows, of which a flag chooses some by their kernel,
// and writes the results as JSON. Rows that take long to set up can be left out if their kernel is not chosen.
func Main(rows func(isChosen func(kernel string) bool) ([]Row, error)) {
	rounds := flag.Int("rounds", 60, "how many `rounds` to measure")
	only := flag.String("run", "", "measure only kernels that match the `regexp`")
	flag.Parse()
	if err := write(os.Stdout, rows, *only, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

func write(to io.Writer, rows func(isChosen func(kernel string) bool) ([]Row, error), only string, rounds int) error {
	matches, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	all, err := rows(matches.MatchString)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(all, func(r Row) bool { return !matches.MatchString(r.Kernel) })
	return json.NewEncoder(to).Encode(Run(chosen, rounds))
}
