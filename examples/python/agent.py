"""An agent in plain Python: it says what it means to do, and waits for the verdict.

    python3 agent.py mailer send_email '{"to": "ann@example.org"}' 'she asked for the minutes'

It needs `pip install 'nats-py[nkeys]'` and nothing of Warrant. The log is WARRANT_LOG; the file
WARRANT_NATS_NKEY_FILE has the agent's key, if it has one. It ends with 0 (allow), 3 (deny) or 4 (no
verdict in time), and must never act on anything but an allow.
"""
import asyncio, hashlib, json, os, random, re, secrets, sys, time
from datetime import datetime, timezone
import nats, nats.errors

REALM, ERA = os.environ.get("WARRANT_REALM", "main"), int(os.environ.get("WARRANT_ERA", "1"))
FOR_THE_MOMENT = (408, 429, 503)


async def ask(connection, api, agent, intent, wait_seconds):
    """The verdict on the intent, or None when there is none in time."""
    address = f"{agent}.-.{ulid()}"
    message = json.dumps({
        "id": f"MSG-{address[-26:]}", "protocol": "VLP/1.1", "type": "query", "sender": agent,
        "timestamp": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "content": f"use {intent['tool']}", "confidence": 0.8, "payload": {"intent": intent},
    }).encode()
    end = time.monotonic() + wait_seconds
    # An agent that listens only after publishing may miss the notice.
    notices = await connection.subscribe(f"{REALM}.notice.{address}")
    try:
        await connection.flush()
        shard = hashlib.sha256(agent.encode()).hexdigest()[0]
        subject = f"{REALM}.in.{shard}.vlp.{address}"
        await publish(connection, subject, message, end)
        return await verdict_on(message, subject, connection, api, address, notices, end)
    finally:
        await notices.unsubscribe()


async def verdict_on(message, subject, connection, api, address, notices, end):
    # The era may be rotated meanwhile: a notice names the verdict with the era that it is in.
    eras, pause, again = [ERA], 0.05, time.monotonic() + 5
    while (left := end - time.monotonic()) > 0:
        if time.monotonic() >= again:
            # A server that failed may have lost it; where it did not, the same bytes do no harm.
            await connection.publish(subject, message)
            again = time.monotonic() + 5
        try:
            notice = await notices.next_msg(timeout=min(pause, left))
            told = re.fullmatch(rf"{REALM}\.(\d+)\.verdict\.{address}", notice.data.decode())
            eras = [int(told[1])] if told else eras
        except nats.errors.TimeoutError:
            pause = min(2 * pause, 2)
            eras = [ERA, ERA + 1] if pause > 1 else eras
        for era in eras:
            fact = await get(connection, api, era, address)
            if fact is None:
                continue
            # A notice is a hint, and anyone's; the verdict is what is bound under its name.
            verdict = json.loads(fact)["data"]
            if verdict["message"]["digest"] != f"sha256:{hashlib.sha256(message).hexdigest()}":
                raise RuntimeError("the verdict is about another message")
            return verdict
    return None


async def publish(connection, subject, message, end):
    """Returns when it is taken in: until then the same bytes are sent, which is harmless."""
    pause = 0.1
    while True:
        try:
            answer = await connection.request(subject, message, timeout=5)
            refused = json.loads(answer.data).get("error")
            # An earlier try of ours was taken in, or the digest of the verdict will show otherwise.
            if refused is None or "per subject" in refused["description"]:
                return
            if refused["code"] not in FOR_THE_MOMENT:
                raise RuntimeError(f"nothing is taken in: {refused['description']}")
            why = refused["description"]
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            why = "no answer"
        if time.monotonic() + pause > end:
            raise RuntimeError(f"nothing is taken in: {why}")
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(2 * pause, 5)


async def get(connection, api, era, address):
    """The verdict that is bound in that era, or None: not yet, or no such era."""
    name = f"{REALM}.{era}.verdict.{address}"
    try:
        found = await connection.request(f"{api}.DIRECT.GET.LOG-{REALM}-{era}.{name}", timeout=5)
    except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
        return None
    return found.data if (found.headers or {}).get("Nats-Subject") == name else None


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
