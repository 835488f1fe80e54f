package syntax_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// A script is the same, whichever way an editor has saved it.
func TestText(t *testing.T) {
	const script = "informer pods\nhandler 处理器\nrun\n"
	sixteen := func(order binary.AppendByteOrder) []byte {
		b := order.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune(script)) {
			b = order.AppendUint16(b, u)
		}
		return b
	}
	for name, b := range map[string][]byte{
		"UTF-8": []byte(script), "with a mark": []byte("\ufeff" + script), "UTF-16": sixteen(binary.LittleEndian), "UTF-16, big endian": sixteen(binary.BigEndian),
		"cut in a character": append(sixteen(binary.LittleEndian), 'x'),
	} {
		if got := syntax.Text(b); got != script || !syntax.LooksLikeScript(got) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestMistypedCommands mistypes the first word of each form.
func TestMistypedCommands(t *testing.T) {
	for _, form := range append(syntax.Forms(func(world.CommandKind) bool { return true }), "profile x", "gate x", "informer x", "controller x", "replicas 2", "run", "step", "advance 1s", "expect x", "queue x", "work x") {
		word, _, _ := strings.Cut(form, " ")
		_, _, err := syntax.Begin(word+"e x", 1)
		if err == nil || !strings.HasSuffix(err.Error(), "did you mean "+word+"?") {
			t.Errorf("%se: %v", word, err)
		}
	}
}
