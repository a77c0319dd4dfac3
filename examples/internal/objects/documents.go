package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Document is one document of a file, decoded without a type, or why it is not.
type Document struct {
	File   string
	Found  bool // in a directory: it may be something else than a manifest
	Number int  // within the file, from 1; 0 if the file could not be read
	// Tree has maps, lists, strings, booleans and json.Number; it is nil for a document that is
	// empty.
	Tree any
	Err  error
}

// IsOther reports whether a document is a mapping that is no Kubernetes object, such as the values
// of a Helm chart, or, if it was found in a directory, a list or text.
func (d *Document) IsOther() bool {
	object, isMapping := d.Tree.(map[string]any)
	return isMapping && object["apiVersion"] == nil && object["kind"] == nil || !isMapping && d.Found
}

// NotAnObject says why such a document is not read.
const NotAnObject = "not a Kubernetes object: it has neither apiVersion nor kind"

// Documents returns the documents of what is named, as Read has it.
func Documents(names []string, stdin io.Reader) iter.Seq[Document] {
	return documentsOf(filesNamed(names, stdin))
}

// DocumentsFS returns the documents in the manifests of a file system.
func DocumentsFS(files fs.FS) iter.Seq[Document] { return documentsOf(filesIn(files)) }

func documentsOf(files iter.Seq[file]) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for f := range files {
			for _, doc := range f.documents() {
				if !yield(doc) {
					return
				}
			}
		}
	}
}

// documents returns the documents of a file, or one that says why it has none.
func (f file) documents() []Document {
	if f.err != nil {
		return []Document{{File: f.name, Found: f.found, Err: f.err}}
	}
	docs := documents(f.data)
	for i := range docs {
		docs[i].File, docs[i].Found = f.name, f.found
	}
	return docs
}

// documents returns the documents of a file. Each "---" of YAML begins one, even if
// it is empty; what stands before the first counts if it is more than comments. Each
// JSON object counts, also where several follow one another.
func documents(file []byte) []Document {
	file = bytes.TrimPrefix(file, []byte("\uFEFF"))
	var docs []Document
	for _, s := range split(file) {
		trees, err := decode(s)
		for _, tree := range trees {
			docs = append(docs, Document{Number: len(docs) + 1, Tree: tree})
		}
		if err != nil {
			if bytes.Contains(s.text, []byte("{{")) {
				err = errTemplate
			}
			docs = append(docs, Document{Number: len(docs) + 1, Err: err})
		}
	}
	return docs
}

var errTemplate = errors.New("looks like a Helm template: render it first, with helm template")

// section is the text of a document, or of JSON objects in a row, and the number of its first line, from 1.
type section struct {
	text []byte
	line int
}

// split cuts a file at the lines that begin or end a document of YAML. JSON has no
// such lines: a line break within a string is escaped.
func split(file []byte) []section {
	var sections []section
	begun, start, startLine := false, 0, 1
	end := func(at int) {
		if text := file[start:at]; begun || !blank(text) {
			sections = append(sections, section{text, startLine})
		}
	}
	at, number := 0, 1
	for line := range bytes.Lines(file) {
		if begins := marks(line, "---"); begins || marks(line, "...") {
			end(at)
			// What follows the marker on its line belongs to the document.
			begun, start, startLine = begins, at+len("---"), number
		}
		at += len(line)
		number++
	}
	end(len(file))
	return sections
}

func marks(line []byte, marker string) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || strings.IndexByte(" \t\r\n", rest[0]) >= 0)
}

// blank reports whether there are only comments and directives.
func blank(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}

// decode returns the trees of a section: one for YAML, one for each object of JSON. With
// an error, they are those before it.
func decode(s section) ([]any, error) {
	if !yaml.IsJSONBuffer(s.text) {
		tree, err := decodeYAML(s)
		if err != nil {
			return nil, err
		}
		return []any{tree}, nil
	}
	trees, jsonErr := decodeJSON(s.text)
	if jsonErr != nil && len(trees) == 0 {
		// YAML that is written in braces may leave out the quotes.
		if tree, err := decodeYAML(s); err == nil {
			return []any{tree}, nil
		}
	}
	return trees, jsonErr
}

// decodeJSON keeps numbers as they are written. Of keys given twice the last counts, as
// for most that read JSON.
func decodeJSON(text []byte) ([]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var trees []any
	for {
		var tree any
		err := d.Decode(&tree)
		if errors.Is(err, io.EOF) {
			return trees, nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return trees, errCutOff
		}
		if err != nil {
			return trees, fmt.Errorf("invalid JSON: %w", err)
		}
		trees = append(trees, tree)
	}
}

var errCutOff = errors.New("invalid JSON: it ends within an object or a list: is it cut off?")

// decodeYAML rejects keys that are given twice: which one counts would be a guess.
func decodeYAML(s section) (any, error) {
	var raw json.RawMessage
	if err := yaml.UnmarshalStrict(s.text, &raw); err != nil {
		return nil, fmt.Errorf("invalid YAML: %s", s.locate(err.Error()))
	}
	trees, err := decodeJSON(raw)
	if err != nil || len(trees) == 0 {
		return nil, err
	}
	return trees[0], nil
}

var lineNumber = regexp.MustCompile(`(?m)^\s*line (\d+):`)

// locate removes the names of packages from a message, and counts its lines from the
// beginning of the file.
func (s section) locate(message string) string {
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors:\n"} {
		message = strings.TrimPrefix(message, prefix)
	}
	message = lineNumber.ReplaceAllStringFunc(message, func(match string) string {
		n, _ := strconv.Atoi(lineNumber.FindStringSubmatch(match)[1]) // digits
		return fmt.Sprintf("line %d:", n+s.line-1)
	})
	return wording.OneLine(message)
}
