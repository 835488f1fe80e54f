// Package kcm137 compares the engine with the guards of kube-controller-manager
// v1.37.2, and with its ReplicaSet controller.
package kcm137

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

func TestRandom(t *testing.T) {
	proof.Controller(t,
		proof.Family{Name: "exp", Script: expScript, Play: playExp},
		proof.Family{Name: "cs", Script: csScript, Play: playCS},
		proof.Family{Name: "rs", Script: rsScript, Play: playRS, Fixed: 3},
	)
}
