package main

import (
	"fmt"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/vectors"
)

// answers returns the files of docs/vectors by name, with their schemas: the questions of the files in a
// directory, answered anew.
func answers(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, write := range map[string]func(dir, name string) (text, schema []byte, err error){
		"requests":   answeredBy(totals),
		"qos":        answeredBy(class),
		"cgroup":     answeredBy(numbers),
		"limitrange": answeredBy(verdict),
		"quota":      answeredBy(admissionAnswer),
		"node":       answeredBy(fit),
		"pool":       answeredBy(queue),
	} {
		text, schema, err := write(dir, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name+".json"], files[name+".schema.json"] = text, schema
	}
	return files, nil
}

// answeredBy returns a function that answers all questions of a file.
func answeredBy[In, Out any](answer func(In) (Out, error)) func(dir, name string) (text, schema []byte, err error) {
	return func(dir, name string) (text, schema []byte, err error) {
		file, err := vectors.Read[In, Out](dir, name)
		if err != nil {
			return nil, nil, err
		}
		seen := map[string]bool{}
		for i := range file.Cases {
			c := &file.Cases[i]
			if seen[c.Name] {
				return nil, nil, fmt.Errorf("two cases called %q", c.Name)
			}
			seen[c.Name] = true
			c.Answer, err = answer(c.Input)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		if name != "pool" { // which is Capsule's
			file.Kubernetes = oracle.Release
		}
		text, err = file.Encode()
		if err != nil {
			return nil, nil, err
		}
		schema, err = vectors.SchemaOf[In, Out](file.Question)
		return text, schema, err
	}
}
