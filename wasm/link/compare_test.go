package link

import "testing"

// A second machine resyncs where the first one doesn't, and the other way round. The setup of the first
// one stays what it is.
func TestWithResync(t *testing.T) {
	never := Setup{Profile: "classic", Handlers: []Handler{{Name: "a"}, {Name: "b"}}}
	resyncs := never.WithResync()
	if !resyncs.Resyncs() || resyncs.Resync == 0 || resyncs.Handlers[1].Resync == 0 || never.Resyncs() {
		t.Errorf("%+v becomes %+v", never, resyncs)
	}
	setup := Setup{Handlers: []Handler{{Name: "a", Resync: 5}}}
	if again := setup.WithResync(); again.Resyncs() || !setup.Resyncs() {
		t.Errorf("%+v becomes %+v", setup, again)
	}
	if s := never.WithProfile("current"); s.Profile != "current" || never.Profile != "classic" || len(s.Handlers) != 2 {
		t.Errorf("%+v becomes %+v", never, s)
	}
}
