package host

// state says where a capture stands in its life.
type state uint8

const (
	opening       state = iota + 1 // it is read, and there is nothing to show of it yet
	joining                        // a cluster is asked for the first list, or another program for what it has
	reading                        // it is shown, and more of it comes
	following                      // it is shown, and is still being written
	running                        // all of it is read, and not all of it was run yet
	resting                        // all of it was run, and the page draws that
	tidying                        // the memory that its bytes are kept in is let go of
	checking                       // it is read once more, for damage that the glance passed over
	settled                        // nothing is left to do
	misread                        // the check has found that the glance misread it: it waits for its second reading
	rereading                      // it is read for the second time; the document that was misread is still shown
	readingSecond                  // it is read to stand beside the one shown
	stowing                        // it stands there, and the memory that its bytes are kept in is let go of
	catchingUp                     // all of it is read for the second time, and it is run to where the viewer is
	parting                        // it is not wanted any more, and its memory is let go of
	forgotten                      // nobody knows it any more

	numStates
)

// trigger is what moves a capture from one state to another.
type trigger uint8

const (
	onPiece    trigger = iota // the reader has taken in more of it
	onReady                   // there is enough of it to be shown
	onEnd                     // the reader has taken in all of it
	onForeign                 // only the other program can read it, or read on
	onRefused                 // it can't be read, or nothing in it can be shown
	onCancel                  // the viewer wants no more of it
	onReplaced                // another capture takes its place
	onRan                     // the run has come to its end
	onRested                  // the page has had time to draw
	onTidied                  // no memory is left to let go of
	onChecked                 // the check has come to its end
	onMisread                 // the check has found what the glance misread
	onFree                    // nothing else is being opened any more
	onFailed                  // the second reading was cancelled, or has failed
	onTurn                    // it may go on catching up

	numTriggers
)

// action is what the host does as a capture comes into a state.
type action uint8

const (
	doNothing       action = iota
	doLook                 // see whether it can be shown
	doShow                 // show its first step
	doGrow                 // show and run what has come
	doFinish               // show and run all that has come
	doConvert              // open what the other program makes of it
	doStop                 // stop reading
	doUnfollow             // stop recording
	doRefuse               // say why it isn't opened, and show what was open before
	doWithdraw             // say that it isn't opened, and show what was open before
	doPart                 // stop what is under way, and let go of its memory
	doForget               // stop what is under way
	doWait                 // give the page time to draw
	doFree                 // let go of its memory, piece by piece
	doCheck                // look for damage
	doReread               // read it for the second time, unless something else is being opened
	doChase                // run it towards where the viewer is
	doReplace              // show it in the place of the one that was misread
	doAbandon              // give the second reading up
	doKeepMisread          // say that it was misread, and stays so
	doReportSecond         // tell how far it was read
	doConvertSecond        // read what the other program makes of it
	doRefuseSecond         // say why it can't stand beside the one shown
	doCompare              // compare it with the one shown, and let go of its memory

	numActions
)

// transition is what a trigger makes of a capture in a state.
type transition struct {
	to     state // 0 where the trigger can't happen in the state
	action action
}

// life has every transition there is. A trigger that comes too late to change
// anything has one that stays in its state and does nothing.
var life = [numStates][numTriggers]transition{
	opening: {
		onPiece:    {opening, doLook},
		onReady:    {reading, doShow},
		onEnd:      {running, doShow},
		onForeign:  {parting, doConvert},
		onRefused:  {parting, doRefuse},
		onCancel:   {parting, doWithdraw},
		onReplaced: {parting, doPart},
	},
	joining: {
		onPiece:    {joining, doLook},
		onReady:    {following, doShow},
		onEnd:      {settled, doShow},
		onRefused:  {parting, doRefuse},
		onCancel:   {parting, doWithdraw},
		onReplaced: {parting, doPart},
	},
	reading: {
		onPiece:    {reading, doGrow},
		onEnd:      {running, doFinish},
		onForeign:  {running, doConvert},
		onRefused:  {reading, doNothing}, // what could be read of it is shown
		onCancel:   {running, doStop},
		onReplaced: {parting, doPart},
		onFree:     {reading, doNothing},
	},
	following: {
		onPiece:    {following, doGrow},
		onEnd:      {settled, doUnfollow},  // nothing of it is in memory
		onRefused:  {following, doNothing}, // what could be read of it is shown
		onCancel:   {settled, doUnfollow},  // nothing of it is in memory
		onReplaced: {parting, doPart},
		onFree:     {following, doNothing},
	},
	running: {
		onRan:      {resting, doWait},
		onCancel:   {running, doNothing},
		onReplaced: {parting, doPart},
		onFree:     {running, doNothing},
	},
	resting: {
		onRested:   {tidying, doFree},
		onRan:      {resting, doNothing}, // again, since the viewer looks at another informer
		onCancel:   {resting, doNothing},
		onReplaced: {parting, doPart},
		onFree:     {resting, doNothing},
	},
	tidying: {
		onTidied:   {checking, doCheck},
		onRan:      {tidying, doNothing},
		onCancel:   {tidying, doNothing},
		onReplaced: {parting, doNothing}, // as it is tidied already
		onFree:     {tidying, doNothing},
	},
	checking: {
		onChecked:  {settled, doNothing},
		onMisread:  {misread, doReread},
		onRan:      {checking, doNothing},
		onCancel:   {checking, doNothing},
		onReplaced: {forgotten, doForget},
		onFree:     {checking, doNothing},
	},
	settled: {
		onPiece:    {settled, doNothing}, // the last lines of what was followed
		onRan:      {settled, doNothing},
		onCancel:   {settled, doNothing},
		onReplaced: {forgotten, doNothing},
		onFree:     {settled, doNothing},
	},
	misread: {
		onFree:     {misread, doReread},
		onFailed:   {settled, doKeepMisread},
		onRan:      {misread, doNothing},
		onReplaced: {forgotten, doNothing},
	},
	rereading: {
		onPiece:    {rereading, doChase},
		onReady:    {reading, doReplace},
		onEnd:      {catchingUp, doChase},
		onRefused:  {parting, doAbandon},
		onCancel:   {parting, doAbandon},
		onReplaced: {parting, doPart},
	},
	readingSecond: {
		onPiece:    {readingSecond, doReportSecond},
		onEnd:      {stowing, doCompare},
		onForeign:  {parting, doConvertSecond},
		onRefused:  {parting, doRefuseSecond},
		onReplaced: {parting, doPart},
	},
	stowing: {
		onTidied:   {settled, doNothing},
		onReplaced: {parting, doNothing}, // as it is tidied already
	},
	catchingUp: {
		onTurn:     {catchingUp, doChase},
		onReady:    {running, doReplace},
		onCancel:   {parting, doAbandon},
		onReplaced: {parting, doPart},
	},
	parting: {
		onPiece:  {parting, doNothing}, // the last lines of what was followed
		onTurn:   {parting, doNothing},
		onTidied: {forgotten, doNothing},
	},
	forgotten: {},
}

// occasion is a trigger with what there is to know of it.
type occasion struct {
	trigger trigger
	id      int   // of the request that it comes from, 0 for none
	err     error // why it was refused
}

// mayGrow reports whether there may be more of the capture than was read.
func (s state) mayGrow() bool {
	switch s {
	case opening, joining, reading, following, rereading, readingSecond:
		return true
	}
	return false
}

// live reports whether the capture is being recorded.
func (s state) live() bool { return s == joining || s == following }

// isSecondReading reports whether the capture is opened for the second time.
func (s state) isSecondReading() bool { return s == rereading || s == catchingUp }

// stateNames and triggerNames are for the browser's console.
var (
	stateNames = [numStates]string{
		opening:       "opening",
		joining:       "joining",
		reading:       "reading",
		following:     "following",
		running:       "running",
		resting:       "resting",
		tidying:       "tidying",
		checking:      "checking",
		settled:       "settled",
		misread:       "misread",
		rereading:     "rereading",
		readingSecond: "readingSecond",
		stowing:       "stowing",
		catchingUp:    "catchingUp",
		parting:       "parting",
		forgotten:     "forgotten",
	}
	triggerNames = [numTriggers]string{
		onPiece:    "onPiece",
		onReady:    "onReady",
		onEnd:      "onEnd",
		onForeign:  "onForeign",
		onRefused:  "onRefused",
		onCancel:   "onCancel",
		onReplaced: "onReplaced",
		onRan:      "onRan",
		onRested:   "onRested",
		onTidied:   "onTidied",
		onChecked:  "onChecked",
		onMisread:  "onMisread",
		onFree:     "onFree",
		onFailed:   "onFailed",
		onTurn:     "onTurn",
	}
)
