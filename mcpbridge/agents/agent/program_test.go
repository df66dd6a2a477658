package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheNameAloneIsGivenOnlyWhereItStartsThisFile(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	require.Equal(t, self, Program(), "nothing of that name is there")

	other := filepath.Join(dir, "choicetui")
	require.NoError(t, os.WriteFile(other, []byte("#!/bin/sh\n"), 0o755))
	require.Equal(t, self, Program(), "another file has that name")

	require.NoError(t, os.Remove(other))
	require.NoError(t, os.Symlink(self, other))
	require.Equal(t, "choicetui", Program())
}

func TestAProgramOfGoRunIsToBeInstalledFirst(t *testing.T) {
	for path, once := range map[string]bool{
		"/tmp/go-build3318/b001/exe/choicetui":                                                    true,
		"/home/me/.cache/go-build/42/421f9b0d2c1f/choicetui":                                      true,
		"/caches/42/421f9b0d2c1f421f9b0d2c1f421f9b0d2c1f421f9b0d2c1f421f9b0d2c1f9999-d/choicetui": true,
		"/home/me/go/bin/choicetui":                                                               false,
		"/home/me/src/choicetui/choicetui":                                                        false,
	} {
		require.Equal(t, once, builtToRunOnce(path), path)
	}
}

func TestWhereGoInstallsToIsAskedOfGo(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("GOBIN", bin)
	require.Equal(t, filepath.Join(bin, "choicetui"), installPath())
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+bin)
	require.Equal(t, "choicetui", installPath(), "a shell finds it there")
	t.Setenv("GOBIN", "")
	t.Setenv("GOPATH", "/somewhere:/else")
	require.Equal(t, "/somewhere/bin/choicetui", installPath())
}

func TestShellQuotedWordsReadAsTheyStand(t *testing.T) {
	for _, word := range []string{
		"plain/word-1.2", "", "two words", "it's", `a"b\c`, "$HOME `id` $(id)", "new\nline", "*?[x]", "~", "#", "데이터",
	} {
		out, err := exec.Command("/bin/sh", "-c", "printf %s "+ShellQuoted(word)).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	}
}
