// Package ask is what the viewer asks about the run, as the page's model has it: where a key or a
// mark comes next (Find), when an expression comes about (Expr), what the cache holds (Indexer), and
// what a thing came of (Why). The worker answers.
package ask

import "github.com/informerscope/informerscope/wasm/session/desk"

// Desk is what questions know of the rest of the model, and do to it.
type Desk interface {
	desk.Desk

	// CloseMenu closes the menu of a station.
	CloseMenu()
	// Close closes the dialog that is open.
	Close() []desk.Cmd

	// Subject is the key that the viewer deals with, as Find.Subject has it.
	Subject() string
	// EndSearch no longer waits for the step that is searched for. It reports false if there is none.
	EndSearch() bool
	// LeaveForMark notes where the viewer is before a jump to a mark or a hit.
	LeaveForMark() []desk.Cmd
}
