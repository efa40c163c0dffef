package ovruntime

import (
	"debug/elf"
	"debug/pe"
	"strings"
)

// sharedLibrary is what a shared library's headers say.
type sharedLibrary struct {
	machine string   // as GOARCH; "another machine" for those we do not name
	soname  string   // the name that others ask for; "" on Windows
	needed  []string // the names that it asks for
}

const otherMachine = "another machine"

func inspect(path, goos string) (sharedLibrary, error) {
	if goos == "windows" {
		return inspectPE(path)
	}
	return inspectELF(path)
}

func inspectELF(path string) (sharedLibrary, error) {
	f, err := elf.Open(path)
	if err != nil {
		return sharedLibrary{}, err
	}
	defer f.Close()
	b := sharedLibrary{machine: otherMachine}
	switch f.Machine {
	case elf.EM_X86_64:
		b.machine = "amd64"
	case elf.EM_AARCH64:
		b.machine = "arm64"
	}
	if f.Section(".dynamic") == nil {
		return b, nil
	}
	if b.needed, err = f.ImportedLibraries(); err != nil {
		return sharedLibrary{}, err
	}
	names, err := f.DynString(elf.DT_SONAME)
	if err != nil {
		return sharedLibrary{}, err
	}
	if len(names) > 0 {
		b.soname = names[0]
	}
	return b, nil
}

func inspectPE(path string) (sharedLibrary, error) {
	f, err := pe.Open(path)
	if err != nil {
		return sharedLibrary{}, err
	}
	defer f.Close()
	b := sharedLibrary{machine: otherMachine}
	switch f.Machine {
	case pe.IMAGE_FILE_MACHINE_AMD64:
		b.machine = "amd64"
	case pe.IMAGE_FILE_MACHINE_ARM64:
		b.machine = "arm64"
	}
	// ImportedLibraries is not implemented for PE; the symbols' "name:library" is.
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return sharedLibrary{}, err
	}
	seen := map[string]bool{}
	for _, symbol := range symbols {
		if at := strings.LastIndexByte(symbol, ':'); at >= 0 && !seen[symbol[at+1:]] {
			seen[symbol[at+1:]] = true
			b.needed = append(b.needed, symbol[at+1:])
		}
	}
	return b, nil
}
