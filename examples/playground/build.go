package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	file := filepath.Join(dir, "playground.wasm")
	if _, err := goCommand("build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, program); err != nil {
		return nil, nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	runner, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, err
	}
	packed, err = compress(wasm)
	return packed, runner, err
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
