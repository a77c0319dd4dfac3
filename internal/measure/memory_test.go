package measure_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestRunMemory(t *testing.T) {
	const parts, size = 1_000, 4 << 10
	row := measure.Memory{Subject: "blocks", Part: "block", Parts: parts, AtMost: size + size/2, Prepare: func() func() any {
		shared := make([]byte, 100*size*parts)
		return func() any {
			blocks := [][]byte{shared}
			for range parts {
				blocks = append(blocks, make([]byte, size))
			}
			return blocks
		}
	}}
	got := measure.RunMemory([]measure.Memory{row})[0]
	if got.Bytes < size || !got.Met() || got.Subject != "blocks" || got.Part != "block" || got.AtMost != row.AtMost {
		t.Errorf("%+v, want at least %d bytes each, and at most half as much again", got, size)
	}
}

func TestPrintMemory(t *testing.T) {
	results := []measure.MemoryResult{
		{Subject: "small", Part: "pod", Bytes: 370.4, AtMost: 1200},
		{Subject: "large", Part: "pod", Bytes: 1300, AtMost: 1200},
	}
	var table, page strings.Builder
	met, err := measure.PrintMemory(&table, results)
	if err != nil || met || !strings.Contains(table.String(), "small    370     1200     yes") || strings.Count(table.String(), "missed") != 1 {
		t.Errorf("%v, %v:\n%s", met, err, table.String())
	}
	if met, err := measure.PrintMemory(&table, results[:1]); err != nil || !met {
		t.Errorf("%v, %v, want met", met, err)
	}
	want := "\n| memory | bytes | of each | at most |\n|---|--:|---|--:|\n| small | 370 | pod | 1200 |\n| large | 1300 | pod | 1200 |\n"
	if err := measure.MarkdownMemory(&page, results); err != nil || page.String() != want {
		t.Errorf("%v, %s", err, page.String())
	}
}
