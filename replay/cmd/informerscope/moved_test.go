package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// What was a flag of report until it became a command does until v1.0 what the command does, and says
// what to type.
func TestMovedFlags(t *testing.T) {
	const worker = "../../trace/testdata/worker.trace.jsonl"
	said := func(args string) (status int, stdout, stderr string) {
		var out, errs bytes.Buffer
		status = run(t.Context(), strings.Split(args, " "), &out, &errs)
		return status, out.String(), errs.String()
	}
	for old, now := range map[string][2]string{
		"report -q --compare v0.22,v0.36 " + captured036 + " --handler h,from=4s":                  {"compare v0.22,v0.36 " + captured036 + " --handler h,from=4s -q", "compare v0.22,v0.36 FILE"},
		"report --compare v0.22 --compare=v0.36 -o json -q " + captured036:                         {"compare v0.22,v0.36 " + captured036 + " -q --json", "compare v0.22,v0.36 FILE"},
		"report " + captured036 + " -q --against " + captured036 + " --handler h --profile v0.34":  {"compare -q " + captured036 + " --against " + captured036 + " --handler h --profile v0.34", "compare FILE --against " + captured036},
		"report --costs -q --profile v0.26 --drop spec --resource=pods --drop status " + smallPods: {"costs -q --drop spec --resource=pods --drop status " + smallPods, "costs FILE"},
		"report --controller " + worker + " -q --assert stale()==0 --handler x":                    {"controller " + worker + " -q --assert stale()==0", "controller FILE"},
		"report --costs -h": {"costs -h", "costs FILE"},
	} {
		status, out, errs := said(old)
		wantStatus, wantOut, wantErrs := said(now[0])
		first, rest, _ := strings.Cut(errs, "\n")
		if status != wantStatus || out != wantOut || rest != wantErrs || out == "" {
			t.Errorf("%s: %d, %s%s\nwant %d, %s%s", old, status, out, errs, wantStatus, wantOut, wantErrs)
		}
		if !strings.HasPrefix(first, "report --") || !strings.HasSuffix(first, " is a command now, and this spelling works until v1.0: informerscope "+now[1]) {
			t.Errorf("%s: %q", old, first)
		}
	}
	files := map[string][]byte{}
	for _, command := range []string{"report --compare v0.36,v0.22 ", "compare v0.36,v0.22 "} {
		dir := t.TempDir()
		spans, metrics := filepath.Join(dir, "spans.json"), filepath.Join(dir, "metrics.txt")
		if status, out, errs := said(command + captured036 + " -q --handler h,from=4s --perfetto " + spans + " --metrics " + metrics); status != cli.ExitOK || out == "" {
			t.Errorf("%s: %d, %s%s", command, status, out, errs)
		}
		for name, path := range map[string]string{"spans": spans, "metrics": metrics} {
			b, err := os.ReadFile(path)
			if err != nil || len(b) < 1000 {
				t.Errorf("%s writes %d bytes of %s: %v", command, len(b), name, err)
			}
			if had, ok := files[name]; ok && !bytes.Equal(b, had) {
				t.Errorf("%s writes other %s than its old spelling", command, name)
			}
			files[name] = b
		}
	}
	for wrong, want := range map[string]string{
		"compare --perfetto x y --against z":       "two captures are compared with --against",
		"report --costs --find pop() x":            "unknown flag --find",
		"report --controller --why a/b x":          "unknown flag --why",
		"report --compare v0.32,v0.37 --plot 1 x":  "unknown flag --plot",
		"report --costs --controller x":            "report --controller and --costs are commands of their own; give one of them",
		"report --compare v0.1,v0.2 --against y x": "report --against and --compare are commands of their own; give one of them",
		"report --drop spec x":                     "report --drop is a flag of informerscope costs now",
	} {
		if status, _, errs := said(wrong); status != cli.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s", wrong, status, errs)
		}
	}
	if _, help, _ := said("help report"); strings.Contains(help, "--compare") || strings.Contains(help, "--costs") {
		t.Errorf("help shows what has moved:\n%s", help)
	}
	if status, _, errs := said("report --costs=false -q " + smallPods); status != cli.ExitOK || errs != "" {
		t.Errorf("report --costs=false: %d, %s", status, errs)
	}
}
