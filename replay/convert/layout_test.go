package convert

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

// FuzzConvert converts two files that may be anything, one of them loose, and checks
// that what is written are whole lines of JSON in UTF-8.
func FuzzConvert(f *testing.F) {
	one := addedEvent(pod("a", "1", "5"))
	list := podList("10", pod("a", "1", "3"), pod("b", "2", "4"))
	seed := func(a, b string) { f.Add([]byte(a), []byte(b)) }
	seed(list, podList("20", pod("b", "2", "14")))
	seed("["+list+","+list+"]", "2026-11-20T21:06:42Z "+one)
	seed("$ kubectl get pods\n"+one, string(gzipped([]byte(list))))
	seed(kubectlList(pod("a", "1", "3")), kubectlList())
	seed("\xff\xfe{\x00", pod("a", "1", "3"))
	for _, files := range archiveSamples() {
		f.Add(tarOf(f, files[:2]), zipOf(f, files[:2]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		loose := text("dir/b", string(b))
		loose.Loose = true
		var out bytes.Buffer
		_, err := Convert(&out, []Input{text("a", string(a)), loose}, Options{MaxLine: 1 << 20, MaxInflated: 4 << 20, MaxHeld: 1 << 20, MaxObjects: 1000})
		if err != nil && strings.Contains(err.Error(), "Go ") {
			t.Errorf("the error has Go's words: %v", err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || !utf8.Valid(line) || line[len(line)-1] != '\n' {
				t.Fatalf("not a line of a trace: %.300q", line)
			}
		}
	})
}

// FuzzLayout takes away what stands around values, in whatever parts it is read: the
// same must come out, as long as what went in.
func FuzzLayout(f *testing.F) {
	one := strings.TrimSpace(addedEvent(pod("a", "1", "5")))
	for _, s := range []string{"[" + one + "," + one + "]", "$ x\n" + one, "2026-11-20T21:06:42Z " + one + "\n2026-11-20T21:06:42Z {", "Nov  2 21:06:42 {\n", `[{"a":"\"]"},[1]]`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, above int) {
		above = min(max(above, 0), len(b))
		for _, l := range []layout{{array: true}, {array: true, compact: true}, {stamps: true}, {above: int64(above)}, {above: int64(above), array: true}} {
			whole, err := io.ReadAll(l.open(bytes.NewReader(b), &stamps{}))
			parts, err2 := io.ReadAll(iotest.OneByteReader(l.open(iotest.OneByteReader(bytes.NewReader(b)), &stamps{})))
			if err != nil || err2 != nil || !bytes.Equal(whole, parts) || len(whole) != len(b) {
				t.Errorf("%+v of %q: %q and in parts %q, %v %v", l, b, whole, parts, err, err2)
			}
		}
		if _, n, _ := stamp(b); n < 0 || n > len(b) || n > longestStamp {
			t.Errorf("%q has a time of %d bytes", b, n)
		}
	})
}

// FuzzUTF16 decodes as unicode/utf16 does.
func FuzzUTF16(f *testing.F) {
	f.Add([]byte("{\x00}\x00"))
	f.Add([]byte("\x3d\xd8\x00\xde\x3d\xd8"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var units []uint16
		for i := 0; i+2 <= len(b); i += 2 {
			units = append(units, binary.LittleEndian.Uint16(b[i:]))
		}
		want := string(utf16.Decode(units))
		for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
			got, err := io.ReadAll(&utf16Reader{r: r, order: binary.LittleEndian})
			odd := ""
			if len(b)%2 == 1 {
				odd = "\ufffd"
			}
			if s := replaced(got); err != nil || s != want+odd {
				t.Errorf("%q: %q, not %q, %v", b, s, want+odd, err)
			}
		}
	})
}

// replaced is b with each byte that isn't UTF-8 as the replacement character.
func replaced(b []byte) string {
	var s strings.Builder
	for _, c := range string(b) {
		s.WriteRune(c)
	}
	return s.String()
}
