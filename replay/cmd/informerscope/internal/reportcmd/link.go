package reportcmd

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/redactcmd"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/report"
)

// link returns the address of the page that shows a report's run, with a parameter that says where: a step, an expression that is
// looked for, or the capture's card. It is the zero Link where the page can't play what the report plays: several captures, the
// standard input, or a handler that is removed. A page that opens it asks for the capture, which stays with whoever has it.
func (o *options) link(resource, where, value string) (l evidence.Link) {
	if o.size == 0 || o.Report.Streaming {
		return l
	}
	to := evidence.ToFile(o.file, o.size).Add("informer", resource).Add("profile", o.Profile).Add("lists", "recorded")
	if to, ok := o.addSetup(to); ok {
		return to.Add(where, value)
	}
	return l
}

// addSetup adds the process that the capture is played to. The page finds out by itself which
// handlers were recorded. ok is false for what a link can't say.
func (o *options) addSetup(l evidence.Link) (to evidence.Link, ok bool) {
	handlers, resync, workers := o.Report.Handlers, o.Report.Resync, 0
	if len(handlers) == 0 {
		if o.recorded {
			return l.Add("handlers", "recorded"), true
		}
		handlers = []report.Handler{{Name: report.DefaultHandler}}
	}
	for _, h := range handlers {
		if h.Until != 0 || o.recorded {
			return l, false
		}
		if h.Workqueue {
			workers = 1
		}
		if o.Report.Resync == 0 {
			resync = max(resync, h.Resync)
		}
	}
	l = l.Add("workers", strconv.Itoa(workers)).Add("resync", evidence.Millis(resync)).Add("work", evidence.Millis(o.Report.WorkTime))
	for _, h := range handlers {
		options := ""
		for _, x := range []struct {
			name string
			ns   int64
		}{{"takes", h.Duration}, {"resync", h.Resync}, {"from", h.From}} {
			if x.ns != 0 {
				options += x.name + "=" + evidence.Millis(x.ns) + ","
			}
		}
		if h.Workqueue {
			options += "workqueue,"
		}
		l = l.Add("handler", strings.TrimSuffix(options, ",")+":"+h.Name)
	}
	return l, true
}

// findingLinks returns the links to the card and to the step at which a finding begins; that is the zero Link where no resource is known.
func (o *options) findingLinks(f *findings.Finding) (card, step evidence.Link) {
	if f.Resource != "" {
		step = o.link(f.Resource, "search", evidence.Since(f.From.Time))
	}
	return o.link(f.Resource, "view", "card"), step
}

// mostHeld is how many bytes of a capture, and of its shape, a link may be tried to hold. What is longer is longer packed, too.
const mostHeld = 8 << 20

// hold has the links of a summary hold the shape of the capture, if that is short.
func (o *options) hold(ctx context.Context, summary *evidence.Summary) error {
	if summary.Link == (evidence.Link{}) {
		return nil
	}
	if o.size > mostHeld {
		return nil
	}
	c, err := files.Open(ctx, o.Names, nil, files.NewBar(io.Discard, true))
	if err != nil {
		return err
	}
	in := redactcmd.Redaction{Captures: c, Name: o.Names[0]}
	if err := in.Detect(); err != nil {
		return err
	}
	var shape bytes.Buffer
	err = redact.Rewrite(&shape, redact.Options{}, func(w io.Writer) error {
		return in.Each(func(line []byte) {
			if shape.Len() < mostHeld {
				w.Write(line)
			}
		})
	})
	if err == nil && shape.Len() < mostHeld {
		summary.EmbedRecording(shape.Bytes(), evidence.MaxHeld)
	}
	return err
}
