package jetstream

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// byHand returns a bucket for writes that bypass the store.
func byHand(t *testing.T, s *Store, name string) jetstream.KeyValue {
	t.Helper()
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	kv, err := s.bucket(c, name, orMake)
	require.NoError(t, err)
	return kv
}

func TestWhatIsNoSessionIsSetAsideAndReported(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"cut off": `{"schema":1,"id":"`, "not json": "hello", "empty": "",
		"another one": `{"schema":1,"id":"zzzzzzzz","revision":2}`, "nothing asked": `{"schema":1,"id":"ID","revision":2}`,
		"newer and bare": `{"schema":99,"id":"ID"}`, "newer and never asked": `{"schema":99,"id":"ID","revision":2}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			bad, good := storetest.Create(t, s), storetest.Create(t, s)
			known := watching(t, s, bad.ID)
			require.Len(t, next(t, known).Sessions, 1)
			_, err := byHand(t, s, pendingStream).Put(t.Context(), bad.ID, []byte(text))
			require.NoError(t, err)
			_, err = s.Put(t.Context(), bad)
			require.Error(t, err, "an older state is not the session")
			require.NotErrorIs(t, err, queue.ErrNotFound)

			ch := next(t, known)
			require.Equal(t, []string{bad.ID}, ch.Gone)
			require.Len(t, ch.Broken, 1)
			b := ch.Broken[0]
			require.Equal(t, bad.ID, b.Name)
			require.NotEmpty(t, b.Reason)
			live, broken, err := again(t, s).Live(t.Context())
			require.NoError(t, err)
			require.Equal(t, []queue.Session{good}, live)
			require.Empty(t, broken)
			_, err = s.Get(t.Context(), bad.ID)
			require.ErrorIs(t, err, queue.ErrNotFound)
			var aside *queue.SetAside
			require.ErrorAs(t, err, &aside)
			require.Equal(t, b, aside.Broken)
			key := aside.MovedTo[len("the bucket "+s.link.options.Bucket+asideStream+", key "):]
			e, err := byHand(t, s, asideStream).Get(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, text, string(e.Value()), "nothing is deleted")
		})
	}
}

func TestAForeignKeyKeepsNobodyWaitingAndIsSetAside(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	_, err := byHand(t, s, pendingStream).Put(t.Context(), "notes.of-mine", []byte("mine"))
	require.NoError(t, err)
	live, broken, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
	require.Empty(t, broken)
	ch := next(t, watching(t, s))
	require.Equal(t, []queue.Session{v}, ch.Sessions)
	require.Equal(t, "notes.of-mine", ch.Broken[0].Name)
}

func TestARecordOfANewerSchemaIsShownNeverWritten(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(raw, &doc))
	doc["schema"], doc["revision"], doc["novelty"], doc["claim"] = queue.Schema+1, 2, true, "in another shape"
	raw, err = json.Marshal(doc)
	require.NoError(t, err)
	kv := byHand(t, s, pendingStream)
	written, err := kv.Put(t.Context(), v.ID, raw)
	require.NoError(t, err)

	got, err := s.Get(t.Context(), v.ID)
	require.ErrorIs(t, err, queue.ErrNewer)
	require.Equal(t, v.Ask, got.Ask)
	require.EqualValues(t, 2, got.Revision)
	for _, old := range []queue.Session{got, v} {
		_, err = s.Put(t.Context(), old)
		require.ErrorIs(t, err, queue.ErrNewer)
	}
	require.ErrorIs(t, s.Archive(t.Context(), got), queue.ErrNewer)
	require.NoError(t, s.Sync(t.Context(), v.ID))
	ch := next(t, watching(t, s))
	require.Empty(t, ch.Broken)
	require.Equal(t, []queue.Session{got}, ch.Sessions)
	e, err := kv.Get(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, written, e.Revision(), "it was not touched")
}

func TestAForeignBucketIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	_, err = c.js.CreateKeyValue(c, jetstream.KeyValueConfig{
		Bucket: s.link.options.Bucket + pendingStream, TTL: time.Hour, LimitMarkerTTL: time.Minute})
	require.NoError(t, err)
	_, err = queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	var foreign *Foreign
	require.ErrorAs(t, err, &foreign)
	require.Contains(t, err.Error(), "forgets after 1h0m0s")
	_, err = s.Watch(t.Context(), queue.AllNews)
	require.ErrorAs(t, err, &foreign)
}

func TestThousandsOfArchivedSessionsArePagedNewestFirst(t *testing.T) {
	t.Parallel()
	s := open(t)
	want := fillHistory(t, s, 1200, 4*time.Minute)
	var got []string
	for cursor, first := "", true; cursor != "" || first; first = false {
		page, next, err := s.History(t.Context(), cursor, 500, queue.Whole)
		require.NoError(t, err)
		for _, v := range page {
			got = append(got, v.ID)
		}
		cursor = next
	}
	require.Equal(t, want, got)
	n, err := s.CountHistory(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	v, err := s.Get(t.Context(), want[len(want)/2])
	require.NoError(t, err)
	require.True(t, v.Final)
	_, _, err = s.History(t.Context(), "no cursor", 1, queue.Whole)
	require.Error(t, err)
}

// fillHistory archives n sessions that were settled at equal intervals, without waiting for each, and returns their
// ids, newest first.
func fillHistory(t testing.TB, s *Store, n int, apart time.Duration) (ids []string) {
	t.Helper()
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	_, err = s.stream(c, doneStream, orMake)
	require.NoError(t, err)
	c.cancel()
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ids = make([]string, n)
	for i := range n {
		v := sample(from.Add(time.Duration(i) * apart))
		raw, err := queue.EncodeSession(v)
		require.NoError(t, err)
		hour, name := doneName(v)
		c, err := s.link.beginCall(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.markHour(c, hour))
		_, err = c.js.PublishAsync(s.history.subjectOf("at", hour, name), raw)
		require.NoError(t, err)
		c.cancel()
		ids[n-1-i] = v.ID
		if i%1000 == 999 || i == n-1 { // the library holds no more than some thousands
			select {
			case <-c.js.PublishAsyncComplete():
			case <-time.After(time.Minute):
				require.Fail(t, "the server takes too long")
			}
		}
	}
	return ids
}

// sample returns a finished session, settled at a time.
func sample(at time.Time) queue.Session {
	return queue.Session{
		Schema: queue.Schema, ID: queue.NewID(), Revision: 3, Ask: storetest.Ask(), AskedAt: at.Add(-time.Minute),
		Final:   true,
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: storetest.Answer("a"), At: at},
	}
}

func TestWhatIsInTheHistoryCannotBeWrittenOver(t *testing.T) {
	t.Parallel()
	s := open(t)
	ids := fillHistory(t, s, 1, time.Minute)
	was, err := s.Get(t.Context(), ids[0])
	require.NoError(t, err)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	hour, name := doneName(was)
	_, err = c.js.Publish(c, s.history.subjectOf("at", hour, name), []byte(`{"forged":true}`))
	require.Error(t, err, "also not by somebody who does not say what they expect there")
	now, err := s.Get(t.Context(), ids[0])
	require.NoError(t, err)
	require.Equal(t, was, now)
}

func TestASessionThatWaitsForEverIsSetAsideAndASettledOneIsNot(t *testing.T) {
	t.Parallel()
	s := open(t)
	far := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	bad, over := storetest.Create(t, s), storetest.Create(t, s)
	bad.Revision, bad.Deadline = 2, far
	over.Revision, over.Deadline, over.Outcome = 2, far, &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman}
	for _, v := range []queue.Session{bad, over} {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		_, err = byHand(t, s, pendingStream).Put(t.Context(), v.ID, raw)
		require.NoError(t, err)
	}
	live, broken, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1, "what is over waits for nobody")
	require.Len(t, broken, 1)
	require.Contains(t, broken[0].Reason, "waits until 9999-01-01T00:00:00Z")
	ch := next(t, watching(t, s))
	require.Len(t, ch.Sessions, 1)
	require.Equal(t, over.ID, ch.Sessions[0].ID)
	require.Len(t, ch.Broken, 1)
	require.Equal(t, bad.ID, ch.Broken[0].Name)
	_, err = s.Get(t.Context(), bad.ID)
	require.ErrorIs(t, err, queue.ErrNotFound)
}

func TestAClockThatIsBehindSetsNobodysQuestionAside(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	s.link.now = func() time.Time { return time.Now().Add(-9 * 24 * time.Hour) }
	live, broken, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	require.Len(t, live, 1)
	require.Equal(t, v.ID, live[0].ID)
}

func TestSessionsThatSomebodyRemovedFromTheServerAreNone(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	require.NoError(t, c.js.DeleteKeyValue(t.Context(), s.link.options.Bucket+pendingStream))
	live, _, err := s.Live(t.Context())
	require.NoError(t, err, "no bucket is no question, as before the first one")
	require.Empty(t, live)
	v := storetest.Create(t, s)
	require.Equal(t, []queue.Session{v}, liveOf(t, s), "it is made anew")
}

func TestAWatchBeginsAnewWhereItsBucketWasRemoved(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	require.NoError(t, c.js.DeleteKeyValue(t.Context(), s.link.options.Bucket+pendingStream))
	_, err = s.Watch(t.Context(), queue.AllNews)
	require.ErrorIs(t, err, queue.ErrUnreachable, "whoever waits tries again")
	w := watching(t, s)
	require.Empty(t, next(t, w).Sessions)
	v := storetest.Create(t, s)
	require.Equal(t, []queue.Session{v}, next(t, w).Sessions)
}
