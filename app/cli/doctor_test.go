package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/queue/rules/book"
	"github.com/choicetui/choicetui/queue/spool"
)

const plentyFree = 10 << 30

// These tests give doctor the facts about a machine. It must name each problem with its remedy.
func TestDoctorNamesEachTroubleWithItsRemedy(t *testing.T) {
	fine := &tmux.Settings{Version: "3.5a", FocusEvents: "on", Passthrough: "on", Clipboard: "external"}
	without := *fine
	without.FocusEvents = "off"
	for _, c := range []struct {
		name                        string
		found                       []finding
		check, status, says, remedy string
	}{
		{"not on PATH", checkProgram(agent.Way{Program: "/opt/my tools/choicetui"}, ""),
			"program", isWarn, "/opt/my tools/choicetui is not on your PATH", "export PATH='/opt/my tools':$PATH"},
		{"another one on PATH", checkProgram(agent.Way{Program: "/opt/choicetui"}, "/usr/bin/choicetui"),
			"program", isWarn, "a shell starts another choicetui: /usr/bin/choicetui, and this one is /opt/choicetui", "export PATH="},
		{"gone when go run ends", checkProgram(agent.Way{Program: "choicetui", First: "go install ."}, ""),
			"program", isWarn, "deleted when `go run` ends", "go install ."},
		{"no hard links", checkPlace("/q", spool.Place{Free: plentyFree, Links: errors.New("operation not permitted")}),
			"file system", isFail, "hard links do not work at /q, so no answer can be stored: operation not permitted",
			"choicetui config set queue DIR"},
		{"a network's disk", checkPlace("/q", spool.Place{Free: plentyFree, Remote: true}),
			"file system", isWarn, "/q is on a network, so changes are seen late", "choicetui config set queue DIR"},
		{"no space", checkPlace("/q", spool.Place{Free: 3 << 20}),
			"space", isWarn, "3 MiB are free for the queue", "free some space"},
		{"something set aside", checkPlace("/q", spool.Place{Free: plentyFree, Aside: 2}),
			"set aside", isWarn, "2 files of the queue could not be read: see /q/aside", "the .reason files there say why"},
		{"inotify exhausted", []finding{checkInotify(maxInstances, errors.New("too many open files"))},
			"watching files", isWarn, "no events arrive, so the screen polls: too many open files",
			"sudo sysctl fs.inotify.max_user_instances=512"},
		{"inotify without a watch left", []finding{checkInotify(maxWatches, errors.New("no space left on device"))},
			"watching files", isWarn, "so the screen polls", "sudo sysctl fs.inotify.max_user_watches=524288"},
		{"tmux without focus-events", checkTmux(&without, nil),
			"tmux focus-events", isWarn, "off: choicetui cannot tell whether you are looking", "tmux set -g focus-events on"},
		{"tmux that does not answer", checkTmux(&tmux.Settings{}, errors.New("no server")),
			"tmux", isWarn, "it does not answer: no server", "unset TMUX TMUX_PANE"},
		{"a terminal without a screen", checkTerminal("dumb", "LANG", "C.UTF-8"),
			"terminal", isWarn, "TERM=dumb", "or use choicetui --plain"},
		{"a locale without UTF-8", checkTerminal("xterm", "LANG", "C"),
			"locale", isWarn, `"C" is not UTF-8`, "export LC_CTYPE=C.UTF-8"},
		{"a locale without UTF-8 that counts more than others", checkTerminal("xterm", "LC_ALL", "POSIX"),
			"locale", isWarn, `"POSIX" is not UTF-8`, "export LC_ALL=C.UTF-8"},
		{"no space at all", checkPlace("/q", spool.Place{Free: 1 << 19}),
			"space", isFail, "0 MiB are free for the queue", "free some space"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var named []finding
			for _, f := range c.found {
				if f.Status != isOK {
					named = append(named, f)
				}
			}
			require.Len(t, named, 1, "that and nothing else: %v", c.found)
			require.Equal(t, c.check, named[0].Check)
			require.Equal(t, c.status, named[0].Status)
			require.Contains(t, named[0].Detail, c.says)
			require.Contains(t, named[0].Remedy, c.remedy)
		})
	}
}

func TestDoctorIsContentWithAMachineWithoutTrouble(t *testing.T) {
	all := checkProgram(agent.Way{Program: "choicetui"}, "/usr/bin/choicetui")
	all = append(all, checkSettings("/c.json", nil))
	all = append(all, checkPlace("/q", spool.Place{Free: plentyFree})...)
	all = append(all, checkInotify(maxWatches, nil))
	all = append(all, checkTmux(&tmux.Settings{Version: "3.5a", FocusEvents: "on", Passthrough: "all", Clipboard: "on"}, nil)...)
	all = append(all, checkTmux(nil, nil)...)
	all = append(all, checkTerminal("xterm", "LANG", "de_DE.utf8")...)
	for _, f := range all {
		require.Equal(t, isOK, f.Status, f)
		require.Empty(t, f.Remedy, f)
	}
	var out bytes.Buffer
	require.NoError(t, printJSON(&out, all, ""))
	var rows []map[string]string
	require.NoError(t, json.Unmarshal(out.Bytes(), &rows))
	for _, row := range rows {
		require.Len(t, row, 3, "check, status and detail are in every row, and a remedy only where there is one")
	}
}

func TestDoctorSaysWhyNoRuleIsApplied(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "rules.jsonl")
	b := book.At(path)
	require.Empty(t, checkRules(b, nil), "who made no rule reads nothing of rules")
	for _, c := range []struct {
		name                 string
		make                 func() error
		status, says, remedy string
	}{
		{"others may write it", func() error { return os.WriteFile(path, nil, 0o666) }, isFail,
			path + " can be written by others, so no rule is applied", "then run: chmod go-w '" + path + "'"},
		{"a symbolic link", func() error { return os.Symlink("/dev/null", path) }, isFail,
			path + " is a symbolic link, so no rule is applied", "then run: rm '" + path + "'"},
		{"a directory", func() error { return os.Mkdir(path, 0o700) }, isFail,
			path + " is not a file, so no rule is applied", "then run: rm '" + path + "'"},
		{"too large", func() error { return os.WriteFile(path, make([]byte, 1<<21), 0o600) }, isFail,
			path + " is larger than 1 MiB, so no rule is applied", "repair " + path + ", or move it away"},
		{"a broken line", func() error { return os.WriteFile(path, []byte("x\n"), 0o600) }, isWarn,
			"line 1 of " + path + " is not a rule and allows nothing", "take that line out of " + path},
		{"an empty one", func() error { return os.WriteFile(path, nil, 0o600) }, isOK, "0 rules in " + path, ""},
	} {
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, c.make(), c.name)
		if c.name == "others may write it" {
			require.NoError(t, os.Chmod(path, 0o666), "whatever the umask")
		}
		found := checkRules(b, nil)
		require.Len(t, found, 1, c.name)
		require.Equal(t, c.status, found[0].Status, c.name)
		require.Contains(t, found[0].Detail, c.says, c.name)
		require.Contains(t, found[0].Remedy, c.remedy, c.name)
	}
}

func TestDoctorKnowsWhichServersCanBeBypassed(t *testing.T) {
	for _, version := range []string{"2.11.15", "2.11.20", "2.12.6", "2.13.0", "2.15.2", "2.16.0-dev", "3.0.0"} {
		require.False(t, isOpenServer(version), version)
	}
	for _, version := range []string{"2.9.10", "2.11.14", "2.12.5", "2.12.6-RC.1", "\x1b[31mnew", ""} {
		require.True(t, isOpenServer(version), "%q", version)
	}
}

func TestDoctorEndsWithTheNumberOfThingsToFix(t *testing.T) {
	ok, warns, fails := finding{Status: isOK}, finding{Status: isWarn}, finding{Status: isFail}
	require.Equal(t, "\nThere is nothing to fix.", toFix([]finding{ok, ok}))
	require.Equal(t, "\n1 thing to fix", toFix([]finding{ok, warns}))
	require.Equal(t, "\n2 things to fix", toFix([]finding{fails, ok, warns}))
}

// Each finding that warns or fails names what mends it.
func TestDoctorHasARemedyForEachTrouble(t *testing.T) {
	files, err := filepath.Glob("doctor*.go")
	require.NoError(t, err)
	fset, warns := token.NewFileSet(), 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			lit, is := n.(*ast.CompositeLit)
			if !is || !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
				status, is := e.(*ast.Ident)
				return is && (status.Name == "isWarn" || status.Name == "isFail")
			}) {
				return true
			}
			warns++
			require.Len(t, lit.Elts, 4, fset.Position(lit.Pos()))
			last, isText := lit.Elts[3].(*ast.BasicLit)
			require.False(t, isText && last.Value == `""`, fset.Position(lit.Pos()))
			return true
		})
	}
	require.Greater(t, warns, 20)
}
