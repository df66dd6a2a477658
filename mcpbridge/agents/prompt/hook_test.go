package prompt

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// hookReader has the reader of an agent's hooks and the agent's name.
type hookReader struct {
	read   func([]byte, func() string) (Asked, bool)
	client string
}

// hooks lists the agents beside Claude Code whose hooks are read, by the names of their recordings.
var hooks = map[string]hookReader{
	"codex-hook": {CodexHook, "codex"}, "gemini": {Gemini, "gemini-cli"}, "qwen": {Qwen, "qwen-code"},
	"copilot": {Copilot, "copilot-cli"},
}

func TestAHookIsAnsweredInTheFormOfItsAgent(t *testing.T) {
	t.Parallel()
	for name, agent := range hooks {
		for _, r := range recordings(t, name) {
			t.Run(name+"/"+r.name, func(t *testing.T) {
				t.Parallel()
				asked, ok := agent.read(r.stdin, token)
				if !r.isAnswered(t, asked, ok) {
					return
				}
				require.Equal(t, agent.client, asked.Origin.Client)
				require.Equal(t, "/src/shop", asked.Origin.Cwd)
				require.Equal(t, "5f0e", asked.Origin.Thread)
				out := string(asked.Render(settled(t, asked, r)))
				require.Equal(t, string(r.stdout), out)
				require.True(t, out == "" || json.Valid([]byte(out)))
			})
		}
	}
}

func TestAHookAllowsAndAnswersNothingByItself(t *testing.T) {
	t.Parallel()
	for name, agent := range hooks {
		for _, r := range recordings(t, name) {
			asked, ok := agent.read(r.stdin, token)
			if !ok {
				continue
			}
			for _, o := range []*queue.Outcome{nil, {Status: queue.StatusTimeout, By: queue.ByClock},
				{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "there"},
				{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"},
				{Status: queue.StatusSelected, By: queue.ByHuman}} {
				require.Empty(t, asked.Render(queue.Session{Ask: asked.Ask, Outcome: o}), "%s/%s", name, r.name)
			}
		}
	}
}

func TestAnAgentsHookIsSilentAboutWhatAnotherAgentAsks(t *testing.T) {
	t.Parallel()
	for name, agent := range hooks {
		for other := range hooks {
			if name == other {
				continue
			}
			for _, r := range recordings(t, other) {
				if asked, ok := agent.read(r.stdin, token); ok && asked.Unfit == "" {
					require.Equal(t, "PermissionRequest", eventOf(r.stdin), "%s took %s/%s", name, other, r.name)
					require.Equal(t, queue.KindApproval, asked.Ask.Kind, "the shape that Claude Code's heirs share")
				}
			}
		}
	}
}

func eventOf(raw []byte) string {
	var event struct {
		Name string `json:"hook_event_name"`
	}
	_ = json.Unmarshal(raw, &event)
	return event.Name
}

func TestReadHook_TooMuchIsNamed(t *testing.T) {
	t.Parallel()
	hooks := maps.Clone(hooks)
	hooks["claude"] = hookReader{Claude, "claude-code"}
	for name, agent := range hooks {
		for _, r := range recordings(t, name) {
			at := strings.Index(string(r.stdin), `"tool_input"`)
			if was, ok := agent.read(r.stdin, token); at < 0 || !ok || was.Unfit != "" {
				continue
			}
			much := string(r.stdin[:at]) + `"tool_input":{"x":"` + strings.Repeat("y", MaxWhole)
			asked, ok := agent.read([]byte(much), token)
			require.True(t, ok, "%s/%s", name, r.name)
			require.Equal(t, queue.UnfitLarge, asked.Unfit, "%s/%s", name, r.name)
			require.Equal(t, agent.client, asked.Origin.Client)
			require.NotContains(t, asked.Ask.Title, "no arguments")
			_, ok = agent.read([]byte(much[:len(much)-MaxWhole]), token)
			require.False(t, ok, "half of an object is none: %s/%s", name, r.name)
			break // 16 MiB take long enough once for each agent
		}
	}
}
