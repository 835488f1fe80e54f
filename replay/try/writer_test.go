package try

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// controller is what a follower that writes knows: it keeps a Service for each ConfigMap of the script, with what the script wrote.
// It is right unless it is told a word for a mistake:
//
//	twice    it forgets at a relist what it has created, and creates it under another name
//	forgets  it doesn't look at what it gets by a list after the first
//	reverts  it writes back what it knows when its watch ends, whatever the server has
//	random   it makes up the Service's name (which is right)
//	gives-up it doesn't repeat a write that was refused
//	unowned  it deletes the Service of what it sees deleted, and no garbage collector does
type controller struct {
	known   map[string]object // by name
	made    map[string]string // the value that was written
	relists int
}

// text returns the text at a path of an object.
func text(o object, path ...string) string {
	for _, name := range path[:len(path)-1] {
		o, _ = o[name].(object)
	}
	s, _ := o[path[len(path)-1]].(string)
	return s
}

// listed takes in a page of a list.
func (f *follower) listed(first, last bool, items []object) {
	if !f.expect("writes") {
		return
	}
	if first {
		f.known = map[string]object{}
		if f.relists++; f.made == nil || f.expect("twice") {
			f.made = map[string]string{}
		}
	}
	for _, o := range items {
		f.take(o, f.expect("forgets") && f.relists > 1)
	}
	if last {
		maps.DeleteFunc(f.made, func(name, _ string) bool { return f.known[name] == nil })
	}
}

// event takes in an event of a watch.
func (f *follower) event(line []byte) {
	var e struct {
		Type   string
		Object object
	}
	if !f.expect("writes") || json.Unmarshal(line, &e) != nil {
		return
	}
	if f.known == nil {
		f.known, f.made = map[string]object{}, map[string]string{}
	}
	switch name := text(e.Object, "metadata", "name"); e.Type {
	case "ADDED", "MODIFIED":
		f.take(e.Object, false)
	case "DELETED":
		delete(f.known, name)
		delete(f.made, name)
		if f.expect("unowned") {
			f.write(http.MethodDelete, "services/"+name+"-copy", nil)
		}
	}
}

// take takes in an object, and writes its Service unless it isn't looked at.
func (f *follower) take(o object, skip bool) {
	name, value := text(o, "metadata", "name"), text(o, "metadata", "annotations", annotation)
	f.known[name] = o
	was, made := f.made[name]
	if skip || !strings.HasPrefix(name, "try-") || made && was == value {
		return
	}
	child := name + "-copy"
	if f.expect("random") {
		child = name + "-" + text(o, "metadata", "uid")[:8]
	}
	meta := object{"name": child}
	if !f.expect("unowned") {
		meta["ownerReferences"] = []object{{"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": text(o, "metadata", "uid"), "controller": true}}
	}
	service := object{"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": object{"type": "ExternalName", "externalName": value}}
	if f.expect("twice") && !made {
		delete(meta, "name")
		meta["generateName"] = name + "-"
		delete(service, "spec")
	} else if f.expect("twice") {
		return
	}
	code := f.write(http.MethodPost, "services", service)
	if code == http.StatusConflict {
		code = f.write(http.MethodPut, "services/"+child, service)
	}
	if code < 300 {
		f.made[name] = value
	}
}

// ended is called when a watch has ended.
func (f *follower) ended() {
	if !f.expect("reverts") {
		return
	}
	for name, o := range f.known {
		delete(o["metadata"].(object), "resourceVersion")
		f.write(http.MethodPut, "configmaps/"+name, o)
	}
}

// write writes an object of the script's namespace until it isn't refused for a while, and returns the answer's code.
func (f *follower) write(method, path string, o object) int {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	for ; ; <-time.After(100 * time.Millisecond) {
		r, err := f.Request(method, "/api/v1/namespaces/"+namespace+"/"+path)
		if err != nil {
			panic(err)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
		r.Header.Set("Content-Type", "application/json")
		if resp, err := f.Do(r); err == nil {
			resp.Body.Close()
			if code := resp.StatusCode; f.expect("gives-up") || code != http.StatusTooManyRequests && code != http.StatusServiceUnavailable {
				return code
			}
		}
	}
}
