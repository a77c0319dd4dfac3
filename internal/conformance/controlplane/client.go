package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Client asks a server by path, such as /api/v1/namespaces/a/pods, and speaks JSON. Where
// the server refuses, the error is an *errors.StatusError of k8s.io/apimachinery.
type Client struct {
	address string
	http    *http.Client
}

func newClient(address string, id *identity) *Client {
	// A transport without Proxy uses no proxy.
	transport := &http.Transport{TLSClientConfig: id.tls(), ForceAttemptHTTP2: true}
	return &Client{address: address, http: &http.Client{
		Transport: bearer{transport, id.token}, Timeout: time.Minute,
	}}
}

// bearer sends the token with every request.
type bearer struct {
	next  http.RoundTripper
	token string
}

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(request)
}

// Get reads what is at path into out.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.do(ctx, http.MethodGet, path, nil, out)
}

// Create posts an object to the path of its kind, and reads what is stored into out unless
// that is nil.
func (c *Client) Create(ctx context.Context, path string, in, out any) error {
	return c.do(ctx, http.MethodPost, path, in, out)
}

// Update puts an object to its own path, or that of one of its subresources, and reads
// what is stored into out unless that is nil.
func (c *Client) Update(ctx context.Context, path string, in, out any) error {
	return c.do(ctx, http.MethodPut, path, in, out)
}

// Watch calls each for every object at the path of a kind, as ADDED, and then for each of their changes, one after the other,
// until ctx is done. It returns an error if the server ends it earlier. It may begin with the objects as they were before.
func (c *Client) Watch(ctx context.Context, path string, each func(change string, object json.RawMessage) error) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address+path+"?watch=true&resourceVersion=0", nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: c.http.Transport}).Do(request) // without the time limit of c.http
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("watching %s: %s", path, response.Status)
	}
	for decoder := json.NewDecoder(response.Body); ; {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		err := decoder.Decode(&event)
		if err == nil && event.Type == "ERROR" {
			err = fmt.Errorf("watching %s: %s", path, event.Object)
		}
		if err == nil {
			err = each(event.Type, event.Object)
		}
		if err != nil {
			return err
		}
	}
}

// Delete removes the object at path without a time of grace, and in the background what it owns, also the pods of a Job.
func (c *Client) Delete(ctx context.Context, path string) error {
	return c.do(ctx, http.MethodDelete, path+"?gracePeriodSeconds=0&propagationPolicy=Background", nil, nil)
}

func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.address+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		var status metav1.Status
		if err := json.Unmarshal(text, &status); err != nil || status.Status != metav1.StatusFailure {
			if response.StatusCode == http.StatusNotFound { // of a group that is not served, or not yet
				return apierrors.NewNotFound(schema.GroupResource{}, path)
			}
			return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
		}
		return &apierrors.StatusError{ErrStatus: status}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}
