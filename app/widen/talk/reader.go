package talk

import (
	"bufio"
	"io"
)

// MaxLine is the longest line that is read, in bytes. A longer line ends the input.
const MaxLine = 1 << 20

// Read returns the lines of an input, without their ends. The channel is closed when the input ends; an unfinished last
// line counts. With onRequest each line is read only after a call of want, so that an editor can use the terminal in
// between. Else want is nil, and the lines are read as they come.
func Read(in io.Reader, onRequest bool) (lines <-chan string, want func()) {
	read, turns := make(chan string, 1), make(chan struct{}, 1)
	if onRequest {
		want = func() { turns <- struct{}{} }
	} else {
		close(turns) // it is always the turn of the next line
	}
	go func() {
		defer close(read)
		text := bufio.NewScanner(in)
		text.Buffer(nil, MaxLine)
		for <-turns; text.Scan(); <-turns {
			read <- text.Text()
		}
	}()
	return read, want
}
