package cli

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// The build of a release sets these variables if its sources are not in a repository:
//
//	cli=github.com/choicetui/choicetui/app/cli
//	go build -ldflags "-X $cli.releaseVersion=v1.2.0 -X $cli.releaseCommit=b73c37b -X $cli.releaseDate=2026-11-22"
var releaseVersion, releaseCommit, releaseDate string

// shortCommit is the length of a shortened commit hash. It is long enough to be unique.
const shortCommit = 12

// build identifies this build in bug reports and for agents.
type build struct {
	Version  string
	Commit   string // empty: not known
	Date     string // the commit's date, RFC 3339; empty: not known
	Modified bool   // whether the sources differed from the commit
	Go       string
	Platform string
	source   string // the directory of the sources; empty: not known, for example with -trimpath
}

// thisBuild describes this program: by the variables of a release, else by what the Go tool wrote into the binary.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := buildOf(info, build{Version: releaseVersion, Commit: releaseCommit, Date: releaseDate})
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) { // app/cli/version.go
		b.source = filepath.Dir(filepath.Dir(filepath.Dir(file)))
	}
	return b
}

// withSourceCommit returns the build with the commit of its sources, if go run has just built it: go run writes no
// commit into a program. For any other program the sources may have changed since. It runs git.
func (b build) withSourceCommit(ctx context.Context, program string) build {
	if b.Commit != "" || b.source == "" || !strings.Contains(program, string(filepath.Separator)+"go-build") {
		return b
	}
	ctx, cancel := context.WithTimeout(ctx, gitWithin)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "-C", b.source, "describe", "--always", "--exclude=*",
		fmt.Sprintf("--abbrev=%d", shortCommit), "--dirty="+changedSuffix).Output()
	if err != nil {
		return b
	}
	b.Commit, b.Modified = strings.CutSuffix(strings.TrimSpace(string(out)), changedSuffix)
	return b.withCommitName()
}

// gitWithin limits how long git may take to find the commit.
const gitWithin = 2 * time.Second

// changedSuffix follows a commit hash if the sources differed from that commit.
const changedSuffix = "+changes"

// buildOf completes the description of a release. The version is the release's, else the module's if it was installed
// by version, else "devel" with the commit.
func buildOf(info *debug.BuildInfo, release build) build {
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	b := build{
		Commit: cmp.Or(release.Commit, setting["vcs.revision"]), Date: cmp.Or(release.Date, setting["vcs.time"]),
		Modified: release.Commit == "" && setting["vcs.modified"] == "true", Go: info.GoVersion,
		Platform: strings.Trim(setting["GOOS"]+"/"+setting["GOARCH"], "/"),
	}
	module := info.Main.Version
	if module == "(devel)" {
		module = ""
	}
	b.Version = cmp.Or(release.Version, module, "devel")
	return b.withCommitName()
}

// withCommitName returns a build without a version under the name of its commit.
func (b build) withCommitName() build {
	if b.Version == "devel" && len(b.Commit) >= shortCommit {
		b.Version = "devel-" + b.Commit[:shortCommit]
	}
	return b
}

// words returns the build in one line for a person to paste into a report.
func (b build) words() string {
	commit := "commit unknown"
	switch {
	case b.Commit != "":
		commit = "commit " + b.Commit[:min(len(b.Commit), shortCommit)]
	case b.source != "":
		commit += ", built in " + b.source
	}
	if b.Modified {
		commit += changedSuffix
	}
	date, _, _ := strings.Cut(b.Date, "T")
	known := []string{commit}
	for _, fact := range []string{date, b.Go, b.Platform} {
		if fact != "" {
			known = append(known, fact)
		}
	}
	return "choicetui " + b.Version + " (" + strings.Join(known, ", ") + ")"
}

// version returns the version that this program reports to agents.
func version() string { return thisBuild().Version }
