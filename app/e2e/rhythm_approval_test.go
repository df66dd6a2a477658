package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Approvals and confirmations come up while somebody types at a steady pace, meant for whatever was there before. None
// may be settled before the person had half a second to see it.

const (
	// seenFor is how long an approval has to be on the screen before a key settles it.
	seenFor = 500 * time.Millisecond
	// unsure is how much earlier than it was seen something may have been on the screen. Between an arrival of bytes and
	// a picture of the screen that has the words lie some milliseconds.
	unsure = 20 * time.Millisecond
	// approvalKeys is how many keys are typed at most: an approval takes four of them.
	approvalKeys = 60
	sixApprovals = 6
)

// sighting is when some words came on the screen: bytes that changed it arrived, and then a picture had them.
type sighting struct{ arrived, pictured time.Time }

// watch notes when words come on the screen, until stop is called. It takes a picture where something has changed, and
// not at any other time.
func (g glass) watch(words []string) (stop func() map[string]sighting) {
	c, seen := g.person, map[string]sighting{}
	over, done := false, make(chan struct{})
	var last time.Time
	go func() {
		defer close(done)
		for {
			c.mu.Lock()
			for !over && c.last.Equal(last) {
				c.bell.Wait()
			}
			last = c.last
			end := over
			c.mu.Unlock()
			if end {
				return
			}
			picture, err := g.command("capture-pane", "-p", "-t", g.id).Output()
			for now := time.Now(); err == nil && len(words) > 0; words = words[1:] {
				at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(string(picture), w) })
				if at < 0 {
					break
				}
				seen[words[at]] = sighting{last, now}
				words[0], words[at] = words[at], words[0]
			}
		}
	}()
	return sync.OnceValue(func() map[string]sighting {
		c.mu.Lock()
		over = true
		c.bell.Broadcast()
		c.mu.Unlock()
		<-done
		return seen
	})
}

// alarm is what somebody types while approvals come up.
type alarm struct {
	name    string
	gesture []string
	ask     func(i int) queue.Ask
	comes   bool // one after the other, each when the one before has been settled; else all of them are pending
	settles bool // at 300 ms and slower it is to settle them all in the end
	pace    time.Duration
}

func (a alarm) String() string { return fmt.Sprintf("%s, %d ms", a.name, a.pace.Milliseconds()) }

// sights are the words that show that an approval is on view, and that its confirmation is.
func sights(i int) (question, confirmation string) {
	return place(i), fmt.Sprintf("confirm-%d-now", i)
}

// deploying is an approval, as agents ask for a permission; where the refusal is the first of its choices.
func deploying(i int) queue.Ask {
	command, _ := sights(i)
	return queue.Ask{Kind: queue.KindApproval, Title: fmt.Sprintf("Bash, for the %d. time", i+1), TimeoutSeconds: 3600,
		OnTimeout: queue.OnTimeoutNone, Prompt: "It has to be done.",
		Approval: &queue.Approval{Tool: "Bash", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "deploy " + command}}},
		Questions: []queue.Question{{ID: "approval", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
			{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}, {ID: "once", Label: "Allow once", Act: queue.ActOnce}}}}}
}

// confirming is a question as hitl_request asks it, with a second step and the first option preselected.
func confirming(i int) queue.Ask {
	question, confirmation := sights(i)
	return queue.Ask{Kind: queue.KindChoice, Title: fmt.Sprintf("Deploy, for the %d. time?", i+1), TimeoutSeconds: 3600,
		OnTimeout: queue.OnTimeoutNone, Prompt: "It has to be done, as " + question + ".", Confirm: true,
		ConfirmMessage: "This is for real: " + confirmation,
		Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1, Defaults: []string{"deploy"},
			Options: []queue.Option{{ID: "deploy", Label: "Deploy"}, {ID: "wait", Label: "Wait"}}}}}
}

// mixed has a plain question before each approval, so that the rhythm runs from one into the other.
func mixed(i int) queue.Ask {
	if i%2 == 1 {
		return deploying(i)
	}
	ask := database()
	ask.Prompt, ask.TimeoutSeconds = "It matters, as "+place(i)+".", 3600
	return ask
}

// The rhythms that are tried. Enter alone settles no approval at all, as nothing is marked.
var (
	pendingAlarm = alarm{name: "y Enter, approvals pending", gesture: []string{"y", enterKey}, ask: deploying, settles: true}
	comingAlarm  = alarm{name: "y Enter, approvals that arrive", gesture: []string{"y", enterKey}, ask: deploying, comes: true, settles: true}
	mixedAlarm   = alarm{name: "2 Enter, approvals among questions", gesture: []string{"2", enterKey}, ask: mixed, settles: true}
	enterAlarm   = alarm{name: "Enter, approvals among questions", gesture: []string{enterKey}, ask: mixed}
	confirmAlarm = alarm{name: "2 Enter y Enter, confirmations", gesture: []string{"2", enterKey, "y", enterKey}, ask: confirming}
)

// answers reports whether the rhythm settles all of the approvals in the end.
func (a alarm) answers() bool { return a.settles && a.pace >= 300*time.Millisecond }

// at are the alarm's rhythms: those for the gate, or all of them.
func (a alarm) at(gate ...int) (all []alarm) {
	if *rounds >= everyRhythm {
		gate = allPaces
	}
	for _, ms := range gate {
		a.pace = time.Duration(ms) * time.Millisecond
		all = append(all, a)
	}
	return all
}

// alarmed is how a round went.
type alarmed struct {
	presses, settled, left int
	early                  []string
	doubtful               bool // at least one was settled at half a second, as far as a watcher can say
	off                    int
}

func (s alarmed) String() string {
	return fmt.Sprintf("%d presses, %d approvals settled, %d of them too early, %d questions left", s.presses, s.settled, len(s.early), s.left)
}

// round types a rhythm into a new room.
func (a alarm) round(t *testing.T, bin string) (s alarmed) {
	r := newRoom(t)
	r.bin = bin
	var words, ids []string
	for i := range sixApprovals {
		question, confirmation := sights(i)
		words = append(words, question, confirmation)
		if !a.comes {
			ids = append(ids, r.put(a.ask(i)).ID)
		}
	}
	m := r.tmux()
	p := m.open(100, 30, r.bin)
	g := glass{p, m.person(p, "xterm-256color")}
	stop := g.watch(words)
	defer stop()
	if a.comes {
		p.see("? keys")
	} else {
		p.when("with a question", func(screen string) bool { return here(screen) >= 0 })
	}
	time.Sleep(guarded)
	keys := approvalKeys
	if len(a.gesture) == 1 {
		keys /= 3 // it waits at the first approval
	}
	h := &hand{rhythm: rhythm{task{gesture: a.gesture}, false, a.pace}, room: r, view: g, ids: ids, open: slices.Clone(ids)}
	for h.due = time.Now().Add(2 * glimpse); h.presses < keys; h.due = h.due.Add(a.pace) {
		time.Sleep(time.Until(h.due.Add(-glimpse)))
		if h.forgetAnswered(); len(h.open) == 0 {
			if len(h.ids) == sixApprovals {
				break
			}
			id := r.put(a.ask(len(h.ids))).ID
			h.ids, h.open = append(h.ids, id), append(h.open, id)
		}
		key := a.gesture[h.presses%len(a.gesture)]
		time.Sleep(time.Until(h.due))
		h.strike(key)
	}
	time.Sleep(a.pace)
	h.forgetAnswered()
	s = alarmed{presses: h.presses, left: sixApprovals - len(h.ids) + len(h.open), off: h.off}
	s.judge(h, stop())
	return s
}

// judge compares when approvals were settled with when they came on the screen.
func (s *alarmed) judge(h *hand, seen map[string]sighting) {
	store := h.store()
	for i, id := range h.ids {
		v, err := store.Get(h.Context(), id)
		require.NoError(h, err)
		if v.Outcome == nil || v.Ask.Kind != queue.KindApproval && !v.Ask.Confirm {
			continue
		}
		s.settled++
		question, confirmation := sights(i)
		words := []string{question}
		if v.Ask.Confirm && v.Outcome.Answered() {
			words = append(words, confirmation)
		}
		for _, word := range words {
			at, was := seen[word]
			switch {
			case !was || v.Outcome.At.Sub(at.arrived) < seenFor-unsure:
				s.early = append(s.early, fmt.Sprintf("%s: settled %v after %s was seen (seen: %v)", v.Ask.Title,
					v.Outcome.At.Sub(at.arrived), word, was))
			case v.Outcome.At.Sub(at.pictured) < seenFor:
				s.doubtful = true
			}
		}
	}
}

func TestEvidenceThatARhythmSettlesNoApprovalThatJustCameUp(t *testing.T) {
	t.Parallel()
	need(t)
	bin, err := program()
	require.NoError(t, err)
	all := slices.Concat(pendingAlarm.at(200, 400), comingAlarm.at(300), mixedAlarm.at(300), enterAlarm.at(250), confirmAlarm.at(300))
	together(t, all, func(t *testing.T, a alarm) {
		s := a.play(t, bin)
		assert.Empty(t, s.early, "settled before it had been on the screen for half a second")
		if s.off > 0 {
			t.Logf("this machine was too slow to keep the pace: doubtful: %v, %d left", s.doubtful, s.left)
			return
		}
		assert.False(t, s.doubtful, "settled less than half a second after it was seen on the screen")
		if a.answers() {
			assert.Zero(t, s.left, "a rhythm that never answers")
		}
	})
}

func TestEvidenceThatARhythmSettlesApprovalsAtOnceWithoutTheGuard(t *testing.T) {
	needControls(t)
	t.Parallel()
	need(t)
	bin := unguarded(t)
	pending, confirm := pendingAlarm, confirmAlarm
	pending.pace, confirm.pace = 200*time.Millisecond, 200*time.Millisecond
	together(t, []alarm{pending, confirm}, func(t *testing.T, a alarm) {
		assert.NotEmpty(t, a.play(t, bin).early)
	})
}

// play plays rounds until one leaves no doubt. A round in which no key was late and an approval was settled too early
// leaves none.
func (a alarm) play(t *testing.T, bin string) (s alarmed) {
	t.Helper()
	for range roundsUneven {
		require.True(t, t.Run("round", func(t *testing.T) { s = a.round(t, bin) }))
		// Where this machine was slow, the watcher may have seen an approval late, or a rhythm may not come to its end.
		asMeant := len(s.early) == 0 && !s.doubtful && (s.left == 0 || !a.answers())
		if asMeant || len(s.early) > 0 && s.off == 0 {
			break
		}
		t.Logf("again: %d keys were off the pace, doubtful: %v (%s: %s)", s.off, s.doubtful, a, s)
	}
	t.Logf("rhythm: %s: %s", a, s)
	return s
}
