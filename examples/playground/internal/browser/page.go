package browser

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Browser is a running Chromium.
type Browser struct {
	pipe    *pipe
	profile string

	mu    sync.Mutex
	pages map[string]*Page // by session
}

// Page is an open page.
type Page struct {
	browser *Browser
	session string
	target  string

	mu       sync.Mutex
	faults   []string // what it wrote to its console as an error or a warning, and exceptions
	requests []string // the URLs that it asked for, its own first
}

// Start runs the Chromium at a path.
func Start(program string) (*Browser, error) {
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile, pages: map[string]*Page{}}
	b.pipe, err = start(program, profile, b.tell)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(profile))
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() error {
	return errors.Join(b.pipe.close(), os.RemoveAll(b.profile))
}

func (b *Browser) tell(m message) {
	b.mu.Lock()
	page := b.pages[m.SessionID]
	b.mu.Unlock()
	if page != nil {
		page.tell(m)
	}
}

// View describes the screen on which a page is shown.
type View struct {
	Width, Height int
	Dark          bool
}

// Open opens a URL, and returns once it is loaded.
func (b *Browser) Open(url string, view View) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.pipe.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := b.pipe.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{browser: b, session: attached.SessionID, target: target.TargetID}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		if err := p.call(domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	if err := p.See(view); err != nil {
		return nil, err
	}
	var navigated struct{ ErrorText string }
	if err := p.call("Page.navigate", map[string]any{"url": url}, &navigated); err != nil {
		return nil, err
	}
	if navigated.ErrorText != "" {
		return nil, fmt.Errorf("%s: %s", url, navigated.ErrorText)
	}
	return p, p.Eval(`new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", () => done()))`, nil)
}

// Reload loads the page again, and returns once it is loaded.
func (p *Page) Reload() error {
	if err := p.Eval(`window.isOld = true`, nil); err != nil {
		return err
	}
	if err := p.call("Page.reload", nil, nil); err != nil {
		return err
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var loaded bool
		// A script fails if the page goes while it runs.
		if err := p.Eval(`!window.isOld && document.readyState === "complete"`, &loaded); err == nil && loaded {
			return nil
		}
	}
	return errors.New("the page is not loaded again")
}

func (p *Page) call(method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	return p.browser.pipe.call(p.session, method, params, result)
}

// Close closes the page.
func (p *Page) Close() error {
	return p.browser.pipe.call("", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
}

// See sets the screen on which the page is shown.
func (p *Page) See(view View) error {
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	return errors.Join(
		p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": view.Width, "height": view.Height, "deviceScaleFactor": 1, "mobile": view.Width < 600}, nil),
		p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil),
	)
}

func (p *Page) tell(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Method {
	case "Runtime.exceptionThrown", "Log.entryAdded":
		p.faults = append(p.faults, string(m.Params))
	case "Runtime.consoleAPICalled":
		var called struct{ Type string }
		if json.Unmarshal(m.Params, &called) != nil || called.Type == "error" || called.Type == "warning" || called.Type == "assert" {
			p.faults = append(p.faults, string(m.Params))
		}
	case "Network.requestWillBeSent":
		var sent struct{ Request struct{ URL string } }
		if err := json.Unmarshal(m.Params, &sent); err != nil {
			sent.Request.URL = err.Error()
		}
		p.requests = append(p.requests, sent.Request.URL)
	}
}

// Faults returns the errors and warnings on the console of the page so far, and uncaught exceptions.
func (p *Page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults
}

// Requests returns the URLs that the page asked for so far, its own first.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// Eval runs a script in the page, and stores the value of its last expression in a pointer, unless that
// is nil. It waits for a promise.
func (p *Page) Eval(script string, value any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	params := map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}
	if err := p.call("Runtime.evaluate", params, &answer); err != nil {
		return err
	}
	if answer.ExceptionDetails != nil {
		return fmt.Errorf("the script failed: %s", answer.ExceptionDetails)
	}
	if value == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, value)
}

// keys are the keys that Press knows, by their names in the page.
var keys = map[string]struct {
	code int
	text string
}{"Tab": {9, ""}, "Enter": {13, "\r"}, " ": {32, " "}, "ArrowLeft": {37, ""}, "ArrowRight": {39, ""}, "Backspace": {8, ""}}

// Press presses a key: Tab, Enter, Backspace, an arrow to the left or right, a digit, or the space bar, which is
// " ".
func (p *Page) Press(key string) error {
	k, known := keys[key]
	if isDigit := len(key) == 1 && key[0] >= '0' && key[0] <= '9'; isDigit {
		k.code, k.text = int(key[0]), key
	} else if !known {
		return fmt.Errorf("no key %q", key)
	}
	press := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": k.code, "text": k.text}
	if key == " " {
		press["code"] = "Space"
	} else if !known {
		press["code"] = "Digit" + key
	}
	release := map[string]any{"type": "keyUp", "key": key, "code": press["code"], "windowsVirtualKeyCode": k.code}
	return errors.Join(p.call("Input.dispatchKeyEvent", press, nil), p.call("Input.dispatchKeyEvent", release, nil))
}

// Type writes a text where the focus is, as if it were pasted.
func (p *Page) Type(text string) error {
	return p.call("Input.insertText", map[string]any{"text": text}, nil)
}

// Drop drags files of the disk over a point of the page, and drops them there.
func (p *Page) Drop(x, y int, files ...string) (err error) {
	data := map[string]any{"items": []any{}, "files": files, "dragOperationsMask": 1}
	for _, event := range []string{"dragEnter", "dragOver", "drop"} {
		err = errors.Join(err, p.call("Input.dispatchDragEvent", map[string]any{"type": event, "x": x, "y": y, "data": data}, nil))
	}
	return err
}

// Choose chooses files of the disk in the input that a selector finds.
func (p *Page) Choose(selector string, files ...string) error {
	var document struct{ Root struct{ NodeID int } }
	if err := p.call("DOM.getDocument", nil, &document); err != nil {
		return err
	}
	var found struct{ NodeID int }
	if err := p.call("DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": selector}, &found); err != nil {
		return err
	}
	return p.call("DOM.setFileInputFiles", map[string]any{"nodeId": found.NodeID, "files": files}, nil)
}

// Picture returns a PNG of the page, in its full length up to a number of pixels.
func (p *Page) Picture(most int) ([]byte, error) {
	var size struct{ Width, Height int }
	err := p.Eval(`({Width: document.documentElement.clientWidth, Height: document.documentElement.scrollHeight})`, &size)
	if err != nil {
		return nil, err
	}
	clip := map[string]any{"x": 0, "y": 0, "width": size.Width, "height": min(size.Height, most), "scale": 1}
	var picture struct{ Data string }
	if err := p.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true, "clip": clip}, &picture); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(picture.Data)
}
