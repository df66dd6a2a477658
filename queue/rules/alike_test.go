package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

func TestAlikeIsTheSameAgentToolAndDirectory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(s *queue.Session, a *queue.Approval)
		want   bool
	}{
		"another command":        {func(_ *queue.Session, a *queue.Approval) { a.Parts[0].Text = "ls" }, true},
		"another session":        {func(s *queue.Session, _ *queue.Approval) { s.Origin.Thread = "t2" }, true},
		"the same directory":     {func(_ *queue.Session, a *queue.Approval) { a.Dir += "/." }, true},
		"another tool":           {func(_ *queue.Session, a *queue.Approval) { a.Tool = "Edit" }, false},
		"another agent":          {func(s *queue.Session, _ *queue.Approval) { s.Origin.Client = "codex" }, false},
		"another directory":      {func(_ *queue.Session, a *queue.Approval) { a.Dir += "/web" }, false},
		"no directory":           {func(_ *queue.Session, a *queue.Approval) { a.Dir = "" }, false},
		"not asked by the agent": {func(s *queue.Session, _ *queue.Approval) { s.Origin.Source = "" }, false},
		"a question":             {func(s *queue.Session, _ *queue.Approval) { s.Ask.Kind = queue.KindChoice }, false},
		"a plain approval":       {func(s *queue.Session, _ *queue.Approval) { s.Ask.Approval = nil }, false},
	} {
		require.Equal(t, c.want, rules.Alike(approval(nil), later(c.change)), name)
		require.Equal(t, c.want, rules.Alike(later(c.change), approval(nil)), name)
	}
}

func TestWhatIsMarkedOrAsksSeveralThingsIsNotPlain(t *testing.T) {
	t.Parallel()
	require.True(t, rules.Plain(approval(nil)))
	for name, change := range map[string]func(s *queue.Session, a *queue.Approval){
		"marked":          func(_ *queue.Session, a *queue.Approval) { a.Marks = []string{queue.MarkOutside} },
		"to be confirmed": func(s *queue.Session, _ *queue.Approval) { s.Ask.Confirm = true },
		"a form": func(s *queue.Session, _ *queue.Approval) {
			s.Ask.Questions = append(s.Ask.Questions, s.Ask.Questions[0])
		},
		"several rows": func(s *queue.Session, _ *queue.Approval) { s.Ask.Questions[0].Mode = queue.ModeMulti },
	} {
		require.False(t, rules.Plain(approval(change)), name)
	}
}
