package screen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/storetest"
)

// pressed are the keys of a long random run. Enter comes often, as it is what is looked at.
var pressed = []string{"enter", "enter", "enter", "enter", "j", "k", "space", "1", "2", "3", "n", "t", "a", "x", "r", "A",
	"J", "K", "esc", "esc", "y", "tab", "right", "left", "R", "z", "V", "v", "m", "w", "+", "up", "down", "/", "0", "u"}

// TestTheEnterLineIsTrueAtEveryMoment presses Enter at random moments of long random runs, while others answer, agents
// go and the disk fails, and compares what the line said with what was stored.
func TestTheEnterLineIsTrueAtEveryMoment(t *testing.T) {
	runs, sent := storetest.Rounds(12), 0
	if n, err := strconv.Atoi(os.Getenv("CHOICETUI_RANDOM_RUNS")); err == nil {
		runs = n // a long run by hand
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := &enterRun{bench: newBench(t, 200, 40), dice: rand.New(rand.NewPCG(uint64(seed), 7))}
			for range 400 {
				r.step()
			}
			sent += r.sent
		})
	}
	require.Greater(t, sent, runs, "the runs answer something")
	t.Logf("%d runs of 400 keys, %d answers and cancels by Enter", runs, sent)
}

// TestTheEnterLineIsTrueOnTheWayToTheTeamAndBack does the same where questions can go to the team: nobody is asked,
// nothing fetched and no question parked but by an Enter whose line said so.
func TestTheEnterLineIsTrueOnTheWayToTheTeamAndBack(t *testing.T) {
	runs, asked, reviewed := storetest.Rounds(12), 0, 0
	for i := range runs {
		seed := i + 4 // the first of them comes to a review, so that the shortest run has one
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newTeamBench(t, 200, 40)
			r := &enterRun{bench: b.bench, team: b.team, dice: rand.New(rand.NewPCG(uint64(seed), 11))}
			for range 800 {
				if r.dice.IntN(3) > 0 {
					r.teamKey()
				} else {
					r.step()
				}
			}
			asked, reviewed = asked+len(b.team.Calls), reviewed+b.team.Summarising
		})
	}
	require.GreaterOrEqual(t, asked, runs, "the team is asked")
	require.GreaterOrEqual(t, reviewed, max(runs/4, 1), "and what it said reviewed")
}

// toTeam returns what has happened with the team so far: how often it was asked, how often its replies were summed up,
// and the states of the questions that are with it.
func (r *enterRun) toTeam() (calls, summed int, states string) {
	if r.team == nil {
		return 0, 0, ""
	}
	var list []string
	for _, s := range r.sessions() {
		if s.Widen != nil && s.Pending() {
			list = append(list, s.ID+s.Widen.State)
		}
	}
	slices.Sort(list)
	return len(r.team.Calls), r.team.Summarising, strings.Join(list, " ")
}

// teamKey presses a random key about the team where there is one, after a pause. Only Enter may have an effect there,
// and teamKey compares the effect with the Enter line.
func (r *enterRun) teamKey() {
	r.calm()
	list := []string{"w", "w", "f", "f", "f", "b", "c", "d", "enter"}
	switch place := r.room().Place(); {
	case place == action.PlaceTyping:
		list = []string{"enter", "enter", "type", "esc"}
	case r.view.OfTeam():
		list = []string{"enter", "enter", "enter", "enter", "1", "2", "space", "esc", "d", "f"}
	}
	key := list[r.dice.IntN(len(list))]
	r.keys = append(r.keys, key)
	if r.desk.Outbox().Len() > 0 && key != "enter" { // what an Enter sent before may be stored at any key
		return
	}
	calls, summed, states := r.toTeam()
	switch {
	case key == "enter":
		r.enter()
		r.calm()
		return
	case key != "type":
		r.press(key)
	case r.room().Field().Text() == "":
		r.write("Bob Smith")
	}
	r.last, r.key = r.now(), r.now()
	nowCalls, nowSummed, nowStates := r.toTeam()
	require.Equal(r.t, fmt.Sprint(calls, summed, states), fmt.Sprint(nowCalls, nowSummed, nowStates), r.keys)
	r.calm()
}

// teamTrue checks that the Enter line had announced what an Enter did with the team.
func (r *enterRun) teamTrue(line, said string, calls, summed int, states string, ended int) {
	nowCalls, nowSummed, nowStates := r.toTeam()
	switch {
	case nowCalls > calls:
		require.Regexp(r.t, "⏎ Ask the team", line, said)
	case nowSummed > summed:
		require.Contains(r.t, line, "⏎ Get", said)
	case hasNew(states, nowStates) && ended == 0: // what is not there any more ended, which is looked at elsewhere
		require.Regexp(r.t, "⏎ (Answer other|Wait)", line, said)
	}
}

// hasNew reports whether a list of words has one that the list before has not.
func hasNew(before, now string) bool {
	was := strings.Fields(before)
	return slices.ContainsFunc(strings.Fields(now), func(word string) bool { return !slices.Contains(was, word) })
}

type enterRun struct {
	*bench
	team *roomtest.Team // nil if there is none
	dice *rand.Rand
	sent int
	keys []string
	last time.Time // when a key was last pressed, or anything else may have happened
	key  time.Time // when a key was last pressed that may be text, or Enter
}

// rested reports whether nothing has happened for so long that Enter must do what its line says.
func (r *enterRun) rested() bool { return r.now().Sub(r.last) >= desk.Settle }

func (r *enterRun) step() {
	switch r.dice.IntN(12) {
	case 0:
		r.arrive()
	case 1:
		r.clock.Pass(time.Duration(r.dice.IntN(2000)) * time.Millisecond)
		r.tick()
	case 2:
		if up := r.view.Session(); up.Pending() && r.rig.Disk.Err == nil && r.dice.IntN(3) == 0 {
			r.elsewhere(up, r.dice.IntN(2) == 0)
		}
	case 3:
		if r.rig.Disk.Err = nil; r.dice.IntN(4) == 0 {
			r.rig.Disk.Err = errors.New("no space left on device")
		}
	}
	if len(r.desk.Waiting()) == 0 {
		r.arrive()
	}
	r.last = r.now()
	if r.dice.IntN(2) == 0 {
		r.calm()
		r.clock.Pass(100 * time.Millisecond)
	}
	key := pressed[r.dice.IntN(len(pressed))]
	r.keys = append(r.keys, key)
	if key == "enter" {
		r.enter()
		return
	}
	r.press(key)
	if r.last = r.now(); action.IsLetter(key) {
		r.key = r.now()
	}
}

// arrive has an agent ask.
func (r *enterRun) arrive() {
	if len(r.desk.Waiting()) > 3 {
		return
	}
	asks := []queue.Ask{database(), endpoints(), authRework(), dropTable(), one(queue.ModeMulti, nil),
		one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }),
		one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), roomtest.ApproveDiff(),
		roomtest.ApproveCommand(), approvePermissions()}
	a := asks[r.dice.IntN(len(asks))]
	a.TimeoutSeconds = 20 + r.dice.IntN(600)
	r.ask(a, shop())
}

// elsewhere answers in the browser; seen: this screen knows of it before the next key.
func (r *enterRun) elsewhere(s queue.Session, seen bool) {
	if now, err := r.o.Queue.Store.Get(r.t.Context(), s.ID); err != nil || !now.Pending() {
		return // it ended already, and this screen does not know yet
	}
	_, err := r.o.Queue.Do(r.t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
		Do: queue.Cancel{Reason: "in the browser"}})
	require.NoError(r.t, err)
	if seen {
		r.settle()
	}
}

// enter presses Enter and holds what was stored against what the line had said.
func (r *enterRun) enter() {
	line, before, ofTeam := r.enterLine(), r.pending(), r.view.OfTeam()
	up := r.view.Session()
	calls, summed, states := r.toTeam()
	rested, atOnce := r.rested(), r.now().Sub(r.key) < desk.Settle
	sending := r.desk.Outbox().Len() > 0
	r.board.Overtake("", r.now()) // this is no repeat of a held key
	r.Key(event("enter"))
	r.settle()
	r.last, r.key = r.now(), r.now()
	said := fmt.Sprintf("line %q, then %q, notice %q, rested %v, keys %v", line, r.enterLine(), r.said(), rested,
		r.keys[max(len(r.keys)-12, 0):])
	ended, lost := 0, false
	for _, s := range before {
		now := r.get(s.ID)
		lost = lost || endedElsewhere(now)
		if now.Pending() || endedElsewhere(now) {
			continue
		}
		ended++
		r.sent++
		if ofTeam {
			require.Regexp(r.t, "^(⏎ (Accept|Send|Put it off)|Was this meant)|or send “", line, said)
			continue
		}
		if now.Outcome.ReasonCode != "" {
			require.Regexp(r.t, "more detail|Ask with it", line, said)
			continue
		}
		if now.Status() == queue.StatusCancelled {
			require.Regexp(r.t, "cancel|refuse and tell|leave it to", strings.ToLower(line), said)
			continue
		}
		if strings.HasSuffix(line, "⏎ Refuse with it") {
			require.Equal(r.t, queue.ActRefuse, actOf(now), said)
			continue
		}
		switch {
		case now.Ask.Approval != nil && len(now.Ask.Questions) == 1: // what it was answered with is the verb
			require.True(r.t, decides(now.Ask, line) || strings.HasPrefix(line, "⏎ Refuse and tell "), said)
		default:
			require.Contains(r.t, strings.ToLower(line), "send", said)
		}
		for _, words := range r.told(now) {
			require.Contains(r.t, line, words, said)
		}
	}
	require.LessOrEqual(r.t, ended, 1, said)
	r.teamTrue(line, said, calls, summed, states, ended)
	unconfirmed := strings.HasPrefix(line, "Was this meant ")
	if endsNothing.MatchString(line) || unconfirmed && atOnce {
		require.Zero(r.t, ended, said)
	}
	leads := ofTeam || strings.Contains(line, "Add it") || strings.Contains(line, "Take it")
	if unconfirmed && rested && !leads && !lost && !sending && r.rig.Disk.Err == nil {
		require.Equal(r.t, 1, ended, said)
	}
	sends := (strings.HasPrefix(line, "⏎ Send ") || decides(up.Ask, line)) && !strings.Contains(line, ", then confirm") && !strings.Contains(line, ", confirm")
	if ended == 0 && sends && !lost && !ofTeam && r.rig.Disk.Err == nil {
		require.False(r.t, rested, "nothing was sent: %s", said)
		require.Regexp(r.t, `^(Not yet: |Was this meant |\S+ was ignored)`, r.enterLine()+r.said(), said)
	}
}

// endsNothing matches an Enter line while Enter ends no question.
var endsNothing = regexp.MustCompile(`^(Not yet|Nothing marked yet|⏎ twice|\S+ was ignored)`)

// decides reports whether a line is the button of an approval: it begins with what one of the options does.
func decides(a queue.Ask, line string) bool {
	return a.Approval != nil && slices.ContainsFunc(a.Questions[0].Options, func(o queue.Option) bool {
		rest, ok := strings.CutPrefix(line, "⏎ "+o.Label)
		return ok && !strings.HasPrefix(rest, " and tell ") // the words of a refusal
	})
}

// actOf returns what the option does that an approval was answered with.
func actOf(s queue.Session) string {
	o, _ := s.Ask.Questions[0].Option(s.Outcome.Answer.Replies[0].Selected[0])
	return o.Act
}

// enterLine returns the footer's first row, drawn without the rest of the screen: a long run looks at it often.
func (r *enterRun) enterLine() string {
	r.lay()
	w, h := r.screen.Size()
	c, at := r.Ink(r.screen), ink.Rect{Y: h - 2, W: w, H: 2}
	c.Fill(at, ink.Plain)
	line := at.Row(0)
	if below := r.frame.buttonRect(); !below.Empty() {
		line = below
		c.Fill(line, ink.Plain)
	}
	r.frame.drawFooter(c, at)
	var words strings.Builder
	for x := line.X; x < line.X+line.W; x++ {
		cell, _, _ := r.screen.Get(x, line.Y)
		words.WriteString(cell)
	}
	said, _, _ := strings.Cut(words.String(), "   ") // without the keys beside it
	return strings.TrimRight(said, " ")
}

// told returns the words of an answer that the line must have had.
func (r *enterRun) told(s queue.Session) (words []string) {
	if len(s.Ask.Questions) > 1 {
		return []string{fmt.Sprintf("%d answers", len(s.Ask.Questions))}
	}
	reply := s.Outcome.Answer.Replies[0]
	for _, id := range reply.Selected {
		o, _ := s.Ask.Questions[0].Option(id)
		words = append(words, o.Label)
	}
	return words
}

func (r *enterRun) pending() (list []queue.Session) {
	for _, s := range r.sessions() {
		if s.Pending() && r.desk.Outbox().Of(s.ID) == nil { // what is tried again was sent before
			list = append(list, s)
		}
	}
	return list
}

// endedElsewhere reports whether somebody else has ended it.
func endedElsewhere(s queue.Session) bool {
	return !s.Pending() && (s.Outcome.Surface == queue.SurfaceWeb || s.Outcome.By != queue.ByHuman)
}
