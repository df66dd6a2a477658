package say

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
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

// NotAttached warns that a text may be meant for another pane, and names the effect of the next Enter on that text.
func NotAttached(field form.Field, in Speech) Line {
	does := " adds it"
	switch field {
	case form.FieldReason:
		does = " cancels with it"
	case form.FieldDetail:
		does = " asks with it"
	case form.FieldRefusal:
		does = " refuses with it"
	}
	aside := Keyed(", ", in.Key(deed.Back), " puts it aside")
	return Line{Pieces: []Piece{Fixed("Not added: " + in.EnterName() + does), Nice(aside, "")}}
}

// Twice changes an Enter line for a text that may be meant for another pane: the next Enter only asks, and the Enter
// after it has the effect that l describes. The sign of Enter is written once.
func Twice(l Line, in Speech) Line {
	does := l.Pieces[0]
	does.Forms = slices.Clone(does.Forms)
	for i, form := range does.Forms {
		does.Forms[i] = strings.TrimPrefix(form, in.Enter+" ")
		if l.Leads { // only the words of a button that sends may begin with a person's or an agent's word
			does.Forms[i] = strings.ToLower(does.Forms[i][:1]) + does.Forms[i][1:]
		}
	}
	if l.Leads {
		return Line{Pieces: append([]Piece{Fixed(in.Enter + " twice: "), does}, l.Pieces[1:]...), Tails: l.Tails}
	}
	asks := []Piece{Fixed(in.Enter + " asks"), Nice(" first", ""), Fixed(", then "), does}
	return Line{Pieces: append(asks, l.Pieces[1:]...), Tails: l.Tails}
}

// EnterName returns the word for Enter: its key, or in lines its command.
func (in Speech) EnterName() string {
	if key := in.Key(deed.Enter); key != "" {
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
