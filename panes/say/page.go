package say

import (
	"time"

	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// PageWords are the words that only the page in a browser uses: its buttons, labels and states. It shares its other
// words with the screen.
type PageWords struct {
	Name, All, Back, Next, Settings, Keys, Notify, Close                                 string
	Send, GoOn, Done, TypeWords, Cancel, CancelIt, Keep, Detail, DetailIt, Later         string
	SetAside, HideIt, Leave, Undo, SendNow, Sending                                      string
	MoreTime, LessTime, TimeLeft, Options, Answer, OwnWords, Note, AddNote, EditNote     string
	Comment, AddComment, Reason, WantsToKnow, Suggestions, Find, Hide, Unhide, Hidden    string
	HideAgain, Recommended, RecommendAll, Questions, Review, Change, NotAnswered         string
	StartOver, ConfirmTitle, ConfirmThis, BackToOptions, Chose, Says, RunsIn, AtEnd      string
	YourText, Copy, Waiting, LastAnswers, NoneYet, Approve, Draft, Enters, NewLine       string
	Unheard, Loading, Missing, NotByThisLink, Lost, LostLong, NoSocket, Ended, ThatClick string
	TerminalOnly, NoSettingsHere, Saved, NotSaved, Off, Seconds, ShowAgain, SettingsHelp string
	MovesThis, InTerminal, ElseInTerminal, Received, ScriptOff, IsHidden                 string
	Thread, TeamDecides, TheButton, Needed, RefuseIt, RuleIt, WaitIt, ParkIt, FetchIt    string
	BringBack, NoRuleHere, OneQuestionHere, MakeRule, LeaveRound, Previous, Defer        string
	DeferIt, WhyWait, TerminalKeys, NextAgent, TakeBack, WriteLine, SendLine, LeaveLine  string
	LinesHere, AskTeam, AskThem, FetchThem, FetchAgain, Wait, Park, Accept, AcceptIt     string
	PromptToo                                                                            string
}

// Page are these words.
var Page = PageWords{
	Name: "choicetui", All: "All questions", Back: "Back", Next: "Next question", Settings: "Settings", Keys: "Keys",
	Notify: "Notify me", Close: "Close",

	Send: "Send", GoOn: "Next", Done: "Done", TypeWords: "Type your words", Cancel: "Cancel…",
	CancelIt: "Cancel the question", Keep: "Keep it", Detail: "More detail…", DetailIt: "Ask for more detail",
	Later: "Later…", SetAside: "Set it aside", HideIt: "Hide it", Leave: "Leave it", Undo: "Take it back",
	SendNow: "Send now", Sending: "Sending…",

	MoreTime: "A minute more", LessTime: "A minute less", TimeLeft: "Time left", Options: "Options",
	Answer: "Your answer", OwnWords: "Your own words", Note: "Note", AddNote: "Add a note", EditNote: "Change the note",
	Comment: "Comment on the whole answer", AddComment: "Add a comment", Reason: "Why? The agent is told (optional)",
	WantsToKnow: "What do you want to know? (optional)", Suggestions: "Suggestions", Find: "Filter the options",
	Hide: "Hide", Unhide: "Show again", Hidden: "Show what is hidden", HideAgain: "Hide them again",
	Recommended: "recommended", RecommendAll: "All recommended",

	Questions: "Questions", Review: "Review", Change: "Change", NotAnswered: "not answered yet",
	StartOver:    "Start over",
	ConfirmTitle: "Please confirm", ConfirmThis: "Yes, I confirm:", BackToOptions: "Back to the options",
	Chose: "You chose", Says: "says", RunsIn: "It runs in", AtEnd: "When the time is up",

	YourText: "Your text was not sent. It is kept.", Copy: "Copy my text", Waiting: "Waiting for you",
	Needed: "Needs you in its own pane", LastAnswers: "Last answers",
	NoneYet: "Questions from your agents appear here by themselves.", Approve: "Approve?",
	Draft: "draft", Enters: "done", NewLine: "new line",

	Unheard: "This was typed while there was no connection, and went nowhere:",
	Loading: "Loading…", Missing: "There is no such question, or it is no longer kept.",
	NotByThisLink: "This link does not open that question. " +
		"Answer it in the dashboard, or start choicetui web yourself.",
	Lost:     "Connection lost. Trying again…",
	LostLong: "choicetui does not answer. What you typed stays here. Start it again with: choicetui web",
	NoSocket: "This page needs a WebSocket, and something between here and choicetui does not let one through. " +
		"Answer in the terminal instead: choicetui",
	Ended:     "This page may not open questions any more. Get a new link with: choicetui web",
	ThatClick: "that click",

	TerminalOnly:   "this setting is changed in the terminal only",
	NoSettingsHere: "settings cannot be changed from here", Saved: "saved", NotSaved: "not saved: ", Off: "Off",
	Seconds: "seconds", ShowAgain: "Show again",
	SettingsHelp: "These are the settings of choicetui itself: they hold in the terminal too.",
	MovesThis:    "A new value also sets how long this question has from now.",
	InTerminal:   "Changed in the terminal only.", ElseInTerminal: "A command is given in the terminal only.",
	Received: "received", IsHidden: "hidden", ScriptOff: "This page needs JavaScript.",

	Thread: "Their thread:", TheButton: "the button", RefuseIt: "Refuse it", RuleIt: "Make the rule",
	WaitIt: "Wait for them", ParkIt: "Park it", FetchIt: "Fetch it", BringBack: "Bring it back",
	NoRuleHere:      "a rule is made on your own machine, not from here",
	OneQuestionHere: "this link opens one question: others are answered in the dashboard",
	MakeRule:        "Make a rule…", LeaveRound: "Leave these", Previous: "Previous",
	Defer: "Defer…", DeferIt: "Defer it", WhyWait: "Why does it have to wait?",
	TerminalKeys: "Only in the terminal",

	NextAgent: "Next agent", TakeBack: "Take the last line back", WriteLine: "Chat", SendLine: "Send",
	AskTeam: "Ask the team…", AskThem: "Ask them", FetchThem: "Fetch what they said…", FetchAgain: "Fetch again…",
	Wait: "Wait for them…", Park: "Park it…", Accept: "Accept the answer…", AcceptIt: "Accept it",
	PromptToo: "They read the agent's message too",
	LeaveLine: "Leave, text kept", LinesHere: "lines to agents are written on your own machine, not from here",

	TeamDecides: "You can answer here all the same; that decides it.",
}

// Button returns the label of the button that does what Enter does.
func (w PageWords) Button(step form.Step) string {
	switch step {
	case form.StepTake, form.StepOpen, form.StepConfirm:
		return w.GoOn
	case form.StepType:
		return w.TypeWords
	}
	return w.Send
}

// Does returns the label of the button that does what is offered.
func (w PageWords) Does(o *deed.Offer) string {
	return map[deed.Action]string{deed.Later: w.SetAside, deed.Hide: w.HideIt, deed.Rule: w.RuleIt,
		deed.Fetch: w.FetchIt, deed.Wait: w.WaitIt, deed.GoOn: w.ParkIt, deed.Accept: w.AcceptIt}[o.Action]
}

// In writes a line with every part of it in its longest form, for a face with room for all.
func (l Line) In(dot string) string {
	words := ""
	for _, p := range l.Pieces {
		words += p.Forms[0]
	}
	for _, t := range l.Tails {
		words += " " + dot + " " + t[0]
	}
	return words
}

// ClockTime returns a time of day, with its day where that is not today: 14:02, Thu 19 Nov 14:02.
func ClockTime(at, now time.Time) string {
	if sameDay(at, now) {
		return at.Local().Format("15:04")
	}
	return Day(at, now.Local().Year()) + " " + at.Local().Format("15:04")
}

// Words about the page in the browser.
const (
	NoPages        = "the demo has no page in the browser"
	OpeningBrowser = "opening the browser"
)

// OpenedInBrowser says that a page was opened, and where it is.
func OpenedInBrowser(link string) string { return "opened in the browser: " + link }

// NoPage says why there is no page.
func NoPage(err error) string { return OneLine(err.Error()) }
