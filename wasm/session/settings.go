package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Settings are what the viewer or the system has chosen for every page.
type Settings struct {
	Lang          string            // the Code of a Language
	Words         map[string]string // the catalogue of that language
	speaks        string            // the language whose catalogue was asked for last
	Theme         string            // "dark", "light", or "" for the system's
	Dark          bool              // the system is dark
	ReducedMotion bool              // prefers-reduced-motion
}

// Screen is the browser's window.
type Screen struct {
	Width, Height int // in CSS pixels
	Hidden        bool
}

// Language is a language that the page speaks. Its words are in web/locales, in the
// file that has its Code for a name.
type Language struct {
	Code string
	Tag  string // the document's lang, by BCP 47
	Name string // short, as its speakers write it
	Dir  string // the document's dir: "ltr", or "rtl" for a language that is written from right to left
}

// Languages lists them. The first one is for viewers who speak none of them. No other
// Go code names a language.
var Languages = []Language{
	{"en", "en", "EN", "ltr"},
	{"zh", "zh-Hans", "中文", "ltr"},
}

// LanguageOf returns the Language of a browser's language tag, such as zh-CN, or the
// first Language if the page doesn't speak that.
func LanguageOf(tag string) Language {
	l, _ := languageOf(tag)
	return l
}

// languageOf does what LanguageOf does, and reports whether the page speaks that language.
func languageOf(tag string) (l Language, spoken bool) {
	primary, _, _ := strings.Cut(tag, "-")
	for _, l := range Languages {
		if strings.EqualFold(l.Code, primary) {
			return l, true
		}
	}
	return Languages[0], false
}

// speak asks for the catalogue of a language.
func (s *Settings) speak(lang string) Cmd {
	s.speaks = lang
	return Speak{lang}
}

// choose speaks a language as soon as its catalogue has come.
func (s *Settings) choose(lang string) Cmd {
	s.Lang = lang
	return s.speak(lang)
}

// changeTheme makes a dark page light, and a light one dark.
func (s *Settings) changeTheme() []Cmd {
	s.Theme = map[bool]string{true: "light", false: "dark"}[s.IsDark()]
	return []Cmd{desk.StoreSetting{Name: "theme", Value: s.Theme}}
}

// Narrow reports whether the stations stand below one another.
func (s *Screen) Narrow() bool { return s.Width < 860 }

// IsDark reports whether the page is dark now.
func (s *Settings) IsDark() bool { return s.Theme == "dark" || s.Theme == "" && s.Dark }

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
	Current, Served string // names of their folders, which are hashes of all files
	Release         string // what people call the one that is served: a tag or a commit, "" where nobody knows
	Program         string // the version of the informerscope that serves the page, "" unless it is another one
	Noticed         bool   // the viewer has closed the notice about it
}

// Newer reports whether the server has another version than this page.
func (v *Version) Newer() bool { return v.Served != v.Current }

func (s *Site) versioned(v Version) {
	v.Noticed = s.Version.Noticed && s.Version.Served == v.Served
	s.Version = v
}
