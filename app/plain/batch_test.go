package plain

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
)

// askAlike asks for approvals of commands by the same tool in the same directory.
func (b *bench) askAlike(commands ...string) (list []queue.Session) {
	b.t.Helper()
	for i, command := range commands {
		a := roomtest.ApproveTest()
		a.Approval.Parts[0].Text = command
		s := roomtest.Create(b.t, b.o.Queue, a, queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop",
			Dialect: queue.DialectNative, Source: fmt.Sprint("claude:t1/", i)})
		b.Clock.Pass(time.Millisecond)
		b.settle()
		list = append(list, s)
	}
	b.wait(desk.Settle)
	return list
}

// took returns the option that was sent; empty: none.
func (b *bench) took(s queue.Session) string {
	o := b.get(s.ID).Outcome
	if o == nil || len(o.Answer.Replies) == 0 {
		return ""
	}
	return o.Answer.Replies[0].Selected[0]
}

func TestSimilarApprovalsAreListedAndSentTogether(t *testing.T) {
	b := newBench(t, nil)
	list := b.askAlike("npm test", "go test ./...", "make lint", "cat <<EOF\n1\n2\n3\nEOF", "go vet\ngo build")
	b.news()
	said := b.types("similar")
	require.Contains(t, said, "5 commands that are alike:\n  1: npm test\n  2: go test ./...\n  3: make lint\n"+
		"  4: cat <<EOF … (4 more lines: answer it on its own)\n  5: go vet\n     | go build\n")
	require.Contains(t, said, "Type all to mark all that can be, or their numbers, such as 1 2; no leaves the list.\n")
	b.wait(desk.Settle)
	require.Contains(t, b.types("1, 3"), "Allow 1, 3? Press Enter to send, or no to leave the list.\n")
	require.Contains(t, b.types("4"), "Not all of that request was on screen yet.\n")
	require.Contains(t, b.types("2 3"), "Allow 2, 3? Press Enter")
	require.Contains(t, b.types("all"), "Allow 1, 2, 3, 5? Press Enter")
	require.Equal(t, make([]string, 5), b.tookAll(list), "nothing is sent before")
	require.Contains(t, b.types(""), "Sent: 4 allowed.\n")
	require.Equal(t, []string{"once", "once", "once", "", "once"}, b.tookAll(list))
}

// tookAll returns what was sent to each.
func (b *bench) tookAll(list []queue.Session) (all []string) {
	for _, s := range list {
		all = append(all, b.took(s))
	}
	return all
}

func TestSimilarApprovalsAreLeftWithoutSendingAnything(t *testing.T) {
	for _, lines := range [][]string{{"no"}, {"all", "no"}, {"all", "list"}, {"all", "allow it"},
		{"1", "next"}} {
		b := newBench(t, nil)
		list := b.askAlike("npm test", "ls")
		b.types("similar")
		b.wait(desk.Settle)
		require.Contains(t, b.types(lines...), "Nothing was sent.\n", lines)
		require.False(t, b.view.Batch.On())
		b.types("yes", "")
		require.Equal(t, []string{"", ""}, b.tookAll(list))
	}
}

func TestEnterWithNothingMarkedInTheListSendsNothing(t *testing.T) {
	b := newBench(t, nil)
	list := b.askAlike("npm test", "ls")
	b.types("similar")
	b.wait(desk.Settle)
	require.Contains(t, b.types(""), "No request is marked.\n")
	require.True(t, b.view.Batch.On())
	b.types("all", "yes")
	require.Equal(t, []string{"once", "once"}, b.tookAll(list))
}

func TestWithoutASimilarApprovalLinesSaySo(t *testing.T) {
	b := newBench(t, nil)
	b.askAlike("npm test")
	require.Contains(t, b.types("similar"), "This agent has no other requests that can be allowed together with this one.\n")
}

func TestSimilarApprovalsAreNotSentByLinesThatNobodyTypes(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Typed = false })
	list := b.askAlike("npm test", "ls")
	b.types("similar")
	b.wait(desk.Settle)
	b.types("all")
	require.Contains(t, b.types(""), "Nothing was sent; only a person at a terminal may decide an approval.\n")
	require.True(t, b.get(list[0].ID).Pending())
	require.True(t, b.get(list[1].ID).Pending())
}

// pocket is a rulebook that keeps rules in memory.
type pocket struct{ list []rules.Rule }

func (p *pocket) Rules() ([]rules.Rule, error)    { return p.list, nil }
func (p *pocket) Real(dir string) (string, error) { return dir, nil }
func (p *pocket) Add(r rules.Rule) error          { p.list = append(p.list, r); return nil }

func TestTheOfferOfARuleForOneSessionSaysSo(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	r := rules.Rule{Client: "codex", Dir: "/src", Tool: "Bash", Text: "npm test", Until: now.Add(time.Hour)}
	require.Equal(t, "Allow Bash: npm test, in /src, for codex, until 15:02:00"+orLeavesIt, asksRule(r, "", now))
	r.Thread = "t1"
	require.Equal(t, "Allow Bash: npm test, in /src, for the rest of this codex session, at most until 15:02:00"+
		orLeavesIt, asksRule(r, "", now))
}

func TestLinesMakeARuleOnceEnterAgrees(t *testing.T) {
	for _, agrees := range []bool{true, false} {
		p := &pocket{}
		b := newBench(t, func(o *Options) { o.Rules = p })
		s := b.askAlike("npm test")[0]
		b.wait(desk.Settle)
		b.news()
		require.Contains(t, b.types("rule"), "Allow Bash: npm test, in ")
		require.True(t, b.get(s.ID).Pending())
		if !agrees {
			b.types("no")
		}
		b.types("")
		require.Equal(t, agrees, b.took(s) == "once")
		require.Equal(t, agrees, len(p.list) == 1)
	}
}

func TestLinesThatNobodyTypesMakeNoRule(t *testing.T) {
	p := &pocket{}
	b := newBench(t, func(o *Options) { o.Rules, o.Typed = p, false })
	s := b.askAlike("npm test")[0]
	b.wait(desk.Settle)
	require.Contains(t, b.types("rule", ""), "Nothing was sent; only a person at a terminal may decide an approval.\n")
	require.True(t, b.get(s.ID).Pending())
	require.Empty(t, p.list)
}

func TestLinesSayWhyNoRuleIsMade(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	require.NotContains(t, b.types("rule"), "Allow ")
	require.Equal(t, asksNothing, b.answer.asked)
}
