package markup_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/markup"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWriter(t *testing.T) {
	var w markup.Writer
	w.Raw("<p")
	w.Attribute("title", `"><script>'&`+"\x00")
	w.Attribute("class", "")
	w.Around(">", `<img src=x onerror="alert(1)">`, "</p>")
	w.If(false, "<b/>")
	w.If(true, "<i/>")
	const want = `<p title="&#34;&gt;&lt;script&gt;&#39;&amp;` + "\uFFFD" + `">&lt;img src=x onerror=&#34;alert(1)&#34;&gt;</p><i/>`
	testkit.Equal(t, w.String(), want)
}
