#!/usr/bin/env python3
"""Writes the pytorch_model.bin files of this folder and expected.json, the
values that PyTorch itself reads from weights.bin. Needs PyTorch; run it in this folder.
"""
import collections
import json
import os
import pickle
import zipfile

import torch
from torch import nn


class Small(nn.Module):
    """One matrix under two names, as M2M-100 ties its embeddings."""

    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(10, 4)
        self.lm_head = nn.Linear(4, 10, bias=False)
        self.lm_head.weight = self.shared.weight


def state():
    torch.manual_seed(7)
    sd = Small().state_dict()  # carries _metadata
    sd["f16"] = torch.tensor([[1.0, -2.5, 6e-8], [65504.0, float("inf"), 0.1]]).half()
    sd["bf16"] = torch.tensor([[3.140625, -1e-40], [1e38, 0.0]]).bfloat16()
    sd["view"] = torch.arange(20, dtype=torch.float32)[4:10]
    sd["scalar"] = torch.tensor(-0.75)
    sd["empty"] = torch.zeros(0, 3)
    sd["column"] = torch.arange(6, dtype=torch.float32).reshape(6, 1)[:, :1]
    sd["parameter"] = nn.Parameter(torch.linspace(-1, 1, 7).half(), requires_grad=True)
    return sd


class Evil:
    def __reduce__(self):
        return os.system, ("touch executed-by-pickle",)


def replace_pickle(source, target, pickled):
    """Copies an archive with another data.pkl, everything stored."""
    with zipfile.ZipFile(source) as a, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as b:
        for i in a.infolist():
            b.writestr(i.filename, pickled if i.filename.endswith("data.pkl") else a.read(i))


def main():
    sd = state()
    torch.save(sd, "weights.bin")
    torch.save(sd, "protocol4.bin", pickle_protocol=4)
    torch.save(sd, "legacy.bin", _use_new_zipfile_serialization=False)
    torch.save({"model.shared.weight": torch.arange(12.0).reshape(3, 4).t()}, "transposed.bin")
    torch.save({"position_ids": torch.arange(4)}, "integers.bin")
    torch.save({"model": {"a": torch.ones(2)}, "step": 3}, "training.bin")
    replace_pickle("weights.bin", "evil.bin", pickle.dumps({"model.shared.weight": Evil()}, 2))
    with zipfile.ZipFile("weights.bin") as a, zipfile.ZipFile("compressed.bin", "w", zipfile.ZIP_DEFLATED) as b:
        for i in a.infolist():
            b.writestr(i.filename, a.read(i))

    expected = collections.OrderedDict()
    for name, t in torch.load("weights.bin", weights_only=True).items():
        bits = t.detach().float().contiguous().view(torch.int32)
        expected[name] = {
            "dtype": {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}[t.dtype],
            "shape": list(t.shape),
            "bits": [v & 0xFFFFFFFF for v in bits.flatten().tolist()],
        }
    with open("expected.json", "w", newline="\n") as f:
        json.dump(expected, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
