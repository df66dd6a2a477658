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

// dropWithin limits how long Drop waits for the goroutine that reads. If that goroutine is waiting for input, no line
// has arrived, so Drop has nothing to return.
const dropWithin = 50 * time.Millisecond

// Reader reads lines one by one, each only after it was requested with Want.
type Reader struct {
	lines chan string
	want  chan struct{}
	drop  chan chan []string
	in    io.Reader
	text  *bufio.Reader
}

// Read returns a reader of an input, and starts its goroutine. The channel of Lines is closed when the input ends.
func Read(in io.Reader) *Reader {
	r := &Reader{lines: make(chan string, 1), want: make(chan struct{}, 1), drop: make(chan chan []string), in: in,
		text: bufio.NewReader(in)}
	go r.run()
	return r
}

// Lines returns the lines that were requested.
func (r *Reader) Lines() <-chan string { return r.lines }

// Want requests the next line. It is called once for each line.
func (r *Reader) Want() { r.want <- struct{}{} }

// Drop discards the lines that have arrived and were not requested yet, and returns them.
func (r *Reader) Drop() []string {
	dropped := make(chan []string, 1)
	select {
	case r.drop <- dropped:
		return <-dropped
	case <-time.After(dropWithin):
		return nil
	}
}

// run reads the requested lines until the input ends.
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

// hasMore reports whether the input can be read without waiting. For an input that is not a file it is not known, and
// hasMore reports false.
func (r *Reader) hasMore() bool {
	f, ok := r.in.(*os.File)
	if !ok {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLIN|unix.POLLHUP) != 0
}
