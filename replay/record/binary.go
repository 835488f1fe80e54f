package record

import (
	"fmt"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/metadata"
	"github.com/informerscope/informerscope/replay/trace"
)

// frames takes the events out of a stream of protobuf or CBOR. After a frame that can't be read,
// nobody can tell where the next one begins.
func (r *Recorder) frames(x *exchange, t int64, chunk []byte) {
	if x.skip {
		return
	}
	if r.hold(x, t, chunk); x.skip {
		x.left = "what came after something was left out of a watch that is not JSON"
		return
	}
	rest := x.part
	for len(rest) > 0 {
		n, err := metadata.Frame(x.form, rest, r.o.Memory/8)
		if n == 0 && err == nil {
			break
		}
		if err == nil {
			r.made, err = r.object.AppendEvent(r.made[:0], x.form, rest[:n])
		}
		if err != nil {
			r.leaveOut(x, t, err.Error())
			x.left = "what came after something was left out of a watch that is not JSON"
			return
		}
		r.log.Event(t, x.id, r.made)
		rest = rest[n:]
	}
	r.held -= len(x.part) - len(rest)
	x.part = x.part[:copy(x.part, rest)]
}

// binaryBody writes the metadata of a whole answer in protobuf or CBOR.
func (r *Recorder) binaryBody(x *exchange, t int64, how follow.How, b []byte) (bad string) {
	var err error
	if r.made, err = r.object.AppendAnswer(r.made[:0], x.form, b, r.o.Memory/8); err == nil {
		r.log.Body(t, x.id, r.made)
	} else if how == follow.EOF && len(b) > 0 {
		bad = fmt.Sprintf("%s, %d bytes of %s", err, len(b), x.media)
	}
	if cap(r.made) > shrinkAbove {
		r.made = nil
	}
	return bad
}

// remark says of a resource, once, that its objects are not recorded whole.
func (r *Recorder) remark(x *exchange, t int64) {
	if _, said := r.remarked[x.resource]; said || x.status >= 300 {
		return
	}
	r.remarked[x.resource] = struct{}{}
	r.log.Remark(t, trace.Remark{ID: trace.MetadataAlone, Detail: x.resource})
}
