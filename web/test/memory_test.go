package test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// settled returns the memory of the pages once it has not changed for two
// seconds. After a capture is open, the browser compiles code and frees memory
// for seconds, and the page looks for damage.
func (b *tab) settled() float64 {
	b.t.Helper()
	last, same := b.memory("renderer"), 0
	for range 40 {
		eval[bool](b, `new Promise(done => setTimeout(() => done(true), 500))`)
		now := b.memory("renderer")
		if same++; math.Abs(now-last) >= 1 {
			last, same = now, 0
		}
		if same == 4 {
			break
		}
	}
	return last
}

// memory returns the memory of the browser's processes of a kind, in MB. A
// "renderer" shows pages and runs their workers; the "browser" holds the bytes
// of their Blobs.
func (b *tab) memory(kind string) float64 {
	b.t.Helper()
	return resident(b.processes(kind))
}

// peak measures that memory all the time. It returns a function that stops it
// and returns the greatest value.
func (b *tab) peak(kind string) func() float64 {
	b.t.Helper()
	processes, end, most := b.processes(kind), make(chan bool), make(chan float64)
	go func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		high := 0.0
		for {
			select {
			case <-tick.C:
				high = max(high, resident(processes))
			case <-end:
				most <- high
				return
			}
		}
	}()
	return func() float64 { close(end); return <-most }
}

func (b *tab) processes(kind string) (ids []int64) {
	b.t.Helper()
	r, err := chromedp.CallBrowser(b.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	b.must(err)
	for _, p := range r.ProcessInfo {
		if p.Type == kind {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// resident returns the resident memory of processes, in MB.
func resident(processes []int64) float64 {
	var kb int64
	for _, id := range processes {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
		if err != nil {
			continue // it has ended meanwhile
		}
		for line := range strings.Lines(string(status)) {
			if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				n, _ := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
				kb += n
			}
		}
	}
	return float64(kb) / 1e3
}
