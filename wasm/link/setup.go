package link

import "slices"

// ShowInformer shows another informer at the same virtual time.
type ShowInformer struct {
	Informer int // its number
}

func (x *ShowInformer) fields(c *coder) { c.fields(&x.Informer) }

// SetUp runs the capture again with another setup.
type SetUp struct {
	Setup Setup
}

func (x *SetUp) fields(c *coder) { c.fields(&x.Setup) }

func (ShowInformer) op() {}
func (SetUp) op()        {}

// Setup is the process to which the trace plays, as the viewer decides.
type Setup struct {
	Profile  string // the Name of a Profile
	Handlers []Handler
	Index    string // the label of the second index; the first one is always "namespace"
	Resync   int64  // the informer's default resync period in ns
	Workers  int    // how many there are
	WorkTime int64  // how long a reconcile takes, in ns
	// Follows plays the recorded controller of the resource, if there is one, in place of workers.
	Follows bool
	// Listed plays an ordinary list of the recording as one where the Profile would ask for a
	// streaming list. Earlier pages always converted such lists, so without it their links and
	// their saved futures show what they showed.
	Listed bool
}

func (x *Setup) fields(c *coder) {
	c.fields(&x.Profile, &x.Handlers, &x.Index, &x.Resync, &x.Workers, &x.WorkTime, &x.Follows, &x.Listed)
}

// Simulated is the name of the handler that a trace is played to if nobody has recorded or described one.
const Simulated = "simulated"

// Handler is one ResourceEventHandler. Times are in nanoseconds.
type Handler struct {
	Name      string
	Duration  int64 // how long each call takes
	Resync    int64 // the resync period that it asks for, 0 for none
	From      int64 // when it joins, since the start; 0: before the informer runs
	Workqueue bool  // each call puts the key on the workqueue
	Recorded  bool  // it stands for a handler of the recorded process, and its calls take as long as they took there
}

func (x *Handler) fields(c *coder) {
	c.fields(&x.Name, &x.Duration, &x.Resync, &x.From, &x.Workqueue, &x.Recorded)
}

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

// Equal reports whether two setups are the same.
func (s *Setup) Equal(o Setup) bool {
	return s.Profile == o.Profile && s.Index == o.Index && s.Resync == o.Resync && s.Workers == o.Workers && s.WorkTime == o.WorkTime &&
		s.Listed == o.Listed && s.Follows == o.Follows && slices.Equal(s.Handlers, o.Handlers)
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
