package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Troubles that no key of the person caused; why is the error as the face shows it.

// DiskMute says why something is not stored yet.
const DiskMute = "the disk does not answer"

// DiskSilent says so of what the person sends, and DiskSlow of an answer that was sent some time ago.
const (
	DiskSilent = DiskMute + ": what you send waits"
	DiskSlow   = DiskMute + "; the answer under way is not saved yet"
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

// LieAside says of how many questions and drafts the files were set aside before, longest form first.
func LieAside(n int) []string {
	return []string{Count(n, "file") + " of the queue could not be read: choicetui doctor says where",
		Count(n, "unreadable file") + ": choicetui doctor", Count(n, "unreadable file")}
}

// Both says two things that are wrong in one line, each of them longest form first. Where there is no room for both,
// the first is said, which the person can mend here. dot is the sign of the screen.
func Both(first, second []string, dot string) (forms []string) {
	for _, a := range first {
		for _, b := range second {
			forms = append(forms, a+" "+dot+" ! "+b)
		}
	}
	if len(first) == 0 {
		return second
	}
	return append(forms, first...)
}

// DraftUnsaved says that what was typed is not saved.
func DraftUnsaved(why string) string { return "the draft is not saved: " + why }

// AnswerUnsaved says that what was sent is not stored yet.
func AnswerUnsaved(why string) string { return "not saved, trying again: " + why }

// LeftUnsaved says of which question the answer was not stored before the program ended.
func LeftUnsaved(id, why string) string { return "the answer to " + id + " was not saved: " + why }

// OpenOnTheWeb says where questions open as long as transport is web, longest form first. key opens the settings; it
// may be empty.
func OpenOnTheWeb(key string) []string {
	return []string{"questions open in your browser" + Keyed(": ", key, ""), "in your browser"}
}

// NotWaitedHere says that agents do not wait at this screen as long as transport is terminal, longest form first. key
// opens the settings; it may be empty.
func NotWaitedHere(key string) []string {
	return []string{"agents do not wait here: transport is terminal" + Keyed(", ", key, " changes it"),
		"agents do not wait here" + Keyed(": ", key, ""), "transport"}
}
