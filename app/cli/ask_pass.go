package cli

import (
	"bytes"
	"io"
	"regexp"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

// passer copies what is read through it to out as it arrives, and holds back what may be the question's JSON until
// the end shows whether it is.
type passer struct {
	in   io.Reader
	out  io.Writer
	all  []byte
	sent int // bytes of all that are decided: copied or left out
	held bool
}

func newPasser(in io.Reader, out io.Writer) io.Reader { return &passer{in: in, out: out} }

// maybe matches where a question's JSON may begin: a json fence, or an object with type or question first. Its end may
// still be missing.
var maybe = regexp.MustCompile("(?i)```[ \t]*(?:$|j$|js$|jso$|json)|`{1,2}$|" +
	"\\{\\s*(?:$|\"(?:$|t$|ty$|typ$|type|q$|qu$|que$|ques$|quest$|questi$|questio$|question))")

func (p *passer) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.all = append(p.all, b[:n]...)
	if werr := p.copy(err == io.EOF); werr != nil {
		return n, werr
	}
	return n, err
}

// copy sends what cannot be the question any more; at the end all but the question.
func (p *passer) copy(end bool) error {
	rest := p.all[p.sent:]
	if !end {
		if p.held {
			return nil
		}
		if at := maybe.FindIndex(rest); at != nil {
			rest, p.held = rest[:at[0]], isWhole(rest[at[0]:at[1]])
		}
		p.sent += len(rest)
		_, err := p.out.Write(rest)
		return err
	}
	left := p.all
	if e := dialect.Extract(string(p.all)); e.Found() {
		left = withoutQuestion(p.all, e.Start)
	}
	if p.sent < len(left) {
		rest = bytes.Clone(left[p.sent:])
	} else {
		rest = nil
	}
	if len(left) > 0 && left[len(left)-1] != '\n' { // the answer begins on a line of its own
		rest = append(rest, '\n')
	}
	p.sent = len(left)
	_, err := p.out.Write(rest)
	return err
}

// isWhole reports whether a beginning is complete, so that everything behind it waits for the end.
func isWhole(start []byte) bool {
	return bytes.HasSuffix(bytes.ToLower(start), []byte("json")) || bytes.HasSuffix(start, []byte("type")) ||
		bytes.HasSuffix(start, []byte("question"))
}

// withoutQuestion returns the text without the question that starts at an offset. A fence alone is removed; of raw JSON
// only the text before it stays.
func withoutQuestion(all []byte, start int) []byte {
	if !bytes.HasPrefix(all[start:], []byte("```")) {
		return all[:start]
	}
	end := bytes.Index(all[start+3:], []byte("```"))
	if end < 0 {
		return all[:start]
	}
	return append(bytes.Clone(all[:start]), all[start+3+end+3:]...)
}
