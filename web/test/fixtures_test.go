package test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFile makes a file in the test's temporary folder, gzipped where its name
// says so.
func writeFile(t testing.TB, name string, write func(w io.Writer)) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	var w io.Writer = f
	var z *gzip.Writer
	if strings.HasSuffix(name, ".gz") {
		z, _ = gzip.NewWriterLevel(f, gzip.BestSpeed)
		w = z
	}
	b := bufio.NewWriterSize(w, 1<<20)
	write(b)
	err = b.Flush()
	if z != nil && err == nil {
		err = z.Close()
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// pod is one version of a pod. Beside the fields that the machine reads it has
// about as much text as a real pod.
func pod(key, version int, padding string) string {
	return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","namespace":"load-%d","uid":"00000000-0000-4000-8000-%012d","resourceVersion":"%d",`+
		`"labels":{"app":"web","tier":"t%d"},"annotations":{"load/round":"%d"}},"spec":{"containers":[{"name":"web","image":"nginx:%d"}],"nodeName":"node-%d"},`+
		`"status":{"phase":"Running","message":"%s"}}`, key, key%8, key, version, key%5, version, version%7, key%100, padding)
}

// podsTrace writes a recording of one pods informer: a list of half the keys,
// then watch events a millisecond apart.
func podsTrace(t testing.TB, name string, events, keys, objectSize int) (file string, size int64) {
	t.Helper()
	padding := strings.Repeat("x", max(objectSize-len(pod(0, 0, "")), 0))
	file = writeFile(t, name, func(out io.Writer) {
		w := &counter{w: out}
		fmt.Fprintln(w, `{"informerscope":"trace","version":1,"start":"2026-01-01T00:00:00Z","recorder":"browser tests","server":"v1.36.3"}`)
		fmt.Fprintln(w, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500&resourceVersion=0"}}`)
		fmt.Fprintln(w, `{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}`)
		fmt.Fprint(w, `{"t":2000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"100000"},"items":[`)
		live := make([]bool, keys)
		for k := 0; k < keys; k += 2 {
			live[k] = true
			if k > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprint(w, pod(k, 10000+k, padding))
		}
		fmt.Fprintln(w, `]}}`)
		fmt.Fprintln(w, `{"t":2000001,"id":1,"end":{"how":"eof"}}`)
		fmt.Fprintln(w, `{"t":3000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=100000"}}`)
		fmt.Fprintln(w, `{"t":4000000,"id":2,"resp":{"status":200,"contentType":"application/json"}}`)
		random := uint64(7)
		for i := range events {
			random = random*6364136223846793005 + 1442695040888963407
			k, kind := int(random>>33)%keys, "MODIFIED"
			switch {
			case !live[k]:
				kind = "ADDED"
			case int(random>>20)%10 == 0:
				kind = "DELETED"
			}
			live[k] = kind != "DELETED"
			fmt.Fprintf(w, `{"t":%d,"id":2,"event":{"type":"%s","object":%s}}`+"\n", 5_000_000+i*1_000_000, kind, pod(k, 100001+i, padding))
		}
		size = w.n
	})
	return file, size
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// markup must be shown as text wherever a trace has it.
var markup = []string{
	`<img src=x onerror="window.__owned=1">`,
	`<script>window.__owned=2</script>`,
	`"><svg onload=window.__owned=3>`,
	`javascript:window.__owned=4`,
}

// hostileTrace has markup in every field of a trace that the page may show.
func hostileTrace(t testing.TB) string {
	t.Helper()
	return writeFile(t, "hostile<b>.trace.jsonl", func(w io.Writer) {
		img, script, svg, link := quote(markup[0]), quote(markup[1]), quote(markup[2]), quote(markup[3])
		object := func(rv int) string {
			return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":%s,"namespace":%s,"uid":%s,"resourceVersion":"%d","labels":{"app":%s,%s:%s},"annotations":{%s:%s}},"spec":{"nodeName":%s}}`,
				img, script, svg, rv, script, svg, link, link, img, img)
		}
		fmt.Fprintf(w, `{"informerscope":"trace","version":1,"start":"2026-01-01T00:00:00Z","recorder":%s,"server":%s,"note":%s}`+"\n", img, script, svg)
		fmt.Fprintln(w, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`)
		fmt.Fprintln(w, `{"t":1,"id":1,"resp":{"status":200,"contentType":"application/json"}}`)
		fmt.Fprintf(w, `{"t":2,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[%s]}}`+"\n", object(5))
		fmt.Fprintln(w, `{"t":3,"id":1,"end":{"how":"eof"}}`)
		fmt.Fprintln(w, `{"t":4,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}`)
		fmt.Fprintln(w, `{"t":5,"id":2,"resp":{"status":200,"contentType":"application/json"}}`)
		for i := range 5 {
			fmt.Fprintf(w, `{"t":%d,"id":2,"event":{"type":"MODIFIED","object":%s}}`+"\n", 1_000_000_000*(i+1), object(11+i))
		}
		fmt.Fprintf(w, `{"t":6000000000,"mark":{"text":%s}}`+"\n", img)
		fmt.Fprintf(w, `{"t":6000000001,"id":2,"event":{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":%s,"reason":"Expired","code":410}}}`+"\n", script)
		fmt.Fprintf(w, `{"t":6000000002,"id":2,"end":{"how":"eof","error":%s}}`+"\n", img)
	})
}

// watchStream returns n watch events, one a line, as "kubectl get --raw" prints
// them.
func watchStream(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		kind := "MODIFIED"
		if i < 3 {
			kind = "ADDED"
		}
		fmt.Fprintf(&b, `{"type":"%s","object":%s}`+"\n", kind, pod(i%3, 100+i, ""))
	}
	return b.Bytes()
}
