//go:build !withpage

package page

import "io/fs"

func site() (fs.FS, bool) { return nil, false }
