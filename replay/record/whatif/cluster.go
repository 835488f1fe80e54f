package whatif

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	objects "github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// Line is a line for Faults.Do, and when it is played.
type Line struct {
	At   time.Duration // after the beginning
	Text string
}

// WriteCluster writes what becomes of the objects in a script's run as a trace: a list and a watch of each resource, with no fault.
// Faults are the lines that Faults.Do can do above a Server, and notPlayed are the others, which are about the script's program. No two
// lines and changes have the same time.
func WriteCluster(ctx context.Context, w io.Writer, h *history.History, head trace.Header) (faults []Line, notPlayed []string, err error) {
	x := &cluster{seen: map[string]*lifetime{}}
	if x.start, err = time.Parse(time.RFC3339, head.Start); err != nil {
		return nil, nil, err
	}
	if x.out, err = trace.NewWriter(w, head); err != nil {
		return nil, nil, err
	}
	x.find(h.SeekTo(0))
	x.list(h.SeekTo(0))
	done := script.Outside(h)
	for step := int64(1); step <= h.Steps(); step++ {
		if step%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		at := h.SeekTo(step)
		if len(done) > 0 && done[0].Step == step {
			switch kind, line := done[0].Command.Kind, done[0].Line; {
			case kind == world.Create, kind == world.Update, kind == world.Patch, kind == world.Delete, kind == world.RestoreServer:
			case fault(kind) != nil, serverFaults[kind] != nil:
				x.out.Tick(x.next(at))
				faults = append(faults, Line{time.Duration(x.out.Now()), line})
			case line != "":
				notPlayed = append(notPlayed, line)
			}
			done = done[1:]
		}
		for _, e := range at.Log.Events {
			switch e.Kind {
			case event.ObjectWritten:
				x.wrote(at, e)
			case event.ServerRestored:
				x.list(at)
			}
		}
	}
	return faults, notPlayed, x.end(h.End())
}

// cluster writes the trace of a script's cluster.
type cluster struct {
	out   *trace.Writer
	start time.Time
	kinds []clusterKind
	seen  map[string]*lifetime // by uid
	ids   int64
}

// clusterKind is a resource that is written.
type clusterKind struct {
	testserver.Resource
	informer int   // which has it
	watch    int64 // the ID of the request; 0 for none
}

// lifetime is what is known of an object by its uid.
type lifetime struct {
	created          int64 // in nanoseconds
	apiVersion, kind string
}

// find finds the resources, each once.
func (x *cluster) find(w *world.World) {
	var versions []*apiserver.Versions
	for i := range w.Informers {
		s := w.Simulated(i)
		if s == nil || slices.Contains(versions, s.Config().Versions) {
			continue
		}
		versions = append(versions, s.Config().Versions)
		name, group, version := script.Resource(w.Informers[i].Config().Name)
		x.kinds = append(x.kinds, clusterKind{testserver.KnownResource(group, cmp.Or(version, "v1"), name, trace.Singular(name)), i, 0})
	}
}

// next returns the time of the next change, which is later than the one before it.
func (x *cluster) next(w *world.World) int64 { return max(w.Now(), x.out.Now()+1) }

// list lists and watches each resource, as a client does at the beginning or after the server's etcd came back from a backup.
func (x *cluster) list(w *world.World) {
	for i := range x.kinds {
		k := &x.kinds[i]
		storage := &w.Simulated(k.informer).Storage
		if k.watch != 0 {
			x.out.End(x.next(w), k.watch, "reset", "", nil)
		}
		x.ids += 2
		list := x.ids - 1
		k.watch = x.ids
		rv := strconv.FormatInt(storage.Revision(), 10)
		items := []any{}
		for _, ref := range storage.Objects(nil) {
			items = append(items, x.object(w, k, ref))
		}
		body, err := json.Marshal(object{"kind": k.Kind + "List", "apiVersion": k.GroupVersion(), "metadata": object{"resourceVersion": rv}, "items": items})
		if err != nil {
			panic(err) // it has nothing that JSON can't say
		}
		x.out.Request(x.out.Now(), list, "GET", k.path())
		x.out.Response(x.out.Now(), list, 200, "application/json", "")
		x.out.Body(x.out.Now(), list, body)
		x.out.End(x.out.Now(), list, "eof", "", nil)
		x.out.Request(x.out.Now(), k.watch, "GET", k.path()+"?watch=true&resourceVersion="+rv)
		x.out.Response(x.out.Now(), k.watch, 200, "application/json", "")
	}
}

// wrote writes that an object was written.
func (x *cluster) wrote(w *world.World, e event.Event) {
	for i := range x.kinds {
		k := &x.kinds[i]
		if !slices.Contains(w.Simulated(k.informer).Storage.Written(e.Key, nil), e.New) {
			continue
		}
		typ := "MODIFIED"
		switch e.Delta {
		case event.Added:
			typ = "ADDED"
		case event.Deleted:
			typ = "DELETED"
		}
		o, err := json.Marshal(x.object(w, k, e.New))
		if err != nil {
			panic(err) // as above
		}
		x.out.EventOf(x.next(w), k.watch, typ, o)
		return
	}
}

// end ends the trace.
func (x *cluster) end(now int64) error {
	for _, k := range x.kinds {
		x.out.End(now, k.watch, "recorder-stopped", "", nil)
	}
	return x.out.Err()
}

func (k *clusterKind) path() string {
	return trace.Path{Group: k.Group, Version: k.Version, Resource: k.Name}.All()
}

// object returns a version of an object as JSON has it.
func (x *cluster) object(w *world.World, k *clusterKind, ref objects.Ref) object {
	t := w.Informers[k.informer].Config().Table
	m := t.Meta(ref)
	uid := t.Text(m.UID)
	if x.seen[uid] == nil {
		x.seen[uid] = &lifetime{w.Now(), k.GroupVersion(), k.Kind}
	}
	at := func(ns int64) string { return x.start.Add(time.Duration(ns)).UTC().Format(time.RFC3339) }
	meta := object{"name": t.Text(m.Name), "uid": uid, "resourceVersion": t.RVText(m.RV), "creationTimestamp": at(x.seen[uid].created)}
	if m.Namespace != 0 {
		meta["namespace"] = t.Text(m.Namespace)
	}
	o := object{"apiVersion": k.GroupVersion(), "kind": k.Kind, "metadata": meta}
	var pairs []string
	for _, l := range t.LabelsOf(m.Labels) {
		switch name, value := t.Text(l.Name), t.Text(l.Value); name {
		case apiserver.Created:
		case apiserver.Generation:
			meta["generation"], _ = strconv.ParseInt(value, 10, 64)
		case apiserver.Deletion:
			deleted, _ := apiserver.TimeOf(t, ref, name)
			meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = at(deleted), 0
		case apiserver.Owner:
			name, uid, _ := strings.Cut(value, "#")
			owner := object{"name": name, "uid": uid, "controller": true}
			if object := x.seen[uid]; object != nil {
				owner["apiVersion"], owner["kind"] = object.apiVersion, object.kind
			}
			meta["ownerReferences"] = []any{owner}
		default:
			pairs = append(pairs, name, value)
		}
	}
	fill(o, pairs, false)
	spec, _ := o["spec"].(object)
	if text, _ := spec["selector"].(string); strings.Contains(text, "=") {
		labels := object{}
		for pair := range strings.SplitSeq(text, ",") {
			name, value, _ := strings.Cut(pair, "=")
			labels[name] = value
		}
		if spec["selector"] = labels; k.Group != "" {
			spec["selector"] = object{"matchLabels": labels}
		}
	}
	return o
}
