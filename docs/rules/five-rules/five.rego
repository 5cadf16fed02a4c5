# The five rules for OPA. What it cannot find out is in the input: whether people agreed, and how
# many e-mails were sent. It answers once; asking, waiting and counting are the caller's work.
package five

decision := {"outcome": "deny", "reasons": refused} if {
	count(refused) > 0
} else := {"outcome": "ask", "questions": asked} if {
	count(asked) > 0
} else := {"outcome": "allow"}

# 1. Mail outside the company asks the owner.
asked contains {"rule": "outside", "of": input.owner} if {
	input.tool == "send_email"
	not endswith(input.args.to, "@example.com")
	not input.owner in input.agreed
}

# 2. Two people for whatever destroys.
asked contains {"rule": "two-people", "of": "deleters"} if {
	input.class == "DESTRUCTIVE"
	count({person | some person in input.agreed; person in data.deleters}) < 2
}

# 3. Twenty e-mails an hour: the caller has counted them.
refused contains "rate_limited" if {
	input.tool == "send_email"
	input.sent_last_hour >= 20
}

# 4. Production only in working hours.
refused contains "working-hours" if {
	input.tool == "deploy"
	input.args.env == "production"
	not working_hours
}

working_hours if {
	now := [time.parse_rfc3339_ns(input.now), "Europe/Berlin"]
	time.weekday(now) in {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
	[hour, _, _] := time.clock(now)
	hour >= 9
	hour < 17
}

# 5. Reading personal data needs a reason.
refused contains "reason" if {
	input.sensitivity == "PII"
	count(object.get(input, "justification", "")) < 15
}
