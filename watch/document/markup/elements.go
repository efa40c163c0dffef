package markup

import "dragoman/watch/document/segment"

var (
	// untranslated have content that is no language or not shown. That of noscript comes
	// as a text with the tags in it, as to browsers that run scripts.
	untranslated = segment.Names("script style textarea math metadata noscript noembed noframes iframe xmp plaintext template object")
	// literal stand in sentences and stay as they are.
	literal = segment.Names("code kbd samp var tt")
	// void elements have no end (HTML standard, section 13.1.2).
	void = segment.Names("area base br col embed hr img input link meta param source track wbr")
	// inline elements stand in sentences; all others end one. Those that are not known
	// count as inline.
	block = segment.Names(`address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset
		figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html legend li main menu nav ol optgroup
		option p pre search section select summary table tbody td tfoot th thead title tr ul video audio canvas noscript text desc`)  // the last two in SVG
	headings = segment.Names("h1 h2 h3 h4 h5 h6 title")
	cells    = segment.Names("td th")
	// lineless elements have text and no br, which would be shown as it is written or be a mistake.
	lineless = segment.Names("title option optgroup text tspan textpath desc")
	// apart are those that make a menu of words where one follows the other at once.
	apart = segment.Names("a label")
	// selfEnding are ended by the next of their kind without an end tag (section 13.1.2.4).
	selfEnding = segment.Names("p li dt dd td th tr option")
	// endsParagraph are those whose start ends a p.
	endsParagraph = segment.Names(`address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6
		header hr main nav ol p pre section table ul`)
	// shown are attributes that readers see.
	shown = segment.Names("alt title placeholder aria-label aria-description aria-roledescription")
	// described are the names of meta elements whose content readers see.
	described = segment.Names("description keywords og:title og:description og:image:alt twitter:title twitter:description twitter:image:alt")
)
