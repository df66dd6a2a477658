package talk

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 1 << 20

// dropWithin is the time for which Drop waits for a reader that has just read a line. A reader that waits for a line
// has none.
const dropWithin = 50 * time.Millisecond

// Reader reads lines one by one, each only when it is wanted.
type Reader struct {
	lines chan string
	want  chan struct{}
	drop  chan chan []string
	in    io.Reader
	text  *bufio.Reader
}

// Read begins to read. Lines closes when the input ends.
func Read(in io.Reader) *Reader {
	r := &Reader{lines: make(chan string, 1), want: make(chan struct{}, 1), drop: make(chan chan []string), in: in,
		text: bufio.NewReader(in)}
	go r.run()
	return r
}

// Lines returns the lines that were requested.
func (r *Reader) Lines() <-chan string { return r.lines }

// Want has the next line read. Call it once for each line.
func (r *Reader) Want() { r.want <- struct{}{} }

// Drop passes over the lines that came before now and that nobody wanted yet, and returns them.
func (r *Reader) Drop() []string {
	dropped := make(chan []string, 1)
	select {
	case r.drop <- dropped:
		return <-dropped
	case <-time.After(dropWithin):
		return nil
	}
}

func (r *Reader) run() {
	defer close(r.lines)
	for {
		select {
		case <-r.want:
			line, ok := r.line()
			if !ok {
				return
			}
			r.lines <- line
		case dropped := <-r.drop:
			dropped <- r.ready()
		}
	}
}

// line returns the next line without its end. An unfinished last line counts; a line that is too long ends the input.
func (r *Reader) line() (line string, ok bool) {
	var whole []byte
	for {
		part, err := r.text.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(whole) < MaxLine:
			continue
		case errors.Is(err, bufio.ErrBufferFull), err != nil && len(whole) == 0:
			return "", false
		}
		return string(bytes.TrimSuffix(bytes.TrimSuffix(whole, []byte("\n")), []byte("\r"))), true
	}
}

// ready returns the whole lines that can be read without waiting.
func (r *Reader) ready() (lines []string) {
	for {
		here, _ := r.text.Peek(r.text.Buffered())
		if bytes.IndexByte(here, '\n') < 0 {
			if len(here) == r.text.Size() || !r.hasMore() {
				return lines
			}
			if _, err := r.text.Peek(len(here) + 1); err != nil {
				return lines
			}
			continue
		}
		line, _ := r.line()
		lines = append(lines, line)
	}
}

// hasMore reports whether reading would not wait. It is known of files alone.
func (r *Reader) hasMore() bool {
	f, ok := r.in.(*os.File)
	if !ok {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLIN|unix.POLLHUP) != 0
}
