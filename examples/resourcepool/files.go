package main

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/pool"
)

//go:embed samples/*.yaml
var samples embed.FS

// tenant is what a migration needs of Capsule's Tenant.
type tenant struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ResourceQuotas struct {
			Items []corev1.ResourceQuotaSpec `json:"items"`
		} `json:"resourceQuotas"`
	} `json:"spec"`
}

// readAll returns the cluster of the named files, or one of each sample if there are none.
func readAll(names []string, stdin io.Reader) (clusters []*cluster, err error) {
	if len(names) > 0 {
		c := &cluster{name: strings.Join(names, ", ")}
		for _, name := range names {
			data, err := command.ReadFile(name, stdin)
			if err == nil {
				err = c.add(data)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		return []*cluster{c}, nil
	}
	names, _ = fs.Glob(samples, "samples/*.yaml") // the pattern is right
	for _, name := range names {
		data, err := samples.ReadFile(name)
		c := &cluster{name: name}
		if err == nil {
			heading, _, _ := strings.Cut(string(data), "\n")
			c.heading = fmt.Sprintf("# %s\n%s", name, heading)
			err = c.add(data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		clusters = append(clusters, c)
	}
	return clusters, nil
}

// add takes in the documents of a file.
func (c *cluster) add(file []byte) error {
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(file)))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.addDocument(document)
		}
		if err != nil {
			return fmt.Errorf("document %d: %w", number, err)
		}
	}
}

func (c *cluster) addDocument(document []byte) error {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(document, &meta); err != nil {
		return err
	}
	switch meta.Kind {
	case "Namespace":
		return add(document, &c.namespaces)
	case "ResourceQuota":
		return add(document, &c.quotas)
	case "Tenant":
		return add(document, &c.tenants)
	case "":
		return nil // nothing but comments
	}
	object, err := pool.Decode(document)
	if err != nil {
		return err
	}
	var errs field.ErrorList
	switch o := object.(type) {
	case *pool.ResourcePool:
		errs = pool.ValidatePool(o)
		c.pools = append(c.pools, o)
	case *pool.ResourcePoolClaim:
		errs = pool.ValidateClaim(o)
		c.claims = append(c.claims, o)
	}
	return errs.ToAggregate()
}

func add[T any](document []byte, to *[]*T) error {
	var object T
	*to = append(*to, &object)
	return yaml.Unmarshal(document, &object)
}
