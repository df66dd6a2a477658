package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAnAnswerOnALineIsStoredOnceADiskThatHungIsBack(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("2")
	for range 1100 {
		b.desk.Later(func() {})
	}
	b.line(line{"", b.at})
	b.settle()
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
	require.Contains(t, b.news(), "Sent: SQLite")
}
