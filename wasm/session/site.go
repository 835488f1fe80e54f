package session

// Site is where the page came from.
type Site struct {
	// Embedded: the page is in a frame of another page. It opens no files of the viewer's, saves
	// none, and knows no cluster.
	Embedded bool
	Offline  Offline
	Version  Version
	URL      string // the page's address without the fragment
	Unkept   bool   // the browser keeps no settings
	Noticed  bool   // the viewer has closed the notice that says so
	Lost     bool   // the browser would not bring the viewer back to what is shown
}

// Offline is how far the browser keeps the page's own files.
type Offline struct {
	State string // "" while that isn't known, "keeping", "kept" or "unable"
	Bytes int64  // of all these files
}

// Version is which version of the page runs, and which one its server has.
type Version struct {
	Own, Served string // names of their folders, which are hashes of all files
	Release     string // what people call the one that is served: a tag or a commit, "" where nobody knows
	Program     string // the version of the informerscope that serves the page, "" unless it is another one
	Noticed     bool   // the viewer has closed the notice about it
}

// Newer reports whether the server has another version than the one that runs.
func (v *Version) Newer() bool { return v.Served != v.Own }

// versioned takes in what the server has.
func (s *Site) versioned(v Version) {
	v.Noticed = s.Version.Noticed && s.Version.Served == v.Served
	s.Version = v
}
