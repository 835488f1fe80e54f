package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
)

// folder adds the files in a folder and below it, whatever they hold. It leaves out
// hidden files and folders, and all that is no regular file. A symbolic link is followed
// where it leads to a file or folder within the folder, hidden ones among them, and no
// file is added twice. A link that leads out of the folder or nowhere is an input that
// can't be read, which tells of it.
func (c *Captures) folder(name string) error {
	root, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	w := &walk{c: c, root: root, seen: map[string]bool{}}
	before := len(c.Inputs)
	if err := w.addFolder(name); err != nil {
		return err
	}
	// What a link leads to may come later under its own name, so links come last.
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.follow(link); err != nil {
			return err
		}
	}
	if len(c.Inputs) == before {
		return fmt.Errorf("%s: the folder has no files", name)
	}
	return nil
}

// walk is the way through a folder.
type walk struct {
	c     *Captures
	root  string          // without links
	links []string        // that were met
	seen  map[string]bool // files and folders, by their names without links
}

// follow adds what a link leads to.
func (w *walk) follow(link string) error {
	real, err := filepath.EvalSymlinks(link)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	within, outside := filepath.Rel(w.root, real)
	switch {
	case err != nil:
		w.refuse(link, "it is a symbolic link that leads nowhere")
	case outside != nil || !filepath.IsLocal(within):
		w.refuse(link, "it is a symbolic link that leads out of the folder, and such links are not followed")
	case info.IsDir():
		return w.addFolder(link)
	case info.Mode().IsRegular() && !w.seen[real]:
		w.add(link, real, info)
	}
	return nil
}

// refuse adds an input that can't be read.
func (w *walk) refuse(link, why string) {
	err := convert.Unopened{Err: errors.New(why)}
	w.c.Inputs = append(w.c.Inputs, convert.Input{Name: link, Loose: true, Open: func() (io.ReadCloser, error) { return nil, err }})
}

// add adds a regular file, whose name without links is real.
func (w *walk) add(path, real string, info fs.FileInfo) {
	w.seen[real] = true
	in := w.c.file(path, info)
	in.Loose = true
	w.c.Inputs = append(w.c.Inputs, in)
}

// addFolder adds the files in the folder name, and below it.
func (w *walk) addFolder(name string) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil || w.seen[real] {
		return err
	}
	return filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := w.c.Ctx.Err(); err != nil {
			return err
		}
		shown := filepath.Join(name, strings.TrimPrefix(path, real)) // as the user named the folder
		switch {
		case path != real && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if w.seen[path] {
				return fs.SkipDir
			}
			w.seen[path] = true
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, shown)
			return nil
		case !d.Type().IsRegular() || w.seen[path]:
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		w.add(shown, path, info)
		return nil
	})
}
