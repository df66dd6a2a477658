package desk_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

func TestWhatIsAnsweredHereWhileTheTeamIsAskedWasNotClosedElsewhere(t *testing.T) {
	b := newTeamBench(t)
	s := b.called()
	require.Equal(t, widen.Calling, b.view.Team.On().Stage)
	require.ErrorIs(t, b.view.Team.WhyNot((*widen.Consult).Begin), widen.ErrAsking)
	require.NoError(t, b.view.Send())
	b.calm()
	require.NotNil(t, b.stored(s.ID).Outcome)
	b.team.Unasked = queue.ErrSettled
	b.run()
	assert.Zero(t, heard(b.bench, widen.Closed))
}

func TestAskingThatFailsAsksAgainAndSaysWhy(t *testing.T) {
	b := newTeamBench(t)
	b.called()
	b.team.Unasked = errors.New("Widen failed: 503")
	b.run()
	assert.Equal(t, widen.Asking, b.view.Team.On().Stage)
	assert.EqualError(t, b.view.Team.On().Fault, "Widen failed: 503")
	assert.True(t, b.view.OfTeam())
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
}
