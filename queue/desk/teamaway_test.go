package desk_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// askingBehind returns a bench whose person left the page before the call to the team has ended.
func askingBehind(t *testing.T) (*teamBench, queue.Session) {
	b := newTeamBench(t)
	s := b.called()
	b.does((*widen.Consult).Leave)
	return b, s
}

func TestWhatIsAnsweredHereWhileTheTeamIsAskedWasNotClosedElsewhere(t *testing.T) {
	b, s := askingBehind(t)
	require.True(t, b.view.Team.On().Calls())
	require.ErrorIs(t, b.view.Team.WhyNot((*widen.Consult).Begin), widen.ErrAsking)
	require.NoError(t, b.view.Send())
	b.calm()
	require.NotNil(t, b.stored(s.ID).Outcome)
	b.team.Unasked = queue.ErrSettled
	b.run()
	assert.Zero(t, heard(b.bench, widen.Closed))
}

func TestAskingThatFailsBehindThePersonSaysWhyUnderTheTitle(t *testing.T) {
	b, _ := askingBehind(t)
	b.team.Unasked = errors.New("Widen failed: 503")
	b.run()
	assert.False(t, b.view.Team.On().Calls())
	assert.Equal(t, widen.Idle, b.view.Team.On().Stage)
	assert.EqualError(t, b.view.Team.On().Fault, "Widen failed: 503")
	assert.NoError(t, b.view.Team.WhyNot((*widen.Consult).Begin))
}
