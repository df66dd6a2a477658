package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/before"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/queue"
)

func TestATurnEndsWithItsLastWordsAndALineThatSumsItUp(t *testing.T) {
	failed := 1
	turn := before.Turn{Words: []string{"I look at the carts.", "Payments need a store."},
		Plan: []before.Step{{Text: "carts", State: before.Done}, {Text: "payments", State: before.Current}},
		Deeds: []before.Deed{{Kind: before.Command, Text: "go test ./cart"},
			{Kind: before.Edit, Text: "cart/store.go", Added: 1, Removed: 1, Diff: "-a\n+b\n"},
			{Kind: before.Command, Text: "go vet", Exit: &failed, Failed: true}}}
	require.Equal(t, "✓ 1. carts\n▸ 2. payments\n\n✓ go test ./cart\n✎ cart/store.go +1 −1\n-a\n+b\n\n✗ go vet (exit 1)\n\n"+
		"I look at the carts.\n“Payments need a store.”\n"+
		"✓ go test ./cart   ✎ cart/store.go +1 −1   ✗ go vet (exit 1)   ▸ plan 2 of 2: payments", turnText(turn))
	require.Empty(t, turnText(before.Turn{}))
}

func TestATranscriptIsReadOnlyWhereTheSessionIsKnownForCertain(t *testing.T) {
	for _, c := range []struct {
		o    queue.Origin
		want bool
	}{
		{queue.Origin{Client: "claude-code", Cwd: "/src/shop"}, false},
		{queue.Origin{Client: "claude-code", Cwd: "/src/shop", ToolUse: "toolu_1"}, true},
		{queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "5f0c"}, true},
		{queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "5f0c", Subagent: "reviewer"}, false},
		{queue.Origin{Client: "codex-mcp-client", Thread: "01a2000d-938f-77a0-9c03-595a8ce1966f"}, true},
	} {
		_, ok := transcriptOf(c.o)
		require.Equal(t, c.want, ok, "%+v", c.o)
	}
}

func TestWithoutATranscriptThePaneIsShown(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	pane := func(context.Context, queue.Origin, peek.Shot) (peek.Shot, error) {
		return peek.Shot{Pane: "%3", Where: "tmux 2:1", Text: "$ make"}, nil
	}
	o := queue.Origin{Client: "claude-code", Cwd: "/src/shop", ToolUse: "toolu_1"}
	shot, err := lookBefore(pane)(t.Context(), o, peek.Shot{})
	require.NoError(t, err)
	require.Equal(t, "$ make", shot.Text)
	shot, err = lookBefore(nil)(t.Context(), o, peek.Shot{})
	require.NoError(t, err)
	require.Empty(t, shot.Text, "the agent may write its transcript a moment later")
	gone := errors.New("it is gone")
	failing := func(context.Context, queue.Origin, peek.Shot) (peek.Shot, error) { return peek.Shot{}, gone }
	_, err = lookBefore(failing)(t.Context(), o, peek.Shot{})
	require.ErrorIs(t, err, gone)
}
