package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// pipe is a running relay in this process.
type pipe struct {
	io.Reader
	io.Writer
	close func() error
}

func (p pipe) Close() error { return p.close() }

// relayOn starts a relay on a queue. before is what its login shell prints.
func relayOn(q *queue.Queue, before string) func(context.Context) (Conn, error) {
	return func(ctx context.Context) (Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		in, toHost := io.Pipe()
		fromHost, out := io.Pipe()
		go func() {
			_, _ = io.WriteString(out, before)
			err := Serve(ctx, in, out, Host{Queue: q, Program: "test",
				Join: func(ctx context.Context, _, _ string) (queue.Watcher, error) {
					return q.Store.Watch(ctx, queue.AllNews)
				}})
			_ = out.CloseWithError(err)
			_ = in.CloseWithError(io.ErrClosedPipe)
		}()
		return pipe{fromHost, toHost, func() error {
			cancel()
			_ = toHost.Close()
			_ = fromHost.Close()
			return nil
		}}, nil
	}
}

// linked returns the connected link to a host "there".
func linked(t *testing.T, dial func(context.Context) (Conn, error)) *Link {
	t.Helper()
	l := New("there", "desk", "test", dial)
	t.Cleanup(l.Start(t.Context()))
	<-l.Ready()
	require.True(t, l.State().Connected, "%v", l.State().Err)
	return l
}

// overPipe is the store behind a relay, as the tests of stores need it: what is not offered over the relay (creating,
// writing and announcing, which processes on the host do themselves; reading all that is live at once, which a watch
// does) is done on the host's store. Its sessions have the names that they have there.
type overPipe struct {
	queue.Store
	link *Link
}

func back(s queue.Session) queue.Session {
	_, s.ID = queue.SplitID(s.ID)
	s.Origin.Remote, s.Origin.Host = false, ""
	s.Origin.Instance = strings.TrimPrefix(s.Origin.Instance, "there/")
	if s.Claim != nil {
		s.Claim.Instance = strings.TrimPrefix(s.Claim.Instance, "there/")
	}
	if s.Attached != nil {
		s.Attached.Instance = strings.TrimPrefix(s.Attached.Instance, "there/")
	}
	return s
}

// hostOf keeps the one field that the relay replaces.
func (o overPipe) hostOf(ctx context.Context, s queue.Session) queue.Session {
	if was, err := o.Store.Get(context.WithoutCancel(ctx), s.ID); err == nil {
		s.Origin.Host = was.Origin.Host
	}
	return s
}

func (o overPipe) Get(ctx context.Context, id string) (queue.Session, error) {
	if err := ctx.Err(); err != nil {
		return queue.Session{}, err
	}
	s, err := o.link.Get(ctx, queue.RemoteID("there", id))
	if s.ID == "" {
		return s, err
	}
	return o.hostOf(ctx, back(s)), err
}

func (o overPipe) Archive(ctx context.Context, s queue.Session) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.ID = queue.RemoteID("there", s.ID)
	return o.link.Archive(ctx, s)
}

func (o overPipe) History(ctx context.Context, cursor string, limit int, fields queue.Fields) ([]queue.Session, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	page, next, err := o.link.History(ctx, cursor, limit, fields)
	for i, s := range page {
		page[i] = o.hostOf(ctx, back(s))
	}
	return page, next, err
}

func (o overPipe) CountHistory(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return o.link.CountHistory(ctx)
}

func (o overPipe) SaveDraft(ctx context.Context, d queue.Draft) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.Session = queue.RemoteID("there", d.Session)
	return o.link.SaveDraft(ctx, d)
}

func (o overPipe) Drafts(ctx context.Context, id string) ([]queue.Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	list, err := o.link.Drafts(ctx, queue.RemoteID("there", id))
	for i := range list {
		_, list[i].Session = queue.SplitID(list[i].Session)
		list[i].Instance = strings.TrimPrefix(list[i].Instance, "there/")
	}
	return list, err
}

func (o overPipe) DropDraft(ctx context.Context, id, instance string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return o.link.DropDraft(ctx, queue.RemoteID("there", id), instance)
}

// arrived waits until the link knows what the host's store has: a watch begins with what has arrived.
func (o overPipe) arrived(ctx context.Context) {
	l := o.link
	for ctx.Err() == nil {
		live, _, _ := o.Store.Live(ctx)
		l.mu.Lock()
		same := len(live) == len(l.sessions)
		for _, s := range live {
			same = same && l.sessions[queue.RemoteID("there", s.ID)].Revision == s.Revision
			drafts, _ := o.Store.Drafts(ctx, s.ID)
			for _, d := range drafts {
				same = same && l.drafts[queue.RemoteID("there", s.ID)+" there/"+d.Instance].Reason == d.Reason
			}
		}
		l.mu.Unlock()
		if same {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (o overPipe) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.arrived(ctx)
	var remote []string
	for _, id := range ids {
		remote = append(remote, queue.RemoteID("there", id))
	}
	w, err := o.link.Watch(ctx, news, remote...)
	return watchedOver{w, o}, err
}

type watchedOver struct {
	queue.Watcher
	o overPipe
}

func (w watchedOver) Next(ctx context.Context) (queue.Changes, error) {
	ch, err := w.Watcher.Next(ctx)
	for i, s := range ch.Sessions {
		ch.Sessions[i] = w.o.hostOf(ctx, back(s))
	}
	for i, id := range ch.Gone {
		_, ch.Gone[i] = queue.SplitID(id)
	}
	for i := range ch.Drafts {
		_, ch.Drafts[i].Session = queue.SplitID(ch.Drafts[i].Session)
		ch.Drafts[i].Instance = strings.TrimPrefix(ch.Drafts[i].Instance, "there/")
	}
	return ch, err
}

func TestTheRelaysPartOfAStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) queue.Store {
		there := storetest.NewMemory()
		return overPipe{there, linked(t, relayOn(queue.New(there), ""))}
	})
}

// awayFrom returns a host's queue with one question, whose clock is ahead of this machine's.
func awayFrom(t *testing.T, ahead time.Duration) (*queue.Queue, queue.Session) {
	t.Helper()
	store := storetest.NewMemory()
	q := queue.New(store)
	q.Now = func() time.Time { return time.Now().Add(ahead) }
	s, err := q.Create(t.Context(), queue.Session{Ask: storetest.Ask(), Origin: queue.Origin{Client: "claude-code",
		Host: "h", Instance: "bridge"}, Claim: &queue.Claim{Instance: "bridge", Conn: "c"}})
	require.NoError(t, err)
	return q, s
}

func TestASessionOfAnotherHostIsKnownByNamesOfItsOwn(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	here := queue.New(linked(t, relayOn(remote, "Welcome to there!\n\x1b[31mno newline behind this")))
	got, err := here.Store.Get(t.Context(), "there/"+s.ID)
	require.NoError(t, err)
	require.Equal(t, "there/"+s.ID, got.ID)
	require.Equal(t, "there", got.Origin.Host)
	require.True(t, got.Origin.Remote)
	require.Equal(t, "there/bridge", got.Origin.Instance)
	require.Equal(t, "there/bridge", got.Claim.Instance)
	live, _, err := here.Store.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
	require.NoError(t, here.Sweep(t.Context(), live), "what is overdue there is none of our business")
}

func TestACommandIsDecidedOnItsHostAndOnlyOnce(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	here := queue.New(linked(t, relayOn(remote, "")))
	c := queue.Command{ID: "once", By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: storetest.Answer("a")}}
	for range 2 {
		done, err := here.Do(t.Context(), "there/"+s.ID, c)
		require.NoError(t, err)
		require.Equal(t, queue.StatusSelected, done.Status())
	}
	stored, err := remote.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.ByHuman, stored.Outcome.By)
	require.Len(t, stored.Events, 2)

	late, err := here.Do(t.Context(), "there/"+s.ID, queue.Command{Do: queue.Cancel{}})
	require.ErrorIs(t, err, queue.ErrSettled)
	require.Equal(t, queue.StatusSelected, late.Status(), "whoever comes too late is told who won")
}

func TestAWrongAnswerIsRefusedThereWithItsProblems(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	here := queue.New(linked(t, relayOn(remote, "")))
	_, err := here.Do(t.Context(), "there/"+s.ID, queue.Command{Do: queue.Settle{Answer: storetest.Answer("nothing such")}})
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad)
	require.NotEmpty(t, bad.Problems)
}

func TestAnErrorOfTheHostsDiskNamesTheHost(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	here := queue.New(linked(t, relayOn(queue.New(fullDisk{remote.Store}), "")))
	_, err := here.Do(t.Context(), "there/"+s.ID, queue.Command{Do: queue.Cancel{}})
	require.EqualError(t, err, "there: no space left on device")
	require.EqualError(t, here.Store.SaveDraft(t.Context(), queue.Draft{Session: "there/" + s.ID, Instance: "desk"}),
		"there: no space left on device")
}

// fullDisk is a store on a disk that is full.
type fullDisk struct{ queue.Store }

func (fullDisk) Put(context.Context, queue.Session) (queue.Session, error) {
	return queue.Session{}, fmt.Errorf("failed to write: %w", &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC})
}

func (fullDisk) SaveDraft(context.Context, queue.Draft) error {
	return fmt.Errorf("failed to write: %w", &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC})
}

func TestOnlyAPersonsCommandsAreAccepted(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	h := linked(t, relayOn(remote, ""))
	for _, do := range []queue.Action{queue.Collect{}, queue.Take{}, queue.Expire{}, queue.Elsewhere{},
		queue.Abandon{}, queue.Deliver{}} {
		_, err := queue.New(h).Do(t.Context(), "there/"+s.ID, queue.Command{Do: do})
		require.ErrorIs(t, err, queue.ErrRefused, "%T", do)
	}
	for _, raw := range []order{
		{ID: "a", Do: "Collect", With: json.RawMessage(`{}`)}, {ID: "rule-x", Do: "Cancel", With: json.RawMessage(`{}`)},
		{ID: "../x", Do: "Cancel", With: json.RawMessage(`{}`)}, {ID: "a", Do: "Cancel", With: json.RawMessage(`[]`)},
		{ID: "a", Do: "Settle", With: json.RawMessage(`{"Rule":"x"}`)},
	} {
		_, err := h.call(t.Context(), "command", about{ID: s.ID, Order: raw})
		require.ErrorIs(t, err, queue.ErrRefused, "%+v", raw)
	}
	err := h.Call(t.Context(), "read_file", map[string]string{"path": "/etc/passwd"}, nil)
	require.ErrorContains(t, err, "does not know")
	got, err := remote.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, got.Revision)
}

func TestTimesOfAHostWithAnotherClockAreTranslated(t *testing.T) {
	t.Parallel()
	const ahead = time.Hour
	remote, s := awayFrom(t, ahead)
	here := queue.New(linked(t, relayOn(remote, "")))
	got, err := here.Store.Get(t.Context(), "there/"+s.ID)
	require.NoError(t, err)
	require.WithinDuration(t, s.Deadline.Add(-ahead), got.Deadline, time.Second)
	require.WithinDuration(t, time.Now(), got.AskedAt, 2*time.Second)
	require.WithinDuration(t, time.Now(), got.Events[0].At, 2*time.Second)

	to := time.Now().Add(20 * time.Minute).Truncate(time.Millisecond).UTC()
	moved, err := here.Do(t.Context(), got.ID, queue.Command{By: queue.ByHuman, Do: queue.Move{To: to}})
	require.NoError(t, err)
	require.WithinDuration(t, to, moved.Deadline, time.Second)
	_, until, _ := strings.Cut(moved.Events[1].Detail, " to ")
	said, err := time.Parse(time.RFC3339, until)
	require.NoError(t, err, moved.Events[1].Detail)
	require.WithinDuration(t, to, said, 2*time.Second, "also in the trail")
	stored, err := remote.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.WithinDuration(t, to.Add(ahead), stored.Deadline, time.Second)
	later, err := here.Do(t.Context(), got.ID, queue.Command{By: queue.ByHuman, Do: queue.Later{}})
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("until %s, deadline +600s to %s", later.LaterUntil.Format(time.RFC3339),
		later.Deadline.Format(time.RFC3339)), later.Events[2].Detail)
}

func TestTimesFollowAHostWhoseClockIsSet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		remote, s := awayFrom(t, 0)
		var ahead atomic.Int64
		remote.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		h := linked(t, relayOn(remote, ""))
		before, _, err := h.Live(t.Context())
		require.NoError(t, err)
		ahead.Store(int64(time.Hour))
		time.Sleep(2 * pingEvery)
		live, _, err := h.Live(t.Context())
		require.NoError(t, err)
		require.True(t, live[0].Origin.Remote)
		require.WithinDuration(t, s.Deadline.Add(-time.Hour), live[0].Deadline, time.Second)
		require.WithinDuration(t, s.AskedAt.Add(-time.Hour), live[0].Events[0].At, time.Second)
		require.WithinDuration(t, s.AskedAt, before[0].Events[0].At, time.Second, "what was read is not changed")
	})
}

func TestEveryTimeOfASessionIsShifted(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	var s queue.Session
	fill(reflect.ValueOf(&s).Elem(), at)
	before := strings.Count(asJSON(t, s), "2026-11-24T12:00:00Z")
	require.Greater(t, before, 10)
	shiftTimes(reflect.ValueOf(&s), time.Hour)
	require.Zero(t, strings.Count(asJSON(t, s), "2026-11-24T12:00:00Z"))
	require.Equal(t, before, strings.Count(asJSON(t, s), "2026-11-24T13:00:00Z"))
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// fill sets every time in v, and makes what pointers and slices would have.
func fill(v reflect.Value, at time.Time) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(at))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), at)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), at)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), at)
			}
		}
	}
}

func TestALostConnectionKeepsWhatWasSeenAndIsMadeAgain(t *testing.T) {
	t.Parallel()
	remote, s := awayFrom(t, 0)
	var broken atomic.Bool
	var mu sync.Mutex
	var last Conn
	dial := func(ctx context.Context) (Conn, error) {
		if broken.Load() {
			return nil, fmt.Errorf("no route to host")
		}
		c, err := relayOn(remote, "")(ctx)
		mu.Lock()
		last = c
		mu.Unlock()
		return c, err
	}
	h := linked(t, dial)
	here := queue.New(h)
	w, err := h.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	first, err := w.Next(t.Context())
	require.NoError(t, err)
	require.Len(t, first.Sessions, 1)

	broken.Store(true)
	mu.Lock()
	_ = last.Close()
	mu.Unlock()
	await := func(is func(queue.Changes) bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for {
			ch, err := w.Next(ctx)
			require.NoError(t, err)
			if is(ch) {
				return
			}
		}
	}
	await(func(ch queue.Changes) bool { return ch.Host != nil && ch.Host.Lost })
	_, err = here.Do(t.Context(), "there/"+s.ID, queue.Command{ID: "again", Do: queue.Cancel{}})
	require.ErrorIs(t, err, queue.ErrUnreachable, "an answer given meanwhile is kept at the desk and tried again")
	live, _, err := h.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1, "the question stays")

	made := storetest.Create(t, remote.Store)
	_, err = remote.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
	require.NoError(t, err)
	gone, err := remote.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller,
		Do: queue.Collect{Claim: queue.Claim{Instance: "bridge", Conn: "c"}}})
	require.NoError(t, err)
	require.NoError(t, remote.Store.Archive(t.Context(), gone))
	broken.Store(false)
	seen, left := false, false
	await(func(ch queue.Changes) bool {
		for _, v := range ch.Sessions {
			seen = seen || v.ID == "there/"+made.ID
		}
		for _, id := range ch.Gone {
			left = left || id == "there/"+s.ID
		}
		return seen && left
	})
}

func TestASilentHostIsLeftAndASilentDashboardToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		remote, _ := awayFrom(t, 0)
		var frozen atomic.Bool
		dial := func(ctx context.Context) (Conn, error) {
			c, err := relayOn(remote, "")(ctx)
			if err != nil {
				return nil, err
			}
			p := c.(pipe)
			in, out := io.Pipe()
			go func() {
				b := make([]byte, 4096)
				for {
					n, err := p.Reader.Read(b)
					if err != nil {
						_ = out.CloseWithError(err)
						return
					}
					if !frozen.Load() {
						_, _ = out.Write(b[:n])
					}
				}
			}()
			return pipe{in, p.Writer, func() error { _ = in.Close(); return p.close() }}, nil
		}
		l := New("there", "desk", "", dial)
		stop := l.Start(t.Context())
		<-l.Ready()
		require.True(t, l.State().Connected)
		time.Sleep(time.Minute)
		require.True(t, l.State().Connected, "pings keep it")
		frozen.Store(true)
		time.Sleep(25 * time.Second)
		require.False(t, l.State().Connected)
		require.True(t, l.State().Lost)
		frozen.Store(false)
		time.Sleep(time.Minute)
		require.True(t, l.State().Connected, "it was connected again")
		stop()

		in, toHost := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- Serve(t.Context(), in, io.Discard, Host{Queue: remote})
		}()
		time.Sleep(20 * time.Second)
		require.ErrorIs(t, <-ended, errSilent)
		_ = toHost.Close()
		_ = in.Close()
		synctest.Wait()
	})
}

// scripted returns a connection on which a hostile host says something after its greeting.
func scripted(says string) func(context.Context) (Conn, error) {
	return func(context.Context) (Conn, error) {
		in, toHost := io.Pipe()
		fromHost, out := io.Pipe()
		go func() {
			dec := json.NewDecoder(in)
			_, _ = fmt.Fprintf(out, "%s{\"version\":1}\n", Greeting)
			for {
				var r request
				if dec.Decode(&r) != nil {
					return
				}
				_, _ = fmt.Fprintf(out, `{"now":%q,"re":%d}`+"\n", time.Now().UTC().Format(time.RFC3339Nano), r.N)
				if r.Do == "hello" {
					_, _ = io.WriteString(out, says)
				}
			}
		}()
		return pipe{fromHost, toHost, func() error { _ = in.Close(); _ = out.Close(); return nil }}, nil
	}
}

func TestAHostileHostSpeaksOnlyForItself(t *testing.T) {
	t.Parallel()
	good := storetest.NewMemory()
	s := storetest.Create(t, good)
	doc := func(change func(*queue.Session)) string {
		v := s
		change(&v)
		return asJSON(t, v)
	}
	many := s
	many.Events = make([]queue.Event, queue.MaxEvents+1)
	docs := []string{
		doc(func(v *queue.Session) { v.ID = "../../etc" }), doc(func(v *queue.Session) { v.ID = "other/k7f3m2qx" }),
		doc(func(v *queue.Session) { v.Ask.Questions = nil }), doc(func(v *queue.Session) { v.Ask.Title = "" }),
		doc(func(v *queue.Session) { v.Ask.Title = strings.Repeat("x", 1<<20) }), asJSON(t, many), `{}`, `[]`, `7`, `null`,
	}
	says := `{"now":"2026-11-24T12:00:00Z","changes":{"first":true,"sessions":[` + strings.Join(docs, ",") + `],` +
		`"gone":["../x"],"drafts":[{"session":"../x","instance":"y"}],` +
		`"present":[{"instance":"../../x","role":"dashboard"},{"instance":"desk","role":"bridge"},{"instance":"ok","role":"bridge"}]}}` + "\n"
	h := New("evil", "desk", "", scripted(says))
	t.Cleanup(h.Start(t.Context()))
	<-h.Ready()
	live, _, err := h.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)
	present, err := h.Present(t.Context())
	require.NoError(t, err)
	require.Len(t, present, 1)
	require.Equal(t, "evil/ok", present[0].Instance)
	require.True(t, present[0].Remote)
}

func TestAHostThatSendsTooMuchIsLeft(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{
		"a long line":  strings.Repeat("x", mostFrame+1) + "\n",
		"no JSON":      "hello?\n",
		"half a frame": `{"now":`,
	} {
		l := New("evil", "desk", "", scripted(says+strings.Repeat("\n", 2)))
		stop := l.Start(t.Context())
		require.Eventually(t, func() bool { s := l.State(); return !s.Connected && s.Err != nil }, 30*time.Second,
			10*time.Millisecond, name)
		stop()
	}
	in := io.MultiReader(strings.NewReader(strings.Repeat("noise\n", mostNoise/6+10)),
		strings.NewReader(Greeting+`{"version":1}`+"\n"))
	require.ErrorIs(t, readGreeting(bufio.NewReader(in)), errTooLong)
}

// Each host has a share of the memory, so that one that sends too much is left and shuts out no other.
func TestAllHostsTogetherTakeABoundedAmountOfMemory(t *testing.T) {
	t.Parallel()
	s := storetest.Create(t, storetest.NewMemory())
	says := func(n int) string {
		var all strings.Builder
		for i := range n {
			v := s
			v.ID, v.Ask.Prompt = fmt.Sprintf("aa%06d", i), strings.Repeat("x", 32<<10)
			fmt.Fprintf(&all, `{"now":"2026-11-24T12:00:00Z","changes":{"first":true,"more":%t,"sessions":[%s]}}`+"\n",
				i < n-1, asJSON(t, v))
		}
		return all.String()
	}
	content := map[string]string{"bad": says(mostBytes / (36 << 10)), "good": says(3)}
	h := NewHosts(queue.New(storetest.NewMemory()))
	t.Cleanup(h.Close)
	link := func(host, _ string) *Link { return New(host, "desk", "", scripted(content[host])) }
	h.Keep(t.Context(), map[string]string{"bad": "", "good": ""}, link)
	bad := h.Link("bad")
	require.Eventually(t, func() bool {
		state := bad.State()
		return !state.Connected && state.Err != nil && strings.Contains(state.Err.Error(), "too many questions")
	}, 30*time.Second, 10*time.Millisecond)
	<-h.Link("good").Ready()
	live, _, err := h.Link("good").Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 3)
	require.LessOrEqual(t, bad.taken, mostBytes/2)
}

func TestADashboardKeepsAFewDraftsOfAUsualSize(t *testing.T) {
	t.Parallel()
	store := storetest.NewMemory()
	s := storetest.Create(t, store)
	draft := func(instance, text string) error {
		return saveDraft(t.Context(), store, queue.Draft{Session: s.ID, Instance: instance,
			Answer: queue.Answer{Comment: text}})
	}
	require.ErrorIs(t, draft("long", strings.Repeat("x", mostDraft)), queue.ErrRefused)
	for i := range mostDrafts {
		require.NoError(t, draft(fmt.Sprint("i", i), "x"))
	}
	require.ErrorIs(t, draft("more", "x"), queue.ErrRefused)
	require.NoError(t, draft("i0", "changed"), "one that is kept already")
}

func TestACommandThatPassesNoInputOnIsExplained(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	l := New("box", "desk", "", func(ctx context.Context) (Conn, error) { // as docker exec without -i
		fromHost, out := io.Pipe()
		go func() {
			_ = Serve(ctx, strings.NewReader(""), out, Host{Queue: q})
			_ = out.Close()
		}()
		return pipe{fromHost, io.Discard, func() error { return nil }}, nil
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go l.Run(ctx)
	<-l.Ready()
	require.ErrorIs(t, l.State().Err, errNoInput)
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte(`{"now":"2026-11-24T12:00:00Z","changes":{"first":true,"sessions":[{"id":"k7f3m2qx"}]}}`))
	f.Add([]byte(`{"re":1,"error":{"code":"invalid","text":"x","problems":[{}]},"result":{}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		l := New("there", "desk", "", nil)
		w := &watcher{bell: make(chan struct{}, 1), sessions: map[string]queue.Session{}, gone: map[string]bool{},
			drafts: map[string]queue.Draft{}}
		l.watchers[w] = true
		var fr frame
		if json.Unmarshal(line, &fr) != nil {
			return
		}
		_ = l.takeFrame(fr)
		_ = fr.Error.err()
		for id, s := range l.sessions {
			host, own := queue.SplitID(id)
			if host != "there" || !queue.ValidID(own) || !s.Origin.Remote || s.Origin.Host != "there" {
				t.Fatalf("it speaks for another host: %q", id)
			}
		}
		if bytes.ContainsAny([]byte(fmt.Sprint(fr.Error.err())), "\x1b\x07") {
			t.Fatal("raw bytes in an error")
		}
	})
}
