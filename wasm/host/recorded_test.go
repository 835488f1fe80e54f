package host

import (
	"os"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	filed "github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/wasm/link"
)

// TestRecordedHandlers: the page plays a recording to the handlers that a report finds in it.
// They get as many calls as were recorded, and one is as far behind as it was.
func TestRecordedHandlers(t *testing.T) {
	const dir = "../../replay/report/testdata/recordings/"
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		name := dir + f.Name()
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := filed.Read(in, format.Options{})
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		p := newPage(t)
		var setup link.Setup
		for _, r := range p.ask(link.Open{Name: f.Name()}, recording(t, name)) {
			if o := news[*link.Opened](r); o != nil {
				setup = o.Setup
			}
		}
		setup.Profile = "v0." + f.Name()[2:4]
		p.ask(link.SetUp{Setup: setup}, nil)
		end := p.frame(link.Seek{Step: 1 << 40})
		for i, l := range end.Processor.Listeners {
			if h := recorded.Resources[0].Handlers[i]; l.Name != h.Name || l.Calls != int64(len(h.Calls)) {
				t.Errorf("%s: %s got %d calls, and %s had %d", f.Name(), l.Name, l.Calls, h.Name, len(h.Calls))
			}
		}
		if len(end.Processor.Listeners) != len(recorded.Resources[0].Handlers) {
			t.Errorf("%s: %d handlers", f.Name(), len(end.Processor.Listeners))
		}
	}
}
