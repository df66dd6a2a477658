package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// Speech holds a face's way to word things: its keys, its signs, and how it cuts a name short. Lines have commands in
// place of keys.
type Speech struct {
	Face    Face
	Command func(keys.Action) string // how lines have an action typed
	Wanted  string                   // how many options the question on view takes, in lines; see Wanted
	// AsksTeam: the team can be asked about the question on view. Lines alone say so.
	AsksTeam bool

	Keys  keys.Map
	Enter string // how Enter is written
	Down  string // the sign for what is below
	Cut   func(text string, cells int) string
	// NextAgent is the label of the page's button that picks the next agent; other faces have a key for it.
	NextAgent string

	// Keyless: the person has buttons alone. Keys is empty then, and Enter names the button that does what Enter does.
	Keyless bool
	Reading bool // only the text is on screen, and can be scrolled: no key shows more of it
}

// Key returns how the person asks for an action of a question: by its key, in lines by its command.
func (in Speech) Key(a keys.Action) string {
	if in.Face == FaceLines {
		return in.Command(a)
	}
	return in.Keys.KeyOf(keys.PlaceQuestion, a)
}

// leastName is the least width in cells of a name in a line.
const leastName = 8

// Enter returns the effect of Enter by the plan, or why it has none, and behind it the warnings that a person should
// read before pressing it. typing is the text that keys go to, agent the receiver of the answer; see Who.
func Enter(p form.Plan, typing form.Field, agent string, in Speech) Line {
	l := Line{Pieces: in.pieces(p, typing, agent)}
	for _, piece := range p.Pieces {
		l = l.Behind(in.tail(p, piece, typing, agent))
	}
	return l
}

func (in Speech) pieces(p form.Plan, typing form.Field, agent string) []Piece {
	switch p.Step {
	case form.StepNothing:
		return in.refused(p)
	case form.StepType:
		return []Piece{Fixed(in.Enter + " type your words")}
	case form.StepArm:
		switch {
		case typing.Ends() && in.Keyless:
			return []Piece{Fixed("twice: cancel and tell "), Named(agent)}
		case typing.Ends():
			return []Piece{Fixed(in.Enter + " " + in.Enter + " cancel and tell "), Named(agent)}
		}
		return []Piece{Fixed(in.Enter + " twice sends with nothing marked")}
	case form.StepEnd:
		return in.ends(p, typing)
	case form.StepCancel:
		if typing == form.FieldDetail {
			return in.wantsDetail(p, agent)
		}
		if _, gone := p.Has(form.PieceGone); gone {
			return []Piece{Fixed(in.Enter + " cancel; "), Named(agent), Fixed(" disconnected")}
		}
		if _, untold := p.Has(form.PieceUntold); untold {
			return []Piece{Fixed(in.Enter + " cancel; "), Named(agent), Fixed(" asks by itself")}
		}
		return []Piece{Fixed(in.Enter + " cancel and tell "), Named(agent)}
	case form.StepOpen:
		open, _ := p.Has(form.PieceMissing)
		return []Piece{Fixed(in.Enter + " on to "), Named(p.Object), Fixed(fmt.Sprintf(" · %d", open.N)),
			Nice(" not answered yet", " open")}
	}
	return append(in.sends(p), in.then(p)...)
}

// ends says that Enter ends typing.
func (in Speech) ends(p form.Plan, typing form.Field) []Piece {
	if found, ok := p.Has(form.PieceMatches); ok {
		return []Piece{Fixed(fmt.Sprintf("%s done typing · %d of %d match", in.Enter, found.N, found.Of))}
	}
	if long, ok := p.Has(form.PieceTooLong); ok {
		over := fmt.Sprintf("%s done typing · %s too many", in.Enter, Count(long.N, unitOf(typing)))
		return []Piece{Fixed(over), Nice(fmt.Sprintf(": at most %d", long.Of), "")}
	}
	return []Piece{Fixed(in.Enter + " done typing")}
}

// sends says what goes out: `send 2: POST /checkout, POST /login + note`.
func (in Speech) sends(p form.Plan) []Piece {
	verb := in.Enter + " "
	if p.Step == form.StepSend {
		verb += "send "
	}
	if _, nothing := p.Has(form.PieceNothing); nothing {
		return []Piece{Fixed(in.Enter + " again to send with nothing marked")}
	}
	if answers, ok := p.Has(form.PieceAnswers); ok {
		verb += Count(answers.N, "answer")
		if _, ok := p.Has(form.PieceComment); ok {
			verb += " + comment"
		}
		return []Piece{Fixed(verb)}
	}
	added := addedTexts(p)
	if marked, _ := p.Has(form.PieceMarked); marked.N > 1 {
		verb += fmt.Sprintf("%d: ", marked.N)
	}
	pieces := []Piece{Fixed(verb), Named(p.Object)}
	if p.Object == "" && len(added) > 0 {
		pieces, added = []Piece{Fixed(verb + added[0])}, added[1:]
	}
	if len(added) == 0 {
		return pieces
	}
	forms := append(quoted(p, added), " + "+strings.Join(added, " + "), " + "+strings.Join(briefly(added), ", "))
	if len(added) > 1 {
		forms = append(forms, fmt.Sprintf(" +%d texts", len(added)))
	}
	return append(pieces, Piece{Forms: forms, Nice: true})
}

// quoted returns the additions with the words of the note among them, longest first; nil: there is not exactly one
// note.
func quoted(p form.Plan, added []string) (forms []string) {
	piece, ok := p.Has(form.PieceNotes)
	at := slices.Index(added, notes(1))
	if !ok || piece.Text == "" || at < 0 {
		return nil
	}
	for _, most := range []int{40, 24, 12} {
		words := slices.Clone(added)
		words[at] = "“" + Short(piece.Text, most) + "”"
		forms = append(forms, " + "+strings.Join(words, " + "))
	}
	return forms
}

const yourWords = "your words"

// addedTexts lists the texts that are sent with the marked options.
func addedTexts(p form.Plan) (list []string) {
	for _, piece := range p.Pieces {
		switch {
		case piece.Kind == form.PieceWords:
			list = append(list, yourWords)
		case piece.Kind == form.PieceNotes:
			list = append(list, notes(piece.N))
		case piece.Kind == form.PieceComment:
			list = append(list, "comment")
		}
	}
	return list
}

// notes says how many notes are sent; a single one needs no number.
func notes(n int) string {
	if n == 1 {
		return "note"
	}
	return Count(n, "note")
}

// Sent tells in lines what an answer in the making would send: labels, own words, and what goes with them. A screen
// says it in Enter.
func Sent(f *form.Form) string {
	a := f.Answer()
	words, n := f.Ask().Summary(a), 0
	for _, r := range a.Replies {
		n += len(r.Notes)
	}
	if n > 0 {
		words += " + " + notes(n)
	}
	if !queue.Blank(a.Comment) {
		words += " + comment"
	}
	return words
}

func briefly(added []string) []string {
	if added[0] != yourWords {
		return added
	}
	return append([]string{"words"}, added[1:]...)
}

// then names the next step.
func (in Speech) then(p form.Plan) (pieces []Piece) {
	for _, piece := range p.Pieces {
		switch piece.Kind {
		case form.PieceNext:
			const on = ", on to "
			pieces = append(pieces, Nice(on+piece.Text, on+in.Cut(piece.Text, leastName), ", next"))
		case form.PieceReview:
			pieces = append(pieces, Nice(", on to the review", ", review"))
		case form.PieceThenConfirm:
			pieces = append(pieces, Nice(", then confirm", ", confirm"))
		case form.PieceCloses:
			pieces = append(pieces, Nice(", then this closes", ", then closes", ""))
		}
	}
	return pieces
}

// refused says why Enter does nothing.
func (in Speech) refused(p form.Plan) []Piece {
	switch w := p.WhyNot; w.Reason {
	case form.ConfirmationWaits:
		return in.confirms(p)
	case form.NothingMarked:
		return markFirst(in)
	case form.NothingMatches:
		back := in.Key(deed.Back)
		if back == "" {
			return []Piece{Fixed("nothing matches")}
		}
		return []Piece{Fixed("nothing matches: " + back), Nice(" shows all options", " shows all")}
	case form.TooFew:
		few := fmt.Sprintf("%d of %s", w.Have, spanWanted(w))
		return []Piece{Fixed(in.notYet()), Nice(WhyNot(w, deed.Enter, p.Step, in), few)}
	case form.NothingYet:
		key := in.Key(deed.Text)
		return []Piece{Fixed(in.notYet() + "nothing marked"),
			Nice(Keyed(", ", key, " types your own words"), Keyed(", ", key, " types"), "")}
	}
	return []Piece{Nice(in.notYet(), ""), Fixed(WhyNot(p.WhyNot, deed.Enter, p.Step, in))}
}

// notYet begins the Enter line where Enter does nothing. The sign for Enter would read as an order to press it.
const notYet = "Enter not yet: "

func (in Speech) notYet() string {
	if in.Keyless {
		return "Not yet: "
	}
	return notYet
}

// confirms says which key confirms, as Enter does not.
func (in Speech) confirms(p form.Plan) []Piece {
	sends := Keyed("", in.Keys.KeyOf(keys.PlaceConfirm, deed.Confirm), " confirms “")
	if sends == "" {
		sends = "confirm “"
	}
	if unseen, ok := p.Has(form.PieceUnseenHere); ok {
		return []Piece{Fixed(Count(unseen.N, "line")), Fixed(" unread · " + sends),
			Named(p.Object), Fixed("”")}
	}
	return []Piece{Nice(in.notYet(), ""), Fixed(sends),
		Named(p.Object), Fixed("”")}
}

// tail returns the tail that a piece of the plan adds to the line; empty if the line itself says it.
func (in Speech) tail(p form.Plan, piece form.Piece, typing form.Field, agent string) Tail {
	switch piece.Kind {
	case form.PieceRoom:
		return Tail{Count(piece.N, unitOf(typing)) + " left", fmt.Sprintf("%d left", piece.N)}
	case form.PieceThenSend:
		return Tail{in.Enter + " again sends your words", in.Enter + " again sends", ""}
	case form.PieceWordsStay:
		return Tail{WordsStay(in.Face), "words unsent", "unsent"}
	case form.PieceNotesStay:
		return Tail{NotesStay(in.Face), "notes unsent"}
	case form.PieceUnseen:
		return Tail{Count(piece.N, "line") + " unread", fmt.Sprintf("%d unread", piece.N),
			fmt.Sprintf("%s%d", in.Down, piece.N)}
	case form.PieceCut:
		key := Keyed(" (", in.Key(keys.ActFull), ")")
		if in.Reading {
			key = ""
		}
		tail := Tail{"more to read" + key, "more" + key}
		if _, more := p.Has(form.PieceUnseen); more { // said already that there is more to read
			tail = append(tail, "")
		}
		return tail
	case form.PieceClockSends:
		return Tail{"at 0:00 sends " + piece.Text, "at 0:00 sends " + in.Cut(piece.Text, 2*leastName),
			"0:00 sends " + in.Cut(piece.Text, leastName)}
	case form.PieceClockEnds:
		return Tail{"at 0:00 no answer", "0:00 no answer", "0:00 none"}
	case form.PieceGone:
		return goneTail(p, agent)
	}
	return nil
}

func goneTail(p form.Plan, agent string) Tail {
	if p.Step == form.StepCancel { // the line says so
		return nil
	}
	if agent == anInterview {
		return Tail{GoneKept(agent, FaceScreen), disconnected(agent), "gone"}
	}
	return Tail{GoneKept(agent, FaceScreen), disconnected(agent) + "; answer kept " + joins(FaceScreen),
		disconnected(agent), "gone"}
}

// GoneKept says that the agent no longer waits for the answer, and who will get it.
func GoneKept(agent string, f Face) string {
	if agent == anInterview {
		return f.side(disconnected(agent)+"; it gets this answer when it goes on",
			Capital(disconnected(agent))+". When it goes on, it gets this answer.")
	}
	again := "; if it asks again within " + joins(f)
	return disconnected(agent) + again + f.side(" it gets this answer", ", it gets this answer.")
}

func disconnected(agent string) string {
	if agent == anInterview {
		return agent + " has stopped"
	}
	return agent + " disconnected"
}

// joins says how long an answer waits for an agent that asks the same again.
func joins(f Face) string {
	n := int(queue.JoinAnswerWithin.Minutes())
	return f.side(fmt.Sprintf("%d min", n), Count(n, "minute"))
}

// WordsStay says that the person's own words stay behind.
func WordsStay(f Face) string {
	return f.side("your words stay, unsent", "Your own words stay here, unsent: it is one or the other.")
}

// NotesStay says that the person's notes stay behind.
func NotesStay(f Face) string {
	return f.side("your notes stay, unsent: they are off", "Your notes stay here, unsent: they are off.")
}

// unitOf returns the unit in which a text is measured.
func unitOf(field form.Field) string {
	if _, bytes := field.Limit(); bytes {
		return "byte"
	}
	return "character"
}

// Face names the reader of the words. The same surface has different names depending on its neighbours, a screen has
// room for a few words behind a key, and lines are whole sentences that may be heard.
type Face int

// Faces.
const (
	faceHistory Face = iota // what happened, told later
	FaceScreen              // the person's own screen
	FaceCommand             // a command for scripts
	FaceLines               // the dashboard as lines
	FacePage                // the page in the browser
)

// side picks the words of a face where screen and lines need different ones.
func (f Face) side(screen, lines string) string {
	if f == FaceLines {
		return lines
	}
	return screen
}

// Sentence writes separate words as lines do: with a capital and a full stop.
func Sentence(words string) string { return FaceLines.sentence(words) }

// sentence returns the form in which a face writes a separate sentence.
func (f Face) sentence(words string) string {
	return f.side(words, Capital(words)+".")
}

// Capital begins words with a capital.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// NotesOn returns the notes on a question's options on one line; a note on an option that is not chosen names the
// option.
func NotesOn(q *form.Question) string {
	var notes []string
	for _, o := range q.Options {
		n := q.NoteOn(o.ID)
		switch {
		case queue.Blank(n):
		case q.Marked(o.ID):
			notes = append(notes, OneLine(n))
		default:
			notes = append(notes, "on "+OneLine(o.Label)+": "+OneLine(n))
		}
	}
	return strings.Join(notes, "; ")
}
