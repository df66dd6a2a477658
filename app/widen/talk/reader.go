package talk

import (
	"bufio"
	"io"
)

// MaxLine is the longest line that is read, in bytes. A longer line ends the input.
const MaxLine = 1 << 20

// Read returns the lines of an input, without their ends. Each line is read only after a call of want, so that an
// editor can use the input in between. The channel is closed when the input ends; an unfinished last line counts.
func Read(in io.Reader) (lines <-chan string, want func()) {
	read, wanted := make(chan string, 1), make(chan struct{}, 1)
	go func() {
		defer close(read)
		text := bufio.NewScanner(in)
		text.Buffer(nil, MaxLine)
		for <-wanted; text.Scan(); <-wanted {
			read <- text.Text()
		}
	}()
	return read, func() { wanted <- struct{}{} }
}
