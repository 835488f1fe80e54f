package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/internal/kubeconfigtest"
	"github.com/informerscope/informerscope/replay/try"
)

// TestTryClient is the client that TestTry tries: it lists configmaps every 200 ms, and gives up at the first error.
func TestTryClient(t *testing.T) {
	if os.Getenv("INFORMERSCOPE_TRY_CLIENT") == "" {
		return // it is a program, and no test
	}
	config, err := kubeconfigtest.Read()
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: config.Transport()}
	for path := "/api/v1/namespaces/informerscope-try"; ; path = "/api/v1/configmaps" { // the namespace is there
		r, err := config.Request(http.MethodGet, path)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(r)
		if err != nil || resp.StatusCode != 200 {
			t.Fatal(resp, err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		<-time.After(200 * time.Millisecond)
	}
}

// TestTry tries a client that only lists: a close is nothing to it, and a 503 its end.
func TestTry(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TRY_CLIENT", "yes")
	command := []string{"--", os.Args[0], "-test.run=^TestTryClient$"}
	folder := filepath.Join(t.TempDir(), "traces")
	var out, errs bytes.Buffer
	status := run(t.Context(), append([]string{"try", "--fast", "--only", "close,503", "--within", "2m", "--traces", folder}, command...), &out, &errs)
	for _, part := range []string{"follows configmaps\n", "yes  recovered after ", "the command ended: exit status ", filepath.Join(folder, "main.trace.jsonl") + " --find 'time() >= "} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not said", part)
		}
	}
	if status != cli.ExitFailed || !strings.Contains(errs.String(), "something is wrong in 1 fault of 2") {
		t.Errorf("status %d:\n%s%s", status, &out, &errs)
	}
	out.Reset()
	status = run(t.Context(), append([]string{"try", "--fast", "--only", "close", "--within", "2m", "-o", "json"}, command...), &out, &errs)
	var r try.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || status != cli.ExitOK || len(r.Verdicts) != 1 || r.Verdicts[0].Result != try.Recovered || !r.Verdicts[0].SentAll {
		t.Errorf("status %d, %v: %s%s", status, err, &out, &errs)
	}
	for _, c := range []struct{ args, says string }{
		{"try", "a command is missing"},
		{"try --only sleep -- x", `unknown fault "sleep"`},
		{"try --within 1ms -- x", "invalid --within"},
		{"try --apply /none -- x", "no such file"},
	} {
		errs.Reset()
		if status := run(t.Context(), strings.Fields(c.args), io.Discard, &errs); status != cli.ExitUsage || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%s: status %d, %s", c.args, status, &errs)
		}
	}
}

// TestTryHelp holds that help tells of each fault as the table does.
func TestTryHelp(t *testing.T) {
	var out bytes.Buffer
	run(t.Context(), []string{"help", "try"}, &out, io.Discard)
	for _, f := range try.Faults() {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), f[0]+" "+f[1]) {
			t.Errorf("help doesn't have %s: %s", f[0], f[1])
		}
	}
}
