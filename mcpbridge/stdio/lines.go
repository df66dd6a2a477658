package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// edge is the number of bytes that are kept from the start and the end of a line that is too long, to find the id of
// its request there.
const edge = 512

// lines reads newline-delimited messages up to a length of most bytes.
type lines struct {
	r    *bufio.Reader
	most int
}

func newLines(r io.Reader, most int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), most: most}
}

// oversized reports a line that was longer than most bytes. It has the start and the end of the line.
type oversized struct {
	head, tail []byte
	most       int
}

func (o *oversized) Error() string { return fmt.Sprintf("message is longer than %d bytes", o.most) }

// nextLine returns one line without its end. The last line need not end with a newline. The error is io.EOF, that of
// the reader, or an *oversized, after which reading may continue.
func (l *lines) nextLine() ([]byte, error) {
	var line []byte
	var big *oversized
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case big != nil:
			big.tail = lastBytes(append(big.tail, part...))
		case len(line)+len(part) > l.most+2: // the line may end with \r\n
			big = &oversized{
				most: l.most, head: bytes.Clone(line[:min(edge, len(line))]),
				tail: lastBytes(append(bytes.Clone(lastBytes(line)), part...)),
			}
			line = nil
		default:
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if big != nil {
			return nil, big
		}
		if err != nil && len(line) == 0 {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > l.most {
			return nil, &oversized{most: l.most, head: line[:min(edge, len(line))], tail: lastBytes(line)}
		}
		return line, nil // at the end of the input the next call returns io.EOF
	}
}

// lastBytes returns the last bytes of b, at most edge.
func lastBytes(b []byte) []byte { return b[max(0, len(b)-edge):] }

// Clients write the id as the first or the last member. In both places it can be found without parsing the rest.
var (
	idFirst = regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,`)
	idLast  = regexp.MustCompile(`\}\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?` +
		`"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)
)

// requestID returns the id of the request, or null if it cannot be found. With the right id in the response, the caller
// does not wait in vain.
func (o *oversized) requestID() json.RawMessage {
	if m := idFirst.FindSubmatch(o.head); m != nil {
		return m[1]
	}
	if m := idLast.FindSubmatch(o.tail); m != nil {
		return m[1]
	}
	return json.RawMessage("null")
}
