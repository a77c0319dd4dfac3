package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// pipe is a connection to a Chromium: messages are JSON, each ended by a zero byte.
type pipe struct {
	cmd *exec.Cmd
	to  io.WriteCloser

	mu      sync.Mutex
	last    int                  // number of the last command
	waiting map[int]chan message // by number of the command
	onEvent func(message)
	err     error // why nothing more is read
}

// message is an answer, with the number of its command, or an event, with a method.
type message struct {
	ID        int             `json:"id"`
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is the timeout for an answer.
const patience = 60 * time.Second

// start runs a Chromium with its profile in a directory. Events are delivered in order, one at a time.
func start(program, profile string, onEvent func(message)) (*pipe, error) {
	cmd := exec.Command(program,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--force-color-profile=srgb", "--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	theirs, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, theirAnswers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs, theirAnswers} // 3 and 4, as the protocol requires
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	theirs.Close()
	theirAnswers.Close()
	p := &pipe{cmd: cmd, to: to, waiting: map[int]chan message{}, onEvent: onEvent}
	go p.read(from)
	return p, nil
}

func (p *pipe) read(from io.ReadCloser) {
	defer from.Close()
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		var m message
		if err == nil {
			err = json.Unmarshal(text[:len(text)-1], &m)
		}
		p.mu.Lock()
		if err != nil {
			p.err = fmt.Errorf("the browser has gone: %w", err)
			for _, answer := range p.waiting {
				close(answer)
			}
			p.waiting = nil
			p.mu.Unlock()
			return
		}
		answer := p.waiting[m.ID]
		delete(p.waiting, m.ID)
		p.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case m.Method != "":
			p.onEvent(m)
		}
	}
}

// call sends a command to a session, or without one to the browser, and stores the answer in a pointer,
// unless that is nil.
func (p *pipe) call(session, method string, params, result any) error {
	answer := make(chan message, 1)
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return p.err
	}
	p.last++
	id := p.last
	p.waiting[id] = answer
	text, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if session != "" && err == nil {
		text, err = json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": session})
	}
	if err == nil {
		_, err = p.to.Write(append(text, 0))
	}
	p.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m, open := <-answer:
		switch {
		case !open:
			return fmt.Errorf("%s: %w", method, p.err)
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer within %v", method, patience)
	}
}

// close ends the browser.
func (p *pipe) close() error {
	p.to.Close() // at which it ends
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
		return nil
	case <-time.After(10 * time.Second):
		return errors.Join(errors.New("the browser does not end"), p.cmd.Process.Kill())
	}
}
