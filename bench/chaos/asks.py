"""Many asks at once over one connection, by the functions of the example agent in plain Python.

    python3 asks.py nats://127.0.0.1:4222 50 ann ben

It asks so many times a second, in turn as each of the agents, until its input ends. For each ask it
prints the agent, a number that is in the arguments too, 1 if it was taken in, and after how many
milliseconds the verdict came ("-" if it did not).
"""
import asyncio, collections, os, re, sys, time
import nats.errors

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "examples", "python"))
import agent

WAIT_SECONDS = 120
# Why asks were not taken in, and how often.
failures = collections.Counter()


async def ask(connection, api, name, line):
    start, taken_in, ms = time.monotonic(), 1, "-"
    try:
        intent = {"tool": "read_file", "args": {"path": "/etc/hosts", "line": line}}
        if await agent.ask(connection, api, name, intent, WAIT_SECONDS) is not None:
            ms = round(1000 * (time.monotonic() - start), 3)
    except (RuntimeError, nats.errors.Error) as error:
        taken_in = 0
        failures[str(error)] += 1
    try:
        print(name, line, taken_in, ms)
    except BrokenPipeError:
        # Who counts is gone; thousands of others would each say so.
        os._exit(1)


async def follow_eras(connection, names):
    """A notice names its verdict with the era: the next ask looks there first."""

    async def noticed(notice):
        told = re.match(rf"{agent.REALM}\.(\d+)\.verdict\.", notice.data.decode())
        agent.ERA = max(agent.ERA, int(told[1])) if told else agent.ERA

    for name in names:
        await connection.subscribe(f"{agent.REALM}.notice.{name}.>", cb=noticed)


async def main(servers, rate, *names):
    connection, api = await agent.connect(servers.split(","), None)
    await follow_eras(connection, names)
    over = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    asks, start = [], time.monotonic()
    while not over.done():
        while len(asks) < (time.monotonic() - start) * float(rate):
            name = names[len(asks) % len(names)]
            asks.append(asyncio.create_task(ask(connection, api, name, len(asks))))
        await asyncio.sleep(0.01)
    await asyncio.gather(*asks)
    await connection.close()
    for why, count in failures.items():
        print(f"{count} asks in Python: {why}", file=sys.stderr)


asyncio.run(main(*sys.argv[1:]))
