package link

// Log is what the recorded process logged near the step shown. It comes before the frame of the step, where another
// entry is the last one by then, and never for a trace without a log.
type Log struct {
	Entries []Logged `json:"entries"`
	From    int      `json:"from,omitempty"` // the number of the first of Entries
	Total   int      `json:"total"`          // how many there are in the trace
	By      int      `json:"by,omitempty"`   // how many of them came before the step after the one shown
	Laid    bool     `json:"laid,omitempty"` // the viewer has just laid it over what was open
}

// Logged is an entry of a log.
type Logged struct {
	Time  int64  `json:"time"`  // nanoseconds since the trace's start
	Level string `json:"level"` // a trace.Level
	Text  string `json:"text"`  // may have several lines
}
