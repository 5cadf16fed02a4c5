"""A person in plain Python: shows each review that asks them, and signs and sends the answer.

    python3 confirmer.py ann KEYS/ann.pem     # WARRANT_LOG and the rest as for agent.py beside it
"""
import asyncio, base64, json, os, sys, time
from hashlib import sha256
from urllib.parse import unquote
import nacl.signing
from agent import REALM, connect

text64 = lambda some: base64.urlsafe_b64encode(some).decode().rstrip("=")
written = {"ensure_ascii": False, "separators": (",", ":"), "sort_keys": True}
canonical = lambda value: json.dumps(value, **written)


def digest_of(review):
    """Of all that a yes permits: what was sent is what the log has if this is its digest."""
    covered = {"agent": review["intent"]["agent"], "log": review["log"], "terms": review["terms"]}
    for name in {"gaps", "policies", "questions", "values"} & review.keys():
        covered[name] = sorted(map(canonical, review[name]))
    return f"sha256:{sha256(canonical(covered).encode()).hexdigest()}"


async def main(person, key_file):
    pem = "".join(open(key_file).read().split("\n")[1:-2])
    key = nacl.signing.SigningKey(base64.b64decode(pem)[-32:])
    public = f"ed25519:{text64(bytes(key.verify_key))}".encode()
    servers = os.environ.get("WARRANT_LOG", "nats://127.0.0.1:4222").split(",")
    connection, _ = await connect(servers, os.environ.get("WARRANT_NATS_NKEY_FILE"))
    reviews = await connection.subscribe(f"{REALM}.toreview.{person}.>")
    await connection.publish(f"{REALM}.missed.{person}")
    async for message in reviews.messages:
        fact = json.loads(message.data)
        review, name = fact["data"], fact["id"].replace(".review.", ".decision.", 1)
        if digest_of(review) == review["digest"]:
            asks = f"{review['terms']['capability']} {canonical(review['terms']['args'])}"
            asks += f" ({', '.join(sorted({one['kind'] for one in review['questions']}))})"
            # What follows the `y` is the reason, without which no call without one of its own runs.
            yes, _, note = (await asyncio.to_thread(input, f"{asks} [y REASON/N] ")).partition(" ")
            said = {"answers": [yes == "y"] * len(review["questions"]), "confirmer": person,
                    "digest": review["digest"], "intent": review["intent"], "review": fact["id"]}
            # In whose place, where this person is the deputy of someone who is away.
            absent = unquote((message.headers or {}).get("Warrant-For", ""))
            said |= {"for": absent} if absent else {}
            said |= {"note": note} if note else {}
            signed = {"data": said, "log": review["log"], "name": f"{name}.{person}"}
            value = text64(key.sign(canonical(signed).encode()).signature)
            said["signature"] = {"format": "ed25519", "value": value,
                                 "key": text64(sha256(public).digest()[:12])}
            event = {"basis": "0", "data": said, "datacontenttype": "application/json",
                     "id": signed["name"], "source": f"confirmer/{person}", "specversion": "1.0",
                     "time": time.strftime("%FT%TZ", time.gmtime()), "type": "warrant.decision.v1"}
            once = {"Nats-Expected-Last-Subject-Sequence": "0"}
            answer = canonical(event).encode()
            bound = await connection.request(signed["name"], answer, headers=once)
            print(bound.data.decode(), flush=True)


asyncio.run(main(*sys.argv[1:]))
