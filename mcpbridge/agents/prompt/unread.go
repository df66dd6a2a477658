package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// Unread notes that the input of a hook could not be read. It has nothing of the input but the event's name.
type Unread struct {
	Agent  string    `json:"agent"`
	Event  string    `json:"event,omitempty"` // empty: it could not be read either
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// Limits of the notes: how many are kept, how many bytes of the file are read, and how long one may be.
const (
	mostUnread      = 100
	mostUnreadBytes = 64 << 10
	mostUnreadWords = 100
)

// NoteUnread adds a note to the file at path. Only the newest notes are kept, and a file that is no list of notes is
// begun again.
func NoteUnread(path string, note Unread) error {
	lock, err := whole.LockFile(path+".lock", unix.LOCK_EX)
	for try := 0; errors.Is(err, whole.ErrLocked) && try < 100; try++ { // another hook writes its note
		time.Sleep(5 * time.Millisecond)
		lock, err = whole.LockFile(path+".lock", unix.LOCK_EX)
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	note.Agent = queue.Shorten(note.Agent, mostUnreadWords, "")
	note.Event = queue.Shorten(note.Event, mostUnreadWords, "")
	note.Reason = queue.Shorten(note.Reason, mostUnreadWords, "…")
	note.At = note.At.UTC().Truncate(time.Second)
	notes, _ := ReadUnread(path)
	notes = append(notes, note)
	var b bytes.Buffer
	for _, one := range notes[max(0, len(notes)-mostUnread):] {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return whole.Write(path, ".unread-*", b.Bytes())
}

// ReadUnread returns the notes in the file at path, oldest first. A missing file has none; lines that are no notes are
// left out.
func ReadUnread(path string) (notes []Unread, err error) {
	raw, err := whole.ReadPrivate(path, mostUnreadBytes)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(raw)) {
		var note Unread
		if json.Unmarshal([]byte(line), &note) == nil && note.Agent != "" && !note.At.IsZero() {
			notes = append(notes, note)
		}
	}
	return notes, err
}

// ObjectScanner finds the end of the first JSON object in a text that comes in pieces. It does not check the JSON in
// it, so that it finds the end of what is nested too deeply to be read, too.
type ObjectScanner struct {
	depth            int
	began, other     bool
	inText, escaping bool
}

// Began reports whether anything but blanks has come.
func (s *ObjectScanner) Began() bool { return s.began || s.other }

// Other reports whether something else than an object begins the text.
func (s *ObjectScanner) Other() bool { return s.other }

// Scan reads the next piece. It returns the length of the part that belongs to the object or is before it, and whether
// the object ends there.
func (s *ObjectScanner) Scan(piece []byte) (end int, found bool) {
	for i, c := range piece {
		switch {
		case s.other:
		case !s.began:
			s.began = c == '{'
			s.other = !s.began && !strings.ContainsRune(" \t\r\n", rune(c)) && !isMark(c)
			if s.began {
				s.depth = 1
			}
		case s.escaping:
			s.escaping = false
		case s.inText:
			s.escaping, s.inText = c == '\\', c != '"'
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(piece), false
}

// isMark reports whether a byte is one of the three of a byte order mark in UTF-8.
func isMark(c byte) bool { return c == 0xEF || c == 0xBB || c == 0xBF }

// HasNameTwice reports whether a JSON object has a name twice, so that nobody knows which of the two is meant.
func HasNameTwice(raw []byte) bool {
	_, twice, _ := readMembers(raw)
	return twice
}

// IsTooDeep reports whether a JSON object is valid but for values that are nested too deeply to be read.
func IsTooDeep(raw []byte) bool {
	_, _, err := readMembers(raw)
	return err != nil && isTooDeep(err)
}
