// Package slack asks the team in a channel of Slack: a message there mentions those who are asked, they answer in its
// thread, and how it ended is said there. Nothing is kept but what Slack keeps: each message of ours carries the id of
// the decision, so a second try finds the first.
package slack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	api "github.com/slack-go/slack"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
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
			return nil, &widen.Failure{Words: say.TeamUnset(key), Err: errors.New("a setting is missing")}
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

// Who returns its name for sentences.
func (b *Backend) Who() string { return say.TeamSlack }

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

// link is Slack with the token as it was when it was opened, at one channel.
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
	return b.tell(ctx, t, say.ThreadDecided(written(r.Answer), written(r.Summary.Text), written(r.Rationale)))
}

// Defer says in the thread that there is no decision for now, once.
func (b *Backend) Defer(ctx context.Context, t widen.Thread, rationale string) error {
	return b.tell(ctx, t, say.ThreadDeferred(written(rationale)))
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

func gone() error {
	return &widen.Failure{Words: say.SlackThreadGone, Err: errors.New("the thread is not known")}
}
