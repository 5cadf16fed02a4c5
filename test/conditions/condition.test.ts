// Conditions in CEL: what is refused when one is written, what it comes to for a call, and that it
// reaches nothing but its input.
import { describe, expect, test } from 'vitest'
import { conditionHolds, conditionProblem, expressionValue } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { openObject, typeOfArguments } from '#conditions/types'
import type { JsonMap } from '#record/canonical'

const args = typeOfArguments({
  type: 'object',
  properties: {
    to: { type: 'string' },
    count: { type: 'integer' },
    amount: { type: 'number' },
    cc: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { city: { type: 'string' } } },
    any: {},
  },
  additionalProperties: false,
})

function input(given: JsonMap, part: Partial<ConditionInput> = {}): ConditionInput {
  return {
    args: given,
    argsType: args,
    capability: {
      id: 'send_email',
      safetyClass: 'WRITE',
      sensitivity: 'NONE',
      tags: ['mail'],
      concepts: ['send'],
    },
    principal: { id: 'bot', roles: ['writer'], attributes: { tenant: 'acme' } },
    owner: null,
    intent: { goal: '', justification: '', session: 's1', scope: {}, constraints: {} },
    grounding: { grounded: true, concepts: ['send', 'email'] },
    now: Date.UTC(2026, 10, 23, 8, 30),
    evidence: () => [],
    ...part,
  }
}

describe('a condition is refused when it is written', () => {
  test.each<[string, RegExp, number]>([
    ['args.too == "x"', /no field `too` .* did you mean `to`/, 4],
    ['args.place.citty == "x"', /no field `citty` .* did you mean `city`/, 10],
    ['arg.to == "x"', /no variable `arg` .* did you mean `args`/, 0],
    ['principal.attribute.tenant == "x"', /did you mean `attributes`/, 9],
    ['args.to.endswith("x")', /no function `endswith` .* did you mean `endsWith`/, 7],
    ['args.to > 3', /`>` does not compare string with int/, 8],
    ['args.to == 3', /string and int are never equal: compare alike/, 8],
    ['args.to != 3', /string and int are always different: compare alike/, 8],
    ['args.cc == "x"', /never equal: .* `"a" in list`/, 8],
    ['"x" != args.cc', /always different: .* `"a" in list`/, 4],
    ['args.count + args.amount > 1', /int and double: write `double\(…\)`/, 11],
    ['args.count', /it comes to int, and must to bool/, 0],
    ['now.getHours("Europe/Berln") > 9', /no time zone `Europe\/Berln` .* `Europe\/Berlin`/, 13],
    ['args.cc.exists(x, x == 3)', /string and int are never equal/, 20],
    ['3 in args.cc', /int is never in list\(string\)/, 2],
    ['args.to.matches("a", "b")', /is not known: it is/, 7],
    ['b"a" == b"a"', /JSON has no bytes/, 0],
    ['args.count == 1u', /JSON has no unsigned integers/, 14],
    ['args.to.matches("[")', /`\[` is no pattern of RE2/, 16],
    ['matches(args.to, "a(?=b)")', /neither lookaround nor backreferences/, 17],
    ['timestamp("2026-13-01T00:00:00Z") < now', /no timestamp: write a day and time/, 10],
    ['timestamp("2026-13-01") < now', /no timestamp: write a day and time/, 10],
    ['duration("5 minutes") < duration("1s")', /no duration: write numbers with units/, 9],
    ['int("0x10") == 16', /no int: write a whole number/, 4],
    ['double("") == 0.0', /no double: write a number/, 7],
    ['bool("yes")', /no bool: write/, 5],
    ['args.any % 2 == 0', /`%` is not for a double, .* write `int\(…\)`/, 9],
    ['args.any + 1 > 3', /`\+` is not for a double and an int, .* 1.0 for 1/, 9],
    ['google.protobuf.Duration{} == now', /no type `google.protobuf.Duration`/, 0],
    ['1 +', /no CEL any more/, 2],
    ['args.to == "x" &&', /no CEL any more/, 15],
    ['args.to = "x"', /`=` is not an operator of CEL: write `==`/, 8],
    ['args.to === "x"', /`===` is not an operator of CEL: write `==`/, 10],
    ['args.to !== "x"', /`!==` is not an operator of CEL: write `!=`/, 10],
    ['args.to == "x" and true', /`and` is not an operator of CEL: write `&&`/, 15],
    ['args.to == "x" or true', /`or` is not an operator of CEL: write `\|\|`/, 15],
    ['not (args.to == "x") && not true', /`not` is not an operator of CEL: write `!`/, 28],
    ['intent.justification.size() < 15 ? "a" : "b"', /it comes to string/, 0],
  ])('%s', (source, message, offset) => {
    const problem = conditionProblem(source, args)
    expect(problem?.message).toMatch(message)
    expect(problem?.offset).toBeGreaterThanOrEqual(Math.max(0, offset - 2))
    expect(problem?.offset).toBeLessThanOrEqual(offset + 2)
  })

  test('where it is too long, has too many parts, or too many loops', () => {
    const long = Array.from({ length: 240 }, () => 'true').join('&&')
    expect(conditionProblem(`${' '.repeat(2_000)}true`, args)?.message).toMatch(/2004 characters/)
    expect(conditionProblem(long, args)?.message).toMatch(/parts, and 0 loops/)
    const loops = 'args.cc.all(a, args.cc.all(b, args.cc.all(c, args.cc.all(d, true))))'
    expect(conditionProblem(loops, args)?.message).toMatch(/4 loops/)
  })

  test('and not where its arguments are open', () => {
    expect(conditionProblem('args.whatever.deep == 3', openObject)).toBeNull()
    expect(conditionProblem('args["else"] == 3', args)).toBeNull()
  })
})

describe('a condition comes to', () => {
  const call = { to: 'ann@x.org', count: 3, amount: 2.5, cc: ['a@b', 'c@d'], any: { n: 1 } }
  test.each<[string, unknown]>([
    ['args.to.endsWith("@x.org")', true],
    ['args.count == 3 && args.amount > 2', true],
    ['args.count / 2', 1n],
    ['args.cc.exists(x, x.startsWith("c"))', true],
    ['args.cc.map(x, x.split("@")[1]).join(",")', 'b,d'],
    ['args.cc.filter(x, x == "a@b").size()', 1n],
    ['"writer" in principal.roles', true],
    ['principal.attributes.tenant == "acme"', true],
    ['"team" in principal.attributes', false],
    ['has(owner.id)', false],
    ['has(args.place) && args.place.city == "x"', false],
    ['args.any.n == 1', true],
    ['capability.tags == ["mail"]', true],
    ['size(intent.justification) < 15', true],
    ['grounding.grounded && "send" in grounding.concepts', true],
    ['now.getHours("Europe/Berlin")', 9n],
    ['now.getHours()', 8n],
    ['now.getDayOfWeek("America/New_York")', 1n],
    ['now.getHours("+05:45")', 14n],
    ['now - timestamp("2026-11-23T08:00:00Z") == duration("30m")', true],
    ['args.to.matches("^[a-z]+@x[.]org$")', true],
    ['"İ".lowerAscii()', 'İ'],
    ['size("é😀")', 2n],
    ['string(args.amount)', '2.5'],
  ])('%s', (source, value) => {
    expect(expressionValue(source, input(call))).toEqual({ value })
  })

  test.each([
    ['args.place.city == "x"', 'condition_failed'],
    ['owner.id == "x"', 'condition_failed'],
    ['args.count / 0 == 1', 'condition_failed'],
    ['args.cc[7] == "x"', 'condition_failed'],
    ['now.getHours(args.to) > 9', 'condition_failed'],
    ['args.to.matches(args.cc[0] + "(")', 'condition_failed'],
    ['args.any.n', 'condition_failed'],
    ['args.nothing == 1', 'condition_invalid'],
    ['double(args.to) > 1000.0', 'condition_unconverted'],
    ['args.count == 3 && 5 < int(args.to)', 'condition_unconverted'],
    ['timestamp(args.to) < timestamp(args.to)', 'condition_unconverted'],
    ['args.cc.exists(x, bool(x) || duration(x) > duration("1s"))', 'condition_unconverted'],
  ])('no answer, which refuses: %s', (source, fault) => {
    expect(conditionHolds(source, input(call))).toBe(fault)
  })

  test('an error on one side of `||` is no error where the other decides', () => {
    expect(conditionHolds('owner.id == "x" || args.count == 3', input(call))).toBe(true)
    expect(conditionHolds('owner.id == "x" && args.count == 4', input(call))).toBe(false)
  })

  test('an integer beyond what JSON can say exactly is no value', () => {
    const large = input({ count: 2 ** 53 })
    expect(conditionHolds('args.count > 0', large)).toBe('condition_failed')
  })

  test('what a trusted sender said in the session', () => {
    const said = [{ sender: 'desk', type: 'evidence', content: null, payload: { paid: true } }]
    const on = input({}, { evidence: () => said })
    const source = 'session.evidence.exists(e, e.sender == "desk" && e.payload.paid == true)'
    expect(conditionProblem(source, args)).toBeNull()
    expect(conditionHolds(source, on)).toBe(true)
    expect(conditionHolds(source, input({}))).toBe(false)
  })

  test('a fault before it costs too much', () => {
    const cc = Array.from({ length: 1_000 }, (_, index) => `${index}`)
    const nested = 'args.cc.all(a, args.cc.exists(b, a == b))'
    expect(conditionHolds(nested, input({ cc }))).toBe('condition_too_costly')
    expect(conditionHolds('args.cc.all(a, a != "x")', input({ cc }))).toBe(true)
    const letters = input({ to: 'a'.repeat(50_000) })
    expect(conditionHolds('args.to.split("").all(c, c == "a")', letters)).toBe(
      'condition_too_costly',
    )
  })

  test('a pattern that would take a backtracking engine for ever', () => {
    const evil = input({ to: `${'a'.repeat(40_000)}!` })
    expect(conditionHolds('args.to.matches("^(a+)+$")', evil)).toBe(false)
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'nothing of the engine under the name %s',
    (name) => {
      expect(conditionHolds(`has(args.any.${name})`, input(call))).toBe(false)
      expect(conditionProblem(`args.${name} == 1`, args)).not.toBeNull()
      expect(conditionHolds(`args["${name}"] == 1`, input(call))).toBe('condition_failed')
      expect(conditionProblem(`${name} == 1`, args)).not.toBeNull()
    },
  )
})
