// Package slack asks the team in a channel of Slack. A message in the channel mentions the people who are asked, they
// answer in its thread, and a last message in the thread tells them the decision. This package stores nothing: each of
// its messages carries the id of the decision, so a second try finds the messages of the first.
package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	api "github.com/slack-go/slack"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	attemptWithin = 10 * time.Second
	mostOfAnswer  = 16 << 20    // bytes
	busyFor       = time.Minute // the pause if Slack gets too many calls and does not say how long to wait
)

var _ widen.Backend = (*Backend)(nil)

// Backend is a channel of Slack.
type Backend struct {
	channel string
	token   string // the name of the token's file
	url     string // the address of Slack's API
	client  *http.Client
	people  sync.Map      // by id: the person; names hardly change, so each is looked up once
	pause   time.Duration // the pause before the second try of a call
}

// New returns the channel that the settings name. It fails with *widen.Failure if a setting is missing. It does not
// call Slack.
func New(c config.Widen) (*Backend, error) {
	for key, value := range map[string]string{"widen.channel": c.Channel, "widen.token_file": c.TokenFile} {
		if value == "" {
			return nil, widen.SettingEmpty(key)
		}
	}
	client := &http.Client{Timeout: attemptWithin, Transport: bounded{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the redirected call would carry the token elsewhere
		}}
	return &Backend{channel: c.Channel, token: c.TokenFile, url: api.APIURL, client: client,
		pause: widen.FirstWait}, nil
}

// Name returns the backend's word in the settings.
func (b *Backend) Name() string { return config.WidenSlack }

// slackName is the name for sentences about the team's service.
const slackName = "Slack"

// Who returns Slack's name for sentences.
func (b *Backend) Who() string { return slackName }

// Ready asks Slack whether the token is good.
func (b *Backend) Ready(ctx context.Context) error {
	l, err := b.open()
	if err != nil {
		return err
	}
	if _, err := l.slack.AuthTestContext(ctx); err != nil {
		return l.failure(statusOf(err))
	}
	return nil
}

// link is a connection to one channel of Slack, with the token that was in the file when the link was opened.
type link struct {
	*Backend
	slack   *api.Client
	channel string
	secret  string // the token
}

// open reads the token and returns a link to the channel.
func (b *Backend) open() (link, error) {
	token, err := widen.ReadToken(b.token)
	if err != nil {
		return link{}, err
	}
	slack := api.New(token, api.OptionAPIURL(b.url), api.OptionHTTPClient(b.client))
	return link{Backend: b, slack: slack, channel: b.channel, secret: token}, nil
}

// Widen writes the question to the channel, unless an earlier try has written it. It adds the parts that are missing in
// the thread.
func (b *Backend) Widen(ctx context.Context, i widen.Invitation) (json.RawMessage, error) {
	l, err := b.open()
	if err != nil {
		return nil, err
	}
	first, rest := letter(i)
	stamp, written := "", map[string]bool{}
	if !i.Again.IsZero() {
		if stamp, err = l.findThread(ctx, i); err != nil {
			return nil, err
		}
	}
	if stamp == "" {
		stamp, err = l.post(ctx, first, "", mark(i.Decision, "0"))
	} else if len(rest) > 0 {
		written, err = l.marksIn(ctx, stamp, i.Decision)
	}
	if err != nil {
		return nil, err
	}
	for n, part := range rest {
		if name := strconv.Itoa(n + 1); !written[name] {
			if _, err := l.post(ctx, part, stamp, mark(i.Decision, name)); err != nil {
				return nil, err
			}
		}
	}
	return l.response(ctx, i, stamp), nil
}

// timeOf returns the time at which a message was written. Slack names a message by that time, its timestamp.
func timeOf(stamp string) time.Time {
	seconds, _, _ := strings.Cut(stamp, ".")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC()
}

// permalink matches the address of a message. The address contains the channel and the message's timestamp.
var permalink = regexp.MustCompile(`/archives/([CGD][A-Z0-9]+)/p([0-9]{10})([0-9]{6})$`)

// openThread opens a link to the channel of a thread, which may be another one than that of the settings by now, and
// returns the thread's timestamp. Both are in the stored response or in the thread's address; without them the thread
// is gone.
func (b *Backend) openThread(t widen.Thread) (l link, stamp string, err error) {
	if l, err = b.open(); err != nil {
		return l, "", err
	}
	var kept struct {
		Channel string `json:"channel"`
		Stamp   string `json:"thread_ts"`
	}
	if json.Unmarshal(t.Response, &kept) == nil && kept.Channel != "" && kept.Stamp != "" {
		l.channel, stamp = kept.Channel, kept.Stamp
	} else if m := permalink.FindStringSubmatch(t.URL); m != nil {
		l.channel, stamp = m[1], m[2]+"."+m[3]
	} else {
		err = &widen.Failure{Words: threadGone}
	}
	return l, stamp, err
}

// Resolve writes the decision into its thread, unless the thread has it already.
func (b *Backend) Resolve(ctx context.Context, t widen.Thread, r widen.Resolved) error {
	answer := written(r.Answer)
	if queue.Blank(answer) {
		answer = "no words"
	}
	return b.tell(ctx, t, threadWords("Decided: "+answer, written(r.Summary.Text), written(r.Rationale)))
}

// threadWords adds a summary and a rationale to the first line of a message; both may be empty.
func threadWords(first, summary, rationale string) string {
	if summary != "" {
		first += "\nSummary: " + summary
	}
	if rationale != "" {
		first += "\nWhy: " + rationale
	}
	return first
}

// Defer writes into the thread that there is no decision for now, unless the thread has such a message already.
func (b *Backend) Defer(ctx context.Context, t widen.Thread, rationale string) error {
	return b.tell(ctx, t, threadWords("Deferred for now.", "", written(rationale)))
}

// tell writes the last message of a thread, unless the thread has one.
func (b *Backend) tell(ctx context.Context, t widen.Thread, text string) error {
	l, stamp, err := b.openThread(t)
	if err != nil {
		return err
	}
	marks, err := l.marksIn(ctx, stamp, t.Decision)
	if err != nil || marks[ended] {
		return err
	}
	_, err = l.post(ctx, text, stamp, mark(t.Decision, ended))
	return err
}

// threadGone says that the thread cannot be found any more.
const threadGone = "The thread is not in the channel any more. Answer the question yourself, or defer it."

// bounded limits the length of answers and the header Retry-After before Slack's library reads them.
type bounded struct{ http.RoundTripper }

// RoundTrip makes one call.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests { // the library accepts only a number, and every number
		after := cmp.Or(widen.RetryAfter(answer.Header.Get("Retry-After"), time.Now()), busyFor)
		answer.Header.Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, mostOfAnswer)
	return answer, nil
}

// mostLists limits the pages of a list that are read: enough for a thread of a hundred thousand messages.
const mostLists = 100

// eachPage calls read with the cursor of each page of a list. read returns the next cursor, or "" at the end; if it
// fails, it may be called again. eachPage fails with *widen.Failure if the cursor does not change, or if the list has
// more pages than mostLists.
func (l link) eachPage(ctx context.Context, read func(cursor string) (next string, err error)) error {
	cursor := ""
	for range mostLists {
		was := cursor
		err := l.retry(ctx, reads, func() (err error) {
			cursor, err = read(was)
			return err
		})
		if err != nil || cursor == "" {
			return err
		}
		if cursor == was {
			break
		}
	}
	return l.failure(&http.MaxBytesError{})
}

// What a call does in the channel.
const (
	reads  = true // it changes nothing
	writes = false
)

// retry repeats a call until it succeeds, fails for good or has no time left. A call that does not only read is
// repeated only if Slack did not carry it out. The errors of retry are *widen.Failure, or ctx's.
func (l link) retry(ctx context.Context, onlyReads bool, call func() error) error {
	return widen.Retry(ctx, l.pause, !onlyReads, func() error { return statusOf(call()) }, l.failure)
}

// statusOf returns an error of Slack's library as a *widen.Refusal if it is about a status, and any other error
// unchanged.
func statusOf(err error) error {
	var busy *api.RateLimitedError
	var status api.StatusCodeError
	var refused api.SlackErrorResponse
	switch {
	case errors.As(err, &busy):
		return &widen.Refusal{Status: http.StatusTooManyRequests, After: busy.RetryAfter}
	case errors.As(err, &refused) && refused.Err == "ratelimited":
		return &widen.Refusal{Status: http.StatusTooManyRequests}
	case errors.As(err, &status):
		return &widen.Refusal{Status: status.Code}
	}
	return err
}

// slackGarbled says that Slack's answer cannot be read.
const slackGarbled = "Slack gave an answer that cannot be read. Something between here and Slack may have changed it."

// failure returns a failure with a sentence about the error of a call.
func (l link) failure(err error) error {
	var known *widen.Failure
	var status *widen.Refusal
	var refused api.SlackErrorResponse
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &status):
		return &widen.Failure{Words: l.statusWords(*status), After: status.After}
	case errors.As(err, &refused):
		return &widen.Failure{Words: l.refusalWords(refused)}
	}
	return &widen.Failure{Words: widen.Unanswered(slackName, err, slackGarbled)}
}

// statusWords returns a sentence about the status of a failed call.
func (l link) statusWords(r widen.Refusal) string {
	fault, remedy := widen.StatusWords(slackName, l.token, &r)
	return strings.TrimSpace(fault + " " + remedy)
}

// mostOfWord limits the length of Slack's own words, in characters.
const mostOfWord = 80

// refusalWords returns a sentence about the code with which Slack refused a call.
func (l link) refusalWords(r api.SlackErrorResponse) string {
	if widen.HoldsToken(r.Err+r.Needed, l.secret) {
		return slackGarbled
	}
	switch code := queue.Shorten(r.Err, mostOfWord, "…"); code {
	case "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type":
		return l.statusWords(widen.Refusal{Status: http.StatusUnauthorized})
	case "no_permission", "restricted_action", "access_denied", "org_login_required", "ekm_access_denied":
		return l.statusWords(widen.Refusal{Status: http.StatusForbidden})
	case "not_in_channel":
		return "Slack does not let the app into the channel " + say.OneLine(l.channel) +
			". Invite the app there: /invite."
	case "channel_not_found", "is_archived":
		return "Slack has no open channel " + say.OneLine(l.channel) + " that the app can see. " +
			"Invite the app there, or put another channel's id into widen.channel."
	case "missing_scope":
		needed := say.OneLine(strings.ReplaceAll(queue.Shorten(r.Needed, mostOfWord, "…"), ",", ", "))
		scope := cmp.Or(strings.TrimSpace(needed), "chat:write, channels:read, channels:history and users:read")
		return "The Slack app lacks a permission. Add to it: " + scope + "; then install it again."
	case "thread_not_found", "message_not_found":
		return threadGone
	case "fatal_error", "internal_error", "service_unavailable", "request_timeout":
		return "Slack reports an error (" + say.OneLine(code) + "). Try again later."
	default:
		return "Slack rejected the request: " + say.OneLine(code) + ". Its documentation says what that means."
	}
}
