package storetest

// Rounds is how often a test does by chance what it would do n times: with the race detector, where each step takes ten
// times as long, a third of that. What the detector looks for is in the first rounds as much as in the last.
func Rounds(n int) int {
	if raceDetector {
		return max(n/3, 1)
	}
	return n
}
