package address

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// What stands beside the machine shown is the field beside, with what it needs in the fields after it:
//
//	beside=profile&profile=v0.34
//	beside=resync
//	beside=setup&profile=v0.34&lists=recorded&workers=2&index=app
//	beside=future&when=2.1.loop.Popped&step=3&do=break+watch
//	beside=apart&informer=audit
//	beside=capture&file=b.json&size=9

// TraceURL returns the address of a recording that the page brings along.
func TraceURL(name string) string { return traces + name + TraceExt }

// IsBundled reports whether the page brings the recording at url along.
func IsBundled(url string) bool { return strings.HasPrefix(url, traces) }

// LessonName returns the name of the lesson of the course at url, "" for anything else.
func LessonName(url string) string {
	rest, ok := strings.CutPrefix(url, "lessons/")
	if !ok {
		return ""
	}
	_, name, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(name, ".md")
}

// TraceExt ends the names of the recordings that the page brings along.
const TraceExt = ".trace.jsonl.gz"

const (
	traces = "traces/"
	folder = "../" // the page's folder, where other files of this site are
)

// live is where a program that serves the page has what it is still writing: see IsLive.
const live = folder + "opened/live/"

// IsLive reports whether the file at url, an address that FileURL has made, is still being
// written. The page follows such a file as it follows a cluster.
func IsLive(url string) bool { return strings.HasPrefix(url, live) }

// FileURL returns the address of a file of this site, by its path below the page's folder.
func FileURL(path string) string { return folder + path }

// NeedsFile reports whether what stands beside the machine shown is a file that only the viewer has.
func (a *Address) NeedsFile() bool {
	c, is := a.Second.(link.SecondCapture)
	return is && c.URL == ""
}

// second returns what stands beside the machine shown, by the value of the field beside, where a
// has the fields after it. It returns nil where they name nothing that can stand there.
func (a *Address) second(with string) link.Second {
	captures := 0
	for _, given := range []bool{a.Source.Trace != "", a.Source.URL != "", a.Source.IsFile()} {
		if given {
			captures++
		}
	}
	switch {
	case with == "capture" && captures == 1:
		return a.capture()
	case captures > 0:
		return nil
	}
	if guard, is := strings.CutPrefix(with, guarded); is {
		return link.SecondGuard{Guard: guard}
	}
	switch with {
	case "profile":
		return link.SecondProfile{Profile: a.Profile}
	case "resync":
		return link.SecondResync{}
	case "setup":
		if a.Setup != nil {
			setup := a.Setup.WithProfile(a.Profile)
			setup.Listed = a.Listed
			return link.SecondSetup{Setup: setup}
		}
	case "apart":
		return link.SecondApart{Handler: a.Informer}
	case "future":
		return link.SecondLane{Path: a.Steps}
	}
	return nil
}

func (a *Address) capture() link.SecondCapture {
	switch {
	case a.Source.Trace != "":
		return link.SecondCapture{URL: TraceURL(a.Source.Trace), Name: a.Source.Trace + TraceExt}
	case a.Source.URL != "":
		return link.SecondCapture{URL: FileURL(a.Source.URL), Name: a.Source.URL[strings.LastIndexByte(a.Source.URL, '/')+1:]}
	}
	return link.SecondCapture{Name: a.Source.File, Size: a.Source.Size}
}

// guarded begins the name of a machine whose controllers have another guard.
const guarded = "guard-"

// second writes what stands beside the machine shown.
func (w *writer) second(s link.Second) {
	name, target := "", Address{}
	switch s := s.(type) {
	case link.SecondProfile:
		name, target.Profile = "profile", s.Profile
	case link.SecondResync:
		name = "resync"
	case link.SecondSetup:
		setup := s.Setup.WithProfile("")
		name, target.Profile, target.Listed, target.Setup = "setup", s.Setup.Profile, s.Setup.Listed, &setup
	case link.SecondApart:
		name, target.Informer = "apart", s.Handler
	case link.SecondGuard:
		name = guarded + s.Guard
	case link.SecondLane:
		name, target.Steps = "future", s.Path
	case link.SecondCapture:
		name = "capture"
		if trace, is := strings.CutPrefix(s.URL, traces); is {
			target.Source.Trace = strings.TrimSuffix(trace, TraceExt)
		} else if s.URL != "" {
			target.Source.URL = strings.TrimPrefix(s.URL, folder)
		} else {
			target.Source.File, target.Source.Pasted, target.Source.Size = s.Name, s.Name == "", s.Size
		}
	default:
		return
	}
	w.text("beside", name)
	if text := target.String(); text != "" {
		w.b.WriteString("&" + text[1:])
	}
}
