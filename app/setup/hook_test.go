package setup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

func TestAPromptHookIsOneOfAListAndNothingElseMoves(t *testing.T) {
	const ours = "/opt/choicetui gate --hook claude"
	for _, c := range []struct{ name, before, after string }{
		{"no file yet", "", "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          {\n" +
			"            \"type\": \"command\",\n            \"command\": \"" + ours + "\",\n            \"timeout\": 10\n" +
			"          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{"a hook of the person's, in one line", `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "x"}]}]}}`,
			`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "x"}]}, ` +
				`{"hooks": [{"type": "command", "command": "` + ours + `", "timeout": 10}]}]}}`},
		{"an empty list", "{\n\t\"hooks\": {\n\t\t\"UserPromptSubmit\": []\n\t}\n}\n",
			"{\n\t\"hooks\": {\n\t\t\"UserPromptSubmit\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n" +
				"\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"" + ours + "\",\n\t\t\t\t\t\t\"timeout\": 10\n" +
				"\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n"},
		{"several lines with comments",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      // mine\n      {\"hooks\": []}, // the first\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      // mine\n      {\"hooks\": []}, // the first\n      {\n" +
				"        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"" + ours + "\",\n" +
				"            \"timeout\": 10\n          }\n        ]\n      },\n    ]\n  }\n}\n"},
		{"ours from another path, beside a word of the person's",
			`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "'/old x/choicetui' gate --hook claude --all", "timeout": 3}, {"a": 1}]}]}}`,
			`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "` + ours + `", "timeout": 3}, {"a": 1}]}]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := gateTarget(t, "claude", false)
			after, _, err := changed([]byte(c.before), target)
			require.NoError(t, err)
			require.Equal(t, c.after, string(after))
			again, _, err := changed(after, target)
			require.NoError(t, err)
			require.Equal(t, c.after, string(again), "a second time changes nothing")
		})
	}
	target := gateTarget(t, "claude", false)
	_, _, err := changed([]byte("{\"hooks\":\n{\"UserPromptSubmit\": {}}}"), target)
	require.ErrorContains(t, err, "line 2, column 22: hooks.UserPromptSubmit is not a list here")
}

// gateTarget returns the target of an agent's prompt hook.
func gateTarget(t testing.TB, id string, all bool) agent.Target {
	c := clientOf(t, id)
	c.Server, c.Also = agent.Target{}, nil
	if all {
		c = c.WithGateForAll("/opt/choicetui")
	} else {
		c = c.WithGate("/opt/choicetui")
	}
	require.Len(t, c.Also, 1, id)
	return c.Also[0]
}

// knowsByHand adds the lines that the person has to add to an agent's file by hand.
func (h Host) knowsByHand(t *testing.T, id string) {
	t.Helper()
	if c := clientOf(t, id); c.Server.Format != agent.JSON {
		h.have(t, strings.TrimPrefix(c.Server.File, "~/"), "# mine\n"+c.Head+c.Config+"\n")
	}
}

// takenOutByHand takes those lines out again.
func (h Host) takenOutByHand(t *testing.T, id string) {
	t.Helper()
	if c := clientOf(t, id); c.Server.Format != agent.JSON {
		h.have(t, strings.TrimPrefix(c.Server.File, "~/"), "# mine\n")
	}
}

// ofGate lists the agents with a prompt hook, and the file of the hook.
var ofGate = map[string]string{"claude": ".claude/settings.json", "codex": ".codex/hooks.json",
	"gemini": ".gemini/settings.json", "cursor": ".cursor/hooks.json"}

func TestAGateIsPutInOnlyWhereItIsChosenAndRemoveTakesItOut(t *testing.T) {
	for id, file := range ofGate {
		t.Run(id, func(t *testing.T) {
			ctx, h := context.Background(), host(t)
			j := backups(t, h)
			h.knowsByHand(t, id)
			own := h.have(t, file, "{ // mine\n}\n")
			_, left := h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			require.NotContains(t, textOf(t, own), "gate --hook")

			h.Gate = GateOwn
			_, left = h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			require.Contains(t, textOf(t, own), `"/opt/choicetui gate --hook `+id+`"`)
			require.True(t, h.Survey(clientOf(t, id)).Nothing(), "a second run changes nothing")
			h.Gate = GateAll
			_, left = h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			require.Equal(t, 1, strings.Count(textOf(t, own), "gate --hook"))
			require.Contains(t, textOf(t, own), `gate --hook `+id+` --all"`)
			h.Gate = GateOff
			require.True(t, h.Survey(clientOf(t, id)).Nothing(), "a choice that was made stays")

			h.takenOutByHand(t, id)
			for _, r := range h.Removals(j, []string{id}) {
				require.Empty(t, h.Remove(ctx, j, r))
			}
			require.Equal(t, "{ // mine\n}\n", textOf(t, own))
		})
	}
}

func TestAGateIsTakenOutOfAFileThatChangedSince(t *testing.T) {
	for id, file := range ofGate {
		t.Run(id, func(t *testing.T) {
			ctx, h := context.Background(), host(t)
			h.Gate = GateOwn
			h.knowsByHand(t, id)
			j := backups(t, h)
			_, left := h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			path := filepath.Join(h.Home, file)
			text := strings.Replace(textOf(t, path), "{", `{"mine": [1],`, 1)
			text = strings.Replace(text, `"timeout": 10`, `"timeout":   9`, 1) // so that the added piece has changed
			text = strings.Replace(text, `"command": "/opt/choicetui"`, `"command":   "/opt/choicetui"`, 1)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			h.takenOutByHand(t, id)
			for _, r := range h.Removals(j, []string{id}) {
				require.Empty(t, h.Remove(ctx, j, r))
			}
			require.NotContains(t, textOf(t, path), "choicetui")
			require.NotContains(t, textOf(t, path), "hooks\"")
			require.Contains(t, textOf(t, path), `"mine": [1]`)
		})
	}
}

func TestAGateFromAnotherPathIsRenewedByAnySetUp(t *testing.T) {
	h := host(t)
	h.knowsByHand(t, "codex")
	path := h.have(t, ".codex/hooks.json",
		`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "/old/choicetui gate --hook codex --all", "timeout": 10}]}]}}`)
	_, left := h.Apply(context.Background(), backups(t, h), h.Survey(clientOf(t, "codex")))
	require.Empty(t, left)
	require.Contains(t, textOf(t, path), `"/opt/choicetui gate --hook codex --all"`)
	require.NotContains(t, textOf(t, path), "/old")
}

func TestAGateIsTakenOutAloneAndTheRestComesOutLater(t *testing.T) {
	for id, file := range ofGate {
		t.Run(id, func(t *testing.T) {
			ctx, h := context.Background(), host(t)
			j := backups(t, h)
			h.knowsByHand(t, id)
			own := h.have(t, file, "{ // mine\n}\n")
			h.Gate = GateOwn
			_, left := h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			server := textOf(t, h.path(clientOf(t, id).Server))
			h.Gate = GateOut
			_, left = h.Apply(ctx, j, h.Survey(clientOf(t, id)))
			require.Empty(t, left)
			require.NotContains(t, textOf(t, own), "gate --hook")
			if file != strings.TrimPrefix(clientOf(t, id).Server.File, "~/") {
				require.Equal(t, server, textOf(t, h.path(clientOf(t, id).Server)), "the server stays")
			}
			require.True(t, h.Survey(clientOf(t, id)).Nothing(), "a second run changes nothing")
			h.Gate = GateOff
			require.True(t, h.Survey(clientOf(t, id)).Nothing(), "and it does not come back by itself")
			h.takenOutByHand(t, id)
			for _, r := range h.Removals(j, []string{id}) {
				require.Empty(t, h.Remove(ctx, j, r))
			}
			require.Equal(t, "{ // mine\n}\n", textOf(t, own))
		})
	}
}
