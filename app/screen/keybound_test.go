package screen

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// reached are the ways to every place, in each room that has it.
var reached = []struct {
	place action.Place
	room  string
	reach func(b *bench)
}{
	{action.PlaceEmpty, "*empty.Room", func(*bench) {}},
	{action.PlaceQuestion, "*question.Room", waits},
	{action.PlaceTyping, "*question.Room", then(waits, "n")},
	{action.PlaceReason, "*question.Room", then(waits, "x")},
	{action.PlaceFind, "*question.Room", then(waits, "/")},
	{action.PlaceOver, "*question.Room", func(b *bench) {
		s := b.ask(database(), shop())
		b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	}},
	{action.PlaceConfirm, "*question.Room", func(b *bench) {
		a := database()
		a.Confirm = true
		b.ask(a, shop())
		b.calm()
		b.press("enter")
	}},
	{action.PlaceReview, "*question.Room", func(b *bench) {
		b.ask(three(), shop())
		b.calm()
		b.press("1", "enter", "1", "enter", "1", "enter")
	}},
	{action.PlaceApproval, "*question.Room", func(b *bench) { b.ask(roomtest.ApproveDiff(), shop()) }},
	{action.PlaceBatch, "*question.Room", func(b *bench) {
		b.askAlike("npm test", "ls")
		b.press("*")
	}},
	{action.PlacePostponed, "*question.Room", func(b *bench) {
		require.NoError(b.t, b.o.Settings.Update(func(s *config.Settings) { s.UndoSeconds = 3 }))
		b.desk.SetSettings(b.o.Settings.Settings())
		b.ask(database(), shop())
		b.calm()
		b.press("enter")
	}},
	{action.PlaceQueue, "*list.Room", then(waits, "tab")},
	{action.PlaceFind, "*list.Room", then(waits, "tab", "/")},
	{action.PlaceSettings, "*settings.Area", then(waits, "backtab")},
	{action.PlaceValue, "*settings.Area", then(waits, "backtab", "enter")},
	{action.PlaceSettings, "*settings.Page", then(waits, "s")},
	{action.PlaceValue, "*settings.Page", func(b *bench) { waits(b); b.press("s"); b.calm(); b.press("enter") }},
	{action.PlaceHelp, "*help.Page", then(waits, "?")},
	{action.PlaceFind, "*help.Page", then(waits, "?", "/")},
	{action.PlaceHistory, "*history.Room", then(yesterday, "h")},
	{action.PlaceFind, "*history.Room", then(yesterday, "h", "/")},
	{action.PlacePeek, "*peek.Page", func(b *bench) { waits(b); b.rooms.peek.Open() }},
	{action.PlaceFind, "*peek.Page", func(b *bench) { waits(b); b.rooms.peek.Open(); b.press("/") }},
	{action.PlaceChat, "*chat.Room", then(waits, "i")},
	{action.PlaceQuestion, "*question.Room", toWho},
	{action.PlaceReview, "*question.Room", then(toUntil, "right")},
	{action.PlaceQuestion, "*question.Room", toReview},
}

// waits has questions wait, the first behind no guard.
func waits(b *bench) {
	b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.picture()
}

func then(first func(b *bench), press ...string) func(b *bench) {
	return func(b *bench) { first(b); b.press(press...) }
}

// atEachPlace runs check on a bench in every place, in each room that has it.
func atEachPlace(t *testing.T, check func(b *bench, place action.Place, room string)) {
	for _, at := range reached {
		b := newBenchOnFile(t, 120, 40, "", withTeam(&roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}))
		at.reach(b)
		require.Equal(t, at.place, b.room().Place(), at.room)
		require.Equal(t, at.room, fmt.Sprintf("%T", b.room()))
		check(b, at.place, at.room)
	}
}

func TestEveryKeyDoesSomethingInEachOfItsPlaces(t *testing.T) {
	seen := map[action.Place]bool{}
	atEachPlace(t, func(b *bench, place action.Place, room string) {
		seen[place] = true
		for _, bound := range action.Keys {
			for _, p := range bound.In {
				if p == place {
					own, _ := b.room().Table().Row(bound.Name)
					does := own.Do != nil || b.board.Has(bound.Name) || b.keyboard.Else(bound.Name).Do != nil
					assert.True(t, does, "%s has a key in “%s”, and no row in the Table of %s",
						bound.Name, place, room)
				}
			}
		}
	})
	for _, bound := range action.Keys {
		assert.NotEmpty(t, bound.In, bound.Name)
		for _, p := range bound.In {
			assert.True(t, seen[p], "“%s”, where %s has a key, is in no room", p, bound.Name)
		}
	}
}

func TestNoRoomBindsAnActionThatHasNoKeyInItsPlaces(t *testing.T) {
	places, binds := map[string][]action.Place{}, map[string]map[action.Name]bool{}
	atEachPlace(t, func(b *bench, place action.Place, room string) {
		places[room] = append(places[room], place)
		if binds[room] == nil {
			binds[room] = map[action.Name]bool{}
		}
		once := map[action.Name]bool{}
		for _, row := range b.room().Table() {
			assert.False(t, once[row.Name], "%s is bound twice in %s", row.Name, room)
			once[row.Name], binds[room][row.Name] = true, true
		}
	})
	for room, actions := range binds {
		for a := range actions {
			assert.True(t, inSome(places[room], a), "%s has a row in %s and no key there", a, room)
		}
	}
	var all []action.Place
	for _, list := range places {
		all = append(all, list...)
	}
	for _, row := range newBench(t, 80, 24).keyboard.bindEverywhere() {
		assert.True(t, inSome(all, row.Name), "%s means the same everywhere and has no key", row.Name)
	}
}

// inSome reports whether the key table has an action in one of the places.
func inSome(places []action.Place, a action.Name) bool {
	for _, p := range places {
		if action.Keys.KeyOf(p, a) != "" {
			return true
		}
	}
	return false
}
