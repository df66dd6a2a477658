package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// clockOffset is how far the clock of a program that offClock built is ahead.
const clockOffset = "CHOICETUI_E2E_CLOCK"

// offClock builds a choicetui that reads a wrong clock, once a run. Go reads the clock without libc, so no library that
// is loaded first can change that: the program is built with another time.Now, and is the same otherwise.
var offClock = sync.OnceValues(func() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	name := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	const reads = "\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(source), reads) != 1 {
		return "", fmt.Errorf("%s does not read the clock in the place that is known", name)
	}
	wrong := strings.Replace(string(source), reads, reads+"\tsec += offset\n", 1) + `
var offset = func() int64 {
	value, _ := syscall.Getenv("` + clockOffset + `")
	ahead, _ := ParseDuration(value)
	return int64(ahead / Second)
}()
`
	wrong = strings.Replace(wrong, "import (\n", "import (\n\t\"syscall\"\n", 1)
	dir := filepath.Join(scratch, "overlay")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	replaced := filepath.Join(dir, "time.go")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {name: replaced}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	for file, content := range map[string]string{replaced: wrong, overlay: string(list)} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	// Everything is compiled again, so it is compiled as fast as can be. The other end has the race detector.
	return build(filepath.Join("off", "choicetui"), false, "-overlay", overlay, "-gcflags=all=-N -l")
})

// offBy makes a host whose clock is ahead of this machine's.
func (r *room) offBy(name string, ahead time.Duration) *host {
	r.Helper()
	if os.Getenv("CHOICETUI_E2E") != "require" {
		r.Skip("only with CHOICETUI_E2E=require: the standard library is compiled again, which takes a minute")
	}
	bin, err := offClock()
	require.NoError(r, err)
	h := r.elsewhere(name)
	h.bin = bin
	h.env = append(h.env, clockOffset+"="+ahead.String(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"))
	h.via = "env"
	for _, line := range h.env {
		h.via += " '" + line + "'"
	}
	return h
}

func TestAHostsClockThatIsAnHourOffChangesNothing(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			h := r.offBy("box", ahead)
			r.adds(h)
			there := func() time.Time { return time.Now().Add(ahead) }
			p := r.tmux().dashboard(120, 40)
			h.connected()
			a := h.connect("claude-code")
			call := a.ask(which())
			p.meet("Which database?", "@box", " 9:5")
			first := h.only()
			assert.WithinDuration(t, there().Add(10*time.Minute), first.Deadline, 5*time.Second)

			here := database()
			here.Title, here.TimeoutSeconds = "Which port?", 500
			r.put(here)
			listed := p.see("2 waiting", "Which port?", "8:1")
			assert.Less(t, strings.Index(listed, "Which port?"), strings.Index(listed, "Which database?"), "the soonest comes first")
			p.meet("⏎ Send PostgreSQL")
			p.press("+")
			p.see("10m")
			until(t, "it is moved on the host", func() bool {
				return h.only().Deadline.Sub(first.Deadline) == time.Minute
			})
			p.press("L")
			screen := p.see("Set it aside until ")
			_, clock, _ := strings.Cut(screen, "Set it aside until ")
			back, err := time.ParseInLocation("15:04", clock[:5], time.Local)
			require.NoError(t, err)
			wanted := time.Now().Add(queue.LaterFor)
			assert.InDelta(t, wanted.Hour()*60+wanted.Minute(), back.Hour()*60+back.Minute(), 1, "by the clock here")
			p.meet("Set it aside")
			p.press("Enter")
			until(t, "it is set aside", func() bool {
				v, err := h.store().Get(t.Context(), first.ID)
				require.NoError(t, err)
				back, aside := v.AsideUntil(there())
				left := back.Sub(there()) // back a minute before its agent stops waiting
				return aside && left <= queue.LaterFor && left > queue.LaterFor-2*queue.LaterMargin
			})
			p.see("later")
			p.press("J")
			p.meet("19m", "⏎ Send PostgreSQL", "shop · claude @box ·", "later "+clock[:5]+" ─")
			p.press("j", "Enter")
			require.Equal(t, "sqlite", call.selected())
			p.see("SQLite → shop · claude @box")

			short := which()
			short["title"], short["timeout_seconds"] = "Which cache?", 4
			began := time.Now()
			late := a.ask(short)
			p.see("Which cache?", "0:0")
			assert.Equal(t, "timeout", late.answer().status())
			assert.InDelta(t, 4, time.Since(began).Seconds(), 3)
			p.see("timed out")

			p.press("h")
			p.see("Which cache?", "SQLite", "shop on box")
			trail := r.run("show", "box/"+first.ID).out
			assert.Contains(t, trail, clock[:5], "when it was set aside, by the clock here, perhaps tomorrow")
			assert.Contains(t, trail, first.Deadline.Add(time.Minute-ahead).Local().Format("15:04:05"), "when it was moved")
		})
	}
}
