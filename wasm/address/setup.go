package address

import (
	"math"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// A setup has these fields, with times in milliseconds:
//
//	index=app&resync=60000&workers=2&work=5&controller=recorded&handler=takes=20,resync=60000,workqueue:audit
//
// The name of a handler comes last in its field, and may be any text.
//
// How the recording's lists are played is a field beside it, lists=recorded, since most links have no
// setup. A link that names a moment without this field was made when every list was played as the
// version asks for it.

// A link whose process is the one that the page chooses for the recording has handlers=recorded in the
// place of a setup. A link that has neither was made when the page chose another one: see LegacySetup.

const recorded = "recorded"

// Counts reports whether a names something of a recording's run that differs from process to process: a step, a
// moment, what was done, or what is asked about.
func (a *Address) Counts() bool {
	if a.Source.Lesson != "" || a.Source.Script != "" || a.Source.Library != "" {
		return false
	}
	return len(a.Steps) > 0 || a.Object != Version{} || a.Follow != "" || a.Search != "" || len(a.Stops) > 0 || a.Second != nil
}

// LegacySetup returns the process to which a recording without handlers of its own was played until links had
// handlers=recorded. The steps of a link without it count on that process.
func LegacySetup() link.Setup {
	const ms = 1_000_000
	return link.Setup{
		Handlers: []link.Handler{
			{Name: "metrics", Duration: ms / 20},
			{Name: "controller", Duration: ms / 5, Resync: 60_000 * ms, Workqueue: true},
			{Name: "audit", Duration: 20 * ms},
		},
		Index: "app", Resync: 60_000 * ms, Workers: 2, WorkTime: 5 * ms,
	}
}

func (w *writer) setup(s *link.Setup) {
	if s == nil {
		return
	}
	w.text("workers", strconv.Itoa(s.Workers))
	w.text("index", s.Index)
	w.time("resync", s.Resync)
	w.time("work", s.WorkTime)
	if s.Follows {
		w.text("controller", recorded)
	}
	for _, h := range s.Handlers {
		var options []string
		add := func(name string, ns int64) {
			if ns != 0 {
				options = append(options, name+"="+millis(ns))
			}
		}
		add("takes", h.Duration)
		add("resync", h.Resync)
		add("from", h.From)
		if h.Workqueue {
			options = append(options, "workqueue")
		}
		if h.Recorded {
			options = append(options, "recorded")
		}
		w.text("handler", strings.Join(options, ",")+":"+h.Name)
	}
}

func (w *writer) time(name string, ns int64) {
	if ns != 0 {
		w.text(name, millis(ns))
	}
}

func millis(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }

func nanos(text string, most int64) (int64, bool) {
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || !(ms >= 0 && ms*1e6 <= float64(most)) {
		return 0, false
	}
	return int64(math.Round(ms * 1e6)), true
}

func (a *Address) readSetup(name, text string) error {
	s := a.Setup
	if s == nil {
		s = &link.Setup{}
	}
	ok := true
	switch name {
	case "workers":
		n, is := wholeNumber(text)
		s.Workers, ok = int(n), is && n <= link.MaxWorkers
	case "index":
		s.Index = text
	case "resync":
		s.Resync, ok = nanos(text, link.MaxPeriod)
	case "work":
		s.WorkTime, ok = nanos(text, link.MaxTakes)
	case "controller":
		s.Follows, ok = true, text == recorded
	case "handler":
		var h link.Handler
		if h, ok = readHandler(text); ok && len(s.Handlers) < link.MaxHandlers {
			s.Handlers = append(s.Handlers, h)
		} else {
			ok = false
		}
	default:
		return errUnknown
	}
	if !ok {
		return ErrBroken
	}
	a.Setup = s
	return nil
}

func readHandler(text string) (h link.Handler, ok bool) {
	options, name, ok := strings.Cut(text, ":")
	h.Name = name
	if options == "" {
		return h, ok && name != ""
	}
	for option := range strings.SplitSeq(options, ",") {
		is := true
		switch name, value, _ := strings.Cut(option, "="); name {
		case "takes":
			h.Duration, is = nanos(value, link.MaxTakes)
		case "resync":
			h.Resync, is = nanos(value, link.MaxPeriod)
		case "from":
			h.From, is = nanos(value, link.MaxPeriod)
		case "workqueue":
			h.Workqueue = true
		case "recorded":
			h.Recorded = true
		default:
			is = false
		}
		ok = ok && is
	}
	return h, ok && name != ""
}
