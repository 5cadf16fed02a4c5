// What strangers can make long, each at any length: texts, commands, replies, patterns, messages.
import { amountOfText } from '#rules/budgets/decimal'
import { codexSays } from '#shell/hooks/hosts/codex'
import { cursor } from '#shell/hooks/hosts/cursor'
import { redact, redactText } from '#firewall/redact'
import { readHookEvent } from '#shell/hooks/hook-event'
import { isExactNumber } from '#record/reading/exact-number'
import { kindOfValue, valuesInText } from '#knowledge/known/kinds'
import { standingMessages, type SessionMessage } from '#messages/session'
import { judge } from '#rules/chain/judge'
import { councilResult } from '#work/council'
import { checkProse } from '#work/prose/check-prose'
import { groundingChecks, structuralChecks } from '#work/prose/profiles'
import { coversPath } from '#work/verification/path-pattern'
import { toolSecrets } from '#gateway/tools/secrets'
import { checkLine, openShellSeed } from '#cli/agents/hook/check'
import { capability, testCase } from '../../support/samples/judge-cases.ts'
import { placed } from '../../support/samples/vlp-sample.ts'
import { catalogs } from './catalogs.ts'
import type { GrowthCase } from './counting.ts'

function textCase(area: string, piece: string, read: (text: string) => unknown): GrowthCase {
  const of = (length: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length))
    return () => read(text)
  }
  return { title: `${area}: ${JSON.stringify(piece)}`, of }
}

const texts = (area: string, pieces: readonly string[], read: (text: string) => unknown) =>
  pieces.map((piece) => textCase(area, piece, read))

const planted: readonly GrowthCase[] = [
  textCase('planted: a loop in a loop', 'a', (text) => {
    let pairs = 0
    for (const one of text) for (const other of text) pairs += one === other ? 1 : 0
    return pairs
  }),
  textCase('planted: the rest of a text', 'a', (text) => {
    for (let at = 0; at < text.length; at += 1) /b/.test(text.slice(at))
  }),
]

const codex = texts(
  'settings of codex',
  ['"', "'", '#', '=', '{a=', '[', '"""\n', '\\"', 'a={b=true,'],
  codexSays,
)

const known = texts('values in a text', ['a', 'a.', '@a', '://'], (text) => {
  valuesInText('url', text)
  valuesInText('email', text)
  for (const kind of ['email', 'account', 'id', 'name', 'url', 'amount', 'path'] as const) {
    const of = kindOfValue(kind)
    of.isIn(of.form('x.com') ?? '', text)
  }
})

// A run of what is left out where a text ends, in front of something else.
const ends: readonly GrowthCase[] = [
  textCase('numbers', '0', (zeros) => isExactNumber(`1.${zeros}1`)),
  textCase('amounts', '0', (zeros) => amountOfText(`1.${zeros}1`)),
  textCase('folders of a workspace', '/', (slashes) =>
    readHookEvent(cursor, {
      hook_event_name: 'beforeShellExecution',
      command: 'ls',
      workspace_roots: [`/a${slashes}b`],
    }),
  ),
]

// One piece for each form that redaction looks for, and for each way to look again.
const firewall = texts(
  'firewall',
  ['a', 'eyJ', '1', 'a:', '%40', 'a@a.', '4 1-1 ', 'a://b:c@', '-----BEGIN X PRIVATE KEY '].concat([
    'password=',
    '"token": "',
    'api_key ',
    'password: "',
    'authorization: ',
    'cookie: a=1; ',
    'password is ',
    '--token ',
    'mysql -p ',
    'curl -u a:',
    '<password>',
    '<add key="password" value="',
    'name: password value: ',
    "define('password', '",
    '("password", "',
    'a:5432:a:a:',
    'login a password ',
    '$2a$10$',
    '+1 ',
    '0049 ',
    'call me at 1',
    'card 4',
    'GB82 ',
    'arn:aws:',
    'nextToken: aB3',
    'aB3dE5gH7jK9',
    '{"a":"',
    '&#64;',
    '\\u0061',
    '\u200b',
  ]),
  (text) => redactText(text),
)
const firewallData = [
  {
    title: 'firewall: members of an object',
    of: (length: number) => {
      const members = Array.from({ length }, (_, at) => [`password${at % 7}`, `${at}aB3dE5gH`])
      return () => redact(Object.fromEntries(members))
    },
  },
  {
    title: 'firewall: items of lists in pairs',
    of: (length: number) => {
      const items = Array.from({ length }, (_, at) => ['--token', `${at}aB3dE5gH`])
      return () => redact(items)
    },
  },
]

const secrets = toolSecrets({ variables: { WARRANT_SECRET_A: 'a'.repeat(20) }, folder: null })
await secrets.load('A')
const scrubbing = texts('secrets of tools', ['aaaaaaaaab'], (text) => secrets.scrub(text))

const replies = texts(
  'replies of a council',
  ['{', '{"a":', '{"', '{"a":1,', '{"a":[{', '{}', '{"a":{}} ', '"', '\\', '{"\\', '{"a {"b', '}{'],
  (reply) => councilResult({ seats: 1, replies: [reply] }),
)

const asked = [...structuralChecks, ...groundingChecks]
const now = Date.UTC(2026, 0, 1)
const prose = texts(
  'prose',
  ['[', '![', '[](', '[[a]', '[^', '> ', '- ', '1. a\n', '#\n', '# a\n', 'a\n-\n'].concat([
    '*a **b_c',
    '`a``b',
    '<!--',
    'a <b> ',
    '|a|b|\n|-|-|\n',
    '[a]: b\n',
    '(Smith ',
    '[1,',
    '5 ms, 5% ',
    'see section a. ',
    'refer to "',
    '\t- ',
  ]),
  (text) => checkProse({ text, asked, minWords: 1, requiredSections: ['a', 'a b'], now }),
)

const seed = await openShellSeed()
const commands = (
  [
    ['substitutions', (n) => `${'$('.repeat(n)}ls${')'.repeat(n)}`],
    ['braces', (n) => `echo ${'{a,b}'.repeat(n)}`],
    ['a list', (n) => 'ls;'.repeat(n)],
    ['words', (n) => `ls ${'a '.repeat(n)}`],
    ['values of values', (n) => `${'X=$X$X;'.repeat(n)} ls $X`],
    ['loops', (n) => 'for a in b; do '.repeat(n) + 'ls' + '; done'.repeat(n)],
    ['calls', (n) => `f() { f; f; }; ${'f;'.repeat(n)}`],
    ['alternatives of a filter', (n) => `rg x -g '${'{e,n,v}*'.repeat(n)}'`],
    ['a script of sed', (n) => `sed '${'b p q 5 p {}'.repeat(n)}!' a`],
    ['a program of awk', (n) => `awk '${'print "'.repeat(n)}' a`],
  ] satisfies [string, (n: number) => string][]
).map(([what, shape]) => ({
  title: `shell: ${what}`,
  of: (length: number) => {
    const command = shape(Math.ceil(length / 10))
    return () => checkLine({ command }, seed)
  },
}))

const distinct = capability({
  argsSchema: { properties: { in: { type: 'array', uniqueItems: true } }, type: 'object' },
})
const correction = (position: number, ref: string): SessionMessage =>
  placed(position, { type: 'correction', refers_to: ref })
const others: readonly GrowthCase[] = [
  {
    title: 'arguments that must differ',
    of: (length) => {
      const items = Array.from({ length }, (_, number) => ({ number }))
      return () => judge(testCase({ capability: distinct, request: { args: { in: items } } }))
    },
  },
  {
    title: 'a pattern of many stars',
    of: (length) => () => coversPath('a*'.repeat(20), 'a'.repeat(length)),
  },
  {
    title: 'a chain of corrections',
    of: (length) => {
      const chain = Array.from({ length }, (_, at) => correction(at + 2, `id-${at + 1}`))
      return () => standingMessages([placed(1), ...chain])
    },
  },
  {
    title: 'many corrections of one message',
    of: (length) => {
      const all = Array.from({ length }, (_, at) => correction(at + 2, 'id-1'))
      return () => standingMessages([placed(1), ...all])
    },
  },
]

export const cases: readonly GrowthCase[] = [
  planted,
  codex,
  ends,
  known,
  firewall,
  firewallData,
  scrubbing,
  replies,
  prose,
  commands,
  others,
  catalogs,
].flat()
