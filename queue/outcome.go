package queue

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Outcome is how a session ended: one of the statuses, by whom, through which surface, when.
type Outcome struct {
	Status  string    `json:"status"`
	By      string    `json:"by"`
	Surface string    `json:"surface,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Answer  Answer    `json:"answer"`
	At      time.Time `json:"at"` // of a timeout: the deadline, whoever noticed
}

// Answered reports whether a person chose or wrote something.
func (o Outcome) Answered() bool {
	return o.Status == StatusSelected || o.Status == StatusCustom
}

// statusOf is selected for any id or an empty multi whose min is 0, custom_input for text alone.
func statusOf(ans Answer) string {
	text := false
	for _, r := range ans.Replies {
		if len(r.Selected) > 0 {
			return StatusSelected
		}
		text = text || r.Text != ""
	}
	if text {
		return StatusCustom
	}
	return StatusSelected
}

// Summary is one line a person can read: what was answered, or how it ended instead. It is made visible
// already (see VisibleLine).
func (s Session) Summary() string {
	if s.IsMessage() {
		return s.messageSummary()
	}
	if s.Outcome == nil {
		return "not answered yet"
	}
	switch o := s.Outcome; o.Status {
	case StatusCancelled:
		who := "cancelled"
		if o.By == ByCaller {
			who = "withdrawn by the caller"
		}
		if o.Reason != "" {
			v, _ := VisibleLine(o.Reason)
			return who + ": " + v
		}
		return who
	case StatusTimeout:
		if slices.ContainsFunc(o.Answer.Replies, func(r Reply) bool { return len(r.Selected) > 0 }) {
			return "timed out, defaults taken: " + s.Ask.Summary(o.Answer)
		}
		return "timed out, no answer"
	case StatusDeferred:
		return "deferred"
	default:
		return s.Ask.Summary(o.Answer)
	}
}

// Summary names the labels chosen and quotes the text typed, on one line.
func (a Ask) Summary(ans Answer) string {
	var parts []string
	for i, r := range ans.Replies {
		if i >= len(a.Questions) {
			break
		}
		p := a.Questions[i].Summary(r)
		if h := a.Questions[i].Header; h != "" && len(a.Questions) > 1 {
			v, _ := VisibleLine(h)
			p = v + ": " + p
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, "; ")
}

// Summary names the labels chosen and quotes the text typed, on one line.
func (q Question) Summary(r Reply) string {
	var parts []string
	for _, id := range r.Selected {
		label := id
		if o, ok := q.Option(id); ok {
			label = o.Label
		}
		v, _ := VisibleLine(label)
		parts = append(parts, v)
	}
	if r.Text != "" {
		v, _ := VisibleLine(r.Text)
		parts = append(parts, "“"+v+"”")
	}
	if len(parts) == 0 {
		return "nothing marked"
	}
	return strings.Join(parts, ", ")
}

// Took is how long the person had the question before it was settled; zero while pending.
func (s Session) Took() time.Duration {
	if s.Outcome == nil {
		return 0
	}
	return s.Outcome.At.Sub(s.AskedAt)
}

// clockDetail is the audit trail's word for a moved deadline.
func clockDetail(from, to time.Time) string {
	return fmt.Sprintf("%+ds to %s", int(to.Sub(from).Round(time.Second)/time.Second), to.UTC().Format(time.RFC3339))
}
