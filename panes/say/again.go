package say

// CancelAgain says that one more Enter cancels the question and tells the agent.
func CancelAgain(in Speech, agent string) Line {
	return Line{Pieces: []Piece{Fixed(in.Enter + " again cancels and tells "), Named(agent)}}
}

// SendAgain says that one more Enter sends a line to an agent.
func SendAgain(enter, text, agent string) Line {
	return Line{Pieces: []Piece{Fixed(enter + " again sends “"), Named(OneLine(text)), Fixed("” to " + OneLine(agent))}}
}
