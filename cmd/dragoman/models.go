package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dragoman/daemon/config"
	"dragoman/inference/fidelity"
	"dragoman/inference/model/catalogue"
	"dragoman/inference/model/hub"
	"dragoman/internal/english"
)

func newModels(cc *configCommand) *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List, fetch and choose models",
		Long: `List, fetch and choose models. Only pull opens a connection, to Hugging Face's hub or
the mirror that the setting models.hub (DRAGOMAN_HUB) names.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newModelsList(), newModelsInfo(), newModelsPull(), newModelsImport(), newModelsUse(cc), newModelsVerify(), newModelsMeasure(), newModelsRemove())
	return c
}

// known is a model that the catalogue or this machine has.
type known struct {
	catalogue.Model
	dir     string // where it is, "" if it is not here
	partial int64  // bytes that were fetched of one that is not here
	used    bool
	refused error // why the settings do not let it be used, or nil
}

func (s setup) models() ([]known, error) {
	used, _ := s.config.FindModel(s.paths, s.exe, "") // where none can be used the list shows none
	var all []known
	for _, m := range catalogue.All() {
		all = append(all, known{Model: m, dir: s.modelDir(m.Name), partial: hub.Partial(s.paths.ModelsDir(), m.Name)})
	}
	entries, err := os.ReadDir(s.paths.ModelsDir())
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, entry := range entries {
		if _, listed := catalogue.Find(entry.Name()); listed || hub.CheckName(entry.Name()) != nil {
			continue
		}
		if dir := s.modelDir(entry.Name()); dir != "" {
			all = append(all, known{Model: catalogue.Model{Name: entry.Name(), Title: origin(dir)}, dir: dir})
		}
	}
	for _, name := range hub.Begun(s.paths.ModelsDir()) {
		if !slices.ContainsFunc(all, func(m known) bool { return m.Name == name }) {
			all = append(all, known{Model: catalogue.Model{Name: name, Title: "not of the list"}, partial: hub.Partial(s.paths.ModelsDir(), name)})
		}
	}
	listed := false
	for i := range all {
		all[i].used = used != "" && all[i].dir == used
		listed = listed || all[i].used
	}
	if used != "" && !listed {
		all = append(all, known{Model: catalogue.Model{Name: used, Title: "a folder of its own"}, dir: used, used: true})
	}
	for i, m := range all {
		if m.dir == "" || s.config.AllowModel(m.dir) != nil { // a folder may be allowed by its path
			all[i].refused = s.config.AllowModel(m.Name)
		}
	}
	return all, nil
}

// origin tells where a model that the catalogue does not have is from.
func origin(dir string) string {
	if m, err := hub.ReadManifest(dir); err == nil && m.Repository != "" {
		return "fetched from " + m.Repository
	}
	return "imported"
}

// modelDir is where a model of that name is, "" if it is not here.
func (s setup) modelDir(name string) string {
	named := s.paths
	named.Model = "" // the environment's model is not this one
	dir, err := named.FindModel(s.exe, name, "")
	if err != nil {
		return ""
	}
	return dir
}

func newModelsList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that are here and those that can be fetched",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			all, err := s.models()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "\tNAME\tSTATE\tLANGUAGES\tMEMORY\tLICENCE\tWHAT IT IS")
			for _, m := range all {
				mark := ""
				if m.used {
					mark = "*"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, m.Name, m.state(), count(m.Languages), m.memory(), dash(m.Licence), m.Title)
			}
			return w.Flush()
		},
	}
}

func (m known) state() string {
	switch {
	case m.dir != "" && m.refused != nil:
		return "here, not allowed"
	case m.dir != "":
		return "here"
	case m.refused != nil:
		return "not allowed"
	case m.Repository == "" && m.partial == 0:
		return "not here"
	case m.Repository == "":
		return fmt.Sprintf("%d MB fetched", m.partial/1e6)
	case m.partial > 0:
		return fmt.Sprintf("%d of %d MB fetched", m.partial/1e6, m.Download)
	}
	return fmt.Sprintf("%d MB to fetch", m.Download)
}

func (m known) memory() string {
	switch {
	case m.Memory == 0:
		return "-"
	case m.Measured:
		return fmt.Sprintf("%d MB", m.Memory)
	}
	return fmt.Sprintf("about %d MB", m.Memory)
}

func count(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// modelCommand is a command on one model.
func modelCommand(verb, short string, run func(*cobra.Command, setup, known) error) *cobra.Command {
	return &cobra.Command{
		Use:               verb + " NAME",
		Short:             short,
		Args:              between(1, 1, verb+" takes a model's name"),
		ValidArgsFunction: completeModels,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := loadSetup()
			if err != nil {
				return err
			}
			m, err := s.model(args[0])
			if err != nil {
				return err
			}
			return run(c, s, m)
		},
	}
}

func newModelsInfo() *cobra.Command {
	return modelCommand("info", "Tell what is known of a model", func(c *cobra.Command, _ setup, m known) error {
		return m.print(c.OutOrStdout())
	})
}

// model is the one of that name.
func (s setup) model(name string) (known, error) {
	all, err := s.models()
	if err != nil {
		return known{}, err
	}
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return known{}, inputError{fmt.Errorf("no model is called %q: there are %s; `dragoman models import FOLDER` adds others", name, strings.Join(names, ", "))}
}

func (m known) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	line("Model", m.Name)
	line("What it is", m.Title)
	line("State", m.state())
	if m.refused != nil {
		line("Not allowed", m.refused.Error())
	}
	line("Folder", m.dir)
	line("Hub", m.Repository)
	if m.Parameters > 0 {
		line("Parameters", fmt.Sprintf("%.4g million", m.Parameters))
		line("Languages", count(m.Languages))
		memory := m.memory() + " with int8 weights"
		if !m.Measured {
			memory += ", 1.3 times their size: not measured"
		}
		line("Memory", memory)
		line("Licence", m.Licence)
		line("Quality", m.Quality)
	}
	if m.dir != "" {
		measured, err := fidelity.Read(m.dir)
		if err != nil {
			return err
		}
		for _, r := range measured {
			line("Fidelity", fidelityOf(r))
		}
	}
	if manifest, err := hub.ReadManifest(m.dir); err == nil && m.dir != "" {
		line("Revision", manifest.Revision)
		line("Since", manifest.Fetched.Local().Format("2006-01-02 15:04"))
		line("Size", fmt.Sprintf("%d MB in %s", manifest.Bytes()/1e6, english.Count(len(manifest.Files), "file")))
	}
	return w.Flush()
}

// completeModels offers the names of all models.
func completeModels(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	s, err := loadSetup()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, _ := s.models()
	var names []cobra.Completion
	for _, m := range all {
		if !strings.ContainsRune(m.Name, filepath.Separator) {
			names = append(names, cobra.CompletionWithDesc(m.Name, m.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func newModelsUse(cc *configCommand) *cobra.Command {
	c := modelCommand("use", "Translate with a model from now on, in the service too", func(c *cobra.Command, s setup, m known) error {
		if err := s.config.AllowModel(m.Name); err != nil { // first: what it forbids need not be fetched
			return setupError{err}
		}
		if m.dir == "" {
			return m.missing()
		}
		if m.Name == config.DefaultModel {
			if err := s.config.Overrule("inference.model", ""); err != nil {
				return setupError{err}
			}
		}
		if s.paths.Model != "" {
			fmt.Fprintf(c.ErrOrStderr(), "dragoman: the environment variable %s is set and goes before the file\n", config.EnvModel)
		}
		if m.Name == config.DefaultModel {
			return cc.change(c, "inference.model", nil)
		}
		return cc.set(c, "inference.model", []string{m.Name})
	})
	c.Long = `Translate with a model from now on. A running service loads it beside the old one and
changes over when it is ready; what is being translated is finished with the old one.
The same as dragoman config set inference.model NAME, but that the model must be here.`
	return c
}

// missing is the error of a model that is not here.
func (m known) missing() error {
	on := m.Name
	if m.Repository == "" {
		if _, listed := catalogue.Find(m.Name); listed {
			return inputError{fmt.Errorf("model %s is not here: it comes with dragoman's whole packages, and no hub has it", m.Name)}
		}
		on = "OWNER/" + on // begun
	}
	return inputError{fmt.Errorf("model %s is not here: fetch it by `dragoman models pull %s`", m.Name, on)}
}
