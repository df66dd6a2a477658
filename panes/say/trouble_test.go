package say_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// refusal is an error of a store that says what the person can do.
type refusal struct{ advice string }

func (refusal) Error() string    { return "the server is full" }
func (r refusal) Advice() string { return r.advice }

func TestAQueueThatCannotBeReadSaysWhatThePersonCanDo(t *testing.T) {
	require.Equal(t, []string{"the queue cannot be read: disk gone"}, say.QueueUnread(errors.New("disk gone")))
	require.Equal(t, []string{"the queue cannot be read: read: the server is full · free some space",
		"the queue cannot be read: read: the server is full"},
		say.QueueUnread(fmt.Errorf("read: %w", refusal{"free some space"})))
	require.Equal(t, []string{queue.ErrUnreachable.Error() + ": no route"},
		say.QueueUnread(fmt.Errorf("failed to list: %w: no route", queue.ErrUnreachable)))
}
