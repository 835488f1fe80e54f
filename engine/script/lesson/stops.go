package lesson

// Looks reports whether a text begins as lessons do.
func Looks(text string) bool {
	return len(text) > len(opening) && text[:len(opening)] == opening
}

// opening is how every lesson begins.
const opening = "---\n"

// Stops returns where the reader stops: for each stop, the index of its first part.
// At one stop, the machine stands at one moment. A question ends its stop, because the
// parts after it would give the answer away. So does a solution, except that sources stay with it.
func (l *Lesson) Stops() []int {
	stops := []int{0}
	read := false // the stop has something to read
	for i := 1; i < len(l.Parts); i++ {
		before, p := &l.Parts[i-1], &l.Parts[i]
		if before.Kind != Script && before.Kind != Heading {
			read = true
		}
		begins := p.Kind == Script || p.Kind == Heading
		if read && (begins || p.At != before.At || before.Kind == Question || before.Kind == Solution && p.Kind != Source) {
			stops = append(stops, i)
			read = false
		}
	}
	return stops
}

// MomentOf returns the index of the Script at whose end the machine stands at stop k
// of stops, -1 before the first one.
func (l *Lesson) MomentOf(stops []int, k int) int {
	to := len(l.Parts)
	if k+1 < len(stops) {
		to = stops[k+1]
	}
	at := l.Parts[stops[k]].At
	for i := stops[k]; i < to; i++ {
		if at = l.Parts[i].At; l.Parts[i].Kind != Script && l.Parts[i].Kind != Heading {
			break
		}
	}
	return at
}

// LineAt is the text of line n of the file, if it stands in a block.
func (l *Lesson) LineAt(n int) string {
	for i := range l.Parts {
		for _, line := range l.Parts[i].Lines {
			if line.N == n {
				return line.Text
			}
		}
	}
	return ""
}
