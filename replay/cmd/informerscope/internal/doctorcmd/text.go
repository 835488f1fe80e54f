package doctorcmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/doctor"
	"github.com/informerscope/informerscope/replay/plain"
)

// proxyTimeout is after how long a silent connection is cut by nginx, HAProxy, and the load balancers of AWS, unless they are told otherwise, and some more.
const proxyTimeout = 65 * time.Second

// text prints a report for people.
func text(r *doctor.Report) string {
	var b strings.Builder
	for i := range r.Received {
		s := &r.Received[i]
		fmt.Fprintf(&b, "%s through %s\n", cli.Printable(s.Resource), cli.Printable(s.Hop))
		line := func(name, says string) { b.WriteString(cli.Wrap(fmt.Sprintf("  %-15s ", name), says, cli.TextWidth)) }
		line("list", page(&s.List))
		if s.List.Code != 200 || s.List.Error != "" {
			continue
		}
		if s.NextPage != nil {
			line("second page", page(s.NextPage))
		}
		line("streaming list", watch(&s.Stream))
		line("watch", watch(&s.Watch))
		line("watch from 1", watch(&s.Old))
	}
	for _, f := range r.Findings {
		b.WriteByte('\n')
		kind := "trouble: "
		if f.Hangs {
			kind = "hangs: "
		}
		b.WriteString(cli.Wrap(kind, f.Text, cli.TextWidth))
		line := func(name, says string) {
			b.WriteString(cli.Wrap(fmt.Sprintf("  %-7s ", name), cli.Printable(says), cli.TextWidth))
		}
		line("where", f.Resource+" through "+strings.Join(f.Hops, " and "))
		line("whom", "client-go "+f.Versions)
		line("asked", f.Asked)
		for _, came := range f.Evidence {
			line("came", came)
		}
		line("do", f.Advice)
	}
	watched, quiet := 0, 0
	for i := range r.Received {
		if w := &r.Received[i].Watch; w.Code == 200 {
			watched++
			if w.Events == 0 {
				quiet++
			}
		}
	}
	if len(r.Findings) == 0 {
		b.WriteString("\nno fault found: informers of all versions have their first list\n")
	}
	if quiet > 0 {
		fmt.Fprintf(&b, "\nno change came on %d of %d watches, so it isn't known whether changes come\n", quiet, watched)
	}
	if looked := time.Duration(r.Duration); looked < proxyTimeout && watched > 0 {
		fmt.Fprintf(&b, "\nwatches were looked at for %s; many proxies cut a silent one after 60 s, which --for 65s finds\n", durationText(looked))
	}
	fmt.Fprintf(&b, "\n%s, %s\n", plain.Plural(int(r.Requests), "request"), plain.Size(r.Bytes))
	return b.String()
}

// page says what came of a list.
func page(p *doctor.Page) string {
	if says := failed(&p.Head); says != "" {
		return says
	}
	says := fmt.Sprintf("version %s, %s, after %s", cli.Printable(p.Version), plain.Plural(p.Items, "object"), durationText(p.After))
	switch {
	case p.Remaining > 0:
		says += fmt.Sprintf(", %s more", plain.Count(p.Remaining))
	case p.Continue:
		says += ", and more"
	}
	return says
}

// watch says what came of a watch.
func watch(w *doctor.Watch) string {
	if says := failed(&w.Head); says != "" && w.Ending == "" {
		return says
	}
	says := fmt.Sprintf("%s and %s; ", plain.Plural(w.Events, "event"), plain.Plural(w.Bookmarks, "bookmark"))
	switch w.Ending {
	case doctor.Complete:
		says += "its end came"
	case doctor.Refused:
		says += fmt.Sprintf("then the error %d %s came", w.Status, cli.Printable(w.Reason))
	case doctor.Ended:
		says += "the server ended it"
	case doctor.Broke:
		says += "it was cut off: " + cli.Printable(w.Error)
	case doctor.TooLong:
		says += "no more was read"
	default:
		says += "it was still open"
	}
	return says + " after " + durationText(w.Lived)
}

// failed says how an answer that is no success began, or is "".
func failed(h *doctor.Head) string {
	switch {
	case h.Code == 0:
		return "no answer: " + cli.Printable(h.Error)
	case h.To != "":
		return fmt.Sprintf("%d, to %s", h.Code, cli.Printable(h.To))
	case h.Code != 200:
		return strings.TrimSpace(fmt.Sprintf("%d %s %s", h.Code, cli.Printable(h.Reason), cli.Printable(h.Error)))
	case h.Error != "":
		return "an answer that can't be read: " + cli.Printable(h.Error)
	}
	return ""
}

func durationText(d time.Duration) string { return plain.Duration(int64(d)) }
