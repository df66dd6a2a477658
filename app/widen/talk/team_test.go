package talk

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestThatNotEverybodyCanBeAskedIsSaid(t *testing.T) {
	for n, said := range map[int]bool{queue.MaxTeam - 1: false, queue.MaxTeam + 1: true} {
		r := newRig(t)
		r.team.members = nil
		for i := range n {
			r.team.members = append(r.team.members, queue.Member{UserID: fmt.Sprint(i), Name: fmt.Sprint("P", i)})
		}
		_, out := r.play("w", "cancel", "!cancel")
		if said {
			assert.Contains(t, out, "No more than 200 people can be asked. Whoever comes after them is left out.")
		} else {
			assert.NotContains(t, out, "can be asked")
		}
	}
}
