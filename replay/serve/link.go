package serve

import (
	"html"
	"os"
	"path/filepath"
)

// PrivateLink writes a page that leads to address, and returns the name of its file.
// Only this user can read the file. If a browser were started with the address
// itself, every user of the machine could see the key in it. remove deletes the
// file.
func PrivateLink(address string) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "informerscope-") // 0700
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, "open.html")
	to := html.EscapeString(address)
	page := `<!doctype html><meta charset="utf-8"><title>informerscope</title><meta http-equiv="refresh" content="0; url=` + to + `"><a href="` + to + `">informerscope</a>` + "\n"
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return name, remove, nil
}
