package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAViewIsOfTheProcessThatItIsNamedAfter(t *testing.T) {
	b := newBench(t, nil)
	b.TakePresence([]queue.Presence{{Instance: "a", Role: queue.RoleAttach}, {Instance: "a-3", Role: queue.RoleDashboard},
		{Instance: "plain", Role: queue.RolePortal}})
	for view, want := range map[string]string{
		"a-1":     queue.RoleAttach,
		"a-3":     queue.RoleAttach, // the third view of the process a, not the process a-3
		"a-3-1":   queue.RoleDashboard,
		"plain-2": queue.RolePortal,
		"plain":   queue.RolePortal,
		"a-old":   "",
		"a-old-1": "",
		"gone-1":  "",
		"-1":      "",
		"7":       "",
	} {
		assert.Equal(t, want, b.RoleOfView(view), view)
	}
}

func TestWhatAPageSendsByALinkThatAnAgentWasGivenSaysSo(t *testing.T) {
	b := newBench(t, nil)
	one := b.View(desk.ViewOptions{Surface: queue.SurfaceWeb, Given: "claude", Points: true})
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.NoError(t, one.Move(time.Minute))
	b.calm()
	require.NoError(t, one.Send())
	b.calm()
	over := b.stored(s.ID)
	require.Equal(t, "claude", over.Outcome.Given)
	for _, kind := range []string{queue.EventMoved, queue.EventSettled} {
		e, _ := over.Last(kind)
		require.Equal(t, "claude", e.Given, kind)
	}
}
