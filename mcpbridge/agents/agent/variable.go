package agent

// Variable describes environment variables of an agent.
type Variable struct {
	Names string // with commas between them
	Means string
}
