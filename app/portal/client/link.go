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
	startsWithin = 5 * time.Second // from starting the process until it has written its place
	lookEvery    = 20 * time.Millisecond
	mostWords    = 8 << 10 // bytes of its error message
)

// Portal finds or starts the portal of one queue.
type Portal struct {
	Path  string   // the file that says where the portal runs; see the function Path
	Start []string // the command that starts it: choicetui web --transient, for this queue
}

// Find returns the place of the running portal; false: it does not run.
func (p Portal) Find() (Place, bool) {
	place, err := Read(p.Path)
	return place, err == nil && place.Runs()
}

// Ensure returns the place of the portal, after starting it if necessary. It also accepts a portal that another process
// starts meanwhile.
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
			if place, ok := p.Find(); ok { // the process ended because another portal runs
				return place, nil
			}
			return Place{}, fmt.Errorf("the web page could not be started: %w", why)
		case <-ctx.Done():
			return Place{}, fmt.Errorf("the web page did not start within %s", startsWithin)
		}
	}
}

// start starts the portal in a session of its own, so that it outlives the terminal. The channel receives the error
// with which it ended. Its standard error is a deleted temporary file: a pipe would kill it at its first message after
// this process has ended.
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
		text, _ := io.ReadAll(io.NewSectionReader(words, 0, mostWords)) // an unreadable message is left out
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

// Request describes the link that is wanted.
type Request struct {
	Session string `json:"session,omitempty"` // empty: the list
	Given   string `json:"given,omitempty"`   // the agent that the link is given to; empty: the person opens it
}

// Reply is the portal's reply. URL is empty if no link may be given. Bare is the address of the same page without the
// token, for a browser that was let in already.
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
