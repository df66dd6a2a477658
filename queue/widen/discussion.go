package widen

import (
	"net/url"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Limits of a discussion; characters are Unicode code points.
const (
	MaxMessages     = 50   // messages that a model reads
	MaxMessage      = 1000 // characters of one message
	MaxName         = 80   // characters of a display name
	MaxParticipants = 100  // names of participants
)

// Discussion contains the teammates' messages, in the form of discussion_fetch in the candidate-review schema. Other
// people wrote the names and texts, so they are cleaned by queue.VisibleLine, and each message is one line.
type Discussion struct {
	Participants []string `json:"participants"`
	MessageCount int      `json:"message_count"`        // number of all messages of the thread
	ThreadURL    string   `json:"thread_url,omitempty"` // empty: not known
	Messages     []string `json:"messages"`             // the newest messages as "[Name] text", oldest first
	Truncated    bool     `json:"truncated"`            // the thread has more than MaxMessages messages
}

// Message contains one message of a thread as its author wrote it.
type Message struct{ Name, Text string }

// NewDiscussion returns the discussion of a thread with count messages. messages contains the newest of them, the
// oldest first. The discussion keeps the last MaxMessages, because a team reaches its conclusion at the end.
func NewDiscussion(participants []string, messages []Message, count int, threadURL string) Discussion {
	d := Discussion{Participants: participants, MessageCount: max(count, len(messages)), ThreadURL: threadURL}
	for _, m := range messages[max(len(messages)-MaxMessages, 0):] {
		d.Messages = append(d.Messages, messageLine(m))
	}
	return d.Cleaned()
}

// messageLine returns a message on one line. Brackets in the name are replaced, so that a name cannot look like a
// message of another person.
func messageLine(m Message) string {
	text, _ := queue.VisibleLine(m.Text)
	if queue.Blank(text) {
		text = "(no text)"
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")").Replace(Name(m.Name)) + "] " + text
}

// noCommas replaces commas in a name, because lists of names are separated by commas.
var noCommas = strings.NewReplacer(",", ";", "，", ";")

// Name returns a display name for a list of names: cleaned, on one line, at most MaxName characters, without commas.
func Name(display string) string {
	shown, _ := queue.VisibleLine(display)
	if queue.Blank(shown) {
		return "somebody without a name"
	}
	return queue.Shorten(noCommas.Replace(shown), MaxName-1, "…")
}

// Cleaned returns the discussion within its limits and safe to show, whoever sent it: each message on one line, names
// cleaned by Name, and the address only if it is a web address.
func (d Discussion) Cleaned() Discussion {
	clean := Discussion{Participants: []string{}, Messages: []string{}, ThreadURL: WebAddress(d.ThreadURL)}
	for _, p := range d.Participants[:min(len(d.Participants), MaxParticipants)] {
		clean.Participants = append(clean.Participants, Name(p))
	}
	for _, m := range d.Messages[max(len(d.Messages)-MaxMessages, 0):] {
		shown, _ := queue.VisibleLine(m)
		clean.Messages = append(clean.Messages, queue.Shorten(shown, MaxMessage-1, "…"))
	}
	clean.MessageCount = max(d.MessageCount, len(d.Messages))
	clean.Truncated = clean.MessageCount > MaxMessages
	return clean
}

// More returns the number of the thread's messages that Messages lacks.
func (d Discussion) More() int { return max(d.MessageCount-len(d.Messages), 0) }

// WebAddress returns a thread's address if a browser can open it and it contains no hidden characters, else "".
func WebAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || len(address) > 2000 || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	shown, odd := queue.VisibleLine(address)
	if odd || shown != address || strings.ContainsAny(shown, " \"<>\\^`{|}") {
		return ""
	}
	return address
}
