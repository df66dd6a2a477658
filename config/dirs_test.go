package config

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/require"
)

// environment sets variables of this process for one test and has the library read them.
func environment(t *testing.T, variables map[string]string) {
	t.Helper()
	t.Cleanup(xdg.Reload) // runs after t.Setenv has restored the variables
	for name, value := range variables {
		t.Setenv(name, value)
	}
	xdg.Reload()
}

func TestPathFollowsXDG(t *testing.T) {
	environment(t, map[string]string{"XDG_CONFIG_HOME": "/somewhere"})
	require.Equal(t, "/somewhere/choicetui/config.json", Path())
}

func TestStateIsWhereTheSystemKeepsIt(t *testing.T) {
	environment(t, map[string]string{"XDG_STATE_HOME": "/somewhere", "HOME": ""})
	dir, err := StateDir()
	require.NoError(t, err, "the variable says it without a home")
	require.Equal(t, "/somewhere/choicetui", dir)

	environment(t, map[string]string{"XDG_STATE_HOME": "relative", "HOME": "/home/me"})
	dir, err = StateDir()
	require.NoError(t, err)
	require.Equal(t, xdg.StateHome+"/choicetui", dir)
	require.Contains(t, dir, "/home/me/", "a relative path counts as none")
}

func TestWithoutAHomeThereIsNoPlaceForState(t *testing.T) {
	environment(t, map[string]string{"XDG_STATE_HOME": "", "HOME": ""})
	_, err := StateDir()
	require.Error(t, err)
}

func TestOnlyWithoutVariablesEveryProcessFindsTheSamePlaces(t *testing.T) {
	environment(t, map[string]string{"HOME": "/home/me", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""})
	require.True(t, AtHome())
	require.Equal(t, "/home/me", Home())
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		environment(t, map[string]string{"XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", name: "/somewhere"})
		require.False(t, AtHome(), name)
	}
	environment(t, map[string]string{"HOME": ""})
	require.Empty(t, Home())
}

func TestWhatLastsAsLongAsAProcessLiesOnThisMachineUnderTheUsersName(t *testing.T) {
	there := t.TempDir()
	environment(t, map[string]string{"XDG_RUNTIME_DIR": there, "TMPDIR": "/temporary"})
	if runtime.GOOS == "linux" {
		require.Equal(t, there+"/choicetui", RunDir())
	}
	environment(t, map[string]string{"XDG_RUNTIME_DIR": there + "/none"})
	require.Equal(t, fmt.Sprintf("/temporary/choicetui-%d", os.Getuid()), RunDir())
}

func TestANameThatBeginsWithATildeIsBelowHome(t *testing.T) {
	for name, want := range map[string]string{"~/q": "/home/me/q", "~/": "/home/me", "/q": "/q", "q": "q",
		"~": "~", "~other/q": "~other/q", "a/~/q": "a/~/q"} {
		got, ok := BelowHome(name, "/home/me")
		require.True(t, ok, name)
		require.Equal(t, want, got, name)
	}
	got, ok := BelowHome("~/q", "")
	require.False(t, ok, "nobody knows where that is")
	require.Equal(t, "~/q", got)
	_, ok = BelowHome("q", "")
	require.True(t, ok)
}
