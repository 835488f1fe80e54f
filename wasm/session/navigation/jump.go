package navigation

// Jump says whether the viewer's next move is a jump, which makes an entry.
type Jump uint8

const (
	Still    Jump = iota + 1 // the last move is over, so the next one may be a jump
	Jumping                  // a jump is not over, so that what follows is a part of it
	Dragging                 // the viewer holds the timeline
	Marking                  // a jump to a mark or a hit is not over
	Marked                   // the last move was to one, so that the next one to another is a part of it

	numJumps
)

// Hop is what moves a jump.
type Hop uint8

const (
	OnJump      Hop = iota // the viewer jumps
	OnMark                 // the viewer goes to a mark or a hit
	OnVisit                // the browser shows an entry of another place
	OnHeld                 // the viewer takes hold of the timeline, or drags it
	OnLetGo                // the viewer lets go of the timeline
	OnAsked                // the worker is asked to move the machine
	OnAskedMark            // the worker is asked to move it to a mark or a hit
	OnAnswered             // the worker has answered all that it was asked
	OnForgotten            // the places are forgotten

	numHops
)

// jumps has every transition of a jump.
var jumps = [numJumps][numHops]step[Jump]{
	Still: {
		OnJump: {Jumping, DoJump}, OnMark: {Jumping, DoJump}, OnVisit: {Jumping, DoLeave}, OnHeld: {Dragging, DoJump}, OnLetGo: {Jumping, DoJump},
		OnAsked: {Still, DoNone}, OnAskedMark: {Marked, DoNone}, OnAnswered: {Still, DoNone}, OnForgotten: {Still, DoNone},
	},
	Jumping: {
		OnJump: {Jumping, DoNone}, OnMark: {Jumping, DoNone}, OnVisit: {Jumping, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnAnswered: {Still, DoNone}, OnForgotten: {Still, DoNone},
	},
	Dragging: {
		OnJump: {Dragging, DoNone}, OnMark: {Dragging, DoNone}, OnVisit: {Dragging, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Dragging, DoNone}, OnAskedMark: {Dragging, DoNone}, OnAnswered: {Dragging, DoNone}, OnForgotten: {Still, DoNone},
	},
	Marking: {
		OnJump: {Jumping, DoNone}, OnMark: {Marking, DoNone}, OnVisit: {Jumping, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnAnswered: {Marked, DoNone}, OnForgotten: {Still, DoNone},
	},
	Marked: {
		OnJump: {Jumping, DoJump}, OnMark: {Marked, DoNone}, OnVisit: {Jumping, DoLeave}, OnHeld: {Dragging, DoJump}, OnLetGo: {Jumping, DoJump},
		OnAsked: {Still, DoNone}, OnAskedMark: {Marked, DoNone}, OnAnswered: {Marked, DoNone}, OnForgotten: {Still, DoNone},
	},
}

var (
	jumpNames = [numJumps]string{"", "Still", "Jumping", "Dragging", "Marking", "Marked"}
	hopNames  = [numHops]string{"OnJump", "OnMark", "OnVisit", "OnHeld", "OnLetGo", "OnAsked", "OnAskedMark", "OnAnswered", "OnForgotten"}
)

func (s Jump) String() string { return jumpNames[s] }
func (e Hop) String() string  { return hopNames[e] }

// On returns the state to which e leads from s, and what is to be done. It is 0 where e can't come.
func (s Jump) On(e Hop) (to Jump, do Act) { t := &jumps[s][e]; return t.to, t.do }
