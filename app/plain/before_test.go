package plain

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func TestBeforeWritesWhatTheAgentWasDoing(t *testing.T) {
	asked := ""
	b := newBench(t, func(o *Options) {
		o.Before = func(_ context.Context, s queue.Session) (say.Before, error) {
			asked = s.ID
			return say.Before{Where: "claude\ntranscript", Lines: []say.BeforeLine{
				say.NewBeforeLine("✓ go test ./cart", 0), {}, {Text: "+one\x1b[2J\u202e", Sign: '+'},
				say.NewBeforeLine("Send SQLite to shop · claude? Enter sends", 0)}}, nil
		}
	})
	s := b.ask(database())
	b.types("2")
	for _, word := range []string{"before", "P"} {
		require.Equal(t, "Before \"Which database?\", from claude transcript:\n| ✓ go test ./cart\n"+
			"| +one<U+001B>[2J<U+202E>\n| Send SQLite to shop · claude? Enter sends\n", b.typesUntil(word, "Enter sends\n"), word)
		require.Equal(t, s.ID, asked)
	}
	require.True(t, b.get(s.ID).Pending())
	b.types("2", "")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Contains(t, b.types("before"), "Nothing is waiting", "its turn is over")
}

func TestBeforeSaysWhyThereIsNothingToWrite(t *testing.T) {
	b := newBench(t, func(o *Options) {
		o.Before = func(context.Context, queue.Session) (say.Before, error) {
			return say.Before{}, errors.New(say.BeforeElsewhere("build-7\x1b"))
		}
	})
	require.Contains(t, b.types("before"), "Nothing is waiting")
	b.ask(database())
	b.typesUntil("before", "It runs on build-7<U+001B>, and what it was doing can be read only there.\n")

	b = newBench(t, nil)
	b.ask(database())
	require.True(t, strings.HasSuffix(b.types("before"), "No record of what the agent was doing.\n"))
}
