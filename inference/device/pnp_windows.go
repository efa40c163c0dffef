package device

import (
	"strings"

	"golang.org/x/sys/windows"
)

// pciOfWindows lists what is plugged in at PCI, with its driver and state. What
// cannot be asked is left out: a survey does not fail.
func pciOfWindows() []PnP {
	set, err := windows.SetupDiGetClassDevsEx(nil, "PCI", 0, windows.DIGCF_PRESENT|windows.DIGCF_ALLCLASSES, 0, "")
	if err != nil {
		return nil
	}
	defer set.Close()
	var all []PnP
	for i := 0; ; i++ {
		data, err := set.EnumDeviceInfo(i)
		if err != nil {
			return all // the end, or something that no later call gets past
		}
		instance, err := set.DeviceInstanceID(data)
		if err != nil || !strings.HasPrefix(strings.ToUpper(instance), `PCI\`) {
			continue
		}
		text := func(property windows.SPDRP) string {
			v, err := set.DeviceRegistryProperty(data, property)
			if err != nil {
				return ""
			}
			s, _ := v.(string)
			return s
		}
		p := PnP{
			Instance: instance, Class: strings.ToLower(text(windows.SPDRP_CLASSGUID)),
			Name: text(windows.SPDRP_FRIENDLYNAME), Driver: text(windows.SPDRP_DRIVER), Service: text(windows.SPDRP_SERVICE),
		}
		if p.Name == "" {
			p.Name = text(windows.SPDRP_DEVICEDESC)
		}
		var status, problem uint32
		if windows.CM_Get_DevNode_Status(&status, &problem, data.DevInst, 0) == nil && status&windows.DN_HAS_PROBLEM != 0 {
			p.Fault = problem
		}
		all = append(all, p)
	}
}
