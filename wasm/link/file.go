package link

import "strings"

// FileName returns the name of a file that is saved, with an extension such as ".svg".
// What the name is made of may be a file's name, or a context such as admin@prod:6443.
// Characters that a file system refuses become "-"; otherwise the browser would choose
// another name than the page says.
func FileName(of, ext string) string {
	if i := strings.LastIndexAny(of, "/\\"); i >= 0 {
		of = of[i+1:]
	}
	for _, known := range []string{".gz", ".zst", ".jsonl", ".ndjson", ".json", ".yaml", ".trace", ".log", ".txt", ".md"} {
		of = strings.TrimSuffix(of, known)
	}
	of = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*`, r) {
			return '-'
		}
		return r
	}, strings.TrimLeft(of, "."))
	if of == "" {
		of = "cluster"
	}
	return of + ext
}
