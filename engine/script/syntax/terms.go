package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// What a word of a line stands for, as a part of an error.
const (
	AKey     = fault.Plain("aKey")
	AHandler = fault.Plain("aHandler")
	anIndex  = fault.Plain("anIndex")
	anActor  = fault.Plain("anActor")
	aLock    = fault.Plain("aLock")
	aLabel   = fault.Plain("aLabel")
	AName    = fault.Plain("aName")
	ANumber  = fault.Plain("aNumber")
	AValue   = fault.Plain("aValue")
	ACall    = fault.Plain("aCall")
	OnOrOff  = fault.Plain("onOff")
)

// What is wrong with a word, or with a line.
const (
	WantsTime   = fault.Plain("expectedTime")
	WantsNumber = fault.Plain("expectedNumber")
	WantsLabel  = fault.Plain("expectedLabel")
	WantsEnd    = fault.Plain("lineEnd")
)

// Missing says that something has to stand where nothing stands.
func Missing(what error) error { return fault.Why("missing what", what) }

// Wants says what has to stand where something else stands.
func Wants(what error) error { return fault.Why("expected what", what) }

// oneOf lists the words that may stand in one place: one of "add", "update", "delete".
func oneOf(words []string) error {
	if len(words) == 1 {
		return wordTerm(words[0])
	}
	return fault.Of("oneOf words", `"`+strings.Join(words, `", "`)+`"`)
}

// aWord is a word of the language.
func wordTerm(text string) error { return fault.Quoted("word text", text) }
