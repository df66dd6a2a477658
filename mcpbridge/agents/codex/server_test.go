package codex

import (
	"errors"
	"fmt"
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/queue"
	"github.com/stretchr/testify/require"
)

func TestWhatCodexRefusesIsSaidInWords(t *testing.T) {
	for want, err := range map[string]error{
		"its Codex server does not answer on its socket":     fmt.Errorf("%w: gone", socket.ErrNoServer),
		"its Codex session is no longer open":                socket.ErrNotLoaded,
		"its Codex session works in another directory now":   fmt.Errorf("%w: /x", socket.ErrElsewhere),
		"its Codex session accepts no messages from outside": socket.ErrDeaf,
		"Codex did not take it: no such thread":              &socket.Refused{Message: "no such thread", Code: -32600},
		"failed to hear from Codex: it hung up":              &queue.Doubt{Err: errors.New("failed to hear from Codex: it hung up")},
		"failed to find the home of Codex: nobody has told":  errors.New("failed to find the home of Codex: nobody has told"),
	} {
		said := inWords(err)
		require.EqualError(t, said, want)
		require.ErrorIs(t, said, err)
	}
	require.NoError(t, inWords(nil))
}
