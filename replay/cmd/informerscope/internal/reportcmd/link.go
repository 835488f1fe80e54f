package reportcmd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/report"
)

// link returns the address of the page that shows a report's run, with a parameter that says where: a step, an expression that is
// looked for, or the capture's card. It is "" where the page can't play what the report plays: several captures, the
// standard input, or a handler that is removed. A page that opens it asks for the capture, which stays with whoever has it.
func (o *options) link(resource, where, value string) string {
	if len(o.Names) != 1 || o.Names[0] == files.Stdin || o.How.Streaming {
		return ""
	}
	info, err := os.Stat(o.Names[0])
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	l := evidence.ToFile(filepath.Base(o.Names[0]), info.Size()).Add("informer", resource).Add("profile", o.Profile).Add("lists", "recorded")
	if !o.addSetup(l) {
		return ""
	}
	return l.Add(where, value).String()
}

// addSetup adds the process that the capture is played to. The page finds out by itself which
// handlers were recorded. ok is false for what a link can't say.
func (o *options) addSetup(l *evidence.Link) (ok bool) {
	handlers, resync, workers := o.How.Handlers, o.How.Resync, 0
	if len(handlers) == 0 {
		if o.recorded {
			l.Add("handlers", "recorded")
			return true
		}
		handlers = []report.Handler{{Name: report.DefaultHandler}}
	}
	for _, h := range handlers {
		if h.Until != 0 || o.recorded {
			return false
		}
		if h.Workqueue {
			workers = 1
		}
		if o.How.Resync == 0 {
			resync = max(resync, h.Resync)
		}
	}
	l.Add("workers", strconv.Itoa(workers))
	l.Add("resync", evidence.Millis(resync))
	l.Add("work", evidence.Millis(o.How.WorkTime))
	for _, h := range handlers {
		options := ""
		for _, x := range []struct {
			name string
			ns   int64
		}{{"takes", h.Takes}, {"resync", h.Resync}, {"from", h.From}} {
			if x.ns != 0 {
				options += x.name + "=" + evidence.Millis(x.ns) + ","
			}
		}
		if h.Workqueue {
			options += "workqueue,"
		}
		l.Add("handler", strings.TrimSuffix(options, ",")+":"+h.Name)
	}
	return true
}

// findingLinks returns the links to the card and to the step at which a finding begins; that is "" where no resource is known.
func (o *options) findingLinks(f *findings.Finding) (card, step string) {
	if f.Resource != "" {
		step = o.link(f.Resource, "search", evidence.Since(f.From.At))
	}
	return o.link(f.Resource, "view", "card"), step
}
