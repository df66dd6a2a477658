package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Troubles that no key of the person caused; why is the error as the face shows it.

// DiskMute says why something is not stored yet.
const DiskMute = "the disk does not answer"

// DiskSilent says so about the person's next answers.
const (
	DiskSilent = DiskMute + ": what you send waits"
)

// Polled says that changes of the queue are not told by the file system.
func Polled(f Face) string {
	return f.side("checking once a second",
		"the file system reports no changes: the queue is checked once a second")
}

// NotifyFailed says what went wrong with telling a person on the desktop.
func NotifyFailed(err error) string { return "notify.desktop: " + err.Error() }

// QueueUnread says that the queue cannot be read.
func QueueUnread(why string) string {
	if at := strings.Index(why, queue.ErrUnreachable.Error()); at >= 0 {
		return why[at:]
	}
	return "the queue cannot be read: " + why
}

// SetAside says which file of the queue was no session and has been set aside.
func SetAside(name, why string) string { return name + " cannot be read, set aside: " + why }

// LieAside counts the files of questions and drafts that were set aside before, longest form first.
func LieAside(n int) []string {
	return []string{Count(n, "file") + " of the queue could not be read: choicetui doctor says where",
		Count(n, "unreadable file") + ": choicetui doctor", Count(n, "unreadable file")}
}

// DraftUnsaved says that what was typed is not saved.
func DraftUnsaved(why string) string { return "the draft is not saved: " + why }

// AnswerUnsaved says that what was sent is not stored yet.
func AnswerUnsaved(why string) string { return "not saved, trying again: " + why }

// LeftUnsaved names the question whose answer was not stored before the program ended.
func LeftUnsaved(id, why string) string { return "the answer to " + id + " was not saved: " + why }

// What a face says of the page in the browser.
const (
	NoPages        = "the demo has no page in the browser"
	OpeningBrowser = "opening the browser"
)

// OpenedInBrowser says that a page was opened, and where it is.
func OpenedInBrowser(link string) string { return "opened in the browser: " + link }
