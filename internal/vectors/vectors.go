package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A Case is one question, and its answer once somebody has given one.
type Case[In, Out any] struct {
	Name   string `json:"name"`
	Why    string `json:"why"`
	Input  In     `json:"input"`
	Answer Out    `json:"answer"`
	// ConfirmedBy says who gave the answer, where that is not what the file says.
	ConfirmedBy string `json:"confirmedBy,omitempty"`
}

// A File is what one file of docs/vectors holds.
type File[In, Out any] struct {
	Schema      string   `json:"$schema"`
	Question    string   `json:"question"`
	ConfirmedBy []string `json:"confirmedBy"`
	// Kubernetes is the release whose answers these are, empty if they are those of another project.
	Kubernetes string          `json:"kubernetes,omitempty"`
	Cases      []Case[In, Out] `json:"cases"`
}

// Read reads the file of a name in a directory. An unknown field is an error.
func Read[In, Out any](dir, name string) (file File[In, Out], err error) {
	text, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		return file, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return file, decoder.Decode(&file)
}

// Encode writes a file with one line for each case, so that a change of one shows as one line.
func (f File[In, Out]) Encode() ([]byte, error) {
	var out bytes.Buffer
	head := f
	head.Cases = nil
	text, err := encode(head, "  ")
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("null\n}\n"))
	out.Write(text)
	out.WriteString("[")
	for i, c := range f.Cases {
		if i > 0 {
			out.WriteString(",")
		}
		line, err := encode(c, "")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		out.WriteString("\n    ")
		out.Write(bytes.TrimSuffix(line, []byte("\n")))
	}
	out.WriteString("\n  ]\n}\n")
	return out.Bytes(), nil
}

// encode writes JSON in which < and > are not escaped.
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(v)
	return out.Bytes(), err
}

// Amounts are amounts by resource, in base units (CPUs, bytes, pieces), as decimal numbers without
// suffix or exponent, and without zeros behind the last digit after the point: "0.25", "268435456".
type Amounts map[corev1.ResourceName]string

// AmountsOf writes a list of resources as Amounts. Nil and empty lists are empty.
func AmountsOf(list corev1.ResourceList) Amounts {
	amounts := Amounts{}
	for name, q := range list {
		amounts[name] = Decimal(q)
	}
	return amounts
}

// Decimal writes an amount as Amounts does.
func Decimal(q resource.Quantity) string {
	q = q.DeepCopy() // AsDec changes its receiver
	text := q.AsDec().String()
	if bytes.ContainsRune([]byte(text), '.') {
		text = string(bytes.TrimRight([]byte(text), "0"))
		text = string(bytes.TrimSuffix([]byte(text), []byte(".")))
	}
	return text
}

// List reads amounts.
func (a Amounts) List() (corev1.ResourceList, error) {
	list := corev1.ResourceList{}
	for name, text := range a {
		q, err := resource.ParseQuantity(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list[name] = q
	}
	return list, nil
}
