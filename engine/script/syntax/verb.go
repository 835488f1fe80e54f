package syntax

// Verb says what playing a line does. Package script has a function for each: see play.go.
type Verb uint8

const (
	CarryOut Verb = iota // the command that the line stands for, on an informer, a handler or a server

	// What sets up a machine.
	Profile
	Gate
	Seed
	Server
	Informer
	Controller
	Collector
	Replicas
	Exists

	// What needs more than its command.
	WriteObject
	Mutate
	AddHandler
	RemoveIndex

	// How far the machine runs.
	Advance
	AdvanceTo
	LetPass
	Run
	Step

	// What is told and asked.
	Log
	Show
	Expect
	Can

	// One station alone, moved by hand.
	CallQueue
	CallProcessor
	CallWorkqueue

	NumVerbs
)
