package native

import (
	"bytes"
	"io"
	"os"
)

// mostTranscript bounds how much of a file is read at once. A line of a transcript holds all that a tool is given.
const mostTranscript = 16 << 20

// tail reads the lines that an agent appends to a file.
type tail struct {
	path  string
	first int64 // how much of the end is read at first, in bytes

	began bool
	from  int64  // the file up to here has been read
	rest  []byte // the beginning of a line
}

// lines returns the whole lines that were written since the last call. The error says why the file cannot be opened.
func (t *tail) lines() ([][]byte, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() <= t.from {
		return nil, nil
	}
	if !t.began {
		if t.from = max(0, fi.Size()-t.first); t.from > 0 { // in the middle of a line
			t.rest = []byte("{")
		}
		t.began = true
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, t.from, min(fi.Size()-t.from, mostTranscript)))
	if err != nil {
		return nil, nil
	}
	t.from += int64(len(raw))
	all := bytes.Split(append(t.rest, raw...), []byte("\n"))
	last := len(all) - 1
	if t.rest = bytes.Clone(all[last]); len(t.rest) > mostTranscript {
		t.rest = []byte("{") // it is of no use, however it ends
	}
	return all[:last], nil
}
