package test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"syscall"
	"testing"
)

var gigabytes = flag.Float64("gigabytes", 10, "how much JSON the recording of BenchmarkGigabytes has")

// leastGigabytes is how much JSON is worth measuring.
const leastGigabytes = 4

// BenchmarkGigabytes measures the page on a recording that is larger than the memory of a tab: plain, and gzipped. It
// writes the recording on the disk first. Where that has no room, the recording is smaller.
func BenchmarkGigabytes(b *testing.B) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(os.TempDir(), &disk); err != nil {
		b.Fatal(err)
	}
	want := *gigabytes
	if room := float64(disk.Bavail) * float64(disk.Bsize) / 1e9 / 1.5; room < want {
		fmt.Printf("the disk has room for a recording of %.1f GB, and not for one of %.1f GB\n", room, want)
		if want = room; want < leastGigabytes {
			b.Fatalf("at least %d GB are wanted", leastGigabytes)
		}
	}
	for _, name := range []string{"made-up.trace.jsonl", "made-up.trace.jsonl.gz"} {
		b.Run(name, func(b *testing.B) {
			file, size := podsTrace(b, name, int(want*1e9/3_585), 4_500, 3_500)
			stored, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				page, mb := open(b), float64(size)/1e6
				l := load(page, file, mb)
				fmt.Printf("%s: %.1f GB of JSON in a file of %.1f GB\n", name, mb/1e3, float64(stored.Size())/1e9)
				fmt.Printf("  from file to steppable:   %6.0f MB/s, the first step after %.1f s\n", l.speed, l.first*mb/l.speed)
				fmt.Printf("  memory of the page:       %6.0f MB more, %.0f at most (wanted: 1000)\n", l.settled*mb, l.most*mb)
				fmt.Printf("  memory of the browser:    %6.0f MB more\n", l.blobs*mb)
				fmt.Printf("  long tasks while loading: %6v (wanted: none)\n", l.long)
				middle, worst := page.seeks(40)
				fmt.Printf("  seek:                     %6.0f ms at the median, %.0f at worst (wanted: 150 and 300)\n", middle, worst)
				change, flip := page.changes(5)
				fmt.Printf("  change something:         %6.0f ms at the median, %.0f at worst\n", median(change), slices.Max(change))
				fmt.Printf("  show the other future:    %6.0f ms at the median, %.0f at worst\n", median(flip), slices.Max(flip))
			}
		})
	}
}
