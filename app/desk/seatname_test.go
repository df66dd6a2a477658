package desk_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestASeatIsOfTheProcessThatItIsNamedAfter(t *testing.T) {
	b := newBench(t, nil)
	b.TakePresence([]queue.Presence{{Instance: "a", Role: queue.RoleAttach}, {Instance: "a-3", Role: queue.RoleDashboard},
		{Instance: "plain", Role: queue.RolePortal}})
	for seat, want := range map[string]string{
		"a-1":     queue.RoleAttach,
		"a-3":     queue.RoleAttach, // its third seat, not the process of that name
		"a-3-1":   queue.RoleDashboard,
		"plain-2": queue.RolePortal,
		"plain":   queue.RolePortal,
		"a-old":   "",
		"a-old-1": "",
		"gone-1":  "",
		"-1":      "",
		"7":       "",
	} {
		assert.Equal(t, want, b.RoleOfSeat(seat), seat)
	}
}
