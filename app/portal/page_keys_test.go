package portal

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// allowsOnce returns an approval.
func allowsOnce() queue.Ask {
	a := one(queue.ModeSingle, nil)
	a.Kind = queue.KindApproval
	a.Approval = &queue.Approval{Tool: "Bash", Dir: "/src", Parts: []queue.Part{{Kind: queue.PartCommand, Text: "ls"}}}
	a.Questions[0].Options = []queue.Option{{ID: "once", Label: "Allow once", Act: "once"}, {ID: "no", Label: "Refuse", Act: "refuse"}}
	return a
}

// placesOfAPage maps each place in which a letter is a key to a function that opens a page there.
func placesOfAPage() map[action.Place]func(*bench) *tab {
	confirmed := one(queue.ModeSingle, nil)
	confirmed.Confirm = true
	asks := func(a queue.Ask, keys ...string) func(*bench) *tab {
		return func(b *bench) *tab {
			c := b.open("/choice/" + b.ask(a).ID)
			c.presses(keys...)
			return c
		}
	}
	return map[action.Place]func(*bench) *tab{
		action.PlaceEmpty:    func(b *bench) *tab { return b.open("/") },
		action.PlaceQueue:    func(b *bench) *tab { b.ask(one(queue.ModeSingle, nil)); return b.open("/") },
		action.PlaceQuestion: asks(one(queue.ModeSingle, nil)),
		action.PlaceApproval: asks(allowsOnce()),
		action.PlaceConfirm:  asks(confirmed, "2", "enter"),
		action.PlaceReview:   asks(asking("Set up", question("q1", queue.ModeSingle), question("q2", queue.ModeSingle)), "enter", "enter"),
		action.PlaceHelp:     asks(one(queue.ModeSingle, nil), "?"),
		action.PlaceSettings: asks(one(queue.ModeSingle, nil), "s"),
		action.PlacePostponed: func(b *bench) *tab {
			assert.NoError(b.t, b.settings.Update(func(c *config.Settings) { c.UndoSeconds = 60 }))
			b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
			return asks(one(queue.ModeSingle, nil), "enter")(b)
		},
		action.PlaceOver: func(b *bench) *tab {
			s := b.ask(one(queue.ModeSingle, nil))
			c := b.open("/choice/" + s.ID)
			b.elsewhere(s.ID, queue.Cancel{})
			c.shows("main", "Cancelled")
			return c
		},
	}
}

func TestAKeyThatWorksInTheTerminalAloneSaysSoInEachPlace(t *testing.T) {
	t.Parallel()
	for place, to := range placesOfAPage() {
		t.Run(strconv.Itoa(int(place)), func(t *testing.T) {
			b := newBench(t)
			to(b).calm()
			b.wait(2 * time.Second)
			for _, bound := range action.Keys {
				does := has(bound.Name, place)
				for _, key := range bound.Keys {
					if does || !action.IsLetter(key) || !bound.IsIn(place) {
						continue
					}
					b.owned(func() {
						g := b.pages.open[0]
						g.message = ""
						g.pressKey(pageEvent{Key: key}, b.d.Now())
						assert.Equal(t, place, g.Place(), key)
						assert.Equal(t, action.Written(key)+" does nothing on this page, only in the terminal", g.message)
					})
				}
			}
		})
	}
}

func TestTheListOfKeysAndTheSettingsLeadToEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("?", "s")
	page.shows("panel", "They also apply in the terminal")
	page.presses("?")
	page.shows("panel", "go to that option")
	page.shows("panel", "Only in the terminal")
	page.shows("panel", "(its text fields are the browser&#39;s)")
	page.presses("esc")
	page.until(func(m message) bool { return m.Parts["panel"] == "" })
}

func TestANoticeKeepsTheCaseOfTheKeyThatItBeginsWith(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.presses("p")
	page.shows("status", "p does nothing on this page")
	page.presses("z")
	page.shows("status", "z does nothing on this page")
	page.presses("u")
	page.shows("status", "There is nothing to take back")
}

func TestEnterLeavesAClosedQuestion(t *testing.T) {
	t.Parallel()
	page := placesOfAPage()[action.PlaceOver](newBench(t))
	page.presses("enter")
	page.shows("main", "Nothing is waiting.")
}

func TestEachButtonOfThePageDoesSomething(t *testing.T) {
	t.Parallel()
	source, err := assets.ReadFile("assets/page.html")
	require.NoError(t, err)
	words := []string{doOpen, doSend, doTab, doReason, doSet, doUnhide, doOffer, doLeave}
	for _, found := range regexp.MustCompile(`data-do="([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		a := action.Name(found[1])
		_, ours := ownActions[a]
		assert.True(t, ours || !action.Lacks(action.Page, a) || slices.Contains(words, found[1]), a)
	}
}
