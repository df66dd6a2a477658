package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/config"
)

// entryIn returns what doctor reads of an agent's settings on a machine where a shell finds this very program. HOME in
// the text stands for the home directory.
func entryIn(t *testing.T, id, text string) (setup.Host, setup.Entry) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	home := t.TempDir()
	host := setup.Host{Program: "choicetui", Home: home, Config: filepath.Join(home, ".config"), State: home,
		Env: func(string) string { return "" }, Environ: func() []string { return nil },
		Find: func(name string) (string, error) {
			if name == "choicetui" {
				return self, nil
			}
			return "", errors.New("not found")
		}}
	for _, c := range connect.Clients("choicetui") {
		if c.ID == id {
			path := filepath.Join(home, strings.TrimPrefix(c.Server.File, "~/"))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "HOME", home)), 0o600))
		}
	}
	all, err := setup.Entries(t.Context(), host)
	require.NoError(t, err)
	for _, e := range all {
		if e.Client.ID == id {
			return host, e
		}
	}
	t.Fatalf("there is no entry of %s", id)
	return host, setup.Entry{}
}

func TestDoctorNamesAnEntryThatItsAgentDoesNotUse(t *testing.T) {
	for _, c := range []struct{ name, id, text, status, says, remedy string }{
		{"Codex, switched off", "codex", "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = ['mcp']\nenabled = false\n",
			isWarn, "but it is switched off", "set enabled to true in "},
		{"opencode, switched off", "opencode", `{"mcp": {"choicetui": {"command": ["choicetui", "mcp"], "enabled": false}}}`,
			isWarn, "but it is switched off", "set enabled to true in "},
		{"Goose, switched off", "goose", "extensions:\n  choicetui:\n    cmd: choicetui\n    args: [mcp]\n    enabled: false\n",
			isWarn, "but it is switched off", "set enabled to true in "},
		{"Cline, switched off", "cline", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "disabled": true}}}`,
			isWarn, "but it is switched off", "set disabled to false in "},
		{"Crush, switched off", "crush", `{"mcp": {"choicetui": {"command": "choicetui", "args": ["mcp"], "disabled": true}}}`,
			isWarn, "but it is switched off", "set disabled to false in "},
		{"no arguments", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui"}}}`,
			isFail, "which serves no agent: it has to run choicetui mcp", "choicetui setup cursor"},
		{"other arguments", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["list"]}}}`,
			isFail, "starts “choicetui list”, which serves no agent", "choicetui setup cursor"},
		{"arguments that are a word", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": "mcp"}}}`,
			isFail, "its args is “mcp”, and has to be a list", "repair it in "},
		{"a command that is a list", "cursor", `{"mcpServers": {"choicetui": {"command": ["choicetui", "mcp"]}}}`,
			isFail, "its command is a list, and has to be one word", "repair it in "},
		{"a directory that is not there", "codex", "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = ['mcp']\ncwd = 'HOME/gone'\n",
			isFail, "/gone is no directory here", "repair it in "},
		{"a PATH that leads nowhere", "cursor",
			`{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "env": {"PATH": "/nowhere"}}}}`,
			isFail, "nothing can be started under that name: the entry sets PATH to /nowhere", "choicetui setup cursor"},
		{"nothing wrong", "codex", "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = ['mcp']\ncwd = 'HOME'\nenabled = true\n",
			isOK, "starts “choicetui mcp”", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			host, e := entryIn(t, c.id, c.text)
			f, _ := checkEntry(host, e)
			require.Equal(t, c.status, f.Status, f)
			require.Contains(t, f.Detail, c.says)
			require.Contains(t, f.Remedy, c.remedy)
		})
	}
}

func TestDoctorWarnsOfATimeOutThatEndsACallTooSoon(t *testing.T) {
	codex := "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = ['mcp']\ntool_timeout_sec = "
	gemini := `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "timeout": `
	for _, c := range []struct{ id, text, says string }{
		{"codex", codex + "5\n", "gives up after 5s by its entry, and hears nothing for up to 4m40s"},
		{"codex", codex + "2.5\n", "gives up after 2.5s"},
		{"codex", codex + "300\n", ""},
		{"codex", codex + "86400\n", ""},
		{"gemini", gemini + "5000}}}", "gives up after 5s"},
		{"gemini", gemini + "600000}}}", ""},
		{"opencode2", `{"mcp": {"servers": {"choicetui": {"command": ["choicetui", "mcp"], "timeout": {"request": 5000}}}}}`, "gives up after 5s"},
		{"opencode", `{"mcp": {"choicetui": {"command": ["choicetui", "mcp"], "timeout": 30000}}}`, ""},
		{"cline", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "timeout": 15}}}`, "gives up after 15s"},
	} {
		host, e := entryIn(t, c.id, c.text)
		f, ours := checkEntry(host, e)
		require.True(t, ours, c.text)
		f = checkTimeOut(config.Settings{}, e, f)
		if c.says == "" {
			require.Equal(t, isOK, f.Status, f)
			continue
		}
		require.Equal(t, isWarn, f.Status, "%s: %v", c.text, f)
		require.Contains(t, f.Detail, c.says)
		require.Contains(t, f.Remedy, "choicetui setup "+c.id)
	}
	_, e := entryIn(t, "codex", codex+"5\n")
	f := checkTimeOut(config.Settings{SoftLimits: map[string]int{"codex": 4}}, e, finding{Status: isOK})
	require.Equal(t, isOK, f.Status, "the settings make choicetui answer sooner")
	require.Equal(t, 5*time.Second, e.GivesUp)
}

func TestDoctorWarnsOfHooksThatAreSwitchedOff(t *testing.T) {
	host, e := entryIn(t, "claude", `{"mcpServers": {"choicetui": {"type": "stdio", "command": "choicetui", "args": ["mcp"],
		"alwaysLoad": true}}}`)
	path := filepath.Join(host.Home, ".claude", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, host.Survey(e.Client).Edits[0].After, 0o600))
	f := checkHooks(host, e, finding{Status: isOK})
	require.Equal(t, finding{Status: isOK, Detail: "; what it asks by itself comes here too"}, f)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	off := strings.Replace(string(text), "{", `{"disableAllHooks": true,`, 1)
	require.NoError(t, os.WriteFile(path, []byte(off), 0o600))
	f = checkHooks(host, e, finding{Status: isOK})
	require.Equal(t, finding{Status: isWarn, Detail: "; disableAllHooks switches its hooks off, so what it asks by itself stays there",
		Remedy: "take disableAllHooks out of " + path}, f)
}

func TestDoctorReadsTheEntriesOfSingleDirectoriesAsClaudeDoes(t *testing.T) {
	host, _ := entryIn(t, "claude", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"]}}, "projects": {
		"HOME": {"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"]}}},
		"HOME/.config": {"mcpServers": {"other": {"command": "x"}}},
		"HOME/gone": {"mcpServers": {"choicetui": {"command": "/old/choicetui", "args": ["mcp"]}}},
		"/": {"mcpServers": {"choicetui": {"command": "/old/choicetui", "args": ["mcp"]}}}}}`)
	all := setup.LocalEntries(host)
	require.Len(t, all, 2, "those of directories that are there")
	f, _ := checkEntry(host, all[0])
	f = checkLocal(all[0], f)
	require.Equal(t, "Claude Code, in /", f.Check)
	require.Equal(t, isWarn, f.Status, "the agent works elsewhere")
	require.Contains(t, f.Detail, "starts “/old/choicetui mcp”, and nothing can be started under that name; in that directory this entry counts more")
	require.Equal(t, "take it out: cd / && claude mcp remove --scope local choicetui", f.Remedy)
	f, ours := checkEntry(host, all[1])
	require.True(t, ours)
	require.Equal(t, isOK, checkLocal(all[1], f).Status)
}
