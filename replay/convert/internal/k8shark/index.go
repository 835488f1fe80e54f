package k8shark

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
)

// IndexName is the file by which a capture of k8shark is known.
const IndexName = "index.json.zst"

// sharkIndex names the records of each path.
type sharkIndex map[string]struct {
	Path  string   `json:"api_path"`
	Seqs  []int64  `json:"seqs"`
	Times []string `json:"times"`
}

// index returns the records of lists and watches, in the order of their times.
// Watched and listed ones of a path share one sequence.
func (k *shark) index() ([]sharkEntry, error) {
	paths := map[string]map[int64]time.Time{}
	total := 0
	for _, name := range []string{IndexName, "watch-index.json.zst"} {
		f := k.entries[k.root+name]
		if f == nil {
			continue
		}
		b, err := k.open(f)
		if err == nil {
			err = k.addIndex(b, paths, &total)
		}
		if err != nil {
			var f capture.FatalError
			if errors.As(err, &f) {
				return nil, f.Err
			}
			return nil, capture.Named(name, err)
		}
	}
	var all []sharkEntry
	for path, seqs := range paths {
		_, query, _ := strings.Cut(path, "?")
		_, r, _, ok := api.ParsePath(path)
		if !ok || strings.Contains("&"+query, "&as=") {
			continue // neither a list nor a watch, or of a Table
		}
		sum := sha256.Sum256([]byte(path))
		dir := k.root + "records/" + hex.EncodeToString(sum[:8]) + "/"
		for seq, at := range seqs {
			name := dir + api.Itoa(seq) + ".json.zst"
			all = append(all, sharkEntry{r: r, file: k.entries[name], name: path + " " + api.Itoa(seq), at: at, seq: seq})
		}
	}
	slices.SortFunc(all, func(a, b sharkEntry) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.r.URL(""), b.r.URL("")), cmp.Compare(a.seq, b.seq))
	})
	return all, nil
}

// addIndex adds what is in an index, of version 1 (the bare map) or 2.
func (k *shark) addIndex(b []byte, paths map[string]map[int64]time.Time, total *int) error {
	var v2 struct {
		Entries sharkIndex `json:"entries"`
	}
	if err := api.Decode(b, &v2); err != nil {
		return err
	}
	entries := v2.Entries
	if entries == nil {
		if err := api.Decode(b, &entries); err != nil {
			return err
		}
	}
	for path, e := range entries {
		if *total += len(e.Seqs); *total > k.c.From.Limits.MaxObjects {
			return capture.Fatal(fault.Number("manyRecords max", int64(k.c.From.Limits.MaxObjects)))
		}
		path = strings.Clone(cmp.Or(e.Path, path))
		if paths[path] == nil {
			paths[path] = map[int64]time.Time{}
		}
		for i, seq := range e.Seqs {
			var at time.Time // where the index has no times, the sequence must do
			if i < len(e.Times) {
				at, _ = time.Parse(time.RFC3339Nano, e.Times[i])
			}
			paths[path][seq] = at
		}
	}
	return nil
}
