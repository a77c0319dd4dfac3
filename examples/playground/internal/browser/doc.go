// Package browser drives a headless Chromium over a pipe, by the Chrome DevTools Protocol, with the
// standard library only: it opens a page, runs scripts in it, presses keys, takes pictures, and records
// the messages on its console and its network requests.
//
// Its tests open the playground. They run where KUBEMATH_BROWSER names a Chromium, as in .ci/browser.
package browser
