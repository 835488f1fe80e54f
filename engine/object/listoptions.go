package object

// ListOptions is what a client asks the API server for: metav1.ListOptions, as
// far as a reflector uses it.
type ListOptions struct {
	RV                RV    // resourceVersion
	Match             Match // resourceVersionMatch
	Limit             int64 // of objects in one page, 0 for none
	Continue          Sym   // the token of the page before, 0 for the first
	SendInitialEvents bool  // a watch: a streaming list
	Bookmarks         bool  // allowWatchBookmarks
	Timeout           int64 // nanoseconds, whole seconds; 0 for none
}

// Match is a resourceVersionMatch.
type Match uint8

const (
	AnyMatch Match = iota // not given
	NotOlderThan
	Exact
)

func (m Match) String() string { return [...]string{"", "NotOlderThan", "Exact"}[m] }
