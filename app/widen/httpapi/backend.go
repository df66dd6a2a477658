// Package httpapi asks the team through a server of theirs. The protocol has five calls: who is asked by default, ask
// the team ("widen"), read the discussion, and tell the team the decision or that there is none for now. Each call
// carries a token, has a time limit, and is tried again if that can do no harm.
package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// usualPaths lists the paths of the calls. The settings may name others.
var usualPaths = map[string]string{
	config.WidenAudience:   "/api/v1/missions/{mission}/audience-default",
	config.WidenCall:       "/api/v1/decision-points/{decision}/widen",
	config.WidenDiscussion: "/api/v1/decision-points/{decision}/discussion",
	config.WidenResolve:    "/api/v1/decision-points/{decision}/resolve",
	config.WidenDefer:      "/api/v1/decision-points/{decision}/defer",
}

// Limits of the length of answers, in bytes.
const (
	mostOfAudience   = 1 << 20
	mostOfResponse   = queue.MaxPromptBytes // of the call that asks the team; the session stores it
	mostOfDiscussion = 8 << 20
	mostOfTold       = 1 << 16 // of the calls that tell the team how it ended; it is not used
)

var _ widen.Backend = (*Backend)(nil)

// Backend is a team's server.
type Backend struct {
	base   string // without a slash at the end
	who    string // the server's name for sentences
	token  string // the name of the token's file
	paths  map[string]*string
	client *http.Client
	pause  time.Duration // the pause before the second try of a call
}

// New returns the server that the settings name. It fails with *widen.Failure if a setting is missing. It does not call
// the server.
func New(c config.Widen) (*Backend, error) {
	u, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "", err != nil: // the settings refuse an address that cannot be parsed
		return nil, widen.SettingEmpty("widen.base_url")
	case c.TokenFile == "":
		return nil, widen.SettingEmpty("widen.token_file")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // it might take the token elsewhere
	}}
	return &Backend{base: strings.TrimRight(c.BaseURL, "/"), who: "The server " + say.OneLine(u.Host),
		token: c.TokenFile, paths: c.Paths, client: client, pause: widen.FirstWait}, nil
}

// Name returns the backend's word in the settings.
func (b *Backend) Name() string { return config.WidenHTTP }

// Who names the server in sentences.
func (b *Backend) Who() string { return b.who }

// Ready asks for nothing: any answer shows that the server is reachable, even an answer that refuses HEAD. A later call
// reports its own errors.
func (b *Backend) Ready(ctx context.Context) error {
	token, err := widen.ReadToken(b.token)
	if err != nil {
		return err
	}
	if _, err = b.attempt(ctx, call{method: http.MethodHead, url: b.base + "/", probe: true}, token, nil); err != nil {
		return b.failure(err)
	}
	return nil
}

// Audience returns the mission's default audience.
func (b *Backend) Audience(ctx context.Context, mission string) ([]queue.Member, error) {
	raw, token, err := b.do(ctx, call{method: http.MethodGet, url: b.address(config.WidenAudience, mission),
		most: mostOfAudience})
	if err != nil {
		return nil, err
	}
	return b.readAudience(raw, token)
}

// TakesNames reports true: the server also receives names without ids, and may know people who are not in its default
// audience.
func (b *Backend) TakesNames() bool { return true }

// Widen asks the team. The call is tried again only if the server certainly did not accept it: the server may not
// notice that two calls are about the same decision.
func (b *Backend) Widen(ctx context.Context, i widen.Invitation) (json.RawMessage, error) {
	body := struct {
		IDs      []userID `json:"invited_user_ids"`
		Names    []string `json:"invited_names"`
		Title    string   `json:"title"`
		Question string   `json:"question"`
		Prompt   string   `json:"prompt,omitempty"`
		// Asked says the same as Question, for a server that shows options as such.
		Asked []rules.AskedQuestion `json:"questions,omitempty"`
	}{IDs: []userID{}, Names: []string{}, Title: i.Title, Question: i.Question, Prompt: i.Prompt, Asked: i.Asked}
	if body.Question == "" {
		body.Question = i.Title
	}
	var byName []string // they come last, so that each id has the same index as its name
	for _, m := range i.Invited {
		if m.UserID == "" {
			byName = append(byName, m.Name)
			continue
		}
		body.IDs = append(body.IDs, userID{m.UserID, m.NumericID})
		body.Names = append(body.Names, m.Name)
	}
	body.Names = append(body.Names, byName...)
	raw, token, err := b.do(ctx, call{method: http.MethodPost, url: b.address(config.WidenCall, i.Decision), body: body,
		most: mostOfResponse, careful: true})
	if err != nil {
		return nil, err
	}
	clean := withoutToken(raw, token)
	if wrong := cmp.Or(rules.CheckResponse(raw), rules.CheckResponse(clean)); wrong != "" {
		return nil, b.garbled(wrong)
	}
	return clean, nil
}

// Discussion returns the discussion so far.
func (b *Backend) Discussion(ctx context.Context, t widen.Thread) (rules.Discussion, error) {
	raw, token, err := b.do(ctx, call{method: http.MethodGet, url: b.address(config.WidenDiscussion, t.Decision),
		most: mostOfDiscussion})
	if err != nil {
		return rules.Discussion{}, err
	}
	var d rules.Discussion
	if err := json.Unmarshal(raw, &d); err != nil || d.Messages == nil {
		return rules.Discussion{}, b.garbled("messages")
	}
	for _, texts := range [][]string{d.Participants, d.Messages} {
		for i := range texts {
			texts[i] = widen.WithoutToken(texts[i], token)
		}
	}
	d.ThreadURL = widen.WithoutToken(d.ThreadURL, token)
	return d.Cleaned(), nil
}

// Resolve tells the server the decision. It fails with widen.ErrNotCalled if the
// setting for this path is null.
func (b *Backend) Resolve(ctx context.Context, t widen.Thread, r widen.Resolved) error {
	body := struct {
		FinalAnswer string        `json:"final_answer"`
		Summary     queue.Summary `json:"summary_json"`
		Rationale   *string       `json:"rationale"`
	}{FinalAnswer: r.Answer, Summary: r.Summary}
	if r.Rationale != "" {
		body.Rationale = &r.Rationale
	}
	return b.tell(ctx, config.WidenResolve, t.Decision, body)
}

// Defer tells the server that there is no decision for now. It fails with widen.ErrNotCalled if the
// setting for this path is null.
func (b *Backend) Defer(ctx context.Context, t widen.Thread, rationale string) error {
	return b.tell(ctx, config.WidenDefer, t.Decision, struct {
		Rationale string `json:"rationale"`
	}{rationale})
}

// tell tells the server how a decision ended. It is no error if the server knows that already, because an earlier try
// may have reached it.
func (b *Backend) tell(ctx context.Context, name, decision string, body any) error {
	to := b.address(name, decision)
	if to == "" {
		return widen.ErrNotCalled
	}
	_, _, err := b.do(ctx, call{method: http.MethodPost, url: to, body: body, most: mostOfTold, told: true})
	return err
}

// address returns the URL of a call; empty: the call is not made.
func (b *Backend) address(name, subject string) string {
	path := usualPaths[name]
	if other, given := b.paths[name]; given {
		if other == nil {
			return ""
		}
		path = *other
	}
	for _, mark := range []string{"{mission}", "{decision}"} {
		path = strings.ReplaceAll(path, mark, url.PathEscape(subject))
	}
	return b.base + path
}

// userID is a person's id. Some servers write it as a number, so it is sent back in the form in which it came.
type userID struct {
	text   string
	number bool
}

// UnmarshalJSON reads a text or a number.
func (u *userID) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		return json.Unmarshal(raw, &u.text)
	}
	var n json.Number // a float would lose digits of a long number
	err := json.Unmarshal(raw, &n)
	u.text, u.number = n.String(), n != ""
	return err
}

// MarshalJSON writes the id in the form in which UnmarshalJSON read it.
func (u userID) MarshalJSON() ([]byte, error) {
	if u.number && json.Valid([]byte(u.text)) {
		return json.Marshal(json.Number(u.text))
	}
	return json.Marshal(u.text)
}

// readAudience reads the people who are asked by default, with names that can be shown. A person without an id cannot
// be asked.
func (b *Backend) readAudience(raw []byte, token string) ([]queue.Member, error) {
	var given struct {
		Members *[]struct {
			UserID userID `json:"user_id"`
			Name   string `json:"display_name"`
		} `json:"members"`
	}
	if err := json.Unmarshal(raw, &given); err != nil || given.Members == nil {
		return nil, b.garbled("members")
	}
	var all []queue.Member
	for _, m := range *given.Members {
		one := queue.Member{UserID: widen.WithoutToken(m.UserID.text, token), NumericID: m.UserID.number,
			Name: rules.Name(widen.WithoutToken(m.Name, token))}
		if one.UserID != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
		if len(all) == queue.MaxTeam {
			break
		}
	}
	return all, nil
}
