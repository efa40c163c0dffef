"""Makes chrf_vectors.json: what sacrebleu gives for small corpora.

  pip install sacrebleu==2.6.0
  python chrf_vectors.py > chrf_vectors.json

Each vector has hypotheses, one reference for each, the corpus score with sacrebleu's
defaults (character n-grams of order 1 to 6, no words, beta 2, white space removed, case
kept, effective order) and the score of each sentence alone.
"""
import json
import sys

import sacrebleu

VECTORS = {
    "one sentence": (["The cat sat on the mat."], ["The cat is sitting on the mat."]),
    "all equal": (["Guten Morgen!", "Wie geht es dir?"], ["Guten Morgen!", "Wie geht es dir?"]),
    "nothing in common": (["abcdef ghijkl"], ["uvwxyz UVWXYZ"]),
    "several sentences of unlike lengths": (
        ["Ich habe gestern ein neues Fahrrad gekauft.", "Nein.",
         "Der Zug nach Hamburg fährt heute von Gleis sieben ab, nicht von Gleis zwei."],
        ["Gestern habe ich mir ein neues Rad gekauft.", "Nein, danke.",
         "Heute fährt der Zug nach Hamburg nicht von Gleis zwei, sondern von Gleis sieben."]),
    "shorter than the highest order": (["ja", "a", "oui!", "sì"], ["ja", "b", "oui", "sí"]),
    "orders that only one side has": (["ab", "abcdefgh"], ["abcdefgh", "ab"]),
    "empty sides": (["", "nur Übersetzung", "", "gleich"], ["nur Vorlage", "", "", "gleich"]),
    "all hypotheses empty": (["", "  "], ["eins", "zwei"]),
    "case and repeated characters": (
        ["aaaaaaaaaa aaaa", "HELLO hello", "no no no no no"],
        ["aaaaaa", "Hello Hello", "no no"]),
    "every kind of white space": (
        ["a\u00a0b\u202fc\td\u3000e\x1cf\x85g\u2028h", " führend  und folgend \r\n", "x\u200by"],
        ["a b c d e f g h", "führend und\u2003folgend", "x y"]),
    "beyond ASCII and beyond the first plane": (
        ["¿Dónde está el baño?", "e\u0301te\u0301", "生活就像一盒巧克力。", "Ça va 👍🏽👨‍👩‍👧 ?"],
        ["¿Dónde está la estación?", "été", "生活就像巧克力。", "Ça va 👍👨‍👩‍👦 ?"]),
}


def main():
  metric = sacrebleu.CHRF()
  vectors = []
  for name, (hypotheses, references) in VECTORS.items():
    vectors.append({
        "name": name, "hypotheses": hypotheses, "references": references,
        "corpus": metric.corpus_score(hypotheses, [references]).score,
        "sentences": [metric.sentence_score(h, [r]).score
                      for h, r in zip(hypotheses, references)]})
  json.dump({"signature": f"{metric.get_signature()}", "vectors": vectors},
            sys.stdout, ensure_ascii=True, indent=1)
  sys.stdout.write("\n")


if __name__ == "__main__":
  main()
