package ovruntime

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The fakes of this file stand in for OpenVINO's wheel and archives, which are
// tens of megabytes and need a network; wheel_test.go does the same with the
// real wheels.

// fakeELF makes the headers of a shared library: enough to be told what it is
// called, what it needs and what machine it is for, followed by some content.
func fakeELF(machine elf.Machine, soname string, needed []string, content string) []byte {
	names, dynamic := []byte{0}, new(bytes.Buffer)
	add := func(tag elf.DynTag, name string) {
		_ = binary.Write(dynamic, binary.LittleEndian, [2]uint64{uint64(tag), uint64(len(names))})
		names = append(append(names, name...), 0)
	}
	for _, name := range needed {
		add(elf.DT_NEEDED, name)
	}
	if soname != "" {
		add(elf.DT_SONAME, soname)
	}
	_ = binary.Write(dynamic, binary.LittleEndian, [2]uint64{uint64(elf.DT_NULL), 0})

	sectionNames := []byte("\x00.dynstr\x00.dynamic\x00.shstrtab\x00")
	const headerSize, sectionSize = 64, 64
	at := uint64(headerSize)
	place := func(size int) uint64 { offset := at; at += uint64(size); return offset }
	namesAt, dynamicAt, sectionNamesAt := place(len(names)), place(dynamic.Len()), place(len(sectionNames))

	header := elf.Header64{
		Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: 1, Shoff: at,
		Ehsize: headerSize, Shentsize: sectionSize, Shnum: 4, Shstrndx: 3,
	}
	copy(header.Ident[:], "\x7fELF\x02\x01\x01")
	out := new(bytes.Buffer)
	_ = binary.Write(out, binary.LittleEndian, header)
	out.Write(names)
	out.Write(dynamic.Bytes())
	out.Write(sectionNames)
	_ = binary.Write(out, binary.LittleEndian, []elf.Section64{
		{},
		{Name: 1, Type: uint32(elf.SHT_STRTAB), Off: namesAt, Size: uint64(len(names))},
		{Name: 9, Type: uint32(elf.SHT_DYNAMIC), Off: dynamicAt, Size: uint64(dynamic.Len()), Link: 1, Entsize: 16},
		{Name: 18, Type: uint32(elf.SHT_STRTAB), Off: sectionNamesAt, Size: uint64(len(sectionNames))},
	})
	out.WriteString(content)
	return out.Bytes()
}

// fakeDLL makes the headers of a Windows library for amd64.
func fakeDLL(content string) []byte {
	out := make([]byte, 96)
	copy(out, "MZ")
	binary.LittleEndian.PutUint32(out[0x3c:], 64)
	copy(out[64:], "PE\x00\x00")
	binary.LittleEndian.PutUint16(out[68:], 0x8664)
	return append(out, content...)
}

type fakeFile struct {
	name    string
	content []byte
	link    string // a symbolic link to this
}

func lib(name, soname string, needed ...string) fakeFile {
	return fakeFile{name: name, content: fakeELF(elf.EM_X86_64, soname, needed, "content of "+name)}
}

// fakeWheelFiles are the contents of a wheel for Linux; digits are the soname's.
func fakeWheelFiles(version, digits string) []fakeFile {
	core := "libopenvino.so." + digits
	return []fakeFile{
		{name: "openvino/__init__.py", content: []byte("pass")},
		{name: "openvino/libs/cache.json", content: []byte("{}")},
		lib("openvino/libs/"+core, core, "libtbb.so.12", "libc.so.6"),
		lib("openvino/libs/libopenvino_c.so."+digits, "libopenvino_c.so."+digits, core),
		lib("openvino/libs/libopenvino_ir_frontend.so."+digits, "libopenvino_ir_frontend.so."+digits, core),
		lib("openvino/libs/libopenvino_onnx_frontend.so."+digits, "libopenvino_onnx_frontend.so."+digits, core),
		lib("openvino/libs/libopenvino_intel_cpu_plugin.so", "", core, "libnew.so.1"),
		lib("openvino/libs/libopenvino_auto_plugin.so", "", core),
		lib("openvino/libs/libnew.so.1", "libnew.so.1"),
		lib("openvino/libs/libtbb.so.12", "libtbb.so.12"),
		lib("openvino/libs/libtbbbind_2_5.so.3", "libtbbbind_2_5.so.3", "libhwloc.so.15"),
		lib("openvino/libs/libtbbmalloc_proxy.so.2", "libtbbmalloc_proxy.so.2"),
		lib("openvino/libs/libhwloc.so.15", "libhwloc.so.15"),
		{name: "openvino/libs/tbb.pc", content: []byte("x")},
		{name: "openvino-" + version + ".dist-info/METADATA", content: []byte("Version: " + version)},
		{name: "openvino-" + version + ".dist-info/licenses/LICENSE", content: []byte("Apache")},
		{name: "openvino-" + version + ".dist-info/licenses/licensing/tbb.txt", content: []byte("Apache")},
	}
}

func makeZip(t testing.TB, name string, files []fakeFile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	w := zip.NewWriter(f)
	for _, file := range files {
		header := &zip.FileHeader{Name: file.name, Method: zip.Deflate}
		content := file.content
		if file.link != "" {
			header.SetMode(os.ModeSymlink | 0o777)
			content = []byte(file.link)
		}
		part, err := w.CreateHeader(header)
		require.NoError(t, err)
		_, err = part.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return path
}

func makeTar(t testing.TB, name string, files []fakeFile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	zipped := gzip.NewWriter(f)
	w := tar.NewWriter(zipped)
	for _, file := range files {
		header := &tar.Header{Name: file.name, Mode: 0o644, Size: int64(len(file.content)), Typeflag: tar.TypeReg}
		if file.link != "" {
			header.Typeflag, header.Linkname, header.Size = tar.TypeSymlink, file.link, 0
		}
		require.NoError(t, w.WriteHeader(header))
		_, err = w.Write(file.content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, zipped.Close())
	return path
}

func makeWheel(t testing.TB, version, digits string) string {
	t.Helper()
	return makeZip(t, "openvino-"+version+"-1-cp311-cp311-manylinux_2_28_x86_64.whl", fakeWheelFiles(version, digits))
}

func fromFile(data, file string) Options {
	return Options{DataDir: data, From: file, GOOS: "linux", GOARCH: "amd64"}
}

func install(t testing.TB, o Options) Result {
	t.Helper()
	r, err := Install(context.Background(), o)
	require.NoError(t, err)
	return r
}

// names lists what is below dir, folders with a slash.
func names(t testing.TB, dir string) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err == nil && !entry.IsDir() {
			found = append(found, filepath.ToSlash(relative))
		}
		return err
	}))
	return found
}
