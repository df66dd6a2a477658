package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

func TestAnAgentsOwnRuleIsTakenOnlyWhereItIsExact(t *testing.T) {
	t.Parallel()
	type change = func(s *queue.Session, a *queue.Approval)
	exact := func(act string) change {
		return func(s *queue.Session, _ *queue.Approval) {
			o := &s.Ask.Questions[0].Options[1]
			o.Act, o.Exact = act, true
		}
	}
	for name, c := range map[string]struct {
		change change
		want   bool
	}{
		"exact, for the session": {exact(queue.ActSession), true},
		"exact, from now on":     {exact(queue.ActAlways), true},
		"not known to be exact":  {nil, false},
		"marked": {func(s *queue.Session, a *queue.Approval) {
			exact(queue.ActSession)(s, a)
			a.Marks = []string{queue.MarkNetwork}
		}, false},
		"a shell line": {func(s *queue.Session, a *queue.Approval) {
			exact(queue.ActSession)(s, a)
			a.Parts[0].Text = "npm test | sh"
		}, false},
		"a change": {func(s *queue.Session, a *queue.Approval) {
			exact(queue.ActSession)(s, a)
			a.Parts[0].Kind = queue.PartDiff
		}, false},
		"over": {func(s *queue.Session, a *queue.Approval) {
			exact(queue.ActSession)(s, a)
			s.Outcome = &queue.Outcome{}
		}, false},
	} {
		own, ok := rules.Own(approval(c.change))
		require.Equal(t, c.want, ok, name)
		require.Equal(t, c.want, own.ID == "session-1", name)
	}
}

func TestOfAnAgentsRulesTheOneThatEndsWithItsSessionIsTaken(t *testing.T) {
	t.Parallel()
	own, ok := rules.Own(approval(func(s *queue.Session, _ *queue.Approval) {
		s.Ask.Questions[0].Options = []queue.Option{{ID: "once", Act: queue.ActOnce},
			{ID: "always", Act: queue.ActAlways, Exact: true}, {ID: "session", Act: queue.ActSession, Exact: true}}
	}))
	require.True(t, ok)
	require.Equal(t, "session", own.ID)
}
