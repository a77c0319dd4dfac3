// Package browser drives a headless Chromium over a pipe, by the Chrome DevTools Protocol, without
// anything but the standard library: it opens a page, runs scripts in it, presses keys, takes
// pictures of it, and notes what it writes to its console and what it asks of a network.
//
// Its tests open the pages that the examples write. They run where KUBEMATH_BROWSER names a
// Chromium, which .ci/browser sees to.
package browser
