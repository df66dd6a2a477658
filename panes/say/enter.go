package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Speech holds what differs between the frontends, which are the full screen, the plain mode of lines and the page in
// the browser: the keys or, in lines, the commands; the sign for Enter; and how a name is cut.
type Speech struct {
	Frontend Frontend
	Command  func(action.Name) string // only for lines: returns the command that is typed for an action
	Wanted   string                   // only for lines: how many options the question on view takes
	// AsksTeam reports that the team can be asked about the question on view. Only lines mention it.
	AsksTeam bool
	Untold   bool // the team that was asked is not told of an answer

	Keys  action.Map
	Enter string // the sign or name of Enter
	Down  string // the sign for lines below the screen
	Cut   func(text string, cells int) string
	// NextAgent is the label of the page's button that picks the next agent; other frontends have a key for it.
	NextAgent string

	// Keyless reports that the person has only buttons. Keys is empty then, and Enter names the button for it.
	Keyless bool
	Reading bool // only the question's text is on screen, so no key for showing more of it is named
}

// Key returns the key for an action on a question, or in lines the command.
func (in Speech) Key(a action.Name) string {
	if in.Frontend == InLines {
		return in.Command(a)
	}
	return in.Keys.KeyOf(action.PlaceQuestion, a)
}

// leastName is the least width of a name in a line, in cells.
const leastName = 8

// Enter describes the effect of Enter by the plan, or why it has none, with the warnings behind it that a person should
// read first. typing is the field that takes the keys, and agent the receiver of the answer; see Who.
func Enter(p form.Plan, typing form.Field, agent string, in Speech) Line {
	l := Line{Pieces: in.effectPieces(p, typing, agent),
		Sends: p.Step == form.StepSend || p.Step == form.StepConfirm || p.Step == form.StepCancel}
	l.Leads = p.Step == form.StepType || p.Step == form.StepTake || p.Step == form.StepOpen || p.Step == form.StepEnd
	for _, piece := range p.Pieces {
		l = l.Behind(in.tailOf(p, piece, typing, agent))
	}
	return l
}

// effectPieces returns the pieces that say what Enter does by the plan, or why it does nothing.
func (in Speech) effectPieces(p form.Plan, typing form.Field, agent string) []Piece {
	switch p.Step {
	case form.StepNothing:
		return in.whyNothing(p)
	case form.StepType:
		return []Piece{Fixed(in.leads("type your answer"))}
	case form.StepArm:
		switch {
		case typing.Ends() && in.Keyless:
			return []Piece{Fixed("twice: cancel and tell "), Named(agent)}
		case typing.Ends():
			return []Piece{Fixed(in.Enter + " " + in.Enter + " cancel and tell "), Named(agent)}
		}
		return []Piece{Fixed(in.Enter + " twice sends with nothing marked")}
	case form.StepEnd:
		return in.typingEnds(p, typing)
	case form.StepCancel:
		if typing == form.FieldDetail {
			return in.wantsDetail(p, agent)
		}
		if _, gone := p.Has(form.PieceGone); gone {
			return []Piece{Fixed(in.Enter + " " + in.verb("cancel; ")), Named(agent), Fixed(" disconnected")}
		}
		does := "cancel and tell "
		if _, untold := p.Has(form.PieceUntold); untold {
			does = "leave it to "
		} else if _, refuses := p.Has(form.PieceRefuses); refuses {
			does = "refuse and tell "
		}
		return []Piece{Fixed(in.Enter + " " + in.verb(does)), Named(agent)}
	case form.StepTake:
		if _, nothing := p.Has(form.PieceNothing); in.Frontend == OnScreen && !nothing {
			return in.leadsTo(p)
		}
	case form.StepOpen:
		open, _ := p.Has(form.PieceMissing)
		return []Piece{Fixed(in.leads("next: ")), Named(p.Object), Fixed(fmt.Sprintf(" · %d", open.N)),
			Nice(" not answered yet", " open")}
	}
	return append(in.sendPieces(p), in.nextStep(p)...)
}

// TypesAnswer invites the person to type an answer that is only words, and says what Enter then does. once: one Enter
// does it. several: the question is one of several.
func TypesAnswer(once, several bool, in Speech) Line {
	does := in.EnterName()
	if !once {
		does += " twice"
	}
	if does += " sends it"; several {
		does = strings.TrimSuffix(does, "sends it") + "takes it"
	}
	return Line{Pieces: []Piece{Fixed("Type your answer"), Nice("; "+does, "")}, Leads: true}
}

// verb returns the words that begin with what Enter does. On a screen they are the label of a button.
func (in Speech) verb(words string) string {
	if in.Frontend == OnScreen {
		return Capital(words)
	}
	return words
}

// leads returns the words for an Enter that sends nothing. On a screen they have no sign for Enter, because only the
// button that sends has that.
func (in Speech) leads(words string) string {
	if in.Frontend == OnScreen {
		return Capital(words)
	}
	return in.Enter + " " + words
}

// leadsTo names, on a screen, what follows when Enter takes the answer to one of several questions. It does not name
// the answer, because the options show it.
func (in Speech) leadsTo(p form.Plan) []Piece {
	if next, ok := p.Has(form.PieceNext); ok {
		return []Piece{Fixed(in.leads("next: ")), Named(next.Text)}
	}
	return []Piece{Fixed(in.leads("next: ") + "review")}
}

// typingEnds describes the Enter that closes a text field.
func (in Speech) typingEnds(p form.Plan, typing form.Field) []Piece {
	if found, ok := p.Has(form.PieceMatches); ok {
		return []Piece{Fixed(fmt.Sprintf("%s · %d of %d match", in.done(p), found.N, found.Of))}
	}
	if long, ok := p.Has(form.PieceTooLong); ok {
		over := fmt.Sprintf("%s · %s too many", in.done(p), Count(long.N, unitOf(typing)))
		return []Piece{Fixed(over), Nice(fmt.Sprintf(" (at most %d)", long.Of), "")}
	}
	return []Piece{Fixed(in.done(p))}
}

// done returns the words for the Enter that closes a text field.
func (in Speech) done(p form.Plan) string {
	if in.Frontend != OnScreen {
		return in.leads("finish typing")
	}
	return "Done typing"
}

// sendPieces describes the answer that Enter sends: `send 2: POST /checkout, POST /login + note`.
func (in Speech) sendPieces(p form.Plan) []Piece {
	verb := in.Enter + " "
	_, several := p.Has(form.PieceAnswers)
	switch {
	case in.Frontend == OnScreen && p.Decides && !several: // the option is a verb
	case p.Step == form.StepConfirm && in.Frontend == OnScreen && p.Object != "" && !several:
		verb += "Pick "
	case p.Step == form.StepSend || p.Step == form.StepConfirm && in.Frontend == OnScreen:
		verb += in.verb("send ")
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
	if _, earlier := p.Has(form.PieceBefore); earlier {
		return append([]Piece{Fixed(verb + p.Object)}, earlierAnswers(p)...)
	}
	pieces := []Piece{Fixed(verb), Named(p.Object)}
	if p.Object == "" && len(added) > 0 {
		pieces, added = in.textAlone(verb, p, added[0]), added[1:]
	}
	if len(added) == 0 {
		return pieces
	}
	forms := append(withQuotedNote(p, added),
		" + "+strings.Join(added, " + "), " + "+strings.Join(shorterTexts(added), ", "))
	if len(added) > 1 {
		forms = append(forms, fmt.Sprintf(" +%d texts", len(added)))
	}
	return append(pieces, Piece{Forms: forms, Nice: true})
}

// earlierAnswers names the answers that are sent with the one on view.
func earlierAnswers(p form.Plan) (pieces []Piece) {
	for _, piece := range p.Pieces {
		if piece.Kind != form.PieceBefore {
			continue
		}
		before := " · "
		if piece.N > 1 {
			before += fmt.Sprintf("%d: ", piece.N)
		}
		pieces = append(pieces, Fixed(before), Named(piece.Text))
	}
	return pieces
}

// textAlone describes sending a text that is the whole answer: name, or on a screen the person's own words themselves.
func (in Speech) textAlone(verb string, p form.Plan, name string) []Piece {
	words, _ := p.Has(form.PieceWords)
	if in.Frontend != OnScreen || words.Text == "" {
		return []Piece{Fixed(verb + name)}
	}
	return []Piece{Fixed(verb + "“"), Named(words.Text), Fixed("”")}
}

// withQuotedNote returns the additions with the words of the only note among them, longest form first. It returns nil
// unless there is exactly one note.
func withQuotedNote(p form.Plan, added []string) (forms []string) {
	piece, ok := p.Has(form.PieceNotes)
	at := slices.Index(added, countNotes(1))
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

const yourText = "your text"

// addedTexts lists the texts that are sent together with the marked options.
func addedTexts(p form.Plan) (list []string) {
	for _, piece := range p.Pieces {
		switch {
		case piece.Kind == form.PieceWords:
			list = append(list, yourText)
		case piece.Kind == form.PieceNotes:
			list = append(list, countNotes(piece.N))
		case piece.Kind == form.PieceComment:
			list = append(list, "comment")
		}
	}
	return list
}

// countNotes counts the notes that are sent; a single note needs no number.
func countNotes(n int) string {
	if n == 1 {
		return "note"
	}
	return Count(n, "note")
}

// shorterTexts returns the names of the texts with the first one shortened.
func shorterTexts(added []string) []string {
	if added[0] != yourText {
		return added
	}
	return append([]string{"text"}, added[1:]...)
}

// nextStep names the step that follows Enter.
func (in Speech) nextStep(p form.Plan) (pieces []Piece) {
	for _, piece := range p.Pieces {
		switch piece.Kind {
		case form.PieceNext:
			const on = ", next: "
			pieces = append(pieces, Nice(on+piece.Text, on+in.Cut(piece.Text, leastName), ", next"))
		case form.PieceReview:
			pieces = append(pieces, Nice(", next: review", ", review"))
		case form.PieceThenConfirm:
			pieces = append(pieces, Nice(", then confirm", ", confirm"))
		case form.PieceCloses:
			pieces = append(pieces, Nice(" and close", ""))
		}
	}
	return pieces
}

// whyNothing explains why Enter does nothing.
func (in Speech) whyNothing(p form.Plan) []Piece {
	switch w := p.WhyNot; w.Reason {
	case form.ConfirmationWaits:
		return in.confirmPieces(p)
	case form.NothingMarked:
		if in.Frontend == OnScreen && !in.Keyless { // the keys stand behind it
			return []Piece{Fixed("Choose:")}
		}
		return []Piece{Fixed("Choose an option")}
	case form.NothingMatches:
		back := in.Key(action.Back)
		if back == "" {
			return []Piece{Fixed("nothing matches")}
		}
		return []Piece{Fixed("nothing matches: " + back), Nice(" shows all options", " shows all")}
	case form.TooFew:
		return []Piece{Fixed(notYet), Nice(WhyNot(w, action.Enter, p.Step, in), "mark "+spanWanted(w))}
	case form.NothingTyped:
		return []Piece{Fixed("Type your answer")}
	case form.NothingYet:
		key := in.Key(action.Text)
		return []Piece{Fixed("Nothing marked yet"),
			Nice(Keyed("; ", key, " types an answer"), Keyed("; ", key, " types"), "")}
	}
	return []Piece{Nice(notYet, ""), Fixed(WhyNot(p.WhyNot, action.Enter, p.Step, in))}
}

// notYet begins the Enter line while Enter does nothing. The sign for Enter would read as an order to press it.
const notYet = "Not yet: "

// confirmPieces names the key that confirms, because Enter does not confirm.
func (in Speech) confirmPieces(p form.Plan) []Piece {
	key := in.Keys.KeyOf(action.PlaceConfirm, action.Confirm)
	before, does := Nice("Press ", ""), key+" to confirm “"
	if _, allows := p.Has(form.PieceAllows); allows {
		before, does = Fixed("Press "), key+" again to allow “"
	}
	if key == "" {
		before, does = Nice(notYet, ""), "confirm “"
	}
	if unseen, ok := p.Has(form.PieceUnseenHere); ok {
		before = Fixed(Count(unseen.N, "line") + " unread · ")
		does = strings.Replace(does, " to confirm", " confirms", 1)
	}
	return []Piece{before, Fixed(does), Named(p.Object), Fixed("”")}
}

// tailOf returns the words that a piece of the plan adds behind the line. It is empty if the line itself says it.
func (in Speech) tailOf(p form.Plan, piece form.Piece, typing form.Field, agent string) Tail {
	switch piece.Kind {
	case form.PieceRoom:
		return Tail{Count(piece.N, unitOf(typing)) + " left", fmt.Sprintf("%d left", piece.N)}
	case form.PieceWordsStay:
		return Tail{"your text stays, unsent", "text unsent", "unsent"}
	case form.PieceNotesStay:
		return Tail{"your notes are not sent (notes are off)", "notes unsent"}
	case form.PieceUnseen:
		return Tail{Count(piece.N, "line") + " unread", fmt.Sprintf("%d unread", piece.N),
			fmt.Sprintf("%s%d", in.Down, piece.N)}
	case form.PieceCut:
		key := Keyed(" (", in.Key(action.Full), ")")
		if in.Reading {
			key = ""
		}
		tail := Tail{"more to read" + key, "more" + key}
		if _, more := p.Has(form.PieceUnseen); more { // the tail for it already tells of more to read
			tail = append(tail, "")
		}
		return tail
	case form.PieceClockSends:
		return Tail{"at 0:00 sends " + piece.Text, "at 0:00 sends " + in.Cut(piece.Text, 2*leastName),
			"0:00 sends " + in.Cut(piece.Text, leastName)}
	case form.PieceClockEnds:
		return Tail{"expires at 0:00", "0:00 expires", "0:00 ends"}
	case form.PieceGone:
		return goneTail(p, agent)
	}
	return nil
}

// goneTail warns that the agent does not wait any more, and says whether it still gets the answer.
func goneTail(p form.Plan, agent string) Tail {
	if p.Step == form.StepCancel { // the line itself tells it
		return nil
	}
	if agent == anInterview {
		return Tail{GoneKept(agent, OnScreen), disconnected(agent), "gone"}
	}
	return Tail{GoneKept(agent, OnScreen), disconnected(agent) + "; answer kept " + joinTime(OnScreen),
		disconnected(agent), "gone"}
}

// GoneKept tells that the agent no longer waits for the answer, and under which condition it still gets it.
func GoneKept(agent string, f Frontend) string {
	if agent == anInterview {
		return f.screenOrLines(disconnected(agent)+"; it gets this answer when it continues",
			Capital(disconnected(agent))+". It gets this answer when it continues.")
	}
	again := "; if it asks again within " + joinTime(f)
	return disconnected(agent) + again + f.screenOrLines(" it gets this answer", ", it gets this answer.")
}

// disconnected says that an agent, or an interview, does not wait any more.
func disconnected(agent string) string {
	if agent == anInterview {
		return agent + " has stopped"
	}
	return agent + " disconnected"
}

// joinTime returns how long an answer is kept for an agent that asks the same again.
func joinTime(f Frontend) string {
	n := int(queue.JoinAnswerWithin.Minutes())
	return f.screenOrLines(fmt.Sprintf("%d min", n), Count(n, "minute"))
}

// unitOf returns the unit in which a text is measured.
func unitOf(field form.Field) string {
	if _, bytes := field.Limit(); bytes {
		return "byte"
	}
	return "character"
}

// Frontend is the place at which words are shown. A place of origin is named from the point of view of the frontend. A
// screen has room for a few words behind a key; the plain mode writes whole lines, which a screen reader may read out.
type Frontend int

// Frontends.
const (
	frontendHistory Frontend = iota // the history, written after the event
	OnScreen                        // the person's own screen
	OnCommand                       // the output of a command
	InLines                         // choicetui --plain: the dashboard as lines
	OnPage                          // the page in the browser
)

// screenOrLines returns the words for a frontend: lines for the plain mode, screen for every other frontend.
func (f Frontend) screenOrLines(screen, lines string) string {
	if f == InLines {
		return lines
	}
	return screen
}

// Sentence writes words as a sentence, for lines: with a capital and a full stop.
func Sentence(words string) string { return InLines.sentence(words) }

// sentence writes a message in the way of the frontend: as a sentence in lines, unchanged on other frontends.
func (f Frontend) sentence(words string) string {
	return f.screenOrLines(words, Capital(words)+".")
}

// Capital returns words with a capital first letter.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// NotesOn joins the notes on a question's options on one line. A note names its option unless that option is chosen.
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

// Line holds the words of the Enter line, which says what the next Enter does: pieces in a row, and additions behind
// them, called tails. If there is no room for all, pieces and tails are shortened; see ink.Fit.
type Line struct {
	Pieces []Piece
	Tails  []Tail // most important first
	Sends  bool   // the next Enter sends an answer or a cancel: a screen draws the line as a button
	Leads  bool   // the next Enter sends nothing and leads on: a screen draws the line bold, without the sign for Enter
	Beside string // words beside the button that are never shortened; may be empty
	Asks   Piece  // a question before the button, longest form first; without forms there is none
}

// Piece is a part of a line. A piece with one form has fixed words.
type Piece struct {
	Forms []string // longest first; a piece whose last form is empty may be left out
	Least int      // the least cells to which the piece is cut with …; 0 if it is never cut
	Nice  bool     // the piece is shortened before any tail

	// Instead replaces the piece if its Forms do not fit uncut, longest first; empty if the piece may be cut.
	Instead []string
}

// Tail holds the forms of an addition behind a line, longest first. A tail whose last form is empty may be left out;
// any other tail is a warning and stays, in its last form if need be.
type Tail []string

// Words returns a line of words that are never shortened.
func Words(words string) Line { return Line{Pieces: []Piece{Fixed(words)}} }

// Fixed returns words that are never shortened.
func Fixed(words string) Piece { return Piece{Forms: []string{words}} }

// Named returns a piece for a name or label, which is cut to a few cells if there is little room.
func Named(name string) Piece { return Piece{Forms: []string{name}, Least: 8} }

// wholeName returns a piece for a name that must not be cut. Everything else is shortened first. If that is not enough,
// one of the texts of instead replaces the name.
func wholeName(name string, instead ...string) Piece {
	return Piece{Forms: []string{name}, Least: 8, Instead: instead}
}

// Nice returns a piece of words that are nice to know: it is shortened before any warning, longest form first.
func Nice(forms ...string) Piece { return Piece{Forms: forms, Nice: true} }

// With adds pieces to a line.
func (l Line) With(pieces ...Piece) Line {
	l.Pieces = append(l.Pieces[:len(l.Pieces):len(l.Pieces)], pieces...)
	return l
}

// Behind adds tails to a line and skips empty ones.
func (l Line) Behind(tails ...Tail) Line {
	l.Tails = l.Tails[:len(l.Tails):len(l.Tails)]
	for _, t := range tails {
		if len(t) > 0 && t[0] != "" {
			l.Tails = append(l.Tails, t)
		}
	}
	return l
}

// Blank reports whether the line has no words.
func (l Line) Blank() bool {
	for _, p := range l.Pieces {
		if p.Forms[0] != "" {
			return false
		}
	}
	return len(l.Tails) == 0 && len(l.Asks.Forms) == 0
}

// In returns the line as text with every part in its longest form, for a frontend that has room for that.
func (l Line) In(dot string) string {
	words := ""
	if len(l.Asks.Forms) > 0 {
		words = l.Asks.Forms[0]
	}
	for _, p := range l.Pieces {
		words += p.Forms[0]
	}
	for _, t := range l.Tails {
		words += " " + dot + " " + t[0]
	}
	return words
}
