package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAgentsAreCalledByDirectoryAndClient(t *testing.T) {
	shop := Origin{Cwd: "/src/shop", Client: "claude-code", Agent: "1"}
	assert.Equal(t, "shop · claude", shop.Name())
	assert.Equal(t, "api · codex", Origin{Cwd: "/src/api", Client: "codex-mcp-client"}.Name())
	assert.Equal(t, "gemini", Origin{Client: "gemini-cli-mcp-client"}.Name())
	assert.Equal(t, "an agent", Origin{}.Name())
	reviewer := shop
	reviewer.Subagent = "rev\x1biewer"
	assert.Equal(t, "shop · claude › rev<U+001B>iewer", reviewer.Name())
	for client, want := range map[string]string{
		"qwen-cli-mcp-client-choicetui": "qwen", "gemini-cli-mcp-client-ct": "gemini", "-mcp-client-x": "-mcp-client-x",
		"@cline/core": "cline", "@google/gemini-cli": "gemini", "@x/": "@x/", "@/core": "@/core", "@cline": "@cline",
	} {
		assert.Equal(t, want, Origin{Client: client}.ClientName())
	}
	assert.Equal(t, "<U+202E>x · a<U+001B>b", Origin{Cwd: "/\u202ex", Client: "a\x1bb"}.Name())

	second, third := shop, shop
	second.Agent, second.Pane = "2", "%4"
	third.Agent, third.PID = "3", 4711
	var one, three Names
	one.Add(shop)
	one.Add(shop)
	assert.Equal(t, "shop · claude", one.Of(shop), "one agent that asks twice is not two")
	for _, o := range []Origin{shop, second, third} {
		three.Add(o)
	}
	assert.Equal(t, "shop · claude", three.Of(shop))
	assert.Equal(t, "shop · claude %4", three.Of(second))
	assert.Equal(t, "shop · claude 4711", three.Of(third))
}

func TestAnAgentThatAsksInTwoWaysHasOneName(t *testing.T) {
	bridge := Origin{Cwd: "/src/shop", Client: "codex-mcp-client", PID: 9618, Agent: "9838-5", Thread: "t1"}
	socket := Origin{Cwd: "/src/shop", Client: "codex", PID: 9618, Thread: "t1", Dialect: DialectNative}
	var names Names
	names.Add(bridge)
	names.Add(socket)
	assert.Equal(t, "shop · codex", names.Of(bridge))
	assert.Equal(t, "shop · codex", names.Of(socket))
}

func TestAgentsOfOneProcessAreToldApart(t *testing.T) {
	one := Origin{Cwd: "/src/shop", Client: "codex-mcp-client", PID: 7869, Agent: "8001-55"}
	two := one
	two.Agent = "8002-56"
	var names Names
	names.Add(one)
	names.Add(two)
	assert.Equal(t, "shop · codex 8001", names.Of(one))
	assert.Equal(t, "shop · codex 8002", names.Of(two))
}
