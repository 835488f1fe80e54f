package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// read decodes a file of listed/, which may have no field that into lacks.
func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("listed", name))
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The landscape's item has what the landscape asks for, and a logo that is SVG and has the name in it, drawn and not in
// somebody's font.
func TestLandscapeTakesTheItem(t *testing.T) {
	var data struct {
		Categories []struct {
			Name          string
			Subcategories []struct {
				Name  string
				Items []struct {
					Name, Description, License, Logo string
					Homepage                         string `yaml:"homepage_url"`
					Repo                             string `yaml:"repo_url"`
				}
			}
		}
	}
	read(t, "landscape.yml", &data)
	if len(data.Categories) != 1 || len(data.Categories[0].Subcategories) != 1 || len(data.Categories[0].Subcategories[0].Items) != 1 {
		t.Fatalf("it is no single item: %+v", data)
	}
	item := data.Categories[0].Subcategories[0].Items[0]
	if item.Name != "informerscope" || item.Repo != "https://"+path || !strings.HasPrefix(item.Homepage, "https://") || item.License != "Apache License 2.0" || item.Description == "" {
		t.Errorf("%+v", item)
	}
	logo, err := os.ReadFile(filepath.Join("listed", item.Logo))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(logo, []byte("<svg ")) || regexp.MustCompile(`<(text|image|script|style)|href`).Match(logo) {
		t.Errorf("%s is no drawing", item.Logo)
	}
	icon, err := os.ReadFile("../../web/icons/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _ := strings.Cut(strings.TrimSpace(string(icon)), ">")
	if !strings.Contains(string(logo), strings.TrimSuffix(drawn, "</svg>")) {
		t.Errorf("%s has another icon than the page", item.Logo)
	}
}

// Artifact Hub's file names the maintainers that the packages name.
func TestArtifactHubKnowsTheOwners(t *testing.T) {
	var repo struct {
		ID     string `yaml:"repositoryID"`
		Owners []struct{ Name, Email string }
	}
	read(t, "artifacthub-repo.yml", &repo)
	packages, err := os.ReadFile("goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(repo.Owners) != 1 || !strings.Contains(string(packages), "maintainer: "+repo.Owners[0].Name+" <"+repo.Owners[0].Email+">\n") {
		t.Errorf("the packages have another maintainer than %+v", repo.Owners)
	}
}
