package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/inference/memory"
	"dragoman/watch/document"
)

// memoryDir is where the translation memories lie that count.
func (s setup) memoryDir() string { return filepath.Join(s.paths.DataDir, "memory") }

// own are the person's own translations; what is wrong with a file is told.
func (s setup) own(c *cobra.Command) *memory.Memory {
	return counting(c, memory.NewFolder(s.memoryDir()))
}

func newMemory() *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Use translations of your own: TMX files and corrections",
		Long: `Use translations of your own: TMX files of other programs, and corrections made
with ` + "`dragoman correct`" + `. They count before what the service remembers and before the
model, for whole texts and for single sentences. The files lie in the folder
"memory" of the data folder.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMemorySearch(), newMemoryImport(), newMemoryExport(), newMemoryForget(), newMemoryList())
	return c
}

func newMemorySearch() *cobra.Command {
	var from, to string
	var least, most int
	c := &cobra.Command{
		Use:     "search --from LANGUAGE --to LANGUAGE TEXT…",
		Short:   "Show the likest texts with their translations and how like they are",
		Example: `  dragoman memory search --from en --to de "Save the file."`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || from == "" || to == "" {
				return usageError{errors.New("name the languages with --from and --to, and a text")}
			}
			if least < 1 || least > 100 || most < 1 {
				return usageError{errors.New("--least is a percentage from 1 to 100, --limit at least 1")}
			}
			s, err := loadSetup()
			if err != nil {
				return err
			}
			for _, m := range s.own(c).Similar(from, to, strings.Join(args, " "), least, most) {
				fmt.Fprintf(c.OutOrStdout(), "%d %%  %s\n%s\n%s\n\n", m.Percent, printable(filepath.Base(m.Unit.File)), shown(c.OutOrStdout(), m.Source), shown(c.OutOrStdout(), m.Target))
			}
			return nil
		},
	}
	c.Flags().StringVar(&from, "from", "", "`LANGUAGE` of the text")
	c.Flags().StringVar(&to, "to", "", "`LANGUAGE` of the translations")
	c.Flags().IntVar(&least, "least", 60, "`PERCENT` of the words that must be the same")
	c.Flags().IntVar(&most, "limit", 5, "at most `N` texts")
	return c
}

func newMemoryImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE…",
		Short: "Add TMX files; one with an error changes nothing",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a TMX file")}
			}
			s, err := loadSetup()
			if err != nil {
				return err
			}
			counts := make([]int, len(args))
			for i, file := range args {
				if filepath.Base(file) == memory.Own {
					return inputError{fmt.Errorf("%s is the name of the file of corrections: rename it", memory.Own)}
				}
				units, err := memory.Read(file)
				if err != nil {
					return inputError{err}
				}
				counts[i] = len(units)
			}
			if err := os.MkdirAll(s.memoryDir(), 0o700); err != nil {
				return err
			}
			for i, file := range args {
				data, err := os.ReadFile(file)
				if err != nil {
					return inputError{err}
				}
				name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".tmx"
				if err := document.WriteAtomic(filepath.Join(s.memoryDir(), name), data, 0o600); err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %d units\n", printable(name), counts[i])
			}
			return nil
		},
	}
}

func newMemoryExport() *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Write all units as TMX to the standard output",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			return memory.WriteTMX(c.OutOrStdout(), s.own(c).Units())
		},
	}
}

func newMemoryList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the files and how many units they have",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			files, err := memory.NewFolder(s.memoryDir()).Files()
			if err != nil {
				return err
			}
			return countFiles(c, files, memory.Read, "units")
		},
	}
}

func newMemoryForget() *cobra.Command {
	return &cobra.Command{
		Use:   "forget FILE | TEXT",
		Short: "Remove a file by its name, or the correction of a text",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return usageError{errors.New("name one file, or one text in quotes: see `dragoman memory list`")}
			}
			if strings.EqualFold(filepath.Ext(args[0]), ".tmx") {
				err := os.Remove(filepath.Join(s.memoryDir(), filepath.Base(args[0])))
				if errors.Is(err, fs.ErrNotExist) {
					return inputError{fmt.Errorf("there is no file %q: see `dragoman memory list`", printable(args[0]))}
				}
				return err
			}
			units, err := s.corrections()
			if err != nil {
				return err
			}
			text := memory.Normal(args[0])
			left := slices.DeleteFunc(slices.Clone(units), func(u memory.Unit) bool {
				for _, t := range u.Texts {
					if memory.Normal(t) == text {
						return true
					}
				}
				return false
			})
			if len(left) == len(units) {
				return inputError{errors.New("this text was not corrected: see `dragoman memory search`")}
			}
			return s.writeCorrections(left)
		},
	}
}

// corrections are the units of the person's own file.
func (s setup) corrections() ([]memory.Unit, error) {
	units, err := memory.Read(filepath.Join(s.memoryDir(), memory.Own))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, inputError{err}
	}
	return units, nil
}

// writeCorrections writes the file, or removes it where nothing is left.
func (s setup) writeCorrections(units []memory.Unit) error {
	name := filepath.Join(s.memoryDir(), memory.Own)
	if len(units) == 0 {
		return os.Remove(name)
	}
	if err := os.MkdirAll(s.memoryDir(), 0o700); err != nil {
		return err
	}
	var b strings.Builder
	if err := memory.WriteTMX(&b, units); err != nil {
		return err
	}
	return document.WriteAtomic(name, []byte(b.String()), 0o600)
}

func newCorrect() *cobra.Command {
	var from, to string
	c := &cobra.Command{
		Use:     "correct --from LANGUAGE --to LANGUAGE TEXT TRANSLATION",
		Short:   "Say how a text is to be translated from now on",
		Example: `  dragoman correct --from en --to de "Save the file." "Sichere die Datei."`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 || from == "" || to == "" || from == to || strings.TrimSpace(args[0]) == "" || strings.TrimSpace(args[1]) == "" {
				return usageError{errors.New("name the languages with --from and --to, the text and its translation, each in quotes")}
			}
			s, err := loadSetup()
			if err != nil {
				return err
			}
			units, err := s.corrections()
			if err != nil {
				return err
			}
			text := memory.Normal(args[0])
			units = slices.DeleteFunc(units, func(u memory.Unit) bool { return memory.Normal(u.Texts[from]) == text && u.Texts[to] != "" })
			return s.writeCorrections(append(units, memory.Unit{Texts: map[string]string{from: args[0], to: args[1]}}))
		},
	}
	c.Flags().StringVar(&from, "from", "", "`LANGUAGE` of the text")
	c.Flags().StringVar(&to, "to", "", "`LANGUAGE` of the translation")
	return c
}
