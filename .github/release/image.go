package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Who runs the program in a container: a user who owns nothing.
const user = 65532

// port is where the container serves the page.
const port = "8080"

// image returns an image with one platform for each program. It has the program and the licences of what that is made of,
// and serves the page to whoever reaches it.
func image(programs []string) (v1.ImageIndex, error) {
	notices := exec.Command("go", "run", "./web/build", "-notices")
	notices.Dir, notices.Stderr = "../..", os.Stderr
	licensed, err := notices.Output()
	if err != nil {
		return nil, fmt.Errorf("the licences: %w", err)
	}
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var about map[string]string // the same for every platform
	for _, program := range slices.Sorted(slices.Values(programs)) {
		one, platform, err := platformOf(program, licensed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		file, err := one.ConfigFile()
		if err != nil {
			return nil, err
		}
		about = file.Config.Labels
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: one, Descriptor: v1.Descriptor{Platform: platform}})
	}
	return mutate.Annotations(index, about).(v1.ImageIndex), nil
}

func platformOf(program string, licensed []byte) (v1.Image, *v1.Platform, error) {
	raw, err := os.ReadFile(program)
	if err != nil {
		return nil, nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, err
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	if set["GOOS"] != "linux" || set["CGO_ENABLED"] != "0" {
		return nil, nil, errors.New("it is no static program for Linux")
	}
	made, _ := time.Parse(time.RFC3339, set["vcs.time"]) // the zero time where nobody knows
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(layerOf(raw, licensed, made))), nil }, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, nil, err
	}
	img, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), mutate.Addendum{Layer: layer})
	if err != nil {
		return nil, nil, err
	}
	file, err := img.ConfigFile()
	if err != nil {
		return nil, nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = "linux", set["GOARCH"], v1.Time{Time: made}
	file.Config = v1.Config{
		User:         fmt.Sprint(user),
		Entrypoint:   []string{"/informerscope"},
		Cmd:          []string{"serve", "--public", "--port", port},
		ExposedPorts: map[string]struct{}{port + "/tcp": {}},
		Healthcheck:  &v1.HealthConfig{Test: []string{"CMD", "/informerscope", "serve", "--answers", "--port", port}, Interval: 30 * time.Second, Timeout: 5 * time.Second},
		Labels:       labels(info.Main, set["vcs.revision"], made),
	}
	if img, err = mutate.ConfigFile(img, file); err != nil {
		return nil, nil, err
	}
	return img, &v1.Platform{OS: "linux", Architecture: set["GOARCH"]}, nil
}

// labels returns what registries show of an image. Artifact Hub lists no image that lacks a description, a time or the
// address of a README.
func labels(module debug.Module, revision string, made time.Time) map[string]string {
	repository := strings.TrimPrefix(module.Path, "github.com/")
	raw := "https://raw.githubusercontent.com/" + repository + "/" + cmp.Or(revision, "HEAD") + "/"
	return map[string]string{
		"org.opencontainers.image.title":       "informerscope",
		"org.opencontainers.image.description": "A microscope for Kubernetes informers",
		"org.opencontainers.image.created":     made.UTC().Format(time.RFC3339),
		"org.opencontainers.image.version":     module.Version,
		"org.opencontainers.image.source":      "https://" + module.Path,
		"org.opencontainers.image.revision":    revision,
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"io.artifacthub.package.readme-url":    raw + "README.md",
		"io.artifacthub.package.logo-url":      raw + "web/icons/icon.svg",
		"io.artifacthub.package.license":       "Apache-2.0",
		"io.artifacthub.package.keywords":      "kubernetes,client-go,informer,controller",
	}
}

// layerOf returns the image's only layer, which holds the program and the notices. Every user may run the program, and
// none may overwrite it.
func layerOf(program, licensed []byte, made time.Time) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "informerscope", Mode: 0o555, Size: int64(len(program)), ModTime: made, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR})
	w.Write(program)
	w.WriteHeader(&tar.Header{Name: "NOTICES.txt", Mode: 0o444, Size: int64(len(licensed)), ModTime: made, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR})
	w.Write(licensed)
	w.Close()
	return b.Bytes()
}

// write writes an image as an OCI layout.
func write(index v1.ImageIndex, folder string) error {
	_, err := layout.Write(folder, index)
	return err
}

// pushTo pushes an image, and prints its name with its digest, which is what is signed.
func pushTo(index v1.ImageIndex, to string) error {
	ref, err := name.ParseReference(to)
	if err != nil {
		return err
	}
	if err := remote.WriteIndex(ref, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Println(ref.Context().Name() + "@" + digest.String())
	return nil
}
