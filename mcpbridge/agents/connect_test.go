package agents

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func TestEveryClientHasAWayToBeConnected(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Clients("choicetui") {
		require.NotEmpty(t, c.Name)
		require.False(t, seen[c.Name], "%s is listed once", c.Name)
		seen[c.Name] = true
		require.NotEmpty(t, c.Config, c.Name)
		require.Regexp(t, `^~/\.[\w./-]+\.(json|toml|yaml)$`, c.File, "the person's own file, with a place to find it")
		require.Contains(t, c.Command+c.Config, "choicetui", c.Name)
	}
}

func TestClientsWithAOneLineCommandComeFirst(t *testing.T) {
	without := ""
	for _, c := range Clients("choicetui") {
		if c.Command == "" {
			without = c.Name
			continue
		}
		require.Empty(t, without, "%s has a command", c.Name)
	}
	require.NotEmpty(t, without, "some have none")
}

func TestACommandCanBePastedIntoAnyShellAndStartsTheServer(t *testing.T) {
	for _, c := range Clients("choicetui") {
		if c.Command != "" {
			require.Regexp(t, `^[a-z]+ mcp add [a-z -]*choicetui (-- )?choicetui mcp$`, c.Command, c.Name)
		}
	}
}

func TestAConfigIsWhatItsFileHolds(t *testing.T) {
	for _, c := range Clients("choicetui") {
		if strings.HasSuffix(c.File, ".json") {
			var whole map[string]any
			require.NoError(t, json.Unmarshal([]byte(c.Config), &whole), c.Name)
			continue
		}
		if strings.HasSuffix(c.File, ".yaml") {
			var whole map[string]any
			require.NoError(t, yaml.Unmarshal([]byte(c.Config), &whole), c.Name)
			continue
		}
		for line := range strings.Lines(c.Config) {
			require.Regexp(t, `^(\[[\w.]+\]|\w+ = .+|\s+"[\w", ]+\])\n?$`, line, c.Name)
		}
	}
}

func TestWithoutACommandTheConfigAloneStartsTheServer(t *testing.T) {
	start := regexp.MustCompile(`"command": (\["choicetui", "mcp"\]|"choicetui",\s+"args": \["mcp"\])|(cmd|command): "choicetui"\s+args: \["mcp"\]`)
	for _, c := range Clients("choicetui") {
		if c.Command == "" || c.Instead {
			require.Regexp(t, start, c.Config, c.Name)
		}
	}
}

// A line that wraps in an 80-column terminal cannot be copied as a whole.
func TestWhatIsPastedFitsATerminalOf80Columns(t *testing.T) {
	const indent = 4 // the indent in `choicetui help connect`
	for _, c := range Clients("choicetui") {
		for line := range strings.Lines(c.Command + "\n" + c.Config) {
			require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n"))+indent, 80, line)
		}
	}
}

// A question may wait for a day at most. Claude Code waits longer than that for a server it starts.
func TestWhereAClientCanWaitForADayItsConfigSaysSo(t *testing.T) {
	unit := map[string]string{"Codex": "86400", "Gemini CLI": "86400000",
		"Qwen Code": "86400000", "opencode 1": "86400000", "opencode 2": "86400000", "Kilo Code": "86400000",
		"MiMo Code": "86400000", "Copilot CLI": "86400000",
		"Crush": "86400", "Goose": "86400"}
	for _, c := range Clients("choicetui") {
		want, can := unit[c.Name]
		require.Equal(t, can, regexp.MustCompile(`\b86400(000)?\b`).MatchString(c.Config), c.Name)
		require.Regexp(t, `\b`+want+`\b`, c.Config, c.Name)
	}
}

func TestCodexLetsThroughWhatTheServerNeedsToFindTheQueueAndThePane(t *testing.T) {
	for _, c := range Clients("choicetui") {
		if c.Name == "Codex" {
			for _, name := range []string{"TMUX", "TMUX_PANE", "CHOICETUI_QUEUE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
				require.Contains(t, c.Config, `"`+name+`"`)
			}
			return
		}
	}
	t.Fatal("Codex is not listed")
}

func TestWhatIsSaidOfTimeoutsIsWholeSentencesOnOneLine(t *testing.T) {
	for _, text := range append(timeouts(), agent.Anyway) {
		require.NotContains(t, text, "\n")
		require.Equal(t, strings.TrimSpace(text), text)
		require.Regexp(t, `^[A-Z].*[^.]\.$`, text)
		require.NotContains(t, text, "  ")
	}
	require.Equal(t, strings.TrimRight(agent.Ask, ". \n"), agent.Ask, "it is quoted inside a sentence")
}

func timeouts() (all []string) {
	for _, c := range Clients("choicetui") {
		all = append(all, c.Timeout)
	}
	return all
}

// Codex refuses a file with the same table twice, and no longer starts.
func TestWhatCodexNeedsBesideItsCommandFollowsTheTableThatTheCommandWrote(t *testing.T) {
	for _, c := range Clients("choicetui") {
		if c.Name == "Codex" {
			require.NotContains(t, c.Config, "[mcp_servers")
			require.NotRegexp(t, `(?m)^(command|args) =`, c.Config)
			require.Contains(t, c.Lead(c.File), "in ~/.codex/config.toml below ")
			return
		}
	}
	t.Fatal("Codex is not listed")
}

func TestAProgramThatNoShellFindsIsNamedByItsFileInEveryLine(t *testing.T) {
	const file, inShell, inFile = `/opt/my "tools"/choicetui`, `'/opt/my "tools"/choicetui'`, `"/opt/my \"tools\"/choicetui"`
	plain := regexp.MustCompile(`(^|[^\w./])choicetui"?,? ("args"|"?mcp)`)
	for _, c := range Clients(file) {
		require.NotRegexp(t, plain, c.Command, c.Name)
		require.NotRegexp(t, plain, c.Config, c.Name)
		if c.Command != "" {
			require.Contains(t, c.Command, inShell+" mcp", c.Name)
		} else {
			require.Contains(t, c.Config, inFile, c.Name)
		}
		if strings.HasSuffix(c.File, ".json") {
			require.True(t, json.Valid([]byte(c.Config)), c.Name)
		}
	}
}

// `choicetui setup` writes what the person would have pasted.
func TestSetupWritesWhatTheLinesSay(t *testing.T) {
	for _, c := range Clients("/opt/choicetui") {
		require.NotEmpty(t, c.ID, c.Name)
		require.NotEmpty(t, c.Program, c.Name)
		require.Equal(t, c.Add == nil, c.Remove == nil, "%s: what its command adds its command removes", c.Name)
		written := map[string]any{}
		for _, target := range append([]agent.Target{c.Server}, c.Also...) {
			for _, s := range target.Sets {
				if s.Path[0] == "hooks" { // hooks are in the same file, but not in the pasted lines
					continue
				}
				var value any
				if s.Before {
					continue
				}
				require.NoError(t, json.Unmarshal([]byte(s.Value), &value), c.Name)
				put(written, s.Path, value)
			}
		}
		var shown map[string]any
		switch {
		case c.Server.Format == agent.YAML:
			require.NoError(t, yaml.Unmarshal([]byte(c.Config), &shown), c.Name)
			shown = throughJSON(t, shown)
		case c.Server.Format == agent.JSON && c.ID != "claude":
			require.NoError(t, json.Unmarshal([]byte(c.Config), &shown), c.Name)
		default: // the pasted lines contain only what the command leaves out
			continue
		}
		require.Equal(t, shown, written, c.Name)
	}
}

func put(in map[string]any, path []string, value any) {
	if last := len(path) - 1; strings.HasPrefix(path[last], agent.ByName) {
		put(in, path[:last], []any{value})
		return
	}
	for _, key := range path[:len(path)-1] {
		if in[key] == nil {
			in[key] = map[string]any{}
		}
		in = in[key].(map[string]any)
	}
	in[path[len(path)-1]] = value
}

func throughJSON(t *testing.T, v any) (same map[string]any) {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &same))
	return same
}
