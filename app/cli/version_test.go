package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

const someCommit = "b73c37b0123456789abcdef0123456789abcdef0"

func buildInfo(module string, settings ...string) *debug.BuildInfo {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: module}}
	for i := 0; i < len(settings); i += 2 {
		info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return info
}

func TestAVersionNamesTheCommitItsDateAndGo(t *testing.T) {
	here := []string{"vcs.revision", someCommit, "vcs.time", "2026-11-22T04:15:51Z", "GOOS", "linux", "GOARCH", "arm64"}
	for want, b := range map[string]build{
		"choicetui devel-b73c37b01234 (commit b73c37b01234, 2026-11-22, go1.26.8, linux/arm64)": buildOf(
			buildInfo("(devel)", here...), build{}),
		"choicetui v1.2.0 (commit b73c37b01234+changes, 2026-11-22, go1.26.8, linux/arm64)": buildOf(
			buildInfo("v1.2.0", append(here, "vcs.modified", "true")...), build{}),
		"choicetui v1.3.0 (commit feedbeef, 2026-12-01, go1.26.8, linux/arm64)": buildOf(
			buildInfo("(devel)", append(here, "vcs.modified", "true")...),
			build{Version: "v1.3.0", Commit: "feedbeef", Date: "2026-12-01"}),
		"choicetui devel (commit unknown, go1.26.8)":                          buildOf(buildInfo(""), build{}),
		"choicetui devel (commit unknown, built in /src/choicetui, go1.26.8)": {Version: "devel", Go: "go1.26.8", source: "/src/choicetui"},
	} {
		require.Equal(t, want, b.words())
	}
}

func TestWhatGoRunStartedNamesTheCommitOfItsSources(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600))
	}
	of := func(program, source string) string {
		return build{Version: "devel", source: source}.withSourceCommit(t.Context(), program).words()
	}
	const ran = "/home/ana/.cache/go-build/4f/4f0a-d/choicetui"
	require.Equal(t, "choicetui devel (commit unknown, built in "+dir+")", of(ran, dir), "no repository")

	git("init", "-q")
	write("package main")
	git("add", ".")
	git("commit", "-qm", "begin")
	require.Regexp(t, `^choicetui devel-([0-9a-f]{12}) \(commit ([0-9a-f]{12})\)$`, of(ran, dir))
	write("package main // changed")
	require.Regexp(t, `\(commit [0-9a-f]{12}\+changes\)$`, of("/tmp/go-build123/b001/exe/choicetui", dir))
	require.Contains(t, of("/usr/bin/choicetui", dir), "commit unknown", "the sources may be others by now")
	require.Contains(t, of(ran, ""), "commit unknown")
}
