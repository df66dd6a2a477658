package say

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Words of an interview and of the review of a team's discussion in lines. The wording down to the byte is a
// contract: people and scripts read it.

// Tone is the colour in which a line begins, on a terminal that has colours.
type Tone int

// The tones.
const (
	TonePlain Tone = iota
	ToneDim
	ToneRed
	ToneYellow
	ToneGreen
)

// Toned is a line: its beginning has a tone, the rest has none.
type Toned struct {
	Tone       Tone
	Text, Rest string
}

// TalkBox is a framed text: a title, and rows that are wrapped inside the frame.
type TalkBox struct {
	Title string
	Rows  []TalkRow
}

// TalkRow returns one row of a framed text. A text of several lines keeps them.
type TalkRow struct {
	Indent int
	Text   string
}

// Words typed at the end of a line that asks.
const (
	TalkAudience  = "Audience >"
	TalkPause     = "Block here or continue with other questions? [b/c] (default: b):"
	TalkWaiting   = "Waiting >"
	TalkReview    = "[a]ccept | [e]dit | [d]efer:"
	TalkByHand    = "[a]ccept empty | [e]dit (blank pre-fill) | [d]efer"
	TalkWhy       = "Optional rationale (press Enter to skip):"
	TalkWhyDefer  = "Rationale for deferral (required):"
	TalkPickOne   = "Number of the option, or Enter to go back:"
	TalkConfirm   = "Type yes to confirm, or Enter to go back:"
	TalkAnswer    = "Its answer, or Enter to go back:"
	TalkYes       = "yes"
	TalkCancel    = "!cancel" // typed at any of them it ends the interview, which can be resumed
	talkWithWiden = " | [w]iden"
)

// TalkQuestion asks a question of an interview; offered: the team can be asked.
func TalkQuestion(question, start string, offered bool) string {
	widen := ""
	if offered {
		widen = talkWithWiden
	}
	if start = OneLine(start); start != "" {
		start = " [" + start + "]"
	}
	return OneLine(question) + start + ":\n" +
		"[enter]=accept default | [text]=type answer" + widen + " | [d]efer | [!cancel]"
}

// TalkMetAgain asks a question that is with the team already.
func TalkMetAgain(question string) string {
	return OneLine(question) + " [pending-external-input]\n" +
		"[f]etch & resolve | [local answer]=type answer | [d]efer | [!cancel]"
}

// TalkHint returns an agent's reason for asking the team.
func TalkHint(words string) Toned { return Toned{ToneDim, OneLine(words), ""} }

// talkTitleMost limits the characters of a question in a sentence about it.
const talkTitleMost = 60

// TalkAudienceBox shows who would be asked.
func TalkAudienceBox(question string, names []string) TalkBox {
	return TalkBox{"Widen: " + Short(question, talkTitleMost), []TalkRow{
		{0, "Default audience for this decision:"},
		{2, strings.Join(names, ", ")},
		{0, ""},
		{0, "[Enter] to confirm, or type comma-separated names to trim."},
		{0, `Type "cancel" or press Ctrl+C to abort.`},
	}}
}

// TalkUnknown warns of names that nobody of the audience has; asked: they are asked all the same.
func TalkUnknown(names []string, asked bool) Toned {
	words := "Not in the audience, so not asked:"
	if asked {
		words = TeamByName
	}
	return Toned{ToneYellow, words, " " + OneLine(strings.Join(names, ", "))}
}

// TalkNobody says that no name was known.
const TalkNobody = "Nobody is left to ask. Type names of the audience, or press Enter for all of it."

// TalkNotAsked says that the person gave it up.
const TalkNotAsked = "The team was not asked."

// TalkConfirmed says who is asked.
func TalkConfirmed(names []string) string {
	return fmt.Sprintf("Audience confirmed: %s (%s)\nCalling widen endpoint...",
		strings.Join(names, ", "), Count(len(names), "member"))
}

// TalkWidenFailed says why the team was not asked.
func TalkWidenFailed(why string) Toned { return Toned{ToneRed, "Widen failed:", " " + OneLine(why)} }

// TalkBack follows what failed.
const TalkBack = "Returning to interview prompt."

// TalkFailed says why something else about the team's discussion failed; what names it: "Fetch".
func TalkFailed(what, why string) Toned { return Toned{ToneRed, what + " failed:", " " + OneLine(why)} }

// TalkAway says that the queue is waited for, and why.
func TalkAway(why string) Toned {
	return Toned{ToneRed, Capital(QueueUnread(OneLine(why))) + ".", " " + talkKept}
}

// TalkThereAgain says that the queue is back, and talkKept that what was typed is kept until then.
const (
	TalkThereAgain = "The queue is there again."
	talkKept       = "What you typed is kept until it can be. Ctrl-C stops waiting."
)

// Failures of it.
const (
	TalkFetch  = "Fetch"
	TalkStore  = "Saving"
	TalkEditor = "Editor"
)

// TalkWidened says that the team was asked.
func TalkWidened(question string, names []string) TalkBox {
	have := "have"
	if len(names) == 1 {
		have = "has"
	}
	words := fmt.Sprintf(`Slack thread created. %s %s been invited to discuss: "%s"`, talkAnd(names), have,
		Short(question, talkTitleMost))
	return TalkBox{"Widened ✓", []TalkRow{{0, words}}}
}

// talkAnd joins names as one says them: Alice, Bob and Carol.
func talkAnd(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// TalkParked says that the interview continues.
const TalkParked = "Question parked as pending. You'll be prompted to resolve it at end of interview."

// TalkParkedAlone says the same outside of an interview.
const TalkParkedAlone = "Question parked as pending. fetch brings what the team said."

// TalkWaitingBox shows what is waited for.
func TalkWaitingBox(question string, w queue.Widened) TalkBox {
	thread := OneLine(w.ThreadURL)
	if thread == "" {
		thread = "(no link)"
	}
	return TalkBox{"Waiting for widened discussion", []TalkRow{
		{0, "Question: " + OneLine(question)},
		{0, "Participants: " + w.Names()},
		{0, "Slack thread: " + thread},
	}}
}

// TalkWaitingOptions lists what can be typed meanwhile.
const TalkWaitingOptions = `Options:
  [f]etch & review   — fetch current discussion and produce candidate
  <type an answer>   — resolve locally right now (closes Slack thread)
  [d]efer            — defer this question for later`

// TalkStillWaiting and what follows it are said when nothing was typed for a long time.
var TalkStillWaiting = Toned{ToneYellow, "Still waiting on widened discussion.", ""}

// TalkCheck follows TalkStillWaiting.
const TalkCheck = "Check Slack, type a local answer, or press d to defer."

// TalkLocally says that the person did not wait for the team.
const TalkLocally = "Resolved locally. SaaS will close the Slack thread shortly."

// TalkAwaitsSummary says how long the reader of the lines has for the summary.
func TalkAwaitsSummary(within time.Duration) string {
	return fmt.Sprintf("Waiting for the summary, up to %s; type e to write it yourself, d to defer.",
		Spoken(within, time.Second))
}

// TalkSumming says that the agent that asked is given the discussion, and how long it has from then on.
func TalkSumming(within time.Duration) string {
	return fmt.Sprintf("The agent is asked to sum this up, up to %s once it was given it; %s",
		Spoken(within, time.Second), talkNoWait)
}

// TalkSummingWaits says what a line is not taken for meanwhile.
const (
	TalkSummingWaits = "The agent has not summed this up yet; " + talkNoWait
	talkNoWait       = "type e to write it yourself, d to defer, Enter to go on without it."
)

// TalkNoSummary says that no model summed the discussion up.
var TalkNoSummary = Toned{ToneYellow, "Summarization timed out or produced invalid output.", ""}

// TalkRaw follows TalkNoSummary.
const TalkRaw = "Showing raw discussion. Please write the answer manually."

// TalkCandidate shows what a model made of the discussion.
func TalkCandidate(question, summary, answer string) TalkBox {
	return TalkBox{"Candidate Review", []TalkRow{
		{0, "Question: " + OneLine(question)},
		{0, ""},
		{0, "Summary:"},
		{2, strings.TrimSpace(Text(summary))},
		{0, ""},
		{0, "Proposed answer:"},
		{2, strings.TrimSpace(Text(answer))},
	}}
}

// How a review ends.
var (
	TalkResolved = Toned{ToneGreen, "Decision resolved.", ""}
	TalkDeferred = Toned{ToneYellow, "Decision deferred.", ""}
)

// TalkPendingBox begins the pass over what is still with the team.
func TalkPendingBox(n int) TalkBox {
	are, them := "are", "them"
	if n == 1 {
		are, them = "is", "it"
	}
	return TalkBox{"Pending Widened Questions", []TalkRow{{0, fmt.Sprintf(
		"%s %s still pending. Resolve %s before finalizing the interview.", Count(n, "widened question"), are, them)}}}
}

// TalkPendingOne describes one of them, the nth of so many.
func TalkPendingOne(n, of int, question string, w queue.Widened) string {
	const indent = "\n      "
	return fmt.Sprintf("(%d/%d) Question: %s", n, of, OneLine(question)) +
		indent + "Widened at: " + w.At.UTC().Format("2006-01-02 15:04") + " UTC" +
		indent + "Participants: " + w.Names() +
		indent + "Fetching discussion..."
}

// Words where the typed line has no meaning.
const (
	TalkNoDefault  = "There is no default. Type an answer, or d to defer."
	TalkOrCancel   = "Type b to wait here, or c to go on with the other questions."
	TalkTypeOne    = "Type a, e or d."
	TalkTypeWait   = "Type f, an answer or d. !cancel leaves the question with the team and ends here."
	TalkNoOption   = "That is no number of an option."
	TalkWants      = "A rationale is required: say why the decision has to wait."
	TalkEmptied    = "The editor left no text, and its agent wants an answer: nothing was sent. e opens it again."
	TalkNothing    = "There is no candidate to accept. Type e to write the answer, or d to defer."
	TalkElsewhere  = "The question changed elsewhere meanwhile."
	TalkEnded      = "The input ended."
	TalkNotWidened = "The team was not asked about this question: widen asks it."
	TalkNoEditor   = "There is no editor here. Resolve it with an answer of your own, or defer it."
)

// TalkNotNow says why w asks nobody; the line is taken as no answer.
func TalkNotNow(why string) string {
	return Capital(strings.TrimSuffix(OneLine(why), ".")) + ". Nothing was answered."
}

// TalkPick asks which option is meant by an answer that is not one of them.
func TalkPick(answer string, q queue.Question) string {
	rows := []string{"This question takes one of its options, and " + ShortQuoted(answer, talkTitleMost) +
		" is none. Which one is it?"}
	return strings.Join(append(rows, talkOptions(q)...), "\n")
}

// TalkOptions lists the options of a question; a number chooses one.
func TalkOptions(q queue.Question) string { return strings.Join(talkOptions(q), "\n") }

func talkOptions(q queue.Question) (rows []string) {
	for i, o := range q.Options {
		rows = append(rows, fmt.Sprintf("  %d: %s", i+1, OneLine(o.Label)))
	}
	return rows
}

// TalkOneOf returns one of several questions, which are answered one at a time.
func TalkOneOf(q queue.Question) string {
	head := q.Text
	if queue.Blank(head) {
		head = q.Header
	}
	return strings.Join(append([]string{OneLine(head)}, talkOptions(q)...), "\n")
}

// TalkConfirmWords says what the agent wants confirmed.
func TalkConfirmWords(a queue.Ask) string {
	if words := OneLine(a.ConfirmMessage); words != "" {
		return "The agent wants a confirmation: " + words
	}
	return "The agent wants an explicit confirmation."
}

// TalkOver says how a question ended that was open here.
func TalkOver(s queue.Session) string {
	return "This question " + AlreadyEnded(s) + " (" + Settler(*s.Outcome) + ")."
}

// TalkNoNumber refuses a number that none of so many options has.
func TalkNoNumber(number string, options int) string {
	number = Short(number, 20)
	which := "type a number from 1 to " + strconv.Itoa(options)
	if options == 1 {
		which = "type 1"
	}
	return fmt.Sprintf("There is no option %[1]s: %[2]s, or \"%[1]s\" in quotes as your own words.", number, which)
}
