package e2e

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Ten questions are pending, and the person wants the second option of each while the first one is preselected. The
// person types at a steady pace, one key every 200 to 550 ms. There are two typists:
//
//	blind    types `2 Enter 2 Enter …` whatever the screen says
//	repeats  looks at the screen before each key, and presses a refused key again
//
// Neither may send an answer that was not meant, and both must come to the end. The gate plays some of the rhythms; all
// of them are played by
//
//	go test ./app/e2e -run 'Evidence.*Rhythm' -v -args -rounds 20

var oldProgram = flag.String("old", "", "a choicetui whose guard forgets the keys that it refused, as the control of the rhythms")

const (
	// uneven is how far the time between two keys may be from the pace. Where it was further a few times, this machine
	// was slow: such a round still shows a guard that keeps what it promises, and does not show one that does not.
	uneven, fewUneven = 60 * time.Millisecond, 5
	// glimpse is how long before a key the person looks at the screen.
	glimpse = 40 * time.Millisecond
	// mostKeys is how many keys a typist presses before giving up.
	mostKeys = 100
	// roundsPlayed is how many rounds may miss the number of presses, or be typed unevenly, before a rhythm has failed.
	// A program that is held up for a tenth of a second refuses one key more.
	roundsPlayed, roundsUneven = 3, 5
	// everyRhythm is the number of -rounds from which on every rhythm is played.
	everyRhythm = 20
	// typists is how many rounds are typed at the same time: whoever types mostly waits.
	typists = 5
)

const (
	enterKey = "\r"
	nextKey  = "J"
)

// allPaces are the times between two keys that are tried.
var allPaces = []int{200, 250, 300, 350, 400, 500, 550}

// task is a kind of question, and how a person answers ten of them.
type task struct {
	name     string
	gesture  []string // what the person types for each question
	want     []string // what the person wants to send
	form     bool     // the ten questions are one form
	replaced bool     // one of them is answered elsewhere, between its digit and its Enter
	change   func(*queue.Question)
}

var (
	singleTask = task{name: "single", gesture: []string{"2", enterKey}, want: []string{"second"}}
	multiTask  = task{name: "multi", gesture: []string{"2", enterKey}, want: []string{"first", "second"}, change: severalWithDefault}
	formTask   = task{name: "form", gesture: []string{"2", enterKey}, want: []string{"second"}, form: true}
	submitTask = task{name: "submit on select", gesture: []string{"2"}, want: []string{"second"}, change: sendsAtOnce}
	habitTask  = task{name: "submit on select with Enter", gesture: []string{"2", enterKey}, want: []string{"second"},
		change: sendsAtOnce}
	replacedTask = task{name: "replaced", gesture: []string{"2", enterKey}, want: []string{"second"}, replaced: true}
	enterTask    = task{name: "Enter only", gesture: []string{enterKey}, want: []string{"first"}}
)

func sendsAtOnce(q *queue.Question) { q.SingleSubmit = true }

// severalWithDefault lets the person mark two, of which the first is marked already.
func severalWithDefault(q *queue.Question) {
	q.Mode, q.Min, q.Max, q.Defaults = queue.ModeMulti, 1, 2, []string{"first"}
}

const tenQuestions = 10

// place is the words by which the person recognizes a question on the screen.
func place(i int) string { return fmt.Sprintf("question-%d-is-here", i) }

var places = regexp.MustCompile(`question-(\d+)-is-here`)

// here is the number of the question on view; -1: none is, or there are several, as in a review.
func here(screen string) int {
	found := -1
	for _, m := range places.FindAllStringSubmatch(screen, -1) {
		n, _ := strconv.Atoi(m[1])
		if found >= 0 && found != n {
			return -1
		}
		found = n
	}
	return found
}

func (k task) question(id string) queue.Question {
	q := queue.Question{ID: id, Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
		{ID: "first", Label: "The first one", Recommended: true},
		{ID: "second", Label: "Another one"},
		{ID: "third", Label: "Something else"},
	}}
	if k.change != nil {
		k.change(&q)
	}
	return q
}

// put asks the questions of a task, and returns the sessions' ids.
func (k task) put(r *room) (ids []string) {
	if k.form {
		ask := queue.Ask{Kind: queue.KindChoice, Title: "Ten things at once?", TimeoutSeconds: 3600, OnTimeout: queue.OnTimeoutNone}
		for i := range tenQuestions {
			q := k.question(fmt.Sprintf("part%d", i))
			q.Header, q.Text = fmt.Sprintf("P%d", i), "Which one, as "+place(i)+"?"
			ask.Questions = append(ask.Questions, q)
		}
		return []string{r.put(ask).ID}
	}
	for i := range tenQuestions {
		ids = append(ids, r.put(queue.Ask{Kind: queue.KindChoice, Title: fmt.Sprintf("Which one, for the %d. time?", i+1),
			Prompt: "It matters, as " + place(i) + ".", Questions: []queue.Question{k.question("choice")},
			TimeoutSeconds: 3600, OnTimeout: queue.OnTimeoutNone}).ID)
	}
	return ids
}

// view is where a person types and looks.
type view interface {
	press(key string)
	look() string
	stopsAtClosed() bool // a question that was answered stays on view until J
}

// closedPage begins what a page looks like that shows a closed question.
const closedPage = "(closed)\n"

// glass is a terminal in tmux that the person types into through a client of their own.
type glass struct {
	*pane
	person *console
}

func (g glass) press(key string)    { g.person.press(key) }
func (g glass) look() string        { return g.screen() }
func (g glass) stopsAtClosed() bool { return false }

// onDashboard is a person at the dashboard who has seen the first question.
func onDashboard(r *room, _ []string) view {
	m := r.tmux()
	return m.seated(m.open(100, 30, r.bin))
}

// inAttach is a person at the form of one question, which stays open as a dashboard.
func inAttach(r *room, ids []string) view {
	m := r.tmux()
	return m.seated(m.open(100, 30, r.bin, "attach", "--stay", ids[0]))
}

// inManyAttaches is a person at a shell that opens one form after the other.
func inManyAttaches(r *room, ids []string) view {
	m := r.tmux()
	return m.seated(m.open(100, 30, "sh", "-c", "for id in "+strings.Join(ids, " ")+"; do "+r.bin+" attach $id; done"))
}

func (m *tmux) seated(p *pane) glass {
	g := glass{p, m.person(p, "xterm-256color")}
	p.when("with a question", func(screen string) bool { return here(screen) >= 0 })
	time.Sleep(guarded)
	return g
}

// rhythm is a task, who does it, and how fast.
type rhythm struct {
	task
	repeats bool
	pace    time.Duration
}

func (g rhythm) String() string {
	who := "blind"
	if g.repeats {
		who = "repeats"
	}
	return fmt.Sprintf("%s, %s, %d ms", g.task.name, who, g.pace.Milliseconds())
}

// budget is how many presses ten questions may take. Each is what the guard's rule makes necessary, and a few more.
//
//   - At 300 ms and slower, Enter is half a second behind the key that brought the question up: 2 presses a question. A
//     review, and a question that came up because another one was closed, take 2 to 4 more.
//   - At 200 and 250 ms the first Enter comes too soon: 4 presses a question for somebody who continues blindly, as the 2
//     is typed again as well.
//   - Enter alone is refused once for each question, or twice at 200 and 250 ms, and never where the pace is slower
//     than the guard. The first question has been on view before.
//
// A frame that comes a tenth of a second late costs one press more, so the gate, which runs on any machine, allows twice
// as many. A run of every rhythm keeps to the numbers.
func (g rhythm) budget() int {
	if *rounds < everyRhythm {
		return 2 * g.needed()
	}
	return g.needed()
}

// besideOthers runs the test beside others in the gate. A run of every rhythm counts presses, so it has the machine for
// itself.
func besideOthers(t *testing.T) {
	if *rounds < everyRhythm {
		t.Parallel()
	}
}

func (g rhythm) needed() int {
	slow := g.pace >= 300*time.Millisecond
	switch {
	case g.task.name == enterTask.name && g.pace >= 550*time.Millisecond:
		return 10
	case g.task.name == enterTask.name && slow:
		return 20
	case g.task.name == enterTask.name:
		return 30
	case slow:
		return 24
	}
	return 40
}

// score is how a round went.
type score struct {
	presses int      // without those of J
	onward  int      // presses of J
	wrong   []string // answers that were not meant
	left    int      // questions without an answer
	off     int      // how often the time between two keys was not the pace
	stale   int      // how often the screen had not changed since the key before
}

func (s score) String() string {
	said := fmt.Sprintf("%d presses, %d wrong", s.presses, len(s.wrong))
	if s.onward > 0 {
		said += fmt.Sprintf(", J pressed %d times", s.onward)
	}
	if s.off > 0 {
		said += fmt.Sprintf(", %d of them off the pace", s.off)
	}
	if s.left > 0 {
		said += fmt.Sprintf(", %d NOT ANSWERED", s.left)
	}
	return said
}

// good reports whether a round was as it should be.
func (s score) good(most int) bool {
	return len(s.wrong) == 0 && s.left == 0 && s.presses <= most && s.off <= fewUneven
}

// play plays rounds until one was as it should be. A wrong answer fails at once, but for that of a person who may have
// looked at the screen too early, as this machine was slow: theirs must come again in each round.
func (g rhythm) play(t *testing.T, bin string, sit func(*room, []string) view, most int) score {
	t.Helper()
	var s score
	for round, slow := 0, 0; round < roundsPlayed && slow < roundsUneven; {
		missed := fewUneven
		if slow == roundsUneven-1 {
			missed = mostKeys // this machine does not keep the pace: any other one must send what was meant as well
		}
		require.True(t, t.Run("round", func(t *testing.T) { s = g.round(t, bin, sit, missed) }))
		if s.good(most) || len(s.wrong) > 0 && (s.off+s.stale == 0 || !g.looks(s)) {
			break
		}
		if s.off > 0 {
			slow++
		} else {
			round++
		}
		t.Logf("again: %s: %s, at most %d presses expected", g, s, most)
	}
	t.Logf("rhythm: %s: %s", g, s)
	return s
}

// looks reports whether the person looked at the screen, and so may have looked too early.
func (g rhythm) looks(s score) bool { return g.repeats || s.onward > 0 }

// judge plays a rhythm and checks that it sent what was meant, with no more presses than needed.
func (g rhythm) judge(t *testing.T, sit func(*room, []string) view, most int) {
	t.Helper()
	bin, err := program()
	require.NoError(t, err)
	s := g.play(t, bin, sit, most)
	if s.off > fewUneven {
		t.Logf("this machine was too slow to keep the pace: %s says nothing of how many keys are needed", s)
		if !g.looks(s) {
			assert.Empty(t, s.wrong, "answers that were not meant")
		}
		return
	}
	assert.Empty(t, s.wrong, "answers that were not meant")
	assert.Zero(t, s.left, "questions without an answer after %d keys", s.presses)
	assert.LessOrEqual(t, s.presses, most, "presses")
}

// round has somebody answer the questions of a new room. They give up when the pace was missed more often than that.
func (g rhythm) round(t *testing.T, bin string, sit func(*room, []string) view, missed int) score {
	r := newRoom(t)
	r.bin = bin
	h := &hand{rhythm: g, room: r, ids: g.put(r)}
	h.open = slices.Clone(h.ids)
	h.view = sit(r, h.ids)
	h.type10(missed)
	return h.count()
}

// hand is somebody who types.
type hand struct {
	rhythm
	*room
	view
	score
	ids, open []string // all sessions, and those without an outcome
	due, last time.Time
	step      int // in the keys of the task
	on        int // the question that the last key was meant for
	elsewhere string
	seen      string // the screen before the last key
}

// type10 types until every question has an answer, or the person gives up.
func (h *hand) type10(missed int) {
	h.Helper()
	for h.due = time.Now().Add(2 * glimpse); h.presses < mostKeys && h.off <= missed; h.due = h.due.Add(h.pace) {
		time.Sleep(time.Until(h.due.Add(-glimpse)))
		if h.forgetAnswered(); len(h.open) == 0 {
			return
		}
		key := h.key()
		time.Sleep(time.Until(h.due))
		h.strike(key)
		if h.replaced && h.elsewhere == "" && key == "2" && len(h.open) == tenQuestions/2 {
			time.Sleep(time.Until(h.due.Add(h.pace / 2)))
			h.answerElsewhere()
		}
	}
	time.Sleep(h.pace)
}

// strike presses a key and notes when.
func (h *hand) strike(key string) {
	now := time.Now()
	if !h.last.IsZero() && (now.Sub(h.last)-h.pace).Abs() > uneven {
		h.off++
	}
	h.last = now
	h.press(key)
	if key == nextKey {
		h.onward++
	} else {
		h.presses++
	}
}

// press is the view's: a room has none.
func (h *hand) press(key string) { h.view.press(key) }

// key is the key that comes next.
func (h *hand) key() string {
	screen := ""
	if h.repeats || h.stopsAtClosed() {
		if screen = h.look(); screen == h.seen {
			h.stale++
		}
		h.seen = screen
	}
	if strings.HasPrefix(screen, closedPage) {
		h.step, h.on = 0, -1
		return nextKey
	}
	if h.repeats {
		h.reconsider(screen)
	}
	key := h.gesture[h.step%len(h.gesture)]
	h.step++
	return key
}

// refusedMark is what the button says of a marking key that was refused.
var refusedMark = regexp.MustCompile(`(\S+) was ignored`)

// reconsider has the person go back to the key that was refused, or begin with the next question.
func (h *hand) reconsider(screen string) {
	on, send := here(screen), len(h.gesture)-1
	refused := refusedMark.FindStringSubmatch(screen)
	switch {
	case on < 0: // the review of a form
		h.step = send
	case refused != nil && refused[1] == h.gesture[0]:
		h.step = 0
	case on != h.on:
		h.step = 0
	case h.step > send: // Enter was refused: the question is still here
		h.step = send
	}
	h.on = on
}

// answerElsewhere gives the question on view the answer of somebody else.
func (h *hand) answerElsewhere() {
	h.Helper()
	on := here(h.look())
	require.GreaterOrEqual(h, on, 0, "a question is on view")
	h.elsewhere = h.ids[on]
	_, err := queue.New(h.store()).Do(h.Context(), h.elsewhere, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"third"}}}}}})
	require.NoError(h, err)
}

// forgetAnswered drops the sessions that have an outcome from those that are open.
func (h *hand) forgetAnswered() {
	h.Helper()
	store := h.store()
	h.open = slices.DeleteFunc(h.open, func(id string) bool {
		s, err := store.Get(h.Context(), id)
		require.NoError(h, err)
		return s.Outcome != nil
	})
}

// count looks at what is stored.
func (h *hand) count() score {
	h.Helper()
	h.forgetAnswered()
	h.left = len(h.open)
	store := h.store()
	for _, id := range h.ids {
		s, err := store.Get(h.Context(), id)
		require.NoError(h, err)
		if id == h.elsewhere || s.Outcome == nil {
			continue
		}
		if s.Outcome.Status != queue.StatusSelected {
			h.wrong = append(h.wrong, s.Ask.Title+": "+s.Outcome.Status)
		}
		for _, reply := range s.Outcome.Answer.Replies {
			if !slices.Equal(reply.Selected, h.want) || reply.Text != "" || len(reply.Notes) > 0 {
				h.wrong = append(h.wrong, fmt.Sprintf("%s %v", s.Ask.Title, reply))
			}
		}
	}
	return h.score
}

// rhythmsOf are the rhythms of a task: those for the gate, or all of them.
func rhythmsOf(k task, repeats bool, gate ...int) (all []rhythm) {
	if *rounds >= everyRhythm {
		gate = allPaces
	}
	for _, ms := range gate {
		all = append(all, rhythm{k, repeats, time.Duration(ms) * time.Millisecond})
	}
	return all
}

// deskPlaces has a place for each round that is typed at the same time.
var deskPlaces = make(chan struct{}, typists)

// together runs subtests at the same time, as many as there are typists. They take one of the places that -test.parallel
// has, and not one each.
func together[T fmt.Stringer](t *testing.T, all []T, run func(*testing.T, T)) {
	t.Helper()
	var each sync.WaitGroup
	for _, one := range all {
		each.Go(func() {
			deskPlaces <- struct{}{}
			defer func() { <-deskPlaces }()
			t.Run(one.String(), func(t *testing.T) { run(t, one) })
		})
	}
	each.Wait()
}

// judgeAll plays rhythms at the same time.
func judgeAll(t *testing.T, sit func(*room, []string) view, most func(rhythm) int, all ...[]rhythm) {
	t.Helper()
	together(t, slices.Concat(all...), func(t *testing.T, g rhythm) { g.judge(t, sit, most(g)) })
}

func TestEvidenceThatARhythmOnATerminalSendsWhatWasMeant(t *testing.T) {
	besideOthers(t)
	judgeAll(t, onDashboard, rhythm.budget,
		rhythmsOf(singleTask, false, 200, 300, 400, 550), rhythmsOf(singleTask, true, 250),
		rhythmsOf(submitTask, false, 300), rhythmsOf(submitTask, true),
		rhythmsOf(habitTask, false, 550), rhythmsOf(enterTask, false, 200, 400),
		rhythmsOf(multiTask, true, 250), rhythmsOf(formTask, true, 300),
		rhythmsOf(replacedTask, false, 300), rhythmsOf(replacedTask, true, 400))
}

func TestEvidenceThatARhythmInAttachSendsWhatWasMeant(t *testing.T) {
	besideOthers(t)
	judgeAll(t, inAttach, rhythm.budget,
		rhythmsOf(singleTask, false, 300), rhythmsOf(singleTask, true), rhythmsOf(submitTask, false, 400),
		rhythmsOf(enterTask, false, 400)) // at 300 ms a frame that comes 100 ms late costs one press more
}

// A form that was just opened came up on its own, so its digit is refused as well: at 300 ms the person types `2 Enter`
// twice for each, and three times at 200 ms. How long a program takes to start decides about one more, so there is no
// number of presses to keep to.
func TestEvidenceThatARhythmInOneAttachAfterTheOtherSendsWhatWasMeant(t *testing.T) {
	t.Parallel()
	judgeAll(t, inManyAttaches, func(rhythm) int { return mostKeys }, rhythmsOf(singleTask, false, 300))
}

func TestEvidenceThatARhythmIsMisunderstoodByAGuardThatForgets(t *testing.T) {
	needControls(t)
	t.Parallel()
	need(t)
	bin := *oldProgram
	if bin == "" {
		bin = forgetful(t)
	}
	rhythmControl(t, bin)
}

// rhythmControl checks that the rhythms find a guard wrong that forgets the keys it refused.
func rhythmControl(t *testing.T, bin string) {
	t.Helper()
	g := rhythm{singleTask, false, 300 * time.Millisecond}
	s := g.play(t, bin, onDashboard, mostKeys)
	assert.NotEmpty(t, s.wrong)
	t.Logf("control, a guard that forgets what it refused: %s: %s", g, s)
}

// forgetful builds choicetui with a guard as it was before: it treats every question as one that came up on its own, and
// forgets the keys that it refused.
func forgetful(t *testing.T) string {
	t.Helper()
	return altered(t, "forgetful", guardFile, guardBrings, "g.broughtUp = false\n\tg.restartWaits(id, now)",
		guardRemembers, guardRemembers+"\n\treturn")
}
