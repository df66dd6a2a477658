package say

import "github.com/choicetui/choicetui/queue"

// CancelAgain says that one more Enter cancels the question and tells the agent; detail: it asks for more detail.
func CancelAgain(in Speech, agent string, detail bool) Line {
	if detail {
		return Line{Pieces: []Piece{Fixed(in.Enter + " again asks "), Named(agent), Fixed(" for more detail")}}
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " again cancels and tells "), Named(agent)}}
}

// SendAgain says that one more Enter sends a line to an agent.
func SendAgain(enter, text, agent string) Line {
	return Line{Pieces: []Piece{Fixed(enter + " again sends “"), Named(OneLine(text)), Fixed("” to " + OneLine(agent))}}
}

// StartDemo says what Enter does once the demo was asked for.
func StartDemo(enter string) Line {
	return Line{Pieces: []Piece{Fixed(enter + " starts the demo"),
		Nice(": an agent asks four questions, nothing is saved", ": nothing is saved", "")}}
}

// StartSetup says what Enter does once the person asked to connect agents, and that the same key does it too. digits
// are the keys that copy the line of one agent instead; empty: none do.
func StartSetup(enter, key, digits string) Line {
	l := Line{Pieces: []Piece{Fixed(enter), Nice(Keyed(" or ", key, ""), ""), Fixed(" runs choicetui setup")}}
	if digits == "" {
		return l.With(Nice(": it shows every change before it makes it", ": it asks first", ""))
	}
	return l.Behind(Tail(copiesLine(digits)))
}

// CopyLines says which keys copy the line of one agent, where nothing can be set up.
func CopyLines(digits string) Line {
	return Line{Pieces: []Piece{Nice(copiesLine(digits)...)}}
}

func copiesLine(digits string) []string {
	return []string{digits + " copies that agent's line", digits + " copies a line", digits + " copies"}
}

// ConnectFirst says that a key copies a line only behind the one that connects agents.
func ConnectFirst(connect, key string) string {
	return connect + " first, then " + key + " copies that line"
}

// HideOption says that one more Enter leaves an option out of all that an agent asks from now on. chosen: it is the
// answer as it stands, and stays so.
func HideOption(in Speech, o queue.Option, chosen bool, agent string) Line {
	l := Line{Pieces: []Piece{Fixed(in.Enter + " hides “"), Named(OneLine(o.Label)), Fixed("”"),
		Nice(" in all future questions of "+agent, " from now on")}}
	switch {
	case o.Recommended:
		l = l.Behind(Tail{"! it is recommended", "! recommended"})
	case chosen:
		l = l.Behind(Tail{"it stays chosen here", ""})
	}
	return l.Behind(in.leavesIt())
}
