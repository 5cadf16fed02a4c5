"""Many asks over one connection, by the functions of the example agent in plain Python.

    python3 asks.py nats://127.0.0.1:4222 0.02 ann ben

It asks again after each such pause, in turn as each of the agents, until its input ends. For each
ask it prints the agent, a number that is in the arguments too, 1 if it was taken in, and 1 if its
verdict came.
"""
import asyncio, collections, os, re, sys
import nats.errors

sys.path.insert(0, os.path.join(os.path.dirname(__file__), *[".."] * 3, "examples", "python"))
import agent

# An agent that has missed its verdict gives up: what was taken in counts anyway.
WAIT_SECONDS = 120
# Why asks were not taken in, and how often.
failures = collections.Counter()


get_there = agent.get


async def get(connection, api, era, address):
    """One of many asks may miss its notice, so it looks into each era that there was."""
    for each in range(era + 1, 0, -1):
        fact = await get_there(connection, api, each, address)
        if fact is not None:
            return fact
    return None


agent.get = get


async def ask(connection, api, name, line):
    taken_in, answered = 1, 0
    try:
        intent = {"tool": "read_file", "args": {"path": "/etc/hosts", "line": line}}
        if await agent.ask(connection, api, name, intent, WAIT_SECONDS) is not None:
            answered = 1
    except (RuntimeError, nats.errors.Error) as error:
        taken_in = 0
        failures[str(error)] += 1
    try:
        print(name, line, taken_in, answered)
    except BrokenPipeError:
        # Who counts is gone; thousands of others would each say so.
        os._exit(1)


async def follow_eras(connection, names):
    """A notice names its verdict with the era: the next ask looks there first."""

    async def noticed(notice):
        named = re.match(rf"{agent.REALM}\.(\d+)\.verdict\.", notice.data.decode())
        agent.ERA = max(agent.ERA, int(named[1])) if named else agent.ERA

    for name in names:
        await connection.subscribe(f"{agent.REALM}.notice.{name}.>", cb=noticed)


def only_requests(publish):
    """Nothing is sent again that was taken in: in the next era it would be another message."""

    async def publish_request(subject, payload=b"", reply="", headers=None):
        if reply:
            await publish(subject, payload, reply, headers)

    return publish_request


async def main(servers, pause, *names):
    connection, api = await agent.connect(servers.split(","), None)
    connection.publish = only_requests(connection.publish)
    await follow_eras(connection, names)
    over = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    asks = []
    while not over.done():
        name = names[len(asks) % len(names)]
        asks.append(asyncio.create_task(ask(connection, api, name, len(asks))))
        await asyncio.sleep(float(pause))
    await asyncio.gather(*asks)
    await connection.close()
    for why, count in failures.items():
        print(f"{count} asks in Python: {why}", file=sys.stderr)


asyncio.run(main(*sys.argv[1:]))
