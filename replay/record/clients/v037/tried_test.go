package v037

import (
	"testing"

	"github.com/informerscope/informerscope/replay/record/clients"
)

// TestTried holds what a server that misbehaves does to an informer.
func TestTried(t *testing.T) {
	clients.Try(t, map[string]string{"restore": "not-within missed"}, clients.Follow)
}
