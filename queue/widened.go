package queue

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// DialectInterview is the format of a question that `choicetui interview` asks.
const DialectInterview = "interview"

// States of a widened question, which is a question that the team was asked.
const (
	WidenBlocked = "blocked" // the person waits for the team's answer
	WidenParked  = "parked"  // the person continues meanwhile
)

// Sources of a final answer.
const (
	SourceTeam   = "slack_extraction"       // the candidate was accepted, or hardly edited
	SourceOwner  = "mission_owner_override" // the person changed the candidate materially
	SourceManual = "manual"                 // the person wrote it
)

// SummaryWithin is the time that the agent has for a summary after it received the discussion.
const SummaryWithin = 30 * time.Second

// Limits of a widened question.
const (
	MaxTeam         = 200       // people asked
	MaxSummaryBlock = 256 << 10 // bytes of the discussion that the agent is given
	MaxCandidate    = 32 << 10  // bytes of a summary, and of a proposed answer
)

// Reasons why a question does not go to the team, or why the team's result is refused. Match them with errors.Is.
var (
	ErrWidened       = errors.New("the team was asked already")
	ErrWidenApproval = errors.New("an approval is not for the team")
	ErrWidenCall     = errors.New("its agent asked one person (hitl_request), so it is not for the team")
	ErrNotWidened    = errors.New("the team was not asked")
	ErrNoSummary     = errors.New("no summary is wanted now")
	ErrNotDeferred   = errors.New("only a question that is with the team can be deferred")
)

// Member is a person of the team who can be asked.
type Member struct {
	UserID    string `json:"user_id"`
	NumericID bool   `json:"user_id_is_number,omitempty"` // the team's server wrote UserID as a number
	Name      string `json:"display_name"`
}

// Widened records that a question is with the team. The question's clock is stopped meanwhile.
type Widened struct {
	Decision   string          `json:"decision_id"`                       // the question's id at the server, a ULID
	Mission    string          `json:"mission_slug"`                      // project on the team's server
	QuestionID string          `json:"question_id"`                       // name within the mission, such as charter.db
	State      string          `json:"state"`                             // WidenBlocked or WidenParked
	At         time.Time       `json:"widened_at"`                        // when the team was asked
	ParkedAt   *time.Time      `json:"parked_at,omitempty"`               // when the person parked it; nil: not parked
	LeftMS     int64           `json:"left_ms"`                           // time left when the clock was stopped
	Team       []Member        `json:"participants"`                      // the people who were asked
	ThreadURL  string          `json:"thread_url,omitempty"`              // address of the discussion
	Response   json.RawMessage `json:"widen_endpoint_response,omitempty"` // response of the team's server, unchanged
	Request    *Request        `json:"summary_request,omitempty"`         // the last request for a summary
	Candidate  *Candidate      `json:"candidate,omitempty"`               // the agent's answer to the last request
}

// Request asks the agent for a summary of the discussion.
type Request struct {
	ID        string     `json:"id"`
	Block     string     `json:"block"` // text that the agent reads
	At        time.Time  `json:"at"`
	WrittenAt *time.Time `json:"written_at,omitempty"` // when the agent received it; nil: not yet
}

// Candidate holds the agent's summary of the discussion, and the answer that the agent proposes. The person accepts it
// or writes another answer.
type Candidate struct {
	Summary    string `json:"candidate_summary"`
	Answer     string `json:"candidate_answer"`
	SourceHint string `json:"source_hint"` // SourceTeam or SourceManual
}

// Resolution holds the result of a team's review in the outcome.
type Resolution struct {
	Decision  string  `json:"decision_id"`
	Summary   Summary `json:"summary_json"`
	Rationale string  `json:"rationale,omitempty"`
}

// Summary contains the team's discussion in short, and the source of the final answer.
type Summary struct {
	Text   string `json:"text"`
	Source string `json:"source"`
}

// Names joins the names of the people who were asked, on one line.
func (w Widened) Names() string {
	names := make([]string, len(w.Team))
	for i, m := range w.Team {
		names[i], _ = VisibleLine(m.Name)
	}
	return strings.Join(names, ", ")
}
