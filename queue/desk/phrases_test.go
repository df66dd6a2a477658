package desk

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func TestPhrases_KeepsThePersonsLastWordsOfEachKind(t *testing.T) {
	var p Phrases
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	cancel := func(reason string, change func(*queue.Outcome)) {
		at = at.Add(time.Minute)
		o := queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Reason: reason, At: at}
		if change != nil {
			change(&o)
		}
		p.addSession(queue.Session{Outcome: &o}, "")
	}
	cancel("after the release", nil)
	cancel("ask Ana", nil)
	cancel("after the release", nil)
	cancel("more than one\nline", nil)
	cancel("", nil)
	cancel("its caller went away", func(o *queue.Outcome) { o.By = queue.ByCaller })
	cancel("of somebody else", func(o *queue.Outcome) { o.Person = "bob" })
	cancel("of an agent with a link", func(o *queue.Outcome) { o.Given = "codex" })
	cancel("how long it takes", func(o *queue.Outcome) { o.ReasonCode = queue.ReasonMoreDetail })
	always := []string{"not now"}
	require.Equal(t, []string{"after the release", "ask Ana", "not now"}, p.For(form.FieldReason, always))
	require.Equal(t, []string{"how long it takes"}, p.For(form.FieldDetail, nil))
	require.Equal(t, always, p.For(form.FieldRefusal, always))
	cancel("not now", nil)
	cancel("three", nil)
	cancel("four", nil)
	require.Equal(t, []string{"four", "three", "not now"}, p.For(form.FieldReason, always), "each once, the last three")
}

func TestPhrases_KeepsTheWordsOfARefusal(t *testing.T) {
	var p Phrases
	s := queue.Session{Ask: queue.Ask{Kind: queue.KindApproval, Questions: []queue.Question{{ID: "q", Options: []queue.Option{
		{ID: "once", Act: queue.ActOnce}, {ID: "refuse", Act: queue.ActRefuse}}}}}}
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: queue.Answer{Replies: []queue.Reply{
		{Question: "q", Selected: []string{"refuse"}, Notes: map[string]string{"refuse": "use the staging key"}}}}}
	p.addSession(s, "")
	require.Equal(t, []string{"use the staging key"}, p.For(form.FieldRefusal, nil))
}
