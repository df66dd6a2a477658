package portal

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
)

// attended records the announcements to the queue.
type attended struct {
	present, failed atomic.Int64
	refuse          atomic.Bool
}

func (a *attended) announce(context.Context) (func() error, error) {
	if a.refuse.Load() {
		return nil, errors.New("the disk is full")
	}
	a.present.Add(1)
	return func() error { a.present.Add(-1); return nil }, nil
}

func TestAPageThatSeesTheListIsPresentAndOneForAQuestionAloneIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told attended
		p := &Pages{came: make(chan struct{}, 1), o: PagesOptions{Announce: told.announce,
			Failed: func(error) { told.failed.Add(1) }}}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); p.Attend(ctx) }()

		p.countPage(door.Session{May: door.RightsQuestion, Question: "k7f3m2qx", Agent: "claude"}, 1)
		synctest.Wait()
		assert.Zero(t, told.present.Load())
		require.Equal(t, 1, p.Looking(), "it keeps the portal")

		p.countPage(door.Session{May: door.RightsAll}, 1)
		synctest.Wait()
		assert.EqualValues(t, 1, told.present.Load())

		p.countPage(door.Session{May: door.RightsAll}, -1) // the page is reloaded
		time.Sleep(reloadWithin / 2)
		p.countPage(door.Session{May: door.RightsAll}, 1)
		time.Sleep(2 * reloadWithin)
		synctest.Wait()
		assert.EqualValues(t, 1, told.present.Load())

		p.countPage(door.Session{May: door.RightsAll}, -1)
		time.Sleep(2 * reloadWithin)
		synctest.Wait()
		assert.Zero(t, told.present.Load())

		told.refuse.Store(true)
		p.countPage(door.Session{May: door.RightsAll}, 1)
		synctest.Wait()
		assert.EqualValues(t, 1, told.failed.Load())
		told.refuse.Store(false)
		time.Sleep(2 * reloadWithin)
		synctest.Wait()
		assert.EqualValues(t, 1, told.present.Load(), "it is tried again")

		stop()
		<-ended
		assert.Zero(t, told.present.Load())
	})
}
