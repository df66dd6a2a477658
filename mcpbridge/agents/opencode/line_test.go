package opencode

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// opencodeRig is a plugin that is served, and what it is told.
type opencodeRig struct {
	*testing.T
	q     *queue.Queue
	in    *io.PipeWriter
	told  chan Reply
	ended chan struct{}
}

func serveRig(t *testing.T) *opencodeRig { return serveRigIn(t, "") }

// serveRigIn serves a plugin that lets dashboards read over a socket in a directory.
func serveRigIn(t *testing.T, dir string) *opencodeRig {
	r := &opencodeRig{T: t, q: queue.New(storetest.NewMemory()), told: make(chan Reply, 8), ended: make(chan struct{})}
	p := Plugin{Host: prompt.Host{Dir: dir, Dashboard: func(context.Context) bool { return true },
		Open: func(ctx context.Context) (*prompt.Intake, error) {
			return prompt.Open(ctx, call.ProcessOrigin(nil), prompt.Options{Queue: r.q, Settings: config.Default})
		}}}
	var out *io.PipeReader
	var lines io.Reader
	var told *io.PipeWriter
	lines, r.in = io.Pipe()
	out, told = io.Pipe()
	go func() {
		p.Serve(context.Background(), lines, told)
		told.Close()
		close(r.ended)
	}()
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			var reply Reply
			if json.Unmarshal(s.Bytes(), &reply) == nil {
				r.told <- reply
			}
		}
	}()
	return r
}

// asks has a session of opencode ask one question, and returns it; more adds to its line.
func (r *opencodeRig) asks(id, session, more string) queue.Session {
	r.Helper()
	_, err := fmt.Fprintf(r.in, `{"type":"question","id":%[1]q,"directory":"/src/work",%[3]s"properties":{"id":%[1]q,`+
		`"sessionID":%[2]q,"questions":[{"question":"Go?","header":"Go","options":[{"label":"Yes","description":""}]}]}}`+
		"\n", id, session, more)
	require.NoError(r, err)
	synctest.Wait()
	s, err := r.q.Store.Get(r.Context(), queue.SourceID("opencode:"+session+"/"+id))
	require.NoError(r, err)
	return s
}

// sends offers a line to the agent that asked.
func (r *opencodeRig) sends(to queue.Origin, text string) (id string, sent chan error) {
	r.Helper()
	draft := queue.NewMessage(to, text)
	draft.Claim = &queue.Claim{Instance: "desk", Conn: "1"}
	s, err := r.q.Create(r.Context(), draft)
	require.NoError(r, err)
	sent = make(chan error, 1)
	go func() { sent <- prompt.OfferLine(r.Context(), r.q, s) }()
	synctest.Wait()
	return s.ID, sent
}

func (r *opencodeRig) says(line string) {
	_, err := io.WriteString(r.in, line+"\n")
	require.NoError(r, err)
}

func (r *opencodeRig) leaves() {
	require.NoError(r, r.in.Close())
	<-r.ended
}

const takesLines = `"lines":true,`

func TestALineGoesToTheSessionOfOpencodeThatAskedAndToNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serveRig(t)
		defer r.leaves()
		one := r.asks("que_1", "ses_1", takesLines)
		two := r.asks("que_2", "ses_2", takesLines)
		require.True(t, prompt.TakesLines(t.Context(), r.q, one.Origin))

		id, sent := r.sends(two.Origin, "fix \x1b[2Jthe README\n")
		told := <-r.told
		require.Equal(t, "line say", told.Kind+" "+told.Action)
		require.JSONEq(t, `{"session":"ses_2","directory":"/src/work","text":"fix [2Jthe README"}`, string(told.Body))
		select {
		case err := <-sent:
			require.Fail(t, "it is not sent before opencode took it", err)
		default:
		}
		r.says(fmt.Sprintf(`{"type":"done","id":%q,"taken":true}`, told.ID))
		require.NoError(t, <-sent)
		s, err := r.q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, queue.StatusDelivered, s.Status())
		require.Equal(t, queue.SurfaceNative, s.Outcome.Surface)
	})
}

func TestALineThatOpencodeDoesNotTakeIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serveRig(t)
		defer r.leaves()
		asked := r.asks("que_1", "ses_1", takesLines)
		id, sent := r.sends(asked.Origin, "hello")
		told := <-r.told
		r.says(fmt.Sprintf(`{"type":"done","id":%q,"taken":false}`, told.ID))
		require.ErrorIs(t, <-sent, prompt.ErrUngiven)
		s, err := r.q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, queue.StatusCancelled, s.Status())
		require.Equal(t, prompt.LineUntaken, s.Outcome.Reason)

		other := asked.Origin
		other.Thread = "ses_9"
		_, sent = r.sends(other, "hello")
		require.ErrorIs(t, <-sent, prompt.ErrUngiven, "this one never asked")
		require.Empty(t, r.told)
	})
}

func TestALineThatNobodyConfirmsIsInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serveRig(t)
		defer r.leaves()
		asked := r.asks("que_1", "ses_1", takesLines)
		begun := time.Now()
		id, sent := r.sends(asked.Origin, "hello")
		told := <-r.told
		var unsure *queue.Doubt
		require.ErrorAs(t, <-sent, &unsure)
		require.Equal(t, prompt.GivenWithin, time.Since(begun))
		s, err := r.q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "desk", s.Claim.Instance, "it is for the desk to note")
		r.says(fmt.Sprintf(`{"type":"done","id":%q,"taken":false}`, told.ID)) // too late
		synctest.Wait()
		s, err = r.q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Nil(t, s.Outcome)
	})
}

func TestALineThatNobodyPicksUpIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &opencodeRig{T: t, q: queue.New(storetest.NewMemory())}
		o := queue.Origin{Client: "opencode", Dialect: queue.DialectNative, Instance: "hangs", Thread: "ses_1"}
		id, sent := r.sends(o, "hello")
		require.ErrorIs(t, <-sent, prompt.ErrUnheard)
		s, err := r.q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, queue.Claim{Instance: "desk", Conn: "1"}, *s.Claim)
		require.Nil(t, s.Outcome)
	})
}

func TestAPluginThatDoesNotSayThatItTakesLinesGetsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serveRig(t)
		asked := r.asks("que_1", "ses_1", "")
		require.False(t, prompt.TakesLines(t.Context(), r.q, asked.Origin))
		r.asks("que_2", "ses_1", takesLines)
		require.True(t, prompt.TakesLines(t.Context(), r.q, asked.Origin))
		r.leaves()
		require.False(t, prompt.TakesLines(t.Context(), r.q, asked.Origin), "opencode is gone")
	})
}
