package kcm137

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

func TestTranscripts(t *testing.T) {
	proof.Replay(t, "exp", playExp, nil)
	proof.Replay(t, "cs", playCS, nil)
	proof.Replay(t, "rs", playRS, nil)
}
