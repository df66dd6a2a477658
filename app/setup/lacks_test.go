package setup

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

func TestClaudesOwnQuestionsAreHookedInAndTakenOutByteForByte(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	before := "{ // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", " +
		"\"command\": \"lint\"}]}\n    ]\n  }\n}\n"
	own := h.have(t, ".claude/settings.json", before)
	_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)
	text := textOf(t, own)
	require.Equal(t, 5, strings.Count(text, `"hook"`), text)
	require.Contains(t, text, `"matcher": "permission_prompt|idle_prompt|`)
	require.Contains(t, text, `"matcher": "AskUserQuestion"`)
	require.Contains(t, text, `"command": "lint"`)
	require.True(t, h.Survey(clientOf(t, "claude")).Nothing(), "a second run changes nothing")
	require.Equal(t, OwnHere, OwnAsks(h, clientOf(t, "claude")))

	h.Gate = GateOut
	require.Empty(t, h.Survey(clientOf(t, "claude")).Edits, "the hooks are no gate")
	h.Gate = GateOff
	for _, r := range h.Removals(j, []string{"claude"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, before, textOf(t, own))
	require.Equal(t, OwnThere, OwnAsks(h, clientOf(t, "claude")))
	require.Equal(t, OwnUnknown, OwnAsks(h, clientOf(t, "zed")), "nothing brings it here")
}

func TestHooksAreTakenOutOfAFileThatThePersonChangedSince(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	own := h.have(t, ".claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)
	changed := strings.Replace(textOf(t, own), `"model": "x"`, `"model": "y"`, 1)
	changed = strings.Replace(changed, `"matcher": "AskUserQuestion"`, `"matcher": "AskUserQuestion|Other"`, 1)
	require.NoError(t, os.WriteFile(own, []byte(changed), 0o600))
	for _, r := range h.Removals(j, []string{"claude"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.JSONEq(t, `{"model": "y"}`, textOf(t, own))
}

func TestAnotherProgramIsPutIntoTheHooksThatAreThere(t *testing.T) {
	target := clientOf(t, "claude").Also[0]
	after, _, err := changed(nil, target)
	require.NoError(t, err)
	old := strings.ReplaceAll(string(after), "/opt/choicetui", "/old x/choicetui")
	again, _, err := changed([]byte(old), target)
	require.NoError(t, err)
	require.Equal(t, string(after), string(again))
}

func TestOpencodesPluginIsAFileOfItsOwn(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	own := h.have(t, ".config/opencode/opencode.json", "{}\n")
	plan := h.Survey(clientOf(t, "opencode"))
	plugin := h.path(plan.Client.Also[0])
	_, left := h.Apply(ctx, j, plan)
	require.Empty(t, left)
	text := textOf(t, plugin)
	require.Contains(t, text, `const program = "/opt/choicetui";`)
	require.True(t, h.Survey(clientOf(t, "opencode")).Nothing(), "a second run changes nothing")
	require.Equal(t, OwnHere, OwnAsks(h, clientOf(t, "opencode")))

	require.NoError(t, os.WriteFile(plugin, []byte("// choicetui: an older one\n"), 0o600))
	require.Equal(t, OwnThere, OwnAsks(h, clientOf(t, "opencode")))
	_, left = h.Apply(ctx, j, h.Survey(clientOf(t, "opencode")))
	require.Empty(t, left)
	require.Equal(t, text, textOf(t, plugin), "an older one is brought up to date")
	require.NoError(t, os.WriteFile(plugin, []byte("// choicetui: changed by hand\n"), 0o600))

	removals := h.Removals(j, []string{"opencode"})
	require.Len(t, removals, 1)
	require.Len(t, removals[0].Left, 1, "what was changed by hand meanwhile is left alone")
	left = h.Remove(ctx, j, removals[0])
	require.Len(t, left, 1)
	require.Equal(t, plugin+":1:1: this file was changed after choicetui added it; delete it yourself", left[0].Words())
	require.Equal(t, "{}\n", textOf(t, own), "the rest is removed")
	require.NoError(t, os.Remove(plugin))
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.NoFileExists(t, plugin)
}

func TestOpencodesPluginServesBothVersionsAndWhatIsBuiltOnIt(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	before := "{\n  \"share\": \"disabled\"\n}\n"
	own := h.have(t, ".config/opencode/opencode.json", before)
	first, second := clientOf(t, "opencode"), clientOf(t, "opencode2")
	first.Also[0].Whole = "// choicetui: an older one\nexport const Choicetui = 1\n"
	_, left := h.Apply(ctx, j, h.Survey(first))
	require.Empty(t, left)
	plugin := h.path(second.Also[0])
	require.Equal(t, plugin, UnloadedPlugin(h, second))
	require.Empty(t, UnloadedPlugin(h, first), "version 1 loads it")
	_, left = h.Apply(ctx, j, h.Survey(second))
	require.Empty(t, left)
	require.Empty(t, UnloadedPlugin(h, second))
	require.Equal(t, OwnHere, OwnAsks(h, second))
	text := textOf(t, plugin)
	for _, id := range []string{"kilo", "mimo"} {
		h.have(t, strings.TrimPrefix(clientOf(t, id).Server.File, "~/"), "{}\n")
		_, left = h.Apply(ctx, j, h.Survey(clientOf(t, id)))
		require.Empty(t, left)
		require.Equal(t, text, textOf(t, h.path(clientOf(t, id).Also[0])), "the same file")
	}
	for _, r := range h.Removals(j, []string{"opencode", "opencode2", "kilo", "mimo"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.NoFileExists(t, plugin)
	require.Equal(t, before, textOf(t, own))
	require.NoFileExists(t, h.path(clientOf(t, "kilo").Also[0]))
}

func TestAPluginThatIsThePersonsOwnStays(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	h.have(t, ".config/opencode/opencode.json", "{}\n")
	own := h.have(t, ".config/opencode/plugins/choicetui.js", "export const Mine = 1\n")
	plan := h.Survey(clientOf(t, "opencode"))
	require.Len(t, plan.Left, 1)
	require.Contains(t, plan.Left[0].Words(), "choicetui did not write this file")
	_, _ = h.Apply(ctx, j, plan)
	require.Equal(t, "export const Mine = 1\n", textOf(t, own))
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, "export const Mine = 1\n", textOf(t, own))
}

func TestThePluginGoesWithTheDirectoryThatWasMadeForIt(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := backups(t, h)
	h.have(t, ".config/opencode/opencode.json", "{ }\n")
	plugin := h.path(clientOf(t, "opencode").Also[0])
	_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "opencode")))
	require.Empty(t, left)
	require.FileExists(t, plugin)
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.NoFileExists(t, plugin)
	require.NoDirExists(t, strings.TrimSuffix(plugin, "/choicetui.js"))
}

// codexMore holds the lines of Codex's entry besides its command.
const codexMore = "env_vars = ['TMUX', 'TMUX_PANE', 'CHOICETUI_QUEUE', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME']\ntool_timeout_sec = 86400\n"

// inPart maps the agents whose hooks bring only a part of their prompts here to settings that are set up already.
var inPart = map[string]string{"codex": "# mine\n[mcp_servers.choicetui]\ncommand = '/opt/choicetui'\nargs = ['mcp']\n" + codexMore, "gemini": "{ // mine\n  \"hooks\": {\"BeforeTool\": []}\n}\n",
	"qwen": "{\"model\":{\"name\":\"m\"}}", "copilot": "{\"mcpServers\":{}}\n"}

func TestHooksThatBringOnlyAPartArePutInWhereTheyAreChosen(t *testing.T) {
	for id, before := range inPart {
		t.Run(id, func(t *testing.T) {
			ctx, h := context.Background(), host(t)
			j, c := backups(t, h), clientOf(t, id)
			server := h.have(t, strings.TrimPrefix(c.Server.File, "~/"), before)
			_, left := h.Apply(ctx, j, h.Survey(c))
			require.Empty(t, left)
			require.Empty(t, h.commandsIn(c, c.Native.Target), "not by itself")
			require.Equal(t, OwnThere, OwnAsks(h, c))

			h.Native = PutsIn
			_, left = h.Apply(ctx, j, h.Survey(c))
			require.Empty(t, left)
			require.NotEmpty(t, h.commandsIn(c, c.Native.Target))
			for _, command := range h.commandsIn(c, c.Native.Target) {
				require.Equal(t, "exec /opt/choicetui hook "+id+" --timeout 86400", command)
			}
			require.True(t, h.Survey(c).Nothing(), "a second run changes nothing")
			h.Native = Keeps
			require.True(t, h.Survey(c).Nothing(), "nor does one that says nothing of it")
			h.Program = "/new/choicetui"
			all := agents.Clients(h.Program)
			at := slices.IndexFunc(all, func(c agent.Client) bool { return c.ID == id })
			_, left = h.Apply(ctx, j, h.Survey(all[at]))
			require.Equal(t, id == "codex", len(left) > 0, "its server is started by the old one still")
			require.Contains(t, h.commandsIn(c, c.Native.Target)[0], "/new/choicetui", "but brings it up to date")

			if id == "codex" {
				before = "# mine\n"
			}
			h.takenOutByHand(t, id)
			for _, r := range h.Removals(j, []string{id}) {
				require.Empty(t, h.Remove(ctx, j, r))
			}
			require.Equal(t, before, textOf(t, server))
			if hooks := h.path(c.Native.Target); hooks != server {
				require.NoFileExists(t, hooks)
			}
		})
	}
}

func TestOnlyTheHooksAreTakenOutAgain(t *testing.T) {
	for id, before := range inPart {
		ctx, h := context.Background(), host(t)
		j, c := backups(t, h), clientOf(t, id)
		server := h.have(t, strings.TrimPrefix(c.Server.File, "~/"), before)
		h.Gate = GateOwn
		_, left := h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left)
		text := textOf(t, server)
		h.Native = PutsIn
		_, left = h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left)
		h.Gate, h.Native = GateOff, TakesOut
		_, left = h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left)
		require.Empty(t, h.commandsIn(c, c.Native.Target), id)
		require.Equal(t, c.Gate.File != "", len(h.commandsIn(c, c.Gate.Target)) > 0, "the gate stays")
		require.Equal(t, strings.Count(text, "choicetui"), strings.Count(textOf(t, server), "choicetui"), id)
		require.True(t, h.Survey(c).Nothing(), id)
	}
}

func TestHooksOfCodexNeedThePersonsTrust(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j, c := backups(t, h), clientOf(t, "codex")
	h.knowsByHand(t, "codex")
	server := h.path(c.Server)
	h.Native = PutsIn
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	require.Equal(t, OwnMistrust, OwnAsks(h, c))
	h.have(t, ".codex/config.toml", textOf(t, server)+"\n[hooks.state.\""+h.path(c.Native.Target)+
		":permission_request:0:0\"]\ntrusted_hash = \"sha256:00\"\n")
	require.Equal(t, OwnHere, OwnAsks(h, c))
}

func TestThePersonReadsThatAVariableCountsForAllTheirServersWhereItIsPutIn(t *testing.T) {
	h := host(t)
	path := h.have(t, ".claude/settings.json", "{}\n")
	plan := h.Survey(clientOf(t, "claude"))
	require.Len(t, plan.Notes, 1)
	require.Contains(t, plan.Notes[0], "Claude keeps waiting for slow tools")
	require.NoError(t, os.WriteFile(path, []byte(`{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "5"}}`), 0o600))
	require.Empty(t, h.Survey(clientOf(t, "claude")).Notes, "what is there stays")
}

func TestAPluginThatOnlyLetsAnAgentAskBringsNoPromptsHere(t *testing.T) {
	h, a := host(t), clientOf(t, "cline")
	h.have(t, ".cline/data/settings/cline_mcp_settings.json", `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"]}}}`)
	lacks := func() []Lack { return Lacks(h, entryOf(h, a, h.path(a.Server))) }
	require.Len(t, lacks(), 1)
	require.Contains(t, lacks()[0].So, "it asks for your permission before each question, since ")
	require.Equal(t, "choicetui setup cline", lacks()[0].Remedy)
	h.have(t, ".cline/plugins/choicetui.js", a.Also[0].Whole)
	require.Empty(t, lacks())
	require.Equal(t, OwnUnknown, OwnAsks(h, a))
}

func TestAnExtensionIsPutInWhereItIsChosenAndSwitchedOffAgain(t *testing.T) {
	ctx, h, a := context.Background(), host(t), clientOf(t, "pi")
	h.have(t, ".pi/agent/mcp.json", "{}\n")
	path, j := filepath.Join(h.Home, ".pi/agent/extensions/choicetui.js"), backups(t, h)
	set := func(native Choice) {
		h.Native = native
		_, left := h.Apply(ctx, j, h.Survey(a))
		require.Empty(t, left)
	}
	set(Keeps)
	require.NoFileExists(t, path, "not by itself")
	require.Equal(t, OwnThere, OwnAsks(h, a))
	h.Native = TakesOut
	require.True(t, h.Survey(a).Nothing(), "there is nothing to switch off")
	current := a.Native.Whole
	a.Native.Whole = "// choicetui: an older one\n"
	set(PutsIn)
	require.Equal(t, OwnHere, OwnAsks(h, a))
	a.Native.Whole = current
	require.Equal(t, OwnThere, OwnAsks(h, a))
	set(Keeps)
	require.Contains(t, textOf(t, path), `const program = "/opt/choicetui";`, "but it is brought up to date")
	require.Equal(t, OwnHere, OwnAsks(h, a))
	set(TakesOut)
	require.Equal(t, agent.WholeOff, textOf(t, path))
	require.Equal(t, OwnThere, OwnAsks(h, a))
	set(Keeps)
	require.Equal(t, agent.WholeOff, textOf(t, path), "it stays off")
	for _, r := range h.Removals(j, []string{"pi"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.NoFileExists(t, path)
}

func TestAnExtensionIsInTheDirectoryThatTheAgentIsToldOf(t *testing.T) {
	h, a := host(t), clientOf(t, "pi")
	h.Env = func(name string) string { return map[string]string{"PI_CODING_AGENT_DIR": "/pi"}[name] }
	require.Equal(t, "/pi/mcp.json", h.path(a.Server))
	require.Equal(t, "/pi/extensions/choicetui.js", h.path(a.Native.Target))
}

func TestAHookOfAProgramThatIsGoneIsDead(t *testing.T) {
	h, a := host(t), clientOf(t, "claude")
	h.Find = func(name string) (string, error) {
		if name == "/opt/choicetui" || name == "claude" {
			return name, nil
		}
		return "", fs.ErrNotExist
	}
	j := backups(t, h)
	_, left := h.Apply(t.Context(), j, h.Survey(a))
	require.Empty(t, left)
	e := entryOf(h, a, h.path(a.Server))
	require.Empty(t, DeadHook(h, e))
	path := filepath.Join(h.Home, ".claude/settings.json")
	text := strings.ReplaceAll(textOf(t, path), "/opt/choicetui", "/gone/choicetui")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.Equal(t, "/gone/choicetui", DeadHook(h, e))
}
