"""The embedded model: a small decoder with Qwen3's architecture.

Its pre-norm blocks have grouped-query attention with normalised queries and keys,
rotary positions, and a SwiGLU. There are no biases, and the head is not tied to the
embeddings. The weights have the names of Hugging Face's Qwen3ForCausalLM, so that
exports need no table. It runs with PyTorch 1.13 on a CPU and 2.x on CUDA.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass(frozen=True)
class Size:
    """A model's dimensions."""

    vocabulary: int
    width: int = 512
    layers: int = 12
    heads: int = 8
    groups: int = 2  # the number of heads of keys and values
    head: int = 64  # the width of a head
    inner: int = 1216  # the width of the SwiGLU
    window: int = 2048
    theta: float = 10000.0

    def parameters(self):
        """Returns the number of weights."""
        attention = self.width * self.head * (2 * self.heads + 2 * self.groups)
        block = attention + 3 * self.width * self.inner + 2 * self.width + 2 * self.head
        return self.layers * block + 2 * self.vocabulary * self.width + self.width


SIZES = {
    "30m": dict(),
    "10m": dict(width=320, layers=8, heads=5, groups=1, inner=896),
    "3m": dict(width=192, layers=6, heads=3, groups=1, inner=512),
    "tiny": dict(width=64, layers=2, heads=2, groups=1, head=32, inner=128, window=512),
}


class Norm(nn.Module):
    """The root-mean-square norm over the last axis."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)
        return (y * self.weight).to(x.dtype)


def rotations(window, head, theta, device=None):
    """Returns cos and sin of the rotary positions, [window, head/2] each."""
    rates = theta ** (-torch.arange(0, head, 2, dtype=torch.float32, device=device) / head)
    angles = torch.arange(window, dtype=torch.float32, device=device)[:, None] * rates
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Rotates [batch, heads, time, head] by its positions. A pair is one element of
    each half, as in Hugging Face's Llama."""
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).to(x.dtype)


def attend(q, k, v, mask=None):
    """Returns the causal attention of queries [batch, heads, time, head] over the keys and values
    [batch, groups, time, head]. mask, from lab.train.documents, restricts it further."""
    if mask is not None and not torch.is_tensor(mask):
        from torch.nn.attention.flex_attention import flex_attention

        return flex_attention(q, k, v, block_mask=mask, enable_gqa=True)
    share = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(share, 1), v.repeat_interleave(share, 1)
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
    t = q.shape[2]
    scores = (q @ k.transpose(-1, -2)).float() / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones(t, t, dtype=torch.bool, device=q.device).tril()
    return scores.masked_fill(~mask, float("-inf")).softmax(-1).to(v.dtype) @ v


class Attention(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.heads, self.groups, self.head = s.heads, s.groups, s.head
        self.q_proj = nn.Linear(s.width, s.heads * s.head, bias=False)
        self.k_proj = nn.Linear(s.width, s.groups * s.head, bias=False)
        self.v_proj = nn.Linear(s.width, s.groups * s.head, bias=False)
        self.o_proj = nn.Linear(s.heads * s.head, s.width, bias=False)
        self.q_norm, self.k_norm = Norm(s.head), Norm(s.head)

    def forward(self, x, cos, sin, mask):
        b, t, _ = x.shape
        q = self.q_norm(self.q_proj(x).view(b, t, self.heads, self.head)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(b, t, self.groups, self.head)).transpose(1, 2)
        v = self.v_proj(x).view(b, t, self.groups, self.head).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        return self.o_proj(attend(q, k, v, mask).transpose(1, 2).reshape(b, t, -1))


class Inner(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.gate_proj = nn.Linear(s.width, s.inner, bias=False)
        self.up_proj = nn.Linear(s.width, s.inner, bias=False)
        self.down_proj = nn.Linear(s.inner, s.width, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.input_layernorm, self.self_attn = Norm(s.width), Attention(s)
        self.post_attention_layernorm, self.mlp = Norm(s.width), Inner(s)

    def forward(self, x, cos, sin, mask):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class Trunk(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.embed_tokens = nn.Embedding(s.vocabulary, s.width)
        self.layers = nn.ModuleList(Block(s) for _ in range(s.layers))
        self.norm = Norm(s.width)


class Decoder(nn.Module):
    """Maps tokens [batch, time] to logits [batch, time, vocabulary]. mask is that of attend."""

    def __init__(self, size):
        super().__init__()
        self.size = size
        self.model = Trunk(size)
        self.lm_head = nn.Linear(size.width, size.vocabulary, bias=False)
        cos, sin = rotations(size.window, size.head, size.theta)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self._begin()

    def _begin(self):
        """Initialises the weights with small numbers, and those that write into the residual
        stream with zeros."""
        nn.init.normal_(self.model.embed_tokens.weight, std=0.5)
        for name, p in self.named_parameters():
            if p.dim() == 2 and "embed" not in name:
                nn.init.normal_(p, std=0.5 / math.sqrt(p.shape[1]))
            if name.endswith(("o_proj.weight", "down_proj.weight", "lm_head.weight")):
                nn.init.zeros_(p)

    def forward(self, tokens, mask=None):
        t = tokens.shape[1]
        x = self.model.embed_tokens(tokens)
        if tokens.is_cuda:
            x = x.to(torch.bfloat16)
        cos, sin = self.cos[:t], self.sin[:t]
        for block in self.model.layers:
            x = block(x, cos, sin, mask)
        return self.lm_head(self.model.norm(x))
