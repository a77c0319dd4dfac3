package measure

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Rows are chosen by their kernel, before they are set up and after.
func TestWrite(t *testing.T) {
	nothing := func() {}
	var asked []bool
	rows := func(isChosen func(string) bool) ([]Row, error) {
		asked = append(asked, isChosen("sums"), isChosen("shares"))
		return []Row{{Kernel: "sums", Ours: nothing, Theirs: nothing}, {Kernel: "shares", Ours: nothing, Theirs: nothing}}, nil
	}
	var out strings.Builder
	if err := write(&out, rows, "^sh", 1); err != nil {
		t.Fatal(err)
	}
	var got []Result
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || len(got) != 1 || got[0].Kernel != "shares" {
		t.Errorf("%v %v", got, err)
	}
	if len(asked) != 2 || asked[0] || !asked[1] {
		t.Errorf("chosen before: %v", asked)
	}
	if err := write(&out, rows, "(", 1); err == nil {
		t.Error("an invalid regexp is accepted")
	}
	failed := errors.New("failed")
	if err := write(&out, func(func(string) bool) ([]Row, error) { return nil, failed }, "", 1); !errors.Is(err, failed) {
		t.Error(err)
	}
}
