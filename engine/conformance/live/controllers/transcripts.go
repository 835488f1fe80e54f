package controllers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Newest is the version whose transcripts have no version in their names.
const Newest = 25

// Transcripts plays the kept scripts to real code: what the newest version printed is in their files, and what another
// version prints is compared with the engine's. Scripts with what a version hasn't are left out. A file of
// a version, such as pq.v0.22.jsonl, has scripts that show how it differs.
func Transcripts(t *testing.T, v *Version) {
	bin := proof.Build(t)
	for _, f := range v.families() {
		proof.Replay(t, f.Name, f.Play, func(s *proof.Transcript) (lines []string, own bool) {
			switch {
			case !v.supports(s.Script):
				return nil, false
			case v.Minor == Newest:
				return s.Out, true
			}
			return f.Engine(t, bin, s.Script), false
		})
		proof.Replay(t, fmt.Sprintf("%s.v0.%d", f.Name, v.Minor), f.Play, nil)
	}
}

// supports reports whether the version has all that a script asks for. Up to v0.18, a panic that nobody asks to be
// recovered would end the process.
func (v *Version) supports(ops []proof.Op) bool {
	text, _ := json.Marshal(ops)
	says := func(part string) bool { return strings.Contains(string(text), part) }
	switch {
	case v.Queue == nil && (says(`"usePQ":true`) || says(`"mgrUsePQ":true`) || says(`"limit.addWithOpts"`)):
		return false
	case v.Minor < 19 && says(`"panic":true`) && !says(`"recover":true`), v.Minor < 22 && says(`"timeoutMs"`):
		return false
	}
	return v.Minor >= 23 || !says(`"results"`) || !says(`"prio":`)
}
