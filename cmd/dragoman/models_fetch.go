package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
	"dragoman/inference/model/catalogue"
	"dragoman/inference/model/hub"
	"dragoman/inference/model/optimum"
	"dragoman/internal/english"
)

func newModelsPull() *cobra.Command {
	var revision string
	c := &cobra.Command{
		Use:   "pull NAME… | OWNER/NAME…",
		Short: "Fetch models of the list, or others of the hub",
		Long: `Fetch models of the list, or other M2M-100 models by their owner and name, from Hugging
Face's hub or its mirror, and check them against the hub's checksums. A fetch that ends
early, by Ctrl-C too, goes on where it was the next time. Proxies are those of
HTTPS_PROXY and NO_PROXY.`,
		Example:           "  dragoman models pull m2m100_418M\n  dragoman models use m2m100_418M",
		Args:              between(1, 1<<20, "pull takes models' names"),
		ValidArgsFunction: completeModels,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			var wanted []catalogue.Model
			for _, name := range args {
				m, err := s.onHub(name)
				if err != nil {
					return err
				}
				if err := s.config.AllowModel(m.Name); err != nil {
					return setupError{err}
				}
				if revision != "" {
					m.Revision = revision
				}
				wanted = append(wanted, m)
			}
			for _, m := range wanted {
				if err := s.pull(c, m); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&revision, "revision", "", "`COMMIT` or branch to fetch (default: the list's, or main)")
	return c
}

// onHub is a model of the list, or any that is named with its owner.
func (s setup) onHub(name string) (catalogue.Model, error) {
	if m, ok := catalogue.OnHub(name); ok {
		return m, nil
	}
	m, err := s.model(name)
	if err == nil && m.Repository == "" && m.dir == "" {
		err = m.missing()
	}
	return m.Model, err
}

func (s setup) pull(c *cobra.Command, m catalogue.Model) error {
	if m.Repository == "" {
		dir := s.modelDir(m.Name)
		if dir == "" {
			return known{Model: m}.missing()
		}
		_, err := fmt.Fprintf(c.OutOrStdout(), "Model %s is here: %s\n", m.Name, dir)
		return err
	}
	bar := newTransfer(c.ErrOrStderr(), m.Name)
	manifest, err := hub.Pull(c.Context(), hub.Options{Hub: s.config.Models.Hub, Model: m, Dir: s.paths.ModelsDir(), Progress: bar.update})
	bar.finish()
	if err != nil {
		return err
	}
	dir := filepath.Join(s.paths.ModelsDir(), m.Name)
	if err := checkModel(dir); err != nil {
		return inputError{fmt.Errorf("model %s was fetched, but dragoman cannot read it: %w; `dragoman models remove %s` takes it away", m.Name, err, m.Name)}
	}
	return ready(c, m.Name, dir, manifest)
}

// ready tells what to do with a model that is here now.
func ready(c *cobra.Command, name, dir string, m hub.Manifest) error {
	_, err := fmt.Fprintf(c.OutOrStdout(), "Model %s (%d MB) is in %s\nTo translate with it: dragoman models use %s\n", name, m.Bytes()/1e6, dir, name)
	return err
}

func newModelsImport() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "import FOLDER",
		Short: "Copy a checkpoint that is on this machine to the models",
		Long: `Copy an M2M-100 checkpoint in Hugging Face's layout to the models: config.json,
vocab.json, sentencepiece.bpe.model and pytorch_model.bin or model.safetensors, whole or in parts.
A folder that optimum-intel has exported, with --weight-format fp16 or fp32 and its
tokenizer's files, is taken too: its weights become a checkpoint's again.
The folder itself is not changed.`,
		Example: "  dragoman models import ~/Downloads/my-m2m100 --name mine",
		Args:    between(1, 1, "import takes a folder"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			from, err := filepath.Abs(args[0])
			if err != nil {
				return inputError{err}
			}
			if name == "" {
				name = filepath.Base(from)
			}
			if err := hub.CheckName(name); err != nil {
				return usageError{fmt.Errorf("%w, by --name", err)}
			}
			if err := s.config.AllowModel(name); err != nil {
				return setupError{err}
			}
			weights, err := exported(from)
			if err == nil && weights == nil {
				err = checkModel(from)
			}
			if err != nil {
				return inputError{err}
			}
			bar := newTransfer(c.ErrOrStderr(), name)
			manifest, err := hub.Import(c.Context(), hub.ImportOptions{From: from, Name: name, Dir: s.paths.ModelsDir(), Progress: bar.update, Weights: weights})
			bar.finish()
			if err != nil {
				return err
			}
			dir := filepath.Join(s.paths.ModelsDir(), name)
			if weights != nil {
				if err := checkModel(dir); err != nil {
					_, gone := hub.Remove(s.paths.ModelsDir(), name)
					return inputError{errors.Join(err, gone)}
				}
			}
			return ready(c, name, dir, manifest)
		},
	}
	c.Flags().StringVar(&name, "name", "", "`NAME` of the model (default: the folder's)")
	return c
}

// exported finds the weights of a folder that optimum-intel has exported, nil where
// it is none, or has a checkpoint's weights too.
func exported(dir string) (*hub.Weights, error) {
	if !optimum.Is(dir) || checkModel(dir) == nil {
		return nil, nil
	}
	e, err := optimum.Open(dir)
	if err != nil {
		return nil, err
	}
	return &hub.Weights{Bytes: e.Bytes, Write: e.Write}, nil
}

// checkModel tells whether dragoman can read the checkpoint in dir.
func checkModel(dir string) error {
	checkpoint, err := model.Open(dir)
	if err != nil {
		return err
	}
	_, err = tokenizer.Load(dir)
	return errors.Join(err, checkpoint.Close())
}

func newModelsVerify() *cobra.Command {
	return modelCommand("verify", "Compare a model's files with what was fetched or imported", func(c *cobra.Command, _ setup, m known) error {
		return m.verify(c.Context(), c.OutOrStdout())
	})
}

func (m known) verify(ctx context.Context, out io.Writer) error {
	if m.dir == "" {
		return m.missing()
	}
	if _, err := hub.ReadManifest(m.dir); err != nil {
		return m.verifyListed(ctx, out)
	}
	manifest, err := hub.Verify(ctx, m.dir)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return inputError{fmt.Errorf("%w: remove it by `dragoman models remove %s` and fetch it again", err, m.Name)}
	}
	_, err = fmt.Fprintf(out, "Model %s is whole: %s, %d MB\n", m.Name, english.Count(len(manifest.Files), "file"), manifest.Bytes()/1e6)
	return err
}

// verifyListed compares a model that was neither fetched nor imported with what the
// catalogue knows of it: the one that comes with dragoman, or of an administrator.
func (m known) verifyListed(ctx context.Context, out io.Writer) error {
	files := hub.Listed(m.Model)
	if m.Repository != "" {
		files = slices.DeleteFunc(files, func(f hub.File) bool { // weights may be there in another format
			_, err := os.Stat(filepath.Join(m.dir, f.Path))
			return errors.Is(err, os.ErrNotExist)
		})
	}
	if err := hub.Compare(ctx, m.dir, files); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return inputError{fmt.Errorf("model %s in %s: %w: install what it came with again", m.Name, m.dir, err)}
	}
	if err := checkModel(m.dir); err != nil {
		return inputError{err}
	}
	said := fmt.Sprintf("can be read, and %s of it have the checksums that dragoman knows", english.Count(len(files), "file"))
	if len(files) == 0 {
		said = "can be read; checksums of it are not known"
	}
	_, err := fmt.Fprintf(out, "Model %s %s\n", m.Name, said)
	return err
}

func newModelsRemove() *cobra.Command {
	return modelCommand("remove", "Remove a model that was fetched or imported, and what was fetched of one", func(c *cobra.Command, s setup, m known) error {
		switch own := filepath.Join(s.paths.ModelsDir(), m.Name); {
		case m.used && m.dir == own:
			return inputError{fmt.Errorf("model %s is in use: choose another one first, such as by `dragoman models use starter`", m.Name)}
		case m.dir != "" && m.dir != own:
			return inputError{fmt.Errorf("model %s is in %s, which is not dragoman's to remove", m.Name, m.dir)}
		}
		removed, err := hub.Remove(s.paths.ModelsDir(), m.Name)
		if err != nil {
			return err
		}
		if !removed {
			return inputError{fmt.Errorf("model %s is not here", m.Name)}
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "Removed model %s\n", m.Name)
		return err
	})
}

// transfer shows on a terminal how far a model's files are, and elsewhere only
// why they do not come.
type transfer struct {
	out, terminal io.Writer
	name          string
	bar           *progressbar.ProgressBar
}

func newTransfer(out io.Writer, name string) *transfer {
	return &transfer{out: out, terminal: terminalOf(out), name: name}
}

func (t *transfer) update(p hub.Progress) {
	if p.Waiting != "" {
		t.finish()
		fmt.Fprintf(t.out, "dragoman: %s; next try in %s\n", p.Waiting, english.Duration(p.For))
		return
	}
	if t.terminal == nil {
		return
	}
	if t.bar == nil {
		t.bar = progressbar.NewOptions64(p.Total,
			progressbar.OptionSetWriter(t.terminal), progressbar.OptionSetDescription(t.name),
			progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	_ = t.bar.Set64(p.Done) // a terminal that cannot be written to is no reason to stop
}

func (t *transfer) finish() {
	if t.bar != nil {
		_ = t.bar.Clear()
		t.bar = nil
	}
}
