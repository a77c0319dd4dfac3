// Nodes shows what is requested of the nodes of a cluster, which pending pods fit there and why
// others do not, and how many nodes of a shape would do.
//
//	nodes [-f FILE|DIR]... [-place first|profile|LeastAllocated|MostAllocated|BalancedAllocation]
//	      [-pack] [-shape SHAPE]... [-o table|json] [-svg FILE]
//	      [-kubernetes VERSION] [-strict] [-version]
//
// Without -f, it shows samples of its own:
//
//	go run ./examples/nodes
//	go run ./examples/nodes -pack -shape cpu=4,memory=16Gi
//	go run ./examples/nodes -svg nodes.svg
//
// Files are YAML or JSON, with any number of documents; "-" is the standard input, for example for
// the objects of a cluster:
//
//	kubectl get nodes,pods -A -o json | nodes -f -
//
// In a directory and below it, all files whose names end in .yaml, .yml or .json are read, in the
// order of their paths. Nodes, Pods and DeviceClasses are read, and the items of lists.
//
// Pods without a node are placed by resources only: in the order of their priority, each on the
// first node by name that has room, or on the node with the best score. If no node has room, the
// message is that of the scheduler. With -pack, all pods are placed again on nodes of one shape: the
// shape of each node in turn, or those of -shape.
//
// Unknown fields, and amounts that are probably mistakes, such as a memory of 512m, are warnings, or
// errors with -strict, with their file and line. README.md describes which objects are read, how they
// count, and the JSON of -o json. The exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read, or there was none,
//	2  if a pod fits on no node, or, with -pack, on no node of a shape, or if the API server
//	   would reject an object in the input, even if other input could not be read, and
//	3  if the program itself failed, or the output could not be written.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code.
var run = command.Guarded("nodes", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin)
	code := command.OK
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "nodes: %v\n", p)
		code = max(code, p.Code())
	}
	for _, note := range in.notes() {
		fmt.Fprintf(stderr, "nodes: %s\n", note)
	}
	if len(in.nodes)+len(in.pods) == 0 {
		fmt.Fprintln(stderr, "nodes: the input has neither a Node nor a Pod")
		return max(code, command.Unread)
	}
	c := clusterOf(&in, o.sums)
	for _, name := range c.unknownShapes(&o) {
		fmt.Fprintf(stderr, "nodes: -shape %s: the input has no Node of this name\n", wording.Printable(name))
		code = max(code, command.Unread)
	}
	r := c.report(&o)
	if !r.fits() {
		code = max(code, command.Rejected)
	}
	if err := o.write(c, &r, stdout); err != nil {
		fmt.Fprintf(stderr, "nodes: writing the output: %v\n", err)
		code = command.Failed
	}
	return code
}

// write writes the picture, if there is to be one, and the report.
func (o *options) write(c *cluster, r *Report, stdout io.Writer) error {
	switch o.svg {
	case "":
	case "-":
		_, err := io.WriteString(stdout, picture(c, r))
		return err
	default:
		if err := os.WriteFile(o.svg, []byte(picture(c, r)), 0o644); err != nil {
			return err
		}
	}
	text := formatTable(r)
	if o.format == "json" {
		data, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		text = string(data) + "\n"
	}
	_, err := io.WriteString(stdout, text)
	return err
}
