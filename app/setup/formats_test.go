package setup

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// These texts are the settings of each agent before and after a set-up, in the form that its documentation shows, with
// comments and an odd layout if the format allows them.
var documented = map[string]struct{ before, after string }{
	"claude": {`{
  "numStartups": 12, "theme": "dark",
  "mcpServers": {
    "github": {"type": "http", "url": "https://api.example/mcp/", "headers": {"Authorization": "Bearer ${TOKEN}"}}
  },
  "projects": {
    "/src/shop": {"mcpServers": {"choicetui": {"command": "elsewhere"}}}
  }
}
`, `{
  "numStartups": 12, "theme": "dark",
  "mcpServers": {
    "github": {"type": "http", "url": "https://api.example/mcp/", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    "choicetui": {
      "type": "stdio",
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "alwaysLoad": true,
      "timeout": 86400000
    }
  },
  "projects": {
    "/src/shop": {"mcpServers": {"choicetui": {"command": "elsewhere"}}}
  }
}
`},
	"gemini": {`{
	// Gemini reads comments
	"security": {"auth": {"selectedType": "oauth-personal"}},
	"mcpServers": {
		"git": {
			"httpUrl": "https://x.example/mcp", "timeout": 5000, /* ms */
		},
	}
}`, `{
	// Gemini reads comments
	"security": {"auth": {"selectedType": "oauth-personal"}},
	"mcpServers": {
		"git": {
			"httpUrl": "https://x.example/mcp", "timeout": 5000, /* ms */
		},
		"choicetui": {
			"command": "/opt/choicetui",
			"args": ["mcp"],
			"timeout": 86400000,
			"trust": true
		},
	},
	"hooks": {
		"Notification": [
			{
				"matcher": "ToolPermission",
				"hooks": [
					{
						"name": "choicetui",
						"type": "command",
						"command": "exec /opt/choicetui hook gemini --timeout 86400",
						"timeout": 10000
					}
				]
			}
		]
	}
}`},
	"antigravity": {`{"mcpServers":{"fs":{"serverUrl":"https://x.example/mcp","disabled":false}}}`,
		`{"mcpServers":{"fs":{"serverUrl":"https://x.example/mcp","disabled":false}, ` +
			`"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`},
	"opencode": {`{
  "$schema": "https://opencode.ai/config.json", // theirs
  "mcp": {
      "context": { "type": "remote", "url": "https://x.example/mcp" },
  },
}
`, `{
  "$schema": "https://opencode.ai/config.json", // theirs
  "mcp": {
      "context": { "type": "remote", "url": "https://x.example/mcp" },
      "choicetui": {
        "type": "local",
        "command": ["/opt/choicetui", "mcp"],
        "enabled": true,
        "timeout": 86400000
      },
  },
}
`},
	"kilo": {"{\n  \"$schema\": \"https://app.kilo.ai/config.json\"\n}\n", `{
  "$schema": "https://app.kilo.ai/config.json",
  "mcp": {
    "choicetui": {
      "type": "local",
      "command": ["/opt/choicetui", "mcp"],
      "enabled": true,
      "timeout": 86400000
    }
  }
}
`},
	"mimo": {`{"mcp": {"a": {"type": "local", "command": ["a"]}}}
`, `{"mcp": {"a": {"type": "local", "command": ["a"]}, ` +
		`"choicetui": {"type": "local", "command": ["/opt/choicetui", "mcp"], "enabled": true, "timeout": 86400000}}}
`},
	"opencode2": {`{ "mcp": { "timeout": {"request": 5}, "servers": { "a": { "type": "local", "command": ["a"] } } } }
`, `{ "mcp": { "timeout": {"request": 5}, "servers": { "a": { "type": "local", "command": ["a"] }, ` +
		`"choicetui": {"type": "local", "command": ["/opt/choicetui", "mcp"], "timeout": {"request": 86400000}} } } }
`},
	"cursor": {"{\r\n  \"mcpServers\": {\r\n    \"web\": { \"url\": \"http://localhost:3000\" }\r\n  }\r\n}",
		"{\r\n  \"mcpServers\": {\r\n    \"web\": { \"url\": \"http://localhost:3000\" },\r\n    \"choicetui\": {\r\n" +
			"      \"command\": \"/opt/choicetui\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}"},
	"vscode": {`{
    // Servers of my own
    "inputs": [{"type": "promptString", "id": "key", "password": true}],
    "servers": {
        "play": {"type": "stdio", "command": "npx", "args": ["-y", "play"], "env": {"K": "${input:key}"}}
        // "old": {}
    }
}
`, `{
    // Servers of my own
    "inputs": [{"type": "promptString", "id": "key", "password": true}],
    "servers": {
        "play": {"type": "stdio", "command": "npx", "args": ["-y", "play"], "env": {"K": "${input:key}"}},
        "choicetui": {
            "type": "stdio",
            "command": "/opt/choicetui",
            "args": ["mcp"]
        }
        // "old": {}
    }
}
`},
	"copilot": {`{
  "mcpServers": {
  }
}
`, `{
  "mcpServers": {
    "choicetui": {
      "type": "local",
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "tools": ["*"],
      "timeout": 86400000
    }
  }
}
`},
	"qwen": {"{\n \"model\": {\"name\": \"q\"}, // mine\n \"mcp\": {\"allowed\": [\"x\"]}\n}\n",
		"{\n \"model\": {\"name\": \"q\"}, // mine\n \"mcp\": {\"allowed\": [\"x\"]},\n \"mcpServers\": {\n  \"choicetui\": {\n" +
			"   \"command\": \"/opt/choicetui\",\n   \"args\": [\"mcp\"],\n   \"timeout\": 86400000,\n   \"trust\": true,\n   \"alwaysLoadTools\": true\n" +
			"  }\n }\n}\n"},
	"cline": {`{
  "mcpServers": {
    "w": { "command": "node", "args": ["/w.js"], "alwaysAllow": ["t"], "disabled": false }
  }
}`, `{
  "mcpServers": {
    "w": { "command": "node", "args": ["/w.js"], "alwaysAllow": ["t"], "disabled": false },
    "choicetui": {
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "timeout": 3600
    }
  }
}`},
	"pi": {`{
  "mcpServers": {
    "internal-tools": { "enabled": false }
  }
}
`, `{
  "mcpServers": {
    "internal-tools": { "enabled": false },
    "choicetui": {
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "exposure": "direct"
    }
  }
}
`},
	"crush": {`{
  "$schema": "https://charm.land/crush.json",
  "lsp": {"go": {"command": "gopls"}}
}
`, `{
  "$schema": "https://charm.land/crush.json",
  "lsp": {"go": {"command": "gopls"}},
  "mcp": {
    "choicetui": {
      "type": "stdio",
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "timeout": 86400
    }
  }
}
`},
	"zed": {`// Zed settings
{
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
  "context_servers": {}, // none yet
}
`, `// Zed settings
{
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
  "context_servers": {
    "choicetui": {
      "command": "/opt/choicetui",
      "args": ["mcp"],
      "env": {}
    }
  }, // none yet
}
`},
	"amp": {`{
  "amp.url": "https://x.example/",
  "amp.mcpServers": {"play": {"command": "npx", "args": ["play"]}}, "amp.tools.disable": [
    "a"]
}
`, `{
  "amp.url": "https://x.example/",
  "amp.mcpServers": {"play": {"command": "npx", "args": ["play"]}, ` +
		`"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}, "amp.tools.disable": [
    "a"]
}
`},
}

func TestTheDocumentedSettingsOfEachAgentAreAddedToAndComeBack(t *testing.T) {
	for _, c := range agents.Clients("/opt/choicetui") {
		t.Run(c.ID, func(t *testing.T) {
			if c.Server.Format != agent.JSON { // other formats have tests of their own
				return
			}
			example, ok := documented[c.ID]
			require.True(t, ok, "it has an example")
			h, ctx := host(t), context.Background()
			path := h.have(t, strings.TrimPrefix(c.Server.File, "~/"), example.before)
			j := backups(t, h)
			_, left := h.Apply(ctx, j, h.Survey(c))
			require.Empty(t, left)
			require.Equal(t, example.after, textOf(t, path))
			require.True(t, h.Survey(c).Nothing(), "a second run changes nothing")
			require.Empty(t, h.Remove(ctx, j, h.Removals(j, []string{c.ID})[0]))
			require.Equal(t, example.before, textOf(t, path))
		})
	}
}

func TestPatchText_EachLineKeepsItsEnd(t *testing.T) {
	add := []step{{[]string{"servers", "choicetui"}, `{"command": "choicetui"}`}}
	for before, after := range map[string]string{
		"{\r\n  \"a\": 1,\n  \"servers\": {\r\n    \"x\": {}\r\n  }\r\n}\r\n": "{\r\n  \"a\": 1,\n  \"servers\": {\r\n    \"x\": {},\r\n" +
			"    \"choicetui\": {\r\n      \"command\": \"choicetui\"\r\n    }\r\n  }\r\n}\r\n",
		"{\n  \"a\": 1,\r\n  \"servers\": {\n    \"x\": {}\n  }\n}\n": "{\n  \"a\": 1,\r\n  \"servers\": {\n    \"x\": {},\n" +
			"    \"choicetui\": {\n      \"command\": \"choicetui\"\n    }\n  }\n}\n",
	} {
		got, err := patchText([]byte(before), add)
		require.NoError(t, err)
		require.Equal(t, after, string(got))
	}
}

func TestAHookInOneLineBecomesTheWholeHook(t *testing.T) {
	h, a := host(t), clientOf(t, "claude")
	const before = `{"hooks": {"PreToolUse": [{"matcher": "AskUserQuestion", "hooks": [` +
		`{"type": "command", "command": "exec /opt/choicetui hook claude --timeout 600"}]}]}}`
	h.have(t, ".claude/settings.json", before)
	j := backups(t, h)
	_, left := h.Apply(t.Context(), j, h.Survey(a))
	require.Empty(t, left)
	text := textOf(t, filepath.Join(h.Home, ".claude/settings.json"))
	var doc struct {
		Hooks map[string][]struct{ Hooks []struct{ Args []string } }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.Equal(t, []string{"hook", "claude", "--timeout", "86400"}, doc.Hooks["PreToolUse"][0].Hooks[0].Args)
	require.True(t, h.Survey(a).Nothing(), "a second run changes nothing")
}
