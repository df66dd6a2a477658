package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
)

func TestWhenAProcessBeganIsTakenFromTheNameOfThatProcessOnly(t *testing.T) {
	require.Equal(t, tmux.Agent{Pane: "%1", PID: 7, Started: "55"},
		agentOf(queue.Origin{Pane: "%1", PID: 7, Agent: "7-55"}))
	require.Equal(t, tmux.Agent{PID: 7}, agentOf(queue.Origin{PID: 7, Agent: "8-56"}),
		"8 is a bridge below a server of many agents")
}
