package files

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	b := &Bar{out: &out, width: func() int { return 80 }, now: func() time.Time { return now }, began: now}
	now = now.Add(time.Second)
	b.Set(25e6, 100e6)
	want := "\r[=======                       ]  25 %  25.0 MB of 100.0 MB, 25.0 MB/s, 3s left\x1b[K"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for range 50 { // no more than ten times a second
		now = now.Add(10 * time.Millisecond)
		b.Set(30e6, 100e6)
	}
	if n := strings.Count(out.String(), "\r"); n != 6 {
		t.Errorf("drawn %d times in half a second after the first", n-1)
	}
	b.Done()
	b.Set(100e6, 100e6)
	if !strings.HasSuffix(out.String(), "\x1b[K\r\x1b[K") {
		t.Errorf("it is not taken away: %q", &out)
	}
	b.width = func() int { return 20 }
	if got := b.line(7, 10, time.Second); got != "70 %  7 B of 10 B, 7 B/s, 0s left" {
		t.Errorf("narrow: %q", got)
	}
	if got := b.line(7000, 0, time.Second); got != "7.0 kB read, 7.0 kB/s" {
		t.Errorf("without a total: %q", got)
	}
	if NewBar(&out, false) != nil {
		t.Error("a bar on something that is no terminal")
	}
	(*Bar)(nil).Set(1, 2)
	(*Bar)(nil).Done()
}
