package say

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// NotYet returns the words in place of the button while the guard refuses the next Enter, or the zero Line if it does
// not. notTaken names the choice that was refused, and why is the reason. If why is empty, the key came too soon.
// before: the key was pressed for a question that another one has replaced. again: an Enter came too soon.
func NotYet(notTaken, why string, before, again bool, in Speech) Line {
	switch {
	case before && notTaken != "":
		return Line{Pieces: []Piece{Fixed(NotTaken(notTaken)),
			Nice(" (it was meant for another question)", "")}}
	case notTaken != "" && why != "":
		return Line{Pieces: []Piece{Fixed(NotTaken(notTaken)), Nice(" ("+why+")", "")}}
	case notTaken != "":
		return Line{Pieces: []Piece{Fixed(NotTaken(notTaken)), Nice(", press it again", "")}}
	case again:
		return Words(PressAgain(in.EnterName()))
	}
	return Line{}
}

// PressAgain says that an Enter came too soon.
func PressAgain(enter string) string { return "Not yet: press " + enter + " again" }

// NotTaken names the choice that was refused.
func NotTaken(key string) string { return key + " was ignored" }

// WasMeant asks whether a text was meant for the agent that asked, or for another pane. does says what the next Enter
// does with the text.
func WasMeant(agent string, does Does, in Speech) Line {
	words := in.EnterName() + " " + does.verb + "s " + does.object
	if in.Frontend == OnScreen && !in.Keyless {
		words = in.Enter + " " + Capital(does.verb) + " " + does.object
	}
	asks := []string{"Was this meant for " + agent + "? ", "Meant for " + agent + "? ", "Meant? "}
	return Line{Asks: Piece{Forms: asks}, Pieces: []Piece{Fixed(words)}, Sends: true}
}

// Does says what Enter does with a text: a verb, and its object.
type Does struct{ verb, object string }

// SendsIt is the Does of an Enter that sends the text.
var SendsIt = Does{"send", "it"}

// DoesWith says what Enter does by the plan with the text in a field.
func DoesWith(field form.Field, p form.Plan) Does {
	switch {
	case field == form.FieldReason:
		return Does{"cancel", "with it"}
	case field == form.FieldDetail:
		return Does{"ask", "with it"}
	case field == form.FieldRefusal:
		return Does{"refuse", "with it"}
	case p.Step == form.StepSend:
		return SendsIt
	case p.Step == form.StepTake, p.Step == form.StepConfirm:
		return Does{"take", "it"}
	}
	return Does{"add", "it"}
}

// KeyOrText asks whether the letter that is all of an answer was meant as the key of a row. Enter sends the letter.
func KeyOrText(b action.Row, letter string, p form.Plan, in Speech) Line {
	key := strings.TrimSpace(letter)
	does, back, or := Capital(b.Does()), in.Key(action.Back), ", or "+DoesWith(form.FieldText, p).verb+" “"
	forms := []string{does + " (" + back + ", then " + key + ")", does + " (" + back + " " + key + ")"}
	if b.Footer != "" {
		forms = append(forms, Capital(b.Footer)+" ("+back+" "+key+")")
	}
	return Line{Leads: true, Pieces: []Piece{{Forms: append(forms, back+" "+key)},
		Fixed(or + key + "” (" + in.EnterName() + ")?")}}
}

// RefusesWith says that Enter refuses an approval with the words being typed.
func RefusesWith(agent string, in Speech) Line {
	return Line{Pieces: []Piece{Fixed(in.Enter + " Refuse and tell "), Named(agent)}, Sends: true}
}

// Twice changes an Enter line for a text that may be meant for another pane, or may be a key: the next Enter only asks,
// and the Enter after it has the effect that l describes. The sign of Enter is written once.
func Twice(l Line, in Speech) Line {
	does := l.Pieces[0]
	does.Forms = slices.Clone(does.Forms)
	for i, form := range does.Forms {
		form = strings.TrimPrefix(form, in.Enter+" ")
		_, size := utf8.DecodeRuneInString(form)
		does.Forms[i] = strings.ToLower(form[:size]) + form[size:]
	}
	return Line{Pieces: append([]Piece{Fixed(in.Enter + " twice: "), does}, l.Pieces[1:]...), Tails: l.Tails}
}

// EnterName returns the word for Enter: its key, or in lines its command.
func (in Speech) EnterName() string {
	if key := in.Key(action.Enter); key != "" {
		return key
	}
	if in.Keyless {
		return in.Enter
	}
	return "Enter"
}

// hideOption describes the Enter that hides an option in all future questions of an agent. chosen: the option is marked
// in the present answer, and stays marked.
func hideOption(in Speech, o queue.Option, chosen bool, agent string) Line {
	l := Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("hide “")), Named(OneLine(o.Label)), Fixed("”"),
		Nice(" in all future questions from "+agent, " from now on")}}
	switch {
	case o.Recommended:
		l = l.Behind(Tail{"! the agent recommends it", "! recommended"})
	case chosen:
		l = l.Behind(Tail{"it stays chosen here", ""})
	}
	return l
}
