package measure

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
)

// Memory is one line of the table of memory: a value that is kept, how many parts it has, and the most bytes of a part.
type Memory struct {
	Subject string
	Part    string
	Parts   int
	AtMost  float64 // bytes
	// Prepare creates what the value may refer to, which does not count, and returns the function that creates the value.
	Prepare func() (create func() any)
}

// MemoryResult is a Memory as measured.
type MemoryResult struct {
	Subject, Part string
	Bytes, AtMost float64 // of a part
}

// Met reports whether the value keeps within its limit.
func (r MemoryResult) Met() bool { return r.Bytes <= r.AtMost }

// RunMemory measures one line after the other.
func RunMemory(rows []Memory) []MemoryResult {
	results := make([]MemoryResult, len(rows))
	for i, row := range rows {
		create := row.Prepare()
		before := heap()
		value := create()
		after := heap()
		runtime.KeepAlive(value)
		runtime.KeepAlive(create)
		results[i] = MemoryResult{row.Subject, row.Part, (after - before) / float64(row.Parts), row.AtMost}
	}
	return results
}

// heap returns how many bytes are in use.
func heap() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// PrintMemory writes results as a table and reports whether all keep within their limits.
func PrintMemory(w io.Writer, results []MemoryResult) (met bool, err error) {
	met = true
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "memory\tbytes\tat most\tmet\t  of each")
	for _, r := range results {
		verdict := "yes"
		if !r.Met() {
			verdict, met = "missed", false
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%s\t  %s\n", r.Subject, r.Bytes, r.AtMost, verdict, r.Part)
	}
	return met, table.Flush()
}

// MarkdownMemory writes results as a table.
func MarkdownMemory(w io.Writer, results []MemoryResult) error {
	var b strings.Builder
	b.WriteString("\n| memory | bytes | of each | at most |\n|---|--:|---|--:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %.0f | %s | %.0f |\n", r.Subject, r.Bytes, r.Part, r.AtMost)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
