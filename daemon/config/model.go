package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// DefaultModel is the name of the model that comes with dragoman.
const DefaultModel = "starter"

// modelFile is what tells a model's folder from any other folder: every
// checkpoint in Hugging Face's layout has it.
const modelFile = "config.json"

// ModelsDir is where downloaded and imported models are, one folder each.
func (p Paths) ModelsDir() string { return filepath.Join(p.DataDir, "models") }

// ModelDirs returns the folders in which the model called name is looked for,
// in this order: those that come with the executable exe (beside it, in a
// package's share folder, in a checkout whose build folder holds the
// executable), then the data folder. An exe of "" gives the data folder only.
func (p Paths) ModelDirs(exe, name string) []string {
	var dirs []string
	if exe != "" {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real // a link in a bin folder: the files are beside its target
		}
		beside := filepath.Dir(exe)
		dirs = append(dirs,
			filepath.Join(beside, "assets", name),
			filepath.Join(beside, "models", name),
			filepath.Join(beside, "..", "share", "dragoman", "models", name),
			filepath.Join(beside, "..", "assets", name),
		)
	}
	return append(dirs, filepath.Join(p.ModelsDir(), name))
}

// FindModel returns the folder of the model to use. The first of these that is
// not empty says which: asked (a command's flag), DRAGOMAN_MODEL, configured
// (the configuration file), DefaultModel. Each is a folder's path if it holds a
// path separator, else a name that is looked for in ModelDirs. A choice that
// cannot be found is an error that lists where it was looked for; it is never
// replaced by the next.
func (p Paths) FindModel(exe, asked, configured string) (string, error) {
	choice, from := DefaultModel, "the default"
	switch {
	case asked != "":
		choice, from = asked, "as asked"
	case p.Model != "":
		choice, from = p.Model, "from "+EnvModel
	case configured != "":
		choice, from = configured, "from inference.model in the configuration"
	}

	if isPath(choice) {
		dir, err := filepath.Abs(choice)
		if err != nil {
			return "", fmt.Errorf("find model %s (%s): %w", choice, from, err)
		}
		if !isModel(dir) {
			return "", fmt.Errorf("no model in %s (%s): the folder must hold %s, vocab.json, sentencepiece.bpe.model and the weights", dir, from, modelFile)
		}
		return dir, nil
	}

	dirs := p.ModelDirs(exe, choice)
	for _, dir := range dirs {
		if isModel(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("no model named %q (%s); looked for %s in %s: give the model's folder, or set %s to it",
		choice, from, modelFile, strings.Join(dirs, ", "), EnvModel)
}

// FindModel is Paths.FindModel with inference.model as configured, within what the
// settings allow. Asked and DRAGOMAN_MODEL do not go before a model that the
// policy fixes: to ask for another is a *FixedError.
func (c *Config) FindModel(p Paths, exe, asked string) (string, error) {
	if asked != "" {
		if err := c.Overrule("inference.model", asked); err != nil {
			return "", err
		}
	}
	if c.Fixed("inference.model") != nil {
		p.Model = ""
	}
	if err := c.AllowModel(cmp.Or(asked, p.Model, c.Inference.Model, DefaultModel)); err != nil {
		return "", err
	}
	return p.FindModel(exe, asked, c.Inference.Model)
}

// AllowModel returns an error where models.allowed leaves out the model of that
// name or folder.
func (c *Config) AllowModel(choice string) error {
	allowed := c.Models.Allowed
	if len(allowed) == 0 || slices.Contains(allowed, choice) {
		return nil
	}
	if isPath(choice) {
		if dir, err := filepath.Abs(choice); err == nil && slices.Contains(allowed, dir) {
			return nil
		}
	}
	way := "add it to that setting"
	if err := c.Fixed("models.allowed"); err != nil {
		way = err.Error()
	}
	return fmt.Errorf("model %s is not among models.allowed (%s): %s", choice, strings.Join(allowed, ", "), way)
}

// isPath tells a folder's path from a model's name. "." and ".." are paths too.
func isPath(choice string) bool {
	return choice == "." || choice == ".." || strings.ContainsRune(choice, '/') || strings.ContainsRune(choice, filepath.Separator)
}

func isModel(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, modelFile))
	return err == nil && info.Mode().IsRegular()
}
