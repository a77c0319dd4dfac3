package objects

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const maxDocument = 512 << 20 // bytes

var (
	errTooLarge = fmt.Errorf("a document of more than %d MiB", maxDocument>>20)
	errBinary   = errors.New("has NUL bytes: it is neither YAML nor JSON")
	errUTF16    = errors.New("is written in UTF-16: save it as UTF-8")
	newline     = []byte("\n")
)

// source reads a file document by document. A document ends before a line that begins with --- or ..., as no line of
// JSON does, since line breaks in its strings are escaped.
type source struct {
	from  *bufio.Reader
	rest  []byte // of the document, which is read next
	begin bool   // what follows rest begins a line
	line  int    // of rest, from 1
	size  int    // of the document so far
	ended bool   // nothing of the document follows rest
	last  bool   // nor of the file
	err   error  // why the file could not be read to its end
}

func newSource(from io.Reader) *source {
	return &source{from: bufio.NewReaderSize(from, 1<<16), line: 1, begin: true}
}

// open drops a byte order mark, and returns an error for an encoding that cannot be read.
func (s *source) open() error {
	head, _ := s.from.Peek(3) // what is there
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), len(head) > 1 && (head[0] == 0) != (head[1] == 0):
		return errUTF16
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		_, _ = s.from.Discard(len("\uFEFF")) // they are there
	}
	return nil
}

// marker returns --- or ... if the next line is a marker, otherwise "".
func (s *source) marker() string {
	head, _ := s.from.Peek(4)
	if len(head) >= 3 && (len(head) == 3 || bytes.IndexByte([]byte(" \t\r\n"), head[3]) >= 0) && (string(head[:3]) == "---" || string(head[:3]) == "...") {
		return string(head[:3])
	}
	return ""
}

// fill sets rest to the next line, or to a part of it, and reports whether the document has any.
func (s *source) fill() bool {
	for len(s.rest) == 0 {
		if s.ended = s.ended || s.begin && s.marker() != ""; s.ended {
			return false
		}
		line, err := s.from.ReadSlice('\n')
		s.rest, s.begin, s.size = line, bytes.HasSuffix(line, newline), s.size+len(line)
		s.last = err != nil && !errors.Is(err, bufio.ErrBufferFull)
		switch {
		case s.last && !errors.Is(err, io.EOF):
			s.err = err
		case bytes.IndexByte(line, 0) >= 0:
			s.err = errBinary
		case s.size > maxDocument:
			s.err = errTooLarge
		}
		s.ended = s.last
		if s.err != nil {
			s.rest, s.ended, s.last = nil, true, true
		}
	}
	return true
}

// take returns the next line of the document, or a part of it, until the next call; nil at its end.
func (s *source) take() []byte {
	if !s.fill() {
		return nil
	}
	piece := s.rest
	if i := bytes.IndexByte(piece, '\n'); i >= 0 {
		piece = piece[:i+1]
		s.line++
	}
	s.rest = s.rest[len(piece):]
	return piece
}

// Read reads the document, and counts no lines.
func (s *source) Read(to []byte) (n int, err error) {
	for n < len(to) && (n == 0 || s.from.Buffered() > 4) && s.fill() {
		copied := copy(to[n:], s.rest)
		s.rest = s.rest[copied:]
		n += copied
	}
	if n == 0 && len(to) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// unread puts a text that was read before rest. Lines are those of the text.
func (s *source) unread(text []byte) { s.rest = append(text, s.rest...) }

// blank drops empty lines and comments, and reports whether that is all. The text keeps its indent.
func (s *source) blank() bool {
	for s.fill() {
		if text := bytes.TrimLeft(s.rest, " \t\r"); len(text) > 0 && text[0] != '\n' && (text[0] != '#' || !s.begin && !s.ended) && text[0] != '%' {
			return false
		}
		s.take()
	}
	return true
}

// first drops empty lines, and returns the first byte of the document that is not a space; 0 if there is none.
func (s *source) first() byte {
	for s.fill() {
		if text := bytes.TrimLeft(s.rest, " \t\r\n"); len(text) > 0 {
			return text[0]
		}
		s.take()
	}
	return 0
}

// empty reports whether the file has nothing but white space.
func (s *source) empty() bool { return s.first() == 0 && s.last && s.err == nil }

// skip drops the rest of the document.
func (s *source) skip() {
	for s.take() != nil {
	}
}

// next goes to the next document, and returns the marker before it.
func (s *source) next() string {
	marker := s.marker()
	_, _ = s.from.Discard(len(marker)) // which is there
	s.begin, s.ended, s.size = false, false, 0
	return marker
}
