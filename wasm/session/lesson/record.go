package lesson

import "github.com/informerscope/informerscope/wasm/session/desk"

// Record is what the reader has done on a path, as a page to be printed. The name is shown there and nowhere else: it
// isn't kept, and nothing is sent.
type Record struct {
	Path string // "" for all lessons
	Name string // of the reader, "" for none
}

// maxReader is how many letters of a name are taken.
const maxReader = 80

// OpenRecord shows the record of a path.
func OpenRecord(m *Model, d Desk, path, _ string) []desk.Cmd {
	if _, lessons := On(m, path); len(lessons) > 0 {
		d.SetDialog("")
		m.Record = &Record{Path: path}
	}
	return nil
}

// NameReader puts a name on the record.
func NameReader(m *Model, _ Desk, _, name string) []desk.Cmd {
	if m.Record == nil {
		return nil
	}
	next := *m.Record
	if letters := []rune(name); len(letters) > maxReader {
		name = string(letters[:maxReader])
	}
	next.Name = name
	m.Record = &next
	return nil
}
