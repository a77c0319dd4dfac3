//go:build linux

package subcommands_test

import (
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The picture of the README is what diff writes to a terminal of 100 columns, with its colours. With -update, it is
// written.
func TestPicture(t *testing.T) {
	golden.Compare(t, "../../../../docs/diff.svg", drawn(onTerminal(t, 100, "diff")))
}

// onTerminal returns what a subcommand writes to a terminal of so many columns.
func onTerminal(t *testing.T, columns uint16, args ...string) string {
	t.Helper()
	screen, terminal := openTerminal(t, columns)
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(screen) // ends with an error when the terminal is closed
		text <- string(all)
	}()
	t.Chdir("../podreport")
	t.Setenv("NO_COLOR", "")
	t.Setenv("COLUMNS", "")
	t.Setenv("TERM", "xterm")
	if code := subcommands.Run(args, strings.NewReader(""), terminal, terminal); code != 2 {
		t.Fatalf("%v: exit code %d", args, code)
	}
	terminal.Close()
	return strings.ReplaceAll(<-text, "\r\n", "\n")
}

// openTerminal returns a pseudoterminal, and what shows it.
func openTerminal(t *testing.T, columns uint16) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no pseudoterminals: ", err)
	}
	t.Cleanup(func() { screen.Close() })
	control := func(request uintptr, value unsafe.Pointer) {
		t.Helper()
		connection, err := screen.SyscallConn()
		testkit.OK(t, err)
		if err := connection.Control(func(fd uintptr) {
			if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(value)); failed != 0 {
				t.Fatal(failed)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	var locked, number uint32
	size := struct{ rows, columns, x, y uint16 }{60, columns, 0, 0}
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	testkit.OK(t, err)
	return screen, terminal
}

// coloured is a text that a terminal shows in red or in yellow.
var coloured = regexp.MustCompile(`\x1b\[3([13])m(.*?)\x1b\[0m`)

// drawn returns an SVG with the lines of a terminal.
func drawn(text string) string {
	text = strings.ReplaceAll(text, "\n\x1b[0m", "\x1b[0m\n") // a colour ends in the line that it is of
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 %d" width="820" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<style>
text { fill: #1f2328; white-space: pre } .screen { fill: #f6f8fa; stroke: #d1d9e0 } .c1 { fill: #b3201d } .c3 { fill: #8a5a00 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .screen { fill: #0d1117; stroke: #3d444d } .c1 { fill: #ff7b72 } .c3 { fill: #e3b341 } }
</style>
<rect class="screen" x="0.5" y="0.5" width="819" height="%d" rx="6"/>
`, 18*len(lines)+42, 18*len(lines)+41)
	for i, line := range append([]string{"$ kubemath diff"}, lines...) {
		line = coloured.ReplaceAllString(html.EscapeString(line), `<tspan class="c$1">$2</tspan>`)
		fmt.Fprintf(&b, "<text x=\"16\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", 18*i+26, line)
	}
	return b.String() + "</svg>\n"
}
