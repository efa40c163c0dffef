package folder

import "golang.org/x/sys/unix"

const (
	foldCase   = false // compare paths as the usual file systems do
	shortNames = false // events may carry an alias of a name
)

// Magic numbers of statfs(2) that x/sys/unix does not have.
const (
	cephMagic   = 0x00c36400
	vboxsfMagic = 0x786f4256
	vmhgfsMagic = 0xbacbacbc
)

// sendsNoEvents says whether dir lies on a file system that does not report
// what other machines, or the kernel itself, change in it.
func sendsNoEvents(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC,
		unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC,
		unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, cephMagic, vboxsfMagic, vmhgfsMagic:
		return true
	}
	return false
}
