package driver

import (
	"fmt"
	"strings"
	"testing"
)

// TestAtWork: what a stop and events come to while the process loop is at work, in each version. The random scripts of
// ../live hold the same against client-go.
func TestAtWork(t *testing.T) {
	const (
		begin  = `{"op":"config","gates":{"WatchListClient":false}}` + "\n" + `{"op":"inf.new","indexers":["namespace"]}` + "\n" + `{"op":"inf.addHandler","id":"h"}` + "\n" + `{"op":"inf.start"}` + "\n"
		locked = `{"op":"config","gates":{"UnlockWhileProcessingFIFO":false}}` + "\n" + begin
		delta  = `{"op":"config","gates":{"InOrderInformers":false}}` + "\n" + begin
		stop   = `{"op":"inf.stopAtWork","items":[{"k":"a/x","rv":"1"},{"k":"a/y","rv":"2"}],"rv":"3"}`
		events = `{"op":"inf.list","rv":"3"}` + "\n" + `{"op":"inf.watch"}` + "\n" +
			`{"op":"inf.eventsAtWork","events":[{"t":"ADDED","o":{"k":"a/x","rv":"4"}},{"t":"ADDED","o":{"k":"a/y","rv":"5"}},{"t":"DELETED","o":{"k":"a/x","rv":"6"}}]}`
		gone = `{"op":"inf.list","rv":"3"}` + "\n" + `{"op":"inf.watch"}` + "\n" +
			`{"op":"inf.eventsAtWork","events":[{"t":"DELETED","o":{"k":"a/x","rv":"4"}},{"t":"ADDED","o":{"k":"a/y","rv":"5"}},{"t":"DELETED","o":{"k":"a/x","rv":"6"}}]}`
	)
	for _, c := range []struct {
		what, script, versions string
		want                   string // hasSynced, how far the reflector came, what is stored, what the handler has heard
	}{
		{"a stop", begin + stop, "v0.22.17", "true <nil> [a/x => a/x@1 a/y => a/y@2] [add a/x@1 add a/y@2]"},
		{"a stop", begin + stop, "v0.32.9 v0.33.13", "true <nil> [a/x => a/x@1 a/y => a/y@2] [add(initial) a/x@1 add(initial) a/y@2]"},
		{"a stop", begin + stop, "v0.34.3", "false <nil> [a/x => a/x@1] [add(initial) a/x@1]"},
		{"a stop", begin + stop, "v0.35.3", "true <nil> [a/x => a/x@1 a/y => a/y@2] [add(initial) a/x@1 add(initial) a/y@2]"},
		{"a stop", begin + stop, "v0.36.0 v0.37.2", "false <nil> [a/x => a/x@1 a/y => a/y@2] [add(initial) a/x@1 add(initial) a/y@2]"},
		{"a stop before the last object of a DeltaFIFO", delta + stop, "v0.37.2", "false <nil> [a/x => a/x@1] [add(initial) a/x@1]"},
		{"a stop at the last object of a DeltaFIFO", delta + strings.Replace(stop, `,{"k":"a/y","rv":"2"}`, "", 1), "v0.37.2", "true <nil> [a/x => a/x@1] [add(initial) a/x@1]"},
		{"events", begin + events, "v0.22.17 v0.32.9 v0.33.13 v0.34.3 v0.35.3", "true 4 [a/y => a/y@5] [add a/x@4 add a/y@5 delete a/x@6]"},
		{"events", begin + events, "v0.36.0 v0.37.2", "true 6 [a/y => a/y@5] [add a/x@4 add a/y@5 delete a/x@6]"},
		{"events after the deletion of what isn't stored", begin + gone, "v0.32.9", "true <nil> [a/y => a/y@5] [add a/y@5]"},
		{"events after the deletion of what isn't stored", begin + gone, "v0.33.13 v0.35.3 v0.37.2", "true <nil> [a/y => a/y@5] [delete a/x@4 add a/y@5 delete a/x@6]"},
		{"events with the lock kept", locked + events, "v0.36.0 v0.37.2", "true 4 [a/y => a/y@5] [add a/x@4 add a/y@5 delete a/x@6]"},
	} {
		for _, version := range strings.Fields(c.versions) {
			last := lastOf(t, version, c.script)
			stored, handlers := last["store"].(map[string]any)["items"], last["handlers"].(map[string]any)
			if got := fmt.Sprintf("%v %v %v %v", last["hasSynced"], last["ahead"], stored, handlers["h"].(map[string]any)["notified"]); got != c.want {
				t.Errorf("%s, %s: %s, want %s", c.what, version, got, c.want)
			}
		}
	}
}

// TestSyncedAtWork: from v0.36 on, HasSynced answers while the process loop is at work. With a DeltaFIFO it is true as
// soon as the last object of the first list has been popped, of a handler too, which has not heard of that object. The
// random scripts of ../live hold the same against client-go.
func TestSyncedAtWork(t *testing.T) {
	const (
		begin = `{"op":"inf.new","indexers":["namespace"]}` + "\n" + `{"op":"inf.addHandler","id":"h"}` + "\n" + `{"op":"inf.start"}` + "\n"
		one   = begin + `{"op":"inf.stopAtWork","items":[{"k":"a/x","rv":"1"}],"rv":"3"}`
		two   = begin + `{"op":"inf.stopAtWork","items":[{"k":"a/x","rv":"1"},{"k":"a/y","rv":"2"}],"rv":"3"}`
		list  = `{"op":"config","gates":{"WatchListClient":false}}` + "\n"
		delta = `{"op":"config","gates":{"WatchListClient":false,"InOrderInformers":false}}` + "\n"
	)
	for _, c := range []struct{ version, script, want string }{
		{"v0.35.3", delta + one, "<nil>"},
		{"v0.36.0", delta + one, "[true true]"},
		{"v0.36.0", delta + two, "[false false]"},
		{"v0.37.2", list + one, "[false false]"},
	} {
		if got := fmt.Sprint(lastOf(t, c.version, c.script)["working"]); got != c.want {
			t.Errorf("%s: %s, want %s:\n%s", c.version, got, c.want, c.script)
		}
	}
}
