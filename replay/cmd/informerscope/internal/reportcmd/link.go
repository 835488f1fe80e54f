package reportcmd

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
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
	fragment := "#file=" + url.QueryEscape(filepath.Base(o.Names[0]))
	add := func(name, value string) { fragment += "&" + name + "=" + url.QueryEscape(value) }
	add("size", strconv.FormatInt(info.Size(), 10))
	if resource != "" {
		add("informer", resource)
	}
	add("profile", o.Profile)
	add("lists", "recorded")
	if !o.addSetup(add) {
		return ""
	}
	add(where, value)
	return cli.Site + fragment
}

// addSetup adds the process that the capture is played to. The page finds out by itself which
// handlers were recorded. ok is false for what a link can't say.
func (o *options) addSetup(add func(name, value string)) (ok bool) {
	handlers, resync, workers := o.How.Handlers, o.How.Resync, 0
	if len(handlers) == 0 {
		if o.recorded {
			add("handlers", "recorded")
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
	add("workers", strconv.Itoa(workers))
	add("resync", millis(resync))
	add("work", millis(o.How.WorkTime))
	for _, h := range handlers {
		options := ""
		for _, x := range []struct {
			name string
			ns   int64
		}{{"takes", h.Takes}, {"resync", h.Resync}, {"from", h.From}} {
			if x.ns != 0 {
				options += x.name + "=" + millis(x.ns) + ","
			}
		}
		if h.Workqueue {
			options += "workqueue,"
		}
		add("handler", strings.TrimSuffix(options, ",")+":"+h.Name)
	}
	return true
}

// millis formats nanoseconds as milliseconds.
func millis(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }

// findingLinks returns the links to a finding, one a line: to the card, and to the step at which it begins.
func (o *options) findingLinks(f *findings.Finding) string {
	card := o.link(f.Resource, "view", "card")
	if card == "" || f.Resource == "" {
		return card
	}
	at := o.link(f.Resource, "search", "time() >= "+millis(f.From.At)+"ms")
	return card + "\n" + at
}
