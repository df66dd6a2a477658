package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	startsWithin = 5 * time.Second // from the child's start until it says where it is
	lookEvery    = 20 * time.Millisecond
	mostWords    = 8 << 10 // bytes of why it did not start
)

// Portal asks for the portal of one queue.
type Portal struct {
	Path  string   // of the file that says where it runs; see Path
	Start []string // the command that starts it: choicetui web --transient, for this queue
}

// Find returns where the portal runs now; false: it does not run.
func (p Portal) Find() (Place, bool) {
	place, err := Read(p.Path)
	return place, err == nil && place.Runs()
}

// Ensure returns where the portal runs, after starting it if need be. A portal that another process starts meanwhile is
// as good.
func (p Portal) Ensure(ctx context.Context) (Place, error) {
	if place, ok := p.Find(); ok {
		return place, nil
	}
	said, err := p.start()
	if err != nil {
		return Place{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			if place, ok := p.Find(); ok {
				return place, nil
			}
		case why := <-said:
			if place, ok := p.Find(); ok { // it found another one
				return place, nil
			}
			return Place{}, fmt.Errorf("the web page could not be started: %w", why)
		case <-ctx.Done():
			return Place{}, fmt.Errorf("the web page did not start within %s", startsWithin)
		}
	}
}

// start starts the portal as a session of its own, so that it outlives the terminal. The channel gets why it ended.
// Its standard error is a file without a name: a pipe would end it at its first word after this process is gone.
func (p Portal) start() (<-chan error, error) {
	words, err := os.CreateTemp("", "choicetui-web-*")
	if err != nil {
		return nil, fmt.Errorf("the web page could not be started: %w", err)
	}
	if err := os.Remove(words.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("the web page could not be started: %w", err), words.Close())
	}
	child := exec.Command(p.Start[0], p.Start[1:]...)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	child.Stderr = words
	if err := child.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("the web page could not be started: %w", err), words.Close())
	}
	said := make(chan error, 1)
	go func() {
		defer words.Close()
		err := child.Wait()
		text, _ := io.ReadAll(io.NewSectionReader(words, 0, mostWords)) // what cannot be read is not said
		switch text = bytes.TrimSpace(text); {
		case len(text) > 0:
			err = errors.New(string(text))
		case err == nil:
			err = errors.New("it ended at once")
		}
		said <- err
	}()
	return said, nil
}

// Request says what a link should open.
type Request struct {
	Session string `json:"session,omitempty"` // empty: the list
	Given   string `json:"given,omitempty"`   // the agent that the link is given to; empty: the person opens it
}

// Reply holds a link; its URL is empty if none may be given. Bare is the same page without its token, for somebody who
// was let in already.
type Reply struct {
	URL  string `json:"url"`
	Bare string `json:"bare"`
}

// Link asks the portal for a link. The token in it can be used once.
func (p Place) Link(ctx context.Context, r Request) (Reply, error) {
	var reply Reply
	err := p.Ask(ctx, "link", r, &reply)
	return reply, err
}
