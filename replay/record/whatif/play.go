package whatif

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// Play plays lines one after the other: the lines that Do takes, and these:
//
//	create RESOURCE NS/NAME [LABEL=VALUE …], update, patch, delete
//	exists RESOURCE NS/NAME [LABEL=VALUE …]      the same as create
//	advance TIME                                 waits so long
//	advance to TIME, let time pass to TIME       waits until so long after the call of Play
//
// Writes go to the API server at host, past all faults. An object has the labels of its line
// and nothing else; a label that begins with a dot, such as .spec.replicas, is a field. A patch
// writes the labels of its line, removes the ones without a value, and keeps all others.
// The error names the line.
func (f *Faults) Play(ctx context.Context, host, text string) error {
	began := time.Now()
	n := 0
	for line := range strings.Lines(text) {
		n++
		if err := f.play(ctx, host, line, n, began); err != nil {
			return fmt.Errorf("line %d, %s: %w", n, strings.TrimSpace(line), err)
		}
	}
	return nil
}

func (f *Faults) play(ctx context.Context, host, text string, n int, began time.Time) error {
	p, form, err := syntax.Begin(strings.TrimRight(text, "\r\n"), n)
	if err != nil || form == nil {
		return err
	}
	if form.Open {
		return notHere(strings.TrimSpace(text))
	}
	m, err := form.Read(p)
	if err != nil {
		return err
	}
	switch form.Verb {
	case syntax.Exists, syntax.WriteObject:
		w := &writer{f: f, ctx: ctx, host: strings.TrimSuffix(host, "/"), m: m}
		return w.write()
	case syntax.Advance:
		return wait(ctx, time.Duration(m.Command.N))
	case syntax.AdvanceTo, syntax.LetPass:
		return wait(ctx, time.Until(began.Add(time.Duration(m.Command.N))))
	case syntax.CarryOut:
		return f.carryOut(strings.TrimSpace(text), &m.Command, m.Informer.Text)
	}
	return notHere(strings.TrimSpace(text))
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(max(d, 0))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer carries out one line that writes an object.
type writer struct {
	f    *Faults
	ctx  context.Context
	host string
	m    *syntax.Parsed
}

type object = map[string]any

func (w *writer) write() error {
	path, kind, version, err := w.resource()
	if err != nil {
		return err
	}
	if w.m.Command.Kind == world.Create {
		namespace, name := split(w.m.Object.Text)
		meta := object{"name": name}
		if namespace != "" {
			meta["namespace"] = namespace
		}
		o := object{"apiVersion": version, "kind": kind, "metadata": meta}
		w.fill(o)
		_, err := w.send(http.MethodPost, path, o)
		return err
	}
	_, name := split(w.m.Object.Text)
	if w.m.Command.Kind == world.Delete {
		_, err := w.send(http.MethodDelete, path+"/"+name, nil)
		return err
	}
	o, err := w.send(http.MethodGet, path+"/"+name, nil)
	if err != nil {
		return err
	}
	meta, _ := o["metadata"].(object)
	if meta == nil {
		return fmt.Errorf("%s has no metadata", name)
	}
	// An update or a patch is a new version, even if nothing else is written.
	notes, _ := meta["annotations"].(object)
	if notes == nil {
		notes = object{}
	}
	const count = "informerscope/updates"
	before, _ := notes[count].(string)
	times, _ := strconv.Atoi(before)
	times++
	if w.m.Command.Kind == world.Patch {
		patch := object{"metadata": object{"annotations": object{count: strconv.Itoa(times)}}}
		w.fill(patch)
		_, err := w.send(http.MethodPatch, path+"/"+name, patch)
		return err
	}
	notes[count] = strconv.Itoa(times)
	meta["annotations"] = notes
	delete(meta, "labels")
	w.fill(o)
	_, err = w.send(http.MethodPut, path+"/"+name, o)
	return err
}

func split(key string) (namespace, name string) {
	if namespace, name, has := strings.Cut(key, "/"); has {
		return namespace, name
	}
	return "", key
}

// fill gives an object or a patch the labels and fields of the line. In a patch, null removes
// what the line gives no value.
func (w *writer) fill(o object) { fill(o, w.m.Labels, w.m.Command.Kind == world.Patch) }

func fill(o object, pairs []string, patch bool) {
	meta := o["metadata"].(object)
	labels := object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, value := pairs[i], pairs[i+1]
		path, field := strings.CutPrefix(name, ".")
		var v any = value
		if n, err := strconv.ParseInt(value, 10, 64); field && err == nil {
			v = n
		}
		if value == "" && patch {
			v = nil
		}
		if !field {
			labels[name] = v
			continue
		}
		if path == "finalizers" {
			if v != nil {
				v = strings.Split(value, ",")
			}
			meta["finalizers"] = v
			continue
		}
		at := o
		parts := strings.Split(path, ".")
		for _, part := range parts[:len(parts)-1] {
			next, _ := at[part].(object)
			if next == nil {
				next = object{}
				at[part] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = v
	}
	if len(labels) > 0 {
		meta["labels"] = labels
	}
}

// resource finds the path of the objects, their kind and their version, by discovery.
func (w *writer) resource() (path, kind, version string, err error) {
	name, group, _ := strings.Cut(w.m.Kind.Text, ".")
	root := "/api/v1"
	version = "v1"
	if group != "" {
		o, err := w.send(http.MethodGet, "/apis/"+group, nil)
		if err != nil {
			return "", "", "", err
		}
		preferred, _ := o["preferredVersion"].(object)
		version, _ = preferred["groupVersion"].(string)
		root = "/apis/" + version
	}
	o, err := w.send(http.MethodGet, root, nil)
	if err != nil {
		return "", "", "", err
	}
	list, _ := o["resources"].([]any)
	for _, item := range list {
		r, _ := item.(object)
		if r["name"] != name && r["singularName"] != name {
			continue
		}
		name, _ := r["name"].(string)
		kind, _ := r["kind"].(string)
		if namespace, _ := split(w.m.Object.Text); r["namespaced"] == true {
			root += "/namespaces/" + namespace
		}
		return root + "/" + name, kind, version, nil
	}
	return "", "", "", fmt.Errorf("the API server has no %s", w.m.Kind.Text)
}

// send sends a request to the server and returns the answer, which must be a good one.
func (w *writer) send(method, path string, o object) (answer object, err error) {
	b, err := Send(w.ctx, w.f.next, method, w.host+path, o, http.StatusOK)
	if err == nil {
		err = json.Unmarshal(b, &answer)
	}
	return answer, err
}

// Send sends a request with a body in JSON, nil for none, and returns the body of the answer. That of a PATCH is a merge patch. The
// error says what the server said, unless the code of the answer says success or is allowed.
func Send(ctx context.Context, under http.RoundTripper, method, url string, o map[string]any, allowed int) ([]byte, error) {
	var body io.Reader = http.NoBody
	if o != nil {
		b, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := under.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 && resp.StatusCode != allowed {
		var status struct{ Message string }
		json.Unmarshal(b, &status) // the code says enough without
		err = fmt.Errorf("%s %s: %s: %s", method, r.URL.RequestURI(), resp.Status, status.Message)
	}
	return b, err
}
