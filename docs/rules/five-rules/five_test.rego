# The cases of examples/five-rules, as far as the input can say them.
package five_test

import data.five

base := {
	"owner": "ann",
	"agreed": [],
	"class": "WRITE",
	"sensitivity": "NONE",
	"sent_last_hour": 0,
	"now": "2026-01-05T12:00:00Z",
	"justification": "Bob asked for the invoice",
}

mail(to) := object.union(base, {"tool": "send_email", "args": {"to": to}})

deploy(env, now) := object.union(base, {"tool": "deploy", "args": {"env": env}, "now": now})

remove(agreed) := object.union(base, {
	"tool": "delete_record",
	"class": "DESTRUCTIVE",
	"args": {"id": "r1"},
	"agreed": agreed,
})

read(why) := object.union(base, {
	"tool": "read_customer",
	"class": "READ",
	"sensitivity": "PII",
	"args": {"id": "c7"},
	"justification": why,
})

comes(request) := outcome if {
	outcome := five.decision.outcome with input as request with data.deleters as ["bob", "eve"]
}

test_inside if comes(mail("bob@example.com")) == "allow"

test_outside if comes(mail("tom@other.example")) == "ask"

test_ends_alike if comes(mail("tom@notexample.com")) == "ask"

test_outside_agreed if comes(object.union(mail("tom@other.example"), {"agreed": ["ann"]})) == "allow"

test_no_one if comes(remove([])) == "ask"

test_one_twice if comes(remove(["bob", "bob"])) == "ask"

test_owner if comes(remove(["ann", "bob"])) == "ask"

test_two if comes(remove(["bob", "eve"])) == "allow"

test_twentieth if comes(object.union(mail("bob@example.com"), {"sent_last_hour": 19})) == "allow"

test_twenty_first if comes(object.union(mail("bob@example.com"), {"sent_last_hour": 20})) == "deny"

# What is not given makes a rule undefined, and a rule that refuses then does not.
test_no_count if comes(object.remove(mail("bob@example.com"), ["sent_last_hour"])) == "allow"

test_nine_in_winter if comes(deploy("production", "2026-01-05T08:00:00Z")) == "allow"

test_before_nine if comes(deploy("production", "2026-01-05T07:59:59Z")) == "deny"

test_nine_in_summer if comes(deploy("production", "2026-07-06T07:00:00Z")) == "allow"

test_five if comes(deploy("production", "2026-01-05T16:00:00Z")) == "deny"

test_saturday if comes(deploy("production", "2026-01-03T11:00:00Z")) == "deny"

test_test_system if comes(deploy("test", "2026-01-03T23:00:00Z")) == "allow"

test_reason if comes(read("she wrote about her bill")) == "allow"

test_no_reason if comes(read("")) == "deny"

test_word if comes(read("because")) == "deny"
