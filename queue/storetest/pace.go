package storetest

// Rounds returns how often a test repeats a step that depends on chance: n times, or a third of that with the race
// detector, where each step takes ten times as long. The detector finds as much in the first rounds as in the last.
func Rounds(n int) int {
	if raceDetector {
		return max(n/3, 1)
	}
	return n
}
