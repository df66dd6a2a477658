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

// noteWithin is how long a hook waits for others that write their notes.
const noteWithin = 2 * time.Second

// NoteUnread adds a note to the file at path. Only the newest notes are kept, and a file that is no list of notes is
// begun again.
func NoteUnread(path string, note Unread) error {
	lock, err := whole.LockFile(path+".lock", unix.LOCK_EX)
	end := time.Now().Add(noteWithin)
	for errors.Is(err, whole.ErrLocked) && time.Now().Before(end) { // another hook writes its note
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
