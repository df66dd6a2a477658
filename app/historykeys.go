package app

import (
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func (p *historyPage) place() keys.Place {
	if p.editor() != nil {
		return keys.PlaceFind
	}
	return keys.PlaceHistory
}

func (p *historyPage) editor() *editor.Field {
	if p.naming != nil {
		return p.naming
	}
	return p.finding
}

// typed narrows the list with every letter. What is on screen stays until the first rows of the new one are there.
func (p *historyPage) typed() {
	if p.finding != nil {
		p.narrow(p.finding.Text())
	}
}

func (p *historyPage) narrow(find string) {
	if find == p.find {
		return
	}
	p.find, p.toEnd = find, false
	if p.soon != nil {
		p.soon.cancel()
	}
	p.soon = newHistoryFeed(findWords(find))
	p.start(p.soon)
	p.want()
}

func (p *historyPage) act(a keys.Action, _ string) {
	switch {
	case p.naming != nil:
		p.actNaming(a)
	case p.finding != nil:
		if p.finding = nil; a == keys.ActBack {
			p.narrow("")
		}
	case a == keys.ActBack:
		p.back()
	case p.reading && p.actReading(a):
	default:
		p.actList(a)
	}
}

// back goes one level back: out of a session, of the way to the end, of what narrows the list, of the page.
func (p *historyPage) back() {
	switch {
	case p.reading:
		p.reading = false
	case p.toEnd:
		p.toEnd = false
	case p.find != "":
		p.narrow("")
	default:
		p.end()
	}
}

// actReading moves in the text of one session; false: the key means what it means in the list.
func (p *historyPage) actReading(a keys.Action) bool {
	switch a {
	case keys.ActEnter:
		p.reading = false
	case keys.ActUp, keys.ActDown, keys.ActFirst, keys.ActLast, keys.ActPageUp, keys.ActPageDown, keys.ActHalfUp, keys.ActHalfDown:
		p.scroll = scrolled(p.scroll, a, max(p.d.size.h-5, 1))
	default:
		return a == keys.ActFind
	}
	return true
}

func (p *historyPage) actList(a keys.Action) {
	if len(p.feed.rows) == 0 && p.feed.busy && a != keys.ActFind {
		p.ahead = append(p.ahead, a)
		return
	}
	if _, ok := p.session(); !ok {
		if words := map[keys.Action]string{keys.ActEnter: "read", keys.ActCopy: "copy", keys.ActWrite: "write", keys.ActTell: "tell"}[a]; words != "" {
			if p.d.message = "it is still being read, press again"; len(p.feed.rows) == 0 {
				p.d.message = "nothing is listed here to " + words
			}
			return
		}
	}
	switch a {
	case keys.ActEnter:
		p.read()
	case keys.ActFind:
		p.finding = editor.OneLine(p.find)
	case keys.ActCopy:
		if s, ok := p.session(); ok {
			p.d.copyText(p.words(s).Plain())
		}
	case keys.ActWrite:
		if s, ok := p.session(); ok {
			p.naming = editor.OneLine(readyName(s))
		}
	case keys.ActTell:
		if s, ok := p.session(); ok {
			p.d.tellAgent(s.Origin, say.Quote(s))
		}
	default:
		p.move(a)
	}
}

// move moves the cursor. To the last one means to read everything first, which Esc or any other motion ends.
func (p *historyPage) move(a keys.Action) {
	p.toEnd = a == keys.ActLast && !p.current().done
	p.current().fault = "" // a disk that failed is asked again
	if !p.toEnd {
		at := scrolled(p.cursor, a, max(p.shown-1, 1))
		p.cursor = max(min(at, len(p.feed.rows)-1), 0)
	}
	p.want()
}

// read brings all of the session under the cursor up, with what was typed into its form and never sent.
func (p *historyPage) read() {
	s, ok := p.session()
	if !ok {
		return
	}
	p.reading, p.toEnd, p.scroll, p.drafts = true, false, 0, nil
	p.d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		drafts, err := p.d.o.Queue.Store.Drafts(ctx, s.ID)
		p.d.post(func() {
			if now, same := p.session(); err == nil && same && now.ID == s.ID {
				p.drafts = drafts
			}
		})
	})
}

// foot says what Enter does here, and the keys.
func (p *historyPage) foot() panes.FootView {
	g := p.d.glyphs
	esc := func(word, short string) keys.Hint { return p.d.escHint(p.place(), word, short) }
	switch {
	case p.writing:
		return panes.FootView{Line: "writing" + g.Ellipsis, Keys: []keys.Hint{esc("not now", "")}}
	case p.naming != nil:
		return panes.FootView{Line: g.Enter + " write it, for you alone to read", Parts: []ink.Part{{Text: ", for you alone to read", Short: []string{""}}},
			Tails: []ink.Tail{{"never over a file that is there", "never over a file", ""}},
			Keys:  []keys.Hint{esc("not now", "")}}
	case p.finding != nil:
		return panes.FootView{Line: g.Enter + " done", Tails: []ink.Tail{{p.right(), ""}},
			Keys: []keys.Hint{esc(showAll, showAllShort)}}
	}
	s, known := p.session()
	v := panes.FootView{}
	back, short := "back", ""
	switch {
	case p.toEnd:
		v.Line, back = "reading on to the oldest"+g.Ellipsis, "stay here"
	case p.reading:
		v.Line = g.Enter + " back to the list"
	case known:
		v.Line = g.Enter + " read all of it"
	case p.find != "":
		back, short = showAll, showAllShort
	}
	v.Keys = inOrder(p.d.keys.Hints(keys.PlaceHistory, func(b keys.Binding) keys.Word { return p.word(b, s, known) }))
	v.Keys = beforeHelp(v.Keys, esc(back, short))
	return v
}

// inOrder puts the keys of the history in the order of the wireframe, what narrows the list being the last to leave.
func inOrder(hints []keys.Hint) []keys.Hint {
	order := []keys.Action{keys.ActPageDown, keys.ActCopy, keys.ActWrite, keys.ActTell, keys.ActFind, keys.ActStats, keys.ActHelp}
	slices.SortStableFunc(hints, func(a, b keys.Hint) int { return slices.Index(order, a.Action) - slices.Index(order, b.Action) })
	for i := range hints {
		switch hints[i].Action {
		case keys.ActFind:
			hints[i].Rank = 1
		case keys.ActCopy:
			hints[i].Rank = 2
		}
	}
	return hints
}

// word is what a key does here now.
func (p *historyPage) word(b keys.Binding, s queue.Session, known bool) keys.Word {
	switch b.Action {
	case keys.ActCopy, keys.ActWrite, keys.ActTell:
		if !known {
			return keys.Word{}
		}
		if b.Action == keys.ActCopy {
			return keys.Word{Long: "copy"}
		}
		if b.Action == keys.ActTell {
			return keys.Word{Long: "tell " + s.Origin.Name(), Short: "tell"}
		}
	case keys.ActFind:
		if p.reading {
			return keys.Word{}
		}
		return keys.Word{Long: "filter"}
	case keys.ActPageDown:
		if !p.reading || p.below == 0 {
			return keys.Word{}
		}
	case keys.ActStats:
		if p.reading {
			return keys.Word{}
		}
	case keys.ActHistory, keys.ActSettings:
		return keys.Word{}
	}
	return b.Word()
}

// readyName is the file name that is offered: `~/choicetui-2026-11-20-which-database.txt`.
func readyName(s queue.Session) string {
	return "~/choicetui-" + s.AskedAt.Local().Format(time.DateOnly) + "-" + say.Slug(s.Ask.Title, s.ID) + ".txt"
}
