package portal

import (
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	linkCommand = "choicetui web"
	linkWanted  = "this page needs a new link: run " + linkCommand
)

// pageLabels holds the words that only the page uses: its buttons, labels and states. The words that it shares with
// other frontends are in panes/say.
type pageLabels struct {
	Name, All, Back, Next, Settings, Keys, Notify, Close                                 string
	Send, GoOn, Done, TypeWords, Cancel, CancelIt, Keep, Detail, DetailIt, Later         string
	SetAside, HideIt, Leave, Undo, SendNow, Sending                                      string
	MoreTime, LessTime, TimeLeft, Options, Answer, OwnWords, Note, AddNote, EditNote     string
	Comment, AddComment, Reason, WantsToKnow, Suggestions, Find, Hide, Unhide, Hidden    string
	HideAgain, Recommended, RecommendAll, Questions, Review, Change, NotAnswered         string
	StartOver, ConfirmTitle, ConfirmThis, BackToOptions, Chose, Says, RunsIn, AtEnd      string
	YourText, Copy, Waiting, LastAnswers, NoneYet, Approve, Draft, Enters, NewLine       string
	Unheard, Loading, Missing, NotByThisLink, Lost, LostLong, NoSocket, Ended, ThatClick string
	TerminalOnly, NoSettingsHere, Saved, NotSaved, Off, ShowAgain, SettingsHelp          string
	MovesThis, InTerminal, ElseInTerminal, Received, ScriptOff, IsHidden                 string
	Thread, TeamDecides, TheButton, Needed, RefuseIt, RuleIt, WaitIt, ParkIt, FetchIt    string
	BringBack, NoRuleHere, OneQuestionHere, MakeRule, LeaveRound, Previous, Defer        string
	TerminalKeys, NextAgent, TakeBack, WriteLine, SendLine, LeaveLine                    string
	LinesHere, AskTeam, FetchThem, Wait, Park                                            string
	Before, BeforeNotHere, More, Asks, AndMore, ResetAll                                 string
}

var labels = pageLabels{
	Name: "choicetui", All: "All questions", Back: "Back", Next: "Next question", Settings: "Settings", Keys: "Keys",
	Notify: "Notify me", Close: "Close",

	Send: "Send", GoOn: "Next", Done: "Done", TypeWords: "Type your words", Cancel: "Cancel…",
	CancelIt: "Cancel the question", Keep: "Keep it", Detail: "More detail…", DetailIt: "Ask for more detail",
	Later: "Later…", SetAside: "Set it aside", HideIt: "Hide it", Leave: "Leave it", Undo: "Take it back",
	SendNow: "Send now", Sending: "Sending…",

	MoreTime: "One more minute", LessTime: "One minute less", TimeLeft: "Time left", Options: "Options",
	Answer: "Your answer", OwnWords: "Your own words", Note: "Note", AddNote: "Add a note", EditNote: "Change the note",
	Comment: "Comment on the whole answer", AddComment: "Add a comment", Reason: "Why? The agent is told (optional)",
	WantsToKnow: "What do you want to know? (optional)", Suggestions: "Suggestions", Find: "Filter the options",
	Hide: "Hide", Unhide: "Show again", Hidden: "Show what is hidden", HideAgain: "Hide them again",
	Recommended: "recommended", RecommendAll: "All recommended",

	Questions: "Questions", Review: "Review", Change: "Change", NotAnswered: "not answered yet",
	StartOver: "Start over…", ResetAll: "Reset all",
	ConfirmTitle: "Please confirm", ConfirmThis: "Yes, I confirm:", BackToOptions: "Back to the options",
	Chose: "You chose", Says: "says", RunsIn: "It runs in", AtEnd: "When the time is up",

	YourText: "Your text was not sent. It is saved.", Copy: "Copy my text", Waiting: "Waiting for you",
	Asks: "%s asks: %s", AndMore: ", and %d more",
	Needed: "Needs you in its own pane", LastAnswers: "Last answers",
	NoneYet: "Questions from your agents appear here.", Approve: "Approve?",
	Draft: "draft", Enters: "done", NewLine: "new line",

	Unheard: "This was typed while there was no connection, and was not sent:",
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
	ShowAgain:    "Show again",
	SettingsHelp: "They also apply in the terminal. choicetui config lists all settings.",
	MovesThis:    "A new value also sets how long this question has from now.",
	InTerminal:   "Changed in the terminal only.", ElseInTerminal: "A command can only be set in the terminal.",
	Received: "received", IsHidden: "hidden", ScriptOff: "This page needs JavaScript.",

	Thread: "Their thread:", TheButton: "the button", RefuseIt: "Refuse it", RuleIt: "Make the rule",
	WaitIt: "Wait for them", ParkIt: "Answer others", FetchIt: "Get their replies", BringBack: "Bring it back",
	NoRuleHere:      "a rule is made on your own machine, not from here",
	OneQuestionHere: "this link opens one question: others are answered in the dashboard",
	MakeRule:        "Make a rule…", LeaveRound: "Leave the batch", Previous: "Previous",
	Defer: "Put off…", TerminalKeys: "Only in the terminal",

	NextAgent: "Next agent", TakeBack: "Take the last line back", WriteLine: "Chat", SendLine: "Send",
	AskTeam: "Ask the team…", FetchThem: "Get what they said…", Wait: "Wait for them…", Park: "Answer others…",
	LeaveLine: "Leave (keeps text)", LinesHere: "messages to agents are written on your own machine, not from here",

	Before: "Before this", More: "More",
	BeforeNotHere: "what the agent was doing is shown on your own pages, not by this link",

	TeamDecides: "You can answer here all the same; that decides it.",
}

// Button returns the label of the button that does what Enter does.
func (w pageLabels) Button(step form.Step) string {
	switch step {
	case form.StepTake, form.StepOpen, form.StepConfirm:
		return w.GoOn
	case form.StepType:
		return w.TypeWords
	}
	return w.Send
}

// Does returns the label of the button that does what is offered.
func (w pageLabels) Does(o *action.Offer) string {
	return map[action.Name]string{action.Later: w.SetAside, action.Hide: w.HideIt, action.Rule: w.RuleIt,
		action.StartOver: w.ResetAll,
		action.Fetch:     w.FetchIt, action.Wait: w.WaitIt, action.GoOn: w.ParkIt}[o.Action]
}
