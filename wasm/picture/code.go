package picture

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
)

// code tells web/page/code.js which of the engine's source the last step ran, and to what
// it is to be compared. Its words, between spaces, are the program counter, the kind of
// the fact that the sentence tells or 0, the kind of the queue, whether that pops
// batches, the version of client-go, the function of client-go that the program counter
// stands for or "-", and the kinds of all facts.
func (s *Stage) code() string {
	if s.w.Steps() == 0 {
		return ""
	}
	var st step
	st.init(s.w)
	y, _ := st.said()
	p := &s.x.Config().Profile
	queue, batch, version, does := link.DeltaFIFO, "single", p.Versions, atWork[st.pc].in(p)
	if p.InOrder {
		queue = link.RealFIFO
	}
	if p.Batch {
		batch = "batch"
	}
	if i := strings.LastIndex(version, "–"); i >= 0 {
		version = version[i+len("–"):]
	}
	if does == "" {
		does = "-"
	}
	words := []string{strconv.Itoa(int(st.pc)), strconv.Itoa(int(y.of)), queue, batch, version, does}
	for kind := range event.Kind(event.NumKinds) {
		if st.has(kind) {
			words = append(words, strconv.Itoa(int(kind)))
		}
	}
	return strings.Join(words, " ")
}
