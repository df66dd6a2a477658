package term

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// fakeTty is a terminal in memory: it records the output and supplies the input of a test.
type fakeTty struct {
	mu     sync.Mutex
	out    bytes.Buffer
	w, h   int
	resize func()
	input  chan []byte
	wake   chan struct{}
	rest   []byte
}

func newFakeTty(w, h int) *fakeTty { return &fakeTty{w: w, h: h, input: make(chan []byte, 1000)} }

func (f *fakeTty) Start() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wake = make(chan struct{})
	return nil
}
func (f *fakeTty) Stop() error  { return nil }
func (f *fakeTty) Close() error { return nil }

func (f *fakeTty) Drain() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.wake)
	return nil
}

func (f *fakeTty) NotifyResize(cb func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resize = cb
}

func (f *fakeTty) WindowSize() (tcell.WindowSize, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return tcell.WindowSize{Width: f.w, Height: f.h}, nil
}

func (f *fakeTty) setSize(w, h int) {
	f.mu.Lock()
	f.w, f.h = w, h
	resize := f.resize
	f.mu.Unlock()
	resize()
}

func (f *fakeTty) Read(b []byte) (int, error) {
	if len(f.rest) == 0 {
		f.mu.Lock()
		wake := f.wake
		f.mu.Unlock()
		select {
		case more, ok := <-f.input:
			if !ok {
				return 0, io.EOF
			}
			f.rest = more
		case <-wake:
			return 0, errors.New("deadline")
		}
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

func (f *fakeTty) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.out.Write(b)
}

// take returns the output since the last take.
func (f *fakeTty) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.out.String()
	f.out.Reset()
	return s
}

func openFake(t testing.TB, w, h int) (*Screen, *fakeTty) {
	t.Helper()
	t.Setenv("TERM", "tmux-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("NO_COLOR", "")
	tty := newFakeTty(w, h)
	s, err := OpenOn(tty)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Fini)
	return s, tty
}

func write(s *Screen, x, y int, text string, style tcell.Style) { s.PutStrStyled(x, y, text, style) }

// eventually waits for a condition that another goroutine fulfils.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}
