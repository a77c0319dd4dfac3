package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubemath/kubemath/examples/internal/resourcepool"
	"github.com/kubemath/kubemath/examples/playground/internal/coschedule"
)

//go:embed web
var web embed.FS

// policy is the content security policy of the page: it runs its own scripts and its own program, and asks for
// nothing but its own files.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

// site is the files of the page, by name.
type site map[string][]byte

// newSite returns the page with a program, which is compressed, and the script that runs it.
func newSite(packed, runner []byte) (site, error) {
	s := site{"playground.wasm.gz": packed, "wasm_exec.js": runner}
	entries, err := web.ReadDir("web")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		text, err := web.ReadFile(path.Join("web", entry.Name()))
		if err != nil {
			return nil, err
		}
		s[entry.Name()] = text
	}
	s["index.html"] = bytes.ReplaceAll(s["index.html"], []byte("POLICY"), []byte(policy))
	s["samples.json"], err = samples()
	return s, err
}

// sample is a text to begin with.
type sample struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Cluster is what a change is applied to. It is in the file beside it, whose name ends with .cluster.yaml.
	Cluster string `json:"cluster,omitempty"`
}

const ofCluster = ".cluster.yaml"

// samples returns the samples of each tab as JSON: those of the folder with the name of the tab, and those of the
// program behind it.
func samples() ([]byte, error) {
	all := map[string][]sample{}
	folders := []struct {
		tab    string
		files  fs.FS
		folder string
	}{
		{"change", web, "web/samples/change"},
		{"pod", web, "web/samples/pod"},
		{"namespace", web, "web/samples/namespace"},
		{"node", web, "web/samples/node"},
		{"pipelinerun", web, "web/samples/pipelinerun"},
		{"pipelinerun", coschedule.Samples, "samples"},
		{"resourcepool", resourcepool.Samples, "samples"},
	}
	for _, from := range folders {
		names, err := fs.Glob(from.files, from.folder+"/*.yaml")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, ofCluster) {
				continue
			}
			text, err := fs.ReadFile(from.files, name)
			if err != nil {
				return nil, err
			}
			cluster, _ := fs.ReadFile(from.files, strings.TrimSuffix(name, ".yaml")+ofCluster) // which most lack
			all[from.tab] = append(all[from.tab], sample{titleOf(name), string(text), string(cluster)})
		}
	}
	return json.Marshal(all)
}

// titleOf returns "one node" for 1-one-node.yaml.
func titleOf(name string) string {
	title := strings.TrimLeft(strings.TrimSuffix(path.Base(name), ".yaml"), "0123456789-")
	return strings.ReplaceAll(title, "-", " ")
}

// contentTypes are those of the files, by extension.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".gz":   "application/gzip", // the page unpacks it, so that any server of files will do
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
}

// ServeHTTP serves the files.
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	data, found := s[name]
	if !found {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store") // the next one at this address may be another version
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// export writes the files into a directory, which it creates if it is missing. It also writes .nojekyll, without
// which GitHub Pages would run a generator over them.
func (s site) export(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err := os.WriteFile(filepath.Join(dir, ".nojekyll"), nil, 0o644)
	for name, data := range s {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	return err
}
