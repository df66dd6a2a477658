package action

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Actions that move the cursor.
const (
	Up    Name = "up"
	Down  Name = "down"
	First Name = "first"
	Last  Name = "last"
)

// endOfList is more rows than a list has.
const endOfList = 1 << 20

// moves returns the actions that move the cursor.
func moves() []Row {
	move := func(do func(*form.Form), rows int) func(At, Arg) Effect {
		return func(at At, _ Arg) Effect {
			if at.inBatch {
				at.View.Batch.Move(rows)
			} else {
				do(at.Form)
			}
			return Effect{}
		}
	}
	lacks := map[string]string{Lines: cursorless, Command: allAtOnce}
	return []Row{
		{Name: Up, Options: true, Keys: []string{"up", "k"}, In: inList, Effect: moveEffect,
			Do:   move(func(f *form.Form) { f.Move(-1) }, -1),
			Help: "up", Group: "up, down, first, last", Seldom: onWaiting, Lacks: lacks},
		{Name: Down, Options: true, Keys: []string{"down", "j"}, In: inList, Effect: moveEffect,
			Do:   move(func(f *form.Form) { f.Move(1) }, 1),
			Help: "down", With: Up, Seldom: onWaiting, Lacks: lacks},
		{Name: First, Options: true, Keys: []string{"g", "home"}, In: inList, Effect: moveEffect,
			Do:   move(func(f *form.Form) { f.MoveFirst() }, -endOfList),
			Help: "first", With: Up, Seldom: onWaiting, Lacks: lacks},
		{Name: Last, Options: true, Keys: []string{"G", "end"}, In: inList, Effect: moveEffect,
			Do:   move(func(f *form.Form) { f.MoveLast() }, endOfList),
			Help: "last", With: Up, Seldom: onWaiting, Lacks: lacks},
	}
}

// moveEffect tells the guard what the cursor does: the dot of a question with one answer follows it.
func moveEffect(at At) desk.Effect {
	if !at.inBatch && !at.Form.Reviewing() && (at.Form.Here().Radio() || at.Form.Approves()) {
		return desk.Marking
	}
	return desk.Moving
}

// endsSoon reports whether the question ends within a minute.
func endsSoon(at At) bool {
	s := at.On
	return s.Pending() && s.HasClock() && s.Deadline.Sub(at.View.Desk().Now()) < time.Minute
}

// Actions that each frontend carries out itself.
const (
	PageUp   Name = "page_up"
	PageDown Name = "page_down"
	Full     Name = "full_height"
	OpenOne  Name = "open_one"
	Next     Name = "next"
	Previous Name = "previous"
	Pane     Name = "pane"
	Peek     Name = "peek"
	Browser  Name = "browser"
	Area     Name = "area"
	AreaBack Name = "area_back"
	EditFile Name = "edit_file"
	Chat     Name = "chat"
	SetUp    Name = "set_up"
	Demo     Name = "demo"
	History  Name = "history"
	Settings Name = "settings"
	Help     Name = "help"
	Quit     Name = "quit"
	Stop     Name = "stop"
	Suspend  Name = "suspend"
	Redraw   Name = "redraw"
)

// reading returns the actions that scroll the text.
func reading() []Row {
	return []Row{
		{Name: PageDown, Keys: []string{"pgdn"}, In: onText, Footer: "more",
			Help: "a page down", Group: "a page down or up", Seldom: onWaiting},
		{Name: PageUp, Keys: []string{"pgup"}, In: onText, Help: "a page up", With: PageDown,
			Seldom: onWaiting},
		{Name: Full, Keys: []string{"z"}, In: []Place{PlaceQuestion, PlaceQueue, PlaceOver, PlaceApproval,
			PlaceBatch}, Footer: "full text", Short: "text", Help: "show the full text, or go back to the options"},
	}
}

// stepping returns the actions that lead to another question, or to its agent.
func stepping() []Row {
	return []Row{
		{Name: OpenOne, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true,
			In:     []Place{PlaceQueue, PlaceEmpty},
			Help:   "go to that question in the queue",
			HelpAt: map[Place]string{PlaceEmpty: "copy that line (after “connect”)"}},
		{Name: Next, Keys: []string{"J"}, Show: "J/K", In: onWaiting,
			Footer: "next", Bare: true, Room: Always,
			Help: "next question", Group: "next or previous question in the queue",
			Line: Line{Word: "next", Help: "goes to the next question"}},
		{Name: Previous, Keys: []string{"K"}, In: onWaiting, Help: "previous question", With: Next,
			Line: Line{Word: "previous", Help: "goes to the previous question"}},
		{Name: Pane, Keys: []string{"p"}, In: append([]Place{PlaceEmpty}, onWaiting...), Waits: true,
			Footer: "agent's pane", Short: "pane", Help: "go to the pane of the agent that needs you"},
		{Name: Peek, Keys: []string{"P"}, In: anywhere, Help: "show what the agent was doing when it asked",
			Line: Line{Word: "before", Help: "shows what the agent was doing when it asked"}},
		{Name: Browser, Keys: []string{"o"}, In: append([]Place{PlaceEmpty}, onWaiting...), Waits: true,
			Help:   "open the question in your browser, with what you typed",
			HelpAt: map[Place]string{PlaceEmpty: "open the front page in your browser"}, Seldom: onWaiting,
			Line: Line{Word: "web", Help: "opens this question in your browser, with what you typed"}},
	}
}

// around returns the actions that open and close pages, and those that leave.
func around() []Row {
	return []Row{
		{Name: EditFile, Keys: []string{"e"}, In: []Place{PlaceSettings}, Waits: true, Alone: true,
			Footer: "edit the file", Short: "edit", Help: "open the settings file in $VISUAL or $EDITOR"},
		{Name: SetUp, Keys: []string{"c"}, In: []Place{PlaceEmpty}, Footer: "connect",
			Help: "connect agents; then Enter runs choicetui setup, and a digit copies a line"},
		{Name: Demo, Keys: []string{"d"}, In: []Place{PlaceEmpty}, Footer: "demo",
			Help: "start a demo agent that asks four questions; nothing is saved"},
		{Name: Chat, Keys: []string{"i"}, In: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview,
			PlaceOver, PlaceHelp, PlaceSettings, PlaceHistory, PlaceApproval},
			Footer: "chat", Help: "send a message to an agent",
			HelpAt: map[Place]string{PlaceHistory: "quote that question to its agent"}},
		{Name: Area, Keys: []string{"tab"}, Show: "Tab", In: []Place{PlaceQueue, PlaceQuestion, PlaceConfirm,
			PlaceReview, PlaceOver, PlaceEmpty, PlaceSettings, PlacePostponed, PlaceApproval,
			PlaceChat},
			Footer: "next area", Short: "area", Room: Spare,
			Help:   "next area; in the chat, the next agent",
			HelpAt: map[Place]string{PlaceChat: "next agent"},
			Group:  "go to the next or previous area", Seldom: onWaiting,
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: AreaBack, Keys: []string{"backtab"}, Show: "Shift-Tab",
			In: []Place{PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlaceEmpty, PlaceSettings,
				PlacePostponed, PlaceApproval},
			Help: "previous area", With: Area, Seldom: onWaiting, Lacks: map[string]string{Command: allAtOnce}},
		{Name: History, Keys: []string{"h"}, In: anywhere, Footer: "history", Room: Spare,
			Help: "show earlier questions, newest first"},
		{Name: Settings, Keys: []string{"s"}, In: anywhere, Footer: "settings", Help: "open the settings",
			HelpAt: map[Place]string{PlaceSettings: "more settings, or fewer"}},
		{Name: Back, Keys: []string{"esc"}, Show: "Esc", In: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceOver,
			PlaceTyping, PlaceReason, PlaceFind, PlaceHelp, PlaceSettings, PlaceValue, PlaceHistory,
			PlacePeek, PlaceConfirm, PlaceReview, PlaceChat, PlacePostponed, PlaceApproval,
			PlaceBatch},
			Closed: true, Do: goBack,
			Help: "go back one level (keeps your text, never quits)", Room: Always,
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: Help, Keys: []string{"?"}, In: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceOver,
			PlaceHelp, PlaceSettings, PlaceHistory, PlacePeek, PlaceConfirm, PlaceReview, PlacePostponed,
			PlaceApproval, PlaceBatch},
			Footer: "keys", Room: Always, Help: "show this list, or close it", Seldom: anywhere,
			Line: Line{Word: "help", Help: "shows this help"}},
		{Name: Quit, Keys: []string{"q"}, In: slices.Concat(anywhere, onBatch),
			Help:  "go back one level; on a question, in the queue or on the empty screen, press it twice to quit",
			Group: "back (twice: quit); quit now (saves drafts); suspend; redraw",
			Line:  Line{Word: "quit", Help: "leaves; pending questions stay in the queue"}},
		{Name: Stop, Keys: []string{"ctrl+c"}, Show: "^C", In: slices.Concat(anywhere, inField, onBatch),
			Help: "quit at once (drafts are saved); while you type, the same as Esc", With: Quit},
		{Name: Suspend, Keys: []string{"ctrl+z"}, Show: "^Z", In: slices.Concat(anywhere, onBatch),
			Help: "suspend, and go back to the shell", With: Quit},
		{Name: Redraw, Keys: []string{"ctrl+l"}, Show: "^L", In: slices.Concat(anywhere, inField, onBatch),
			Help: "redraw", With: Quit},
	}
}
