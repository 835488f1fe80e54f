package manager

import (
	"strings"

	"github.com/informerscope/informerscope/engine/object"
)

// PartOf returns the number of the informer that has the objects of a key's namespace, where informer i is a part of a cache
// of several namespaces. It returns i if no part has them, if i is an informer by itself, and if i is less than 0.
func (m *Manager) PartOf(i int, k object.Key) int {
	if i < 0 || m.Informers[i].Config().Parts == 0 {
		return i
	}
	cfg := m.Informers[i].Config()
	namespace, _, _ := strings.Cut(cfg.Table.KeyText(k), "/")
	for part := i - cfg.Part; part < i-cfg.Part+cfg.Parts; part++ {
		if cfg.Table.Text(m.Informers[part].Config().Namespace) == namespace {
			return part
		}
	}
	return i
}
