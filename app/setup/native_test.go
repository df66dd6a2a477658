package setup

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClaudesOwnQuestionsAreHookedInAndTakenOutByteForByte(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := journal(t, h)
	before := "{ // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", " +
		"\"command\": \"lint\"}]}\n    ]\n  }\n}\n"
	own := h.have(t, ".claude/settings.json", before)
	_, left := h.Apply(ctx, j, h.Survey(agent(t, "claude")))
	require.Empty(t, left)
	text := textOf(t, own)
	require.Equal(t, 3, strings.Count(text, `"hook"`), text)
	require.Contains(t, text, `"matcher": "AskUserQuestion"`)
	require.Contains(t, text, `"command": "lint"`)
	require.True(t, h.Survey(agent(t, "claude")).Nothing(), "a second run changes nothing")
	require.Equal(t, OwnHere, OwnAsks(h, agent(t, "claude")))

	h.Gate = GateOut
	require.Empty(t, h.Survey(agent(t, "claude")).Edits, "the hooks are no gate")
	h.Gate = GateOff
	for _, r := range h.Removals(j, []string{"claude"}) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.Equal(t, before, textOf(t, own))
	require.Equal(t, OwnThere, OwnAsks(h, agent(t, "claude")))
	require.Equal(t, OwnUnknown, OwnAsks(h, agent(t, "zed")), "nothing brings it here")
}

func TestHooksAreTakenOutOfAFileThatThePersonChangedSince(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := journal(t, h)
	own := h.have(t, ".claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	_, left := h.Apply(ctx, j, h.Survey(agent(t, "claude")))
	require.Empty(t, left)
	changed := strings.Replace(textOf(t, own), `"model": "x"`, `"model": "y"`, 1)
	changed = strings.Replace(changed, `"matcher": "AskUserQuestion"`, `"matcher": "AskUserQuestion|Other"`, 1)
	require.NoError(t, os.WriteFile(own, []byte(changed), 0o600))
	for _, r := range h.Removals(j, []string{"claude"}) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.JSONEq(t, `{"model": "y"}`, textOf(t, own))
}

func TestAnotherProgramIsPutIntoTheHooksThatAreThere(t *testing.T) {
	target := agent(t, "claude").Also[0]
	after, _, err := Changed(nil, target.Format, target.Sets)
	require.NoError(t, err)
	old := strings.ReplaceAll(string(after), "/opt/choicetui", "/old x/choicetui")
	again, _, err := Changed([]byte(old), target.Format, target.Sets)
	require.NoError(t, err)
	require.Equal(t, string(after), string(again))
}

func TestOpencodesPluginIsAFileOfItsOwn(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := journal(t, h)
	h.have(t, ".config/opencode/opencode.json", "{}\n")
	plan := h.Survey(agent(t, "opencode"))
	plugin := h.path(plan.Client.Also[0])
	_, left := h.Apply(ctx, j, plan)
	require.Empty(t, left)
	text := textOf(t, plugin)
	require.Contains(t, text, `const program = "/opt/choicetui";`)
	require.True(t, h.Survey(agent(t, "opencode")).Nothing(), "a second run changes nothing")
	require.Equal(t, OwnHere, OwnAsks(h, agent(t, "opencode")))

	require.NoError(t, os.WriteFile(plugin, []byte("// choicetui: an older one\n"), 0o600))
	require.Equal(t, OwnThere, OwnAsks(h, agent(t, "opencode")))
	_, left = h.Apply(ctx, j, h.Survey(agent(t, "opencode")))
	require.Empty(t, left)
	require.Equal(t, text, textOf(t, plugin), "an older one is brought up to date")

	removals := h.Removals(j, []string{"opencode"})
	require.Len(t, removals, 1)
	require.NotEmpty(t, removals[0].Left, "what was changed by hand meanwhile is left alone")
	require.NoError(t, os.Remove(plugin))
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.NoFileExists(t, plugin)
}

func TestAPluginThatIsThePersonsOwnStays(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := journal(t, h)
	h.have(t, ".config/opencode/opencode.json", "{}\n")
	own := h.have(t, ".config/opencode/plugins/choicetui.js", "export const Mine = 1\n")
	plan := h.Survey(agent(t, "opencode"))
	require.Len(t, plan.Left, 1)
	require.Contains(t, plan.Left[0].Words(), "no file of choicetui's")
	_, _ = h.Apply(ctx, j, plan)
	require.Equal(t, "export const Mine = 1\n", textOf(t, own))
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.Equal(t, "export const Mine = 1\n", textOf(t, own))
}

func TestThePluginGoesWithTheDirectoryThatWasMadeForIt(t *testing.T) {
	ctx, h := context.Background(), host(t)
	j := journal(t, h)
	h.have(t, ".config/opencode/opencode.json", "{ }\n")
	plugin := h.path(agent(t, "opencode").Also[0])
	_, left := h.Apply(ctx, j, h.Survey(agent(t, "opencode")))
	require.Empty(t, left)
	require.FileExists(t, plugin)
	for _, r := range h.Removals(j, []string{"opencode"}) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.NoFileExists(t, plugin)
	require.NoDirExists(t, strings.TrimSuffix(plugin, "/choicetui.js"))
}
