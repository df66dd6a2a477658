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

// StartSetup says what Enter does once the person asked to have the agents connected.
func StartSetup(enter string) Line {
	return Line{Pieces: []Piece{Fixed(enter + " runs choicetui setup"),
		Nice(": it shows every change before it makes it", ": it asks first", "")}}
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
