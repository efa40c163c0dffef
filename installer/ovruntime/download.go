package ovruntime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// interpreters are the names that Python goes by, the likeliest first.
func interpreters(goos string) []string {
	if goos == "windows" {
		return []string{"py", "python", "python3"}
	}
	return []string{"python3", "python"}
}

// download fetches the pinned wheel into the folder work, checks it and returns
// its path. It lets pip do it, which knows the user's index, proxy and
// certificates; pip's cache is left out, since it would keep a second copy.
func download(ctx context.Context, work string, pin Pin, pythons []string, progress func(done, total int64)) (string, error) {
	python, err := findPip(ctx, pythons)
	if err != nil {
		return "", fmt.Errorf("download OpenVINO %s: %w: install Python's pip, or %s", PinnedVersion, err, fromAnotherMachine(pin))
	}
	target := filepath.Join(work, "wheel")
	if err := os.Mkdir(target, 0o755); err != nil {
		return "", fmt.Errorf("download OpenVINO %s: %w", PinnedVersion, err)
	}
	requirements := filepath.Join(work, "requirements.txt")
	line := fmt.Sprintf("openvino==%s --hash=sha256:%s\n", PinnedVersion, pin.SHA256)
	if err := os.WriteFile(requirements, []byte(line), 0o644); err != nil {
		return "", fmt.Errorf("download OpenVINO %s: %w", PinnedVersion, err)
	}

	arguments := append([]string{"-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check",
		"--no-cache-dir", "--require-hashes", "--dest", target, "--requirement", requirements}, selection(pin)...)
	command := exec.CommandContext(ctx, python, arguments...)
	// pip writes what it downloads to its temporary folder first: this way it is
	// removed with ours, whatever happens.
	command.Env = append(os.Environ(), "TMPDIR="+work, "TMP="+work, "TEMP="+work, "PIP_REQUIRE_VIRTUALENV=0")
	command.WaitDelay = 5 * time.Second
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output

	stop := watchSize(work, pin.Size, progress)
	err = command.Run()
	stop()
	if ctx.Err() != nil {
		return "", fmt.Errorf("download OpenVINO %s: %w", PinnedVersion, ctx.Err())
	}
	if err != nil {
		return "", fmt.Errorf("download OpenVINO %s with %s -m pip: %w: %s: check the network, or %s",
			PinnedVersion, python, err, complaint(output.String()), fromAnotherMachine(pin))
	}
	wheels, err := filepath.Glob(filepath.Join(target, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return "", fmt.Errorf("download OpenVINO %s: pip left %d wheels and not one: %s", PinnedVersion, len(wheels), fromAnotherMachine(pin))
	}
	sum, size, err := sumFile(wheels[0])
	if err != nil {
		return "", fmt.Errorf("download OpenVINO %s: %w", PinnedVersion, err)
	}
	if sum != pin.SHA256 { // pip has checked it; a pip that does not must not get past us
		return "", fmt.Errorf("download OpenVINO %s: the file's checksum is %s and not the pinned %s: try again", PinnedVersion, sum, pin.SHA256)
	}
	progress(size, size)
	return wheels[0], nil
}

// selection is the part of pip's arguments that says which wheel.
func selection(pin Pin) []string {
	return []string{
		"--no-deps", "--only-binary=:all:", "--platform", pin.Platform,
		"--python-version", "3.11", "--implementation", "cp", "--abi", "cp311",
	}
}

func fromAnotherMachine(pin Pin) string {
	return fmt.Sprintf("run `pip download %s openvino==%s` on another machine and here `dragoman runtime install --from FILE` (Intel's archive serves too)",
		strings.Join(selection(pin), " "), PinnedVersion)
}

// findPip returns the first of pythons that can run pip.
func findPip(ctx context.Context, pythons []string) (string, error) {
	problem := errors.New("there is no Python (" + strings.Join(pythons, ", ") + ")")
	for _, python := range pythons {
		path, err := exec.LookPath(python)
		if err != nil {
			continue
		}
		output, err := exec.CommandContext(ctx, path, "-m", "pip", "--version").CombinedOutput()
		if err == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		problem = fmt.Errorf("%s cannot run pip (%s)", path, complaint(string(output)))
	}
	return "", problem
}

// complaint returns the line of pip's output that says what went wrong: the last
// one that is marked as an error, else the last.
func complaint(output string) string {
	// pip warns of it, retries, and then says only that it has found nothing.
	for _, sign := range []string{"certificate is not yet valid", "certificate has expired"} {
		if strings.Contains(output, sign) {
			return sign + ", and this machine's clock says " + time.Now().Format("2006-01-02 15:04") + ": set the clock, if that is wrong"
		}
	}
	last := "no message"
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "ERROR:") {
			last = line
		} else if line != "" && !strings.HasPrefix(last, "ERROR:") {
			last = line
		}
	}
	return last
}

// watchSize reports how much of total bytes lies in dir, a few times a second,
// until stop is called: pip's own progress is meant for eyes.
func watchSize(dir string, total int64, progress func(done, total int64)) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(250 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-quit:
				return
			case <-ticker.C:
				progress(min(largestFile(dir), total), total)
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// largestFile returns the size of the largest file below dir. Files may come and
// go meanwhile.
func largestFile(dir string) int64 {
	var largest int64
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			largest = max(largest, info.Size())
		}
		return nil
	})
	return largest
}
