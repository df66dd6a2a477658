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
	do     func(v verbs, n int)
}

func init() { // the functions use the table too, so it cannot be initialized at its declaration
	ownActions = map[action.Name]ownAction{
		action.Up:        {inLists, func(v verbs, _ int) { v.moveRow(-1) }},
		action.Down:      {inLists, func(v verbs, _ int) { v.moveRow(1) }},
		action.First:     {inLists, func(v verbs, _ int) { v.toRow(0) }},
		action.Last:      {inLists, func(v verbs, _ int) { v.toRow(len(v.waiting()) - 1) }},
		action.OpenOne:   {inLists, verbs.toNth},
		action.Enter:     {offQuestion, func(v verbs, _ int) { v.pressEnter() }},
		action.ChangeOne: {inRound, verbs.backToOne},
		action.UndoLast:  {notOnView, func(v verbs, _ int) { v.undoHeld() }},
		action.Cancel:    {[]action.Place{action.PlacePostponed}, func(v verbs, _ int) { v.cancelHeld() }},
		action.Copy:      {[]action.Place{action.PlaceOver}, func(v verbs, _ int) { v.copyTyped() }},
		action.Back: {slices.Concat(inPanel, offQuestion),
			func(v verbs, _ int) { v.goBack() }},
		action.Next:     {nil, func(v verbs, _ int) { v.stepBy(1) }},
		action.Previous: {nil, func(v verbs, _ int) { v.stepBy(-1) }},
		action.Settings: {opensPanel, func(v verbs, _ int) { v.showPanel(panelSettings) }},
		action.Chat:     {opensLine, func(v verbs, _ int) { v.openLine() }},
		action.Area:     {inComposer, func(v verbs, _ int) { v.nextAgent() }},
		action.TakeBack: {inComposer, func(v verbs, _ int) { v.takeLineBack() }},
		action.Peek:     {opensPanel, func(v verbs, _ int) { v.showBefore() }},
		action.Help:     {opensPanel, func(v verbs, _ int) { v.switchHelp() }},
	}
}

var (
	// inLists lists the places in which the page shows the list of questions.
	inLists = []action.Place{action.PlaceEmpty, action.PlaceQueue}
	// notOnView lists the places where the view does not have the page's question on view, or holds its answer back.
	notOnView  = []action.Place{action.PlaceEmpty, action.PlaceQueue, action.PlaceOver, action.PlacePostponed}
	inRound    = []action.Place{action.PlaceRound}
	inComposer = []action.Place{action.PlaceChat}
	opensLine  = append(slices.Clone(opensPanel), action.PlaceApproval)
	// offQuestion lists the places where no action reaches the question on view.
	offQuestion = append([]action.Place{action.PlaceRound, action.PlaceChat}, notOnView...)
	inPanel     = []action.Place{action.PlaceHelp, action.PlaceSettings, action.PlacePeek}
	opensPanel  = append(inPanel, append(slices.Clone(pagePlaces), action.PlaceEmpty, action.PlaceOver)...)
)

// has reports whether the page has an action in a place: as one of its own, or as one on the
// question on view.
func has(a action.Name, place action.Place) bool {
	if o, found := ownActions[a]; found && (slices.Contains(o.places, place) ||
		o.places == nil && !slices.Contains(slices.Concat(inPanel, inComposer), place)) {
		return true
	}
	return !action.Lacks(action.Page, a) && !slices.Contains(inPanel, place) && !slices.Contains(offQuestion, place)
}

// hasIn reports whether the page has an action in a place, and its link allows it.
func (v verbs) hasIn(a action.Name, place action.Place) bool {
	return has(a, place) && v.mayNot(a) == ""
}

// mayNot says why the person may not use an action on this page; empty: they may. Permission rules and settings affect
// other questions, so a paired device or a link for one question may not change them.
func (v verbs) mayNot(a action.Name) string {
	switch a {
	case action.Rule:
		if !v.grant.MaySettings() {
			return labels.NoRuleHere
		}
	case action.Chat:
		if !v.grant.MaySettings() {
			return labels.LinesHere
		}
	case action.Alike, action.AskTeam, action.Fetch, action.Defer, action.Wait, action.GoOn:
		if !v.grant.MayList() {
			return labels.OneQuestionHere
		}
	case action.Peek: // an agent may have been given the link
		if !v.grant.MayList() {
			return labels.BeforeNotHere
		}
	}
	return ""
}

// notHere returns the sentence why a key of the table does nothing on the page.
func (v verbs) notHere(a action.Name, key string) string {
	if words := v.mayNot(a); words != "" {
		return words
	}
	return key + " does nothing on this page, only in the terminal"
}

// keysOf returns the keys that the page takes from the browser in a place: those of the actions that it has there,
// except actions that it has only as buttons (onButtons). The keys for a new line are included, because the page's
// script types the new line itself.
func keysOf(m action.Map, place action.Place) (list []string) {
	for _, b := range m {
		for _, key := range b.Keys {
			if found := m.Lookup(place, key); key != "" && found != nil && found.Name == b.Name {
				onButton := place == action.PlaceChat && slices.Contains(onButtons, b.Name)
				if has(b.Name, place) && !onButton || b.Name == action.NewLine {
					list = append(list, key)
				}
			}
		}
	}
	return list
}

// onButtons lists the actions that the bar of a line to an agent has only as buttons, because the browser uses their
// keys itself.
var onButtons = []action.Name{action.Area, action.TakeBack}

// moveRow moves the cursor of the list.
func (v verbs) moveRow(n int) {
	at := slices.IndexFunc(v.waiting(), func(w queue.Waiting) bool { return w.ID == v.row })
	if at < 0 && n < 0 {
		at = 0
	}
	v.toRow(at + n)
}

// toRow moves the cursor of the list to a row.
func (v verbs) toRow(at int) {
	if list := v.waiting(); len(list) > 0 {
		v.row = list[min(max(at, 0), len(list)-1)].ID
	}
}

// toNth moves the cursor of the list to the n-th question, which Enter then opens.
func (v verbs) toNth(n int) {
	list := v.waiting()
	if n < 1 || n > len(list) {
		v.notice = say.NoSuchQuestion(n)
		return
	}
	v.row = list[n-1].ID
}

// pressEnter carries out Enter where the page itself does so: it sends the line to an agent, the similar approvals or
// the answer that is held back, or opens a row of the list.
func (v verbs) pressEnter() {
	switch {
	case v.writing():
		v.notice = say.LineRefused(v.chat, v.chat.Send())
	case v.place() == action.PlaceRound:
		v.sendRound()
	case v.id == "":
		v.pick(choicePath + v.row)
	case v.held() != nil:
		v.view.SendNow()
	case !v.session().Pending():
		v.notice = say.NothingHere(v.all.keys, v.place(), action.Written("enter"), enterName, v.view)
	}
}

// undoHeld takes back the answer that is held back. This works even if another question is on view.
func (v verbs) undoHeld() {
	if v.held() != nil && v.view.TakeBack() {
		v.notice = frontend(v).Words(action.Message{Err: action.TakenBack})
		return
	}
	v.notice = frontend(v).Words(action.Message{Err: action.NothingToTakeBack})
}

// cancelHeld takes back the answer that is held back, and opens the field for cancelling the question.
func (v verbs) cancelHeld() {
	if v.held() != nil && v.view.TakeBack() {
		v.board.Focus(action.Cancel, action.Arg{}, v.all.d.Now())
	}
}

// copyTyped copies the text that the person typed into a question that has ended.
func (v verbs) copyTyped() {
	f := v.view.FormOf(v.id)
	if f == nil || len(f.Typed()) == 0 {
		v.notice = frontend(v).Words(action.Message{Err: action.NothingToCopy})
		return
	}
	v.copyText(strings.Join(f.Typed(), "\n\n"))
}

// goBack closes a panel or the line to an agent, ends looking through similar approvals, or leaves a question that has
// ended.
func (v verbs) goBack() {
	switch {
	case v.panel != "":
		v.panel, v.before = "", beforeView{}
	case v.writing():
		v.chat.Close()
	case v.place() == action.PlaceRound:
		v.view.Round.Leave()
		v.notice = say.RoundLeft
	case v.id != "" && v.held() == nil:
		v.pick("/")
	}
}

// stepBy goes to the next question of the queue, or the previous one.
func (v verbs) stepBy(n int) {
	list := v.waiting()
	at := slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == v.id })
	if at < 0 && n > 0 {
		n, at = 0, 0 // the question on the page is over: start at the top
	}
	if at += n; at < 0 || at >= len(list) {
		words, tail := say.NoStep(n, len(list), len(list), "")
		if words == "" && len(tail) > 0 {
			words = tail[0]
		}
		v.notice = words
		return
	}
	v.pick(choicePath + list[at].ID)
}

// switchHelp opens the list of keys, or closes it if it is open.
func (v verbs) switchHelp() {
	if v.panel == panelHelp {
		v.goBack()
		return
	}
	v.showPanel(panelHelp)
}

// showPanel shows the settings or the keys in front of the page.
func (v verbs) showPanel(panel string) {
	if panel == panelSettings && !v.grant.MaySettings() {
		v.notice = labels.NoSettingsHere
		return
	}
	texts(v).closeField()
	v.panel = panel
}
