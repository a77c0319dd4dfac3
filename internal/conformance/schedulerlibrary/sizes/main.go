// Sizes prints how large programs are that link scheduler-library, or whatif, and little else.
//
//	cd internal/conformance/schedulerlibrary && go run ./sizes
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if err := print(); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func print() error {
	dir, err := os.MkdirTemp("", "sizes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, program := range []string{"library", "whatif"} {
		file := filepath.Join(dir, program)
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./sizes/"+program)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return err
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		fmt.Printf("%-8s %5.1f MB\n", program, float64(info.Size())/1e6)
	}
	return nil
}
