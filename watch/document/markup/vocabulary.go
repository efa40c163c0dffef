package markup

import (
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// vocabulary is what is known of the elements of an XML file.
type vocabulary struct {
	known    bool // a kind of text whose elements have texts, also of one word
	android  bool
	language string         // of the file, as it says
	among    map[string]int // how often an element stands among words, less how often it does not
	rules    rules
}

var (
	// roots begin files of texts: of DocBook, DITA, TEI, Mallard, RSS and Atom, AppStream,
	// and resources of Android.
	roots = segment.Names(`book article chapter section part appendix preface refentry reference set glossary bibliography sect1 refsect1
		topic concept task map bookmap dita glossentry tei teicorpus page rss feed component resources`)
	// keptXML have content that is for programs, whatever stands around it.
	keptXML = segment.Names(`programlisting screen literallayout synopsis cmdsynopsis funcsynopsis classsynopsis methodsynopsis fieldsynopsis
		code literal command option filename function parameter varname envar constant type classname methodname interfacename
		replaceable systemitem userinput computeroutput keycap keycombo email uri prompt markup tag sgmltag structname structfield symbol
		token property errorcode errorname returnvalue arg co date pubdate releaseinfo edition productnumber isbn issn biblioid
		copyright author personname firstname surname othername affiliation address revnumber authorinitials corpauthor subjectset
		modespec refmiscinfo manvolnum
		codeblock codeph pre msgblock filepath systemoutput cmdname parmname apiname synph syntaxdiagram xmlelement xmlatt
		formula egxml eg gi att ident idno
		guid lastbuilddate language docs generator ttl url id updated published creator managingeditor webmaster
		metadata_license project_license developer_name provides launchable content_rating
		script style math metadata rules version`)
	// sureNames have texts, also of one word, in files of any kind.
	sureNames = segment.Names("title label caption heading summary description para p paragraph text message term subject headline note comment tooltip hint")
	// blocksXML end a sentence wherever they stand.
	blocksXML = segment.Names(`para p simpara title subtitle titleabbrev section chapter listitem li item entry td th row table informaltable tgroup itemizedlist orderedlist variablelist
		varlistentry step procedure note warning tip caution important footnote fn figure mediaobject informalexample example
		ul ol dl dt dd shortdesc body abstract description summary string plurals string-array
		programlisting screen literallayout synopsis cmdsynopsis funcsynopsis classsynopsis codeblock msgblock pre script style equation`)
	// hidden are not part of what is read, wherever they stand.
	hidden = segment.Names("indexterm remark draft-comment")
)

// survey goes over a file once, to see which elements stand among words.
func survey(body string) (*vocabulary, error) {
	v := &vocabulary{among: map[string]int{}}
	type open struct {
		words    bool
		children []string
	}
	var stack []open
	var rulesOpen bool
	err := xmltext.Scan(body, func(t xmltext.Token) error {
		switch t.Kind {
		case xmltext.Start:
			attrs := xmltext.Attrs(body, t.Start, t.End)
			if len(stack) == 0 {
				root := localName(t.Name)
				v.known, v.android = roots[root], root == "resources"
				for _, a := range attrs {
					if a.Name == "xml:lang" || a.Name == "lang" {
						v.language = a.Value
					}
				}
			} else {
				top := &stack[len(stack)-1]
				top.children = append(top.children, t.Name)
			}
			if strings.HasSuffix(t.Name, ":rules") || rulesOpen {
				rulesOpen = true
				if err := v.rules.read(localName(t.Name), attrs); err != nil {
					return err
				}
			}
			stack = append(stack, open{})
		case xmltext.End:
			if strings.HasSuffix(t.Name, ":rules") {
				rulesOpen = false
			}
			top := stack[len(stack)-1]
			for _, name := range top.children {
				if top.words {
					v.among[name]++
				} else {
					v.among[name]--
				}
			}
			stack = stack[:len(stack)-1]
		case xmltext.Text:
			if len(stack) > 0 && !blank(body[t.Start:t.End]) {
				stack[len(stack)-1].words = true
			}
		}
		return nil
	})
	return v, err
}

func (v *vocabulary) isBlock(path []string) bool {
	name := path[len(path)-1]
	switch v.rules.within(path) {
	case yes:
		return false
	case no:
		return true
	}
	return len(path) == 1 || blocksXML[localName(name)] || v.among[name] < 0
}
