package widen

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Backend reaches the team. Its methods may be called from many goroutines; each ends soon after its ctx does, and
// fails with *Failure or with ctx's error. A token is read from its file at each call, so that a new one counts at
// once.
type Backend interface {
	// Name returns the backend's word in the settings.
	Name() string
	// Who returns the backend's name for sentences.
	Who() string
	// Ready says whether the team can be reached now.
	Ready(ctx context.Context) error
	// Audience returns the people who are asked unless somebody is left out, with names that can be shown; the list may
	// be empty.
	Audience(ctx context.Context, mission string) ([]queue.Member, error)
	// TakesNames reports whether somebody can be asked by name alone, as a member without an id.
	TakesNames() bool
	// Widen asks the team, and returns the answer as it came, which widen.CheckResponse takes. The same Decision asked
	// again, as after a crash, asks them once, where the backend can know.
	Widen(ctx context.Context, i Invitation) (json.RawMessage, error)
	// Discussion returns the discussion so far.
	Discussion(ctx context.Context, t Thread) (widen.Discussion, error)
	// Resolve tells the team the decision, and Defer that it is put off. Both may be called again for a decision that
	// was told already, and then tell nobody twice if the backend can know.
	Resolve(ctx context.Context, t Thread, r Resolved) error
	Defer(ctx context.Context, t Thread, rationale string) error
}

// Invitation holds the text for teammates, and the list of them.
type Invitation struct {
	Decision   string // a ULID
	Mission    string
	QuestionID string
	Title      string
	Question   string // what is asked, with the options; empty where the title says all
	Asked      []Asked
	Prompt     string // Markdown; empty unless the person chose to send it
	Invited    []queue.Member
	Again      time.Time // when they were asked before, perhaps; zero: this is the first time
}

// Below returns the question without the title, where it begins with that.
func (i Invitation) Below() string {
	if i.Question == i.Title {
		return ""
	}
	return strings.TrimPrefix(i.Question, i.Title+"\n")
}

// Asked holds one question and its options. Nothing in it is hidden, and its size is bounded.
type Asked struct {
	Text    string   `json:"text"`
	Options []Choice `json:"options,omitempty"`
	More    int      `json:"more_options,omitempty"` // options that are left out
}

// Choice holds an option, each part on one line.
type Choice struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Thread says where a team talks about a decision.
type Thread struct {
	Decision string
	URL      string
	Response json.RawMessage // of the call that asked
}

// Resolved holds a decision in the words that the team is told.
type Resolved struct {
	Answer    string
	Summary   queue.Summary
	Rationale string
}

// Failure says why the team was not reached, in the words of panes/say.
type Failure struct {
	Words string
	Said  string        // what the team's server said of it, clean and short; empty: nothing that can be shown
	After time.Duration // not before then may it be tried again; 0: it is not said
	Err   error         // for programmers; it never holds the token
}

func (f *Failure) Error() string { return f.Words }

// Unwrap returns the underlying error.
func (f *Failure) Unwrap() error { return f.Err }
