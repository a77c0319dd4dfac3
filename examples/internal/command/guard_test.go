package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func TestGuarded(t *testing.T) {
	for _, c := range []struct {
		name    string
		program Program
		code    int
		out     string
		says    []string
	}{
		{"success", func(_ []string, _ io.Reader, out, err io.Writer) int {
			fmt.Fprint(out, "done\n")
			fmt.Fprint(err, "note\n")
			return Rejected
		}, Rejected, "done\n", []string{"note\n"}},
		{"panic", func(_ []string, _ io.Reader, out, _ io.Writer) int {
			fmt.Fprint(out, "begun\n")
			var list []int
			return list[len(os.Args)]
		}, Failed, "begun\n", []string{"name: internal error in command.TestGuarded", ", please report it: runtime error: index out of range"}},
		{"panic with an escape sequence", func([]string, io.Reader, io.Writer, io.Writer) int { panic("\x1b[31m") }, Failed, "", []string{`: \u001b[31m` + "\n"}},
		{"half a character", func(_ []string, _ io.Reader, out, _ io.Writer) int {
			fmt.Fprint(out, "caf\xc3")
			return OK
		}, OK, `caf\u00c3`, []string{""}},
	} {
		var out, err strings.Builder
		if code := Guarded("name", c.program)(nil, nil, &out, &err); code != c.code || out.String() != c.out {
			t.Errorf("%s: code %d, wrote %q", c.name, code, &out)
		}
		for _, want := range c.says {
			if !strings.Contains(err.String(), want) {
				t.Errorf("%s: says %q, not %q", c.name, &err, want)
			}
		}
	}
}

// What cannot be written is not a verdict, even if the program does not look.
func TestGuardedOutputThatFails(t *testing.T) {
	written := 0
	full := writer(func(text []byte) (int, error) {
		if written++; written == 1 {
			return 0, errors.New("no space left on device")
		}
		return len(text), nil // by now there is space, but the output has a gap
	})
	var err strings.Builder
	program := Guarded("name", func(_ []string, _ io.Reader, out, _ io.Writer) int {
		for _, text := range []string{"a", "b"} {
			if _, err := fmt.Fprint(out, text); err == nil {
				t.Errorf("%s is written", text)
			}
		}
		return Rejected
	})
	if code := program(nil, nil, full, &err); code != Failed || err.String() != "name: writing the output: no space left on device\n" || written != 1 {
		t.Errorf("code %d, says %q, written %d times", code, &err, written)
	}
	broken := writer(func([]byte) (int, error) { panic("broken") })
	if code := program(nil, nil, broken, broken); code != Failed {
		t.Errorf("code %d", code)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(text []byte) (int, error) { return w(text) }

func TestRecovered(t *testing.T) {
	if err := Recovered(func() {}); err != nil {
		t.Error(err)
	}
	err := Recovered(func() {
		if inner := Recovered(func() { panic("first") }); !errors.Is(inner, ErrInternal) {
			t.Error(inner)
		} else {
			panic(inner)
		}
	})
	if !errors.Is(err, ErrInternal) || strings.Count(err.Error(), "internal error") != 1 || !strings.HasSuffix(err.Error(), ": first") {
		t.Error(err)
	}
}

func TestOutput(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a\tb\nc ~\n", "a\tb\nc ~\n"},
		{"año ×日本 \u00a0😀\ufffd", "año ×日本 \u00a0😀\ufffd"},
		{"\x1b[31m", `\u001b[31m`},
		{"a\rb\a\x7f\x00", `a\u000db\u0007\u007f\u0000`},
		{"\u009b2J\u0080", `\u009b2J\u0080`},
		{"\u202ea\u2066\u200b\ufeff\u2028", `\u202ea\u2066\u200b\ufeff\u2028`},
		{"\x9b\xff", `\u009b\u00ff`},
		{"\U000e0001", `\udb40\udc01`},
	} {
		for size := 1; size <= len(c.text)+1; size++ {
			var to strings.Builder
			o := output{to: &to}
			for rest := c.text; rest != ""; {
				n, err := o.Write([]byte(rest[:min(size, len(rest))]))
				if err != nil || n != min(size, len(rest)) {
					t.Fatal(n, err)
				}
				rest = rest[n:]
			}
			o.end()
			if to.String() != c.want {
				t.Errorf("%q, %d bytes at a time: %q, want %q", c.text, size, &to, c.want)
			}
		}
	}
}

func TestDescriptor(t *testing.T) {
	var to strings.Builder
	if o := (&output{to: &to}); o.Fd() != ^uintptr(0) {
		t.Error("a file that is none")
	}
	if o := (&output{to: os.Stdout}); o.Fd() != os.Stdout.Fd() {
		t.Error("another file")
	}
}
