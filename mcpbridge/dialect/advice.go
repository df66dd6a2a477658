package dialect

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Limits of a question that is easy to decide (docs/contract.md section 1, "Advice").
const (
	fewOptions   = 2
	mostEasy     = 4
	leastContext = 80 // characters
)

// vagueLabels lists labels that do not say what happens if they are chosen.
var vagueLabels = []string{
	"yes", "no", "y", "n", "ok", "okay", "sure", "fine", "skip", "defer", "later", "approve", "accept", "agree",
	"reject", "decline", "deny", "continue", "proceed", "go ahead", "do it", "don't", "cancel", "confirm", "true",
	"false", "done", "next", "예", "네", "아니오", "아니요", "확인", "취소",
}

// otherLabels lists labels that mean "something that is not listed". Such an option is not needed, because the person
// can always say so.
var otherLabels = []string{
	"other", "others", "something else", "anything else", "none", "none of these", "none of the above", "neither",
	"custom", "custom answer", "own answer", "my own answer", "type your own", "type my own", "let me type",
	"let me explain", "else", "기타", "직접입력", "직접 입력",
}

// Advise returns hints for the agent that would make its ask easier to decide; nil if there are none. They go back
// beside the answer. The person never sees them, and no ask is refused for them.
func Advise(dialect string, a queue.Ask) (advice []string) {
	if a.Kind != queue.KindChoice {
		return nil
	}
	if n := contextLength(dialect, a); n < leastContext {
		advice = append(advice, fmt.Sprintf("%s: %s of context is not much to go on; "+
			"say what you are doing, why you ask and what depends on it", contextField(dialect), count(n, "character")))
	}
	for i, q := range a.Questions {
		for _, said := range adviseQuestion(dialect, q) {
			if len(a.Questions) > 1 {
				said = fmt.Sprintf("questions[%d].%s", i, said)
			}
			advice = append(advice, said)
		}
	}
	return advice
}

// contextLength returns the number of characters that the person can decide from. In a format with a prompt only the
// prompt counts, else the questions and the descriptions of the options.
func contextLength(dialect string, a queue.Ask) int {
	text := a.Prompt
	if !hasPrompt(dialect) {
		for _, q := range a.Questions {
			text += q.Text
			for _, o := range q.Options {
				text += o.Description
			}
		}
	}
	return utf8.RuneCountInString(strings.TrimSpace(text))
}

// hasPrompt reports whether a format has a field for context.
func hasPrompt(dialect string) bool {
	return !slices.Contains([]string{nameUserChoice, nameHITL, nameQuestions}, dialect)
}

// contextField returns the name of the fields that contextLength counts.
func contextField(dialect string) string {
	switch dialect {
	case nameProvideChoice:
		return "prompt"
	case nameUserChoice, nameQuestions:
		return "question and descriptions"
	case nameHITL:
		return "question"
	}
	return "context"
}

// adviseQuestion returns the hints about one question, each beginning with the name of a field.
func adviseQuestion(dialect string, q queue.Question) (advice []string) {
	if q.Mode == queue.ModeText {
		if dialect == nameUserChoice { // this format is made for options
			return []string{"options: there are none, so the person had to find the words; offer two to four"}
		}
		return nil
	}
	switch n := len(q.Options); {
	case n < fewOptions:
		advice = append(advice, "options: one is no choice; offer two to four")
	case n > mostEasy:
		advice = append(advice, fmt.Sprintf("options: %d is a lot; offer two to four if you can", n))
	}
	advice = append(advice, adviseRecommended(dialect, q)...)
	for i, o := range q.Options {
		switch label := bareLabel(o.Label); {
		case slices.Contains(vagueLabels, label):
			advice = append(advice, fmt.Sprintf("options[%d]: %s does not say what happens; "+
				`name the action, such as "Delete the 3 files"`, i, queue.Quote(o.Label)))
		case slices.Contains(otherLabels, label):
			label := queue.Quote(o.Label)
			advice = append(advice, fmt.Sprintf("options[%d]: %s is not needed; %s", i, label, alwaysPossible(q)))
		}
	}
	return advice
}

// alwaysPossible returns the sentence that says why an option for "something else" is not needed.
func alwaysPossible(q queue.Question) string {
	if q.TakesText() {
		return "the person can always answer in their own words"
	}
	return "the person can always cancel and say why"
}

// adviseRecommended advises to recommend exactly one option, or at least one if several may be chosen. hitl_request has
// no field for that.
func adviseRecommended(dialect string, q queue.Question) []string {
	n := 0
	for _, o := range q.Options {
		if o.Recommended {
			n++
		}
	}
	how := `set "recommended": true on the one you would take`
	switch dialect {
	case nameUserChoice:
		how = `set "isRecommended": true on the one you would take`
	case nameQuestions:
		how = `end the label of the one you would take with "(Recommended)"`
	}
	switch {
	case n == 0 && dialect != nameHITL:
		return []string{"options: none is recommended; " + how}
	case n > 1 && q.Radio():
		return []string{fmt.Sprintf("options: %d are recommended where one can be chosen; recommend one", n)}
	}
	return nil
}

// bareLabel returns a label in the spelling of the lists above: in lower case, without text in parentheses and without
// punctuation around it.
func bareLabel(label string) string {
	label = strings.ToLower(label)
	if i := strings.IndexByte(label, '('); i > 0 {
		label = label[:i]
	}
	return strings.Trim(label, " \t\n.,!?…-*\"'")
}
