package say

import (
	"errors"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// This file has the words for faults that no key of the person caused. In all functions why is the error in the words
// of the frontend.

// DiskMute says why something is not stored yet.
const DiskMute = "the disk does not respond"

// Warnings about the disk.
const (
	// DiskSilent warns that the person's next answers are not stored before the disk answers again.
	DiskSilent = DiskMute + "; what you send waits for it"
)

// NotifyFailed returns the error of a desktop notification, with the setting that causes it.
func NotifyFailed(err error) string { return "notify.desktop: " + err.Error() }

// QueueUnread tells that the queue cannot be read, longest form first. The longest also says what the person can do, if
// the error of the queue's store says it.
func QueueUnread(err error) []string {
	words := OneLine(err.Error())
	if at := strings.Index(words, queue.ErrUnreachable.Error()); at >= 0 {
		words = words[at:]
	} else {
		words = "the queue cannot be read: " + words
	}
	return withAdvice(words, err)
}

// withAdvice returns words about an error, longest form first. The longest also says what the person can do, if the
// error says it.
func withAdvice(words string, err error) []string {
	var advised interface{ Advice() string }
	if !errors.As(err, &advised) || advised.Advice() == "" {
		return []string{words}
	}
	return []string{words + " · " + OneLine(advised.Advice()), words}
}

// SetAside names a file of the queue that could not be read and was set aside.
func SetAside(name, why string) string { return name + " cannot be read and was set aside: " + why }

// LieAside counts the unreadable files that earlier starts set aside, longest form first.
func LieAside(n int) []string {
	return []string{Count(n, "file") + " of the queue could not be read; choicetui doctor says where",
		Count(n, "unreadable file") + ": choicetui doctor", Count(n, "unreadable file")}
}

// DraftUnsaved warns that the typed text is not saved.
func DraftUnsaved(why string) string { return "the draft is not saved: " + why }

// AnswerUnsaved tells that an answer is not stored yet and is tried again.
func AnswerUnsaved(why string) string {
	const again = "not saved yet, trying again"
	// where is empty, or names another host: `box: `.
	if where, full := strings.CutSuffix(why, "no space left on device"); full {
		return where + "your answer is " + again + ": the disk is full"
	}
	return again + ": " + why
}

// LeftUnsaved names the question whose answer was not stored before the program ended.
func LeftUnsaved(id, why string) string { return "the answer to " + id + " was not saved: " + why }

// Words about the page in the browser.
const (
	NoPages        = "the demo has no page in the browser"
	OpeningBrowser = "opening the browser"
)

// OpenedInBrowser tells that a page was opened, and its address.
func OpenedInBrowser(link string) string { return "opened in the browser: " + link }

// HostAway says that another host is not connected, longest form first. The longest also says what the person can do.
func HostAway(s queue.HostState) []string {
	host := OneLine(s.Host)
	switch {
	case s.Err == nil:
		return []string{"Connecting to " + host}
	case s.Lost:
		return append(withAdvice("Connection to "+host+" lost, retrying: "+OneLine(s.Err.Error()), s.Err),
			"Connection to "+host+" lost, retrying", host+" lost")
	}
	why := host + " is not connected: " + OneLine(s.Err.Error())
	return append(withAdvice(why, s.Err), host+" is not connected", host+"?")
}

// AllOf joins names: a, b and c.
func AllOf(names []string) string {
	n := len(names) - 1
	if n == 0 {
		return OneLine(names[0])
	}
	return OneLine(strings.Join(names[:n], ", ") + " and " + names[n])
}
