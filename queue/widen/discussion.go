package widen

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Limits of a discussion as it is read; characters are Unicode code points.
const (
	MaxMessages     = 50   // that a model is shown at most
	MaxMessage      = 1000 // characters of one message
	MaxName         = 80   // characters of a display name
	MaxParticipants = 100  // names that are kept
)

// Discussion holds the teammates' messages, as discussion_fetch in the candidate-review schema. Names and texts are
// other people's: they are clean of everything that a terminal acts on, and one message is one line.
type Discussion struct {
	Participants []string `json:"participants"`
	MessageCount int      `json:"message_count"` // all of the thread
	ThreadURL    *string  `json:"thread_url"`    // nil: not known
	Messages     []string `json:"messages"`      // "[Name] text", oldest first; the newest of the thread
	Truncated    bool     `json:"truncated"`     // there are more than MaxMessages
}

// Message holds one message of a thread, unchanged.
type Message struct{ Name, Text string }

// NewDiscussion makes a discussion of a thread with count messages, of which the caller has the newest in messages,
// oldest first. It keeps the last MaxMessages of these, because a team reaches its conclusion at the end.
func NewDiscussion(participants []string, messages []Message, count int, threadURL string) Discussion {
	d := Discussion{Participants: participants, MessageCount: max(count, len(messages)), ThreadURL: &threadURL}
	for _, m := range messages[max(len(messages)-MaxMessages, 0):] {
		d.Messages = append(d.Messages, line(m))
	}
	return d.Cleaned()
}

// line returns a message on one line. A name has no brackets of its own, so that it cannot speak for somebody else.
func line(m Message) string {
	text, _ := queue.VisibleLine(m.Text)
	if queue.Blank(text) {
		text = "(no text)"
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")").Replace(Name(m.Name)) + "] " + text
}

// noCommas replaces commas, so that one name stays one name in a row of names, typed or shown.
var noCommas = strings.NewReplacer(",", ";", "，", ";")

// Name returns a display name on one line, of MaxName characters at most. It contains no comma: a comma separates two
// people.
func Name(display string) string {
	shown, _ := queue.VisibleLine(display)
	if queue.Blank(shown) {
		return "somebody without a name"
	}
	return queue.Shorten(noCommas.Replace(shown), MaxName-1, "…")
}

// Cleaned returns the discussion within its limits, whoever sent it: one line a message, names that can be shown, an
// address only where it is one of the web.
func (d Discussion) Cleaned() Discussion {
	clean := Discussion{Participants: []string{}, Messages: []string{}, ThreadURL: webAddress(d.ThreadURL)}
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

// More returns the number of messages beyond those that are shown.
func (d Discussion) More() int {
	if !d.Truncated {
		return 0
	}
	return max(d.MessageCount-len(d.Messages), 0)
}

// webAddress returns the address if a person can open it in a browser and nothing in it is hidden; nil if not.
func webAddress(address *string) *string {
	if address == nil || len(*address) > 2000 {
		return nil
	}
	u, err := url.Parse(*address)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.User != nil {
		return nil
	}
	shown, odd := queue.VisibleLine(*address)
	if odd || shown != *address || strings.ContainsAny(shown, " \"<>\\^`{|}") {
		return nil
	}
	return address
}

// WebAddress returns a thread's address if it can be shown and opened, else an empty text.
func WebAddress(address string) string {
	if clean := webAddress(&address); clean != nil {
		return *clean
	}
	return ""
}

// CandidateReview holds the material that the owner reviews: the discussion and the candidate that a model made of it,
// with the fields of the candidate-review schema. It is never stored.
type CandidateReview struct {
	DecisionID       string     `json:"decision_id"`
	DiscussionFetch  Discussion `json:"discussion_fetch"`
	CandidateSummary string     `json:"candidate_summary"`
	CandidateAnswer  string     `json:"candidate_answer"`
	SourceHint       string     `json:"source_hint"` // queue.SourceTeam, or queue.SourceManual where no model answered
	TimedOut         bool       `json:"llm_timed_out"`
}

// NewReview returns the review of what a model made of a discussion.
func NewReview(decision string, d Discussion, k queue.Candidate) CandidateReview {
	return CandidateReview{DecisionID: decision, DiscussionFetch: d,
		CandidateSummary: k.Summary, CandidateAnswer: k.Answer, SourceHint: k.SourceHint}
}

// Fallback returns the review where no model made anything of the discussion: the owner writes the answer.
func Fallback(decision string, d Discussion, timedOut bool) CandidateReview {
	return CandidateReview{DecisionID: decision, DiscussionFetch: d, SourceHint: queue.SourceManual, TimedOut: timedOut}
}

// Empty reports whether there is no candidate to accept.
func (r CandidateReview) Empty() bool { return queue.Blank(r.CandidateAnswer) }

// Check lists what the candidate-review schema refuses.
func (r CandidateReview) Check() (problems []queue.Problem) {
	add := func(path, wrong, want string) {
		problems = append(problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
	}
	d := r.DiscussionFetch
	if r.DecisionID == "" {
		add("decision_id", "is empty", "the id of the decision")
	}
	if d.Participants == nil {
		add("discussion_fetch.participants", "is missing", "a list of names")
	}
	if d.MessageCount < 0 {
		add("discussion_fetch.message_count", fmt.Sprintf("is %d", d.MessageCount), "0 or more")
	}
	if d.ThreadURL != nil && WebAddress(*d.ThreadURL) == "" {
		add("discussion_fetch.thread_url", "is "+queue.Quote(*d.ThreadURL), "an address, or null")
	}
	if d.Messages == nil {
		add("discussion_fetch.messages", "is missing", "a list of messages")
	}
	if n := len(d.Messages); n > MaxMessages {
		add("discussion_fetch.messages", fmt.Sprintf("has %d entries", n), fmt.Sprintf("at most %d", MaxMessages))
	}
	if r.SourceHint != queue.SourceTeam && r.SourceHint != queue.SourceManual {
		add("source_hint", "is "+queue.Quote(r.SourceHint), queue.SourceTeam+" or "+queue.SourceManual)
	}
	return problems
}
