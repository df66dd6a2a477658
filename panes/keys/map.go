package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Map holds the key table with the person's own keys in it. Dispatch, foot and help read the same Map.
type Map []Binding

// Lookup returns the binding of a key in a place; nil: the key does nothing there.
func (m Map) Lookup(place Place, key string) *Binding {
	for i, b := range m {
		if b.In(place) && slices.Contains(b.Keys, key) {
			return &m[i]
		}
	}
	return nil
}

// BeginsText reports whether a key begins the answer to a question that takes only words: it is any character but the
// key that opens the help. A key that steps to another question begins it too, unless the person is stepping, which
// means that the key before was one of these keys.
func (m Map) BeginsText(key string, stepping bool) bool {
	r, size := utf8.DecodeRuneInString(key)
	if size != len(key) || !unicode.IsGraphic(r) {
		return false
	}
	return !m.opensHelp(key) && !(stepping && m.Steps(key))
}

// LetterKey returns the binding of a text that is one letter, in a place; nil: the letter does nothing there, or the
// text is another.
func (m Map) LetterKey(place Place, text string) *Binding {
	text = strings.TrimSpace(text)
	if r, size := utf8.DecodeRuneInString(text); size != len(text) || !unicode.IsLetter(r) {
		return nil
	}
	return m.Lookup(place, text)
}

// TeamLetter reports whether a text is one letter that asks the team where a team is set up. An agent's text may name
// that key where none is.
func TeamLetter(text string) bool {
	b := Table.LetterKey(PlaceQuestion, text)
	return b != nil && b.Action == deed.AskTeam
}

// Steps reports whether a key shows the next or the previous question of the queue.
func (m Map) Steps(key string) bool {
	b := m.Lookup(PlaceQuestion, key)
	return b != nil && (b.Action == deed.Next || b.Action == deed.Previous)
}

// opensHelp reports whether a key opens the help.
func (m Map) opensHelp(key string) bool {
	b := m.Lookup(PlaceQuestion, key)
	return b != nil && b.Action == ActHelp
}

// KeyOf returns an action's key in a place, as it is written in the foot; empty: it has none.
func (m Map) KeyOf(place Place, a Action) string { return m.row(place, a).Shown() }

// Nth returns which of an action's keys in a place was pressed, counted from 1. That is the number of the option,
// question or line that the key means. 0: none of them was pressed.
func (m Map) Nth(place Place, a Action, key string) int {
	b := m.row(place, a)
	return slices.Index(b.Keys, key) + 1
}

// KeyFor returns the n-th of an action's keys in a place, as it is written in the foot; empty: it has no such key.
func (m Map) KeyFor(place Place, a Action, n int) string {
	b := m.row(place, a)
	if n < 1 || n > len(b.Keys) {
		return ""
	}
	return Written(b.Keys[n-1])
}

// FirstKeys returns the first n of an action's keys in a place, as they are written in the foot: `1-4`, `! @ # $`;
// empty: it has no keys.
func (m Map) FirstKeys(place Place, a Action, n int) string {
	b := m.row(place, a)
	return keyRange(b.Keys[:min(n, len(b.Keys))])
}

// row returns an action's binding in a place. A nil Map stands for the table with the default keys.
func (m Map) row(place Place, a Action) Binding {
	if m == nil {
		m = Table
	}
	for _, b := range m {
		if b.Action == a && b.In(place) {
			return b
		}
	}
	return Binding{}
}

// keyRange writes keys of which each stands for a number. If they follow each other, as 1 to 9 or a to z do, only the
// first and the last are written.
func keyRange(keys []string) string {
	var names []string
	run := len(keys) > 2
	for i, k := range keys {
		if k != "" {
			names = append(names, Written(k))
		}
		run = run && len(k) == 1 && alphanumeric(k[0]) && (i == 0 || k[0] == keys[i-1][0]+1)
	}
	if run || len(keys) == 2 && keys[0] == "1" && keys[1] == "2" {
		return names[0] + "-" + names[len(names)-1]
	}
	return strings.Join(names, " ")
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Hints lists the keys of a place in the order of the foot. now returns a hint with its present words, from those of
// the table. A hint without a word or a key is left out.
func (m Map) Hints(place Place, now func(Hint) Hint) []Hint {
	var hints []Hint
	for _, b := range m {
		if !b.In(place) || !b.bound() {
			continue
		}
		h := now(Hint{b.Action, b.Shown(), b.Hint, b.Short, b.Bare, b.spot(place)})
		if h.Word != "" && h.Keys != "" {
			hints = append(hints, h)
		}
	}
	slices.SortStableFunc(hints, func(a, b Hint) int { return b.Lead - a.Lead })
	return hints
}

// Moved says which key an action has now, if the given key is its default and the person has bound another one; empty:
// they have not.
func (m Map) Moved(place Place, key string) string {
	was := Table.Lookup(place, key)
	if was == nil {
		return ""
	}
	if now := m.KeyOf(place, was.Action); now != "" {
		return fmt.Sprintf("%s was %s, now %s: your own keys", Written(key), was.Action, now)
	}
	if !slices.ContainsFunc(m, func(b Binding) bool { return b.Action == was.Action }) { // see WithoutTeam
		return ""
	}
	return fmt.Sprintf("%s is unbound: %s has no key in the settings", Written(key), was.Action)
}

// Word names the effect of a key, in full and for little room.
type Word struct {
	Long  string // empty: the foot does not show the key
	Short string // empty: there is no shorter word
}

// Hint describes one key in the foot.
type Hint struct {
	Action      Action
	Keys        string
	Word, Short string // see Word
	Bare        bool
	Spot
}

// Spot is the position of a hint in the foot.
type Spot struct {
	Lead int // the hint with the highest number comes first; equal ones in the order of the table
	Rank int // if there is too little room, the hint with the highest number is left out first; 0: never
}

// Say gives the hint other words.
func (h Hint) Say(w Word) Hint {
	h.Word, h.Short = w.Long, w.Short
	return h
}

// Text returns the hint in full. A hint without words is only the key.
func (h Hint) Text() string {
	if h.Word == "" {
		return h.Keys
	}
	return h.Keys + " " + h.Word
}

// Shorter returns the hint in few words.
func (h Hint) Shorter() Hint {
	switch {
	case h.Short != "":
		h.Word = h.Short
	case h.Bare:
		h.Word = ""
	}
	return h
}

// teamActions lists the actions that need a team.
var teamActions = []Action{deed.AskTeam, deed.Fetch, deed.Wait, deed.GoOn, deed.PromptToo, deed.BeforeToo, deed.Accept,
	deed.Defer, deed.Editor}

// WithoutTeam returns the map for a person who has set up no team: without the keys for asking one, and without their
// places.
func (m Map) WithoutTeam() Map {
	alone := slices.DeleteFunc(slices.Clone(m), func(b Binding) bool { return slices.Contains(teamActions, b.Action) })
	for i, b := range alone {
		alone[i].Places = slices.DeleteFunc(slices.Clone(b.Places), func(p Place) bool {
			return slices.Contains(teamPlaces, p)
		})
	}
	return alone
}

// teamPlaces lists the pages and lines about a team.
var teamPlaces = []Place{PlaceTeamLine, PlaceLetter, PlaceTeamWait, PlaceTeamChoice, PlaceTeamReview}
