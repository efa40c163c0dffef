package daemon

import (
	"fmt"
	"os"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/inference/ladder"
	"dragoman/inference/openvino/locate"
)

// Keys of notices about what the model runs on.
const (
	aboutDevice  = "device"  // one computes wrongly
	aboutRuntime = "runtime" // there is another one now
)

// lookAtDevices says what a person should know of the devices and of OpenVINO,
// as long as it is so. A computer that wakes up is looked at within one look.
func (d *Daemon) lookAtDevices() {
	for key, n := range map[string]api.Notice{
		aboutDevice:  {Level: "warning", Message: d.models.wrong()},
		aboutRuntime: {Level: "info", Message: d.otherRuntime()},
	} {
		if n.Message == "" {
			d.withdraw(key)
			continue
		}
		d.say(key, n)
	}
}

// wrong is why a device was refused that is there and computes wrongly, "" where
// none was.
func (m *models) wrong() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current == nil {
		return ""
	}
	return wrongOf(m.current.Devices().Falls)
}

func wrongOf(falls []ladder.Fall) string {
	for _, f := range falls {
		if f.Reason.Kind == ladder.Wrong {
			text := f.Reason.Error()
			return strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return ""
}

// library is the file of an OpenVINO as it was when it was loaded.
type library struct {
	locate.Candidate
	size int64
	time time.Time
}

func newLibrary(c locate.Candidate) library {
	l := library{Candidate: c}
	if info, err := os.Stat(c.Library); err == nil {
		l.size, l.time = info.Size(), info.ModTime()
	}
	return l
}

// same says whether two are one file with one content.
func (l library) same(other library) bool {
	return l.Library == other.Library && l.size == other.size && l.time.Equal(other.time)
}

// otherRuntime says that the next start will use another OpenVINO than this one,
// "" where it will not. A process keeps the one that it has loaded.
func (d *Daemon) otherRuntime() string {
	d.models.mu.Lock()
	current, settings := d.models.current, d.models.settings
	d.models.mu.Unlock()
	if current == nil {
		return ""
	}
	found, err := d.models.findRuntime(settings)
	if err != nil || newLibrary(found).same(current.library) {
		return ""
	}
	return fmt.Sprintf("Another OpenVINO was installed, %s, and the service still works with %s: %s", found.Library, current.about.Runtime, d.self.HowToRestart())
}
