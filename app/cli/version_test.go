package cli

import (
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
		"choicetui v1.2.0 (commit b73c37b01234 with changes, 2026-11-22, go1.26.8, linux/arm64)": buildOf(
			buildInfo("v1.2.0", append(here, "vcs.modified", "true")...), build{}),
		"choicetui v1.3.0 (commit feedbeef, 2026-12-01, go1.26.8, linux/arm64)": buildOf(
			buildInfo("(devel)", append(here, "vcs.modified", "true")...),
			build{Version: "v1.3.0", Commit: "feedbeef", Date: "2026-12-01"}),
		"choicetui devel (commit not known, go1.26.8)": buildOf(buildInfo(""), build{}),
	} {
		require.Equal(t, want, b.words())
	}
}
