package widen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Backend is a connection to the team, over Slack or a server of theirs. Its methods may be called from many
// goroutines. Each returns soon after its ctx ends, and fails with *Failure or with ctx's error. A backend reads its
// token from the file at each call, so that a new token counts at once.
type Backend interface {
	// Name returns the backend's word in the settings.
	Name() string
	// Who returns the backend's name for sentences.
	Who() string
	// Ready says whether the team can be reached now.
	Ready(ctx context.Context) error
	// Audience returns the people who are asked by default, with names that can be shown. The list may be empty.
	Audience(ctx context.Context, mission string) ([]queue.Member, error)
	// TakesNames reports whether somebody can be asked by name alone, as a member without an id.
	TakesNames() bool
	// Widen asks the team, and returns the server's response unchanged; widen.CheckResponse accepts it. If the same
	// Decision is sent again, for example after a crash, the team is not asked twice, as far as the backend can know.
	Widen(ctx context.Context, i Invitation) (json.RawMessage, error)
	// Discussion returns the discussion so far.
	Discussion(ctx context.Context, t Thread) (widen.Discussion, error)
	// Resolve tells the team the decision. Defer tells it that there is no decision for now, and why. Both may be
	// called again for the same decision: then the team is not told twice, as far as the backend can know. They fail
	// with ErrNotCalled if the settings switch the call off.
	Resolve(ctx context.Context, t Thread, r Resolved) error
	Defer(ctx context.Context, t Thread, rationale string) error
}

// ErrNotCalled means that the settings switch off the call that tells the team how a question ended.
var ErrNotCalled = errors.New("the settings switch this call off")

// Invitation holds the letter to the teammates, and the list of them.
type Invitation struct {
	widen.Letter
	Decision string // a ULID
	Invited  []queue.Member
	Again    time.Time // since when they may have been asked already; zero: this is the first try
}

// Thread says where a team talks about a decision.
type Thread struct {
	Decision string
	URL      string
	Response json.RawMessage // the response to the call that asked
}

// Resolved holds a decision in the words that the team is told.
type Resolved struct {
	Answer    string
	Summary   queue.Summary
	Rationale string
}

// Failure says why the team was not reached, in words for the person. It never contains the token.
type Failure struct {
	Words string
	Said  string        // the server's own words about it, clean and short; empty: it gave none that can be shown
	After time.Duration // the time until it may be tried again; 0: the server named none
	// Refused says that the server certainly did nothing; see Refusal.ForGood.
	Refused bool
}

func (f *Failure) Error() string { return f.Words }

// The constants and functions below say why the team cannot be asked or told, or why its replies cannot be read. Each
// reason is a sentence about the fault and one about the remedy.

// NoTeam says that no way to the team is set.
const NoTeam = "Asking your team is not set up. To set it up: choicetui config set widen.backend http, or slack."

// SettingEmpty returns the failure for a setting that is missing for the chosen way to the team.
func SettingEmpty(key string) *Failure {
	return &Failure{Words: "The setting " + key + " is empty. Give it a value: choicetui config set " + key + " VALUE."}
}

// StatusWords says what the status of a call that failed means, and what the person can do about it. who names the
// team's server, or Slack; token is the token's file.
func StatusWords(who, token string, r *Refusal) (fault, remedy string) {
	switch status := r.Status; {
	case status == http.StatusUnauthorized:
		return who + " refused the token.", "Put a valid token into " + say.OneLine(token) + "."
	case status == http.StatusForbidden:
		return who + " does not allow this with your token. Ask whoever runs it for permission.", ""
	case status == http.StatusRequestTimeout:
		return who + tooSlow, ""
	case status == http.StatusTooManyRequests && r.After > 0:
		return who + " is getting too many requests.",
			"Try again in " + say.Spoken(r.After.Round(time.Second), time.Hour) + "."
	case status == http.StatusTooManyRequests:
		return who + " is getting too many requests.", "Try again in a minute."
	case status >= 500:
		return fmt.Sprintf("%s reports an error (%d).", who, status), "Try again later."
	}
	return fmt.Sprintf("%s rejected the request (%d). Check that choicetui and the server are compatible.",
		who, r.Status), ""
}

const tooSlow = " did not answer in time. Try again."

// Unanswered says why a call has no answer that can be used. garbled says that the answer could not be read.
func Unanswered(who string, err error, garbled string) string {
	var network net.Error
	switch {
	case isTooLong(err):
		return who + " gave an answer that is too long to read. Ask whoever runs it to send less."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return who + tooSlow
	case errors.As(err, &network):
		return who + " cannot be reached. Check the network and the address, then try again."
	}
	return garbled
}
