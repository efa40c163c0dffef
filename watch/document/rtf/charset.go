package rtf

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	symbols = 2  // the character set of fonts whose letters are pictures
	unread  = -1 // stands for the code page of a character set that is not known
)

// codePages are those of Windows and DOS that a file or a font may name.
var codePages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh,
	10001: japanese.ShiftJIS, 10007: charmap.MacintoshCyrillic, 65001: unicode.UTF8,
}

// ofCharsets are the code pages of the character sets of fonts (specification 1.9.1, "Font Table"); 0 and 1 have that of the file.
var ofCharsets = map[int]int{
	77: 10000, 78: 10001, 89: 10007, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251,
	222: 874, 238: 1250, 254: 437, 255: 850,
}

// named are characters that words stand for.
var named = map[string]string{
	"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
	"emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "~": "\u00a0", "_": "\u2011", "-": "\u00ad",
	"zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f", "{": "{", "}": "}", `\`: `\`,
}
