package slack

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	api "github.com/slack-go/slack"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// again makes a call until it goes through, fails for good, or there is no time left. What changes something is tried
// again only where Slack did not take it. Its errors are *widen.Failure, or ctx's.
func (l link) again(ctx context.Context, harmless bool, call func() error) error {
	return widen.Again(ctx, l.pause, func() (time.Duration, bool, error) {
		err := call()
		after, may := mayTry(err, harmless)
		return after, may, err
	}, func(err error, _ time.Duration) error { return l.failure(err) })
}

// mayTry reports whether a call that failed may be tried again, and after which time.
func mayTry(err error, harmless bool) (after time.Duration, may bool) {
	var busy *api.RateLimitedError
	var status api.StatusCodeError
	var refused api.SlackErrorResponse
	var network *net.OpError
	switch {
	case errors.Is(err, errTooLong):
		return 0, false
	case errors.As(err, &busy):
		return busy.RetryAfter, true
	case errors.As(err, &refused):
		return 0, refused.Err == "ratelimited"
	case errors.As(err, &status):
		return 0, harmless && status.Code >= 500
	case errors.As(err, &network) && network.Op == "dial":
		return 0, true
	}
	return 0, harmless
}

// failure says what went wrong in a sentence. The error that it holds was made by Slack's library, which keeps the
// token out of addresses; what repeats the token is not kept.
func (l link) failure(err error) error {
	var known *widen.Failure
	if errors.As(err, &known) {
		return known
	}
	f := &widen.Failure{Words: say.TeamAway(say.TeamSlack), Err: err}
	var busy *api.RateLimitedError
	var status api.StatusCodeError
	var refused api.SlackErrorResponse
	var network net.Error
	if widen.HoldsToken(err.Error(), l.secret) {
		f.Err = errors.New("an answer that repeats the token")
	}
	switch {
	case errors.Is(err, errTooLong):
		f.Words = say.TeamTooMuch(say.TeamSlack)
	case errors.As(err, &busy):
		f.Words, f.After = say.TeamBusy(say.TeamSlack, busy.RetryAfter), busy.RetryAfter
	case errors.As(err, &refused):
		f.Words = l.refusal(refused)
	case errors.As(err, &status):
		f.Words = say.TeamBroken(say.TeamSlack, status.Code)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		f.Words = say.TeamSlow(say.TeamSlack)
	case !errors.As(err, &network):
		f.Words = say.SlackGarbled
	}
	return f
}

// garbled says that an answer cannot be Slack's, and why.
func garbled(why string) error { return &widen.Failure{Words: say.SlackGarbled, Err: errors.New(why)} }

// mostOfWord limits the length of Slack's own words, in characters.
const mostOfWord = 80

// refusal puts Slack's own word into a sentence.
func (l link) refusal(r api.SlackErrorResponse) string {
	if widen.HoldsToken(r.Err+r.Needed, l.secret) {
		return say.SlackGarbled
	}
	switch code := queue.Shorten(r.Err, mostOfWord, "…"); code {
	case "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type":
		return say.TeamNoEntry(say.TeamSlack, l.token)
	case "no_permission", "restricted_action", "access_denied", "org_login_required", "ekm_access_denied":
		return say.TeamForbidden(say.TeamSlack)
	case "not_in_channel":
		return say.SlackOutside(l.channel)
	case "channel_not_found", "is_archived":
		return say.SlackNoChannel(l.channel)
	case "missing_scope":
		return say.SlackScope(strings.ReplaceAll(queue.Shorten(r.Needed, mostOfWord, "…"), ",", ", "))
	case "thread_not_found", "message_not_found":
		return say.SlackThreadGone
	case "ratelimited":
		return say.TeamBusy(say.TeamSlack, 0)
	case "fatal_error", "internal_error", "service_unavailable", "request_timeout":
		return say.SlackBroken(code)
	default:
		return say.SlackRefused(code)
	}
}
