// Package keys holds the key table: which action each key has in each place, and the words for it in the foot (the two
// lines at the bottom of the screen), the help and README. New puts the person's own keys into the table and returns a
// Map. Everything that reads keys uses this Map: carrying out a key, the foot, the help and the commands.
package keys

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Place names the part of the screen where a key is pressed, and whether text is being typed there.
type Place int

// Places, each with its rows in the key table.
const (
	PlaceEmpty      Place = iota // no question is pending
	PlaceQueue                   // the queue has the focus
	PlaceQuestion                // a question
	PlaceOver                    // a question that has ended and is still on screen
	PlaceTyping                  // the field for own words, a note or the comment
	PlaceReason                  // the line for the reason of a cancel or a refusal, or for more detail
	PlaceFind                    // the line that narrows a list
	PlaceHelp                    // the list of keys
	PlaceSettings                // the settings, as a page or as an area
	PlaceValue                   // the value of a setting being typed
	PlaceHistory                 // the history: the list, or one session of it
	PlaceStats                   // the statistics
	PlacePeek                    // the page with what the asking agent was doing
	PlaceConfirm                 // the confirmation step
	PlaceReview                  // the review of a form of several questions
	PlaceChat                    // the composer, where a line to an agent is typed
	PlaceHeld                    // a question whose answer is held back for a while, so that it can be undone
	PlaceApproval                // an approval: an agent's request for permission
	PlaceTeamLine                // an input line about the team: whom to ask, why to defer
	PlaceLetter                  // the page for asking the team, with what the team will read
	PlaceTeamWait                // the page while the team is asked, or its replies are fetched
	PlaceTeamChoice              // the last part of that page, with what happens until the team replies
	PlaceTeamReview              // the team's replies and the answer proposed from them
	PlaceRound                   // the list of similar approvals before they are sent together
)

// Action names the effect of a key.
type Action = deed.Action

// The actions of the screen and its rooms. The setting `keys` rebinds them by these names. Package deed holds the
// actions on a question.
const (
	ActNone       Action = ""
	ActPageUp     Action = "page_up"
	ActPageDown   Action = "page_down"
	ActFull       Action = "full_height"
	ActOpenOne    Action = "open_one"
	ActPane       Action = "pane"
	ActPeek       Action = "peek"
	ActBrowser    Action = "browser"
	ActHelp       Action = "help"
	ActQuit       Action = "quit"
	ActStop       Action = "stop"
	ActSuspend    Action = "suspend"
	ActRedraw     Action = "redraw"
	ActNewLine    Action = "new_line"
	ActUndoTyping Action = "undo_typing"
	ActRedoTyping Action = "redo_typing"
	ActSetUp      Action = "set_up"
	ActDemo       Action = "demo"
	ActSettings   Action = "settings"
	ActEditFile   Action = "edit_file"
	ActHistory    Action = "history"
	ActChat       Action = "chat"
	ActTakeBack   Action = "take_back"
)

// Binding is one row of the key table.
type Binding struct {
	Action  Action
	Keys    []string // a character itself, or a name such as enter, esc, ctrl+g, alt+enter
	Show    string   // how the keys are written; empty: as Keys says
	Places  []Place
	Hint    string // the word in the foot; empty: the foot does not show the key
	Short   string // the word if there is little room; empty: there is no shorter one
	Bare    bool   // if there is little room, the key may be shown without a word
	Help    string
	HelpAt  map[Place]string // replaces Help and Group where the key does something else
	With    Action           // the help shows this row's keys in the row of that action
	Group   string           // the words in the help for this row together with the rows that have it as With
	Counted bool             // the n-th key chooses the n-th option, question or line
	Acts    []Place          // the places where the key marks, sends or changes something, and the guard may refuse it
	Waits   bool             // the letter acts after a pause without another key: it may be meant for another pane
	Repeats bool             // with Waits: if the key is pressed several times in the pause, it acts as often
	Lead    int              // in the foot, see Spot
	Rank    int              // in the foot, see Spot
	Spots   map[Place]Spot   // replaces Lead and Rank in the foot of these places
}

// Lists of places that several rows of the table share.
var (
	anywhere = []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlaceHelp,
		PlaceSettings, PlaceHistory, PlaceStats, PlacePeek, PlaceHeld, PlaceApproval}
	lists = []Place{PlaceQueue, PlaceQuestion, PlaceReview, PlaceHelp, PlaceSettings, PlaceHistory, PlaceStats,
		PlacePeek, PlaceApproval, PlaceLetter, PlaceTeamChoice, PlaceTeamReview, PlaceRound}
	questions = []Place{PlaceQuestion}
	approvals = []Place{PlaceApproval}
	choices   = []Place{PlaceQuestion, PlaceApproval}
	confirms  = []Place{PlaceConfirm}
	reviews   = []Place{PlaceReview}
	whole     = []Place{PlaceQuestion, PlaceReview}
	steps     = []Place{PlaceQuestion, PlaceReview, PlaceSettings}
	pending   = []Place{PlaceQuestion, PlaceQueue, PlaceConfirm, PlaceReview, PlaceApproval}
	waiting   = []Place{PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlaceHeld, PlaceApproval}
	fields    = []Place{PlaceTyping, PlaceReason, PlaceFind, PlaceValue, PlaceChat, PlaceTeamLine}
	settings  = []Place{PlaceSettings}
	// answered lists the places where Enter sends or changes something.
	answered = []Place{PlaceQuestion, PlaceConfirm, PlaceReview, PlaceSettings, PlaceHeld, PlaceApproval,
		PlaceTeamLine, PlaceLetter, PlaceTeamChoice, PlaceRound}
	// teams lists the pages about the team, and the page of approvals that are sent together.
	teams      = []Place{PlaceLetter, PlaceTeamWait, PlaceTeamChoice, PlaceTeamReview, PlaceRound}
	letters    = []Place{PlaceLetter}
	teamReview = []Place{PlaceTeamReview}
	withTeam   = []Place{PlaceQuestion, PlaceTeamReview}
	teamChoice = []Place{PlaceQuestion, PlaceTeamChoice}
)

// backSpots gives the key that goes back its position in the foot: behind the keys for typing, and on a page before the
// key that lists all keys.
var backSpots = map[Place]Spot{PlaceTyping: {Lead: -1}, PlaceChat: {Lead: -1}, PlaceHelp: {Lead: 2},
	PlaceHistory: {Lead: -3}, PlaceSettings: {Lead: -3}, PlaceStats: {Lead: -3},
	PlacePeek: {Lead: -3}, PlaceLetter: {Lead: -3, Rank: 3}, PlaceTeamChoice: {Lead: -3, Rank: 3},
	PlaceTeamReview: {Lead: -3, Rank: 3}, PlaceRound: {Lead: -3}, PlaceApproval: {Rank: 2}}

// helpSpots gives the key that lists all keys the last position in the foot of a page.
var helpSpots = map[Place]Spot{PlaceHistory: {Lead: -4}, PlaceSettings: {Lead: -4}, PlaceStats: {Lead: -4},
	PlacePeek: {Lead: -4}, PlaceLetter: {Lead: -4}, PlaceTeamChoice: {Lead: -4}, PlaceTeamReview: {Lead: -4},
	PlaceRound: {Lead: -4}}

// partSpots gives the key that goes to the next part of a page the first position in the foot.
var partSpots = map[Place]Spot{PlaceTeamLine: {Lead: 1}, PlaceLetter: {Lead: 1}, PlaceTeamChoice: {Lead: 1},
	PlaceHistory: {Lead: -2, Rank: 16}, PlaceChat: {Rank: 1}}

// emptyFirst gives a key the first position in the foot while no question is pending.
func emptyFirst(rank int) map[Place]Spot { return map[Place]Spot{PlaceEmpty: {Lead: 1, Rank: rank}} }

// Table is the key table (docs/design.md section 3, "A key is one row"), in the order of the foot and the help.
var Table = Map{
	{Action: deed.Mark, Keys: []string{"space"}, Places: questions, Hint: "mark", Rank: 1, Acts: questions,
		Help: "mark or unmark; with the setting “send with one key”, send at once"},
	{Action: deed.Digit, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true, Places: choices,
		Hint: "choose", Rank: 2, Spots: map[Place]Spot{PlaceApproval: {Rank: 1}}, Acts: choices,
		Help: "go to that option; if several are allowed, mark or unmark it"},
	{Action: deed.Enter, Keys: []string{"enter"}, Places: []Place{PlaceQuestion, PlaceQueue, PlaceOver, PlaceTyping,
		PlaceReason, PlaceFind, PlaceSettings, PlaceValue, PlaceHistory, PlaceStats, PlaceConfirm, PlaceReview,
		PlaceChat, PlaceHeld, PlaceApproval, PlaceTeamLine, PlaceLetter, PlaceTeamChoice, PlaceRound}, Acts: answered,
		Help: "does what the button says", HelpAt: map[Place]string{PlaceQueue: "open the question"}},
	{Action: deed.Find, Keys: []string{"/"}, Places: []Place{PlaceQueue, PlaceQuestion, PlaceHistory, PlaceHelp,
		PlacePeek}, Hint: "filter", Rank: 5,
		Spots: map[Place]Spot{PlaceHistory: {Lead: -1, Rank: 1}, PlaceHelp: {Lead: 1, Rank: 1},
			PlacePeek: {Lead: 1, Rank: 1}},
		Help: "filter the list"},
	{Action: ActOpenOne, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true,
		Places: []Place{PlaceQueue, PlaceEmpty},
		Help:   "go to that question in the queue",
		HelpAt: map[Place]string{PlaceEmpty: "copy that line (after “connect”)"}},
	{Action: deed.Confirm, Keys: []string{"y"}, Places: confirms, Hint: "confirm", Acts: confirms,
		Help: "choose “confirm”; Enter then sends"},
	{Action: deed.Decline, Keys: []string{"n"}, Places: []Place{PlaceConfirm}, Hint: "back", Rank: 1,
		Help: "back to the options"},
	{Action: deed.Allow, Keys: []string{"y"}, Places: approvals, Hint: "allow once", Short: "allow", Acts: approvals,
		Help: "choose to allow this once; Enter then sends it"},
	{Action: deed.Refuse, Keys: []string{"n"}, Places: approvals, Hint: "refuse", Acts: approvals,
		Help: "choose to refuse, and say why; Enter then sends it"},
	{Action: deed.Rule, Keys: []string{"M"}, Places: approvals, Hint: "make a rule", Short: "rule", Rank: 3,
		Acts: approvals,
		Help: "make a rule: allow this, and allow the same again without asking you, for up to a day (asks first)"},
	{Action: deed.Alike, Keys: []string{"*"}, Places: approvals, Hint: "similar ones", Short: "similar",
		Rank: 4,
		Acts: approvals,
		Help: "look through the approvals of the same agent, tool and directory one by one, and send them together"},
	{Action: deed.TabNext, Group: "next or previous question in the form",
		Keys: []string{"right"}, Show: "←→", Places: steps, Acts: settings,
		Hint: "question", Short: "tabs", Rank: 1, Help: "next question in the form, or value of the setting",
		HelpAt: map[Place]string{PlaceSettings: "next value"}},
	{Action: deed.TabBack, With: deed.TabNext, Keys: []string{"left"}, Places: steps, Acts: settings,
		Help:   "previous question in the form, or value of the setting",
		HelpAt: map[Place]string{PlaceSettings: "previous value"}},
	{Action: deed.ChangeOne, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Counted: true,
		Places: []Place{PlaceReview, PlaceRound}, Hint: "change an answer", Short: "change", Rank: 1,
		Help: "change that answer"},
	{Action: deed.AllRec, Keys: []string{"R"}, Places: reviews, Hint: "all recommended", Short: "recommended", Rank: 5,
		Acts: reviews, Help: "answer what is open with what the agent recommends"},
	{Action: deed.StartOver, Keys: []string{"0"}, Places: reviews, Hint: "reset all", Short: "reset", Rank: 18,
		Acts: reviews, Help: "forget all answers and notes (asks first)"},
	{Action: deed.Note, Keys: []string{"n"}, Places: questions, Hint: "note", Rank: 4, Acts: questions,
		Help: "add a note to this option"},
	{Action: deed.Comment, Keys: []string{"a"}, Places: whole, Hint: "comment", Rank: 4,
		Help: "comment on the whole answer"},
	{Action: deed.Text, Keys: []string{"t"}, Places: questions, Hint: "type", Rank: 4, Acts: questions,
		Help: "answer in your own words; if the question accepts only its options, this cancels it and sends your " +
			"text as the reason"},
	{Action: deed.Recommended, Keys: []string{"r"}, Places: questions, Hint: "recommended", Rank: 10, Acts: questions,
		Help: "mark the recommended option"},
	{Action: deed.Copy, Keys: []string{"y"}, Places: []Place{PlaceOver, PlaceHistory}, Hint: "copy my text",
		Short: "copy", Rank: 1, Waits: true, Spots: map[Place]Spot{PlaceHistory: {Rank: 2}},
		Help: "copy what you typed", HelpAt: map[Place]string{PlaceHistory: "copy the question and its answer"}},
	{Action: deed.Cancel, Keys: []string{"x"}, Places: pending, Hint: "cancel", Acts: pending,
		Help: "cancel the question; asks for a reason first"},
	{Action: deed.Detail, Keys: []string{"m"}, Places: whole, Hint: "more detail", Short: "detail",
		Rank: 17, Acts: whole, Help: "ask for more detail; the agent asks again"},
	{Action: deed.Later, Keys: []string{"L"}, Places: append([]Place{PlaceOver}, whole...), Hint: "later", Rank: 16,
		Acts: whole, Help: "set it aside for ten minutes (asks first), or bring it back"},
	{Action: deed.AskTeam, Keys: []string{"w"}, Places: questions, Hint: "ask the team", Short: "team", Rank: 6,
		Help: "ask the team; first shows who is asked and what they will read"},
	{Action: deed.Fetch, Keys: []string{"f"}, Places: withTeam, Hint: "get replies", Short: "replies", Rank: 1,
		Acts: withTeam, Spots: map[Place]Spot{PlaceTeamReview: {Lead: -1, Rank: 2}},
		Help: "get what the team said and review it; asks first"},
	{Action: deed.Wait, Keys: []string{"b"}, Places: teamChoice, Hint: "wait", Rank: 3, Acts: teamChoice,
		Spots:  map[Place]Spot{PlaceTeamChoice: {}},
		Help:   "wait for the team, which keeps chat closed; asks first",
		HelpAt: map[Place]string{PlaceTeamChoice: "wait for the team, which keeps chat closed"}},
	{Action: deed.GoOn, Keys: []string{"c"}, Places: teamChoice, Hint: "other questions", Short: "move on",
		Rank: 3, Acts: teamChoice,
		Spots:  map[Place]Spot{PlaceTeamChoice: {}},
		Help:   "leave the question with the team and answer others; asks first",
		HelpAt: map[Place]string{PlaceTeamChoice: "leave the question with the team and answer others"}},
	{Action: deed.PromptToo, Keys: []string{"space"}, Places: letters, Hint: "add the agent's message", Short: "add",
		Acts: letters, Help: "include the agent's message, or leave it out"},
	{Action: deed.BeforeToo, Keys: []string{"P"}, Places: letters, Hint: "add what it was doing", Short: "before",
		Rank: 1, Acts: letters, Help: "include what the agent was doing when it asked, or leave it out"},
	{Action: deed.Accept, Keys: []string{"a"}, Places: teamReview, Hint: "accept", Acts: teamReview,
		Help: "accept the proposed answer, or send yours; asks first"},
	{Action: deed.Defer, Keys: []string{"d"}, Places: withTeam, Hint: "put off", Rank: 2,
		Spots: map[Place]Spot{PlaceTeamReview: {}},
		Help:  "put the question off without an answer; asks for the reason"},
	{Action: deed.UndoLast, Keys: []string{"u"}, Places: append([]Place{PlaceSettings}, waiting...), Acts: settings,
		Spots: map[Place]Spot{PlaceSettings: {Rank: 1}}, Help: "take back an answer that is not sent yet (see the " +
			"setting “time to undo”), or show an option that you just hid",
		HelpAt: map[Place]string{PlaceSettings: "undo the last change"}},
	{Action: deed.Next, Group: "next or previous question in the queue",
		Keys: []string{"J"}, Show: "J/K", Places: waiting, Hint: "next", Bare: true, Rank: 2,
		Help: "next question"},
	{Action: deed.Previous, With: deed.Next, Keys: []string{"K"}, Places: waiting, Help: "previous question"},
	{Action: ActPane, Keys: []string{"p"}, Places: append([]Place{PlaceEmpty}, waiting...), Hint: "agent's pane",
		Short: "pane", Rank: 7, Waits: true,
		Help: "go to the pane of the agent that needs you"},
	{Action: ActPeek, Keys: []string{"P"}, Places: anywhere,
		Help: "show what the agent was doing when it asked"},
	{Action: ActBrowser, Keys: []string{"o"}, Places: append([]Place{PlaceEmpty}, waiting...), Waits: true,
		Help:   "open the question in your browser, with what you typed",
		HelpAt: map[Place]string{PlaceEmpty: "open the front page in your browser"}},
	{Action: deed.Up, Group: "up, down, first, last",
		Keys: []string{"up", "k"}, Places: lists, Acts: choices, Help: "up"},
	{Action: deed.Down, With: deed.Up, Keys: []string{"down", "j"}, Places: lists, Acts: choices, Help: "down"},
	{Action: deed.First, With: deed.Up, Keys: []string{"g", "home"}, Places: lists, Acts: choices, Help: "first"},
	{Action: deed.Last, With: deed.Up, Keys: []string{"G", "end"}, Places: lists, Acts: choices, Help: "last"},
	{Action: deed.More, Group: "add or remove a minute (never below 1:00)",
		Keys: []string{"+", "="}, Places: pending,
		Hint: "one more minute", Short: "+1 min", Rank: 12, Waits: true, Repeats: true, Help: "add a minute"},
	{Action: deed.Less, With: deed.More, Keys: []string{"-"}, Places: pending,
		Waits: true, Repeats: true, Help: "remove a minute (never below 1:00)"},
	{Action: ActPageDown, Group: "a page down or up",
		Keys: []string{"pgdn"}, Places: []Place{PlaceQuestion, PlaceQueue, PlaceConfirm, PlaceOver,
			PlaceHelp, PlaceHistory, PlaceStats, PlacePeek, PlaceApproval, PlaceLetter, PlaceTeamChoice,
			PlaceTeamReview}, Hint: "more",
		Lead: 2, Rank: 3, Spots: map[Place]Spot{PlaceHelp: {Rank: 2}}, Help: "a page down"},
	{Action: ActPageUp, With: ActPageDown,
		Keys: []string{"pgup"}, Places: []Place{PlaceQuestion, PlaceQueue, PlaceConfirm, PlaceOver,
			PlaceHelp, PlaceHistory, PlaceStats, PlacePeek, PlaceApproval, PlaceLetter, PlaceTeamChoice,
			PlaceTeamReview},
		Help: "a page up"},
	{Action: ActFull, Keys: []string{"z"}, Places: []Place{PlaceQuestion, PlaceQueue, PlaceOver, PlaceApproval},
		Hint: "full text", Short: "text", Lead: 1, Rank: 4, Help: "show the full text, or go back to the options"},
	{Action: deed.Hidden, Group: "show the hidden options; hide this one in all future questions (asks first)",
		Keys: []string{"v"}, Places: questions, Hint: "hidden", Rank: 3,
		Help: "show the hidden options, or hide them again"},
	{Action: deed.Hide, With: deed.Hidden, Keys: []string{"V"}, Places: questions, Acts: questions,
		Help: "hide this option in all future questions (asks first), or show it again"},
	{Action: deed.Editor, Keys: []string{"e"}, Places: teamReview, Waits: true, Hint: "edit",
		Help: "write the team's answer in $VISUAL or $EDITOR"},
	{Action: deed.Area, Group: "go to the next or previous area",
		Keys: []string{"tab"}, Show: "Tab", Places: []Place{PlaceQueue, PlaceQuestion, PlaceConfirm,
			PlaceReview, PlaceOver, PlaceEmpty, PlaceSettings, PlaceHeld, PlaceApproval, PlaceTeamLine, PlaceLetter,
			PlaceTeamChoice, PlaceHistory, PlaceChat}, Hint: "next area", Short: "area", Rank: 13, Spots: partSpots,
		Help:   "next area; in the chat, the next agent; in the history, the statistics",
		HelpAt: map[Place]string{PlaceChat: "next agent", PlaceHistory: "statistics"}},
	{Action: deed.AreaBack, With: deed.Area, Keys: []string{"backtab"}, Show: "Shift-Tab",
		Places: []Place{PlaceQueue, PlaceQuestion, PlaceConfirm, PlaceReview, PlaceOver, PlaceEmpty,
			PlaceSettings, PlaceHeld, PlaceApproval, PlaceTeamLine, PlaceLetter, PlaceTeamChoice},
		Help: "previous area"},
	{Action: ActEditFile, Keys: []string{"e"}, Places: settings, Hint: "edit the file", Short: "edit", Rank: 2,
		Waits: true, Help: "open the settings file in $VISUAL or $EDITOR"},
	{Action: ActChat, Keys: []string{"i"}, Places: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion, PlaceConfirm,
		PlaceReview, PlaceOver, PlaceHelp, PlaceSettings, PlaceHistory, PlaceStats, PlaceApproval},
		Hint: "chat", Rank: 1,
		Spots:  map[Place]Spot{PlaceEmpty: {Lead: 1, Rank: 1}, PlaceHistory: {Rank: 4}},
		Help:   "send a message to an agent",
		HelpAt: map[Place]string{PlaceHistory: "quote that question to its agent"}},
	{Action: ActSetUp, Keys: []string{"c"}, Places: []Place{PlaceEmpty}, Hint: "connect", Rank: 1,
		Spots: emptyFirst(1),
		Help:  "connect agents; then Enter runs choicetui setup, and a digit copies a line"},
	{Action: ActDemo, Keys: []string{"d"}, Places: []Place{PlaceEmpty}, Hint: "demo", Rank: 1,
		Spots: emptyFirst(1),
		Help:  "start a demo agent that asks four questions; nothing is saved"},
	{Action: ActHistory, Keys: []string{"h"}, Places: anywhere, Hint: "history", Rank: 14,
		Help: "show earlier questions, newest first"},
	{Action: ActSettings, Keys: []string{"s"}, Places: anywhere, Hint: "settings", Rank: 5,
		Spots: map[Place]Spot{PlaceQuestion: {Rank: 3}}, Help: "open the settings"},
	{Action: ActHelp, Keys: []string{"?", "f1"}, Show: "?", Places: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion,
		PlaceOver, PlaceHelp, PlaceSettings, PlaceHistory, PlaceStats, PlacePeek, PlaceConfirm, PlaceReview, PlaceHeld,
		PlaceApproval, PlaceLetter, PlaceTeamChoice, PlaceTeamReview, PlaceRound}, Hint: "keys", Spots: helpSpots,
		Help: "show this list, or close it"},
	{Action: deed.Back, Keys: []string{"esc"}, Show: "Esc", Places: []Place{PlaceEmpty, PlaceQueue, PlaceQuestion,
		PlaceOver, PlaceTyping, PlaceReason, PlaceFind, PlaceHelp, PlaceSettings, PlaceValue, PlaceHistory, PlaceStats,
		PlacePeek, PlaceConfirm, PlaceReview, PlaceChat, PlaceHeld, PlaceTeamLine, PlaceLetter, PlaceTeamWait,
		PlaceTeamChoice, PlaceTeamReview, PlaceApproval, PlaceRound}, Spots: backSpots,
		Help: "go back one level (keeps your text, never quits)"},
	{Action: ActQuit, Group: "one level back (twice: quit); quit at once (drafts are saved); suspend; redraw",
		Keys: []string{"q"}, Places: slices.Concat(anywhere, teams), Rank: 3,
		Help: "go back one level; on a question, in the queue or on the empty screen, press it twice to quit"},
	{Action: ActStop, With: ActQuit,
		Keys: []string{"ctrl+c"}, Show: "^C", Places: slices.Concat(anywhere, fields, teams),
		Help: "quit at once (drafts are saved); while you type, the same as Esc"},
	{Action: ActSuspend, With: ActQuit, Keys: []string{"ctrl+z"}, Show: "^Z", Places: slices.Concat(anywhere, teams),
		Help: "suspend, and go back to the shell"},
	{Action: ActRedraw, With: ActQuit, Keys: []string{"ctrl+l"}, Show: "^L",
		Places: slices.Concat(anywhere, fields, teams), Help: "redraw"},
	{Action: ActNewLine, Keys: []string{"ctrl+j", "alt+enter"}, Show: "^J", Places: []Place{PlaceTyping, PlaceChat},
		Hint: "new line", Short: "line", Rank: 1, Help: "new line; Shift-Enter and Ctrl-Enter too"},
	{Action: ActUndoTyping, Group: "undo, redo; ^U ^K delete to the start or end of the line, ^W Alt-D a " +
		"word, ^Y puts it back; ^X cuts, ^Q copies, ^V pastes",
		Keys: []string{"ctrl+z", "ctrl+_"}, Show: "^Z", Places: fields,
		Help: "undo; ^X cuts, ^Q copies, ^V pastes"},
	{Action: ActRedoTyping, With: ActUndoTyping, Keys: []string{"alt+z"}, Show: "Alt-Z", Places: fields, Help: "redo"},
	{Action: deed.EditorHere, Keys: []string{"ctrl+g"}, Show: "^G", Places: []Place{PlaceTyping, PlaceChat},
		Hint: "editor", Rank: 2, Help: "continue in $VISUAL or $EDITOR"},
	{Action: ActTakeBack, Keys: []string{"ctrl+r"}, Places: []Place{PlaceChat}, Hint: "take back", Rank: 3,
		Help: "take back the last line that was not delivered yet"},
	{Action: deed.ReasonUp, Group: "another suggested reason",
		Keys: []string{"up"}, Places: []Place{PlaceReason}, Help: "the previous suggested reason"},
	{Action: deed.ReasonDown, With: deed.ReasonUp, Keys: []string{"down"}, Places: []Place{PlaceReason}, Rank: 1,
		Help: "the next suggested reason"},
}

// spot returns the position of the row's hint among the key hints at the bottom of a place.
func (b Binding) spot(place Place) Spot {
	if spot, own := b.Spots[place]; own {
		return spot
	}
	return Spot{Lead: b.Lead, Rank: b.Rank}
}

// Does returns what the row's key does, in few words: the beginning of its Help.
func (b Binding) Does() string {
	if end := strings.IndexAny(b.Help, ",;("); end >= 0 {
		return strings.TrimSpace(b.Help[:end])
	}
	return b.Help
}

// ActsIn reports whether the row's key marks, sends, cancels or changes something in a place.
func (b Binding) ActsIn(place Place) bool { return slices.Contains(b.Acts, place) }

// In reports whether the binding applies in a place.
func (b Binding) In(place Place) bool { return slices.Contains(b.Places, place) }

// Shown returns the binding's keys as they are written in the foot and the help; empty: it is unbound.
func (b Binding) Shown() string {
	switch {
	case !b.bound():
		return ""
	case b.Show != "":
		return b.Show
	case b.Counted:
		return keyRange(b.Keys)
	}
	return Written(b.Keys[0])
}

// Word returns the row's words in the foot.
func (b Binding) Word() Word { return Word{b.Hint, b.Short} }

// mustKeepKey reports whether a row must have a key: without one for cancel or Enter the person could not cancel or
// send.
func (b Binding) mustKeepKey() bool { return b.Action == deed.Cancel || b.Action == deed.Enter }

// bound reports whether a row has a key.
func (b Binding) bound() bool {
	return slices.ContainsFunc(b.Keys, func(k string) bool { return k != "" })
}
