package claude

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/stretchr/testify/require"
)

func TestAHookThatTheAgentEndsIsAnInterruptionUnlessItsDialogWasAnswered(t *testing.T) {
	const touch = `{"command":"touch made"}`
	for name, c := range map[string]struct {
		content string
		dialog  bool
		status  string
	}{
		"a question":                    {"", false, "interrupted in claude"},
		"Esc in the dialog":             {refused, true, "interrupted in claude"},
		"answered":                      {"done", true, "answered in claude"},
		"nothing is said of the dialog": {"", true, "interrupted in claude"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := writtenFile{t, filepath.Join(t.TempDir(), "s.jsonl")}
			file.write(uses("1", "Bash", touch))
			asked := asking(t)
			asked.Origin.Subagent = "reviewer"
			if c.dialog {
				asked.Dialog = asks(t, file.path, "Bash", touch, "")
			}
			in, q := agenttest.Intake(t, storetest.NewMemory())
			ctx, ends := context.WithCancelCause(t.Context())
			s, _, err := in.Await(ctx, asked, func(context.Context) error {
				if c.content != "" {
					file.write(gives("1", c.content))
				}
				ends(prompt.ErrInterrupted)
				return nil
			})
			require.ErrorIs(t, err, prompt.ErrInterrupted)
			s, err = q.Store.Get(t.Context(), s.ID)
			require.NoError(t, err)
			require.Equal(t, c.status, s.Summary())
			require.Equal(t, c.dialog, s.Ask.NoClock)
			require.Equal(t, "reviewer", s.Origin.Subagent)
		})
	}
}

func TestOfCallsThatAreAlikeOneIsOverOnceTheNextIsAskedFor(t *testing.T) {
	t.Parallel()
	const touch = `{"command":"touch made"}`
	file := writtenFile{t, filepath.Join(t.TempDir(), "s.jsonl")}
	file.write(uses("1", "Bash", touch), uses("2", "Bash", touch))
	store := storetest.NewMemory()
	in, q := agenttest.Intake(t, store)
	asked := func(id string) prompt.Asked {
		a := asking(t)
		a.Origin.Source, a.Dialog = "claude:s/"+id, asks(t, file.path, "Bash", touch, "")
		return a
	}
	looks := 0
	s, _, err := in.Await(t.Context(), asked("1"), func(ctx context.Context) error {
		if looks++; looks == 1 {
			file.write(gives("1", "done")) // perhaps the result of the call before
		}
		if looks == 2 {
			next, itsQueue := agenttest.Intake(t, store)
			itsQueue.Now = func() time.Time { return time.Now().Add(time.Second) }
			_, _, err := next.Enter(ctx, asked("2"))
			require.NoError(t, err)
		}
		require.Less(t, looks, 10)
		return nil
	})
	require.ErrorIs(t, err, prompt.ErrThere)
	require.Greater(t, looks, 1)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "answered in claude", s.Summary())
}
