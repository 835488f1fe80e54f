package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// mostStated is how many keys of a queue State names.
const mostStated = 8

// State says in words what a machine holds after its last step: a line for each station, and one for each actor and
// what that does or waits for. Describe says what the step did.
func State(w *world.World) (lines []string) {
	for i, x := range w.Informers {
		cfg := x.Config()
		add := func(parts ...string) { lines = append(lines, strings.Join(parts, "")) }
		if err := x.Crash(); err != nil {
			add("the process has died: ", err.Error())
		}
		add("server: revision ", strconv.FormatInt(w.Revision(i), 10), "; the informer's request is ", x.Server.State().String())
		add("reflector: lastSyncResourceVersion ", strconv.Quote(cfg.Table.RVText(x.LastSyncResourceVersion())), "; HasSynced ", strconv.FormatBool(x.HasSynced()))
		var queued []object.Key
		for at := range min(x.Queue.Depth(), mostStated) {
			if k, _ := x.Queue.Row(at); k != 0 {
				queued = append(queued, k)
			}
		}
		add("queue: ", firstKeys(cfg.Table, queued, x.Queue.Depth()))
		add("cache: objects ", strconv.Itoa(x.Indexer.Len()))
		for j, h := range cfg.Handlers {
			l := &x.Processor.Listeners[j]
			switch {
			case l.Removed:
				add("handler ", h.Name, ": removed")
			case l.Joined:
				add("handler ", h.Name, ": calls so far ", strconv.FormatInt(l.Calls, 10), "; on their way to it ", strconv.Itoa(l.Backlog()), ", in pendingNotifications ", strconv.Itoa(l.Pending()))
			default:
				add("handler ", h.Name, ": not added")
			}
		}
		if q := w.Queue(i); len(q.Ready)+len(q.Waiting)+len(q.Processing) > 0 {
			add("workqueue: ready ", someQueued(cfg.Table, q.Ready), "; delayed ", someQueued(cfg.Table, q.Waiting), "; processing ", firstKeys(cfg.Table, q.Processing, len(q.Processing)))
		}
	}
	for id := range w.Set.Len() {
		if does := doing(w, actor.ID(id)); does != "" {
			lines = append(lines, actorName(w.Informers, w.Set.Role(actor.ID(id)))+": "+does)
		}
	}
	return lines
}

func firstKeys(t *object.Table, queued []object.Key, n int) string {
	text := keys(t, queued[:min(len(queued), mostStated)])
	if n > mostStated {
		text += " and others, " + strconv.Itoa(n) + " in all"
	}
	return text
}

func someQueued(t *object.Table, queued []manager.Queued) string {
	var k []object.Key
	for _, q := range queued[:min(len(queued), mostStated)] {
		k = append(k, q.Key)
	}
	return firstKeys(t, k, len(queued))
}

// doing says what an actor does or waits for, and since when. It is "" for an actor that has not begun or is over.
func doing(w *world.World, id actor.ID) string {
	st, role := w.Set.State(id), w.Set.Role(id)
	x := w.Informers[role.Informer]
	since := ", since " + syntax.TimeText(st.Since)
	switch st.Wait {
	case actor.Stopped:
		return ""
	case actor.Ready:
		return "goes on at once"
	case actor.OnLock:
		return "waits for the lock " + actor.LockID(st.Target).String() + since
	case actor.OnCond:
		return "has nothing to do" + since
	case actor.OnSend:
		return "waits until somebody receives from its channel" + since
	case actor.OnReceive:
		return "waits for something to receive" + since
	case actor.OnTimer:
		return "sleeps" + until(w, id) + since
	case actor.OnServer:
		return "waits for the server" + since
	}
	return "is " + called(x, role) + until(w, id) + since
}

func called(x *informer.Informer, role actor.Role) string {
	switch role.Kind {
	case actor.Run:
		if n := x.HandlerNotification(role); n.Key != 0 {
			return "in a call of the handler for " + x.Config().Table.KeyText(n.Key)
		}
	case actor.Worker:
		if k := x.Work.Workers[role.Index].Key; k != 0 {
			return "in the reconcile of " + x.Config().Table.KeyText(k)
		}
	}
	return "in a call"
}

// until says when a wait is over, if that is known.
func until(w *world.World, id actor.ID) string {
	if at := w.Set.ReadyAt(id); at != actor.Never {
		return " until " + syntax.TimeText(at)
	}
	return ""
}
