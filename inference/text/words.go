package text

// words are the word lists of one language, separated by white space; rules says what each is for.
type words struct {
	never, title, number, either, starters, months string
}

const (
	sharedTitles  = "dr prof mr mrs ms st"
	sharedNumbers = "no nr n° art fig vol p pp"
)

// wordLists are kept short: single letters, dotted forms and abbreviations before a small letter need no entry.
var wordLists = map[string]words{
	"en": {
		never:  "e.g i.e eg ie viz cf approx vs al",
		title:  `messrs mx capt col cmdr gen lt maj sgt cpl adm rev fr hon pres gov sen rep supt mt ft rt msgr`,
		number: "ca nos sec secs ch chap ed eq eqs para ver tel ext jan feb mar apr jun jul aug sep sept oct nov dec",
		either: "inc ltd co corp bros jr sr esq dept univ assn ave blvd rd a.m p.m am pm u.s u.k u.n",
		starters: `the a an i it he she we they you this that these those there here in on at as by for from with to of
			but and or so yet if when while after before since because although though however then now what who why
			where how which his her its our their my your no not yes one some many most all each every both such`,
	},
	"de": {
		never: `z.b d.h u.a bzw vgl ca evtl ggf inkl exkl zzgl sog bspw insb insbes einschl ausschl entspr
			bez betr gegr geb gest verh lt ev hrsg dipl ing med phil jur rer nat mio mrd tsd hl`,
		title: "hr hrn fr frl bgm mag",
		number: `nrn abs kap abb tab bd bde jg jh ziff aufl ausg anm rn tel jan feb mär apr jun jul aug sep sept okt nov
			dez zi mind max min`,
		either: "co str usf",
		starters: `der die das ein eine einer eines er sie es wir ich ihr du man dies diese dieser dieses jene in im am an auf
			aus bei mit nach von vor zu zur zum für über unter durch als wenn weil da doch aber und oder denn dann nun hier
			dort was wer wie wo warum wann so auch nur noch kein keine mein meine sein seine ihre unser unsere`,
		months: "januar jänner februar feber märz april mai juni juli august september oktober november dezember",
	},
	"fr": {
		never: "p.ex ex cf env m av càd id ibid resp",
		title: "mm mme mmes mlle mlles me mgr pr ste sts stes gén cdt cap lt",
		number: `num chap sect al éd apr réf tél tab ann janv févr avr juil sept oct nov déc
			boul bd`,
		either: "cie sté",
		starters: `le la les l un une des il elle ils elles on nous vous je j tu ce c cet cette ces ça cela ceci dans en à au aux
			de du d par pour sur avec sans sous mais et ou or donc car si s quand lorsque comme puis alors ici là qui que qu
			quoi où pourquoi comment mon ma mes son sa ses notre nos leur leurs non oui tout tous toute`,
	},
	"es": {
		never: "p.ej ej aprox cf ee sr sra sres srta dr dra ca",
		title: "sr sra sres sras srta srtas d dª dña dra dres profa ing lic arq gral cnel cap tte sto sta fr ud uds vd vds mons",
		number: `núm núms nro n.º pág págs cap caps ed tel tfno ext av avda c ap apdo ene feb abr jun jul ago sept oct nov dic
			párr`,
		either: "ee.uu uu cía ltda s.a a.c d.c",
		starters: `el la los las un una unos unas él ella ellos ellas nosotros yo tú usted ustedes esto eso este esta ese esa
			estos estas en a al de del por para con sin sobre pero y e o u si cuando mientras como porque aunque entonces
			luego aquí allí qué quién dónde cómo por cuándo mi mis su sus nuestro no sí todo todos lo se me te le nos hay es`,
	},
	"it": {
		never: "p.es es cfr ca ss sig dott",
		title: `sigg sigra dottssa prof profssa ing avv arch geom rag on sen gen col cap ten mons card ss
			sig.ra sig.na dott.ssa prof.ssa`,
		number: "num pag pagg cap capp ed tel sez par gen feb mar apr mag giu lug ago set sett ott nov dic all",
		either: "s.p.a s.r.l f.lli a.c d.c",
		starters: `il lo la l i gli le un uno una egli lui lei loro noi voi io tu questo questa quest questi queste quello quella
			quell in a al alla nel nella di del della da dal per con su sul ma e ed o se quando mentre come perché anche poi
			allora qui lì che chi cosa dove mio mia suo sua nostro non sì tutto tutti ci si è c`,
	},
	"pt": {
		never:  "p.ex ex aprox cf obs sr sra srs srta dr dra",
		title:  "sras d dª drs dras profa profª eng arq exmo exma ilmo gen cel cap ten pe fr v.exª sto sta",
		number: "núm num pág págs cap caps ed tel ext av r jan fev mar abr mai jun jul ago set out nov dez inc par",
		either: "ltda cia s.a e.u.a a.c d.c",
		starters: `o a os as um uma uns umas ele ela eles elas nós eu tu você vocês isto isso este esta esse essa estes estas
			aquele aquela em no na nos nas de do da dos das por pelo pela para com sem sobre mas e ou se quando enquanto como
			porque embora então depois aqui ali que quem onde meu minha seu sua nosso não sim todo todos há é`,
	},
	"nl": {
		never:    "bijv bv d.w.z o.a m.b.t i.p.v t.a.v incl excl resp ca",
		title:    "dhr mevr mw drs ing ir mej hr",
		number:   "blz hfst afb tel",
		either:   "enz",
		starters: "de het een hij zij ze wij we ik je jij u dit dat deze die er in op aan met maar en of als toen dan wat wie waar",
	},
	"pl": {
		never:    "np tzw tzn m.in ok wg por św ul al pl im godz",
		title:    "mgr inż hab płk gen kpt ks",
		number:   "ust pkt rys tab str poz",
		starters: "to ten ta te on ona oni my ja ty w na z do po za ale i a jak kiedy gdy nie tak co kto gdzie jest",
	},
	"ru": {
		never:    "т.е т.к т.н т.ч ул пр просп пер им см ср напр др.греч гг св тов акад",
		title:    "проф акад ген",
		number:   "стр рис гл табл ст пп",
		either:   "др тыс млн млрд руб коп т.д т.п",
		starters: "он она они мы я ты вы это этот эта эти в на с по из за но и а как когда если не да что кто где так для все",
	},
	"uk": {
		never:    "т.е т.з вул просп пров ім див напр",
		title:    "проф акад ген",
		number:   "стор рис гл табл ст",
		either:   "ін тис млн млрд грн т.д т.п",
		starters: "він вона вони ми я ти ви це цей ця ці в у на з по із за але і та як коли якщо не так що хто де для",
	},
	"el": {never: "π.χ δηλ βλ", title: "κ κα κος δρ", number: "αρ σελ κεφ"},
	"tr": {never: "örn vb.nin bkz", title: "doç yrd öğr av müh sn", number: "cad sok"},
	"hi": {never: "डॉ श्री प्रो सुश्री कु"},
}
