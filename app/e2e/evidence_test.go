package e2e

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// Evidence for what docs/security.md promises of the queue and the desk, with figures. Each has a control: the
// same with the one thing taken out that the promise rests on, which must be found wrong. The gate plays a few rounds,
// and no controls.
//
//	go test ./app/e2e -run Evidence -v -args -rounds 200
//
// testdata/evidence/powercut.sh has the one for power cuts, which takes root.

var rounds = flag.Int("rounds", 2, "how often the evidence kills, races, steps clocks and types")

const (
	workerMode  = "CHOICETUI_E2E_WORKER" // the test binary is a process of the queue where this is set
	workers     = 8
	controlEnds = 200 // rounds after which a control that found nothing has failed
)

// controlled reports whether the controls run too.
func controlled() bool { return *rounds >= everyRhythm }

// needControls skips a test of the tests in the gate.
func needControls(t *testing.T) {
	t.Helper()
	if !controlled() {
		t.Skip("a control runs with many -rounds, as in .ci/long")
	}
}

// worker is another process on the queue: os.Args are the store's directory, its kind, and what its mode takes.
func worker(mode string) int {
	switch mode {
	case serverMode:
		return serveQueue(os.Args[1:])
	case slowMode:
		return linkSlowly(os.Args[1:])
	}
	real, err := spool.Open(os.Args[1])
	if err == nil {
		store, clock := storeOf(real, os.Args[2])
		err = map[string]func() error{
			"work": func() error {
				return storetest.Work(context.Background(), store, os.Args[3:], func(session, event string) {
					fmt.Println(session, event)
				})
			},
			"race":  func() error { return race(store, clock, os.Args[3]) },
			"ask":   func() error { return askTwo(store) },
			"audit": func() error { return audit(store, os.Stdin) },
		}[mode]()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	return 0
}

// storeOf is the real store, or a control's; and the clock of whoever uses it.
func storeOf(real *spool.Store, kind string) (queue.Store, func() time.Time) {
	stepped := func() time.Time { // half an hour to and fro, as often as it is looked at
		return time.Now().Add(time.Duration(rand.IntN(3600)-1800) * time.Second)
	}
	switch kind {
	case "renames":
		return bare{real, os.Args[1], os.Rename}, time.Now
	case "unsynced":
		return bare{real, os.Args[1], os.Link}, time.Now
	case "stepped":
		return real, stepped
	case "dates":
		return dates{real, stepped}, stepped
	}
	return real, time.Now
}

// bare is a store that never calls fsync, and puts a revision in place by publish: os.Rename replaces what stands there.
type bare struct {
	*spool.Store
	dir     string
	publish func(staged, name string) error
}

func (s bare) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	now, err := s.Get(ctx, v.ID)
	switch {
	case err != nil:
		return v, err
	case now.Revision != v.Revision:
		return v, queue.ErrConflict
	case now.Final:
		return v, queue.ErrFinal
	}
	v.Revision++
	raw, err := queue.EncodeSession(v)
	if err != nil {
		return v, err
	}
	staged := filepath.Join(s.dir, "tmp", queue.NewToken())
	if err := os.WriteFile(staged, raw, 0o600); err != nil {
		return v, err
	}
	err = s.publish(staged, filepath.Join(s.dir, "live", v.ID, fmt.Sprintf("%06d.json", v.Revision)))
	if errors.Is(err, fs.ErrExist) {
		return v, queue.ErrConflict
	}
	return v, err
}

// dates is a store that dates by the clock alone, wherever the one before it stood.
type dates struct {
	*spool.Store
	clock func() time.Time
}

func (s dates) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	v.Events = append([]queue.Event(nil), v.Events...)
	v.Events[len(v.Events)-1].At = s.clock().UTC().Truncate(time.Millisecond)
	return s.Store.Put(ctx, v)
}

// race settles each session that it is told, and prints the verdict. Before that it moves the deadline now and then,
// so that there is more than one date to tell.
func race(store queue.Store, clock func() time.Time, number string) error {
	var racer int
	if _, err := fmt.Sscan(number, &racer); err != nil {
		return err
	}
	q := queue.New(store)
	q.Now = clock
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		_, _ = q.Do(context.Background(), in.Text(), queue.Command{Do: queue.Move{By: time.Minute}})
		verdict, err := storetest.Race(context.Background(), store, racer, in.Text())
		if err != nil {
			return err
		}
		fmt.Println(verdict)
	}
	return nil
}

// askTwo asks what the workers share, and prints the ids.
func askTwo(store queue.Store) error {
	for range 2 {
		v, err := queue.New(store).Create(context.Background(), queue.Session{Ask: storetest.Ask()})
		if err != nil {
			return err
		}
		fmt.Println(v.ID)
	}
	return nil
}

// acknowledged are the events that workers told of, by session.
type acknowledged map[string][]string

func (a acknowledged) note(line string) {
	if id, event, ok := strings.Cut(line, " "); ok && len(event) == len(queue.NewToken()) {
		a[id] = append(a[id], event)
	}
}

// audit says how many events were told of, and how many sessions or events are not as they were told.
func (a acknowledged) audit(ctx context.Context, store queue.Store) (events int, wrong []string) {
	for id, all := range a {
		events += len(all)
		wrong = append(wrong, storetest.Audit(ctx, store, id, all)...)
	}
	return events, wrong
}

// audit reads what workers told, and prints the two numbers.
func audit(store queue.Store, told io.Reader) error {
	all := acknowledged{}
	for in := bufio.NewScanner(told); in.Scan(); {
		all.note(in.Text())
	}
	events, wrong := all.audit(context.Background(), store)
	fmt.Println(events, len(wrong))
	for _, w := range wrong[:min(len(wrong), 3)] {
		fmt.Fprintln(os.Stderr, w)
	}
	return nil
}

// process is a worker under the test's control.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func startWorker(t *testing.T, mode, dir string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), workerMode+"="+mode, "GOMAXPROCS=2")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &process{cmd: cmd, in: in, lines: bufio.NewScanner(out)}
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	require.True(t, p.lines.Scan(), "the worker ended")
	return p.lines.Text()
}

func queueDir(t *testing.T) (string, *spool.Store) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "queue")
	s, err := spool.Open(dir)
	require.NoError(t, err)
	return dir, s
}

func TestEvidenceThatAKilledProcessLosesNothingItWasToldIsStored(t *testing.T) {
	need(t)
	kills, acks, wrong := kill(t, "real", *rounds, false)
	assert.Empty(t, wrong)
	t.Logf("kills: %d processes killed while they wrote, %d acknowledged events, %d lost or torn", kills, acks, len(wrong))
	if !controlled() {
		return
	}
	kills, acks, wrong = kill(t, "renames", controlEnds, true)
	assert.NotEmpty(t, wrong)
	t.Logf("control, renames instead of links: %d killed, %d acknowledged events, %d lost or torn", kills, acks, len(wrong))
}

// kill runs rounds of workers on the same sessions and ends them all by SIGKILL; first: until something is wrong.
func kill(t *testing.T, kind string, rounds int, first bool) (kills, acks int, wrong []string) {
	dir, s := queueDir(t)
	for range rounds {
		shared := []string{storetest.Create(t, s).ID, storetest.Create(t, s).ID}
		told := acknowledged{}
		all := make([]*process, workers)
		for i := range all {
			all[i] = startWorker(t, "work", dir, append([]string{kind}, shared...)...)
		}
		for _, p := range all {
			told.note(p.line(t)) // it works
		}
		time.Sleep(time.Duration(20+rand.IntN(40)) * time.Millisecond)
		for _, p := range all {
			require.NoError(t, p.cmd.Process.Kill())
			kills++
		}
		for _, p := range all {
			for p.lines.Scan() {
				told.note(p.lines.Text())
			}
		}
		n, bad := told.audit(t.Context(), s)
		acks, wrong = acks+n, append(wrong, bad...)
		if first && len(wrong) > 0 {
			break
		}
	}
	return kills, acks, wrong
}

func TestEvidenceThatOfManyProcessesOneSettlesAQuestion(t *testing.T) {
	need(t)
	asked, wrong := settleTogether(t, "real", 10*(*rounds), false)
	assert.Empty(t, wrong)
	t.Logf("races: %d questions, each settled by %d processes at once, %d without exactly one outcome", asked, workers, len(wrong))
	if !controlled() {
		return
	}
	asked, wrong = settleTogether(t, "renames", controlEnds, true)
	assert.NotEmpty(t, wrong)
	t.Logf("control, renames instead of links: %d questions, %d wrong verdicts", asked, len(wrong))
}

func TestEvidenceThatSteppedClocksLeaveOneOutcomeInOrder(t *testing.T) {
	need(t)
	asked, wrong := settleTogether(t, "stepped", 10*(*rounds), false)
	assert.Empty(t, wrong)
	t.Logf("clocks: %d questions, moved by %d processes whose clocks jump by up to half an hour, then settled, %d wrong", asked, workers, len(wrong))
	if !controlled() {
		return
	}
	asked, wrong = settleTogether(t, "dates", controlEnds, true)
	assert.NotEmpty(t, wrong)
	t.Logf("control, dated by the clock alone: %d questions, %d wrong", asked, len(wrong))
}

// settleTogether has all workers settle one question after the other; first: until something is wrong.
func settleTogether(t *testing.T, kind string, questions int, first bool) (asked int, wrong []string) {
	dir, s := queueDir(t)
	all := make([]*process, workers)
	for i := range all {
		all[i] = startWorker(t, "race", dir, kind, fmt.Sprint(i))
	}
	for _, p := range all {
		require.Equal(t, "ready", p.line(t))
	}
	for range questions {
		v := storetest.Create(t, s)
		asked++
		for _, p := range all {
			_, err := fmt.Fprintln(p.in, v.ID)
			require.NoError(t, err)
		}
		var verdicts []string
		for _, p := range all {
			verdicts = append(verdicts, p.line(t))
		}
		final, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		wrong = append(wrong, storetest.Violations(final, verdicts)...)
		if first && len(wrong) > 0 {
			break
		}
	}
	return asked, wrong
}
