// A module of its own, so that no other test needs a browser.
module github.com/kubemath/kubemath/examples/playground/internal/browser

go 1.25.0
