package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// What stray typing may not do. A desk notes what it did under these names.
const (
	strayAnswer    = "answers, cancels and lines sent"
	strayAtOnce    = "answered at once" // the first key was the number of an option, where that is the answer
	strayText      = "texts attached"
	strayMark      = "marks on approvals"
	strayOtherMark = "other marks"
	straySetting   = "settings"
	strayOpened    = "editors, browsers, windows"
	strayClipboard = "clipboard"
	strayQuit      = "quit"
	strayDeadline  = "deadlines"
	strayLost      = "lost" // a few Esc do not lead back to the question
)

// strayKinds are in the order in which they are reported.
var strayKinds = []string{strayAnswer, strayAtOnce, strayText, strayMark, strayOtherMark, straySetting, strayOpened,
	strayClipboard, strayQuit, strayDeadline, strayLost}

// strayAllowed are those of them that may be.
var strayAllowed = []string{strayAtOnce, strayOtherMark}

// strayPlace is where keys land that were meant for another pane.
type strayPlace struct {
	name    string
	ask     queue.Ask // what is pending there, and what arrives while somebody types
	pending int       // how many are pending before that
	either  bool      // or none: then the first one arrives while somebody types
	reach   string    // the keys that lead there from the question on view
	sees    string    // a pattern of what is shown there and nowhere else
	past    bool      // the history has something
	wide    bool      // the terminal is
	opens   bool      // Enter opens something there, and sends nothing
	words   bool      // it takes only words: two sentences are typed, one behind the other
}

// strayPlaces are all of them. The first are questions that Enter answers as they come.
func strayPlaces() []strayPlace {
	change := func(title string, to func(*queue.Ask, *queue.Question)) queue.Ask {
		ask := database()
		ask.Title = title
		to(&ask, &ask.Questions[0])
		return ask
	}
	plain := func(*queue.Ask, *queue.Question) {}
	hitl := change("Deploy to production?", func(a *queue.Ask, _ *queue.Question) {
		a.Confirm, a.ConfirmMessage = true, "This cannot be undone."
	})
	form, approval := roomtest.AuthRework(), roomtest.ApproveDiff()
	text := change("Which name?", func(_ *queue.Ask, q *queue.Question) {
		q.Mode, q.Options, q.Defaults, q.Min, q.Max = queue.ModeText, nil, nil, 0, 0
	})
	texts := text
	second := text.Questions[0]
	second.ID = "second"
	texts.Title, texts.Questions = "Which names?", []queue.Question{text.Questions[0], second}
	return []strayPlace{
		{name: "single", ask: change("One of three?", plain), pending: 1, either: true},
		{name: "hybrid", ask: change("Own words?", func(_ *queue.Ask, q *queue.Question) { q.Mode = queue.ModeHybrid }),
			pending: 1, either: true},
		{name: "multi", ask: change("Several?", func(_ *queue.Ask, q *queue.Question) {
			q.Mode, q.Min, q.Max = queue.ModeMulti, 0, 3
		}), pending: 1, either: true},
		{name: "form", ask: form, pending: 1, either: true},
		{name: "words", ask: text, pending: 1, either: true, words: true},
		{name: "form of words", ask: texts, pending: 1, either: true, words: true},
		{name: "submit on select", ask: change("One at once?", func(_ *queue.Ask, q *queue.Question) { q.SingleSubmit = true }),
			pending: 1, either: true},
		{name: "hitl_request", ask: hitl, pending: 1, either: true},
		{name: "confirmation", ask: hitl, pending: 1, reach: "\r", sees: `This cannot be undone`},
		{name: "approval", ask: approval, pending: 1, either: true},
		{name: "queue list", ask: change("Which of them?", plain), pending: 2, reach: "\t", sees: `Open Which`, wide: true,
			opens: true},
		{name: "empty screen", ask: change("Which first?", plain)},
		{name: "settings", ask: change("Which now?", plain), reach: "s", sees: `submit|transport`},
		{name: "history", ask: change("Which next?", plain), reach: "h", sees: `filter`, past: true},
	}
}

// guards reports whether not even a short reply may answer there.
func (p strayPlace) guards() bool {
	return p.ask.Kind == queue.KindApproval || p.ask.Confirm || p.opens
}

// listed returns what the list of pending questions calls it. Of an approval it names only what is to be allowed.
func (p strayPlace) listed() string { return strings.TrimPrefix(p.ask.Title, "Allow ") }

// strayRun is one text that somebody types in one place, ended by Enter.
type strayRun struct {
	place  strayPlace
	text   string
	onView bool // the question has been on view when the typing begins
}

// strayDesk is a dashboard that somebody types into by mistake. It runs beside an agent in another window of a tmux of
// its own; its own terminal is a bare one, so that every byte of it is seen.
type strayDesk struct {
	strayRun
	room     *room
	tmux     *tmux
	agent    int // the agent's process
	panes    string
	frontend *console
	comes    int // before which key a question arrives
	coming   chan queue.Session
	asked    []queue.Session
	known    []string            // sessions that were answered before
	did      map[string][]string // by kind
	traces   string              // where a program that was opened leaves its name
}

// newStrayDesk prepares a desk and starts its dashboard. A question arrives before a key that pick chooses.
func newStrayDesk(t *testing.T, bin string, run strayRun, pick func(n int) int) *strayDesk {
	t.Helper()
	r := newRoom(t)
	r.bin = bin
	d := &strayDesk{strayRun: run, room: r, did: map[string][]string{}, traces: filepath.Join(r.dir, "traces"),
		comes: 1 + pick(len([]rune(run.text))), coming: make(chan queue.Session, 1)}
	d.trap("editor", "xdg-open", "vi")
	d.tmux = r.tmux()
	width := 100
	if run.place.wide {
		width = 140
	}
	first := d.tmux.open(width, 30, "env", "cat")
	agent := &pane{tmux: d.tmux, id: d.tmux.do("new-window", "-d", "-P", "-F", "#{pane_id}", "-t", first.told("#{session_id}:"),
		"--", "sh", "-c", `stty raw -echo; printf '\033[?2004h'; exec cat >keys`)}
	d.agent = agent.process()
	d.panes = d.windows()
	r.env = append(r.env, "TMUX="+d.tmux.socket()+",1,0", "TMUX_PANE="+first.id)
	if run.place.past {
		ask := database()
		ask.Title = "What was it?"
		s := d.put(ask)
		d.known = append(d.known, s.ID)
		_, err := queue.New(r.store()).Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
			Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"pg"}}}}}})
		require.NoError(t, err)
	}
	if !run.place.either || run.onView || pick(2) == 0 {
		for range run.place.pending {
			d.asked = append(d.asked, d.put(d.place.ask))
		}
	}
	d.frontend = r.console(width, 30, r.command())
	return d
}

// trap puts programs in the way that leave a trace where they are opened.
func (d *strayDesk) trap(names ...string) {
	dir := filepath.Join(d.room.dir, "bin")
	require.NoError(d.room, os.MkdirAll(dir, 0o700))
	for _, name := range names {
		script := fmt.Sprintf("#!/bin/sh\necho %s >>%s\n", name, d.traces)
		require.NoError(d.room, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	path := slices.IndexFunc(d.room.env, func(v string) bool { return strings.HasPrefix(v, "PATH=") })
	d.room.env[path] = "PATH=" + dir + ":" + strings.TrimPrefix(d.room.env[path], "PATH=")
	d.room.env = append(d.room.env, "EDITOR=editor", "VISUAL=editor", "BROWSER=xdg-open", "DISPLAY=:99")
}

// put has the agent in the other window ask something.
func (d *strayDesk) put(ask queue.Ask) queue.Session {
	host, _ := os.Hostname()
	ask.TimeoutSeconds = 3600
	dialect := "provide_choice"
	if ask.Confirm {
		dialect = "hitl_request"
	}
	s, err := queue.New(d.room.store()).Create(d.room.Context(), queue.Session{Ask: ask, Origin: queue.Origin{
		Dialect: dialect, Client: "claude-code", Host: host, Cwd: d.room.work, PID: d.agent, Agent: strconv.Itoa(d.agent)}})
	assert.NoError(d.room, err) // it may be called beside the test
	return s
}

// reached waits until the keys land in the desk's place.
func reached(desks []*strayDesk) {
	for _, d := range desks {
		d.frontend.see(map[bool]string{true: d.place.listed(), false: "? keys"}[len(d.asked) > 0])
	}
	time.Sleep(guarded)
	for _, d := range desks {
		d.frontend.press(d.place.reach)
	}
	for _, d := range desks {
		there := regexp.MustCompile(d.place.sees)
		d.frontend.when(d.place.sees, func(v *wire) bool { return there.MatchString(v.String()) })
	}
	time.Sleep(guarded)
}

// typeToAll types at all desks at once, key by key, and returns the longest time between two keys.
func typeToAll(desks []*strayDesk, pace time.Duration) time.Duration {
	longest, last := time.Duration(0), time.Now()
	for i, more := 0, true; more; i++ {
		more = false
		for _, d := range desks {
			keys := []rune(d.text + "\r")
			if i == d.comes {
				go func() { d.coming <- d.put(d.place.ask) }() // it takes longer than a key
			}
			if i < len(keys) {
				d.frontend.press(string(keys[i]))
			}
			more = more || i+1 < len(keys)
		}
		longest, last = max(longest, time.Since(last)), time.Now()
		time.Sleep(pace)
	}
	for _, d := range desks {
		d.asked = append(d.asked, <-d.coming)
	}
	return longest
}

// leave goes back to the question as somebody does who sees where the typing went.
func leave(desks []*strayDesk) {
	for range 4 {
		for _, d := range desks {
			if d.runs() {
				d.frontend.press("\x1b")
			}
		}
		time.Sleep(200 * time.Millisecond)
		for _, d := range desks {
			d.lookAtMarks()
		}
	}
	time.Sleep(guarded)
}

// look notes what the typing did: where it ended, and after the person has gone back to the question.
func look(desks []*strayDesk) {
	for _, d := range desks {
		d.lookAtStore()
		d.lookAtMarks()
	}
	leave(desks)
	for _, d := range desks {
		d.lookAtStore()
		d.lookAround()
	}
}

func (d *strayDesk) note(kind, format string, args ...any) {
	d.did[kind] = append(d.did[kind], fmt.Sprintf(format, args...))
}

// runs reports whether the dashboard still does.
func (d *strayDesk) runs() bool {
	now := state(d.frontend.cmd.Process.Pid)
	return now != "" && now != "Z"
}

// windows are the windows and panes of the desk's tmux, and which of them is in front.
func (d *strayDesk) windows() string {
	return d.tmux.do("list-panes", "-a", "-F", "#{session_id} #{window_id} #{window_active} #{pane_id} #{pane_active}")
}

// lookAtStore notes what was sent, and what would be with the next Enter: that is what the drafts hold but their aside.
func (d *strayDesk) lookAtStore() {
	store := d.room.store()
	live, broken, err := store.Live(d.room.Context())
	require.NoError(d.room, err)
	require.Empty(d.room, broken)
	for _, s := range live {
		if !slices.ContainsFunc(d.asked, func(a queue.Session) bool { return a.ID == s.ID }) && !slices.Contains(d.known, s.ID) {
			d.note(strayAnswer, "%s %q", s.Ask.Kind, s.Ask.Title)
		}
	}
	for _, was := range d.asked {
		now, err := store.Get(d.room.Context(), was.ID)
		require.NoError(d.room, err)
		if now.Outcome != nil {
			d.note(d.answers(), "%s", now.Summary())
			continue
		}
		if !now.Deadline.Equal(was.Deadline) {
			d.note(strayDeadline, "moved by %v", now.Deadline.Sub(was.Deadline))
		}
		for _, e := range now.Events[len(was.Events):] {
			if e.By == queue.ByHuman && e.Kind != queue.EventMoved {
				d.note(strayAnswer, "event %s %s", e.Kind, e.Detail)
			}
		}
		drafts, err := store.Drafts(d.room.Context(), was.ID)
		require.NoError(d.room, err)
		for _, draft := range drafts {
			d.lookAtDraft(was, draft)
		}
	}
}

// answers is the kind of an answer that was sent there.
func (d *strayDesk) answers() string {
	q := d.place.ask.Questions[0]
	if n, err := strconv.Atoi(d.text[:1]); err == nil && q.SingleSubmit && n >= 1 && n <= len(q.Options) {
		return strayAtOnce
	}
	return strayAnswer
}

func (d *strayDesk) lookAtDraft(s queue.Session, draft queue.Draft) {
	for _, text := range textsIn(draft) {
		d.note(strayText, "%q in the draft", text)
	}
	for i, reply := range draft.Answer.Replies {
		if !slices.Equal(reply.Selected, marked(s.Ask, i)) {
			d.note(d.place.marks(), "%v in the draft", reply.Selected)
		}
	}
}

// marked are the options of a question that are marked before the person does anything. Of those in these tests a radio
// starts with its first option, and an approval with none.
func marked(ask queue.Ask, question int) []string {
	q := ask.Questions[question]
	if ask.Kind == queue.KindApproval || !q.Radio() {
		return nil
	}
	return []string{q.Options[0].ID}
}

// marks is the kind of a mark that is changed there: on an approval nothing may be.
func (p strayPlace) marks() string {
	if p.ask.Kind == queue.KindApproval {
		return strayMark
	}
	return strayOtherMark
}

// textsIn are the texts of a draft that would be sent. No ask of these tests brings any of its own.
func textsIn(draft queue.Draft) (texts []string) {
	for _, reply := range draft.Answer.Replies {
		texts = append(append(texts, reply.Text), slices.Sorted(maps.Values(reply.Notes))...)
	}
	texts = append(texts, draft.Answer.Comment, draft.Reason)
	return slices.DeleteFunc(texts, queue.Blank)
}

// attached is what a button says that sends a text along.
var attached = regexp.MustCompile(`⏎.*(?:\+ *(?:\d+ )?(?:notes?|comment|your text|“)|(?i:send)[ ⏎]+(?:your text|“))`)

// lookAround notes what else was done. The dashboard shows its question again.
func (d *strayDesk) lookAround() {
	if _, err := os.Stat(filepath.Join(d.room.dir, "config", "choicetui", "config.json")); err == nil {
		d.note(straySetting, "config.json")
	}
	if opened, err := os.ReadFile(d.traces); err == nil {
		d.note(strayOpened, "%q", opened)
	}
	if now := d.windows(); now != d.panes {
		d.note(strayOpened, "windows were %q, are %q", d.panes, now)
	}
	if keys := d.room.keys(); keys != "" {
		d.note(strayAnswer, "%q went to the agent", keys)
	}
	if buffers := d.tmux.do("list-buffers"); buffers != "" {
		d.note(strayClipboard, "%q", buffers)
	}
	if strings.Contains(d.frontend.bytes(), "\x1b]52;") {
		d.note(strayClipboard, "OSC 52")
	}
	if !d.runs() {
		d.note(strayQuit, "it ended")
		return
	}
	screen := d.frontend.screen()
	if len(d.did[d.answers()]) == 0 && !strings.Contains(screen, d.place.listed()) {
		d.note(strayLost, "on\n%s", screen)
	}
	if found := attached.FindString(screen); found != "" {
		d.note(strayText, "%s", found)
	}
}

// lookAtMarks notes what is marked on the screen.
func (d *strayDesk) lookAtMarks() {
	screen := d.frontend.screen()
	for i, o := range d.place.ask.Questions[0].Options {
		if strings.Contains(screen, "● "+o.Label) && !slices.Contains(marked(d.place.ask, 0), o.ID) {
			d.note(d.place.marks(), "● %d %s", i+1, o.Label)
		}
	}
}

// String is how the desk was typed into.
func (d *strayDesk) String() string {
	return fmt.Sprintf("%q in %s, %d pending, one more before key %d", d.text, d.place.name, len(d.asked)-1, d.comes+1)
}
