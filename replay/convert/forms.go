package convert

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/audit"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/har"
	"github.com/informerscope/informerscope/replay/convert/internal/k8shark"
	"github.com/informerscope/informerscope/replay/convert/internal/kwok"
	"github.com/informerscope/informerscope/replay/convert/internal/logs"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/internal/prometheus"
	"github.com/informerscope/informerscope/replay/convert/internal/simkube"
	"github.com/informerscope/informerscope/replay/convert/internal/yaml"
	"github.com/informerscope/informerscope/replay/format/inflate"
)

// forms are tried in this order: those with a beginning of their own, JSON, and YAML, which
// nearly any text is.
var forms = slices.Concat(
	[]capture.Form{k8shark.Form, k8shark.Encrypted, simkube.Form},
	[]capture.Form{audit.Form, logs.Klog, har.Form, logs.Scheduler, traceForm, logs.Controller, prometheus.Form, prometheus.Exposition},
	objects.Forms,
	[]capture.Form{kwok.Form, gcloud},
	yaml.Forms,
)

// gcloud is what gcloud logging read prints of an audit log where nobody asks it for JSON: a document of YAML for each event,
// the newest first.
var gcloud = capture.Form{
	ID: "audit",
	Matches: func(head []byte) bool {
		return yaml.FirstKey(head) == "insertId" && bytes.Contains(head, []byte("\nprotoPayload:"))
	},
	Convert: func(c *capture.Conversion) error {
		var lines bytes.Buffer
		if err := yaml.Documents(c, func(b []byte) error {
			if int64(lines.Len()+len(b)) > c.From.Limits.MaxHeld {
				return capture.Fatal(inflate.LimitError{Err: fault.Plain("unsortedLog")})
			}
			lines.Write(b)
			return lines.WriteByte('\n')
		}); err != nil {
			return err
		}
		s := *c.From
		s.File = func() (io.ReadCloser, error) { return io.NopCloser(&lines), nil }
		s.Layout, s.Progress = capture.Layout{Wraps: &audit.Payload, Sort: true}, &capture.Progress{}
		return c.ReadBy(&s, func() error { return audit.Form.Convert(c) })
	},
}

// Formats returns the identifiers of all formats, as a trace's header has them.
func Formats() []string {
	var ids []string
	for i := range forms {
		if id := forms[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// formOf finds the format of an input by its beginning, nil where no form knows it.
func formOf(head []byte) *capture.Form {
	if len(head) == 0 {
		return nil
	}
	for i := range forms {
		if f := &forms[i]; f.Matches(head) {
			return f
		}
	}
	return nil
}

// sniff finds the format of an input by its beginning, or else by its name, and what
// stands around its values. Loose inputs are among others that may be anything: they
// must be known by their beginning.
func sniff(head []byte, name string, loose bool) (*capture.Form, capture.Layout, error) {
	mark := len(head) - len(bytes.TrimPrefix(head, []byte("\ufeff")))
	plain := bytes.TrimLeft(head[mark:], " \t\r\n")
	if len(plain) == 0 {
		return nil, capture.Layout{}, fault.Plain("emptyInput")
	}
	f := formOf(plain)
	if f != nil && f.ID == logs.Controller.ID {
		if f, l := formWrapped(plain, true, &audit.Payload, &objects.Payload); f != nil {
			return f, l, nil
		}
	}
	if f != nil {
		return f, capture.Layout{}, nil
	}
	if err := magic(head); err != nil {
		return nil, capture.Layout{}, err
	}
	if f, l := withLayout(head, loose); f != nil {
		return f, l, nil
	}
	if err := refused(plain); err != nil {
		return nil, capture.Layout{}, err
	}
	lower := strings.ToLower(name)
	for _, ext := range []string{".gz", ".zst"} {
		lower = strings.TrimSuffix(lower, ext)
	}
	for i := range forms {
		for _, suffix := range forms[i].Suffixes {
			if strings.HasSuffix(lower, suffix) && !loose {
				return &forms[i], capture.Layout{}, nil
			}
		}
	}
	const shown = 40
	line, _, _ := bytes.Cut(plain, []byte{'\n'})
	return nil, capture.Layout{}, fault.New("unknownFormat head", strconv.QuoteToASCII(string(line[:min(len(line), shown)])))
}

// magic says what can be done about files that can't be read, and that begin in a way
// that nothing else does.
func magic(head []byte) error {
	for _, m := range magics {
		if len(head) > m.offset && bytes.HasPrefix(head[m.offset:], []byte(m.prefix)) {
			return m.err
		}
	}
	return nil
}

// refused says what can be done about captures of a kind that can't be read.
func refused(head []byte) error {
	if bytes.Contains(head[:min(len(head), 64)], []byte("k8s\x00")) {
		return fault.Plain("protobuf")
	}
	if isPrinted(head) {
		return fault.Plain("printed")
	}
	for _, p := range printings {
		if p.begins.Match(head) {
			return fault.New("printedText language how", p.language, p.encoder)
		}
	}
	if logs.Timeless(head) || isStern(head) {
		return fault.Plain("logWithoutTimes")
	}
	if packets.Match(head) {
		return fault.Plain("packets")
	}
	if head[0] == '[' {
		return fault.Plain("otherArray")
	}
	return nil
}

// packets is how tcpdump prints one.
var packets = regexp.MustCompile(`(?m)^[\d:.]+ .*\bIP6? .* > .*: Flags \[`)

// printings are what objects look like that programs print without making JSON of them, and how to make it.
var printings = []struct {
	begins            *regexp.Regexp
	language, encoder string
}{
	{regexp.MustCompile(`^(\w+:?\s+)?\[?\s*\{\s*[A-Za-z]+: `), "Node.js", "JSON.stringify(x)"},
	{regexp.MustCompile(`^(class V\d\w+ \{|(?:[^(\n]{0,120} )?[A-Z]\w+\((apiVersion|additionalProperties|type|action)=)`), "Java", "new io.kubernetes.client.openapi.JSON().serialize(x), or io.fabric8.kubernetes.client.utils.Serialization.asJson(x)"},
	{regexp.MustCompile(`(?m)^([^{\n]{0,120} )?\{'(api_version|apiVersion|kind|metadata|type)': `), "Python", "json.dumps(x, default=str)"},
	{regexp.MustCompile(`^([^{\n]{0,120} )?&?([a-z0-9]+\.)?[A-Z]?\w*\{(TypeMeta|ObjectMeta|Type|ListMeta):`), "Go", "json.Marshal(x)"},
	{regexp.MustCompile(`^[^{\n]{0,120}\w+ \{ metadata: ObjectMeta \{`), "Rust", "serde_json::to_string(&x)"},
}

// isPrinted reports whether head is kubectl's table or what kubectl describe writes, perhaps below a prompt, or begins with
// names as -o name writes them.
func isPrinted(head []byte) bool {
	for n, line := range bytes.SplitN(head, []byte{'\n'}, maxAbove) {
		text := strings.TrimSpace(string(line[:min(len(line), 200)]))
		columns := strings.Fields(text)
		if len(columns) > 1 {
			described := columns[0] == "Name:" && bytes.Contains(head, []byte("\nNamespace: "))
			if described || (slices.Contains(columns[:min(len(columns), 3)], "NAME") || columns[0] == "LAST") && text == strings.ToUpper(text) {
				return true
			}
		} else if kind, name, ok := strings.Cut(text, "/"); n == 0 && ok && isName(kind) && isName(name) {
			return true
		}
	}
	return false
}

// isStern reports whether head begins with lines of containers' logs as stern prints them:
// as JSON, or each after the names of its pod and its container. The pod's name must end as
// a name that Kubernetes has made. A line that begins with a plus or a minus says that a log
// begins or ends. kubectl logs --prefix prints [pod/NAME/CONTAINER].
func isStern(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if line = line[:min(len(line), 4000)]; line[0] == '{' {
		return bytes.Contains(line, []byte(`"podName":"`)) && bytes.Contains(line, []byte(`"containerName":"`))
	}
	words := strings.Fields(string(line))
	if bytes.HasPrefix(line, []byte("[pod/")) || len(words) > 3 && (words[0] == "+" || words[0] == "-") && (words[2] == "›" || words[2] == ">") {
		return true
	}
	for i := 0; i < 2 && i+1 < len(words); i++ { // the namespace may stand before the pod
		if ofPod(words[i]) && isName(words[i+1]) && !strings.HasSuffix(words[i+1], ":") {
			return true
		}
	}
	return false
}

// ofPod reports whether s is the name of a pod, to go by the five letters or the number
// at its end that a controller has made.
func ofPod(s string) bool {
	dash := strings.LastIndexByte(s, '-')
	if dash <= 0 || !isName(s) || strings.ContainsAny(s, ":.") {
		return false
	}
	end := s[dash+1:]
	if strings.Trim(end, "0123456789") == "" {
		return end != "" && len(end) < 3
	}
	return len(end) == 5 && strings.Trim(end, "bcdfghjklmnpqrstvwxz2456789") == "" // rand.String of apimachinery has these letters
}

// isName reports whether s may be the name of an object or of a resource.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.:") == ""
}

// magics are what files begin with, at a place, that can't be read, and what to say
// then.
var magics = []struct {
	offset int
	prefix string
	err    fault.Plain
}{
	{0, "\x1f\x8b", fault.Plain("gzippedOften")},
	{0, "\xfd7zXZ", fault.Plain("xz")},
	{0, "BZh", fault.Plain("bzip2")},
	{0, "\x04\x22\x4d\x18", fault.Plain("lz4")},
	{0, "\x1e{", fault.Plain("jsonSequence")},
	{0, "data: {", fault.Plain("eventStream")},
	{0, "data:{", fault.Plain("eventStream")},
	{0, "event: ", fault.Plain("eventStream")},
	{0, "7z\xbc\xaf\x27\x1c", fault.Plain("sevenZip")},
	{16, "\xed\xda\x0c\xed", fault.Plain("etcdSnapshot")},
}

// maxAbove is how many lines may stand above the first value.
const maxAbove = 100

// withLayout finds the format of an input that no form knows by its beginning. It tries
// what is left when a layout is taken away. Of loose inputs, which may be anything, no lines
// above the first value are passed over.
func withLayout(head []byte, loose bool) (*capture.Form, capture.Layout) {
	plain := bytes.TrimLeft(head, " \t\r\n")
	if f, l := formWithin(plain); f != nil {
		return f, l
	}
	if f := formStamped(head); f != nil && !loose {
		return f, capture.Layout{Stamps: true}
	}
	var titled *capture.Form // its first value stands below a line that says what happened to it
	var below, l capture.Layout
	for at := 0; l.Lines < maxAbove && !loose; {
		n := bytes.IndexByte(head[at:], '\n')
		if n < 0 {
			break
		}
		says := objects.SaysVerb(head[at : at+n])
		cut := l.Cut || bytes.Contains(head[at:at+n], []byte(`":`)) || bytes.HasSuffix(bytes.TrimRight(head[at:at+n], "\r"), []byte{'}'})
		at += n + 1
		l = capture.Layout{Above: int64(at), Lines: l.Lines + 1, Cut: cut}
		if rest := head[at:]; beginsValue(rest) {
			switch f := formOf(rest); {
			case f != nil && !says && titled == nil:
				return f, l
			case f != nil && !says:
				return titled, below // values without titles follow, and the first of them stood below a title by chance
			case titled == nil:
				titled, below = f, l
			}
			if f, within := formWithin(rest); f != nil {
				l.Flat, l.Level = within.Flat, within.Level
				return f, l
			}
		}
	}
	if titled != nil {
		if f, l := formWrapped(plain, true, &objects.Payload); f != nil {
			return f, l
		}
		return titled, below
	}
	return formWrapped(plain, false, payloads...)
}

// payloads are what captures may be made of that are wrapped, and tried in this order.
var payloads = []*capture.Payload{&audit.Payload, &objects.Payload, &logs.Payload}

// formWrapped finds the format of what the lines of an input are wrapped around. most asks for it in most of the lines.
func formWrapped(head []byte, most bool, payloads ...*capture.Payload) (*capture.Form, capture.Layout) {
	for _, p := range payloads {
		lines, l, inMost := capture.Unwrapped(head, p)
		if l.Wraps == nil || most && !inMost {
			continue
		}
		first := lines[0] != '\n'
		lines = bytes.TrimLeft(lines, "\n")
		if b, ok := capture.Unstamp(lines); ok && p == &objects.Payload {
			lines, l.Stamps = bytes.TrimLeft(b, " "), true
		}
		switch f := formOf(lines); {
		case f != nil:
			return f, l
		case p == &logs.Payload && inMost: // any text, with times
			return &logs.Controller, l
		case p == &logs.Payload && first && l.Level == 0: // below its lines stand longer ones
			if at, _, _ := capture.Stamp(head); !at.IsZero() {
				return &logs.Controller, capture.Layout{}
			}
		}
	}
	return nil, capture.Layout{}
}

// beginsValue reports whether b may begin with JSON or YAML.
func beginsValue(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch yaml.FirstKey(b[:min(len(b), 40)]) {
	case "apiVersion", "items", "kind", "object":
		return true
	}
	return b[0] == '{' || b[0] == '['
}

// formWithin returns the format of the elements of the array that head begins with, and the layout of
// that array. It returns nil where head doesn't begin with one.
func formWithin(head []byte) (*capture.Form, capture.Layout) {
	if len(head) == 0 || head[0] != '[' {
		return nil, capture.Layout{}
	}
	f := formOf(bytes.TrimLeft(capture.Flattened(head, 1), " \n"))
	if f == nil || f.Overlays {
		return nil, capture.Layout{}
	}
	return f, capture.Layout{Flat: true, Level: 1}
}

// formStamped returns the format of head without the times before its lines, nil where
// there are none.
func formStamped(head []byte) *capture.Form {
	b, ok := capture.Unstamp(head)
	if !ok {
		return nil
	}
	if f := formOf(bytes.TrimLeft(b, " \r\n\t")); f != nil && !f.ByLine {
		return f
	}
	return nil
}
