package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// testSite returns the site with a program of a few bytes.
func testSite(t *testing.T) site {
	t.Helper()
	packed, err := compress([]byte("\x00asm"))
	testkit.OK(t, err)
	s, err := newSite(packed, []byte("// runs it\n"))
	testkit.OK(t, err)
	return s
}

func get(t *testing.T, server *httptest.Server, path string) (*http.Response, []byte) {
	t.Helper()
	response, err := http.Get(server.URL + path)
	testkit.OK(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	testkit.OK(t, err)
	return response, body
}

func TestServe(t *testing.T) {
	server := httptest.NewServer(testSite(t))
	defer server.Close()
	for path, contentType := range map[string]string{
		"/":                   "text/html; charset=utf-8",
		"/index.html":         "text/html; charset=utf-8",
		"/playground.css":     "text/css; charset=utf-8",
		"/playground.js":      "text/javascript; charset=utf-8",
		"/worker.js":          "text/javascript; charset=utf-8",
		"/wasm_exec.js":       "text/javascript; charset=utf-8",
		"/samples.json":       "application/json",
		"/playground.wasm.gz": "application/gzip",
	} {
		response, body := get(t, server, path)
		h := response.Header
		if response.StatusCode != http.StatusOK || h.Get("Content-Type") != contentType || len(body) == 0 {
			t.Errorf("%s: %s, %s, %d bytes", path, response.Status, h.Get("Content-Type"), len(body))
		}
		if h.Get("Content-Encoding") != "" {
			t.Errorf("%s: encoded as %s: the page unpacks the program itself", path, h.Get("Content-Encoding"))
		}
		if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval';") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: policy %q", path, p)
		}
	}
	for _, path := range []string{"/samples", "/web/index.html", "/main.go", "/../main.go"} {
		if response, _ := get(t, server, path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}

// A server of files, such as GitHub Pages, has the same files.
func TestExport(t *testing.T) {
	s := testSite(t)
	dir := filepath.Join(t.TempDir(), "new", "site")
	testkit.OK(t, s.export(dir))
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		if entry.Name() == ".nojekyll" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil || !bytes.Equal(text, s[entry.Name()]) {
			t.Errorf("%s differs from what is served: %v", entry.Name(), err)
		}
	}
	if len(names) != len(s)+1 || names[0] != ".nojekyll" {
		t.Errorf("files %q", names)
	}
	if err := s.export(filepath.Join(dir, "index.html")); err == nil {
		t.Error("no error for a directory that is a file")
	}
}

// The page refers to files that are there, and its policy forbids all others.
func TestReferences(t *testing.T) {
	s := testSite(t)
	if !bytes.Contains(s["index.html"], []byte(`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`)) {
		t.Error("the page has no policy of its own, which servers of files do not send")
	}
	reference := regexp.MustCompile(`(?:src|href)="([^"#:]+)"|from "\./([^"]+)"|(?:Worker|importScripts|fetch)\("([^"]+)"\)`)
	found := 0
	for name, text := range s {
		if name == "playground.wasm.gz" {
			continue
		}
		for _, match := range reference.FindAllSubmatch(text, -1) {
			target := string(match[1]) + string(match[2]) + string(match[3])
			found++
			if s[target] == nil {
				t.Errorf("%s refers to %s", name, target)
			}
		}
		if regexp.MustCompile(`https?://`).Match(text) && name != "samples.json" {
			t.Errorf("%s refers to another server", name)
		}
		if regexp.MustCompile(`innerHTML|outerHTML|document\.write|\beval\(`).Match(text) {
			t.Errorf("%s makes markup or scripts of texts", name)
		}
	}
	if found < 9 {
		t.Errorf("%d references", found)
	}
	if regexp.MustCompile(`<script[^>]*>[^<]|\son[a-z]+=|style="`).Match(s["index.html"]) {
		t.Error("the page has scripts or styles that its policy forbids")
	}
}

// Each tab has samples, with names.
func TestSamples(t *testing.T) {
	var all map[string][]sample
	testkit.OK(t, json.Unmarshal(testSite(t)["samples.json"], &all))
	for _, tab := range []string{"change", "pod", "namespace", "node", "pipelinerun", "resourcepool"} {
		if len(all[tab]) < 3 {
			t.Errorf("%s: %d samples", tab, len(all[tab]))
		}
		for _, s := range all[tab] {
			if !regexp.MustCompile(`^[a-z][a-z ]+$`).MatchString(s.Name) || !strings.Contains(s.Text, "apiVersion: ") {
				t.Errorf("%s: sample %q", tab, s.Name)
			}
			if (s.Cluster != "") != (tab == "change") {
				t.Errorf("%s: sample %q has the cluster %q", tab, s.Name, s.Cluster)
			}
		}
	}
	if first := all["change"][0]; first.Name != "a refusal" || all["pod"][0].Name != "deployment" {
		t.Errorf("the first sample is %s", first.Name)
	}
}

func TestCompress(t *testing.T) {
	data := bytes.Repeat([]byte("kubemath"), 10000)
	packed, err := compress(data)
	testkit.OK(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	testkit.OK(t, err)
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, data) || len(packed) > len(data)/50 {
		t.Errorf("%d bytes in %d: %v", len(got), len(packed), err)
	}
}

// The program for WebAssembly has no mistakes that the compiler finds. A full build takes longer: .ci/browser does it.
func TestProgramCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("all that it imports is compiled for WebAssembly")
	}
	cmd := exec.Command("go", "vet", program)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"help", []string{"-h"}, 0, "Playground serves a page that shows what manifests request, as they are written."},
		{"positional", []string{"site"}, 1, `playground: unexpected argument "site": files are given with -f`},
		{"unknown flag", []string{"-x"}, 1, "flag provided but not defined: -x"},
		{"other machines", []string{"-addr", "0.0.0.0:80"}, 1, "playground: -addr: 0.0.0.0:80 can be reached from other machines: want localhost"},
		{"all addresses", []string{"-addr", ":8080"}, 1, "playground: -addr: :8080 can be reached from other machines: want localhost"},
		{"no port", []string{"-addr", "localhost"}, 1, "playground: -addr: address localhost: missing port in address"},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, run, test.code, test.stderr, test.args...) })
	}
}

func TestLoopback(t *testing.T) {
	for _, address := range []string{"127.0.0.1:80", "[::1]:0", defaultAddress} {
		if _, err := loopback(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// An address that is in use is an error before anything is built.
func TestAddressInUse(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	var stdout, stderr strings.Builder
	code := run([]string{"-addr", server.Listener.Addr().String()}, nil, &stdout, &stderr)
	if lines := strings.Split(stderr.String(), "\n"); code != 1 || len(lines) != 2 || !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "in use") }) {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

// Connections of TLS, which the program never opens, are left out of it: they begin with a panic.
func TestWithoutTLS(t *testing.T) {
	root, err := goCommand("env", "GOROOT")
	testkit.OK(t, err)
	dir := t.TempDir()
	if _, err := withoutTLS(strings.TrimSpace(string(root)), dir); err != nil {
		t.Fatal(err)
	}
	for source := range unused {
		text, err := os.ReadFile(filepath.Join(dir, filepath.Base(source)))
		if err != nil || !strings.Contains(string(text), `panic("no TLS")`) {
			t.Errorf("%s is as it was: %v", source, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "conn.go"))
	testkit.OK(t, err)
	for _, method := range []string{"Read(b []byte) (int, error)", "Write(b []byte) (int, error)", "Close() error", "CloseWrite() error", "Handshake() error"} {
		if begin := "\nfunc (c *Conn) " + method + " {\n\tif true {\n\t\tpanic("; !strings.Contains(string(text), begin) {
			t.Errorf("%s does not begin with a panic", method)
		}
	}
}
