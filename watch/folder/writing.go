package folder

// OpenForWriting says whether some program has the file at path open for
// writing, so that more may come. known is false where the system does not tell.
// On Windows a file that a program has for itself counts too.
func OpenForWriting(path string) (open, known bool) { return askWriters(path) }
