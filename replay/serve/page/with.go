//go:build withpage

package page

import (
	"embed"
	"io/fs"
)

//go:embed site
var embedded embed.FS

func site() (fs.FS, bool) {
	s, err := fs.Sub(embedded, "site")
	return s, err == nil
}
