package roomtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// SettledSpool returns a queue on disk with n archived sessions, a minute apart, of the kinds that agents ask and with
// the endings that they have. The word needle is in every 25,000th, for tests of the search.
func SettledSpool(b testing.TB, n int) *queue.Queue {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "queue")
	for _, sub := range []string{"live", "drafts", "done", "present", "tmp"} {
		require.NoError(b, os.MkdirAll(filepath.Join(dir, sub), 0o700))
	}
	kinds, months := pastOfEachKind(b), map[string]bool{}
	for i := range n {
		s := askedAgain(kinds[i%len(kinds)], Noon.Add(-time.Duration(n-i)*time.Minute))
		if i%25_000 == 0 {
			s.Ask.Prompt += " A needle."
		}
		raw, err := queue.EncodeSession(s)
		require.NoError(b, err)
		at := s.SettledAt()
		month := filepath.Join(dir, "done", at.UTC().Format("2006-01"))
		if !months[month] {
			require.NoError(b, os.MkdirAll(month, 0o700))
			months[month] = true
		}
		name := fmt.Sprintf("%013d-%s.json", at.UnixMilli(), s.ID)
		require.NoError(b, os.WriteFile(filepath.Join(month, name), raw, 0o600))
	}
	time.Sleep(4 * time.Second) // so that no directory was changed a moment ago
	store, err := spool.Open(dir)
	require.NoError(b, err)
	q := queue.New(store)
	q.Now = func() time.Time { return Noon }
	return q
}

// pastOfEachKind returns settled sessions as the queue stores them: questions, forms and approvals of several agents,
// most of them answered.
func pastOfEachKind(t testing.TB) (past []queue.Session) {
	q := queue.New(storetest.NewMemory())
	q.Now = func() time.Time { return Noon }
	reply := func(question string, options ...string) queue.Reply {
		return queue.Reply{Question: question, Selected: options}
	}
	answer := func(replies ...queue.Reply) queue.Action {
		return queue.Settle{Answer: queue.Answer{Replies: replies}, Confirmed: true}
	}
	noted := Chose("pg")
	noted.Replies[0].Notes = map[string]string{"pg": "only the managed offering"}
	noted.Comment = "ship on Friday"
	for _, p := range []struct {
		ask  queue.Ask
		from queue.Origin
		took time.Duration
		do   queue.Action
	}{
		{Database(), Shop(), 9 * time.Second, queue.Settle{Answer: noted}},
		{ApproveTest(), Shop(), 2 * time.Second, answer(reply("approval", "once"))},
		{Endpoints(), Infra(), 48 * time.Second, answer(reply("q1", "POST /checkout", "POST /login"))},
		{ApproveDiff(), Shop(), 21 * time.Second, answer(reply("approval", "once"))},
		{AuthRework(), Web(), 95 * time.Second, answer(reply("q1", "pg"), reply("q2", "argon"), reply("q3", "ten"))},
		{ApproveCommand(), Infra(), 7 * time.Second, answer(reply("approval", "refuse"))},
		{Marked(), Web(), 64 * time.Second, queue.Cancel{Reason: "not before the audit is over"}},
		{DropTable(), Shop(), 12 * time.Second, answer(reply("choice", "no"))},
		{Small("Which cache database?", 300), Web(), 301 * time.Second, queue.TimeOut{}},
		{Migration(), Infra(), 140 * time.Second, answer(reply("q1", "night"))},
	} {
		past = append(past, Past(t, q, 0, p.ask, p.from, p.took, p.do, archived))
	}
	return past
}

// askedAgain returns a session as if it had been settled at the given time, under an id of its own.
func askedAgain(s queue.Session, at time.Time) queue.Session {
	by := at.Sub(s.SettledAt())
	ended := *s.Outcome
	s.ID, s.Outcome, s.Events = queue.NewID(), &ended, slices.Clone(s.Events)
	for _, t := range []*time.Time{&s.AskedAt, &s.Deadline, &s.CountdownFrom, &ended.At} {
		*t = t.Add(by)
	}
	for i := range s.Events {
		s.Events[i].At = s.Events[i].At.Add(by)
	}
	return s
}
