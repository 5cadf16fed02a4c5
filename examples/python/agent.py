"""An agent in plain Python: it says what it means to do, and waits for the verdict.

    python3 agent.py mailer send_email '{"to": "ann@example.org"}' 'she asked for the minutes'

It needs `pip install 'nats-py[nkeys]'` and nothing of Warrant. The log is WARRANT_LOG; the file
WARRANT_NATS_NKEY_FILE has the agent's key, if it has one. It ends with 0 (allow), 3 (deny) or 4 (no
verdict in time), and must never act on anything but an allow.
"""
import asyncio, hashlib, json, os, secrets, sys, time
from datetime import datetime, timezone
import nats, nats.errors

REALM, ERA = os.environ.get("WARRANT_REALM", "main"), os.environ.get("WARRANT_ERA", "1")
BOUND_ALREADY = (10071, 10077)


async def ask(connection, api, agent, intent, wait_seconds):
    """The verdict on the intent, or None when there is none in time."""
    address = f"{agent}.-.{ulid()}"
    message = json.dumps({
        "id": f"MSG-{address[-26:]}", "protocol": "VLP/1.1", "type": "query", "sender": agent,
        "timestamp": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "content": f"use {intent['tool']}", "confidence": 0.8, "payload": {"intent": intent},
    }).encode()
    end = time.monotonic() + wait_seconds
    # Whoever listens only after publishing may miss the notice.
    notices = await connection.subscribe(f"{REALM}.notice.{address}")
    await connection.flush()
    answer = await connection.request(f"{REALM}.{ERA}.vlp.{address}", message, timeout=wait_seconds)
    refused = json.loads(answer.data).get("error")
    if refused is not None and refused["err_code"] not in BOUND_ALREADY:
        raise RuntimeError(f"nothing is bound: {refused['description']}")
    name, pause = f"{REALM}.{ERA}.verdict.{address}", 0.05
    while (left := end - time.monotonic()) > 0:
        try:
            await notices.next_msg(timeout=min(pause, left))
        except nats.errors.TimeoutError:
            pause *= 2
        # A notice is a hint, and anybody's; the verdict is what is bound under its name.
        get = f"{api}.DIRECT.GET.LOG-{REALM}-{ERA}.{name}"
        found = await connection.request(get, b"", timeout=wait_seconds)
        if (found.headers or {}).get("Nats-Subject") == name:
            verdict = json.loads(found.data)["data"]
            if verdict["message"]["digest"] != f"sha256:{hashlib.sha256(message).hexdigest()}":
                raise RuntimeError("the verdict is about another message")
            return verdict
    return None


def ulid():
    number = int(time.time() * 1000) << 80 | secrets.randbits(80)
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return "".join(digits[number >> at & 31] for at in range(125, -1, -5))


async def connect(servers, seed_file):
    """A connection, and how JetStream is reached on it."""
    if seed_file is None:
        return await nats.connect(servers), "$JS.API"
    import nkeys

    with open(seed_file, "rb") as file:
        user = nkeys.from_seed(bytearray(file.read().strip())).public_key.decode()
    # This user may listen below this prefix alone, and reaches the log through its account.
    inbox = f"_INBOX_{user}"
    return await nats.connect(servers, nkeys_seed=seed_file, inbox_prefix=inbox), "LOG.API"


async def main(agent, tool, args, justification):
    servers = os.environ.get("WARRANT_LOG", "nats://127.0.0.1:4222").split(",")
    connection, api = await connect(servers, os.environ.get("WARRANT_NATS_NKEY_FILE"))
    try:
        intent = {"tool": tool, "args": json.loads(args), "justification": justification}
        wait_seconds = float(os.environ.get("WARRANT_WAIT_SECONDS", "10"))
        verdict = await ask(connection, api, agent, intent, wait_seconds)
    finally:
        await connection.close()
    if verdict is None:
        print("no verdict in time")
        return 4
    reasons = [f"{reason['code']} ({reason['recover']})" for reason in verdict["reasons"]]
    print(verdict["outcome"], *reasons)
    return 0 if verdict["outcome"] == "allow" else 3


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
