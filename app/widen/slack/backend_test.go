package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/slacktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

const (
	token    = "xoxb-0123456789"
	decision = "01KPXFGJ0000000000000000AB"
)

// message holds one message in the channel of the fake workspace.
type message struct {
	User     string             `json:"user,omitempty"`
	BotID    string             `json:"bot_id,omitempty"`
	Text     string             `json:"text"`
	TS       string             `json:"ts"`
	Thread   string             `json:"thread_ts,omitempty"`
	Metadata *api.SlackMetadata `json:"metadata,omitempty"`
	form     map[string]string
}

// workspace is the library's own test server, with a channel that remembers.
type workspace struct {
	mu       sync.Mutex
	messages []message
	users    map[string]map[string]any
	members  []string
	refuse   map[string][]string // by method: Slack's words for the next calls; "429 N" is Retry-After; "500", "307", "half"
	calls    map[string]int
	ts       int
}

func start(t *testing.T) (*Backend, *workspace) {
	w := &workspace{users: map[string]map[string]any{}, refuse: map[string][]string{}, calls: map[string]int{}, ts: 1777000000}
	for id, name := range map[string]string{"U01": "Alice Johnson", "U02": "Bob Smith", "U03": "carol"} {
		w.users[id] = map[string]any{"id": id, "name": id, "profile": map[string]any{"display_name": name}}
		w.members = append(w.members, id)
	}
	w.users["U09"] = map[string]any{"id": "U09", "is_bot": true, "name": "bot"}
	w.users["U08"] = map[string]any{"id": "U08", "deleted": true, "name": "left"}
	w.members = append(w.members, "U09", "U08", "USLACKBOT")
	server := slacktest.NewTestServer(func(c slacktest.Customize) {
		for method, answer := range map[string]func(*http.Request) map[string]any{
			"auth.test": func(*http.Request) map[string]any { return map[string]any{} }, "users.info": w.user,
			"conversations.members": w.membersPage, "chat.postMessage": w.post, "conversations.history": w.history,
			"conversations.replies": w.replies, "chat.getPermalink": w.permalink,
		} {
			c.Handle("/"+method, w.handle(method, answer))
		}
	})
	server.Start()
	t.Cleanup(server.Stop)
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte(token), 0o600))
	b, err := New(config.Widen{Backend: config.WidenSlack, TokenFile: file, Channel: "C0123456789"})
	require.NoError(t, err)
	b.url, b.pause = server.GetAPIURL(), time.Millisecond
	return b, w
}

func (w *workspace) handle(method string, answer func(*http.Request) map[string]any) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.calls[method]++
		given := map[string]any{}
		if left := w.refuse[method]; len(left) > 0 {
			w.refuse[method] = left[1:]
			switch after, busy := strings.CutPrefix(left[0], "429 "); {
			case busy:
				out.Header().Set("Retry-After", after)
				out.WriteHeader(http.StatusTooManyRequests)
				return
			case left[0] == "500":
				out.WriteHeader(http.StatusInternalServerError)
				return
			case left[0] == "307":
				http.Redirect(out, r, "/elsewhere", http.StatusTemporaryRedirect)
				return
			case left[0] == "half":
				_, _ = out.Write([]byte(`{"ok": tr`))
				return
			case left[0] == "lost": // it was taken, but the answer does not come
				answer(r)
				panic(http.ErrAbortHandler)
			}
			given["ok"], given["error"] = false, left[0]
			given["needed"] = "channels:history,users:read"
		} else {
			given = answer(r)
			given["ok"] = true
		}
		_ = json.NewEncoder(out).Encode(given)
	}
}

func (w *workspace) user(r *http.Request) map[string]any {
	return map[string]any{"user": w.users[r.Form.Get("user")]}
}

func (w *workspace) membersPage(r *http.Request) map[string]any {
	at, _ := strconv.Atoi(r.Form.Get("cursor"))
	end := min(at+2, len(w.members))
	next := ""
	if end < len(w.members) {
		next = strconv.Itoa(end)
	}
	return map[string]any{"members": w.members[at:end], "response_metadata": map[string]any{"next_cursor": next}}
}

func (w *workspace) stamp() string { w.ts++; return fmt.Sprintf("%d.000100", w.ts) }

func (w *workspace) post(r *http.Request) map[string]any {
	m := message{BotID: "B1", User: "U09", Text: r.Form.Get("text"), TS: w.stamp(), Thread: r.Form.Get("thread_ts"),
		form: map[string]string{"parse": r.Form.Get("parse"), "link_names": r.Form.Get("link_names"),
			"channel": r.Form.Get("channel")}}
	if given := r.Form.Get("metadata"); given != "" {
		m.Metadata = &api.SlackMetadata{}
		_ = json.Unmarshal([]byte(given), m.Metadata)
	}
	w.messages = append(w.messages, m)
	return map[string]any{"channel": r.Form.Get("channel"), "ts": m.TS}
}

func (w *workspace) history(r *http.Request) map[string]any {
	var roots []message
	for _, m := range w.messages {
		if m.Thread == "" && m.TS >= r.Form.Get("oldest") && r.Form.Get("include_all_metadata") == "1" {
			roots = append([]message{m}, roots...)
		}
	}
	return map[string]any{"messages": roots}
}

func (w *workspace) replies(r *http.Request) map[string]any {
	var thread []message
	for _, m := range w.messages {
		if ts := r.Form.Get("ts"); m.TS == ts || m.Thread == ts {
			thread = append(thread, m)
		}
	}
	at, _ := strconv.Atoi(r.Form.Get("cursor"))
	limit, _ := strconv.Atoi(r.Form.Get("limit"))
	end := min(at+limit, len(thread))
	more := end < len(thread)
	next := ""
	if more {
		next = strconv.Itoa(end)
	}
	return map[string]any{"messages": thread[at:end], "has_more": more,
		"response_metadata": map[string]any{"next_cursor": next}}
}

func (w *workspace) permalink(r *http.Request) map[string]any {
	return map[string]any{"channel": r.Form.Get("channel"), "permalink": "https://team.slack.com/archives/" +
		r.Form.Get("channel") + "/p" + strings.ReplaceAll(r.Form.Get("message_ts"), ".", "")}
}

// say has somebody write into the last thread.
func (w *workspace) say(user, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, message{User: user, Text: text, TS: w.stamp(), Thread: w.messages[0].TS})
}

func invitation() widen.Invitation {
	return widen.Invitation{Decision: decision, Letter: rules.Letter{Title: "Database", Question: "Which?"},
		Invited: []queue.Member{{UserID: "U01", Name: "Alice Johnson"}, {UserID: "U03", Name: "carol"}}}
}

func widened(t *testing.T, b *Backend) widen.Thread {
	r, err := b.Widen(t.Context(), invitation())
	require.NoError(t, err)
	return widen.Thread{Decision: decision, URL: rules.ResponseThread(r), Response: r}
}

func TestTheChannelsPeopleAreTheAudience(t *testing.T) {
	b, w := start(t)
	require.NoError(t, b.Ready(t.Context()))
	for range 2 {
		all, err := b.Audience(t.Context(), "whatever")
		require.NoError(t, err)
		assert.Equal(t, []queue.Member{{UserID: "U01", Name: "Alice Johnson"}, {UserID: "U02", Name: "Bob Smith"},
			{UserID: "U03", Name: "carol"}}, all)
	}
	assert.Equal(t, 6, w.calls["users.info"], "a person is asked for once")
}

func TestAThreadAsksThoseWhoAreMentioned(t *testing.T) {
	b, w := start(t)
	r, err := b.Widen(t.Context(), invitation())
	require.NoError(t, err)
	assert.Empty(t, rules.CheckResponse(r))
	assert.Equal(t, "https://team.slack.com/archives/C0123456789/p1777000001000100", rules.ResponseThread(r))
	assert.Contains(t, string(r), `"invited_count":2`)
	require.Len(t, w.messages, 1)
	assert.Equal(t, "<@U01> <@U03> a decision needs you:\n*Database*\nWhich?\n"+
		"_Reply in this thread. What you say here is read back to the person who decides._", w.messages[0].Text)
	assert.Equal(t, "C0123456789", w.messages[0].form["channel"])
}

func TestAThreadShowsTheOptions(t *testing.T) {
	b, w := start(t)
	i := invitation()
	i.Letter = widen.Letter(queue.Session{Ask: queue.Ask{Title: "Which?", Questions: []queue.Question{{Text: "Which?",
		Options: []queue.Option{{ID: "pg", Label: "<@U02>", Description: "known"}, {ID: "l", Label: "SQLite"}}}}}}, false, "")
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	assert.Contains(t, w.messages[0].Text, "*Which?*\nOptions:\n1. &lt;@U02&gt;: known\n2. SQLite\n_Reply")
}

func TestAQuestionMentionsNobodyAndLinksNothing(t *testing.T) {
	b, w := start(t)
	i := invitation()
	i.Title, i.Question = "<!channel> a\nb", "Ask <@U02> & @here\u202e <https://evil.example|bank>"
	i.Invited = append(i.Invited, queue.Member{UserID: "U1> <!channel", Name: "<!here>"})
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	text := w.messages[0].Text
	assert.Equal(t, 2, strings.Count(text, "<"), text)
	assert.Contains(t, text, "Ask &lt;@U02&gt; &amp; @here&lt;U+202E&gt;")
	assert.Equal(t, "none", w.messages[0].form["parse"])
	assert.NotEqual(t, "1", w.messages[0].form["link_names"])
}

func TestAPromptFollowsInTheThreadWhereItWasChosen(t *testing.T) {
	b, w := start(t)
	i := invitation()
	i.Prompt = strings.Repeat("&", mostOfPart) + "the end"
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	require.Len(t, w.messages, 3)
	assert.Equal(t, "the end", w.messages[2].Text)
	for _, m := range w.messages {
		assert.Less(t, len(m.Text), 40_000)
	}
	assert.Equal(t, w.messages[0].TS, w.messages[2].Thread)
}

func TestWhatTheAgentWasDoingFollowsInTheThreadAndMentionsNobody(t *testing.T) {
	b, w := start(t)
	i := invitation()
	i.Prompt = widen.Letter(queue.Session{}, false, "What it was doing:\n✗ echo <!channel>").Prompt
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	require.Len(t, w.messages, 2)
	assert.Equal(t, "What it was doing:\n✗ echo &lt;!channel&gt;", w.messages[1].Text)
	assert.Equal(t, w.messages[0].TS, w.messages[1].Thread)
}

func TestASecondTryFindsTheThreadOfTheFirst(t *testing.T) {
	for name, prompt := range map[string]string{"short": "", "with a prompt": "p"} {
		b, w := start(t)
		i := invitation()
		i.Prompt = prompt
		w.refuse["chat.postMessage"] = []string{"lost"}
		_, err := b.Widen(t.Context(), i)
		require.ErrorContains(t, err, "cannot be reached", name)
		i.Again = time.Unix(1777000001, 0)
		r, err := b.Widen(t.Context(), i)
		require.NoError(t, err, name)
		assert.Contains(t, rules.ResponseThread(r), "p1777000001000100")
		assert.Len(t, w.messages, 1+len(prompt), name)

		i.Decision = "01KPXFGJ0000000000000000AC"
		_, err = b.Widen(t.Context(), i)
		require.NoError(t, err)
		assert.Len(t, w.messages, 2*(1+len(prompt)), "another decision is another thread")
	}
}

func TestWhatPeopleSaidIsReadAndProgramsAreNot(t *testing.T) {
	b, w := start(t)
	thread := widened(t, b)
	w.say("U01", "<@U02> PostgreSQL &amp; <https://pg.example|docs> in <#C2|infra> &lt;3 <!channel>")
	w.say("U02", "agreed\n---\n[carol] no")
	w.say("U07", "who am I")
	w.messages = append(w.messages, message{BotID: "B2", User: "U09", Text: "build failed", TS: w.stamp(), Thread: w.messages[0].TS})
	d, err := b.Discussion(t.Context(), thread)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"[Alice Johnson] @Bob Smith PostgreSQL & docs (https://pg.example) in #infra <3 @channel",
		"[Bob Smith] agreed --- [carol] no", "[U07] who am I"}, d.Messages)
	assert.Equal(t, 3, d.MessageCount)
	assert.Equal(t, thread.URL, d.ThreadURL)
}

func TestALongThreadIsReadToItsEndAndTheNewestAreKept(t *testing.T) {
	b, w := start(t)
	thread := widened(t, b)
	for n := range 2500 {
		w.say("U01", fmt.Sprint(n))
	}
	d, err := b.Discussion(t.Context(), widen.Thread{Decision: decision, URL: thread.URL}) // by its address alone
	require.NoError(t, err)
	assert.Equal(t, 3, w.calls["conversations.replies"])
	assert.Equal(t, 2500, d.MessageCount)
	assert.Equal(t, "[Alice Johnson] 2499", d.Messages[rules.MaxMessages-1])
	assert.True(t, d.Truncated)
	assert.Equal(t, []string{"Alice Johnson"}, d.Participants)
}

func TestADecisionIsSaidInTheThreadOnce(t *testing.T) {
	b, w := start(t)
	thread := widened(t, b)
	r := widen.Resolved{Answer: "PostgreSQL <!channel>", Summary: queue.Summary{Text: "All agree."}, Rationale: "cheaper"}
	w.refuse["chat.postMessage"] = []string{"lost"}
	require.Error(t, b.Resolve(t.Context(), thread, r))
	for range 2 {
		require.NoError(t, b.Resolve(t.Context(), thread, r))
	}
	require.Len(t, w.messages, 2)
	assert.Equal(t, "Decided: PostgreSQL &lt;!channel&gt;\nSummary: All agree.\nWhy: cheaper", w.messages[1].Text)
	assert.Equal(t, w.messages[0].TS, w.messages[1].Thread)
	d, err := b.Discussion(t.Context(), thread)
	require.NoError(t, err)
	assert.Zero(t, d.MessageCount)

	b, w = start(t)
	require.NoError(t, b.Defer(t.Context(), widened(t, b), "legal"))
	assert.Equal(t, "Deferred for now.\nWhy: legal", w.messages[1].Text)
	assert.Error(t, b.Defer(t.Context(), widen.Thread{Decision: decision}, "legal"))
}

func TestWhatSlackSaysIsASentenceThatSaysWhatToDo(t *testing.T) {
	for _, c := range []struct{ refusal, want string }{
		{"invalid_auth", "refused the token. Put a valid token into"},
		{"not_in_channel", "Invite the app there"},
		{"channel_not_found", "put another channel's id into widen.channel"},
		{"missing_scope", "Add to it: channels:history, users:read; then"},
		{"restricted_action", "Ask whoever runs it"},
		{"thread_not_found", "Answer the question yourself, or defer it."},
		{"brand_new_word", "Slack rejected the request: brand_new_word."},
		{"internal_error", "Try again later."},
		{"500", "reports an error (500)"},
		{"307", "rejected the request (307)"},
		{"half", "gave an answer that cannot be read"},
		{"429 3600", "Try again in 1 hour."},
	} {
		b, w := start(t)
		thread := widened(t, b)
		w.refuse["conversations.replies"] = []string{c.refusal, c.refusal, c.refusal, c.refusal}
		_, err := b.Discussion(t.Context(), thread)
		var f *widen.Failure
		require.ErrorAs(t, err, &f, c.refusal)
		assert.Contains(t, err.Error(), c.want)
		assert.NotContains(t, err.Error(), token)
	}
}

func TestACallIsTriedAgainWhereSlackDidNotTakeIt(t *testing.T) {
	b, w := start(t)
	w.refuse["chat.postMessage"] = []string{"429 1"}
	w.refuse["conversations.members"] = []string{"500", "500"}
	began := time.Now()
	widened(t, b)
	assert.GreaterOrEqual(t, time.Since(began), time.Second)
	_, err := b.Audience(t.Context(), "m")
	require.NoError(t, err)

	w.refuse["chat.postMessage"] = []string{"500"}
	_, err = b.Widen(t.Context(), invitation())
	require.Error(t, err)
	assert.Equal(t, 3, w.calls["chat.postMessage"], "what may have been taken is left to the person")
}

func TestWhoGivesUpOrHasNoTimeLeftIsNotKept(t *testing.T) {
	b, w := start(t)
	w.refuse["conversations.members"] = []string{"429 20"}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	began := time.Now()
	_, err := b.Audience(ctx, "m")
	assert.ErrorContains(t, err, "Try again in 20 seconds.")
	assert.Less(t, time.Since(began), time.Second)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.Audience(gone, "m")
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAMissingSettingOfSlackIsNamed(t *testing.T) {
	_, err := New(config.Widen{TokenFile: "/token"})
	assert.ErrorContains(t, err, "choicetui config set widen.channel")
	_, err = New(config.Widen{Channel: "C1"})
	assert.ErrorContains(t, err, "choicetui config set widen.token_file")
}
