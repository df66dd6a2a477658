package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestNoticesAreTheNewestOfEachAgentAndPromptsComeFirst(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	notice := func(instance, agent string, minute int, idle bool) queue.Presence {
		return queue.Presence{Instance: instance, Role: queue.RoleNotice,
			Origin: &queue.Origin{Client: "claude-code", Cwd: "/" + agent, Agent: agent, Dialect: queue.DialectNative},
			Notice: &queue.Notice{Says: instance, Idle: idle, At: at.Add(time.Duration(minute) * time.Minute)}}
	}
	var got []string
	for _, p := range queue.NoticesAmong([]queue.Presence{
		{Instance: "bridge", Role: queue.RoleBridge},
		{Instance: "nothing", Role: queue.RoleNotice},
		notice("idle", "a", 1, true),
		notice("asks again", "b", 5, false),
		notice("asked", "b", 2, false),
		notice("asks", "c", 3, false),
	}) {
		got = append(got, p.Instance)
	}
	require.Equal(t, []string{"asks", "asks again", "idle"}, got)
}

func TestNoticesAmong_KeepsEachPromptWithAReason(t *testing.T) {
	t.Parallel()
	notice := func(instance string, pid, minute int, why queue.Unfit) queue.Presence {
		return queue.Presence{Instance: instance, Role: queue.RoleNotice, Origin: &queue.Origin{Client: "claude-code", PID: pid},
			Notice: &queue.Notice{Says: instance, Why: why, At: time.Unix(int64(60*minute), 0)}}
	}
	var got []string
	for _, n := range queue.NoticesAmong([]queue.Presence{
		notice("says that it waits", 1, 9, ""), notice("plan", 1, 1, queue.UnfitLarge), notice("form", 1, 2, queue.UnfitSecret),
		notice("another agent", 2, 3, ""), notice("another agent, later", 2, 4, ""),
	}) {
		got = append(got, n.Instance)
	}
	require.Equal(t, []string{"plan", "form", "another agent, later"}, got,
		"what an agent only says is said by its prompts already")
}
