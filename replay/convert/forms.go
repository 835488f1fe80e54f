package convert

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// form is one kind of capture.
type form struct {
	id    string // as it stands in the header's "from", and in the page's catalogue
	title string // as it stands in a refusal: "a watch stream"
	// knows tells by the beginning of the input, uncompressed. At most glance
	// bytes of it are there, which may end anywhere.
	knows func(head []byte) bool
	// suffixes of the names that such files have. They decide where nothing
	// knows what is in the input.
	suffixes []string
	convert  func(c *conversion) error
	// together reads several inputs at once, where they tell of the same things;
	// nil where each stands for itself.
	together func(c *conversion, all []*source) error
}

// forms are tried in this order.
var forms = slices.Concat(archives, logs, texts, yamls)

// sniff finds the format of an input by its beginning, or else by its name.
func sniff(head []byte, name string) (*form, error) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return nil, errors.New("the input is empty")
	}
	for i := range forms {
		if f := &forms[i]; f.knows(head) {
			return f, nil
		}
	}
	if err := refused(head); err != nil {
		return nil, err
	}
	lower := strings.ToLower(name)
	for _, ext := range []string{".gz", ".zst"} {
		lower = strings.TrimSuffix(lower, ext)
	}
	for i := range forms {
		for _, suffix := range forms[i].suffixes {
			if strings.HasSuffix(lower, suffix) {
				return &forms[i], nil
			}
		}
	}
	return nil, unknown(head)
}

// unknown says what was looked for, and what was found.
func unknown(head []byte) error {
	const shown = 40
	var titles []string
	for _, f := range forms {
		if f.title != "" && !slices.Contains(titles, f.title) {
			titles = append(titles, f.title)
		}
	}
	return errors.New("looked for " + strings.Join(titles, ", ") + "; it begins " + strconv.QuoteToASCII(string(head[:min(len(head), shown)])))
}

// refused says what can be done about captures of a kind that can't be read.
func refused(head []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return errors.New(m.says)
		}
	}
	if bytes.Contains(head[:min(len(head), 64)], []byte("k8s\x00")) {
		return errors.New("it is protobuf: ask the API server for JSON, with the header Accept: application/json (client-go: AcceptContentTypes and ContentType of rest.Config; Kubernetes' own components: --kube-api-content-type=application/json)")
	}
	if isPrinted(head) {
		return errors.New("it is what kubectl prints for people, without the objects: ask for them, with kubectl get -w --output-watch-events -o json")
	}
	if head[0] == '[' {
		return errors.New("it is a JSON array: write its elements one after the other (jq -c '.[]')")
	}
	return nil
}

// isPrinted tells whether head begins with kubectl's table, or with names as -o
// name writes them.
func isPrinted(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	columns := strings.Fields(string(line[:min(len(line), 200)]))
	if len(columns) > 1 {
		return slices.Contains(columns[:min(len(columns), 3)], "NAME") && string(line) == strings.ToUpper(string(line))
	}
	kind, name, ok := strings.Cut(strings.TrimRight(string(line), " \r"), "/")
	return ok && isName(kind) && isName(name)
}

// isName tells whether s may be the name of an object or of a resource.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.:") == ""
}

// magics are what files begin with that can't be read, and what to say then.
var magics = []struct{ prefix, says string }{
	{"\x1f\x8b", "it is compressed with gzip too many times over"},
	{"\xfd7zXZ", "it is compressed with xz: uncompress it (xz -d), or compress it with gzip or zstd"},
	{"BZh", "it is compressed with bzip2: uncompress it (bzip2 -d), or compress it with gzip or zstd"},
	{"\xff\xfe", "it is UTF-16 text, as some shells write it: save it as UTF-8"},
	{"\xfe\xff", "it is UTF-16 text, as some shells write it: save it as UTF-8"},
}
