package portal

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// ownActions lists the actions that the page carries out itself. They move between questions and panels, or are about a
// question that is no longer on view. The keyboard of package action carries out all other actions.
var ownActions map[action.Name]ownAction

// ownAction is an action that the page carries out itself, with the places of the key table in which the page has it.
// nil: everywhere except in panels and in the line to an agent.
type ownAction struct {
	places []action.Place
	do     func(p *page, n int)
}

func init() { // the functions use the table too, so it cannot be initialized at its declaration
	ownActions = map[action.Name]ownAction{
		action.Up:       {inLists, func(p *page, _ int) { p.moveRow(-1) }},
		action.Down:     {inLists, func(p *page, _ int) { p.moveRow(1) }},
		action.First:    {inLists, func(p *page, _ int) { p.toRow(0) }},
		action.Last:     {inLists, func(p *page, _ int) { p.toRow(len(p.waiting()) - 1) }},
		action.OpenOne:  {inLists, (*page).toNth},
		action.Enter:    {offQuestion, func(p *page, _ int) { p.pressEnter() }},
		action.UndoLast: {notOnView, func(p *page, _ int) { p.undoHeld() }},
		action.Cancel:   {[]action.Place{action.PlacePostponed}, func(p *page, _ int) { p.cancelHeld() }},
		action.Copy:     {[]action.Place{action.PlaceOver}, func(p *page, _ int) { p.copyTyped() }},
		action.Back:     {slices.Concat(inPanel, offQuestion), func(p *page, _ int) { p.goBack() }},
		action.Next:     {nil, func(p *page, _ int) { p.stepBy(1) }},
		action.Previous: {nil, func(p *page, _ int) { p.stepBy(-1) }},
		action.Settings: {opensPanel, func(p *page, _ int) { p.showPanel(panelSettings) }},
		action.Chat:     {opensPanel, func(p *page, _ int) { p.openLine() }},
		action.Area:     {inComposer, func(p *page, _ int) { p.nextAgent() }},
		action.TakeBack: {inComposer, func(p *page, _ int) { p.takeLineBack() }},
		action.Peek:     {opensPanel, func(p *page, _ int) { p.showBefore() }},
		action.Help:     {opensPanel, func(p *page, _ int) { p.switchHelp() }},
	}
}

var (
	// inLists lists the places in which the page shows the list of questions.
	inLists = []action.Place{action.PlaceEmpty, action.PlaceQueue}
	// notOnView lists the places where the view does not have the page's question on view, or holds its answer back.
	notOnView  = []action.Place{action.PlaceEmpty, action.PlaceQueue, action.PlaceOver, action.PlacePostponed}
	inComposer = []action.Place{action.PlaceChat}
	// offQuestion lists the places where no action reaches the question on view.
	offQuestion = append([]action.Place{action.PlaceChat}, notOnView...)
	inPanel     = []action.Place{action.PlaceHelp, action.PlaceSettings, action.PlacePeek}
	opensPanel  = append(inPanel, append(slices.Clone(pagePlaces), action.PlaceEmpty, action.PlaceOver)...)
)

// has reports whether the page has an action in a place: as one of its own, or as one on the question on view.
func has(a action.Name, place action.Place) bool {
	if o, found := ownActions[a]; found && (slices.Contains(o.places, place) ||
		o.places == nil && !slices.Contains(slices.Concat(inPanel, inComposer), place)) {
		return true
	}
	return !action.Lacks(action.Page, a) && !slices.Contains(inPanel, place) && !slices.Contains(offQuestion, place)
}

// hasIn reports whether the page has an action in a place, and its link allows it.
func (p *page) hasIn(a action.Name, place action.Place) bool {
	return has(a, place) && p.mayNot(a) == ""
}

// notHere returns the sentence why a key of the table does nothing on the page.
func (p *page) notHere(a action.Name, key string) string {
	if words := p.mayNot(a); words != "" {
		return words
	}
	return key + " does nothing on this page, only in the terminal"
}

// moveRow moves the cursor of the list.
func (p *page) moveRow(n int) {
	at := slices.IndexFunc(p.waiting(), func(w queue.Waiting) bool { return w.ID == p.row })
	if at < 0 && n < 0 {
		at = 0
	}
	p.toRow(at + n)
}

// toRow moves the cursor of the list to a row.
func (p *page) toRow(at int) {
	if list := p.waiting(); len(list) > 0 {
		p.row = list[min(max(at, 0), len(list)-1)].ID
	}
}

// toNth moves the cursor of the list to the n-th question, which Enter then opens.
func (p *page) toNth(n int) {
	list := p.waiting()
	if n < 1 || n > len(list) {
		p.message = say.NoSuchQuestion(n)
		return
	}
	p.row = list[n-1].ID
}

// pressEnter carries out Enter where the page itself does so: it sends the line to an agent or the
// answer that is held back, or opens a row of the list.
func (p *page) pressEnter() {
	switch {
	case p.writing():
		p.message = say.LineRefused(p.chat, p.chat.Send())
	case p.id == "":
		p.pick(choicePath + p.row)
	case p.held() != nil:
		p.view.SendNow()
	case p.session().Pending():
	default:
		if why := action.MayLeaveOver(p.session(), p.form(), p.pages.desk.Now()); !why.OK() {
			p.message = p.Words(why)
			return
		}
		p.goBack()
	}
}

// undoHeld takes back the answer that is held back. This works even if another question is on view.
func (p *page) undoHeld() {
	if p.held() != nil && p.view.TakeBack() {
		p.message = p.Words(action.Message{Err: action.TakenBack})
		return
	}
	p.message = p.Words(action.Message{Err: action.NothingToTakeBack})
}

// cancelHeld takes back the answer that is held back, and opens the field for cancelling the question.
func (p *page) cancelHeld() {
	if p.held() != nil && p.view.TakeBack() {
		p.board.Focus(action.Cancel, action.Arg{}, p.pages.desk.Now())
	}
}

// copyTyped copies the text that the person typed into a question that has ended.
func (p *page) copyTyped() {
	f := p.view.FormOf(p.id)
	if f == nil || len(f.Typed()) == 0 {
		p.message = p.Words(action.Message{Err: action.NothingToCopy})
		return
	}
	p.copyText(strings.Join(f.Typed(), "\n\n"))
}

// goBack closes a panel or the line to an agent, or leaves a question that has ended.
func (p *page) goBack() {
	switch {
	case p.panel != "":
		p.panel = ""
	case p.writing():
		p.chat.Close()
	case p.id != "" && p.held() == nil:
		p.pick("/")
	}
}

// stepBy goes to the next question of the queue, or the previous one. After the last one comes the first.
func (p *page) stepBy(n int) {
	list := p.waiting()
	at := slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == p.id })
	if at < 0 { // the question on the page is over: start at the top, or at the end
		n, at = min(n, 0), 0
	}
	if len(list) == 0 || len(list) == 1 && list[0].ID == p.id {
		p.message = say.NoStep(len(list), "")
		return
	}
	p.pick(choicePath + list[(at+n+len(list))%len(list)].ID)
}

// switchHelp opens the list of keys, or closes it if it is open.
func (p *page) switchHelp() {
	if p.panel == panelHelp {
		p.goBack()
		return
	}
	p.showPanel(panelHelp)
}

// showPanel shows the settings or the keys in front of the page.
func (p *page) showPanel(panel string) {
	if panel == panelSettings && !p.web.MaySettings() {
		p.message = wordsNoSettingsHere
		return
	}
	p.closeField()
	p.panel = panel
}

// pagePlaces lists the places of a page in which keys are looked up.
var pagePlaces = []action.Place{action.PlaceQuestion, action.PlaceApproval, action.PlaceReview, action.PlaceConfirm,
	action.PlaceTyping, action.PlaceReason, action.PlacePostponed, action.PlaceQueue, action.PlaceBatch,
	action.PlaceChat}
