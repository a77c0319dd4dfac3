package podreport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// writeYAML writes a report as YAML, with the content and order of the JSON.
func writeYAML(to io.Writer, r *report.Report) error {
	from, into := io.Pipe()
	go func() { into.CloseWithError(writeJSON(into, r)) }()
	w := yamlWriter{json.NewDecoder(from), bufio.NewWriterSize(to, 1<<16)}
	w.from.UseNumber()
	err := w.value(0, "")
	if err == nil {
		err = w.to.Flush()
	}
	from.CloseWithError(err)
	return err
}

// yamlWriter writes JSON as YAML, token by token.
type yamlWriter struct {
	from *json.Decoder
	to   *bufio.Writer
}

// value writes the next value, whose lines have the given indent. It follows a key or a dash on its
// line, or begins the line.
func (w *yamlWriter) value(indent int, before string) error {
	token, err := w.from.Token()
	if err != nil {
		return err
	}
	switch {
	case token == json.Delim('{') && w.from.More():
		return w.mapping(indent, before)
	case token == json.Delim('[') && w.from.More():
		return w.list(indent, before)
	case token == json.Delim('{'):
		w.to.WriteString(before + " {}\n")
		_, err = w.from.Token()
	case token == json.Delim('['):
		w.to.WriteString(before + " []\n")
		_, err = w.from.Token()
	default:
		_, err = w.to.WriteString(before + " " + scalar(token) + "\n")
	}
	return err
}

// mapping writes the fields of an object: the first behind a dash, or each on a line.
func (w *yamlWriter) mapping(indent int, before string) error {
	space := strings.Repeat(" ", indent)
	switch {
	case strings.HasSuffix(before, "-"):
		before += " "
	case before != "":
		w.to.WriteString(before + "\n")
		before = space
	}
	for w.from.More() {
		key, err := w.from.Token()
		if err != nil {
			return err
		}
		if err := w.value(indent+2, before+scalar(key)+":"); err != nil {
			return err
		}
		before = space
	}
	_, err := w.from.Token()
	return err
}

// list writes the elements of a list behind dashes, which are indented as the key of the list.
func (w *yamlWriter) list(indent int, before string) error {
	w.to.WriteString(before + "\n")
	dash := strings.Repeat(" ", max(0, indent-2)) + "-"
	for w.from.More() {
		if err := w.value(indent, dash); err != nil {
			return err
		}
	}
	_, err := w.from.Token()
	return err
}

// plain matches text that needs no quotes in any version of YAML.
var plain = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)

// scalar returns a value that is neither a mapping nor a list. Strings in double quotes are the same in JSON
// and in YAML.
func scalar(token json.Token) string {
	text, isText := token.(string)
	if !isText {
		if token == nil {
			return "null"
		}
		return fmt.Sprint(token)
	}
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
	default:
		if plain.MatchString(text) {
			return text
		}
	}
	quoted, _ := json.Marshal(text) // of a string
	return string(quoted)
}
