package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// FuzzLayout takes away what stands around values, in whatever parts it is read: the
// same must come out, as long as what went in.
func FuzzLayout(f *testing.F) {
	const one = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"5"}}}`
	for _, s := range []string{"[" + one + "," + one + "]", "$ x\n" + one, "2026-11-20T21:06:42Z " + one + "\n2026-11-20T21:06:42Z {", "Nov  2 21:06:42 {\n", `[{"a":"\"]"},[1]]`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, above int) {
		above = min(max(above, 0), len(b))
		for _, l := range []Layout{{Flat: true}, {Flat: true, Level: 1}, {Flat: true, Level: 2}, {Stamps: true}, {Above: int64(above)}, {Above: int64(above), Flat: true, Level: 1}} {
			whole, err := io.ReadAll(l.open(bytes.NewReader(b), &Source{}))
			parts, err2 := io.ReadAll(iotest.OneByteReader(l.open(iotest.OneByteReader(bytes.NewReader(b)), &Source{})))
			if err != nil || err2 != nil || !bytes.Equal(whole, parts) || len(whole) != len(b) {
				t.Errorf("%+v of %q: %q and in parts %q, %v %v", l, b, whole, parts, err, err2)
			}
		}
		if _, n, _ := Stamp(b); n < 0 || n > len(b) || n > longestStamp {
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
