package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dragoman/inference/device"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// jsonDevice is a device as `dragoman devices --json` prints it.
type jsonDevice struct {
	device.Device
	Key     string          `json:"key"`
	Serves  bool            `json:"serves"`
	Weights []device.Format `json:"weights"`
}

type jsonMachine struct {
	device.Machine
	Devices []jsonDevice `json:"devices"`
}

func newDevices() *cobra.Command {
	var asJSON bool
	var record string
	c := &cobra.Command{
		Use:   "devices",
		Short: "List processor, GPUs and NPUs, and what keeps them from serving",
		Long: `List processor, GPUs and NPUs with their drivers and the formats of weights that
they take, and for each that cannot be used what keeps it from that and what to do.
It needs no rights and no running service. See docs/npu.md.`,
		Example: `  dragoman devices
  dragoman devices --json
  dragoman devices --record machine.json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON && record != "" {
				return usageError{errors.New("--json and --record: use one of them")}
			}
			core, found := loadRuntime()
			if record != "" {
				return recordMachine(c, found, record)
			}
			m, err := survey(c.Context(), core, found)
			if err != nil {
				return setupError{err}
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(newJSONMachine(m))
			}
			writeMachine(c.OutOrStdout(), m)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	c.Flags().StringVar(&record, "record", "", "write what was looked at to a `FILE`, to be sent with a report of a fault")
	return c
}

// loadRuntime loads the runtime that would be used, nil where none can be: then
// the devices are listed all the same, and doctor says what is wrong with it.
func loadRuntime() (*openvino.Core, locate.Candidate) {
	s, err := loadSetup()
	if err != nil {
		return nil, locate.Candidate{}
	}
	found, err := locate.Find(s.runtimes())
	if err != nil || found.CheckComplete() != nil {
		return nil, locate.Candidate{}
	}
	rt, err := openvino.Load(found.Library, found.Preload...)
	if err != nil {
		return nil, locate.Candidate{}
	}
	core, err := rt.NewCore()
	if err != nil {
		return nil, locate.Candidate{}
	}
	return core, found
}

func recordMachine(c *cobra.Command, found locate.Candidate, path string) error {
	r := device.Runtime{}
	if found.Library != "" {
		r = device.RuntimeOf(found)
	}
	_, recording := device.Record(c.Context(), device.Host(r))
	text, err := json.MarshalIndent(recording, "", " ")
	if err != nil {
		return fmt.Errorf("record the machine: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("record the machine: %w", err)
	}
	fmt.Fprintf(c.OutOrStdout(), "Written to %s. It holds names of hardware, drivers and folders; look through it before you send it.\n", path)
	return nil
}

func newJSONMachine(m device.Machine) jsonMachine {
	j := jsonMachine{Machine: m}
	for _, d := range m.Devices {
		j.Devices = append(j.Devices, jsonDevice{d, d.Key(), m.Serves(d), device.Formats(d, 0)})
	}
	return j
}

func writeMachine(out io.Writer, m device.Machine) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-9s  %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	line("system", "%s", systemText(m.System))
	if m.Runtime.Release == "" {
		line("runtime", "none: `dragoman runtime install`")
	} else {
		line("runtime", "OpenVINO %s in %s, for %s", m.Runtime.Release, m.Runtime.Folder, m.Runtime.Plugins)
	}
	for _, d := range m.Devices {
		state := "cannot be used"
		if m.Serves(d) {
			state = "can be used"
		}
		fmt.Fprintln(out)
		line(string(d.Kind), "%s: %s", d.Name, state)
		if facts := deviceFacts(m, d); len(facts) > 0 {
			line("", "%s", strings.Join(facts, ", "))
		}
		line("", "takes weights in %s", formatNames(device.Formats(d, 0)))
		writeDeviceFindings(line, m, d.Kind)
	}
	for _, k := range []device.Kind{device.GPU, device.NPU} {
		if _, there := m.Find(k); !there {
			fmt.Fprintln(out)
			line(string(k), "none")
			writeDeviceFindings(line, m, k)
		}
	}
}

func writeDeviceFindings(line func(name, format string, args ...any), m device.Machine, k device.Kind) {
	for _, f := range m.Findings {
		if f.Device != k {
			continue
		}
		line("", "%s", f.Text)
		if f.Cure != "" {
			line("", "-> %s", f.Cure)
		}
	}
}

// systemText says what runs and in what: "Debian 12, kernel 6.18, in a
// container (docker) in a virtual machine".
func systemText(s device.System) string {
	text := strings.TrimPrefix(s.Name+", ", ", ") + map[string]string{"linux": "kernel ", "windows": "build "}[s.OS] + s.Kernel + ", " + s.Arch
	for i, layer := range s.Inside {
		text += ", in " + map[device.Layer]string{device.WSL: "", device.Container: "a ", device.VirtualMachine: "a "}[layer] + string(layer)
		if i == 0 && s.By != "" {
			text += " (" + s.By + ")"
		}
	}
	return text
}

func formatNames(formats []device.Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
