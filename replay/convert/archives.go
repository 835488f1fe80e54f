package convert

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
)

// archives are the formats that are packed in one way or another.
var archives = []form{
	kshrkForm,
	{
		id: "age", convert: func(*conversion) error { return errEncrypted },
		knows: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(ageHeader)) || bytes.HasPrefix(head, []byte("-----BEGIN AGE ENCRYPTED FILE-----"))
		},
	},
	sktraceForm,
}

// ageHeader is what begins a file that is encrypted with age.
const ageHeader = "age-encryption.org/"

// errEncrypted tells what to do about it. k8shark encrypts its captures so.
var errEncrypted = errors.New("it is encrypted with age: decrypt it first (age --decrypt -o DECRYPTED FILE), and open what comes out")

// maxHeld is how large an archive may be that must be held in memory, because it
// is compressed once more or can only be read from beginning to end.
const maxHeld = 1 << 30

// archived opens the input as a zip archive.
func (c *conversion) archived() (*zip.Reader, error) {
	var at io.ReaderAt = &countedAt{c.At, c.p}
	size := c.Size
	if c.At == nil || size == 0 || !c.archive {
		b, err := io.ReadAll(io.LimitReader(c.in, maxHeld+1))
		switch {
		case err != nil:
			return nil, err
		case len(b) > maxHeld:
			return nil, errors.New("an archive of more than " + itoa(maxHeld) + " bytes can only be read as a file, uncompressed")
		}
		at, size = bytes.NewReader(b), int64(len(b))
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, errors.New("the zip archive can't be read, or is cut: " + err.Error())
	}
	return z, nil
}
