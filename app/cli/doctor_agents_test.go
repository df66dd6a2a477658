package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// entryIn returns the entry that doctor reads from an agent's settings, on a machine where a shell finds this program.
// HOME in the text is replaced by the home directory.
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
	for _, c := range agents.Clients("choicetui") {
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
			isWarn, "but it is switched off", "choicetui setup codex"},
		{"opencode, switched off", "opencode", `{"mcp": {"choicetui": {"command": ["choicetui", "mcp"], "enabled": false}}}`,
			isWarn, "but it is switched off", "choicetui setup opencode"},
		{"Goose, switched off", "goose", "extensions:\n  choicetui:\n    cmd: choicetui\n    args: [mcp]\n    enabled: false\n",
			isWarn, "but it is switched off", "set enabled to true in "},
		{"Cline, switched off", "cline", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "disabled": true}}}`,
			isWarn, "but it is switched off", "choicetui setup cline"},
		{"Crush, switched off", "crush", `{"mcp": {"choicetui": {"command": "choicetui", "args": ["mcp"], "disabled": true}}}`,
			isWarn, "but it is switched off", "choicetui setup crush"},
		{"no arguments", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui"}}}`,
			isFail, "which serves no agent: it has to run choicetui mcp", "choicetui setup cursor"},
		{"other arguments", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["list"]}}}`,
			isFail, "starts “choicetui list”, which serves no agent", "choicetui setup cursor"},
		{"arguments that are a word", "cursor", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": "mcp"}}}`,
			isFail, "its args is “mcp”, and has to be a list", "repair it in "},
		{"a command that is a list", "cursor", `{"mcpServers": {"choicetui": {"command": ["choicetui", "mcp"]}}}`,
			isFail, "its command is a list, and has to be one word", "repair it in "},
		{"a directory that is not there", "codex", "[mcp_servers.choicetui]\ncommand = 'choicetui'\nargs = ['mcp']\ncwd = 'HOME/gone'\n",
			isFail, "/gone is not a directory here", "repair it in "},
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
		{"codex", codex + "5\n", "gives up after 5s, as its entry says, and may hear nothing for up to 4m40s"},
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

// claudeSetUp returns a machine on which Claude Code is set up. write writes a settings file there and returns its
// path.
func claudeSetUp(t *testing.T) (host setup.Host, e setup.Entry, write func(path, text string) string) {
	t.Helper()
	host, e = entryIn(t, "claude", `{"mcpServers": {"choicetui": {"type": "stdio", "command": "choicetui", "args": ["mcp"],
		"alwaysLoad": true, "timeout": 86400000}}}`)
	host.Root, host.Dir = filepath.Join(host.Home, "root"), filepath.Join(host.Home, "project")
	write = func(path, text string) string {
		path = filepath.Join(host.Home, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write(".claude/settings.json", string(host.Survey(e.Client).Edits[0].After))
	return host, e, write
}

// withoutHooks removes hooks from Claude Code's settings.
func withoutHooks(t *testing.T, text []byte, events ...string) string {
	t.Helper()
	var all map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	hooks := all["hooks"].(map[string]any)
	for _, event := range events {
		require.Contains(t, hooks, event)
		delete(hooks, event)
	}
	less, err := json.Marshal(all)
	require.NoError(t, err)
	return string(less)
}

func TestDoctorNamesTheHooksThatAreMissing(t *testing.T) {
	host, e, write := claudeSetUp(t)
	text, err := os.ReadFile(filepath.Join(host.Home, ".claude/settings.json"))
	require.NoError(t, err)
	for _, c := range []struct {
		missing []string
		says    string
	}{
		{nil, "; its own prompts are shown here too"},
		{[]string{"Notification"}, "; its own prompts are shown here too, except its prompts that can be answered only in its own pane; " +
			"choicetui setup claude adds what is missing"},
		{[]string{"SessionStart"}, "; its own prompts are shown here too; a prompt on its command line is sent before it has " +
			"our tools; choicetui setup claude adds what is missing"},
		{[]string{"PreToolUse", "Elicitation"}, "; its own prompts are shown here too, except its questions, " +
			"the forms of its other servers; choicetui setup claude adds what is missing"},
		{[]string{"SessionStart", "Notification"}, "; its own prompts are shown here too, except its prompts that can be answered only in " +
			"its own pane; a prompt on its command line is sent before it has our tools; choicetui setup claude adds what is missing"},
		{[]string{"PreToolUse", "PermissionRequest", "Elicitation", "Notification"},
			"; its own prompts are not shown here; choicetui setup claude changes that"},
	} {
		write(".claude/settings.json", withoutHooks(t, text, c.missing...))
		require.Equal(t, finding{Status: isOK, Detail: c.says}, checkHooks(host, e, finding{Status: isOK}))
	}
}

func TestDoctorWarnsOfHooksThatAreSwitchedOff(t *testing.T) {
	host, e, write := claudeSetUp(t)
	on := finding{Status: isOK, Detail: "; its own prompts are shown here too"}
	off := func(path, setting, remedy string) finding {
		return finding{Status: isWarn, Detail: "; " + setting + " in " + path + " switches its hooks off, so its own prompts are not shown here",
			Remedy: remedy}
	}
	require.Equal(t, on, checkHooks(host, e, finding{Status: isOK}))

	user := host.Survey(e.Client)
	require.True(t, user.Nothing())
	text, err := os.ReadFile(filepath.Join(host.Home, ".claude/settings.json"))
	require.NoError(t, err)
	own := write(".claude/settings.json", strings.Replace(string(text), "{", `{"disableAllHooks": true,`, 1))
	require.Equal(t, off(own, "disableAllHooks", "take disableAllHooks out of "+own), checkHooks(host, e, finding{Status: isOK}))

	project := write("project/.claude/settings.json", `{"disableAllHooks": false}`)
	require.Equal(t, on, checkHooks(host, e, finding{Status: isOK}), "a project counts more")
	local := write("project/.claude/settings.local.json", `{"disableAllHooks": true}`)
	require.Equal(t, off(local, "disableAllHooks", "take disableAllHooks out of "+local), checkHooks(host, e, finding{Status: isOK}))
	host.Dir = ""
	require.Equal(t, isWarn, checkHooks(host, e, finding{Status: isOK}).Status, "the person's own")
	host.Dir = filepath.Dir(filepath.Dir(project))
	write("project/.claude/settings.local.json", `{}`)

	for text, setting := range map[string]string{`{"disableAllHooks": true}`: "disableAllHooks",
		`{"allowManagedHooksOnly": true}`:                             "allowManagedHooksOnly",
		`{"strictPluginOnlyCustomization": true}`:                     "strictPluginOnlyCustomization",
		`{"strictPluginOnlyCustomization": ["skills", "hooks"]}`:      "strictPluginOnlyCustomization",
		`{"strictPluginOnlyCustomization": ["skills"], "model": "x"}`: ""} {
		path := write("root/etc/claude-code/managed-settings.d/10.json", text)
		want := on
		if setting != "" {
			want = off(path, setting, "ask whoever manages "+path+" to take "+setting+" out")
		}
		if runtime.GOOS == "linux" {
			require.Equal(t, want, checkHooks(host, e, finding{Status: isOK}), text)
		}
	}
}

func TestDoctorWarnsOfWhatAnAgentLacks(t *testing.T) {
	host, e, write := claudeSetUp(t)
	require.Equal(t, finding{Status: isOK}, checkLacks(host, e, finding{Status: isOK}))
	text, err := os.ReadFile(filepath.Join(host.Home, ".claude/settings.json"))
	require.NoError(t, err)

	path := write(".claude/settings.json", strings.Replace(string(text), "mcp__choicetui", "mcp__other", 1))
	require.Equal(t, finding{Status: isWarn, Detail: "; it asks for your permission before each question, since permissions.allow lacks " +
		"mcp__choicetui in " + path, Remedy: "choicetui setup claude"}, checkLacks(host, e, finding{Status: isOK}))
	write(".claude/settings.json", strings.Replace(string(text), "AUTO_BACKGROUND_MS", "OTHER", 1))
	require.Contains(t, checkLacks(host, e, finding{Status: isOK}).Detail, "; a question moves to the background after 2 minutes, since "+
		"env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS is not set in ")
	write(".claude/settings.json", string(text))

	for entry, want := range map[string][2]string{
		`{"command": "choicetui", "args": ["mcp"]}`: {
			"; its model has to search for the tools before it can ask, since its entry has no alwaysLoad", "choicetui setup claude"},
		`{"command": "choicetui", "args": ["mcp"], "alwaysLoad": false}`: {
			"; its model has to search for the tools before it can ask, by the value of alwaysLoad",
			"take alwaysLoad out of " + e.Path + ", then run: choicetui setup claude"},
	} {
		write(".claude.json", `{"mcpServers": {"choicetui": `+entry+`}}`)
		all, err := setup.Entries(t.Context(), host)
		require.NoError(t, err)
		require.Equal(t, finding{Status: isWarn, Detail: want[0], Remedy: want[1]}, checkLacks(host, all[0], finding{Status: isOK}))
	}
	if runtime.GOOS == "linux" {
		path = write("root/etc/claude-code/managed-settings.json", `{"allowManagedPermissionRulesOnly": true}`)
		require.Equal(t, "ask whoever manages "+path+" to allow mcp__choicetui", checkLacks(host, e, finding{Status: isOK}).Remedy)
	}
}

func TestDoctorReadsTheRulesForOurToolsAsClaudeDoes(t *testing.T) {
	host, e, write := claudeSetUp(t)
	text, err := os.ReadFile(filepath.Join(host.Home, ".claude/settings.json"))
	require.NoError(t, err)
	path := write(".claude/settings.json", strings.Replace(string(text), "mcp__choicetui", "mcp__choicetui__*", 1))
	require.Equal(t, finding{Status: isOK}, checkLacks(host, e, finding{Status: isOK}), "another way to write it")
	require.Empty(t, host.Survey(e.Client).Edits)
	for rules, want := range map[string]string{
		`"ask": ["mcp__choicetui"]`:          "it asks for your permission before each question, by mcp__choicetui in permissions.ask of ",
		`"deny": ["x", "mcp__choicetui__*"]`: "it refuses each question, by mcp__choicetui__* in permissions.deny of ",
		`"deny": ["mcp__choicetui__hitl_request"]`: "it refuses each question by that tool, by mcp__choicetui__hitl_request in " +
			"permissions.deny of ",
		`"deny": ["mcp__choicetui2", "mcp__other__*", 7]`: "",
	} {
		write(".claude/settings.json", string(text))
		project := write("project/.claude/settings.json", `{"permissions": {`+rules+`}}`)
		host.Dir = filepath.Dir(filepath.Dir(project))
		f := checkLacks(host, e, finding{Status: isOK})
		if want == "" {
			require.Equal(t, finding{Status: isOK}, f)
			continue
		}
		require.Equal(t, isWarn, f.Status)
		require.Equal(t, "; "+want+project, f.Detail)
		require.Contains(t, f.Remedy, "take mcp__choicetui")
		host.Dir = ""
		write(".claude/settings.json", strings.Replace(string(text), `"permissions": {`, `"permissions": {`+rules+",", 1))
		require.Equal(t, "; "+want+path, checkLacks(host, e, finding{Status: isOK}).Detail)
	}
}

func TestDoctorWarnsOfAMissingMemberOfAnEntry(t *testing.T) {
	host, e := entryIn(t, "qwen", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"], "trust": false}}}`)
	require.Equal(t, finding{Status: isWarn,
		Detail: "; it asks for your permission before each question, by the value of trust" +
			"; its model has to search for the tools before it can ask, since its entry has no alwaysLoadTools",
		Remedy: "take trust out of " + e.Path + ", then run: choicetui setup qwen",
	}, checkLacks(host, e, finding{Status: isOK}))
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
	require.Contains(t, f.Detail, "starts “/old/choicetui mcp”, and nothing can be started under that name; in that directory this entry takes precedence")
	require.Equal(t, "take it out: cd / && claude mcp remove --scope local choicetui", f.Remedy)
	f, ours := checkEntry(host, all[1])
	require.True(t, ours)
	require.Equal(t, isOK, checkLocal(all[1], f).Status)
}

func TestDoctorFindsAPluginThatTheInstalledVersionDoesNotLoad(t *testing.T) {
	const knows = `{"mcp": {"servers": {"choicetui": {"type": "local", "command": ["choicetui", "mcp"]}}}}`
	host, e := entryIn(t, "opencode2", knows)
	plugin := filepath.Join(host.Config, "opencode", "plugins", "choicetui.js")
	require.NoError(t, os.MkdirAll(filepath.Dir(plugin), 0o755))
	for text, status := range map[string]string{
		"// choicetui: …\nexport const Choicetui = async () => ({});\n": isWarn,
		e.Client.Also[0].Whole:    isOK,
		"export const Mine = 1\n": isOK,
	} {
		require.NoError(t, os.WriteFile(plugin, []byte(text), 0o600))
		f := checkPlugin(host, e, finding{e.Client.Name, isOK, "fine", ""})
		require.Equal(t, status, f.Status, text)
		if status == isWarn {
			require.Equal(t, "fine; "+plugin+" was written by an older choicetui, and opencode 2 does not load it, "+
				"so its own prompts are not shown here", f.Detail)
			require.Equal(t, "choicetui setup opencode2", f.Remedy)
		}
	}
}

// brokenTexts returns texts that are no settings in a format, each with the place of the mistake.
func brokenTexts(f agent.Format) map[string]string {
	switch f {
	case agent.TOML:
		return map[string]string{"a = \n": ":1:5: ", "a = 1\na = 2\n": ":2:1: ", "[a\n": ":1:3: "}
	case agent.YAML:
		return map[string]string{"b: 1\na: [\n": ":2:1: ", "- a\n": ":1:1: ", "a: 1\na: 2\n": ":2:1: "}
	default:
		return map[string]string{"{\n  \"hooks\": {": ":2:13: ", "\n[]\n": ":2:1: ", `{"a": 1, "a": 2}`: ":1:10: ", "{": ":1:2: "}
	}
}

// TestDoctorNamesEachSettingsFileThatCannotBeRead breaks each file of each agent that setup knows.
func TestDoctorNamesEachSettingsFileThatCannotBeRead(t *testing.T) {
	for _, c := range agents.Clients("choicetui") {
		if c.ID == "opencode2" { // it has the files of opencode, and is known by what they say
			continue
		}
		targets := []agent.Target{c.Server}
		for _, more := range append(c.Also, c.Gate.Target, c.Native.Target) {
			if more.File != "" && more.File != c.Server.File {
				targets = append(targets, more)
			}
		}
		host, _ := entryIn(t, c.ID, "")
		for _, target := range targets {
			path := filepath.Join(host.Home, strings.TrimPrefix(target.File, "~/"))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			if target.Whole == "" {
				for text, place := range brokenTexts(target.Format) {
					require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
					requireNamed(t, host, c, path+place)
				}
			}
			require.NoError(t, os.RemoveAll(path))
			require.NoError(t, os.Mkdir(path, 0o755))
			requireNamed(t, host, c, path+": this is a directory, and a file should be here; move it away")
			require.NoError(t, os.Remove(path))
		}
	}
}

// requireNamed requires that doctor does not call an agent ok, and says of a file what is wrong with it.
func requireNamed(t *testing.T, host setup.Host, c agent.Client, says string) {
	t.Helper()
	all, err := setup.Entries(t.Context(), host)
	require.NoError(t, err)
	for _, e := range all {
		if e.Client.ID == c.ID {
			f, ours := checkEntry(host, e)
			f = checkFiles(host, e, ours, f)
			require.NotEqual(t, isOK, f.Status, c.ID)
			require.Contains(t, f.Detail, says, c.ID)
			require.NotEmpty(t, f.Remedy, c.ID)
			return
		}
	}
	require.Fail(t, c.ID+" is not found")
}

// TestDoctor_NamesSetupOnlyWhereItHelps gives each agent with JSON settings what setup leaves alone.
func TestDoctor_NamesSetupOnlyWhereItHelps(t *testing.T) {
	program, err := exec.LookPath("true")
	require.NoError(t, err)
	for _, c := range agents.Clients("choicetui") {
		if c.Server.Format != agent.JSON || c.ID == "opencode2" { // opencode2 is known by what the file says
			continue
		}
		host, _ := entryIn(t, c.ID, "")
		path := filepath.Join(host.Home, strings.TrimPrefix(c.Server.File, "~/"))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		for _, there := range []string{
			`{"command": "` + program + `", "args": ["x"]}`, `{"command": ["` + program + `"]}`,
			`{"command": "gone"}`, `{"httpUrl": "http://[::1]/"}`, `{}`, `"x"`, `[]`, `null`, `7`,
		} {
			for depth := range c.Server.Sets[0].Path {
				text := there
				for _, key := range slices.Backward(c.Server.Sets[0].Path[:depth+1]) {
					text = "{" + agent.Quoted(key) + ": " + text + "}"
				}
				requireSetupHelps(t, host, c.ID, path, text)
			}
		}
	}
}

// requireSetupHelps requires that doctor warns of an agent with these settings, and that its remedy names setup alone
// only if setup then does something and leaves no file alone.
func requireSetupHelps(t *testing.T, host setup.Host, id, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	entries, err := setup.Entries(t.Context(), host)
	require.NoError(t, err)
	e := entries[slices.IndexFunc(entries, func(e setup.Entry) bool { return e.Client.ID == id })]
	f, ours := checkEntry(host, e)
	f = checkFiles(host, e, ours, f)
	require.NotEqual(t, isOK, f.Status, "%s: %s", id, text)
	plan := host.Survey(e.Client)
	if f.Remedy == "choicetui setup "+id {
		require.Empty(t, plan.Left, "%s: %s", id, text)
		require.NotEmpty(t, plan.Edits, "%s: %s", id, text)
		return
	}
	require.NotEmpty(t, plan.Left, "%s: %s: %s", id, text, f.Remedy)
	require.Equal(t, "put that right, then run: choicetui setup "+id, f.Remedy, text)
}

func TestDoctorNamesABrokenFileOfAProjectAndOfTheAdministrator(t *testing.T) {
	host, e, write := claudeSetUp(t)
	require.Equal(t, finding{Status: isOK}, checkFiles(host, e, false, finding{Status: isOK}))
	own := write(".claude/settings.json", "[]")
	project := write("project/.claude/settings.json", "{")
	host.Dir = filepath.Dir(filepath.Dir(project))
	want := finding{Status: isWarn, Remedy: "put that right, then run: choicetui setup claude\nrepair " + project,
		Detail: "; " + own + ":1:1: the file should hold one object, { … }; " +
			project + ":1:2: this is not valid JSON: parsing value: unexpected EOF"}
	if runtime.GOOS == "linux" {
		managed := write("root/etc/claude-code/managed-settings.json", "{,}")
		want.Detail += "; " + managed + ":1:2: this is not valid JSON: invalid character ',' at start of value"
		want.Remedy += "\nask whoever manages " + managed + " to repair it"
	}
	require.Equal(t, want, checkFiles(host, e, false, finding{Status: isOK}))
}
