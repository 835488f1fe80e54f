package host

// stateNames and triggerNames are what the table of life.go calls them.
var (
	stateNames = [numStates]string{
		opening:    "opening",
		joining:    "joining",
		reading:    "reading",
		following:  "following",
		running:    "running",
		resting:    "resting",
		tidying:    "tidying",
		checking:   "checking",
		settled:    "settled",
		misread:    "misread",
		rereading:  "rereading",
		besideIt:   "besideIt",
		stowing:    "stowing",
		catchingUp: "catchingUp",
		parting:    "parting",
		gone:       "gone",
	}
	triggerNames = [numTriggers]string{
		onPiece:   "onPiece",
		onReady:   "onReady",
		onEnd:     "onEnd",
		onForeign: "onForeign",
		onRefused: "onRefused",
		onCancel:  "onCancel",
		onLeft:    "onLeft",
		onRan:     "onRan",
		onRested:  "onRested",
		onTidied:  "onTidied",
		onChecked: "onChecked",
		onMisread: "onMisread",
		onFree:    "onFree",
		onGivenUp: "onGivenUp",
		onTurn:    "onTurn",
	}
)

// impossible tells the browser's console that a trigger has come in a state that doesn't have
// it. The capture stays in its state.
func (h *Host) impossible(s state, on trigger) {
	h.desk.browser.Complain("impossible: " + triggerNames[on] + " comes to a capture that is " + stateNames[s])
}
