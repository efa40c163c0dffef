#!/usr/bin/env python3
"""Writes small SentencePiece models with unusual settings, and what SentencePiece makes of random text with them.

Run where sentencepiece and protobuf are installed:

    python3 reference.py TEXT

TEXT is the file laser-tatoeba-de.de of the laser-tatoeba test sets. Writes NAME.model and reference.jsonl.gz
beside this script; a line of the latter is {"model", "text" or "hex", "pieces", "ids", "decoded"}, or
{"model", "pieces", "decoded"} for pieces that no text gave.
"""
import gzip
import json
import pathlib
import random
import sys
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as pb

HERE = pathlib.Path(__file__).parent

# Rules of a character map: code points in hexadecimal, TAB, their replacement.
RULES = [("41", "61"), ("61 62", "20 58 20"), ("61 62 63", "59"), ("7A", ""), ("C4", "41 65"), ("2581", "20"), ("9", "20"), ("E4 20", "C4")]
BACK = [("41 65", "C4"), ("59", "61 62 63"), ("20 20", "5F")]

MODELS = {
    "symbols": dict(normalization_rule_name="identity", user_defined_symbols=["<x>", "<x><y>", "ich", "ä", "##"]),
    "spaces": dict(normalization_rule_name="identity", remove_extra_whitespaces=False, user_defined_symbols=["a b"]),
    "bare": dict(rules=RULES, add_dummy_prefix=False, unk_surface="<?>"),
    "rules": dict(rules=RULES, back=BACK, user_defined_symbols=["abz"]),
    "unused": dict(normalization_rule_name="identity"),
    "plain": dict(normalization_rule_name="identity", add_dummy_prefix=False, remove_extra_whitespaces=False),
    "unescaped": dict(normalization_rule_name="identity"),
    "refused-unigram": dict(model_type="unigram", vocab_size=200, normalization_rule_name="identity"),
    "refused-bytes": dict(byte_fallback=True, vocab_size=400, normalization_rule_name="identity"),
    "refused-suffix": dict(treat_whitespace_as_suffix=True, normalization_rule_name="identity"),
}

ALPHABET = [*"aabbcdeeeinnrstuhzABÄäöß", " ", " ", " ", "  ", "\t", "\u2581", "\u2581", "<x>", "<y>", "##", "#", "ich", "sch", "der", "ist", "ab", "abc", "a b",
            "Y", "X", "\u6f22", "\u5b57", "\x00", "\U0001f600", "\ufffd", "<s>", "<unk>", ".", "!"]


def train(text, name, rules=None, back=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        for option, table in [("normalization_rule_tsv", rules), ("denormalization_rule_tsv", back)]:
            if table:
                path = pathlib.Path(folder, option)
                path.write_text("".join(f"{a}\t{b}\n" for a, b in table))
                options[option] = str(path)
        prefix = str(pathlib.Path(folder, name))
        options = {"model_type": "bpe", "vocab_size": 350, "character_coverage": 1.0, "bos_id": 1, "eos_id": 2, "unk_id": 0, **options}
        sentencepiece.SentencePieceTrainer.train(input=text, model_prefix=prefix, num_threads=1, minloglevel=2, **options)
        model = pb.ModelProto.FromString(pathlib.Path(prefix + ".model").read_bytes())
    model.trainer_spec.input[:] = []
    model.trainer_spec.model_prefix = name
    for spec in (model.normalizer_spec, model.denormalizer_spec):
        spec.ClearField("normalization_rule_tsv")
    if name == "unused":
        for piece in model.pieces[20:230:2]:
            if piece.type == pb.ModelProto.SentencePiece.NORMAL and len(piece.piece) > 1:
                piece.type = pb.ModelProto.SentencePiece.UNUSED
    if name == "unescaped":
        model.normalizer_spec.escape_whitespaces = False
    (HERE / f"{name}.model").write_bytes(model.SerializeToString())


def main():
    draw = random.Random(1)
    with open(HERE / "reference.jsonl.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        for name, options in MODELS.items():
            train(sys.argv[1], name, **options)
            if name.startswith("refused"):
                continue
            p = sentencepiece.SentencePieceProcessor(model_file=str(HERE / f"{name}.model"))
            emit = lambda **record: out.write((json.dumps({"model": name, **record}) + "\n").encode())
            for _ in range(300):
                text = "".join(draw.choices(ALPHABET, k=draw.randint(0, 24)))
                pieces = p.encode(text, out_type=str)
                emit(text=text, pieces=pieces, ids=p.encode(text), decoded=p.decode(pieces))
            for _ in range(60):
                pieces = [p.id_to_piece(draw.randrange(p.vocab_size())) for _ in range(draw.randint(0, 8))]
                pieces.insert(0, draw.choice(["\u2581", "<unk>", "<s>", "\u2581\u2581", "qqq", "\u2581qqq", "a"]))
                emit(pieces=pieces, decoded=p.decode(pieces))


main()
