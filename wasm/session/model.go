// Package session holds what the page knows, and how that changes: a Model, the
// messages that change it in place, and the commands that follow from them. It is plain Go.
// Package dom deals with the browser, and package view with what the page looks
// like.
package session

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// Model is everything that the page shows: a field for each concern. Each concern changes its
// own fields and nobody else's; others ask it by its methods. Package view reads the Model and
// never changes it.
type Model struct {
	Settings Settings
	Screen   Screen
	Site     Site
	Keyboard Keyboard
	Palette  Palette
	Front    Front
	Density  Density

	Open      navigation.Document
	Nav       navigation.Model
	Sharing   Sharing
	Stage     Stage
	Transport Transport
	ask       asking

	Find    ask.Find
	Expr    ask.Expr
	Indexer ask.Indexer
	Why     ask.Why
	Draft   Draft
	Hands   hands.Model
	Second  SecondMachine

	Lesson  lesson.Model
	Guess   Guesses
	Room    Room
	Cluster Cluster
	Save    save.Model
}

// Offline is how far the browser keeps the page's own files.
type Offline struct {
	State string // "" while that isn't known, "keeping", "kept" or "unable"
	Bytes int64  // of all these files
}

// New returns the Model before anything is known. Lang is the browser's language tag.
// A speed that isn't an index of Speeds means the usual one.
func New(lang, theme string, speed int) *Model {
	if speed < 0 || speed >= len(Speeds) {
		speed = usualSpeed
	}
	m := &Model{
		Settings:  Settings{Lang: LanguageOf(lang).Code, Theme: theme},
		Screen:    Screen{Width: 1440, Height: 900},
		Front:     Front{Tab: desk.Explain},
		Open:      navigation.Document{Loading: true},
		Stage:     Stage{Axis: link.ByStep},
		Transport: Transport{Speed: speed, Unit: link.Micro},
	}
	d := mediator{m}
	m.Nav = navigation.New(d, &m.Open)
	m.Find, m.Expr, m.Indexer, m.Why = ask.NewFind(d), ask.NewExpr(d), ask.NewIndexer(d), ask.NewWhy(d)
	m.Hands, m.Lesson, m.Save = hands.New(d), lesson.New(d), save.New(d)
	return m
}

// Restore takes in what the viewer's device has kept since the last visit. Saved returns a setting
// by the name that desk.Keep has given it, "" for none.
func (m *Model) Restore(saved func(name string) string) {
	m.Keyboard.restore(saved("keys"))
	m.Density.restore(saved("density"))
	m.Density.Last.restore(saved("last"))
	m.Guess.restore(saved("score"))
	m.Lesson.Restore(saved("lessons"))
}

// Narrow reports whether the stations stand below one another.
func (s *Screen) Narrow() bool { return s.Width < 860 }

// IsDark reports whether the page is dark now.
func (s *Settings) IsDark() bool { return s.Theme == "dark" || s.Theme == "" && s.Dark }

// Ready reports whether the page can be used: a step is shown, or there is none
// to show.
func (m *Model) Ready() bool {
	return m.Settings.Words != nil && (m.Stage.Frame != nil || m.Open.Failure != nil || m.Open.Died != "")
}

// Window says how much of each long list has room on the stage.
func (m *Model) Window() link.Window {
	w := link.Window{Tape: 12, Queue: 14, Store: 160, Pending: 22, Work: 5}
	switch {
	case m.Screen.Narrow():
		w = link.Window{Tape: 5, Queue: 8, Store: 60, Pending: 14, Work: 5}
	case m.Screen.Height >= 1000 && !m.Room.On: // whose type is larger
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 17, 20, 240, 30, 7
	case m.Screen.Height < 800 || m.Room.On:
		w.Tape, w.Queue, w.Store = 8, 10, 100
	}
	if m.Second.Beside != nil && !m.Screen.Narrow() && m.Screen.Width < wide { // the two stand one above the other
		w.Tape, w.Queue, w.Store, w.Pending, w.Work = 4, 6, 60, 14, 3
	}
	return w
}

// wide is the width, in CSS pixels, from which on two machines stand beside each other in a window.
const wide = 1800
