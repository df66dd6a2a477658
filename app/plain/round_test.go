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

func TestSimilarApprovalsAreGoneThroughOneByOneAndSentTogether(t *testing.T) {
	b := newBench(t, nil)
	list := b.askAlike("npm test", "go test ./...", "make lint")
	b.news()
	said := b.types("similar")
	require.Contains(t, said, "1 of 3 similar requests. All are sent together at the end; type no to leave them.\n")
	require.Contains(t, b.types("allow"), "Mark Allow once? Enter marks it and goes to 2 of 3.\n")
	said = b.types("")
	require.Contains(t, said, "| go test ./...\n")
	require.Contains(t, said, "2 of 3 similar requests.")
	require.Contains(t, b.types("refuse use make"), "Enter marks it and goes to 3 of 3.\n")
	b.types("")
	require.Contains(t, b.types("allow"), "Enter marks it and goes to the review of all 3 approvals.\n")
	said = b.types("")
	require.Contains(t, said, "Send as a batch:\n  1: npm test: Allow once\n  2: go test ./...: Refuse")
	require.Contains(t, said, "Send 2 allowed, 1 refused? Press Enter to send them, type a number to go back to one, or no to leave them.\n")
	for _, s := range list {
		require.True(t, b.get(s.ID).Pending(), "nothing is sent before the last")
	}
	require.Contains(t, b.types("2"), "| go test ./...\n")
	b.types("allow")
	require.Contains(t, b.types(""), "Send 3 allowed?")
	require.Contains(t, b.types(""), "Sent: 3 allowed.\n")
	for _, s := range list {
		require.Equal(t, "once", b.took(s))
	}
}

func TestSimilarApprovalsAreLeftWithoutSendingAnything(t *testing.T) {
	for _, lines := range [][]string{{"no"}, {"allow", "", "allow", "", "no"}, {"allow", "", "allow", "", "list"}} {
		b := newBench(t, nil)
		list := b.askAlike("npm test", "ls")
		b.types("similar")
		require.Contains(t, b.types(lines...), "Nothing was sent; your choices are kept.\n", lines)
		require.False(t, b.view.Round.On())
		b.types("yes")
		require.True(t, b.get(list[0].ID).Pending())
		require.True(t, b.get(list[1].ID).Pending())
	}
}

func TestNextAndPreviousStayAmongSimilarApprovals(t *testing.T) {
	b := newBench(t, nil)
	b.askAlike("npm test", "ls")
	b.types("similar")
	require.Contains(t, b.types("previous"), "This is the first of the similar ones.\n")
	require.Contains(t, b.types("next"), "2 of 2 similar requests.")
	require.Contains(t, b.types("next"), "No request was both marked and shown in full. A number goes back to one")
	b.types("")
	require.False(t, b.view.Round.On())
}

func TestWithoutASimilarApprovalLinesSaySo(t *testing.T) {
	b := newBench(t, nil)
	b.askAlike("npm test")
	require.Contains(t, b.types("similar"), "This agent has no similar request pending.\n")
}

func TestSimilarApprovalsAreNotSentByLinesThatNobodyTypes(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Typed = false })
	list := b.askAlike("npm test", "ls")
	b.types("similar", "allow", "", "allow", "")
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
