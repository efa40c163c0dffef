"""Describes a real export of optimum-intel, for tests that have no room for it.

  optimum-cli export openvino --model assets/starter \\
    --task text2text-generation-with-past EXPORT
  python describe.py EXPORT assets/starter OUT

Made with optimum-intel 2.2.0, optimum 2.3.0, transformers 5.5.4, torch 2.15.0 and
openvino 2026.4.1. OUT gets the two graphs as they are, packed, the export's
config.json, and constants.json: of each constant of 1,024 bytes or more its place,
its SHA-256 and which tensor of the checkpoint has the same values, found by value
alone. small.py makes other kinds of exports, of which only the graphs are kept.
"""
import gzip
import hashlib
import json
import os
import shutil
import sys
import xml.etree.ElementTree

import torch
from safetensors import safe_open

export, checkpoint, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
tensors = {}
with safe_open(os.path.join(checkpoint, "model.safetensors"), "pt") as file:
  for name in file.keys():
    tensor = file.get_tensor(name)
    for kind, dtype in (("f16", torch.float16), ("f32", torch.float32)):
      data = tensor.to(dtype).contiguous().numpy().tobytes()
      tensors.setdefault((kind, hashlib.sha256(data).hexdigest()), name)
constants = []
for part in ("encoder", "decoder"):
  graph = os.path.join(export, f"openvino_{part}_model.xml")
  with open(graph, "rb") as file:
    content = file.read()
  with open(os.path.join(out, f"{part}.xml.gz"), "wb") as file:
    file.write(gzip.compress(content, 9, mtime=0))
  with open(graph.removesuffix(".xml") + ".bin", "rb") as file:
    weights = file.read()
  for layer in xml.etree.ElementTree.fromstring(content).iter("layer"):
    if layer.get("type") != "Const":
      continue
    data = layer.find("data")
    offset, size = int(data.get("offset")), int(data.get("size"))
    if size < 1024:
      continue
    digest = hashlib.sha256(weights[offset:offset + size]).hexdigest()
    kind = data.get("element_type")
    constants.append({"graph": part, "offset": offset, "size": size, "sha256": digest, "kind": kind,
                      "tensor": tensors.get((kind, digest), "")})
shutil.copy(os.path.join(export, "config.json"), out)
with open(os.path.join(out, "constants.json"), "w") as file:
  file.write("[\n" + ",\n".join(json.dumps(c) for c in constants) + "\n]\n")
