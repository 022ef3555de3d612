"""Trains the embedded model on shards, for a given time.

The learning rate warms up, stays constant, and decays over the last part of the given time.
Given text (the program and the actions) has no weight in the loss; changed values have the
highest. The trajectories of a row cannot attend to each other (train.documents). Shards are
read as they appear, so data can be created during training. If there is a checkpoint, training
resumes from it; otherwise --init starts from the weights of a trained model. If OUT/minutes is
written during the run, its number replaces that of the command line, because the time on a
borrowed machine can change.

    python3 -m lab.train.fit SHARDS --size 30m --minutes 24 --out DIR [--measure FILE]
"""

import argparse
import contextlib
import dataclasses
import json
import math
import pathlib
import sys
import time

import torch
import torch.nn.functional as F

from lab.train import documents, export, measure, weights
from lab.train.feed import Feed
from lab.train.model import SIZES, Decoder, Size
from lab.train.muon import Muon
from lab.train.tokens import Tokenizer

WEIGHTS = (0.0, 1.0, 3.0, 0.15)  # weights in the loss by kind: given, structure, changed, the text of the line


def rate(progress, warm, decay):
    """Returns the learning rate as a share of its maximum. progress is the progress of the run,
    from 0 to 1."""
    if progress < warm:
        return progress / warm
    return min(1.0, max(0.0, (1 - progress) / decay))


def loss_of(model, rows, loss_weights, masks):
    """Returns the weighted mean loss of rows [batch, window + 1]. masks returns the attention mask
    for tokens [batch, window]."""
    tokens, kinds = rows & 0x1FF, rows >> 9
    given = tokens[:, :-1].contiguous()
    logits = model(given, masks(given))
    w = loss_weights[kinds[:, 1:]]
    each = F.cross_entropy(logits.float().flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    return (each * w.flatten()).sum() / (w.sum() + 1)


class Run:
    """A training run: the model, its optimisers and its progress."""

    def __init__(self, o):
        self.o = o
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(o.seed)
        torch.set_float32_matmul_precision("high")
        self.size = Size(len(Tokenizer()), **SIZES[o.size])
        self.model = Decoder(self.size).to(self.device)
        if o.init:
            self.begin_with(o.init)
        matrices = [p for n, p in self.model.named_parameters() if p.dim() == 2 and "layers" in n]
        others = [p for n, p in self.model.named_parameters() if not (p.dim() == 2 and "layers" in n)]
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(others, lr=o.adam, betas=(0.9, 0.95), weight_decay=0.0)
        self.loss_weights = torch.tensor(WEIGHTS, device=self.device)
        self.step, self.tokens, self.spent = 0, 0, 0.0
        self.fast = torch.compile(self.model) if self.device == "cuda" else self.model
        self.opening = Tokenizer().id(documents.OPENING)
        self.mask = documents.blocks if self.device == "cuda" else documents.dense

    def begin_with(self, path):
        """Loads the weights of a trained model, in any format that lab.train.export
        reads."""
        trained = export.Model.load(path)
        if trained.size != dataclasses.asdict(self.size):
            sys.exit(f"{path} has other dimensions than --size {self.o.size}")
        self.model.load_state_dict({n: torch.from_numpy(a) for n, a in trained.tensors.items()})

    def masks(self, tokens):
        """Returns the mask that separates the trajectories of tokens [batch, window]."""
        return self.mask(documents.numbered(tokens, self.opening))

    def choose_mask(self, rows):
        """Compiles the model with the fast mask and compares its loss with that of the dense mask.
        If the fast mask fails, it uses the dense one. Returns a description of the result."""
        rows = rows[: self.o.micro].to(self.device).long()
        try:
            with self.cast():
                loss = loss_of(self.fast, rows, self.loss_weights, self.masks)
            loss.backward()  # the backward pass is compiled separately
            fast = float(loss.detach())
        except Exception as e:  # the compiler raises exceptions of any type
            torch._dynamo.reset()
            self.fast, self.mask = torch.compile(self.model), documents.dense
            self.model.zero_grad(set_to_none=True)
            return {"mask": "dense", "because": f"{type(e).__name__}: {e}"[:500]}
        self.model.zero_grad(set_to_none=True)
        self.mask = documents.dense
        with torch.no_grad(), self.cast():
            dense = float(loss_of(self.model, rows, self.loss_weights, self.masks))
        self.mask = documents.blocks
        if not abs(fast - dense) < 0.02 * abs(dense) + 0.01:
            sys.exit(f"the fast mask is wrong: its loss is {fast}, the dense one's {dense}")
        return {"mask": "blocks", "loss": fast, "dense": dense}

    def cast(self):
        """Returns a context that computes in half precision if that is faster."""
        if self.device == "cuda" or self.o.bf16:
            return torch.autocast(self.device, torch.bfloat16)
        return contextlib.nullcontext()

    def learn(self, feed, share):
        """Takes one step, and returns the loss, still on the device."""
        rows = feed.batch(self.o.batch).to(self.device, non_blocking=True).long()
        parts = rows.split(self.o.micro)
        total = 0.0
        for part in parts:
            with self.cast():
                loss = loss_of(self.fast, part, self.loss_weights, self.masks)
            (loss / len(parts)).backward()
            total = total + loss.detach() / len(parts)
        for g in self.adam.param_groups:
            g["lr"] = self.o.adam * share
            torch.nn.utils.clip_grad_norm_(g["params"], 1.0)
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)
        self.muon.step(self.o.rate * share)
        self.step += 1
        self.tokens += rows.shape[0] * (rows.shape[1] - 1)
        return total

    def save(self, path, spent):
        """Saves a checkpoint atomically."""
        part = path.with_suffix(".writing")
        torch.save(
            {
                "model": self.model.state_dict(),
                "adam": self.adam.state_dict(),
                "muon": self.muon.state(),
                "stands": (self.step, self.tokens, spent),
            },
            part,
        )
        part.rename(path)

    def resume(self, path):
        """Resumes from a checkpoint."""
        c = torch.load(path, map_location=self.device)
        self.model.load_state_dict(c["model"])
        self.adam.load_state_dict(c["adam"])
        self.muon.restore(c["muon"])
        self.step, self.tokens, spent = c["stands"]
        self.spent = max(self.spent, spent)

    def export(self, path):
        """Saves the weights in bfloat16, with the model's dimensions."""
        tensors = {n: p.detach().float().cpu().numpy() for n, p in self.model.state_dict().items()}
        size = json.dumps(dataclasses.asdict(self.size))
        weights.save(
            path,
            {n: weights.narrow(a) for n, a in tensors.items()},
            {"size": size, "steps": self.step, "tokens": self.tokens},
        )


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("shards")
    p.add_argument("--out", required=True, help="checkpoint, log and weights")
    p.add_argument("--init", help="begin with these weights: safetensors of train.fit, or a file of npdb's format")
    p.add_argument("--size", choices=SIZES, default="30m")
    p.add_argument("--minutes", type=float, default=24, help="of training, a resumed run's earlier ones included")
    p.add_argument("--steps", type=int, default=0, help="end after so many steps, if that is sooner")
    p.add_argument("--batch", type=int, default=64, help="rows in a step")
    p.add_argument("--micro", type=int, default=32, help="rows at a time")
    p.add_argument("--window", type=int, default=2048, help="a shorter one cuts the rows")
    p.add_argument("--rate", type=float, default=0.02, help="Muon's")
    p.add_argument("--adam", type=float, default=4e-3, help="AdamW's: embeddings, head, norms")
    p.add_argument("--warm", type=float, default=0.01)
    p.add_argument("--decay", type=float, default=0.35, help="the part of the run in which the rate falls")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--bf16", action="store_true", help="half precision on a CPU too")
    p.add_argument("--measure", help="a file of train.sets; looked at every --every minutes")
    p.add_argument("--every", type=float, default=3)
    p.add_argument("--reuse", type=int, default=2, help="how often a row may be taken")
    return p.parse_args()


def main():
    o = options()
    out = pathlib.Path(o.out)
    out.mkdir(parents=True, exist_ok=True)
    run, log = Run(o), open(out / "log.jsonl", "a")
    checkpoint = out / "checkpoint.pt"
    if checkpoint.exists():
        run.resume(checkpoint)

    def say(**fields):
        line = json.dumps({"step": run.step, "minutes": round(run.spent / 60, 2), "tokens": run.tokens, **fields})
        print(line, flush=True)
        log.write(line + "\n")
        log.flush()

    say(parameters=run.size.parameters(), device=run.device, options=vars(o))
    feed = Feed(o.shards, o.reuse, o.window, run.device)
    if run.device == "cuda":
        say(**run.choose_mask(feed.batch(o.batch)))
    began = time.monotonic() - run.spent
    looked = saved = run.spent
    seconds, losses, since = 60 * o.minutes, [], (run.spent, run.tokens)
    while (progress := max(run.spent / seconds, run.step / o.steps if o.steps else 0)) < 1:
        losses.append(run.learn(feed, rate(progress, o.warm, o.decay)))
        if run.step % 50 == 0 or run.step == 1:
            loss = float(sum(losses) / len(losses))  # this waits for the device
            run.spent = time.monotonic() - began
            if not math.isfinite(loss):
                if not checkpoint.exists():
                    sys.exit("the loss is no number any more; a lower --rate may help")
                run.resume(checkpoint)
                o.rate, o.adam, losses = o.rate / 2, o.adam / 2, []
                say(diverged="went back to the checkpoint, at half the rates")
                continue
            speed = (run.tokens - since[1]) / max(1e-9, run.spent - since[0])
            if (out / "minutes").exists():
                seconds = 60 * float((out / "minutes").read_text())
            if run.step % 200 == 0 or run.step == 1:
                say(loss=round(loss, 4), speed=round(speed), waited=round(feed.waited, 1), rows=feed.seen, again=feed.again)
                losses, since = [], (run.spent, run.tokens)
        run.spent = time.monotonic() - began
        if o.measure and run.spent - looked > 60 * o.every and pathlib.Path(o.measure).exists():
            looked = run.spent
            say(**measure.look(run.model, measure.load(o.measure), run.device, run.cast, 256, run.size.window))
        if run.spent - saved > 120:
            saved = run.spent
            run.save(checkpoint, run.spent)
            run.export(out / "model.safetensors")  # so that a loss of the machine loses only the work after this point
    run.save(checkpoint, run.spent)
    run.export(out / "model.safetensors")
    if o.measure:
        say(final=True, **measure.look(run.model, measure.load(o.measure), run.device, run.cast, None, run.size.window))
    feed.close()
    log.close()


if __name__ == "__main__":
    main()
