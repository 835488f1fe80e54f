package recordcmd

import (
	"bytes"
	"testing"

	"github.com/informerscope/informerscope/replay/plain"
)

func TestRecordIsDrawn(t *testing.T) {
	var out bytes.Buffer
	p := &recordProgress{out: &out}
	p.draw([]string{"one", "a line that is too long", "three"}, 10)
	p.draw([]string{"1", "2"}, 10)
	if got, want := out.String(), "one\x1b[K\na line th\x1b[K\nthree\x1b[K\n\x1b[3A\r1\x1b[K\n2\x1b[K\n\x1b[J"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1_250_000: "1.2 MB", 3e12: "3.0 TB"} {
		if got := plain.Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
