// Package why says what came of each event and list of a key, for report and run.
package why

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// whyText writes one chain.
type whyText struct {
	c     *report.Chain
	b     strings.Builder
	width int // of the first column
}

// Text returns a chain as text: a line for what it begins with, then a line for each
// station and each handler.
func Text(c *report.Chain) string {
	w := &whyText{c: c, width: len("reflector")}
	for _, h := range c.Handlers {
		w.width = max(w.width, len([]rune(cli.Printable(h.Name))))
	}
	n := c.Begins
	w.b.WriteString("\n" + report.Moment(n.First().Time) + "  " + w.begins(n) + fmt.Sprintf("  (step %d)\n", n.First().Step))
	n.Each(w.node)
	if n.Kind == cause.Recorded || n.Kind == cause.Call && methods[n.First().Event.Kind] != "" { // what it adds comes to no handler
		return w.b.String()
	}
	for i, h := range c.Handlers {
		if n.Kind == cause.Listing && !listsFor(n, i) {
			continue
		}
		if notified, missed := n.Notified(i); !notified {
			w.line(h.Name, "not told: %s", w.missed(missed, &w.c.Handlers[i]))
		}
	}
	return w.b.String()
}

func (w *whyText) line(name, format string, args ...any) {
	text := cli.Printable(fmt.Sprintf(format, args...))
	w.b.WriteString(cli.Wrap(fmt.Sprintf("  %-*s  ", w.width, cli.Printable(name)), text, max(cli.TextWidth, w.width+40)))
}

// rv returns the version that a link is about.
func (w *whyText) rv(l *cause.Link) string { return w.c.Resource.Table.RVText(l.RV) }

// listsFor reports whether a Listing is for a handler.
func listsFor(n *cause.Node, handler int) bool {
	return len(n.Effects) > 0 && n.Effects[0].Handler() == handler
}

// begins says what a chain begins with.
func (w *whyText) begins(n *cause.Node) string {
	l := n.First()
	switch n.Kind {
	case cause.Watch:
		return w.watchEvent(l)
	case cause.Item, cause.Gap:
		text := "listed"
		if n.Kind == cause.Gap {
			text = "missing in a list"
		} else if d := effect(n, cause.Delta); d != nil {
			for i := range d.Links {
				if rv := w.rv(&d.Links[i]); rv != "" {
					text += ", resourceVersion " + rv
					break
				}
			}
		}
		return text + relistReason(n)
	case cause.Write:
		return w.written(n, l)
	case cause.Call:
		if n.Caller == "" {
			return "a call by hand"
		}
		return n.Caller + " calls " + methods[l.Event.Kind]
	case cause.Resync:
		return "resync"
	case cause.Listing:
		return "a handler is added while the informer runs"
	}
	by := cmp.Or(n.Caller, "the controller")
	if n.Trigger.Step > 0 {
		by += ", since the write of step " + strconv.FormatInt(n.Trigger.Step, 10) + " has come back,"
	}
	return "as recorded, " + by + " calls " + methods[l.Event.Kind]
}

// wrote says what a write to a simulated server did.
var wrote = map[event.Delta]string{event.Added: "created", event.Updated: "updated", event.Deleted: "deleted"}

// written says what a write to a simulated server did.
func (w *whyText) written(n *cause.Node, l *cause.Link) string {
	text := wrote[l.Event.Delta]
	switch {
	case n.Caller != "":
		text += " by a reconcile of " + n.Caller
	case n.Cause != nil:
		text += " by a reconcile"
	}
	return text + " at the server, resourceVersion " + w.rv(l)
}

// methods are what a recorded controller has called where it has put a key on its workqueue, or has got
// one that nobody has put there.
var methods = map[event.Kind]string{
	event.WorkAdded: "Add", event.WorkDirty: "Add", event.WorkDeferred: "Add", event.WorkRateLimited: "AddRateLimited",
	event.WorkDelayed: "AddAfter", event.WorkDelayKept: "AddAfter", event.WorkGot: "Get, and the engine's workqueue doesn't have the key",
}

func (w *whyText) watchEvent(l *cause.Link) string {
	word := map[event.Delta]string{event.Added: "ADDED", event.Updated: "MODIFIED", event.Deleted: "DELETED"}[l.Event.Delta]
	if word == "" {
		word = "an event of an unknown type"
	}
	return word + ", resourceVersion " + w.rv(l)
}

// effect returns the first effect of a kind, or nil.
func effect(n *cause.Node, k cause.Kind) *cause.Node {
	for _, e := range n.Effects {
		if e.Kind == k {
			return e
		}
	}
	return nil
}

// relistReason says why the reflector lists again, if it does.
func relistReason(list *cause.Node) string {
	if list.Trigger.Step == 0 {
		return ""
	}
	return "; the reflector lists again: " + relisted(&list.Trigger)
}

// relisted says what made a reflector list again.
func relisted(l *cause.Link) string {
	switch e := l.Event; e.Kind {
	case event.WatchErrorReceived:
		if e.Code() == 410 {
			return Reasons[ask.Expired]
		}
		if e.Cause == event.Assumed {
			return Reasons[ask.ListedAgain]
		}
		if e.Cause == event.Undecodable {
			return Reasons[ask.Undecodable]
		}
		return Reasons[ask.WatchError]
	case event.VeryShortWatch:
		return Reasons[ask.VeryShortWatch]
	case event.WatchFailed:
		return Reasons[ask.WatchRefused]
	case event.ListFailed:
		return "the list before failed"
	case event.WatchListFellBack:
		return "the streaming list failed"
	}
	return Reasons[ask.WatchClosed]
}

// node writes the lines of a node.
func (w *whyText) node(n *cause.Node) bool {
	switch n.Kind {
	case cause.Watch:
		w.watch(n)
	case cause.Delta:
		w.delta(n)
	case cause.Delivery:
		if l := n.Find(event.HandlerCalled); l != nil {
			w.callLine(n, l)
		}
	case cause.Request:
		w.request(n)
	case cause.Retry:
		w.retry(n)
	case cause.Reconcile:
		w.reconcile(n)
	}
	return true
}

// request writes how long a key was on the workqueue.
func (w *whyText) request(n *cause.Node) {
	switch l := n.Find(event.WorkGot); {
	case l == nil:
		w.line("workqueue", "not got by the end")
	case l.Time > n.First().Time:
		w.line("workqueue", "got after %s", plain.Duration(l.Time-n.First().Time))
	}
}

// retry writes for how long a key is put off.
func (w *whyText) retry(n *cause.Node) {
	switch l := n.Find(event.WorkDelayed); {
	case l != nil:
		w.line("workqueue", "put off for %s", plain.Duration(l.Event.Duration()))
	case n.MergedInto != nil:
		w.line("workqueue", "put off, and the earlier time stays")
	}
}

// reconcile writes a recorded reconcile, with its writes.
func (w *whyText) reconcile(n *cause.Node) {
	name := "worker " + strconv.Itoa(n.First().Event.Worker()+1)
	for i := range n.Links {
		switch l := &n.Links[i]; l.Event.Kind {
		case event.ReconcileStarted:
			read := "; the cache doesn't have it"
			switch added := n.Cause; {
			case added != nil && added.Cause != nil && added.Cause.Ahead: // and so was the recorded process's cache
				read = ""
			case l.RV != 0:
				read = "; the cache has " + w.rv(l)
			}
			if took := l.Event.Duration(); took > 0 { // a recorded one
				read = ", for " + plain.Duration(took) + read
			}
			w.line(name, "reconciles it at %s, step %d%s", report.Moment(l.Time), l.Step, read)
		case event.WriteSent:
			what := ""
			if w.c.Recording != nil {
				what = ": " + w.c.Recording.Acts[l.Event.Number()].Request
			}
			w.line(name, "writes at %s, step %d%s", report.Moment(l.Time), l.Step, what)
		case event.WriteReturned:
			w.line(name, "is answered at %s, step %d: %s", report.Moment(l.Time), l.Step, answer(l.Event.Code()))
		case event.ObjectWritten:
			w.line(name, "writes at %s, step %d: %s is %s", report.Moment(l.Time), l.Step, w.c.Resource.Table.KeyText(l.Event.Key), wrote[l.Event.Delta])
		case event.ReconcileFailed:
			w.line(name, "fails at %s, step %d", report.Moment(l.Time), l.Step)
		}
	}
}

// answer returns the status of an answer.
func answer(code int) string {
	if code == 0 {
		return "nothing came"
	}
	return strconv.Itoa(code)
}

func (w *whyText) watch(n *cause.Node) {
	if held := n.Find(event.WatchEventHeld); held != nil {
		if l := n.Find(event.WatchEventReceived); l != nil {
			w.line("server", "held back on its way for %s", plain.Duration(l.Time-held.Time))
		}
	}
	if n.Find(event.ListStreamed) != nil {
		if item := effect(n, cause.Item); item != nil {
			w.line("reflector", "in the temporary store of a streaming list until step %d%s", item.Last().Step, relistReason(item))
		}
	}
}

func (w *whyText) delta(n *cause.Node) {
	first := n.First().Event
	var parts []string
	switch first.Kind {
	case event.Enqueued:
		place := "first in the queue"
		if d := first.Depth(); d > 1 {
			place = "behind " + plain.Plural64(int64(d-1), "entry", "entries")
		}
		parts = append(parts, fmt.Sprintf("%v, %s", first.Delta, place))
	case event.DeltaAppended:
		parts = append(parts, fmt.Sprintf("%v, delta %d of its key", first.Delta, first.Length()))
	case event.DeltasDeduplicated:
		parts = append(parts, first.Delta.String())
	}
	for _, o := range n.Merged {
		parts = append(parts, fmt.Sprintf("the Deleted of step %d is merged into it", o.First().Step))
	}
	if n.MergedInto != nil {
		parts = append(parts, fmt.Sprintf("merged into the Deleted of step %d", n.MergedInto.First().Step))
	}
	if l := n.Find(event.Popped); l != nil {
		parts = append(parts, "popped after "+plain.Duration(l.Time-n.First().Time))
	}
	w.line("queue", "%s", strings.Join(parts, ", "))
	for i := range n.Links {
		if text := w.stored(&n.Links[i]); text != "" {
			w.line("cache", "%s", text)
		}
	}
}

// stored says what a delta did to the cache, or "" if the link is about something else.
func (w *whyText) stored(l *cause.Link) string {
	old := w.c.Resource.Table.RVText(l.OldRV)
	switch l.Event.Kind {
	case event.StoreAdded:
		return w.rv(l) + " is added"
	case event.StoreUpdated:
		return old + " → " + w.rv(l)
	case event.StoreDeleted:
		if l.Event.Old == 0 {
			return "nothing to delete"
		}
		return old + " is deleted"
	case event.StoreReplaced:
		switch {
		case l.RV == 0:
			return "the list takes its place and lacks it: " + old + " is gone"
		case l.OldRV == 0:
			return "the list takes its place: " + w.rv(l) + " is added"
		}
		return "the list takes its place: " + old + " → " + w.rv(l)
	}
	return ""
}

// callLine writes the line of a handler's call: when, and where the time went until then.
func (w *whyText) callLine(n *cause.Node, l *cause.Link) {
	path := n.Path()
	for len(path) > 1 && path[0].Step < w.c.Begins.First().Step { // what it came of has a section of its own
		path = path[1:]
	}
	until := path
	for i := range path {
		if path[i].Event.Kind == event.HandlerCalled {
			until = path[:i+1]
		}
	}
	fn := map[event.Delta]string{event.Added: "OnAdd", event.Updated: "OnUpdate", event.Deleted: "OnDelete"}[l.Event.Delta]
	text := fmt.Sprintf("%s at %s, step %d, after %s", fn, report.Moment(l.Time), l.Step, plain.Duration(l.Time-path[0].Time))
	if where := spent(cause.Times(until)); where != "" {
		text += ": " + where
	}
	if p := n.Find(event.ListenerPending); p != nil && p.Event.Pending() > 1 {
		text += "; behind " + plain.Count(int64(p.Event.Pending()-1)) + " pending"
	}
	switch {
	case n.Find(event.HandlerPanicked) != nil:
		text += "; it panicked"
	case n.Find(event.TombstoneIgnored) != nil:
		text += "; it ignored the tombstone"
	case !n.Final:
		text += "; it has not returned"
	case n.Last().Time-l.Time >= 1000:
		text += "; took " + plain.Duration(n.Last().Time-l.Time)
	}
	w.line(w.c.Handlers[n.Handler()].Name, "%s", text)
}

// spent says where time went. It sums up what makes less than a hundredth of it.
func spent(at cause.Spent) string {
	var parts []string
	most, elsewhere := at.Largest()
	for s, ns := range most {
		if ns > 0 {
			parts = append(parts, stationNames[s]+" "+plain.Duration(ns))
		}
	}
	if elsewhere > 0 {
		parts = append(parts, "elsewhere "+plain.Duration(elsewhere))
	}
	return strings.Join(parts, ", ")
}

// stationNames are the words for stations.
var stationNames = [cause.NumStations]string{
	cause.Server: "server", cause.User: "AddEventHandler", cause.Reflector: "reflector", cause.Lock: "waiting for locks", cause.Queue: "queue", cause.Loop: "loop",
	cause.Listener: "pending", cause.Run: "run", cause.Handler: "handler", cause.Workqueue: "workqueue", cause.Worker: "worker", cause.Delaying: "delaying queue",
}

// missed says where a chain stopped before it came to a handler.
func (w *whyText) missed(m cause.Missed, h *report.Handler) string {
	if m.Link == nil && m.Node.Kind == cause.Notification {
		at := m.Node.First().Time
		if h.From > at {
			return "it is added only at " + report.Moment(h.From)
		}
		if h.Until > 0 && h.Until <= at {
			return "it was removed at " + report.Moment(h.Until)
		}
		return "it was no listener then"
	}
	if m.Link == nil {
		return "still " + whereabouts[m.Node.Last().Station()]
	}
	if text := stops[m.Link.Event.Kind]; text != "" {
		return fmt.Sprintf("%s (step %d)", text, m.Link.Step)
	}
	if m.Link.Event.Kind == event.WatchEventSkipped {
		return fmt.Sprintf("%s (step %d)", skips[m.Link.Event.Skip()], m.Link.Step)
	}
	return fmt.Sprintf("it came no further than step %d", m.Link.Step)
}

// whereabouts say where something is that is still on its way.
var whereabouts = [cause.NumStations]string{
	cause.Nowhere: "on its way", cause.Server: "on its way from the server", cause.User: "in the hands of AddEventHandler", cause.Reflector: "in the reflector's hands", cause.Lock: "held up by a lock",
	cause.Queue: "in the queue", cause.Loop: "in the hands of the process loop", cause.Listener: "in pendingNotifications", cause.Run: "in the hands of run",
	cause.Handler: "in the handler", cause.Workqueue: "in the workqueue", cause.Worker: "in the hands of a worker", cause.Delaying: "in the delaying queue",
}

// stops say why a chain stopped at a fact.
var stops = map[event.Kind]string{
	event.WatchEventFiltered: "the client has thrown the event away: the object isn't of its shard",
	event.WatchEventLost:     "the event was lost on its way to the reflector",
	event.ListStreamed:       "a later initial event of the streaming list took its place",
	event.DeltasDeduplicated: "the queue merged it with another Deleted of the key, which goes on",
	event.DeleteIgnored:      "the queue ignores the deletion of a key that neither it nor the cache knows",
	event.SyncSkipped:        "something of the key is queued already, or the cache no longer has it, so the resync passes over it",
	event.ProcessFailed:      "the process function failed, and the delta was lost",
	event.ListenerSkipped:    "it is not marked as syncing, and unchanged objects go only to handlers that are",
	event.ListenerStopped:    "the listener was stopped, and what it had not handed over was lost",
	event.ListFailed:         "the list failed before its objects reached the queue",
	event.WatchFailed:        "the streaming list failed before its objects reached the queue",
	event.WatchErrorReceived: "the streaming list failed before its objects reached the queue",
	event.WatchClosed:        "the watch was closed first",
	event.WatchRequested:     "the watch was closed first",
	event.WatchListFellBack:  "the streaming list failed before its objects reached the queue",
	event.LockReleased:       "the queue refused an object of the list",
	event.StoreListed:        "the cache did not hold it",
	event.ProcessKilled:      "the process was killed first",
}

// skips say why the reflector passed over a watch event.
var skips = map[event.SkipReason]string{
	event.SkipNoMeta:       "the reflector skipped the event: its object has no metadata",
	event.SkipExpectedType: "the reflector skipped the event: its object is of another kind",
	event.SkipUnknownType:  "the reflector skipped the event: it knows no such type",
	event.SkipTransform:    "the reflector skipped the event: the TransformFunc failed",
}

// Reasons are the words for a Relist's Reason.
var Reasons = map[string]string{
	ask.Expired:        "expired (410)",
	ask.WatchError:     "error on the watch",
	ask.VeryShortWatch: "very short watch",
	ask.WatchRefused:   "watch refused",
	ask.WatchClosed:    "watch closed",
	ask.Undecodable:    "what came on the watch can't be decoded",
	ask.ListedAgain:    "listed again, and the recording doesn't say why",
}

// Query is what --why asks for: the chains of a key, or the ones that were on their
// way at one step or at one moment.
type Query struct {
	Key  string
	step int64 // 0 for any
	time int64 // nanoseconds since the capture's start; -1 for any
}

// Parse reads the value of --why: KEY, KEY@STEP or KEY@TIME. The steps are counted from 1.
func Parse(text string) (Query, error) {
	w := Query{Key: text, time: -1}
	i := strings.LastIndexByte(text, '@')
	if i < 0 {
		return w, nil
	}
	key, when := text[:i], text[i+1:]
	if n, err := strconv.ParseInt(when, 10, 64); err == nil && n <= 0 {
		return w, fmt.Errorf("invalid step in %q; want 1 or more", text)
	}
	if step, at, err := Moment(when); err == nil {
		return Query{key, step, at}, nil
	}
	return w, nil // an @ of the key's own
}

// Moment reads a step, counted from 1, or a time since the start, such as 1:23.456 or 83s. The other one is then 0 or -1.
func Moment(text string) (step, at int64, err error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		return n, -1, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return 0, int64(d), nil
	}
	if ns, ok := parseMoment(text); ok {
		return 0, ns, nil
	}
	return 0, -1, fmt.Errorf("invalid moment %q; want a step, such as 120, or a time, such as 1:23.456 or 83s", text)
}

// parseMoment reads what report.Moment prints: 1:23.456 or 1:02:03.
func parseMoment(text string) (ns int64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0.0
	for i, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || f < 0 || i > 0 && f >= 60 || i < len(parts)-1 && strings.Contains(part, ".") {
			return 0, false
		}
		seconds = 60*seconds + f
	}
	if seconds > 1e9 {
		return 0, false
	}
	return int64(seconds*1e9 + 0.5), true
}

// Matches reports whether the chain that begins with n was asked for.
func (w *Query) Matches(n *cause.Node) bool {
	if w.step == 0 && w.time < 0 {
		return true
	}
	first, last, hit := int64(-1), int64(-1), false
	n.Each(func(c *cause.Node) bool {
		for _, l := range c.Links {
			hit = hit || l.Step == w.step
			if first < 0 || l.Time < first {
				first = l.Time
			}
			last = max(last, l.Time)
		}
		return true
	})
	return hit || w.time >= 0 && first <= w.time && (w.time <= last || !n.Done())
}

// Answered returns an error unless some of the chains of the key were asked for. known says what an unknown key would be known from.
func (w *Query) Answered(chains, picked int, known string) error {
	switch {
	case chains == 0:
		return fmt.Errorf("unknown key %q, %s; want NAMESPACE/NAME, or NAME for an object without a namespace", w.Key, known)
	case picked > 0:
		return nil
	}
	return fmt.Errorf("none of the %d chains of %q has anything at that step, or by that time", chains, w.Key)
}

// Follows reports whether the moment that is asked about comes after the chain has begun.
func (w *Query) Follows(n *cause.Node) bool { return n.First().Time <= w.time }
