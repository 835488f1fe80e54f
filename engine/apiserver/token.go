package apiserver

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
)

// A continue token says at which revision a list goes on, and after which key.
// Revision -1 is "whatever there is now": the rest of a list whose revision was
// compacted away, and which is therefore not consistent with its beginning.
// Clients must treat it as opaque; it is written as real servers write it, in
// base64 of a little JSON, so that an inspector shows what one would see.

const (
	tokenHead  = `{"v":"meta.k8s.io/v1","rv":`
	tokenStart = `,"start":`
)

func token(t *object.Table, rev int64, after object.Key) object.Sym {
	text := tokenHead + strconv.FormatInt(rev, 10) + tokenStart + strconv.Quote(t.KeyText(after)) + "}"
	return t.Sym(base64.RawURLEncoding.EncodeToString([]byte(text)))
}

// readToken is the opposite of token. ok is false if no server wrote that.
func readToken(t *object.Table, s object.Sym) (rev int64, after string, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(t.Text(s))
	if err != nil {
		return 0, "", false
	}
	rest, ok := strings.CutPrefix(string(text), tokenHead)
	if !ok {
		return 0, "", false
	}
	number, start, ok := strings.Cut(rest, tokenStart)
	if !ok {
		return 0, "", false
	}
	if rev, err = strconv.ParseInt(number, 10, 64); err != nil {
		return 0, "", false
	}
	quoted, ok := strings.CutSuffix(start, "}")
	if !ok {
		return 0, "", false
	}
	after, err = strconv.Unquote(quoted)
	return rev, after, err == nil
}
