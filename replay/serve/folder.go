package serve

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// folder has the files below a folder of this machine.
type folder struct{ root *os.Root }

func (f folder) stat(name string) (fs.FileInfo, error) { return f.root.Stat(name) }

func (f folder) tag(info fs.FileInfo) string {
	return fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
}

func (f folder) open(name string, info fs.FileInfo) (io.ReadSeekCloser, fs.FileInfo, error) {
	// Opening a FIFO waits for its writer, so the type of the file is checked first.
	// O_NONBLOCK doesn't wait if a FIFO takes the file's place meanwhile.
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}
