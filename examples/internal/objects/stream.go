package objects

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	minBuffer   = 64 << 10
	maxDocument = 512 << 20 // bytes of a document, or of an item of a list of JSON
)

var (
	errTooLarge = fmt.Errorf("a document or an object of more than %d MiB", maxDocument>>20)
	errBinary   = errors.New("has NUL bytes: it is neither YAML nor JSON")
	errUTF16    = errors.New("is written in UTF-16: save it as UTF-8")
)

// stream is a file that is read piece by piece. Its text is what has been read and not yet dropped.
// Positions count from the beginning of the text.
type stream struct {
	from io.Reader
	buf  []byte
	off  int   // where in buf the text begins
	line int   // the number of the line where the text begins, from 1
	err  error // why nothing more is read; io.EOF at the end of the file
}

func newStream(from io.Reader) *stream { return &stream{from: from, line: 1} }

// text may change with each fill.
func (s *stream) text() []byte { return s.buf[s.off:] }

// fill adds to the text, and reports whether there was more.
func (s *stream) fill() bool {
	if s.err != nil {
		return false
	}
	if s.off > 0 && cap(s.buf)-len(s.buf) < minBuffer/2 {
		s.buf = s.buf[:copy(s.buf, s.text())]
		s.off = 0
	}
	if len(s.buf)-s.off > maxDocument {
		s.err = errTooLarge
		return false
	}
	if cap(s.buf)-len(s.buf) < minBuffer/2 {
		s.buf = slices.Grow(s.buf, max(minBuffer, len(s.buf)))
	}
	for range 100 { // empty reads
		n, err := s.from.Read(s.buf[len(s.buf):cap(s.buf)])
		added := s.buf[len(s.buf) : len(s.buf)+n]
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil {
			s.err = err
		} else if bytes.IndexByte(added, 0) >= 0 {
			s.err = errBinary
		}
		if n > 0 || s.err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// at returns the byte at a position, and false behind the end of the file.
func (s *stream) at(i int) (byte, bool) {
	for s.off+i >= len(s.buf) {
		if !s.fill() {
			return 0, false
		}
	}
	return s.buf[s.off+i], true
}

// drop forgets the first n bytes of the text.
func (s *stream) drop(n int) {
	s.line += bytes.Count(s.buf[s.off:s.off+n], newline)
	s.off += n
}

// lineAt returns the number of the line of a position.
func (s *stream) lineAt(i int) int { return s.line + bytes.Count(s.text()[:i], newline) }

var newline = []byte("\n")

// open drops a byte order mark, and returns an error for an encoding that cannot be read.
func (s *stream) open() error {
	s.at(2)
	head := s.text()
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return errUTF16
	case len(head) > 1 && (head[0] == 0) != (head[1] == 0):
		return errUTF16
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		s.drop(len("\uFEFF"))
	}
	return nil
}

// failed returns why the file could not be read to its end, or nil.
func (s *stream) failed() error {
	if s.err == nil || errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// skipSpace returns the position of the next byte that is not white space of JSON, or the end of the
// file.
func (s *stream) skipSpace(i int) int {
	for {
		c, ok := s.at(i)
		if !ok || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
		i++
	}
}

// marker returns the position of the next line that begins or ends a document of YAML, or the end of
// the file. The text begins behind a marker, or with a line. JSON has no such lines: a line break
// within a string is escaped.
func (s *stream) marker(lineStart bool) int {
	if lineStart && s.marks(0) != "" {
		return 0
	}
	for i := 0; ; {
		n := bytes.IndexByte(s.text()[i:], '\n')
		if n < 0 {
			i = len(s.text())
			if !s.fill() {
				return i
			}
			continue
		}
		i += n + 1
		if s.marks(i) != "" {
			return i
		}
	}
}

// marks returns "---" or "..." if the line at a position is such a marker, otherwise "".
func (s *stream) marks(i int) string {
	first, ok := s.at(i)
	if !ok || first != '-' && first != '.' {
		return ""
	}
	s.at(i + 3)
	line := s.text()[i:]
	for _, marker := range []string{"---", "..."} {
		if rest, found := bytes.CutPrefix(line, []byte(marker)); found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0) {
			return marker
		}
	}
	return ""
}
