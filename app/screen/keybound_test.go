package screen

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// reached are the ways to every place, in each room that has it.
var reached = []struct {
	place keys.Place
	room  string
	reach func(b *bench)
}{
	{keys.PlaceEmpty, "*empty.Room", func(*bench) {}},
	{keys.PlaceQuestion, "*question.Room", waits},
	{keys.PlaceTyping, "*question.Room", then(waits, "n")},
	{keys.PlaceReason, "*question.Room", then(waits, "x")},
	{keys.PlaceFind, "*question.Room", then(waits, "/")},
	{keys.PlaceOver, "*question.Room", func(b *bench) {
		s := b.ask(database(), shop())
		b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	}},
	{keys.PlaceConfirm, "*question.Room", func(b *bench) {
		a := database()
		a.Confirm = true
		b.ask(a, shop())
		b.calm()
		b.press("enter")
	}},
	{keys.PlaceReview, "*question.Room", func(b *bench) {
		b.ask(three(), shop())
		b.calm()
		b.press("1", "enter", "1", "enter", "1", "enter")
	}},
	{keys.PlaceApproval, "*question.Room", func(b *bench) { b.ask(roomtest.ApproveDiff(), shop()) }},
	{keys.PlaceRound, "*alike.Page", func(b *bench) {
		b.askAlike("npm test", "ls")
		b.press("*")
		b.keep("y")
		b.keep("y")
	}},
	{keys.PlaceHeld, "*question.Room", func(b *bench) {
		require.NoError(b.t, b.o.Settings.Update(func(s *config.Settings) { s.UndoSeconds = 3 }))
		b.desk.SetSettings(b.o.Settings.Settings())
		b.ask(database(), shop())
		b.calm()
		b.press("enter")
	}},
	{keys.PlaceQueue, "*list.Room", then(waits, "tab")},
	{keys.PlaceFind, "*list.Room", then(waits, "tab", "/")},
	{keys.PlaceSettings, "*settings.Area", then(waits, "backtab")},
	{keys.PlaceValue, "*settings.Area", then(waits, "backtab", "enter")},
	{keys.PlaceSettings, "*settings.Page", then(waits, "s")},
	{keys.PlaceValue, "*settings.Page", func(b *bench) { waits(b); b.press("s"); b.calm(); b.press("enter") }},
	{keys.PlaceHelp, "*help.Page", then(waits, "?")},
	{keys.PlaceFind, "*help.Page", then(waits, "?", "/")},
	{keys.PlaceHistory, "*history.Room", then(yesterday, "h")},
	{keys.PlaceFind, "*history.Room", then(yesterday, "h", "/")},
	{keys.PlaceStats, "*statistics.Page", then(yesterday, "h", "tab")},
	{keys.PlacePeek, "*peek.Page", func(b *bench) { waits(b); b.rooms.peek.Open() }},
	{keys.PlaceFind, "*peek.Page", func(b *bench) { waits(b); b.rooms.peek.Open(); b.press("/") }},
	{keys.PlaceChat, "*chat.Room", then(waits, "i")},
	{keys.PlaceTeamLine, "*team.Room", then(toTeam, "d")},
	{keys.PlaceTeamLine, "*team.Page", toNames},
	{keys.PlaceLetter, "*team.Page", toLetter},
	{keys.PlaceTeamChoice, "*team.Page", toUntil},
	{keys.PlaceTeamReview, "*team.Page", toReview},
	{keys.PlaceTeamLine, "*team.Page", then(toReview, "d")},
	{keys.PlaceTeamWait, "*team.Page", func(b *bench) {
		toReview(b)
		b.seat.Team.On().Stage = widen.Fetching
	}},
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
func atEachPlace(t *testing.T, check func(b *bench, place keys.Place, room string)) {
	for _, at := range reached {
		b := newBenchOnFile(t, 120, 40, "", withTeam(&roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}))
		at.reach(b)
		require.Equal(t, at.place, b.room().Place(), at.room)
		require.Equal(t, at.room, fmt.Sprintf("%T", b.room()))
		check(b, at.place, at.room)
	}
}

func TestEveryKeyDoesSomethingInEachOfItsPlaces(t *testing.T) {
	seen := map[keys.Place]bool{}
	atEachPlace(t, func(b *bench, place keys.Place, room string) {
		seen[place] = true
		for _, bound := range keys.Table {
			for _, p := range bound.Places {
				if p == place {
					own, _ := b.room().Table().Row(bound.Action)
					row := b.keyboard.orEverywhere(own, bound.Action)
					assert.True(t, row.Do != nil || row.Deed, "%s has a key in “%s”, and no row in the Table of %s",
						bound.Action, place, room)
				}
			}
		}
	})
	for _, bound := range keys.Table {
		assert.NotEmpty(t, bound.Places, bound.Action)
		for _, p := range bound.Places {
			assert.True(t, seen[p], "“%s”, where %s has a key, is in no room", p, bound.Action)
		}
	}
}

func TestNoRoomBindsAnActionThatHasNoKeyInItsPlaces(t *testing.T) {
	places, binds := map[string][]keys.Place{}, map[string]map[keys.Action]bool{}
	atEachPlace(t, func(b *bench, place keys.Place, room string) {
		places[room] = append(places[room], place)
		if binds[room] == nil {
			binds[room] = map[keys.Action]bool{}
		}
		once := map[keys.Action]bool{}
		for _, row := range b.room().Table() {
			assert.False(t, once[row.Action], "%s is bound twice in %s", row.Action, room)
			once[row.Action], binds[room][row.Action] = true, true
		}
	})
	for room, actions := range binds {
		for a := range actions {
			assert.True(t, inSome(places[room], a), "%s has a row in %s and no key there", a, room)
		}
	}
	var all []keys.Place
	for _, list := range places {
		all = append(all, list...)
	}
	for _, row := range newBench(t, 80, 24).keyboard.bindEverywhere() {
		assert.True(t, inSome(all, row.Action), "%s means the same everywhere and has no key", row.Action)
	}
}

// inSome reports whether the key table has an action in one of the places.
func inSome(places []keys.Place, a keys.Action) bool {
	for _, p := range places {
		if keys.Table.KeyOf(p, a) != "" {
			return true
		}
	}
	return false
}
