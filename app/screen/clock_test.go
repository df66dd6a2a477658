package screen

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
)

func TestCountdownsFollowTheWallClockAlsoAfterItWasStepped(t *testing.T) {
	for name, c := range map[string]struct {
		given int
		step  time.Duration
		want  string
	}{
		"a suspend in a long question":   {7200, 90 * time.Minute, "29m"},
		"a suspend in a short one":       {1800, 25 * time.Minute, "4:59"},
		"a suspend beyond the end":       {7200, 3 * time.Hour, "timed out"},
		"a clock that is put back":       {7200, -time.Hour, "2h"},
		"a clock that is put back a lot": {7200, -50 * time.Hour, "51h"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var step atomic.Int64
				b := newBenchWith(t, 80, 24, func(o *Options) {
					now := o.Queue.Now
					o.Queue.Now = func() time.Time { return now().Add(time.Duration(step.Load())) }
				})
				b.ask(small("Deploy?", c.given), infra())
				b.clock.Pass(time.Second)
				b.picture()
				wakes := b.wakes()
				b.arm()
				step.Store(int64(c.step))
				time.Sleep(desk.LookAgain)
				synctest.Wait()
				require.EqualValues(t, 1, wakes.Load(), "the tick")
				b.drainDesk()
				require.Contains(t, lines(b.picture())[0], " "+c.want)
			})
		})
	}
}

func TestTheAlarmWakesNobodyWhileNothingShownChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := newBenchWith(t, 80, 24, func(o *Options) { o.Queue.Now = time.Now })
		b.ask(small("Deploy?", 3*3600-1), infra())
		b.picture()
		next := b.nextTick()
		require.Greater(t, next.Sub(start), 2*time.Minute, "a cell of the fuse")
		wakes := b.wakes()
		b.arm()
		time.Sleep(next.Sub(start) - time.Second)
		synctest.Wait()
		require.Zero(t, wakes.Load())
		time.Sleep(time.Second)
		synctest.Wait()
		require.EqualValues(t, 1, wakes.Load())
	})
}

// wakes counts from now on how often the event loop is woken, which does not run here.
func (b *bench) wakes() *atomic.Int64 {
	var n atomic.Int64
	go func() {
		for {
			select {
			case <-b.desk.Bell():
				n.Add(1)
			case <-b.t.Context().Done():
				return
			}
		}
	}()
	synctest.Wait()
	n.Store(0) // what came before
	return &n
}

// shownTime is a time left as the screen shows it.
var shownTime = regexp.MustCompile(`\b\d:\d\d\b`)

func TestAllCountdownsOfAScreenChangeTogetherOnWholeSeconds(t *testing.T) {
	b := newBench(t, 120, 40)
	for i, title := range []string{"First?", "Second?", "Third?"} {
		b.ask(small(title, 300+i), infra())
		b.clock.Pass(370 * time.Millisecond)
	}
	times := func() string {
		var out strings.Builder
		for _, l := range lines(b.picture())[:12] {
			out.WriteString(strings.Join(shownTime.FindAllString(l, -1), " ") + "\n")
		}
		return out.String()
	}
	b.clock.T = noon.Add(2 * time.Second)
	for range 5 {
		shown := times()
		require.Equal(t, b.clock.Now().Add(time.Second), b.nextTick(), "they are due together")
		for range 9 {
			b.clock.Pass(100 * time.Millisecond)
			require.Equal(t, shown, times(), "a draw in between moves none alone")
		}
		b.clock.Pass(100 * time.Millisecond)
		require.NotEqual(t, shown, times())
	}
}
