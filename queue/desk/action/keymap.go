package action

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Map holds the key table with the person's own keys in it. Carrying out, footer and help read the same Map.
type Map []Row

// Lookup returns the row of a key in a place; nil: the key does nothing there.
func (m Map) Lookup(place Place, key string) *Row {
	for i, b := range m {
		if b.IsIn(place) && slices.Contains(b.Keys, key) {
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

// LetterKey returns the row of a text that is one letter, in a place; nil: the letter does nothing there, or the
// text is another.
func (m Map) LetterKey(place Place, text string) *Row {
	text = strings.TrimSpace(text)
	if r, size := utf8.DecodeRuneInString(text); size != len(text) || !unicode.IsLetter(r) {
		return nil
	}
	return m.Lookup(place, text)
}

// TeamLetter reports whether a text is one letter that asks the team where a team is set up. An agent's text may name
// that key where none is.
func TeamLetter(text string) bool {
	b := Keys.LetterKey(PlaceQuestion, text)
	return b != nil && b.Name == AskTeam
}

// Steps reports whether a key shows the next or the previous question of the queue.
func (m Map) Steps(key string) bool {
	b := m.Lookup(PlaceQuestion, key)
	return b != nil && (b.Name == Next || b.Name == Previous)
}

// opensHelp reports whether a key opens the help.
func (m Map) opensHelp(key string) bool {
	b := m.Lookup(PlaceQuestion, key)
	return b != nil && b.Name == Help
}

// KeyOf returns an action's key in a place, as it is written in the footer; empty: it has none.
func (m Map) KeyOf(place Place, a Name) string { return m.row(place, a).Shown() }

// Nth returns which of an action's keys in a place was pressed, counted from 1. That is the number of the option,
// question or line that the key means. 0: none of them was pressed.
func (m Map) Nth(place Place, a Name, key string) int {
	return m.row(place, a).nth(key)
}

// KeyFor returns the n-th of an action's keys in a place, as it is written in the footer; empty: it has no such key.
func (m Map) KeyFor(place Place, a Name, n int) string {
	b := m.row(place, a)
	if n < 1 || n > len(b.Keys) {
		return ""
	}
	return Written(b.Keys[n-1])
}

// NumberOf returns what is typed to choose option n of a question: its key, or from the tenth on the digits of the
// number; empty: nothing is.
func (m Map) NumberOf(n int) string {
	if n <= mostKeys {
		return m.KeyFor(PlaceQuestion, Digit, n)
	}
	for _, digit := range strings.ReplaceAll(strconv.Itoa(n), "0", "") {
		if m.Nth(PlaceQuestion, Digit, string(digit)) != int(digit-'0') { // the person has other keys
			return ""
		}
	}
	return strconv.Itoa(n)
}

// FirstKeys returns the first n of an action's keys in a place, as they are written in the footer: `1-4`, `! @ # $`;
// empty: it has no keys.
func (m Map) FirstKeys(place Place, a Name, n int) string {
	b := m.row(place, a)
	return keyRange(b.Keys[:min(n, len(b.Keys))])
}

// row returns an action's row in a place. A nil Map stands for the table with the default keys.
func (m Map) row(place Place, a Name) Row {
	if m == nil {
		m = Keys
	}
	for _, b := range m {
		if b.Name == a && b.IsIn(place) {
			return b
		}
	}
	return Row{}
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

// Hints lists the keys of a place for the footer, in the order of the table, without those that are not offered now.
// own returns a frontend's own row of an action, whose words count. An unbound key is left out.
func (m Map) Hints(place Place, at At, own func(Name) (Row, bool)) []Hint {
	var hints []Hint
	for i := range m {
		r := &m[i]
		if !r.IsIn(place) || !r.bound() {
			continue
		}
		offered, now := r.Offered, r.Now
		if at.Form == nil || r.Do == nil {
			offered, now = nil, nil
		}
		if row, is := own(r.Name); is && row.Do != nil {
			offered, now = row.Offered, row.Now
		} else if is {
			offered, now = orElse(row.Offered, offered), orElse(row.Now, now)
		}
		if offered != nil && !offered(at) || r.Agents && at.ofTeam {
			continue
		}
		h := Hint{Action: r.Name, Keys: r.Shown(), Word: r.Footer, Short: r.Short, Bare: r.Bare, Room: r.Room}
		if now != nil {
			h = now(at, h)
		}
		if h.Word != "" && h.Keys != "" {
			hints = append(hints, h)
		}
	}
	return hints
}

// orElse returns the first function, or the second one if there is no first.
func orElse[F func(At) bool | func(At, Hint) Hint](first, second F) F {
	if first != nil {
		return first
	}
	return second
}

// Moved says which key an action has now, if the given key is its default and the person has bound another one; empty:
// they have not.
func (m Map) Moved(place Place, key string) string {
	was := Keys.Lookup(place, key)
	if was == nil {
		return ""
	}
	if now := m.KeyOf(place, was.Name); now != "" {
		return fmt.Sprintf("%s was %s, now %s: your own keys", Written(key), was.Name, now)
	}
	if !slices.ContainsFunc(m, func(b Row) bool { return b.Name == was.Name }) { // see WithoutTeam
		return ""
	}
	return fmt.Sprintf("%s is unbound: %s has no key in the settings", Written(key), was.Name)
}

// Word names the effect of a key, in full and for little room.
type Word struct {
	Long  string // empty: the footer does not show the key
	Short string // empty: there is no shorter word
}

// Hint describes one key in the footer.
type Hint struct {
	Action      Name
	Keys        string
	Word, Short string // see Word
	Bare        bool
	Room        Room
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

// WithoutTeam returns the map for a person who has set up no team: without the keys for asking one.
func (m Map) WithoutTeam() Map {
	return slices.DeleteFunc(slices.Clone(m), func(b Row) bool { return slices.Contains(teamActions, b.Name) })
}

// Rank orders the hints of a footer by how soon they are left out; 0: never.
func (h Hint) Rank() int { return map[Room]int{Always: 0, Usual: 1, Spare: 2}[h.Room] }
