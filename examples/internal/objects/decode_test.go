package objects

import (
	"encoding/json"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A string is that of a decoder, with and without an escape; all else is none.
func TestTextOf(t *testing.T) {
	for raw, want := range map[string]string{
		`"Pod"`: "Pod", `""`: "", `"a\u0062\"c"`: `ab"c`, `"\\"`: `\`, "\"\xff\"": "\ufffd", `"ä"`: "ä",
		`1`: "", `null`: "", `["a"]`: "", `{"a":"b"}`: "", ``: "", `"`: "",
	} {
		testkit.Equal(t, textOf(json.RawMessage(raw)), want, raw)
	}
}
