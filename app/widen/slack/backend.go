// Package slack asks the team in a channel of Slack: a message there mentions those who are asked, they answer in its
// thread, and how it ended is said there. Nothing is kept but what Slack keeps: each message of ours carries the id of
// the decision, so a second try finds the first.
package slack

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
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
	busyFor       = time.Minute // where Slack has too many calls and does not say for how long
)

var _ widen.Backend = (*Backend)(nil)

// Backend is a channel of Slack.
type Backend struct {
	channel string
	token   string // the name of its file
	url     string // of Slack's programming interface
	client  *http.Client
	people  *people
	pause   time.Duration // before a second try
}

// New returns the channel that the settings name. It fails with *widen.Failure where one of them is missing; Slack is
// not asked anything yet.
func New(c config.Widen) (*Backend, error) {
	for key, value := range map[string]string{"widen.channel": c.Channel, "widen.token_file": c.TokenFile} {
		if value == "" {
			return nil, &widen.Failure{Words: widen.SettingEmpty(key), Err: errors.New("a setting is missing")}
		}
	}
	client := &http.Client{Timeout: attemptWithin, Transport: bounded{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the form of a call holds the token
		}}
	return &Backend{channel: c.Channel, token: c.TokenFile, url: api.APIURL, client: client, people: newPeople(),
		pause: widen.FirstWait}, nil
}

// Name returns the backend's word in the settings.
func (b *Backend) Name() string { return config.WidenSlack }

// slackName names Slack where a service of the team is named.
const slackName = "Slack"

// Who returns its name for sentences.
func (b *Backend) Who() string { return slackName }

// Ready asks Slack whether the token is good.
func (b *Backend) Ready(ctx context.Context) error {
	l, err := b.open()
	if err != nil {
		return err
	}
	if _, err := l.slack.AuthTestContext(ctx); err != nil {
		return l.failure(err)
	}
	return nil
}

// link leads to one channel of Slack, with the token as it was when the link was opened.
type link struct {
	slack   *api.Client
	channel string
	token   string // the name of its file
	secret  string // the token itself
	pause   time.Duration
}

func (b *Backend) open() (link, error) {
	token, err := widen.ReadToken(b.token)
	if err != nil {
		return link{}, err
	}
	slack := api.New(token, api.OptionAPIURL(b.url), api.OptionHTTPClient(b.client))
	return link{slack: slack, channel: b.channel, token: b.token, secret: token, pause: b.pause}, nil
}

// Widen writes to the channel, unless an earlier try has.
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

// timeOf returns when a message was written, which its name says.
func timeOf(stamp string) time.Time {
	seconds, _, _ := strings.Cut(stamp, ".")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC()
}

// permalink is the address of a message: its channel and its name are in it.
var permalink = regexp.MustCompile(`/archives/([CGD][A-Z0-9]+)/p([0-9]{10})([0-9]{6})$`)

// place returns where a thread is, by its stored response or its address; false: neither says it.
func place(t widen.Thread) (channel, stamp string, known bool) {
	var kept struct {
		Channel string `json:"channel"`
		Stamp   string `json:"thread_ts"`
	}
	if json.Unmarshal(t.Response, &kept) == nil && kept.Channel != "" && kept.Stamp != "" {
		return kept.Channel, kept.Stamp, true
	}
	if m := permalink.FindStringSubmatch(t.URL); m != nil {
		return m[1], m[2] + "." + m[3], true
	}
	return "", "", false
}

// Resolve says the decision in its thread, once.
func (b *Backend) Resolve(ctx context.Context, t widen.Thread, r widen.Resolved) error {
	return b.tell(ctx, t, threadDecided(written(r.Answer), written(r.Summary.Text), written(r.Rationale)))
}

// threadDecided tells the team what was decided; summary and rationale may be empty.
func threadDecided(answer, summary, rationale string) string {
	if queue.Blank(answer) {
		answer = "no words"
	}
	return threadWords("Decided: "+answer, summary, rationale)
}

func threadWords(first, summary, rationale string) string {
	if summary != "" {
		first += "\nSummary: " + summary
	}
	if rationale != "" {
		first += "\nWhy: " + rationale
	}
	return first
}

// Defer says in the thread that there is no decision for now, once.
func (b *Backend) Defer(ctx context.Context, t widen.Thread, rationale string) error {
	return b.tell(ctx, t, threadWords("Deferred for now.", "", written(rationale)))
}

func (b *Backend) tell(ctx context.Context, t widen.Thread, text string) error {
	l, err := b.open()
	if err != nil {
		return err
	}
	channel, stamp, known := place(t)
	if !known {
		return gone()
	}
	l.channel = channel // the settings may name another by now
	marks, err := l.marksIn(ctx, stamp, t.Decision)
	if err != nil || marks[ended] {
		return err
	}
	_, err = l.post(ctx, text, stamp, mark(t.Decision, ended))
	return err
}

// threadGone says that the discussion is not there any more.
const threadGone = "The thread is not in the channel any more. Answer the question yourself, or defer it."

func gone() error {
	return &widen.Failure{Words: threadGone, Err: errors.New("the thread is not known")}
}

// errTooLong is an answer, or a list in pages, that is longer than anything Slack sends.
var errTooLong = errors.New("the answer is too long")

// bounded keeps answers within their limits, before Slack's library sees them.
type bounded struct{ http.RoundTripper }

// RoundTrip makes one call.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests { // the library takes any number, and nothing else
		after := widen.RetryAfter(answer.Header.Get("Retry-After"), time.Now())
		if after <= 0 {
			after = busyFor
		}
		answer.Header.Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	answer.Body = &limited{answer.Body, mostOfAnswer}
	return answer, nil
}

// limited fails with errTooLong where there is more to read than it has left.
type limited struct {
	io.ReadCloser
	left int
}

// Read reads as long as there is something left.
func (l *limited) Read(into []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.ReadCloser.Read(into[:min(len(into), l.left)])
	l.left -= n
	return n, err
}

// mostLists limits the pages of a list that are read: enough for a thread of a hundred thousand messages.
const mostLists = 100

// pages counts the pages of a list, whose end Slack says.
type pages struct {
	read   int
	cursor string
}

// turn goes to the page behind a cursor. It fails with *widen.Failure where the list goes round or never ends.
func (p *pages) turn(l link, cursor string) error {
	if p.read++; p.read >= mostLists || cursor == p.cursor {
		return l.failure(errTooLong)
	}
	p.cursor = cursor
	return nil
}

// again repeats a call until it succeeds, fails for good or has no time left. A call that changes something is repeated
// only if Slack did not carry it out. Its errors are *widen.Failure, or ctx's.
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

// slackGarbled says that Slack's answer cannot be read.
const slackGarbled = "Slack gave an answer that cannot be read. Something between here and Slack may have changed it."

// failure says what went wrong in a sentence. The error that it holds was made by Slack's library, which keeps the
// token out of addresses; what repeats the token is not kept.
func (l link) failure(err error) error {
	var known *widen.Failure
	if errors.As(err, &known) {
		return known
	}
	f := &widen.Failure{Words: widen.Unreachable(slackName), Err: err}
	var busy *api.RateLimitedError
	var status api.StatusCodeError
	var refused api.SlackErrorResponse
	var network net.Error
	if widen.HoldsToken(err.Error(), l.secret) {
		f.Err = errors.New("an answer that repeats the token")
	}
	switch {
	case errors.Is(err, errTooLong):
		f.Words = widen.AnswerTooLong(slackName)
	case errors.As(err, &busy):
		f.Words, f.After = widen.TooManyCalls(slackName, busy.RetryAfter), busy.RetryAfter
	case errors.As(err, &refused):
		f.Words = l.refusal(refused)
	case errors.As(err, &status):
		f.Words = widen.ServerFault(slackName, status.Code)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		f.Words = widen.TooSlow(slackName)
	case !errors.As(err, &network):
		f.Words = slackGarbled
	}
	return f
}

// garbled says that an answer cannot be Slack's, and why.
func garbled(why string) error { return &widen.Failure{Words: slackGarbled, Err: errors.New(why)} }

// mostOfWord limits the length of Slack's own words, in characters.
const mostOfWord = 80

// refusal puts Slack's own word into a sentence.
func (l link) refusal(r api.SlackErrorResponse) string {
	if widen.HoldsToken(r.Err+r.Needed, l.secret) {
		return slackGarbled
	}
	switch code := queue.Shorten(r.Err, mostOfWord, "…"); code {
	case "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type":
		return widen.TokenRefused(slackName, l.token)
	case "no_permission", "restricted_action", "access_denied", "org_login_required", "ekm_access_denied":
		return widen.NotAllowed(slackName)
	case "not_in_channel":
		return notInChannel(l.channel)
	case "channel_not_found", "is_archived":
		return noChannel(l.channel)
	case "missing_scope":
		return missingRights(strings.ReplaceAll(queue.Shorten(r.Needed, mostOfWord, "…"), ",", ", "))
	case "thread_not_found", "message_not_found":
		return threadGone
	case "ratelimited":
		return widen.TooManyCalls(slackName, 0)
	case "fatal_error", "internal_error", "service_unavailable", "request_timeout":
		return "Slack reports an error (" + say.OneLine(code) + "). Try again later."
	default:
		return "Slack did not take the call: " + say.OneLine(code) + ". Its documentation says what that means."
	}
}

// notInChannel says that the app is not in the channel.
func notInChannel(channel string) string {
	return "Slack does not let the app into the channel " + say.OneLine(channel) + ". Invite the app there: /invite."
}

// noChannel says that there is no such channel, or none that can be written to.
func noChannel(channel string) string {
	return "Slack has no open channel " + say.OneLine(channel) + " that the app can see. " +
		"Invite the app there, or put another channel's id into widen.channel."
}

// missingRights says which rights the app's token lacks.
func missingRights(scope string) string {
	scope = strings.TrimSpace(say.OneLine(scope))
	if scope == "" {
		scope = "chat:write, channels:read, channels:history and users:read"
	}
	return "The Slack app lacks a right. Add to it: " + scope + "; then install it again."
}
