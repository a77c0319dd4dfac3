package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The table of docs/versions.md between these lines says for each minor version of Kubernetes what was run
// against it.
const (
	tableBegins = "<!-- Written by .ci/upstream -table -->\n"
	tableEnds   = "<!-- End of what .ci/upstream -table writes -->\n"
)

// compared is what was run for one minor version of Kubernetes.
type compared struct {
	kubernetes           string // 1.36
	versions             []string
	packages             int
	before, after        int // tests that passed
	functions, differing int
}

// comparedOf sums up the tests of a world and the calls of its adapters.
func comparedOf(kubernetes string, lines []line, calls counts) compared {
	c := compared{kubernetes: kubernetes, packages: len(lines)}
	for _, l := range lines {
		c.before += l.before.count()
		c.after += l.after.count()
		_, version, _ := strings.Cut(l.pkg, " ")
		if strings.HasPrefix(l.pkg, componentHelpers+"/") && !slices.Contains(c.versions, version) {
			c.versions = append(c.versions, version)
		}
	}
	for _, t := range calls {
		if t.forwarded == 0 {
			c.functions++
		}
		if len(t.differed) > 0 {
			c.differing++
		}
	}
	return c
}

// ownTests returns the versions of k8s.io/api with which .ci/run runs the project's own tests: that of
// go.mod, and those that .ci/run names.
func ownTests(goMod, run string) (versions []string, err error) {
	required := regexp.MustCompile(`(?m)^\s*k8s\.io/api (v\S+)$`).FindStringSubmatch(goMod)
	others := regexp.MustCompile(`(?m)for version in ([0-9. ]+);`).FindStringSubmatch(run)
	if required == nil || others == nil {
		return nil, fmt.Errorf("go.mod or .ci/run does not say which versions of k8s.io/api are tested")
	}
	versions = append(versions, required[1])
	for _, version := range strings.Fields(others[1]) {
		versions = append(versions, "v"+version)
	}
	return versions, nil
}

// minorOf returns 1.36 for v0.36.3.
func minorOf(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 2 {
		return version
	}
	return "1." + parts[1]
}

// compatibilityTable returns the table of the versions of the own tests and of the upstream tests: those of a release
// that was run, and of others as they are in the old table.
func compatibilityTable(own []string, c compared, old string) string {
	rows := map[string][2]string{}
	for line := range strings.Lines(old) {
		cells := strings.Split(line, " | ")
		if minor := strings.TrimPrefix(cells[0], "| "); len(cells) == 3 && strings.HasPrefix(minor, "1.") {
			rows[minor] = [2]string{"–", strings.TrimSuffix(cells[2], " |\n")}
		}
	}
	rows[c.kubernetes] = [2]string{"–", fmt.Sprintf("%s: %d before, %d with kubemath; %d functions compared, %d of them different on purpose",
		packages(c), c.before, c.after, c.functions, c.differing)}
	for _, version := range own {
		row, ok := rows[minorOf(version)]
		if !ok {
			row[1] = "–"
		}
		row[0] = "all, with k8s.io/api " + version
		rows[minorOf(version)] = row
	}
	var b strings.Builder
	b.WriteString("| Kubernetes | our tests (`.ci/run`) | its own tests that pass (`.ci/upstream`) |\n|---|---|---|\n")
	for _, minor := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", minor, rows[minor][0], rows[minor][1])
	}
	return b.String()
}

func packages(c compared) string {
	text := fmt.Sprintf("%d packages", c.packages)
	if c.packages == 1 {
		text = "1 package"
	}
	if len(c.versions) > 0 {
		text += ", component-helpers " + strings.Join(c.versions, ", ")
	}
	return text
}

// compatibility writes the table into docs/versions.md, or, without that option, returns a fault if that page
// has another table.
func (r run) compatibility(root string, c compared) (fault string, err error) {
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		return "", err
	}
	own, err := ownTests(string(goMod), string(script))
	if err != nil {
		return "", err
	}
	file := filepath.Join(root, "docs", "versions.md")
	old, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	before, table, after, err := cutTable(string(old))
	if err != nil {
		return "", err
	}
	updated := before + compatibilityTable(own, c, table) + after
	switch {
	case r.writeTable:
		return "", os.WriteFile(file, []byte(updated), 0o644)
	case updated != string(old):
		return "docs/versions.md: the table of compatibility is out of date: run .ci/upstream -kubernetes " + r.release + " -table", nil
	}
	return "", nil
}

// cutTable returns a text around the table, with the lines that mark it, and the table.
func cutTable(text string) (before, table, after string, err error) {
	before, rest, ok := strings.Cut(text, tableBegins)
	table, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		return "", "", "", fmt.Errorf("docs/versions.md: there is no table of compatibility to replace")
	}
	return before + tableBegins, table, tableEnds + after, nil
}
