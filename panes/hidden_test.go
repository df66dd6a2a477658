package panes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// session is a session of claude with one question of options a, b and c, labelled A, B and C.
func session(change func(*queue.Session)) queue.Session {
	s := queue.Session{ID: "s", Origin: queue.Origin{Client: "claude-code"}, Ask: queue.Ask{Kind: queue.KindChoice, Title: "T",
		Questions: []queue.Question{abc("q1")}}}
	if change != nil {
		change(&s)
	}
	return s
}

func abc(id string) queue.Question {
	return queue.Question{ID: id, Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
		{ID: "a", Label: "A"}, {ID: "b", Label: "B"}, {ID: "c", Label: "C"}}}
}

func hiding(ids ...string) (list []config.HiddenOption) {
	for _, id := range ids {
		list = append(list, config.HiddenOption{Client: "claude-code", ID: id, Label: string(rune(id[0] - 32))})
	}
	return list
}

func TestOnlyTheSameClientIDAndLabelIsHidden(t *testing.T) {
	require.Equal(t, Hidden{"q1": {"b": true}}, HiddenIn(session(nil), hiding("b")))
	for name, h := range map[string]config.HiddenOption{
		"client": {Client: "codex", ID: "b", Label: "B"},
		"id":     {Client: "claude-code", ID: "B", Label: "B"},
		"label":  {Client: "claude-code", ID: "b", Label: "B."},
	} {
		require.Empty(t, HiddenIn(session(nil), []config.HiddenOption{h}), name)
	}
}

func TestNothingIsHiddenInConfirmationsAndApprovals(t *testing.T) {
	for name, change := range map[string]func(*queue.Session){
		"confirmation": func(s *queue.Session) { s.Ask.Confirm = true },
		"approval":     func(s *queue.Session) { s.Ask.Kind = queue.KindApproval },
	} {
		s := session(change)
		require.Empty(t, HiddenIn(s, hiding("b")), name)
		f := NewForm(s, nil, nil)
		_, may := f.MayHide()
		require.False(t, may, name)
		require.Equal(t, "nothing is hidden in an approval", f.Note)
	}
}

func TestNeverAllOptionsAreHiddenNorSoManyThatTheMinimumCannotBeMet(t *testing.T) {
	require.Equal(t, Hidden{"q1": {"a": true, "b": true}}, HiddenIn(session(nil), hiding("a", "b", "c")))
	two := func(s *queue.Session) {
		q := &s.Ask.Questions[0]
		q.Mode, q.Min, q.Max = queue.ModeMulti, 2, 3
	}
	require.Equal(t, Hidden{"q1": {"a": true}}, HiddenIn(session(two), hiding("a", "b", "c")))
	none := func(s *queue.Session) {
		q := &s.Ask.Questions[0]
		q.Mode, q.Min, q.Max = queue.ModeMulti, 0, 3
	}
	require.Len(t, HiddenIn(session(none), hiding("a", "b", "c"))["q1"], 2, "the last one stays, wanted or not")
	for _, c := range []struct {
		s      queue.Session
		hidden []string
	}{{session(nil), []string{"a", "b"}}, {session(two), []string{"a"}}, {session(none), []string{"a", "b"}}} {
		f := NewForm(c.s, HiddenIn(c.s, hiding(c.hidden...)), nil)
		f.Ends(true)
		_, may := f.MayHide()
		require.False(t, may)
		require.Equal(t, "the last options an answer needs are never hidden", f.Note)
	}
	f := NewForm(session(nil), HiddenIn(session(nil), hiding("a")), nil)
	_, may := f.MayHide()
	require.True(t, may)
}

func TestEveryQuestionOfAFormHidesItsOwnOptions(t *testing.T) {
	s := session(func(s *queue.Session) {
		s.Ask.Questions = append(s.Ask.Questions, abc("q2"), abc("q3"))
		s.Ask.Questions[1].Options[1].Label = "another B"
		s.Ask.Questions[2].Mode, s.Ask.Questions[2].Min, s.Ask.Questions[2].Max = queue.ModeMulti, 3, 3
	})
	hidden := HiddenIn(s, hiding("b"))
	require.Equal(t, Hidden{"q1": {"b": true}}, hidden, "not under another label, nor below a minimum")
	f := NewForm(s, hidden, nil)
	require.Equal(t, []int{0, 2}, f.rows)
	f.Tab(1)
	require.Equal(t, []int{0, 1, 2}, f.rows)
	f.Move(1)
	_, may := f.MayHide()
	require.True(t, may)
	f.Tab(1)
	_, may = f.MayHide()
	require.False(t, may)
}

func TestTheCursorStaysOnItsOptionWhileAnotherQuestionIsOnScreen(t *testing.T) {
	s := session(func(s *queue.Session) { s.Ask.Questions = append(s.Ask.Questions, abc("q2")) })
	f := NewForm(s, nil, nil)
	f.Ends(true)
	f.Tab(1)
	f.SetHidden(HiddenIn(s, hiding("a")))
	f.Tab(-1)
	o, _ := f.current()
	require.Equal(t, "c", o.ID)
	f.Tab(2)
	require.True(t, f.Reviewing())
	f.Move(1)
	f.SetHidden(HiddenIn(s, hiding("c")))
	require.Equal(t, 1, f.cursor, "of the review")
	f.Tab(-2)
	o, _ = f.current()
	require.Equal(t, "b", o.ID, "the one that took its place")
	require.Equal(t, []string{"b"}, f.reply.Selected, "and the dot with it")
}
