package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// What a word of a line stands for, as a part of an error.
const (
	aKey     = fault.Plain("aKey")
	aHandler = fault.Plain("aHandler")
	anIndex  = fault.Plain("anIndex")
	anActor  = fault.Plain("anActor")
	aLock    = fault.Plain("aLock")
	aLabel   = fault.Plain("aLabel")
	aName    = fault.Plain("aName")
	aNumber  = fault.Plain("aNumber")
	aValue   = fault.Plain("aValue")
	aCall    = fault.Plain("aCall")
	onOrOff  = fault.Plain("onOff")
)

// What is wrong with a word, or with a line.
const (
	wantsTime   = fault.Plain("expectedTime")
	wantsNumber = fault.Plain("expectedNumber")
	wantsLabel  = fault.Plain("expectedLabel")
	wantsEnd    = fault.Plain("lineEnd")
	runsLong    = fault.Plain("runsLong")
)

func missing(what error) error { return fault.Why("missing what", what) }

func wants(what error) error { return fault.Why("expected what", what) }

// oneOf lists the words that may stand in one place: one of "add", "update", "delete".
func oneOf(words []string) error {
	if len(words) == 1 {
		return aWord(words[0])
	}
	return fault.Of("oneOf words", `"`+strings.Join(words, `", "`)+`"`)
}

// aWord is a word of the language.
func aWord(text string) error { return fault.Quoted("word text", text) }
