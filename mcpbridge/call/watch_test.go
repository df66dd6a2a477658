package call

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAWatchThatIsOverIsNotCalledBroken(t *testing.T) {
	var said []string
	life, end := context.WithCancel(t.Context())
	w := newWatch(life, queue.New(storetest.NewMemory()), func(format string, _ ...any) { said = append(said, format) })
	require.NoError(t, w.start(t.Context()))
	end()
	<-w.ended()
	require.Empty(t, said)
}
