package agents

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/copilot"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/pi"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/agents/qwen"
	"github.com/choicetui/choicetui/queue"
)

// hookReader has the reader of an agent's hooks and the agent's name.
type hookReader struct {
	read   func([]byte, func() string) (prompt.Asked, bool)
	client string
	one    bool // its process has one session at a time
}

// hooks lists the agents beside Claude Code whose hooks are read, by the names of their recordings.
var hooks = map[string]hookReader{
	"codex-hook": {codex.ReadHook, "codex", false}, "gemini": {gemini.Read, "gemini-cli", true},
	"qwen": {qwen.Read, "qwen-code", true}, "copilot": {copilot.Read, "copilot-cli", true}, "pi": {pi.Read, "pi", true},
}

func TestHooks_EachHasRecordings(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		if a.Hook == nil || a.ID == "claude" { // the tests of Claude's home have its recordings
			continue
		}
		_, own := hooks[a.ID]
		_, besides := hooks[a.ID+"-hook"]
		require.True(t, own || besides, "%s is not in the table hooks", a.ID)
	}
}

func TestAHookIsAnsweredInTheFormOfItsAgent(t *testing.T) {
	t.Parallel()
	for name, agent := range hooks {
		for _, r := range agenttest.All(t, name) {
			t.Run(name+"/"+r.Name, func(t *testing.T) {
				t.Parallel()
				asked, ok := agent.read(r.Stdin, agenttest.Token)
				if !r.IsAnswered(t, asked, ok) {
					return
				}
				require.Equal(t, agent.client, asked.Origin.Client)
				require.Equal(t, "/src/shop", asked.Origin.Cwd)
				require.Equal(t, "5f0e", asked.Origin.Thread)
				require.Equal(t, agent.one, asked.Origin.OneSession)
				out := string(asked.Render(agenttest.Settled(t, asked, r)))
				require.Equal(t, string(r.Stdout), out)
				require.True(t, out == "" || json.Valid([]byte(out)))
			})
		}
	}
}

func TestAHookAllowsAndAnswersNothingByItself(t *testing.T) {
	t.Parallel()
	for name, agent := range hooks {
		for _, r := range agenttest.All(t, name) {
			asked, ok := agent.read(r.Stdin, agenttest.Token)
			if !ok {
				continue
			}
			for _, o := range []*queue.Outcome{nil, {Status: queue.StatusTimeout, By: queue.ByClock},
				{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "there"},
				{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"},
				{Status: queue.StatusSelected, By: queue.ByHuman}} {
				require.Empty(t, asked.Render(queue.Session{Ask: asked.Ask, Outcome: o}), "%s/%s", name, r.Name)
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
			for _, r := range agenttest.All(t, other) {
				if asked, ok := agent.read(r.Stdin, agenttest.Token); ok && asked.Unfit == "" {
					require.Equal(t, "PermissionRequest", eventOf(r.Stdin), "%s took %s/%s", name, other, r.Name)
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
	hooks["claude"] = hookReader{claude.Read, "claude-code", true}
	for name, agent := range hooks {
		for _, r := range agenttest.All(t, name) {
			at := strings.Index(string(r.Stdin), `"tool_input"`)
			if was, ok := agent.read(r.Stdin, agenttest.Token); at < 0 || !ok || was.Unfit != "" {
				continue
			}
			much := string(r.Stdin[:at]) + `"tool_input":{"x":"` + strings.Repeat("y", prompt.MaxWhole)
			asked, ok := agent.read([]byte(much), agenttest.Token)
			require.True(t, ok, "%s/%s", name, r.Name)
			require.Equal(t, queue.UnfitLarge, asked.Unfit, "%s/%s", name, r.Name)
			require.Equal(t, agent.client, asked.Origin.Client)
			require.NotContains(t, asked.Ask.Title, "no arguments")
			_, ok = agent.read([]byte(much[:len(much)-prompt.MaxWhole]), agenttest.Token)
			require.False(t, ok, "half of an object is none: %s/%s", name, r.Name)
			break // 16 MiB take long enough once for each agent
		}
	}
}
