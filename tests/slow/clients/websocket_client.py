"""Uses the sockets of tests/support/sockets/app.ts by the package `websockets`, and prints what it has met as JSON.

Usage: websocket_client.py ORIGIN            all of it
       websocket_client.py ORIGIN PATH       connects, prints "open", and reads to the end
"""

import asyncio
import json
import sys

import websockets

URL = sys.argv[1].replace("http", "ws", 1)


def message(name, data=None):
    return json.dumps({"name": name} if data is None else {"name": name, "data": data}, ensure_ascii=False)


async def read(socket):
    """The next message that is no heartbeat."""
    while (text := await socket.recv()) == "{}":
        pass
    return json.loads(text)


async def end(socket):
    """The code and the reason of the close."""
    try:
        while True:
            await socket.recv()
    except websockets.ConnectionClosed:
        return [socket.close_code, socket.close_reason]


async def denial(path, **options):
    """The status of a handshake that is denied."""
    try:
        async with websockets.connect(URL + path, **options):
            return 101
    except Exception as error:
        return getattr(error, "status_code", None) or error.response.status_code


async def use():
    met = {}
    async with websockets.connect(URL + "/rooms/python", subprotocols=["chat"]) as socket:
        met["subprotocol"] = socket.subprotocol
        await socket.send(message("say", {"text": "  Größe  "}))
        met["echo"] = await read(socket)
        # An iterable is sent as fragments, here in the middle of a name and of a character's neighbours.
        await socket.send(iter(['{"name":"s', 'ay","data":{"te', 'xt":"ö', 'ß"}}']))
        met["fragments"] = await read(socket)
        await asyncio.wait_for(await socket.ping("are you there"), 10)
        for number in range(1000):
            await socket.send(message("say", {"text": str(number)}))
        met["many"] = [(await read(socket))["data"]["text"] for _ in range(1000)] == [str(n) for n in range(1000)]
        await socket.send(message("say", {"text": " "}))
        met["invalid"] = await read(socket)
        await socket.close(4001, "bye")
        met["closed"] = [socket.close_code, socket.close_reason]
    for name, sent in {
        "binary": b"bytes",
        "long": message("say", {"text": "x" * 5000}),
        "quit": message("quit", {"code": 4002, "reason": "Enough"}),
        "fail": message("fail"),
    }.items():
        async with websockets.connect(URL + "/rooms/" + name) as socket:
            await socket.send(sent)
            met[name] = await end(socket)
    async with websockets.connect(URL + "/flow/python/3") as socket:
        met["flow"] = [(await read(socket))["data"]["n"] for _ in range(3)]
        met["done"] = await end(socket)
    met["denied"] = [
        await denial("/rooms/python?token=none"),
        await denial("/rooms/python", origin="https://evil.example"),
        await denial("/rooms/python", origin="https://app.example.com"),
        await denial("/none"),
    ]
    print(json.dumps(met))


async def stay(path):
    async with websockets.connect(URL + path) as socket:
        print("open", flush=True)
        print(json.dumps(await end(socket)), flush=True)


asyncio.run(use() if len(sys.argv) == 2 else stay(sys.argv[2]))
