package follow

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden plays testdata's scripts. A line that is not indented is what the
// world does; those below it are what the Follower answers:
//
//	options [streaming] [page=N] [event=N] [body=N]
//	sent TIME                 the next request, which is shown first
//	head TIME STATUS TYPE [RETRY-AFTER]  (the type without spaces)
//	line TIME TEXT            data with a newline
//	data TIME TEXT            data without
//	end TIME HOW [ERROR]
//	stop TIME
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if got == string(want) {
				return
			}
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s is not what happens (go test -update rewrites it):\n%s", name, firstDifference(string(want), got))
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// play runs a script and returns it with what happened.
func play(t *testing.T, script string) string {
	var written bytes.Buffer
	w, err := trace.NewWriter(&written, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	written.Reset()
	var out strings.Builder
	o := Options{Path: "/api/v1/pods", Random: func() float64 { return 0.5 }}
	var f *Follower
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "    ") {
			continue
		}
		out.WriteString(line + "\n")
		verb, rest, _ := strings.Cut(line, " ")
		if verb == "" || verb == "#" {
			continue
		}
		if verb == "options" {
			setOptions(t, &o, rest)
			continue
		}
		if f == nil {
			f = New(NewLog(w), o)
		}
		at, rest, _ := strings.Cut(rest, " ")
		d, err := time.ParseDuration(at)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		now := int64(d)
		wants := true
		switch verb {
		case "sent":
			r, ok := f.Next()
			fmt.Fprintf(&out, "    next %v %s at %v, within %v\n", ok, r.URL, time.Duration(r.Time), time.Duration(r.Limit))
			f.Sent(now)
		case "head":
			fields := strings.Fields(rest)
			status, _ := strconv.Atoi(fields[0])
			h := Head{Status: status, ContentType: fields[1]}
			if len(fields) > 2 {
				h.RetryAfter = fields[2]
			}
			wants = f.Response(now, h)
		case "line":
			wants = f.Data(now, []byte(rest+"\n"))
		case "data":
			wants = f.Data(now, []byte(rest))
		case "end":
			how, text, _ := strings.Cut(rest, " ")
			f.End(now, hows[how], text)
		case "stop":
			f.Stop(now)
		default:
			t.Fatalf("unknown: %s", line)
		}
		for l := range strings.Lines(written.String()) {
			out.WriteString("    " + l)
		}
		written.Reset()
		if !wants {
			out.WriteString("    wants no more\n")
		}
		s := f.Status()
		fmt.Fprintf(&out, "    %v", s.State)
		if s.Reason != None {
			fmt.Fprintf(&out, " until %v because %v: %s", time.Duration(s.Until), s.Reason, s.Err)
		}
		fmt.Fprintf(&out, "; events %d lists %d relists %d bytes %d\n", s.Events, s.Lists, s.Relists, s.Bytes)
	}
	return out.String()
}

var hows = map[string]Ending{"eof": EOF, "timeout": Timeout, "reset": Reset, "canceled": Canceled, "refused": Refused}

func setOptions(t *testing.T, o *Options, text string) {
	for _, option := range strings.Fields(text) {
		name, value, _ := strings.Cut(option, "=")
		n, err := strconv.Atoi(value)
		switch {
		case name == "streaming":
			o.Streaming = true
		case name == "labels":
			o.LabelSelector = value
		case name == "fields":
			o.FieldSelector = strings.ReplaceAll(value, "_", " ")
		case err != nil:
			t.Fatalf("%s: %v", option, err)
		case name == "page":
			o.PageSize = n
		case name == "event":
			o.MaxEvent = n
		case name == "body":
			o.MaxBody = n
		default:
			t.Fatalf("unknown: %s", option)
		}
	}
}
