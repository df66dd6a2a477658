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

// edge is the number of bytes that are kept of an oversized line's start and end, to find the id of its request.
const edge = 512

// lines reads newline-delimited messages of bounded length.
type lines struct {
	r    *bufio.Reader
	most int
}

func newLines(r io.Reader, most int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), most: most}
}

// oversized replaces a line that was too long and was thrown away.
type oversized struct {
	head, tail []byte
	most       int
}

func (o *oversized) Error() string { return fmt.Sprintf("message is longer than %d bytes", o.most) }

// nextLine returns one line without its end, the last one too if nothing ends it. The error is io.EOF, the reader's, or
// *oversized, after which reading may continue.
func (l *lines) nextLine() ([]byte, error) {
	var line []byte
	var big *oversized
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case big != nil:
			big.tail = lastBytes(append(big.tail, part...), edge)
		case len(line)+len(part) > l.most+2: // with \r\n
			big = &oversized{
				most: l.most, head: bytes.Clone(line[:min(edge, len(line))]),
				tail: lastBytes(append(bytes.Clone(lastBytes(line, edge)), part...), edge),
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
			return nil, &oversized{most: l.most, head: line[:min(edge, len(line))], tail: lastBytes(line, edge)}
		}
		return line, nil // at EOF the error comes again with the next call
	}
}

func lastBytes(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// Clients write the id first or last; both places are unambiguous without parsing what lies between.
var (
	idFirst = regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,`)
	idLast  = regexp.MustCompile(`\}\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?` +
		`"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)
)

// requestID returns the request's id, or null if it cannot be found. Without a response under its id the caller would
// wait in vain.
func (o *oversized) requestID() json.RawMessage {
	if m := idFirst.FindSubmatch(o.head); m != nil {
		return m[1]
	}
	if m := idLast.FindSubmatch(o.tail); m != nil {
		return m[1]
	}
	return json.RawMessage("null")
}
