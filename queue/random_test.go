package queue_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// play gives a session the commands that the bytes select, one after the other, and checks after each that no rule is
// broken. The clock advances by a second, or by a minute after every eighth command.
func play(t *testing.T, s queue.Session, picks []byte) {
	t.Helper()
	claim := queue.Claim{Instance: "i", Conn: "c"}
	all := append(append(storetest.Commands(), storetest.Endings()...), queue.Collect{Claim: claim}, queue.Expire{})
	now := noon
	for i, pick := range picks[:min(len(picks), 400)] {
		now = now.Add(time.Second)
		if pick&7 == 0 {
			now = now.Add(time.Minute)
		}
		c := queue.Command{ID: fmt.Sprint("c", i), By: queue.ByHuman, Do: all[int(pick)%len(all)]}
		before := s.At(now)
		next, changed, err := queue.Transition(s, c, now)
		switch {
		case err != nil:
			require.True(t, storetest.Refused(err), "%T: %v", c.Do, err)
			require.False(t, changed)
			require.True(t, same(t, before, next), "%T was refused and changed something", c.Do)
			continue
		case changed:
			require.Empty(t, storetest.Broken(next), "%T", c.Do)
		}
		require.Equal(t, !same(t, before, next), changed, "%T says whether it changed anything", c.Do)
		requireKept(t, before, next)
		s = next
	}
	raw, err := json.Marshal(s)
	require.NoError(t, err)
	var again queue.Session
	require.NoError(t, json.Unmarshal(raw, &again))
	require.True(t, same(t, s, again))
}

// requireKept checks what no command may undo: the outcome, the trail, and that the team was asked.
func requireKept(t *testing.T, before, next queue.Session) {
	t.Helper()
	if before.Outcome != nil {
		require.Equal(t, before.Outcome, next.Outcome)
		late := before.Widen == nil && before.OwesTeam()
		require.True(t, late || same(t, queue.Session{Widen: before.Widen}, queue.Session{Widen: next.Widen}),
			"nothing happens with the team once it is over")
	}
	if before.Widen != nil {
		require.Equal(t, before.Widen.Decision, next.Widen.Decision)
		require.Equal(t, before.Widen.Team, next.Widen.Team)
	}
	require.Equal(t, before.Events, next.Events[:len(before.Events)])
}

func TestRandomCommandsBreakNoRule(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 9))
	for range storetest.Rounds(60) {
		picks := make([]byte, 1+random.IntN(300))
		for i := range picks {
			picks[i] = byte(random.IntN(256))
			if i < len(picks)/2 { // most commands before anything ends
				picks[i] %= byte(len(storetest.Commands()))
			}
		}
		play(t, asked(nil), picks)
		interview := asked(nil)
		interview.Origin.Dialect = queue.DialectInterview
		play(t, interview, picks)
	}
}

func FuzzCommandsBreakNoRule(f *testing.F) {
	f.Add([]byte{8, 9, 11, 12, 13, 14}) // asked, parked, summed up, answered
	f.Add([]byte{8, 11, 12, 11, 12, 13, 23})
	f.Add([]byte{2, 8, 0, 1, 10, 21, 25})
	f.Add([]byte{15, 8, 2, 20, 26, 16, 17, 19}) // called, asked, taken, answered, collected, told
	f.Fuzz(func(t *testing.T, picks []byte) { play(t, asked(nil), picks) })
}
