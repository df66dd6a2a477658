package spool

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

const racers = 16

func TestSixteenProcessesLeaveOneOutcome(t *testing.T) {
	t.Parallel()
	require.Empty(t, raceProcesses(t, 20))
}

// raceProcesses lets all racers settle one session after the other, and returns the faults found.
func raceProcesses(t *testing.T, sessions int) (wrong []string) {
	s := open(t)
	children := make([]*process, racers)
	for i := range children {
		children[i] = start(t, "race", s.dir, fmt.Sprint(i))
	}
	for _, c := range children {
		require.Equal(t, "ready", c.line())
	}
	for range sessions {
		v := storetest.Create(t, s)
		for _, c := range children {
			_, err := fmt.Fprintln(c.in, v.ID)
			require.NoError(t, err)
		}
		var verdicts []string
		for _, c := range children {
			verdicts = append(verdicts, c.line())
		}
		final, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		wrong = append(wrong, storetest.Violations(final, verdicts)...)
		wrong = append(wrong, gaps(s, final)...)
	}
	return wrong
}

// gaps returns the revisions of a live session that are missing or cannot be read.
func gaps(s *Store, v queue.Session) (wrong []string) {
	for n := uint64(1); n <= v.Revision; n++ {
		raw, err := readFile(s.path(liveDir, v.ID, revisionName(n)))
		if err == nil {
			_, err = queue.DecodeSession(raw, v.ID, n)
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s revision %d: %v", v.ID, n, err))
		}
	}
	return wrong
}

// TestKilledProcessesLoseNothingAcknowledged kills workers at random moments while others work on the same queue.
func TestKilledProcessesLoseNothingAcknowledged(t *testing.T) {
	t.Parallel()
	rounds, lanes := 200, 4
	if testing.Short() {
		rounds = 24
	}
	s := open(t)
	shared := make([]string, 40)
	for i := range shared {
		shared[i] = storetest.Create(t, s).ID
	}
	var mu sync.Mutex
	acks := map[string][]string{}
	var wg sync.WaitGroup
	for lane := range lanes {
		wg.Go(func() {
			for round := range rounds / lanes {
				// Each round uses a few sessions of its own, since sessions would fill up with events.
				from := (lane + round) % (len(shared) - 8)
				for id, events := range killedRound(t, s, shared[from:from+8]) {
					mu.Lock()
					acks[id] = append(acks[id], events...)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	require.Greater(t, len(acks), rounds, "the children did work")
	total := 0
	for id, events := range acks {
		total += len(events)
		require.Empty(t, audit(t, s, id, events))
	}
	require.NoDirExists(t, s.path(asideDir), "nothing is corrupt")
	settleLeftovers(t, s)
	t.Logf("%d kills, %d sessions, %d acknowledged events, %d orphans in tmp", rounds, len(acks), total, len(list(t, s, tmpDir)))
}

// killedRound lets one child work for a few milliseconds after its first acknowledgement.
func killedRound(t *testing.T, s *Store, shared []string) map[string][]string {
	c := start(t, "work", s.dir, shared...)
	acks := map[string][]string{}
	note := func(line string) {
		if id, event, ok := strings.Cut(line, " "); ok && len(event) == 16 {
			acks[id] = append(acks[id], event)
		}
	}
	if !c.lines.Scan() {
		t.Error("a child ended by itself")
		return nil
	}
	note(c.lines.Text())
	timer := time.AfterFunc(time.Duration(1+rand.IntN(30))*time.Millisecond, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	for c.lines.Scan() {
		note(c.lines.Text())
	}
	_ = c.cmd.Wait()
	return acks
}

func audit(t *testing.T, s *Store, id string, events []string) (wrong []string) {
	wrong = storetest.Audit(t.Context(), s, id, events)
	v, err := s.Get(t.Context(), id)
	if err != nil {
		return wrong
	}
	if _, err := s.highestRevision(id); err == nil {
		wrong = append(wrong, gaps(s, v)...)
	}
	return wrong
}

// settleLeftovers checks that a killed process blocks nothing: every pending session can be answered.
func settleLeftovers(t *testing.T, s *Store) {
	w, err := s.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	defer w.Close()
	ch, err := w.Next(t.Context())
	require.NoError(t, err)
	require.Empty(t, ch.Broken)
	for i, v := range ch.Sessions {
		if v.Pending() && i%20 == 0 {
			_, err := queue.New(s).Do(t.Context(), v.ID, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}})
			require.NoError(t, err)
		}
	}
}

// TestAKilledCommitIsSeenWithoutItsRing commits without the touch, like a process killed just before it.
func TestAKilledCommitIsSeenWithoutItsRing(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	for name, ids := range map[string][]string{"all": nil, "one": {v.ID}} {
		w, err := s.Watch(t.Context(), queue.AllNews, ids...)
		require.NoError(t, err)
		defer w.Close()
		_, err = w.Next(t.Context())
		require.NoError(t, err)
		v.Revision++
		raw, err := queue.EncodeSession(v)
		require.NoError(t, err)
		require.NoError(t, s.writeNew(s.path(liveDir, v.ID, revisionName(v.Revision)), raw, volatile))
		ch, err := w.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, []queue.Session{v}, ch.Sessions, name)
	}
}
