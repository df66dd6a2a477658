// Package portal is the web face of the desk: a page in a browser is a seat.
//
//	browser ─► door: may it in, and what may it do? ─► Pages.Live ─► page ─ verbs ─► the seat's form, the desk
//	   ▲                                                             │
//	   └──── parts of the page as HTML, texts, times, keys ◄─ view ──┘
//
// The page sends the person's input, a key or a click or a text; the form of queue/form turns it into a new state, and
// the page is drawn here from that, in the words of panes/say. JavaScript contains no rule of an answer.
package portal
