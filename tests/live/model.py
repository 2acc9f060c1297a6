"""A model that says what the script says: an OpenAI-compatible server on 127.0.0.1.

It speaks the chat-completions wire of the CLI's bring-your-own-key mode (streamed or not), keeps every
request, and leaves what a reply means to `scenario`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Message", "Model", "Reply", "Request", "ToolCall", "serve"]

#: How the CLI asks for the summary that replaces the history when it compacts (seen in 1.0.102).
SUMMARY_REQUEST = "Please create a detailed summary of the conversation so far"


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model asks the host to run."""

    name: str
    arguments: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """What the model says once.

    Attributes:
        name: what the *request* that gets this reply is called in the log.
        text: the answer, "" for none.
        tools: calls that the host is to run before it asks again.
    """

    name: str
    text: str = ""
    tools: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class Message:
    """One message of a request, as plain text."""

    role: str
    text: str


@dataclass(frozen=True)
class Request:
    """One question to the model: the name of the reply that it got, all that was put before the model, and the names of
    the tools that it may call."""

    name: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()


@dataclass
class Model:
    """The script and the log. Replies are used in order; the host's own requests don't use them up.

    Attributes:
        summary: the answer to a request for a summary.
    """

    replies: list[Reply]
    summary: str = "<overview>The user asked for work on this project; it was done.</overview>"
    requests: list[Request] = field(default_factory=list)
    base_url: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def answer(self, body: dict[str, Any]) -> Reply:
        """The reply to a request, which is logged under the reply's name."""
        messages = tuple(Message(str(m["role"]), _plain(m.get("content"))) for m in body.get("messages", ()))
        tools = tuple(str(tool.get("function", {}).get("name")) for tool in body.get("tools") or ())
        with self._lock:
            reply = self._choose(messages, with_tools=bool(tools))
            self.requests.append(Request(reply.name, messages, tools))
        return reply

    def _choose(self, messages: Sequence[Message], *, with_tools: bool) -> Reply:
        if messages and SUMMARY_REQUEST in messages[-1].text:
            return Reply("summary", self.summary)
        if not with_tools or not self.replies:
            return Reply("unscripted", "done")
        return self.replies.pop(0)

    def request(self, name: str) -> Request:
        """The one request that got the reply of this name. Raises LookupError, which lists all names."""
        found = [request for request in self.requests if request.name == name]
        if len(found) != 1:
            raise LookupError(f"{len(found)} requests {name!r} among {[r.name for r in self.requests]}")
        return found[0]


@contextmanager
def serve(model: Model) -> Iterator[Model]:
    """Serves the model on a free port of 127.0.0.1 for as long as the block lasts."""
    server = _Server(model)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    model.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # The CLI keeps a connection open beyond its last request: don't wait for its end.
    block_on_close = False

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        """Keeps the test's output clean."""

    def do_GET(self) -> None:
        self._send_json({"object": "list", "data": [{"id": "mock-model", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self._body() or b"{}")
        reply = self.server.model.answer(body)
        name = f"chatcmpl-{time.monotonic_ns()}"
        head = {"id": name, "created": int(time.time()), "model": body.get("model")}
        if body.get("stream"):
            self._send_events(head, reply, body)
        else:
            choice = {"index": 0, "message": _message(reply), "finish_reason": _finish(reply)}
            self._send_json({**head, "object": "chat.completion", "choices": [choice], "usage": _usage(body)})

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send_json(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_events(self, head: dict[str, Any], reply: Reply, body: dict[str, Any]) -> None:
        head = {**head, "object": "chat.completion.chunk"}
        chunks: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": _message(reply), "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": _finish(reply)}]},
            {"choices": [], "usage": _usage(body)},
        ]
        lines = [f"data: {json.dumps({**head, **chunk})}\n\n" for chunk in chunks]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write("".join([*lines, "data: [DONE]\n\n"]).encode())
        self.close_connection = True


def _plain(content: object) -> str:
    """A message's text: a string, or a list of parts of which only those with text count."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _message(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tools:
        message["tool_calls"] = [
            {
                "index": place,
                "id": f"call_{time.monotonic_ns()}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for place, call in enumerate(reply.tools)
        ]
    return message


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.tools else "stop"


def _usage(body: dict[str, Any]) -> dict[str, int]:
    """A plausible count: four characters a token."""
    prompt = len(json.dumps(body)) // 4
    return {"prompt_tokens": prompt, "completion_tokens": 20, "total_tokens": prompt + 20}
