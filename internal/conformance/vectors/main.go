// Command vectors answers the questions of docs/vectors: it writes the files again, with the answers that
// Kubernetes gives.
//
//	go run ./vectors -docs ../../docs/vectors
//
// Its test fails if the files differ from its output.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	docs := flag.String("docs", "", "the directory of the files")
	flag.Parse()
	if *docs == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	files, err := answers(*docs)
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(*docs, name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d files\n", len(files))
}
