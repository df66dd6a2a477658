package cli

import (
	"cmp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// A release may set these, for sources without a repository around them:
//
//	cli=github.com/choicetui/choicetui/app/cli
//	go build -ldflags "-X $cli.releaseVersion=v1.2.0 -X $cli.releaseCommit=b73c37b -X $cli.releaseDate=2026-11-22"
var releaseVersion, releaseCommit, releaseDate string

// shortCommit is how many letters of a commit tell it from all others.
const shortCommit = 12

// build is what a report of a defect has to name.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // empty: not known
	Date     string `json:"date"`     // of the commit, RFC 3339; empty: not known
	Modified bool   `json:"modified"` // the sources differed from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild is what the release says of this program, else what the Go tool wrote into it.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(info, build{Version: releaseVersion, Commit: releaseCommit, Date: releaseDate})
}

// buildOf completes what a release says of itself. The version is the module's where it was installed by version,
// else the commit it was built from, else "devel".
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
	if b.Version == "devel" && len(b.Commit) >= shortCommit {
		b.Version = "devel-" + b.Commit[:shortCommit]
	}
	return b
}

// words is the build for a person: one line that can be pasted into a report.
func (b build) words() string {
	commit := "commit not known"
	if b.Commit != "" {
		commit = "commit " + b.Commit[:min(len(b.Commit), shortCommit)]
	}
	if b.Modified {
		commit += " with changes"
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

// version is how this program names itself to agents.
func version() string { return thisBuild().Version }

func versionCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is: version, commit, date, Go",
		Args:  nothingElse,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(sh.out, thisBuild(), "  ")
			}
			var p page
			p.line("%s", thisBuild().words())
			return p.send(sh.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
