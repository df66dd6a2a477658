package queue

import (
	"slices"
	"strings"
	"time"
)

// StatusPending is the status of a session without an outcome.
const StatusPending = "pending"

// Statuses of an outcome. The table endings describes each of them.
const (
	StatusSelected  = "selected"
	StatusCustom    = "custom_input"
	StatusCancelled = "cancelled"
	StatusTimeout   = "timeout"
	StatusDeferred  = "deferred"
	StatusElsewhere = "answered_elsewhere" // a native question was answered at its agent; the reason says where
	StatusDelivered = "delivered"          // a message reached its agent
	StatusLost      = "lost"               // the store does not know the session any more; see Session.Lost
)

// Names of endings that share their status with another ending. ReasonInterrupted is a third such name.
const (
	StatusWithdrawn = "withdrawn" // the caller cancelled its own question
	StatusByRule    = "by_rule"   // answered by one of the person's permission rules
)

// Tone is the emphasis of an ending in a list.
type Tone int

// Tones of an ending.
const (
	TonePlain Tone = iota
	ToneGood
	ToneBad
)

// Exit codes of a command whose question ended without an answer.
const (
	ExitCancelled = 3
	ExitTimeout   = 4
)

// Ending describes one way in which a session ends: a status, or a status settled by a particular party.
type Ending struct {
	Name      string // name for programs, in the trail and in statistics
	Word      string // word for people: "timed out"
	Counted   string // the word in statistics, which count own words separately; empty: Word
	Tone      Tone
	Answered  bool // the person, or one of their permission rules, chose or wrote something
	Missed    bool // the question ended without the person
	Warns     bool // a person with the question on screen is warned
	Elsewhere bool // the question ended at the agent itself; the reason names the place: `in AGENT`
	Rare      bool // a list of all endings leaves it out if its count is 0
	Unlisted  bool // no question in the history ends in this way
	Exit      int  // exit code of a command that waited for the answer

	summary func(Session) string // nil: the word and the reason; see Session.Summary
}

// endings has a row for each ending, in the order of statistics. Surfaces without words of their own take them from
// here. docs/design.md section 3 lists the other files that a new status touches.
var endings = []Ending{
	{Name: StatusSelected, Word: "answered", Counted: "chosen", Tone: ToneGood, Answered: true},
	{Name: StatusCustom, Word: "answered", Counted: "own words", Tone: ToneGood, Answered: true},
	{Name: StatusCancelled, Word: "cancelled", Exit: ExitCancelled},
	{Name: StatusWithdrawn, Word: "withdrawn", Missed: true, Warns: true, Exit: ExitCancelled,
		summary: withdrawnSummary},
	{Name: StatusTimeout, Word: "timed out", Tone: ToneBad, Missed: true, Warns: true, Exit: ExitTimeout,
		summary: timeoutSummary},
	{Name: StatusDeferred, Word: "put off", Rare: true, Exit: ExitCancelled},
	{Name: StatusElsewhere, Word: "elsewhere", Elsewhere: true, Rare: true, summary: elsewhereSummary},
	{Name: ReasonInterrupted, Word: ReasonInterrupted, Elsewhere: true, Rare: true, summary: elsewhereSummary},
	{Name: StatusByRule, Word: "by rule", Answered: true, Rare: true},
	{Name: StatusDelivered, Word: "delivered", Unlisted: true},
	{Name: StatusLost, Word: "gone", Warns: true, Unlisted: true, Exit: ExitCancelled},
}

// Endings returns the endings that this program knows, in the order of statistics.
func Endings() []Ending { return slices.Clone(endings) }

// EndingNamed returns the ending with a name. An unknown name, which a newer program may have stored, does not count
// as an answer, and serves as its own word.
func EndingNamed(name string) Ending {
	if i := slices.IndexFunc(endings, func(e Ending) bool { return e.Name == name }); i >= 0 {
		return endings[i]
	}
	word, _ := VisibleLine(strings.ReplaceAll(name, "_", " "))
	return Ending{Name: name, Word: word, Rare: true, Exit: ExitCancelled}
}

// Ending returns how the session ended.
func (o Outcome) Ending() Ending { return EndingNamed(o.Ended()) }

// Ended returns the name of the outcome's ending. It is the status, except that a cancel by the caller is
// StatusWithdrawn, an answer by a rule is StatusByRule, and an interrupted agent is ReasonInterrupted.
func (o Outcome) Ended() string {
	switch {
	case o.By == ByRule && o.Answered():
		return StatusByRule
	case o.Status == StatusCancelled && o.By == ByCaller:
		return StatusWithdrawn
	case o.Interrupted():
		return ReasonInterrupted
	}
	return o.Status
}

// Outcome records how a session ended: with which status, by whom, through which surface, when.
type Outcome struct {
	Status  string `json:"status"`
	By      string `json:"by"`
	Surface string `json:"surface,omitempty"`
	Given   string `json:"given,omitempty"`  // the agent that received the link; see Command.Given
	Person  string `json:"person,omitempty"` // name of the person, if several share the queue
	Reason  string `json:"reason,omitempty"`
	// ReasonCode classifies the reason for programs: ReasonMoreDetail, ReasonInterrupted, ReasonDecided or
	// ReasonPerhaps. It is empty for most outcomes.
	ReasonCode string `json:"reason_code,omitempty"`
	// Rule is the id of the person's permission rule that settled the session, else empty.
	Rule string `json:"rule,omitempty"`
	// Team is the result of the team's review. It is nil if the team was not asked, or if the question was cancelled.
	Team   *Resolution `json:"team,omitempty"`
	Answer Answer      `json:"answer"`
	// Said has the notes and the comment that the person had written when the session ended without an answer. It is
	// never an answer.
	Said Answer    `json:"said,omitzero"`
	At   time.Time `json:"at"` // for a timeout: the deadline, whenever it was noticed
}

// Annotated returns the answer for its notes and its comment. Without an answer, these are what the person had written.
func (o Outcome) Annotated() Answer {
	if len(o.Answer.Replies) > 0 {
		return o.Answer
	}
	return o.Said
}

// ReasonMoreDetail is the reason code of a cancel by a person who wants to know more before deciding. Outcome.Reason
// then contains the person's question, if they wrote one.
const ReasonMoreDetail = "more_detail"

// ReasonInterrupted is the reason code of a native question whose agent the person stopped, in the agent's own pane,
// without answering.
const ReasonInterrupted = "interrupted"

// ReasonDecided is the reason code of a native question about which a program decided at the agent, such as a hook of
// the person's own. Outcome.Reason then names the program: `by another hook`.
const ReasonDecided = "decided"

// ReasonPerhaps is the reason code of a native question that is over at its agent, where nothing says how it ended.
const ReasonPerhaps = "perhaps"

// Interrupted reports whether the person stopped the agent instead of answering.
func (o Outcome) Interrupted() bool {
	return o.Status == StatusElsewhere && o.ReasonCode == ReasonInterrupted
}

// Answered reports whether a person chose or wrote something.
func (o Outcome) Answered() bool { return EndingNamed(o.Status).Answered }

// WantsDetail reports whether the question was cancelled because the person wants to know more before deciding.
func (o Outcome) WantsDetail() bool {
	return o.Status == StatusCancelled && o.ReasonCode == ReasonMoreDetail
}

// CalledOff reports whether the agent's client cancelled its tool call and continues to run: usually the person pressed
// a key in the agent. It is false if the call broke off, or if its client no longer wanted to wait.
func (s Session) CalledOff() bool {
	o := s.Outcome
	if o == nil || o.Status != StatusCancelled || o.By != ByCaller || o.ReasonCode != "" {
		return false
	}
	tool := !s.Origin.Native() && s.Origin.Client != ClientAsk && s.Origin.Dialect != DialectInterview
	return tool && o.Reason != CallerGone && o.Reason != CallEnded && !LostPatience(o.Reason)
}

// LostPatience reports whether a client's reason for cancelling a call says that it waited too long. The words are
// those of the TypeScript SDK, of rmcp, and of Go clients, which send their context's error.
func LostPatience(reason string) bool {
	reason = strings.ToLower(reason)
	return slices.ContainsFunc([]string{"timed out", "request timeout", "deadline exceeded"}, func(words string) bool {
		return strings.Contains(reason, words)
	})
}

// Stopped reports whether the client cancelled its call because its person stopped it, which it says in a program's
// words, such as “AbortError: user-cancel”.
func (s Session) Stopped() bool {
	if !s.CalledOff() {
		return false
	}
	reason := strings.ToLower(s.Outcome.Reason)
	return slices.ContainsFunc([]string{"user-cancel", "user_cancel", "user cancel"}, func(words string) bool {
		return strings.Contains(reason, words)
	})
}

// statusOf returns the status of an answer: custom_input for text alone, else selected, also for an empty selection
// where min is 0.
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

// Summary describes the result on one line: the answer, cut to MaxSummary, or the way in which the session ended,
// with the whole reason. It is already cleaned by VisibleLine.
func (s Session) Summary() string {
	if s.IsMessage() {
		return s.messageSummary()
	}
	if s.Outcome == nil {
		return "not answered yet"
	}
	switch o, e := s.Outcome, s.Outcome.Ending(); {
	case o.WantsDetail():
		return moreDetail(o.Reason)
	case e.Answered:
		return s.answerSummary()
	case e.summary != nil:
		return e.summary(s)
	default:
		return e.Word + afterColon(o.Reason)
	}
}

// answerSummary describes the answer, cut to MaxSummary characters.
func (s Session) answerSummary() string {
	return Shorten(s.Ask.Summary(s.Outcome.Answer), MaxSummary-1, "…")
}

// withdrawnSummary, like the two functions below, is the summary of one row of endings.
func withdrawnSummary(s Session) string {
	if s.Stopped() {
		return ReasonInterrupted + " in the agent"
	}
	return "withdrawn by the agent" + afterColon(s.Outcome.Reason)
}

func timeoutSummary(s Session) string {
	if slices.ContainsFunc(s.Outcome.Answer.Replies, func(r Reply) bool { return len(r.Selected) > 0 }) {
		return "timed out, defaults taken: " + s.answerSummary()
	}
	return "timed out, no answer"
}

func elsewhereSummary(s Session) string {
	where, _ := VisibleLine(s.Outcome.Reason)
	return s.Outcome.EndedThere() + " " + where
}

// EndedThere returns the words for how a native question ended at its agent, to which Outcome.Reason adds the place:
// `answered`, `interrupted`.
func (o Outcome) EndedThere() string {
	switch o.ReasonCode {
	case ReasonInterrupted, ReasonDecided:
		return o.ReasonCode
	case ReasonPerhaps:
		return "perhaps answered"
	}
	return "answered"
}

// afterColon returns a reason in the form in which it follows the word for an ending: `: reason`, or nothing.
func afterColon(reason string) string {
	if reason == "" {
		return ""
	}
	v, _ := VisibleLine(reason)
	return ": " + v
}

// moreDetail returns the summary of a cancel with ReasonMoreDetail, with the person's question about it.
func moreDetail(about string) string {
	const words = "more detail is wanted"
	if v, _ := VisibleLine(about); !Blank(v) {
		return words + ": “" + v + "”"
	}
	return words
}
