package queue

import (
	"slices"
	"strings"
	"time"
)

// Outcome says how a session ended: with which status, by whom, through which surface, when.
type Outcome struct {
	Status  string `json:"status"`
	By      string `json:"by"`
	Surface string `json:"surface,omitempty"`
	Given   string `json:"given,omitempty"`  // the agent that was given the link; see Command
	Person  string `json:"person,omitempty"` // who it was, where several people share the queue
	Reason  string `json:"reason,omitempty"`
	// ReasonCode is the reason of a cancel for programs: ReasonMoreDetail, or nothing.
	ReasonCode string `json:"reason_code,omitempty"`
	// Rule is the id of the person's rule that settled it; empty: no rule did.
	Rule string `json:"rule,omitempty"`
	// Team is the result of the team's review; nil: the team was not asked, or the question was cancelled.
	Team   *Resolution `json:"team,omitempty"`
	Answer Answer      `json:"answer"`
	At     time.Time   `json:"at"` // of a timeout: the deadline, whoever noticed
}

// ReasonMoreDetail is the reason of a cancel by which the person wants to know more before deciding. Outcome.Reason
// then is what they want to know, if they said so.
const ReasonMoreDetail = "more_detail"

// ReasonMoved is the reason code of a session that was moved to another queue before anybody answered it.
const ReasonMoved = "moved"

// ReasonInterrupted is the reason code of a native question that was not answered at its agent: its person stopped the
// agent there.
const ReasonInterrupted = "interrupted"

// Interrupted reports whether the person stopped the agent in place of an answer.
func (o Outcome) Interrupted() bool {
	return o.Status == StatusElsewhere && o.ReasonCode == ReasonInterrupted
}

// Answered reports whether a person chose or wrote something.
func (o Outcome) Answered() bool {
	return o.Status == StatusSelected || o.Status == StatusCustom
}

// WantsDetail reports whether the question was cancelled because the person wants to know more before deciding.
func (o Outcome) WantsDetail() bool {
	return o.Status == StatusCancelled && o.ReasonCode == ReasonMoreDetail
}

// CalledOff reports whether the agent's client cancelled its tool call and lives on: as a rule its person pressed a key
// there. Nobody called off a call that broke off, or that its client gave up for want of time.
func (s Session) CalledOff() bool {
	o := s.Outcome
	if o == nil || o.Status != StatusCancelled || o.By != ByCaller || o.ReasonCode != "" {
		return false
	}
	tool := !s.Origin.Native() && s.Origin.Client != ClientAsk && s.Origin.Dialect != DialectInterview
	return tool && o.Reason != CallerGone && o.Reason != CallEnded && !LostPatience(o.Reason)
}

// LostPatience reports whether a client that cancelled a call for this reason had only waited too long. Any other
// cancel is meant. The words are those of the TypeScript SDK, of rmcp and gemini, and of Go clients, which give their
// context's error.
func LostPatience(reason string) bool {
	reason = strings.ToLower(reason)
	return slices.ContainsFunc([]string{"timed out", "request timeout", "deadline exceeded"}, func(words string) bool {
		return strings.Contains(reason, words)
	})
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

// MaxSummary limits the length of an answer's summary, in characters.
const MaxSummary = 200

// moreDetail says that the person wants more detail, and which.
func moreDetail(about string) string {
	const words = "more detail is wanted"
	if v, _ := VisibleLine(about); !Blank(v) {
		return words + ": “" + v + "”"
	}
	return words
}
