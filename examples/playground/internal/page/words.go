package page

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/playground/internal/markup"
)

// words are a text, parts of which come from the report.
type words []piece

// piece is a part of a text: a number, a string that the report has at a path, or otherwise a text of
// this package.
type piece struct {
	Text     string
	Path     at
	Number   *number
	Of       at   // the path of what the text is made of
	Resource bool // it is the name of a resource
}

func say(text string) piece { return piece{Text: text} }

func quote(text string, path at) piece { return piece{Text: wording.Printable(text), Path: path} }

// sentence returns a text of the library about a value that the report has at a path.
func sentence(text string, of at) piece { return piece{Text: wording.Printable(text), Of: of} }

func resourceName(name corev1.ResourceName) piece {
	return piece{Text: wording.Printable(string(name)), Resource: true}
}

// Chunks returns the parts of a text between which a line may break: behind dots and slashes.
func (p piece) Chunks() []string {
	return chunk.FindAllString(p.Text, -1)
}

var chunk = regexp.MustCompile(`[^./]*[./]?`)

func figure(n number) piece { return piece{Number: &n} }

// counted returns "1 pod", "2 pods".
func counted[T int | int64](n T, what string, path at) words {
	_, noun, _ := strings.Cut(wording.Count(int64(n), what), " ")
	return words{figure(countOf(n, path)), say(" " + noun)}
}

// enumerate returns "a, b and c".
func enumerate(list []words) (all words) {
	for i, w := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			all = append(all, say(" and "))
		default:
			all = append(all, say(", "))
		}
		all = append(all, w...)
	}
	return all
}

// inWords returns "490m of cpu and 1Gi of memory".
func (a amounts) inWords() words {
	var list []words
	for _, name := range a.list.Names() {
		list = append(list, words{figure(a.of(name)), say(" of "), resourceName(name)})
	}
	return enumerate(list)
}

// place returns "web.yaml, document 2, items[0]".
func place(s objects.Source, path at) words {
	all := words{quote(s.File, path.to("file"))}
	if s.Document > 0 {
		all = append(all, say(", document "), figure(countOf(s.Document, path.to("document"))))
	}
	if s.Item != "" {
		all = append(all, say(", "), quote(s.Item, path.to("item")))
	}
	return all
}

// lineOf returns "web.yaml, document 2, line 12"; without a line, the place.
func lineOf(s objects.Source, line int, path at) words {
	all := place(s, path.to("source"))
	if line > 0 {
		all = append(all, say(", line "), figure(countOf(line, path.to("line"))))
	}
	return all
}

// identity returns "Deployment shop/web".
func identity(kind, namespace, name string, path at) words {
	all := words{quote(kind, path.to("kind")), say(" ")}
	if namespace != "" {
		all = append(all, quote(namespace, path.to("namespace")), say("/"))
	}
	return append(all, quote(name, path.to("name")))
}

// line writes words between markup.
func (w *writer) line(before markup.HTML, text words, after markup.HTML) {
	w.Raw(before)
	w.words(text)
	w.Raw(after)
}

func (w *writer) words(text words) {
	for i := range text {
		w.piece(&text[i])
	}
}

func (w *writer) piece(p *piece) {
	switch {
	case p.Number != nil:
		w.number(p.Number)
	case p.Path != "":
		w.quoted("data-path", p.Path, p.Text)
	case p.Of != "":
		w.quoted("data-of", p.Of, p.Text)
	case p.Resource:
		w.Raw(`<span class="resource">`)
		for _, chunk := range p.Chunks() {
			w.Around("", chunk, "<wbr/>")
		}
		w.Raw("</span>")
	default:
		w.Text(p.Text)
	}
}

// quoted writes a text that the report has at a path.
func (w *writer) quoted(name markup.HTML, path at, text string) {
	w.Raw("<span")
	w.Attribute(name, string(path))
	w.Around(">", text, "</span>")
}
