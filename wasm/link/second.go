package link

// Second is what stands beside the machine shown. Each of its types is also the operation
// that shows it there. A Second that is nil stands for one machine alone.
type Second interface {
	Op
	second()
}

// What can stand beside the machine shown.
type (
	// SecondProfile is the same input played to another version of client-go.
	SecondProfile struct {
		Profile string `json:"profile,omitempty"`
	}
	// SecondResync is the same input played with resyncs, or without them if the machine
	// shown has some.
	SecondResync struct{}
	// SecondSetup is the same input played to another process.
	SecondSetup struct {
		Setup Setup `json:"setup"`
	}
	// SecondLane is another future, by the ID of its lane. Way leads to that lane, as
	// Lanes.Way does; an address has the Way alone.
	SecondLane struct {
		Lane int        `json:"lane,omitempty"`
		Way  []Waypoint `json:"way,omitempty"`
	}
	// SecondApart is a process in which each handler has an informer of its own. The one
	// of Handler is shown, or the first one where there is no such handler.
	SecondApart struct {
		Handler string `json:"handler,omitempty"`
	}
	// SecondGuard is the same input played to controllers with another guard, by the name of
	// a guard.Kind.
	SecondGuard struct {
		Guard string `json:"guard,omitempty"`
	}
	// SecondCapture is another capture: the file at URL, or the files that are sent
	// beside the request.
	SecondCapture struct {
		URL  string `json:"url,omitempty"`
		Name string `json:"name,omitempty"` // for display; "" for a capture that was pasted
		Size int64  `json:"size,omitempty"` // of the files, in bytes, 0 where that isn't known
	}
)

// Alone shows one machine again.
type Alone struct{}

// resync is the resync period of a second machine if the first one has none, in nanoseconds.
const resync = 30_000_000_000

// Resyncs reports whether a machine with this setup resyncs.
func (s *Setup) Resyncs() bool {
	for _, h := range s.Handlers {
		if h.Resync > 0 {
			return true
		}
	}
	return s.Resync > 0
}

// WithProfile returns the setup for another version of client-go.
func (s Setup) WithProfile(name string) Setup {
	s.Profile = name
	return s
}

// WithResync returns the setup with resyncs, or without them if it has some.
func (s Setup) WithResync() Setup {
	period := int64(resync)
	if s.Resyncs() {
		period = 0
	}
	s.Resync, s.Handlers = period, append([]Handler(nil), s.Handlers...)
	for i := range s.Handlers {
		s.Handlers[i].Resync = period
	}
	return s
}

// Standing holds a Second, so that one can cross in a reply. It is empty for one machine
// alone.
type Standing struct{ Second }

// UnmarshalJSON reads what appendJSON writes of s: an operation, or nothing.
func (s *Standing) UnmarshalJSON(b []byte) error {
	s.Second = nil
	if string(b) == "{}" {
		return nil
	}
	op, err := decodeOp(b)
	if err == nil {
		var is bool
		if s.Second, is = op.(Second); !is {
			err = UnknownOp(Name(op))
		}
	}
	return err
}

func (SecondProfile) second() {}
func (SecondResync) second()  {}
func (SecondSetup) second()   {}
func (SecondLane) second()    {}
func (SecondApart) second()   {}
func (SecondGuard) second()   {}
func (SecondCapture) second() {}

func (SecondProfile) op() {}
func (SecondResync) op()  {}
func (SecondSetup) op()   {}
func (SecondLane) op()    {}
func (SecondApart) op()   {}
func (SecondGuard) op()   {}
func (SecondCapture) op() {}
func (Alone) op()         {}
