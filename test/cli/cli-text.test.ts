// What the command line puts on a screen: lines that hide nothing, tables that stand straight,
// commands that can be pasted, and options that mean what they say.
import { CommanderError, InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { explain } from '#present/explain'
import { commandFailureOf } from '#cli/terminal/failure'
import {
  jsonObject,
  pairs,
  positiveNumber,
  seconds,
  wholeNumber,
} from '#cli/terminal/opening/options'
import { intentOf } from '#cli/agents/ask/intent-fields'
import { pickIntent } from '#operations/finding/intent-named'
import { differing } from '#cli/rules/editing/difference'
import { readContentOf } from '#operations/finding/fact-shown'
import { approving, shortIntent } from '#present/approving'
import { hintsFor, shellWord } from '#cli/terminal/hint'
import { asCalled, calledBy } from '#wiring/called'
import { jsonLines } from '#present/json-lines'
import { visible } from '#cli/terminal/line'
import { starterAgent, starterCatalog, toolWordsOf } from '#cli/run/init/starter'
import { tableLines } from '#cli/terminal/table'

const place = { realm: 'main', era: 1 }

describe('a line', () => {
  test('shows what a terminal would obey, and what turns letters around', () => {
    expect(visible('\u001b[2Jgone')).toBe('\\u{1b}[2Jgone')
    expect(visible('a\rb\nc\u0007')).toBe('a\\u{d}b\\u{a}c\\u{7}')
    expect(visible('to\u202e moc.live')).toBe('to\\u{202e} moc.live')
    expect(visible('\u2066x\u2028\u200b\ud800')).toBe('\\u{2066}x\\u{2028}\\u{200b}\\u{d800}')
  })

  test('leaves alone what people write', () => {
    const plain = ['“Ünïcödé”, 日本語', 'a → b', '😀', '']
    expect(plain.map(visible)).toEqual(plain)
  })
})

test('a table stands straight whatever is in it, and shows what was hidden', () => {
  const rows = [
    ['a', '日本', 'x'],
    ['long', 'e\u0301', '\u001b[31m'],
  ]
  expect(tableLines(['id', 'name', ''], rows)).toEqual([
    { text: 'id    name', tone: 'strong' },
    'a     日本  x',
    'long  e\u0301     \\u{1b}[31m',
  ])
})

describe('JSON as people write it', () => {
  test('is on one line where it fits, with the same content', () => {
    expect(jsonLines({ a: [1, { b: 'c' }], d: {} })).toBe('{ "a": [1, { "b": "c" }], "d": {} }')
    const value = { list: [{ text: 'x'.repeat(60) }, { text: 'y'.repeat(60) }], none: [], '': null }
    const text = jsonLines(value)
    expect(JSON.parse(text)).toEqual(value)
    expect(text.split('\n')).toEqual([
      '{',
      '  "list": [',
      `    { "text": "${'x'.repeat(60)}" },`,
      `    { "text": "${'y'.repeat(60)}" }`,
      '  ],',
      '  "none": [],',
      '  "": null',
      '}',
    ])
  })

  test('that is no JSON comes as base64', () => {
    expect(readContentOf(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
    expect(readContentOf(Buffer.from([0xff, 0x00]))).toEqual({ base64: '/wA=' })
    expect(readContentOf(Buffer.from('nope'))).toEqual({ base64: 'bm9wZQ==' })
  })
})

describe('a command that is shown', () => {
  const address = 'my-agent.-.01KAH3Q9V2Z6W0B8R7QK2M0XA1'

  test('is called as this one was, on the same log and realm', () => {
    expect(hintsFor({ realm: 'main' }, {})('log')).toBe('warrant log')
    const options = { realm: 'test', log: "it's here.db" }
    const npm = { npmCommand: 'warrant' }
    expect(hintsFor(options, npm)('log')).toBe(
      `npm run -s warrant -- log --log 'it'\\''s here.db' --realm test`,
    )
    expect(hintsFor({ realm: 'main' }, { npmCommand: 'npx' })('log')).toBe('npx warrant log')
  })

  const inProject = (path: string) => path === '/srv/ann/shop/package.json'
  const home = '/srv/ann/shop/node_modules'
  const code = 'warrant-runtime/dist/chunks/a.js'

  test.each([
    [`${home}/${code}`, undefined, 'npx warrant'],
    [`${home}/.pnpm/warrant-runtime@1/node_modules/${code}`, undefined, 'npx warrant'],
    [`${home}/${code}`, 'demo', 'npx warrant'],
    [`/usr/lib/node_modules/${code}`, undefined, 'warrant'],
    [`/srv/ann/.nvm/versions/node/v20/lib/node_modules/${code}`, 'warrant', 'warrant'],
    [`D:\\npm\\node_modules\\warrant-runtime\\dist\\a.js`, undefined, 'warrant'],
    [`/srv/ann/.npm/_npx/46344b/node_modules/${code}`, 'npx', 'npx warrant-runtime'],
    ['/srv/ann/warrant/shared/a.ts', undefined, 'warrant'],
    [`/srv/ann/shop/node_modules/.cache/packed/dist/a.js`, undefined, 'warrant'],
  ])('from %s is called so that it is found there', (file, npmCommand, command) => {
    expect(calledBy({ file, npmCommand, exists: inProject })).toBe(command)
  })

  test('is called so in every text of ours, and nothing else in it changes', () => {
    const text = "do `warrant log`, 'warrant init' or\n  warrant up http: warrant asks, a `warrant`"
    expect(asCalled(text, 'warrant')).toBe(text)
    const rest = 'or\n  npx warrant up http: warrant asks, a `warrant`'
    const called = `do \`npx warrant log\`, 'npx warrant init' ${rest}`
    expect(asCalled(text, 'npx warrant')).toBe(called)
    expect(asCalled('{"reason":"warrant asks: x"}', 'npx warrant')).not.toContain('npx')
  })

  test('takes the end of an address for the whole', () => {
    expect(shortIntent(address)).toBe('QK2M0XA1')
    expect(shortIntent('my-agent.-.order-17')).toBe('my-agent.-.order-17')
    expect(approving(address, false)).toBe('approve QK2M0XA1')
    expect(approving(address, true)).toContain('--note "')
    expect(shellWord('$(x)')).toBe(`'$(x)'`)
  })
})

describe('which intent is meant', () => {
  const addresses = ['a.-.01AAAA1111', 'a.s.01AAAA2222', 'b.-.01BBBB2222']
  const pick = (meant: string) => pickIntent(meant, place, addresses)

  test('is reported by the address, by any fact about it, and by an end that only one has', () => {
    expect(pick('a.-.01AAAA1111')).toBe(addresses[0])
    expect(pick('main.1.decision.a.s.01AAAA2222.1.olga')).toBe(addresses[1])
    expect(pick('1111')).toBe(addresses[0])
    expect(pick('B2222')).toBe(addresses[2])
    expect(pick('s.2222')).toBe(addresses[1])
  })

  test('is reported in short so that no equal call of another session is meant', () => {
    const digest = '4dba5ea56309d142f2049c64558e1545a233a205'
    const calls = ['a.s1', 'a.s2', 'a.-'].map((above) => `${above}.call-${digest}`)
    const short = calls.slice(0, 2).map(shortIntent)
    expect(short).toEqual(['s1.a233a205', 's2.a233a205'])
    expect(short.map((each) => pickIntent(each, place, calls))).toEqual(calls.slice(0, 2))
    expect(shortIntent(`a.-.call-${digest}`)).toBe('a233a205')
    expect(shortIntent(`a.s1.${digest}`)).toBe('a233a205')
  })

  test('is refused where several could be, and unknown where none is', () => {
    expect(() => pick('2222')).toThrow('`2222` may be a.s.01AAAA2222, b.-.01BBBB2222')
    expect(pickIntent('u3', place, ['a.-.u3', 'a.-.xu3'])).toBe('a.-.u3')
    expect(pick('111')).toBeNull()
    expect(pick('9999')).toBeNull()
    expect(pick('-.01AAAA1111')).toBeNull()
  })
})

describe('an option', () => {
  test('of key and value takes JSON as that, and anything else as text', () => {
    const args = ['n=1', 'yes=true', 'text=1a', 'quoted="1"', 'map={"a":[1]}', 'empty=', 'a=b=c']
    expect(args.reduce((before, text) => pairs(text, before), {})).toEqual({
      n: 1,
      yes: true,
      text: '1a',
      quoted: '1',
      map: { a: [1] },
      empty: '',
      a: 'b=c',
    })
    expect(() => pairs('=x')).toThrow(InvalidArgumentError)
    expect(() => pairs('x')).toThrow(InvalidArgumentError)
  })

  test.each(['-1', '1.5', '1e3', '', ' 1', '0x1', '01', 'NaN'])('%j is no whole number', (text) => {
    expect(() => wholeNumber(text)).toThrow(InvalidArgumentError)
  })

  test('of numbers keeps to its bounds', () => {
    expect(wholeNumber('0')).toBe(0)
    expect(() => positiveNumber('0')).toThrow(InvalidArgumentError)
    expect(positiveNumber('1')).toBe(1)
    expect(seconds('0.25')).toBe(250)
    expect(seconds('2592000')).toBe(2_592_000_000)
    expect(() => seconds('2592001')).toThrow(InvalidArgumentError)
    expect(() => seconds('1m')).toThrow(InvalidArgumentError)
    expect(jsonObject('{"a":1}')).toEqual({ a: 1 })
    for (const text of ['[1]', 'null', '1', '{']) {
      expect(() => jsonObject(text)).toThrow(InvalidArgumentError)
    }
  })
})

describe('an intent from options and a file', () => {
  test('takes the options before the file', () => {
    const file = { tool: 'x', args: { a: 1 }, goal: 'from the file', onGap: 'learn' }
    const options = { arg: { b: 2 }, goal: 'from the option', concept: ['c'], observe: true }
    expect(intentOf('y', options, file)).toEqual({
      tool: 'y',
      args: { b: 2 },
      goal: 'from the option',
      onGap: 'learn',
      concepts: ['c'],
      observe: true,
    })
  })

  test.each([
    ['name a tool', undefined, {}],
    ['unknown field `tools` in the intent', 'x', { tools: 1 }],
    ['onGap', 'x', { onGap: 'never' }],
  ])('is refused as usage: %s', (phrase, tool, file) => {
    expect(() => intentOf(tool, {}, file)).toThrow(phrase)
    expect(commandFailureOf(thrown(() => intentOf(tool, {}, file)))).toMatchObject({ exitCode: 2 })
  })
})

function thrown(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

test('a reason that ends its own sentence gets no second full stop', () => {
  const explained = (message: string) => {
    const reasons = [
      { code: 'policy_blocked' as const, recover: 'never' as const, params: { message } },
    ]
    return explain({ outcome: 'deny', reasons, questions: [], constraints: {} })[1]
  }
  for (const message of ['it is closed', 'it is closed.']) {
    expect(explained(message)).toBe(
      '- policy_blocked: it is closed. Retrying unchanged will not help.',
    )
  }
})

describe('what goes wrong', () => {
  test('is one line with the exit code that reports it', () => {
    const fault = new Fault('no_log', 'no log\n  here')
    const expected = { code: 'no_log', message: 'no log here', exitCode: 1 }
    expect(commandFailureOf(fault)).toEqual(expected)
    const late = new Fault('no_verdict', 'no verdict in time')
    expect(commandFailureOf(late)).toMatchObject({ exitCode: 4 })
    expect(commandFailureOf(new Error('x'))).toMatchObject({ code: 'unexpected', exitCode: 1 })
    expect(commandFailureOf('x')).toMatchObject({ code: 'unexpected', exitCode: 1 })
    expect(commandFailureOf(new CommanderError(0, 'commander.helpDisplayed', ''))).toBeNull()
    const help = commandFailureOf(new CommanderError(1, 'commander.help', '(outputHelp)'))
    expect(help).toMatchObject({ message: 'name a command', exitCode: 2 })
  })
})

describe('where two facts differ', () => {
  test('is reported by pointers, in the order of keys', () => {
    const recorded = { b: [1, { 'x/y': 'a' }], a: 1, gone: null }
    const derived = { b: [1, { 'x/y': 'b' }, 2], a: 1, more: true }
    expect(differing(JSON.stringify(recorded), JSON.stringify(derived))).toEqual([
      { path: '/b/1/x~1y', recorded: '"a"', derived: '"b"' },
      { path: '/b/2', recorded: undefined, derived: '2' },
      { path: '/gone', recorded: 'null', derived: undefined },
      { path: '/more', recorded: undefined, derived: 'true' },
    ])
  })

  test('is all of it where one is no JSON or of another shape', () => {
    expect(differing('x', '{}')).toEqual([{ path: '', recorded: 'x', derived: '{}' }])
    expect(differing('[]', '{}')).toEqual([{ path: '', recorded: '[]', derived: '{}' }])
    expect(differing('{"a":1}', '{"a":1}')).toEqual([])
  })
})

describe('the starter', () => {
  test.each([
    ['send_email', 'send', 'email'],
    ['refundOrder', 'refund', 'order'],
    ['Refund Order', 'refund', 'order'],
    ['delete-user-data', 'delete', 'user_data'],
    ['deploy', 'deploy', 'deploy_target'],
    ['list_lists', 'list', 'list_target'],
    ['???', 'use', 'use_target'],
  ])('takes %s for %s and %s', (tool, action, object) => {
    expect(toolWordsOf(tool)).toMatchObject({ tool, action, object })
  })

  test('has an agent, its owner, a tool and its class, and no concepts', () => {
    const words = toolWordsOf('send_email')
    const owner = { id: 'you', publicKey: 'ed25519:x' }
    expect(starterCatalog({ agent: starterAgent, words }, owner)).toMatchObject({
      principals: [
        { id: 'you', keys: ['ed25519:x'] },
        { id: 'my-agent', owner: 'you' },
      ],
      capabilities: [{ id: 'send_email', safetyClass: 'WRITE', argsSchema: { type: 'object' } }],
    })
    expect(JSON.stringify(starterCatalog({ agent: starterAgent, words }, owner))).not.toContain(
      'concepts',
    )
  })

  test.each([
    ['delete_customer', 'DESTRUCTIVE'],
    ['refundOrder', 'DESTRUCTIVE'],
    ['send_email', 'WRITE'],
    // What its name does not say is no reason to take it for reading.
    ['weather', 'WRITE'],
  ])('takes %s for %s by its name', (tool, safetyClass) => {
    expect(toolWordsOf(tool)).toMatchObject({ safetyClass })
  })
})
