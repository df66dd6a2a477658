package agent

// Variable describes environment variables of an agent that choicetui reads.
type Variable struct {
	Names string // with commas between them
	Means string
}
