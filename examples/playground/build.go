package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// program is the package that is built for WebAssembly.
const program = "github.com/kubemath/kubemath/examples/playground/wasm"

// buildProgram returns the program for WebAssembly, compressed, and the script of the Go release that runs it.
func buildProgram() (packed, runner []byte, err error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	root = []byte(strings.TrimSpace(string(root)))
	overlay, err := withoutTLS(string(root), dir)
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "playground.wasm")
	if _, err := goCommand("build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-overlay", overlay, "-o", file, program); err != nil {
		return nil, nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	runner, err = os.ReadFile(filepath.Join(string(root), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, err
	}
	packed, err = compress(wasm)
	return packed, runner, err
}

// withoutTLS writes an overlay for the go command in which functions panic that lead to TLS, proxies and certificates, and
// returns its file. The program opens no connection, but k8s.io/apimachinery/pkg/util/net, which the types of Kubernetes
// import, refers to the default transport of net/http, and with it the linker keeps TLS: a tenth of the program.
func withoutTLS(root, dir string) (file string, err error) {
	replace := map[string]string{}
	for source, begins := range unused {
		text, err := os.ReadFile(filepath.Join(root, "src", source))
		if err != nil {
			return "", err
		}
		patched := filepath.Join(dir, filepath.Base(source))
		text = begins.ReplaceAll(text, []byte("$0\n\tif true {\n\t\tpanic(\"no TLS\")\n\t}\n"))
		if err := os.WriteFile(patched, text, 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, "src", source)] = patched
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, overlay, 0o600)
}

// unused matches how the functions begin that lead to all others.
var unused = map[string]*regexp.Regexp{
	"net/http/transport.go":    regexp.MustCompile(`(?m)^func ProxyFromEnvironment\(.*\{$`),
	"crypto/tls/conn.go":       regexp.MustCompile(`(?m)^func \(c \*Conn\) (?:Read|Write|Close|CloseWrite|Handshake|HandshakeContext|handshakeContext)\(.*\{$`),
	"crypto/x509/pkix/pkix.go": regexp.MustCompile(`(?m)^func \(r RDNSequence\) String\(.*\{$`),
	"mime/type_unix.go":        regexp.MustCompile(`(?m)^func initMimeUnix\(.*\{$`),
	"crypto/ecdh/nist.go":      regexp.MustCompile(`(?m)^\s+(?:generate|newPrivateKey|newPublicKey|sharedSecret):\s+func\(.*\{$`),
}

// goCommand runs the go command for WebAssembly, and returns its output.
func goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, failed.Stderr)
	}
	return out, err
}

func compress(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}
