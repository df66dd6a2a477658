package prompt

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoteUnread_KeepsTheNewestHundred(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "unread.json")
	notes, err := ReadUnread(path)
	require.NoError(t, err, "there may be none")
	require.Empty(t, notes)
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for i := range mostUnread + 20 {
		require.NoError(t, NoteUnread(path, Unread{Agent: "claude", Event: fmt.Sprint("E", i), At: at, Reason: "it was empty"}))
	}
	notes, err = ReadUnread(path)
	require.NoError(t, err)
	require.Len(t, notes, mostUnread)
	require.Equal(t, "E20", notes[0].Event)
	require.Equal(t, Unread{"claude", "E119", at, "it was empty"}, notes[mostUnread-1])
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestNoteUnread_TakesNotesOfManyHooksAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "unread.json")
	require.NoError(t, os.WriteFile(path, []byte("what is no note\n{\n"), 0o600))
	var hooks sync.WaitGroup
	for range 20 {
		hooks.Go(func() {
			if err := NoteUnread(path, Unread{Agent: "qwen", At: time.Now(), Reason: "it was empty"}); err != nil {
				t.Error(err)
			}
		})
	}
	hooks.Wait()
	notes, err := ReadUnread(path)
	require.NoError(t, err)
	require.Len(t, notes, 20)
}
