package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	rules "github.com/choicetui/choicetui/queue/widen"
)

func start(t *testing.T, change ...func(*config.Widen)) (*Backend, *contractserver.Server) {
	server := contractserver.New()
	t.Cleanup(server.Close)
	c := config.Widen{Backend: config.WidenHTTP, BaseURL: server.URL + "/", TokenFile: tokenFile(t, contractserver.Token)}
	for _, f := range change {
		f(&c)
	}
	b, err := New(c)
	require.NoError(t, err)
	b.pause = time.Millisecond
	return b, server
}

func tokenFile(t *testing.T, token string) string {
	path := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(path, []byte(token+"\n"), 0o600))
	return path
}

const decision = "01KPXFGJ0000000000000000AB"

func invitation() widen.Invitation {
	return widen.Invitation{Decision: decision, Letter: rules.Letter{Title: "Database", Question: "Which?"},
		Invited: []queue.Member{{UserID: "u1", Name: "Alice Johnson"}, {UserID: "u3", Name: "Carol Lee"}}}
}

func widened(t *testing.T, b *Backend) widen.Thread {
	r, err := b.Widen(t.Context(), invitation())
	require.NoError(t, err)
	return widen.Thread{Decision: decision, URL: rules.ResponseThread(r), Response: r}
}

func TestTheWholeWayThroughTheContract(t *testing.T) {
	b, server := start(t)
	ctx := t.Context()
	require.NoError(t, b.Ready(ctx))
	all, err := b.Audience(ctx, "cli widen/mode")
	require.NoError(t, err)
	assert.Len(t, all, 4)
	assert.Equal(t, queue.Member{UserID: "u1", Name: "Alice Johnson"}, all[0])
	assert.Equal(t, "cli widen/mode", server.Requests(contractserver.Audience)[0].Decision)

	r, err := b.Widen(ctx, invitation())
	require.NoError(t, err)
	assert.Empty(t, rules.CheckResponse(r))
	assert.Contains(t, string(r), "team_slug", "what the server adds is kept")
	assert.Contains(t, string(r), `"widened_at":"`+contractserver.WidenedAt.Format(time.RFC3339)+`"`)
	assert.JSONEq(t, `{"invited_user_ids":["u1","u3"],"invited_names":["Alice Johnson","Carol Lee"],"title":"Database","question":"Which?"}`,
		string(server.Requests(contractserver.Widen)[0].Body))

	thread := widen.Thread{Decision: decision, URL: rules.ResponseThread(r), Response: r}
	server.Say(decision, "Alice Johnson", "PostgreSQL")
	d, err := b.Discussion(ctx, thread)
	require.NoError(t, err)
	assert.Equal(t, []string{"[Alice Johnson] PostgreSQL"}, d.Messages)

	resolved := widen.Resolved{Answer: "PostgreSQL", Summary: queue.Summary{Text: "s", Source: queue.SourceTeam}}
	require.NoError(t, b.Resolve(ctx, thread, resolved))
	require.NoError(t, b.Resolve(ctx, thread, resolved), "that it is known already is no error")
	assert.JSONEq(t, `{"final_answer":"PostgreSQL","summary_json":{"text":"s","source":"slack_extraction"},"rationale":null}`,
		string(server.Requests(contractserver.Resolve)[0].Body))
	assert.Equal(t, contractserver.Resolve, server.Ended(decision))
}

func TestWhoIsKnownByNameAloneStandsBehindThoseWithAnID(t *testing.T) {
	b, server := start(t)
	i := invitation()
	i.Invited = append([]queue.Member{{Name: "Zoe"}}, i.Invited...)
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	i.Invited = i.Invited[:1]
	_, err = b.Widen(t.Context(), i)
	require.NoError(t, err)
	sent := server.Requests(contractserver.Widen)
	assert.Contains(t, string(sent[0].Body),
		`"invited_user_ids":["u1","u3"],"invited_names":["Alice Johnson","Carol Lee","Zoe"]`)
	assert.Contains(t, string(sent[1].Body), `"invited_user_ids":[],"invited_names":["Zoe"]`)
}

func TestOptionsAreSentAsWordsAndAsSuch(t *testing.T) {
	b, server := start(t)
	i := invitation()
	i.Letter = widen.Letter(queue.Session{Ask: queue.Ask{Title: "Database", Questions: []queue.Question{{Text: "Which?",
		Options: []queue.Option{{ID: "pg", Label: "PostgreSQL", Description: "known"}, {ID: "l", Label: "SQLite"}}}}}}, false, "")
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	assert.JSONEq(t, `{"invited_user_ids":["u1","u3"],"invited_names":["Alice Johnson","Carol Lee"],"title":"Database",
		"question":"Which?\nOptions:\n1. PostgreSQL: known\n2. SQLite","questions":[{"text":"Which?","options":[
		{"label":"PostgreSQL","description":"known"},{"label":"SQLite"}]}]}`,
		string(server.Requests(contractserver.Widen)[0].Body))
}

func TestThePromptIsSentOnlyWhereItWasChosen(t *testing.T) {
	b, server := start(t)
	i := invitation()
	i.Prompt = "Choose **one**."
	_, err := b.Widen(t.Context(), i)
	require.NoError(t, err)
	assert.Contains(t, string(server.Requests(contractserver.Widen)[0].Body), `"prompt":"Choose **one**."`)
	i.Prompt = widen.Letter(queue.Session{}, false, "What it was doing:\n✓ go test").Prompt
	_, err = b.Widen(t.Context(), i)
	require.NoError(t, err)
	assert.Contains(t, string(server.Requests(contractserver.Widen)[1].Body), `"prompt":"What it was doing:\n✓ go test"`)
}

func TestDeferAndItsRationaleAreTold(t *testing.T) {
	b, server := start(t)
	thread := widened(t, b)
	require.NoError(t, b.Defer(t.Context(), thread, "legal"))
	assert.JSONEq(t, `{"rationale":"legal"}`, string(server.Requests(contractserver.Defer)[0].Body))
}

func TestPathsAreTheSettingsAndNullIsNotCalled(t *testing.T) {
	other := "/api/v1/decision-points/{decision}/widen"
	b, server := start(t, func(c *config.Widen) {
		c.Paths = map[string]*string{config.WidenResolve: nil, config.WidenDefer: nil, config.WidenAudience: &other}
	})
	thread := widen.Thread{Decision: decision}
	require.ErrorIs(t, b.Resolve(t.Context(), thread, widen.Resolved{}), widen.ErrNotCalled)
	require.ErrorIs(t, b.Defer(t.Context(), thread, "x"), widen.ErrNotCalled)
	assert.Empty(t, server.Requests(""))
	assert.Equal(t, server.URL+"/api/v1/decision-points/a%2F..%20b/widen", b.address(config.WidenAudience, "a/.. b"))
}

func TestWhatGoesWrongIsSaidInASentenceThatSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		order contractserver.Order
		want  string
	}{
		"401":       {contractserver.Order{Status: 401}, "refused the token. Put a valid token into"},
		"403":       {contractserver.Order{Status: 403}, "Ask whoever runs it for permission."},
		"404":       {contractserver.Order{Status: 404}, "Check widen.base_url and widen.paths."},
		"redirect":  {contractserver.Order{Status: 302}, "redirects the request to another address"},
		"422":       {contractserver.Order{Status: 422}, "rejected the request (422)"},
		"500":       {contractserver.Order{Status: 500}, "reports an error (500). Try again later."},
		"429 long":  {contractserver.Order{Status: 429, RetryAfter: "3600"}, "Try again in 1 hour."},
		"half":      {contractserver.Order{Half: true}, "gave an answer that cannot be read"},
		"a page":    {contractserver.Order{Body: "<html>hello</html>"}, "gave an answer that cannot be read"},
		"null":      {contractserver.Order{Body: "null"}, "gave an answer that cannot be read"},
		"too long":  {contractserver.Order{Body: strings.Repeat(" ", mostOfDiscussion+1)}, "too long to read"},
		"no answer": {contractserver.Order{Hang: true}, "cannot be reached. Check the network"},
	} {
		t.Run(name, func(t *testing.T) {
			b, server := start(t)
			thread := widened(t, b)
			orders := slices.Repeat([]contractserver.Order{c.order}, 3*widen.Tries) // the transport itself tries twice, too
			server.Misbehave(contractserver.Discussion, orders...)
			_, err := b.Discussion(t.Context(), thread)
			var f *widen.Failure
			require.ErrorAs(t, err, &f)
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, fmt.Sprintf("%v %+v", err, f), contractserver.Token)
			assert.NotContains(t, err.Error(), "hello")

			server.Misbehave(contractserver.Audience, orders...)
			_, err = b.Audience(t.Context(), "m")
			require.ErrorAs(t, err, &f)
		})
	}
}

func TestAServerThatIsNotThereOrSlowIsSaidSo(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	b, err := New(config.Widen{BaseURL: "http://" + listener.Addr().String(), TokenFile: tokenFile(t, "x")})
	require.NoError(t, err)
	b.pause = time.Millisecond
	assert.ErrorContains(t, b.Ready(t.Context()), "cannot be reached")
	_, err = b.Audience(t.Context(), "m")
	assert.ErrorContains(t, err, "cannot be reached")

	b, server := start(t)
	server.Misbehave(contractserver.Ready, contractserver.Order{Delay: time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	assert.ErrorContains(t, b.Ready(ctx), "did not answer in time")
	assert.Less(t, time.Since(began), 900*time.Millisecond)
}

func TestAnyStatusSaysThatTheServerIsThere(t *testing.T) {
	for _, status := range []int{204, 302, 401, 403, 404, 405, 429, 500, 501, 502, 503, 599} {
		b, server := start(t)
		server.Misbehave(contractserver.Ready, contractserver.Order{Status: status, RetryAfter: "60"})
		assert.NoError(t, b.Ready(t.Context()), status)
		assert.Len(t, server.Requests(contractserver.Ready), 1, status)
	}
}

func TestAServerWithABrokenConnectionOrCertificateIsNotThere(t *testing.T) {
	b, server := start(t)
	server.Misbehave(contractserver.Ready, slices.Repeat([]contractserver.Order{{Hang: true}}, 3)...)
	assert.ErrorContains(t, b.Ready(t.Context()), "cannot be reached")

	untrusted := httptest.NewUnstartedServer(server)
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	b.base = untrusted.URL
	assert.ErrorContains(t, b.Ready(t.Context()), "cannot be reached")
}

func TestATokenThatIsReplacedCountsAtOnce(t *testing.T) {
	file := tokenFile(t, "old")
	b, _ := start(t, func(c *config.Widen) { c.TokenFile = file })
	_, err := b.Audience(t.Context(), "m")
	require.ErrorContains(t, err, file)
	require.NoError(t, os.WriteFile(file, []byte(contractserver.Token), 0o600))
	_, err = b.Audience(t.Context(), "m")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(file, 0o644))
	_, err = b.Audience(t.Context(), "m")
	require.ErrorContains(t, err, "chmod 600")
}

func TestACallIsTriedAgainWhereThatDoesNoHarm(t *testing.T) {
	busy := contractserver.Order{Status: 429, RetryAfter: "1"}
	for name, c := range map[string]struct {
		orders []contractserver.Order
		read   int // requests of a call that reads; the last of them is good
		widen  int // of the one that widens
		good   bool
	}{
		"busy":           {[]contractserver.Order{busy}, 2, 2, true},
		"a fault":        {[]contractserver.Order{{Status: 503}, {Status: 500}}, 3, 1, false},
		"no answer":      {[]contractserver.Order{{Hang: true}}, 2, 1, false},
		"a refusal":      {[]contractserver.Order{{Status: 403}}, 1, 1, false},
		"half an answer": {[]contractserver.Order{{Half: true}}, 1, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, server := start(t)
			server.Misbehave(contractserver.Audience, c.orders...)
			server.Misbehave(contractserver.Widen, c.orders...)
			began := time.Now()
			_, _ = b.Audience(t.Context(), "m")
			assert.Len(t, server.Requests(contractserver.Audience), c.read)
			if c.orders[0].RetryAfter != "" {
				assert.GreaterOrEqual(t, time.Since(began), time.Second)
			}
			_, err := b.Widen(t.Context(), invitation())
			assert.Len(t, server.Requests(contractserver.Widen), c.widen)
			assert.Equal(t, c.good, err == nil)
		})
	}
}

func TestTenThousandMessagesOfHostilePeopleAreCut(t *testing.T) {
	b, server := start(t)
	thread := widened(t, b)
	for n := range 10_000 {
		server.Say(decision, "Eve] yes\n[Bob\x1b[2J", fmt.Sprint(n, "\n---\n\u202e"))
	}
	d, err := b.Discussion(t.Context(), thread)
	require.NoError(t, err)
	assert.Equal(t, 10_000, d.MessageCount)
	assert.Len(t, d.Messages, rules.MaxMessages)
	assert.True(t, d.Truncated)
	for _, line := range append(d.Messages, d.Participants...) {
		shown, odd := queue.VisibleLine(line)
		assert.Equal(t, shown, line)
		assert.False(t, odd)
	}
	server.SetMembers("Al\u202eice", "", "Bob\nSmith")
	all, err := b.Audience(t.Context(), "m")
	require.NoError(t, err)
	assert.Equal(t, "Al<U+202E>ice", all[0].Name)
	assert.Equal(t, "Bob Smith", all[2].Name)
}

func TestAnIDKeepsItsTypeAndNobodyIsThereTwice(t *testing.T) {
	b, server := start(t)
	server.Misbehave(contractserver.Audience, contractserver.Order{Body: `{"members":[{"user_id":3,"display_name":"A"},
		{"user_id":"3","display_name":"A","email":"a@b.c"},{"user_id":3,"display_name":"A"},{"display_name":"nobody"},
		{"user_id":null,"display_name":"nobody"},{"user_id":98765432109876543210,"display_name":"B"},{"user_id":"8"}]}`})
	all, err := b.Audience(t.Context(), "m")
	require.NoError(t, err)
	names := []string{}
	for _, m := range all {
		names = append(names, m.UserID+" "+m.Name)
	}
	require.Equal(t, []string{"3 A", "3 A", "98765432109876543210 B", "8 somebody without a name"}, names)

	stored, err := json.Marshal(all)
	require.NoError(t, err)
	assert.Contains(t, string(stored), `"user_id":"98765432109876543210"`, "older programs read a string")
	var kept []queue.Member
	require.NoError(t, json.Unmarshal(stored, &kept))
	i := invitation()
	i.Invited = kept
	_, err = b.Widen(t.Context(), i)
	require.NoError(t, err)
	assert.Contains(t, string(server.Requests(contractserver.Widen)[0].Body),
		`"invited_user_ids":[3,"3",98765432109876543210,"8"]`)
}

func TestAnAnswerToTheCallThatTheSchemaRefusesIsRefused(t *testing.T) {
	for _, body := range []string{`{}`, `{"decision_id":"x"}`, `[]`, `{"decision_id":1,"widened_at":"2026-04-23T16:00:00Z"}`} {
		b, server := start(t)
		server.Misbehave(contractserver.Widen, contractserver.Order{Body: body})
		_, err := b.Widen(t.Context(), invitation())
		assert.ErrorContains(t, err, "cannot be read", body)
		assert.NotRegexp(t, "widen_endpoint_response[a-z]", err.Error(), "what is wrong stands apart from where it is")
	}
}

func TestAMissingSettingOfTheHTTPBackendIsNamed(t *testing.T) {
	_, err := New(config.Widen{Backend: config.WidenHTTP})
	assert.ErrorContains(t, err, "choicetui config set widen.base_url")
	_, err = New(config.Widen{BaseURL: "https://saas.example"})
	assert.ErrorContains(t, err, "choicetui config set widen.token_file")
}

func TestWhoGivesUpIsNotKept(t *testing.T) {
	b, server := start(t)
	server.Misbehave(contractserver.Audience, contractserver.Order{Delay: 2 * time.Second})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := b.Audience(ctx, "m")
	assert.ErrorIs(t, err, context.Canceled)
}

// process is one choicetui at a queue on disk: each has a store and a service of its own.
type process struct {
	*testing.T
	q    *queue.Queue
	team *widen.Service
}

func newProcess(t *testing.T, dir string, b *Backend) process {
	store, err := spool.Open(filepath.Join(dir, "queue"))
	require.NoError(t, err)
	q := queue.New(store)
	return process{t, q, widen.New(widen.Options{Queue: q, Backend: func() (widen.Backend, error) { return b, nil }})}
}

func (p process) ask(origin queue.Origin) queue.Session {
	s, err := p.q.Create(p.Context(), queue.Session{Origin: origin, Ask: queue.Ask{Kind: queue.KindChoice,
		Title: "Database", Prompt: "Choose.", TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "charter.db", Text: "Which database?", Mode: queue.ModeText}}}})
	require.NoError(p, err)
	return s
}

func TestAQuestionGoesToTheTeamAndComesBackDecidedAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	b, server := start(t)
	one, other := newProcess(t, dir, b), newProcess(t, dir, b)
	ctx := t.Context()
	release, err := one.q.Store.Announce(ctx, queue.Presence{Instance: "bridge", Role: queue.RoleBridge})
	require.NoError(t, err)
	defer release()
	asked := one.ask(queue.Origin{Dialect: "provide_choice", Cwd: "/home/me/shop", Instance: "bridge"})

	all, err := one.team.Audience(ctx, asked)
	require.NoError(t, err)
	kept, unknown := rules.Trim(all.Members, "carol lee, alice johnson, Eve")
	assert.Equal(t, []string{"Eve"}, unknown)
	s, err := one.team.Ask(ctx, asked.ID, rules.Call{Invited: kept}, rules.Actor{})
	require.NoError(t, err)
	assert.Equal(t, "Alice Johnson, Carol Lee", s.Widen.Names())
	_, err = one.team.Do(ctx, s.ID, queue.Regroup{State: queue.WidenParked}, rules.Actor{})
	require.NoError(t, err)
	assert.Equal(t, "shop", s.Widen.Mission)

	server.Say(s.Widen.Decision, "Alice Johnson", "PostgreSQL, and a plan")
	d, err := other.team.Discussion(ctx, s.ID)
	require.NoError(t, err)
	go one.sumUp(s.ID)
	candidate, err := other.team.Summarise(ctx, s.ID, d, rules.Actor{})
	require.NoError(t, err)
	assert.Equal(t, "PostgreSQL", candidate.Answer)

	answer, ok := rules.FinalAnswer(s.Ask, candidate.Answer)
	require.True(t, ok)
	verdict := queue.Settle{Answer: answer, Team: &queue.Resolution{Summary: queue.Summary{Text: candidate.Summary,
		Source: rules.Source("PostgreSQL", candidate.Answer)}}}
	_, err = other.team.Do(ctx, s.ID, verdict, rules.Actor{})
	require.NoError(t, err)
	_, err = one.team.Do(ctx, s.ID, verdict, rules.Actor{})
	assert.ErrorIs(t, err, queue.ErrSettled, "two who review the same question")
	other.team.Finish(ctx)
	assert.Zero(t, other.team.Untold(ctx))
	assert.Equal(t, contractserver.Resolve, server.Ended(s.Widen.Decision))
	assert.NoDirExists(t, filepath.Join(dir, "widen"), "nothing is kept beside the queue")
}

// sumUp is the agent: it fetches the discussion and gives a summary.
func (p process) sumUp(id string) {
	for p.Context().Err() == nil {
		s, err := p.q.Store.Get(p.Context(), id)
		if err == nil && s.SummaryWanted() != nil {
			request := s.SummaryWanted().ID
			_, err = p.q.Do(p.Context(), id, queue.Command{Do: queue.WriteSummary{ID: request}})
			assert.NoError(p, err)
			_, err = p.q.Do(p.Context(), id, queue.Command{Do: queue.GiveSummary{Request: request,
				Candidate: queue.Candidate{Summary: "All agree.", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}}})
			assert.NoError(p, err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWhateverTheServerDoesTheQuestionIsStillThereAndUnanswered(t *testing.T) {
	for name, order := range map[string]contractserver.Order{
		"401": {Status: 401}, "500": {Status: 500}, "half an answer": {Half: true}, "no answer": {Hang: true},
		"busy": {Status: 429, RetryAfter: "3600"}, "another answer": {Body: `{"decision_id": 7}`}, "slow": {Delay: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			b, server := start(t)
			p := newProcess(t, dir, b)
			asked := p.ask(queue.Origin{Dialect: queue.DialectInterview, Thread: "mission"})
			if order.Delay > 0 {
				order = contractserver.Order{Delay: 400 * time.Millisecond}
			}
			server.Misbehave(contractserver.Widen, order)
			call := rules.Call{Invited: []queue.Member{{UserID: "u1", Name: "Alice Johnson"}}}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := p.team.Ask(ctx, asked.ID, call, rules.Actor{})
			var f *widen.Failure
			require.True(t, errors.As(err, &f), "%v", err)
			assert.Regexp(t, `^[A-Z].*\.$`, err.Error(), "a sentence")
			s, err := p.q.Store.Get(t.Context(), asked.ID)
			require.NoError(t, err)
			assert.Nil(t, s.Outcome)
			assert.Nil(t, s.Widen)

			p = newProcess(t, dir, b) // after a crash
			s, err = p.team.Ask(t.Context(), asked.ID, call, rules.Actor{})
			require.NoError(t, err)
			requests := server.Requests(contractserver.Widen)
			assert.Equal(t, requests[0].Decision, requests[len(requests)-1].Decision, "the same decision")
			assert.Equal(t, "mission", s.Widen.Mission)
			assert.Equal(t, "charter.db", s.Widen.QuestionID)
		})
	}
}
