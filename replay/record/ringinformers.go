package record

import (
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/replay/informers"
)

// held says what the informers of the process hold.
func (d *decoding) held(b *strings.Builder, url, own func(string) string) {
	held := make([]informers.Held, len(d.t.Resources))
	for i, r := range d.t.Resources {
		held[i] = informers.HeldBy(r)
	}
	all := informers.Of(&d.t, held)
	fmt.Fprintf(b, "\ninformers: %d\n", len(all))
	for _, x := range all {
		path := "/apis/" + x.Of.Group
		if x.Of.Group == "" {
			path = "/api"
		}
		path += "/" + x.Of.Version
		if x.Of.Namespace != "" {
			path += "/namespaces/" + x.Of.Namespace
		}
		fmt.Fprintf(b, "  %s: %d objects", url(path+"/"+x.Of.Resource), x.Objects)
		if h := x.Heap; h != nil && x.Objects > 0 {
			fmt.Fprintf(b, ", about %s of heap (%s to %s)", kilobytes(h.Bytes), kilobytes(h.Least), kilobytes(h.Most))
		}
		switch {
		case x.Synced > 0 && !x.Before:
			fmt.Fprintf(b, ", synced at %v", ago(x.Synced, 0))
		case !x.Before:
			b.WriteString(", not synced")
		}
		b.WriteByte('\n')
		if s := x.Started; s != nil && s.Func != "" {
			by := "started by "
			if s.Near {
				by = "started near "
			}
			fmt.Fprintf(b, "    %s%s\n", by, own(s.Site.String()))
		}
		for _, h := range x.Handlers {
			fmt.Fprintf(b, "    calls the handler %s of %s\n", own(h.Name), own(h.Site.String()))
		}
		for _, c := range x.Reads[:min(len(x.Reads), 10)] {
			fmt.Fprintf(b, "    read by %s: %s, at least %d times\n", own(c.Site.String()), c.Fn, c.N)
		}
	}
}

// kilobytes formats a size.
func kilobytes(n int64) string {
	if n < 10_000_000 {
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
}
