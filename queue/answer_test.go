package queue_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func reply(text string, ids ...string) queue.Reply {
	return queue.Reply{Question: "db", Text: text, Selected: ids}
}

func TestEachModeTakesItsAnswersOnly(t *testing.T) {
	t.Parallel()
	mode := func(mode string, least, most int) queue.Question {
		q := ask(nil).Questions[0]
		q.Mode, q.Min, q.Max, q.Defaults = mode, least, most, nil
		if mode == queue.ModeText {
			q.Options = nil
		}
		return q
	}
	single, multi, two := mode(queue.ModeSingle, 1, 1), mode(queue.ModeMulti, 1, 3), mode(queue.ModeMulti, 2, 2)
	none := mode(queue.ModeMulti, 0, 3)
	hybrid, radio, text := mode(queue.ModeHybrid, 0, 3), mode(queue.ModeHybrid, 0, 1), mode(queue.ModeText, 0, 0)
	least := mode(queue.ModeHybrid, 2, 3)
	for name, c := range map[string]struct {
		q  queue.Question
		r  queue.Reply
		ok bool
	}{
		"single one":                      {single, reply("", "a"), true},
		"single none":                     {single, reply(""), false},
		"single two":                      {single, reply("", "a", "b"), false},
		"single text":                     {single, reply("mine"), false},
		"single with text":                {single, reply("mine", "a"), false},
		"multi one":                       {multi, reply("", "c"), true},
		"multi all":                       {multi, reply("", "a", "b", "c"), true},
		"multi none":                      {multi, reply(""), false},
		"multi unknown":                   {multi, reply("", "x"), false},
		"multi twice the same":            {multi, reply("", "a", "a"), false},
		"two of two":                      {two, reply("", "a", "b"), true},
		"one of two":                      {two, reply("", "a"), false},
		"three of two":                    {two, reply("", "a", "b", "c"), false},
		"none where none is right":        {none, reply(""), true},
		"hybrid option":                   {hybrid, reply("", "a"), true},
		"hybrid text":                     {hybrid, reply("mine"), true},
		"hybrid both":                     {hybrid, reply("mine", "a", "b"), true},
		"hybrid neither":                  {hybrid, reply(" \n\u200b"), false},
		"hybrid radio option":             {radio, reply("", "a"), true},
		"hybrid radio text":               {radio, reply("mine"), true},
		"hybrid radio both":               {radio, reply("mine", "a"), false},
		"hybrid radio two":                {radio, reply("", "a", "b"), false},
		"text never counts towards min":   {least, reply("mine", "a"), false},
		"min of a hybrid holds with text": {least, reply("mine", "a", "b"), true},
		"text":                            {text, reply("mine"), true},
		"blank text is no answer":         {text, reply("\t\u3000\u200d"), false},
		"text with options":               {text, reply("mine", "a"), false},
		"text too long":                   {text, reply(strings.Repeat("x", queue.MaxPromptBytes+1)), false},
		"text of broken UTF-8":            {text, reply("a\xff"), false},
	} {
		t.Run(name, func(t *testing.T) {
			problems := c.q.Check(c.r)
			require.Equal(t, c.ok, len(problems) == 0, "%v", problems)
		})
	}
}

func TestAnAcceptedAnswerIsInNormalForm(t *testing.T) {
	t.Parallel()
	a := ask(func(a *queue.Ask, q *queue.Question) {
		q.Mode, q.Max = queue.ModeMulti, 3
		second := *q
		second.ID = "cache"
		a.Questions = append(a.Questions, second)
	})
	got, err := a.Accept(queue.Answer{Comment: " ", Replies: []queue.Reply{
		{Question: "cache", Selected: []string{"c", "a"}, Text: "  ", Notes: map[string]string{"a": "why", "b": " "}},
		{Question: "db", Selected: []string{"b"}},
	}})
	require.NoError(t, err)
	require.Equal(t, queue.Answer{Replies: []queue.Reply{
		{Question: "db", Selected: []string{"b"}},
		{Question: "cache", Selected: []string{"a", "c"}, Notes: map[string]string{"a": "why"}},
	}}, got, "replies in the order of the questions, ids in the order of the options, nothing blank")
	again, err := a.Accept(got)
	require.NoError(t, err)
	require.Equal(t, got, again)
}

func TestAnAnswerToOtherQuestionsIsRefused(t *testing.T) {
	t.Parallel()
	var invalid *queue.Invalid
	_, err := ask(nil).Accept(queue.Answer{Replies: []queue.Reply{reply("", "a"), {Question: "x"}, reply("", "b")}})
	require.ErrorAs(t, err, &invalid)
	require.Contains(t, err.Error(), "replies[1].question")
	require.Contains(t, err.Error(), "replies[2].question")
	_, err = ask(nil).Accept(queue.Answer{})
	require.ErrorAs(t, err, &invalid, "an open question is no answer")
}

func TestNotesAreTakenWhereAnnotationsAreOn(t *testing.T) {
	t.Parallel()
	off := ask(func(a *queue.Ask, q *queue.Question) {
		a.Comment = "the caller's"
		q.Annotate, q.Options[0].Note = false, "the caller's"
	})
	start := queue.StartAnswer(off)
	require.Equal(t, []string{"b"}, start.Replies[0].Selected)
	got, err := off.Accept(start)
	require.NoError(t, err, "what the caller attached passes")
	require.Equal(t, "the caller's", got.Replies[0].Notes["a"])
	require.Equal(t, "the caller's", got.Comment)

	mine := queue.Answer{Comment: "mine", Replies: []queue.Reply{{Question: "db", Selected: []string{"a"}, Notes: map[string]string{"a": "mine", "x": "?"}}}}
	_, err = off.Accept(mine)
	require.Error(t, err)
	require.Contains(t, err.Error(), "annotations are off for this ask")
	require.Contains(t, err.Error(), "annotations are off for this question")
	require.Contains(t, err.Error(), "belongs to no option")
	delete(mine.Replies[0].Notes, "x")
	_, err = ask(nil).Accept(mine)
	require.NoError(t, err)
}

func TestBlankIsWhatNobodyCanSee(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " ", "\t\n\r", "\u200b", "\u3164", "\u2800", "\u00ad", "\ufeff", "\u3000\u00a0"} {
		require.True(t, queue.Blank(s), "%q", s)
	}
	for _, s := range []string{".", "0", "é", "日", "\u200bx"} {
		require.False(t, queue.Blank(s), "%q", s)
	}
}
