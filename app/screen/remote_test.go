package screen

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAHostThatIsNotConnectedIsNamedOnTheRule(t *testing.T) {
	for _, c := range []struct {
		state queue.HostState
		w     int
		says  string
	}{
		{queue.HostState{Host: "build1"}, 80, "Connecting to build1"},
		{queue.HostState{Host: "build1", Lost: true, Err: errors.New("broken pipe")}, 80, "! Connection to build1 lost, retrying"},
		{queue.HostState{Host: "build1", Lost: true, Err: errors.New("broken pipe")}, 40, "! build1 lost"},
		{queue.HostState{Host: "build1", Err: errors.New("no\x1b[31mroute")}, 120, "! build1 is not connected: no<U+001B>[31mroute"},
	} {
		b := newBench(t, c.w, 24)
		b.ask(small("Deploy?", 900), shop())
		b.desk.Take(queue.Changes{Host: &c.state}, nil)
		require.NotEmpty(t, b.rowWith(c.says), b.picture())
		b.desk.Take(queue.Changes{Host: &queue.HostState{Host: "build1", Connected: true}}, nil)
		require.Empty(t, b.rowWith("build1"), b.picture())
	}
}
