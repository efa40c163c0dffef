#!/usr/bin/env python3
"""Writes the reference data of the tokenizer's tests with transformers' M2M100Tokenizer.

Run where transformers, sentencepiece and protobuf are installed:

    python3 reference.py STARTER TATOEBA [M2M100]

STARTER is the folder of the starter checkpoint, TATOEBA the folder of the laser-tatoeba test sets,
M2M100 a folder with the tokenizer files of facebook/m2m100_418M. Writes starter.jsonl.gz and, with
M2M100, m2m100_418M.jsonl.gz beside this script. One object a line: lang, text (or hex, where the
bytes are not UTF-8), ids, decoded.
"""
import gzip
import json
import pathlib
import sys

import transformers

HERE = pathlib.Path(__file__).parent

NASTY = [
    "", " ", "\t\n\r ", "\u00a0", "\u3000\u3000", "\u200b", "\ufeff", "\u2581", "\u2581\u2581a\u2581", "a\u2581",
    "\x00", "a\x00b", "\x01\x02\x1f", "\x7f", "\x85a\x85", "tab\tin\tit", "  two  spaces  ", "line\nbreak\r\nand more\r",
    "no\u00a0break\u202fspace", "zero\u200bwidth\u200cjoin\u200der\ufeff", "soft\u00adhyphen", "word\u2060joiner",
    "\u202eright to left\u202c", "\u2028line\u2029paragraph",
    "\U0001f600", "smile \U0001f600\U0001f600 twice", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f1e9\U0001f1ea\U0001f1ea\U0001f1f8",
    "\u2764\ufe0f\u2764", "\U0001f44d\U0001f3fd", "\ufffd", "a\ufffdb", "\ufdfa", "\ufb01ne \ufb02ow", "\uff28\uff45\uff4c\uff4c\uff4f\u3000\uff11\uff12\uff13\uff01",
    "\uff76\uff9e\uff77\uff9e", "\u2460\u2461\u2462 \u00bd \u00b2 \u2122 \u2103", "e\u0301 e\u0301\u0323 a\u030a o\u0308", "\u00e9\u0301", "\u0301", "\u1e69 s\u0323\u0307 s\u0307\u0323",
    "\u1100\u1161\u11a8 \uac01", "\u0344", "Z\u0351\u036b\u0343\u036aa\u0310\u0342l\u0334\u034dg\u0349o\u0322",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645", "\u0661\u0662\u0663\u060c \u06f1\u06f2\u06f3", "\ufee3\ufeae\ufea3\ufe92\ufe8e",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01 \u0e19\u0e49\u0e33", "\u4f60\u597d\uff0c\u4e16\u754c\u3002", "\u3053\u3093\u306b\u3061\u306f\u4e16\u754c", "\ud55c\uad6d\uc5b4 \ubb38\uc7a5",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e", "\u05e9\u05dc\u05d5\u05dd", "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!", "\u0393\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5", "\u9668 \u8ce4 \u5ced", "x\u9668y",
    "<s>", "</s>", "<unk>", "<pad>", "__de__", "a </s> b", "__en__ Hello </s>", "madeupword0000", "\u2047", "<0x0A>",
    "...", "\u2026\u2026", "!!!!!!!!!!!!!!!!", "''``\"\"\u201e\u201c\u201d\u00ab\u00bb\u2039\u203a", "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c~\uff5e",
    "3.14159 1,000,000 1\u00a0000 0xFF 1e-9", "https://example.org/a?b=c&d=%20#e", "name@example.org", "C:\\Users\\x\\y.txt", "if (x != 0) { y[i] += 1; }",
    "Donaudampfschifffahrtsgesellschaftskapit\u00e4n", "anticonstitutionnellement", "\u00bfQu\u00e9 tal? \u00a1Muy bien!", "STRASSE stra\u00dfe \u1e9e",
    "a" * 700, "ab" * 300, " ".join(["word"] * 120), "\u00e4" * 90, "a\u0301" * 50, "\U00010348\U0001d518\U000e0041\U0010ffff", "\ue000\uf8ff",
]

NOT_UTF8 = [
    "ff", "80", "c3", "61c3", "c328", "e282", "e28261", "f09f98", "c080", "eda080", "edbfbf", "f4908080", "f8888080", "48616c6cf6", "61ff62fe63", "20ff20", "e2ff81", "80818283",
]


def corpus(folder, every):
    for lang, name in [("en", "de.en"), ("de", "de.de"), ("es", "es.es"), ("fr", "fr.fr"), ("it", "it.it"), ("pt", "pt.pt")]:
        lines = (folder / f"laser-tatoeba-{name}").read_text(encoding="utf-8").split("\n")[:1000]
        for line in lines[::every]:
            yield lang, line


def write(path, tokenizer, lines):
    # Without this, transformers takes "</s>" in a text for the end of the text.
    # For dragoman a text is only ever text.
    tokenizer.split_special_tokens = True

    def record(lang, pieces, **text):
        ids = [tokenizer.get_lang_id(lang), *tokenizer.convert_tokens_to_ids(pieces), tokenizer.eos_token_id]
        return {"lang": lang, **text, "ids": ids, "decoded": tokenizer.decode(ids, skip_special_tokens=True)}

    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        for lang, text in lines:
            r = record(lang, tokenizer.tokenize(text), text=text)
            tokenizer.src_lang = lang
            assert r["ids"] == tokenizer(text)["input_ids"], text
            out.write((json.dumps(r, ensure_ascii=True) + "\n").encode())
        for data in NOT_UTF8:
            pieces = tokenizer.sp_model.encode(bytes.fromhex(data), out_type=str)
            pieces = [p.decode() if isinstance(p, bytes) else p for p in pieces]
            out.write((json.dumps(record("en", pieces, hex=data)) + "\n").encode())


def main():
    starter, tatoeba = map(pathlib.Path, sys.argv[1:3])
    nasty = [("en", text) for text in NASTY]
    load = transformers.M2M100Tokenizer.from_pretrained
    write(HERE / "starter.jsonl.gz", load(starter), [*corpus(tatoeba, 3), *nasty])
    if len(sys.argv) > 3:
        write(HERE / "m2m100_418M.jsonl.gz", load(sys.argv[3]), [*corpus(tatoeba, 20), *nasty])


main()
