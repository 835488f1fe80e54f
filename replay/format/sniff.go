package format

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
)

// longHeader is more than the first line of our own format can be.
const longHeader = 1 << 20

// glance is how much of the beginning is looked at to name what can't be read.
const glance = 256

// sniff finds out what the input is, from its beginning b. It returns how much
// of it that took, 0 if more is needed; at the input's end there is no more.
func (r *Reader) sniff(b []byte, atEnd bool) int {
	if r.offset == 0 && bytes.HasPrefix(b, []byte("\ufeff")) {
		return len("\ufeff")
	}
	if len(b) < glance && b[0] != '{' && !atEnd {
		return 0
	}
	for _, m := range magics {
		if bytes.HasPrefix(b, []byte(m.prefix)) {
			r.err = errors.New(m.says)
			return len(b)
		}
	}
	if space := len(b) - len(bytes.TrimLeft(b, " \t\r\n")); space > 0 {
		r.lines += int64(bytes.Count(b[:space], newline))
		return space
	}
	if b[0] != '{' {
		r.err = unknown(b[:min(len(b), glance)])
		return len(b)
	}
	n := r.line(b)
	if n < 0 {
		if len(b) < longHeader && !atEnd {
			return 0
		}
		n = len(b)
	}
	if n < longHeader && trace.Shallow(b[:n]) && trace.IsHeader(b[:n]) {
		d, err := trace.NewDecoder(r.t, b[:n])
		r.err, r.parts = err, own{d}
		r.lines++
		return min(n+1, len(b))
	}
	r.parts = newValues(r.t)
	if atEnd {
		return 0
	}
	return r.parts.take(r, b)
}

// magics are what files begin with that can't be read, and what to say then.
var magics = []struct{ prefix, says string }{
	{"\x1f\x8b", "it is compressed with gzip, and was not uncompressed, or only once of twice"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd, which is not read here: uncompress it (zstd -d), or compress it with gzip"},
	{"\xfd7zXZ", "it is compressed with xz: uncompress it (xz -d), or compress it with gzip"},
	{"BZh", "it is compressed with bzip2: uncompress it (bzip2 -d), or compress it with gzip"},
	{"PK\x03\x04", "it is a zip archive: unpack it first"},
	{"\xff\xfe", "it is UTF-16 text, as some shells write it: save it as UTF-8"},
	{"\xfe\xff", "it is UTF-16 text, as some shells write it: save it as UTF-8"},
}

const wanted = "looked for a trace of informerscope, a watch stream, " +
	"the output of kubectl get -w --output-watch-events -o json, or a list, all of them JSON"

func unknown(b []byte) error {
	const shown = 40
	s := strconv.QuoteToASCII(string(b[:min(len(b), shown)]))
	switch {
	case bytes.Contains(b, []byte("k8s\x00")):
		return errors.New("it is protobuf: ask the API server for application/json")
	case b[0] == '[':
		return errors.New(wanted + "; it is a JSON array, beginning " + s + ": write its elements one after the other (jq -c '.[]')")
	case bytes.HasPrefix(b, []byte("apiVersion:")), bytes.HasPrefix(b, []byte("object:")), bytes.HasPrefix(b, []byte("---")):
		return errors.New(wanted + "; it is YAML, beginning " + s + ": ask kubectl for -o json")
	}
	return errors.New(wanted + "; it begins " + s)
}
