// Playground serves a page that shows what manifests request, as they are written: the report of kubemath,
// its plan for a PipelineRun of Tekton, and its tables of the resource pools of Capsule.
//
//	playground [-addr ADDRESS] [-export DIR] [-version]
//
// It builds these programs for WebAssembly with the go command, in a directory of this module, which takes a minute
// or two the first time. Then it serves the page on the local machine only, and prints its address. The page runs the
// programs in the browser: it accesses no other server, and no manifest leaves it.
//
//	go run ./examples/playground
//
// With -export, it writes the page as files instead, for a web server that serves files, such as GitHub Pages:
//
//	go run ./examples/playground -export site
//
// Manifests are typed, pasted, dropped or opened as files, or taken from a sample. The report changes with each key.
// Errors, rejections and warnings are listed below the text, and their lines are marked. "Copy link" makes a link
// that holds the text, compressed, in its fragment.
//
// The exit code is 0 on success; 1 if the arguments are invalid, or the page could not be built or served; and 3 if the
// program itself failed, or the output could not be written.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/kubemath/kubemath/examples/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code, or serves until it is interrupted.
var run = command.Guarded("playground", playground)

func playground(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	if err := o.run(stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "playground: %v\n", err)
		return command.Unread
	}
	return command.OK
}

type options struct {
	address *net.TCPAddr
	export  string
}

const defaultAddress = "localhost:8034"

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("playground", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Playground serves a page that shows what manifests request, as they are written.\n\n"+
			"usage: playground [-addr ADDRESS] [-export DIR] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("the page could not be built or served", ""))
	}
	address := flags.String("addr", defaultAddress, "serve the page at an `ADDRESS` of this machine; port 0 is any free port")
	flags.StringVar(&o.export, "export", "", "write the page as files into a directory `DIR`, and do not serve it")
	flags.Bool("version", false, "")
	err = command.Parse(flags, args, stdout, func() (err error) {
		o.address, err = loopback(*address)
		return err
	})
	return o, err
}

// loopback returns an address of this machine that no other machine can reach.
func loopback(address string) (*net.TCPAddr, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("-addr: %w", err)
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("-addr: %s can be reached from other machines: want localhost", address)
	}
	return resolved, nil
}

func (o *options) run(stdout, stderr io.Writer) error {
	if o.export != "" {
		return o.write(stdout, stderr)
	}
	listener, err := net.ListenTCP("tcp", o.address) // first, because to build takes longer
	if err != nil {
		return err
	}
	defer listener.Close()
	s, err := build(stderr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(stdout, "http://%s\n", listener.Addr()); err != nil {
		return err
	}
	server := http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (o *options) write(stdout, stderr io.Writer) error {
	s, err := build(stderr)
	if err != nil {
		return err
	}
	if err := s.export(o.export); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d files in %s\n", len(s), o.export)
	return err
}

// build returns the site, with the program for WebAssembly.
func build(stderr io.Writer) (site, error) {
	fmt.Fprintln(stderr, "playground: building for WebAssembly")
	packed, runner, err := buildProgram()
	if err != nil {
		return nil, err
	}
	return newSite(packed, runner)
}
