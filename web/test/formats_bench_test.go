package test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// told is one watch event, for the formats to write.
type told struct {
	kind   string // ADDED, MODIFIED
	n      int    // its number
	object string
}

var began = time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC)

// at is the time of the event. Events are as far apart as the page assumes
// where a format has no times, so the engine has the same work in all formats.
func (e told) at() time.Time { return began.Add(time.Duration(e.n) * 10 * time.Millisecond) }

// lineFormats are the formats that write an event as a line. The others are
// measured against the first one.
var lineFormats = []struct {
	name  string
	write func(w io.Writer, e told)
}{
	{"pods.watch.ndjson", func(w io.Writer, e told) { fmt.Fprintf(w, `{"type":"%s","object":%s}`+"\n", e.kind, e.object) }},
	{"kubectl.json", func(w io.Writer, e told) {
		object := strings.Replace(e.object, `"kind":"Pod","apiVersion":"v1",`, `"apiVersion":"v1","kind":"Pod",`, 1)
		fmt.Fprintf(w, `{"object":%s,"type":"%s"}`+"\n", object, e.kind)
	}},
	{"own.trace.jsonl", func(w io.Writer, e told) {
		if e.n == 0 {
			io.WriteString(w, `{"informerscope":"trace","version":1}`+"\n"+`{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`+"\n")
		}
		fmt.Fprintf(w, `{"t":%d,"id":1,"event":{"type":"%s","object":%s}}`+"\n", e.at().Sub(began), e.kind, e.object)
	}},
	{"bare.json", func(w io.Writer, e told) { io.WriteString(w, e.object+"\n") }},
	{"audit.log", func(w io.Writer, e told) {
		verb, code := "update", 200
		if e.kind == "ADDED" {
			verb, code = "create", 201
		}
		at := e.at().Format("2006-01-02T15:04:05.000000Z")
		fmt.Fprintf(w, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/load-0/pods/x","verb":"%s",`+
			`"user":{"username":"admin"},"objectRef":{"resource":"pods","namespace":"load-0","name":"x","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d},"responseObject":%s,`+
			`"requestReceivedTimestamp":"%s","stageTimestamp":"%s"}`+"\n", e.n, verb, code, e.object, at, at)
	}},
	{"scheduler.jsonl", func(w io.Writer, e told) {
		event := map[string]string{"ADDED": "Add", "MODIFIED": "Update"}[e.kind]
		fmt.Fprintf(w, `{"time":"%s","event":"%s","resource":%s}`+"\n", e.at().Format(time.RFC3339Nano), event, e.object)
	}},
	{"sieve.log", func(w io.Writer, e told) {
		object := strings.Replace(e.object, `"kind":"Pod","apiVersion":"v1",`, "", 1)
		fmt.Fprintf(w, "%s [SIEVE-API-EVENT]\t%s\t/pods/load/x\tpod\tload\tx\t%s\n", e.at().Format("2006/01/02 15:04:05"), e.kind, object)
	}},
}

// BenchmarkFormats reads the same events in each of lineFormats. The formats
// take turns, because a shared machine is faster at one moment than at another.
// The result is the median of a format's speeds, each as a part of the watch
// stream's speed in the same turn.
func BenchmarkFormats(b *testing.B) {
	const events, keys, objectSize, rounds = 45_000, 4_500, 4_000, 5 // as in the large capture of pods
	padding := strings.Repeat("x", objectSize-len(pod(0, 0, "")))
	files := make([]string, len(lineFormats))
	for i, f := range lineFormats {
		files[i] = writeFile(b, f.name, func(w io.Writer) {
			for i := range events {
				e := told{"MODIFIED", i, pod(i%keys, 100_000+i, padding)}
				if i < keys {
					e.kind = "ADDED"
				}
				f.write(w, e)
			}
		})
	}
	for b.Loop() {
		speeds := make([][]float64, len(lineFormats))
		for range rounds {
			for i, f := range lineFormats {
				info, err := os.Stat(files[i])
				if err != nil {
					b.Fatal(err)
				}
				b.Run(f.name, func(b *testing.B) {
					speeds[i] = append(speeds[i], float64(info.Size())/1e3/readIn(b, files[i], f.name))
				})
			}
		}
		for i, f := range lineFormats {
			var share []float64
			for round, speed := range speeds[i] {
				share = append(share, speed/speeds[0][round])
			}
			fmt.Printf("reading %-19s %6.0f MB/s = %3.0f %% of the watch stream's (wanted: 60)\n", f.name+":", median(speeds[i]), median(share)*100)
		}
	}
}

// readIn opens a file in a page that has the converting program already,
// because it has converted another file. It returns the milliseconds until the
// file can be stepped to its end.
func readIn(b *testing.B, file, name string) float64 {
	page := open(b)
	page.loaded()
	page.upload(onFile, testdata(b, "format/testdata/kubectl-get-pods-w-noevents.json.gz"))
	page.opened("kubectl-get-pods-w-noevents")
	times := page.opening(file)
	if !strings.Contains(page.text("body"), name) {
		b.Fatalf("%s did not open: %s", name, page.text("body"))
	}
	return times.End - times.Chosen
}
