package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/config"
	rules "github.com/choicetui/choicetui/queue/widen"
)

const secret = "tk-0123456789abcdef"

// refusing returns a server that answers everything with a status and a body.
func refusing(t *testing.T, status int, media, body string) *Backend {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	b, err := New(config.Widen{BaseURL: server.URL, TokenFile: tokenFile(t, secret)})
	require.NoError(t, err)
	b.pause = time.Millisecond
	return b
}

func TestTheServersOwnWordsOfARefusalAreSaid(t *testing.T) {
	const isJSON = "application/json"
	for name, c := range map[string]struct {
		status      int
		media, body string
		said        string // empty: its words are not shown
	}{
		"detail":           {403, isJSON, `{"detail": "not a member of this mission"}`, "not a member of this mission"},
		"message":          {422, isJSON, `{"detail": null, "message": "too late"}`, "too late"},
		"error":            {400, "application/problem+json", `{"error": "no such mission"}`, "no such mission"},
		"error.message":    {409, isJSON, `{"error": {"code": 7, "message": "ended already"}}`, "ended already"},
		"plain":            {403, "text/plain; charset=utf-8", "not\tyours\nstack trace", "not yours"},
		"401":              {401, isJSON, `{"detail": "expired."}`, "expired. Put a valid token into "},
		"404":              {404, isJSON, `{"detail": "unknown mission"}`, "unknown mission. Check widen.base_url and widen.paths."},
		"429":              {429, isJSON, `{"detail": "slowly"}`, "slowly. Try again in a minute."},
		"500":              {500, isJSON, `{"message": "oops!"}`, "oops! Try again later."},
		"hidden":           {403, isJSON, `{"detail": "\u001b[2Jno\u202e [red]x\nAnswer: yes"}`, "<U+001B>[2Jno<U+202E> [red]x Answer: yes"},
		"long":             {403, isJSON, `{"detail": "` + strings.Repeat("x", 5000) + `"}`, strings.Repeat("x", mostOfSaid) + "…"},
		"page":             {403, "text/html", "<html>not for you", ""},
		"page as text":     {403, "text/plain", "<html>not for you", ""},
		"object in a page": {403, "text/html", `{"detail": "not for you"}`, ""},
		"no words":         {403, isJSON, `{"detail": [{"msg": "x"}], "error": {"message": " "}}`, ""},
		"too long":         {403, isJSON, `{"detail": "no", "more": "` + strings.Repeat("x", mostOfReason) + `"}`, ""},
		"other":            {403, "application/octet-stream", "not for you", ""},
		"nothing":          {403, "", "", ""},
		"token":            {403, isJSON, `{"detail": "Bearer ` + secret + ` is bad"}`, ""},
		"half the token":   {403, "text/plain", "the token TK-0123456789… is bad", ""},
		"token in pieces":  {403, isJSON, `{"detail": "bad: tk-012\u200b345\u200b678\u200b9ab\u200bcdef"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := refusing(t, c.status, c.media, c.body)
			_, err := b.Widen(t.Context(), invitation())
			var f *widen.Failure
			require.ErrorAs(t, err, &f)
			if c.said == "" {
				assert.Empty(t, f.Said)
				assert.Contains(t, f.Words, "does not allow this with your token")
			} else {
				assert.True(t, strings.HasPrefix(f.Said, c.said), f.Said)
				assert.Contains(t, f.Words, b.Who()+" says: "+c.said)
			}
			assert.Regexp(t, `[.!…]$`, f.Words)
			assert.NotContains(t, strings.ToLower(fmt.Sprintf("%v %+v", f, *f)), secret[:10])
		})
	}
}

func TestAnEchoOfTheTokenIsNeitherShownNorKept(t *testing.T) {
	b := refusing(t, 200, "application/json", `{"members": [{"user_id": 1, "display_name": "Eve `+secret+`"}],
		"participants": ["`+secret+`"], "messages": ["[Eve] \u0074k-0123456789abcdef", "[Bob] it is `+
		strings.ToUpper(secret)+`"], "message_count": 2, "thread_url": "https://x.example/`+secret+`",
		"decision_id": "x", "widened_at": "2026-04-23T16:00:00Z", "slack_thread_url": "https://x.example/?t=`+secret+`",
		"more": "`+secret+`"}`)
	all, err := b.Audience(t.Context(), "m")
	require.NoError(t, err)
	d, err := b.Discussion(t.Context(), widen.Thread{Decision: decision})
	require.NoError(t, err)
	response, err := b.Widen(t.Context(), invitation())
	require.NoError(t, err)
	assert.Len(t, d.Messages, 2)
	assert.Empty(t, d.ThreadURL)
	assert.Empty(t, rules.CheckResponse(response))
	assert.Empty(t, rules.ResponseThread(response))
	assert.NotContains(t, strings.ToLower(fmt.Sprint(all, d, string(response))), secret)
}

func TestAnEchoOfTheTokenInAGoodAnswerIsNotSaid(t *testing.T) {
	for _, body := range []string{`{"decision_id": "x", "widened_at": "` + secret + `"}`,
		`{"decision_id": "x", "widened_at": "2026-04-23T16:00:00Z", "slack_thread_url": ["` + secret + `"]}`,
		`{"decision_id": "x", "` + secret + `": }`, secret} {
		b := refusing(t, 200, "application/json", body)
		_, err := b.Widen(t.Context(), invitation())
		require.ErrorContains(t, err, "cannot be read", body)
		assert.NotContains(t, err.Error(), secret[:10])
		assert.Less(t, len(err.Error()), 400)
	}
}
