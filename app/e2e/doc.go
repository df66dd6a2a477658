// Package e2e runs choicetui as people and agents do: real processes on real terminals, with nothing replaced.
//
//	agent_test (an MCP client) ─ stdio ─► choicetui mcp ─► the queue ◄─ choicetui, attach, answer
//	                                                                        ▲ keys   │ bytes
//	                                                tmux_test, pty_test (a person) ◄── wire_test (what is shown)
//
// It holds tests and benchmarks only. The tests need tmux: without it they are skipped, unless CHOICETUI_E2E=require.
// Under the race detector choicetui itself is built with it too, and a race it reports fails the run.
package e2e
