// The playground in a real browser: what it judges, links that hold all of it, and links that
// someone made to do harm.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deflateRawSync } from 'node:zlib'
import { run } from '../support/cli-runner.ts'
import { violationsOf } from '../support/browser/axe.ts'
import { desk, hasBrowser, openPage, phone } from '../support/browser/chromium.ts'
import { givenOut } from '../support/browser/given-out.ts'
import { siteFiles } from '../../docs/site/build.ts'

const examples = `${import.meta.dirname}/../../examples`
let files: ReadonlyMap<string, string | Uint8Array>
beforeAll(async () => {
  if (hasBrowser) files = await siteFiles()
})

/** Keeps what a worker answers, and what a script of others would leave. */
const watching = `
  globalThis.answers = []
  const Before = Worker
  globalThis.Worker = class extends Before {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => answers.push(data))
    }
  }
`
const Answers = z.array(
  z.looseObject({
    judged: z.looseObject({ tried: z.object({ json: z.string() }).nullable() }).nullable(),
  }),
)

interface Opened {
  readonly page: Page
  readonly url: string
  /** What the page was refused, and what went wrong in it. */
  readonly wrong: readonly string[]
  readonly origins: ReadonlySet<string>
}

async function opened(fragment = '', options = desk): Promise<Opened> {
  const url = await givenOut(files)
  const page = await openPage(options)
  const wrong: string[] = []
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (said) => wrong.push(said.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => wrong.push('a dialog')))
  await page.addInitScript(watching)
  await page.goto(`${url}playground.html${fragment}`)
  return { page, url, wrong, origins }
}

const saying = async (page: Page, words: string): Promise<void> => {
  await page.locator('#status', { hasText: words }).waitFor({ timeout: 0 })
}

/** As if it were typed; a part may be folded up. */
async function write(page: Page, id: string, text: string): Promise<void> {
  await page.locator(`#${id}`).evaluate((field, value) => {
    Reflect.set(field, 'value', value)
    field.dispatchEvent(new Event('input'))
  }, text)
}

type Parts = readonly [
  catalog: string,
  graph: string,
  request: string,
  history: string,
  cases: string,
]

const linkTo = (parts: Parts): string =>
  `#1.${deflateRawSync(JSON.stringify(parts)).toString('base64url')}`

test.runIf(hasBrowser).each([
  ['a desk', { ...desk, colorScheme: 'dark' as const }],
  ['a phone', { ...phone, colorScheme: 'light' as const }],
])('on %s the five rules are judged as on the command line, to the byte', async (_, screen) => {
  const { page, url, wrong, origins } = await opened('', screen)
  await saying(page, 'Judged in')
  expect(await page.textContent('#outcome')).toBe('ask')
  expect(await page.textContent('#status')).toMatch(/^Judged in \d+ ms: ask$/)
  expect((await page.locator('search').boundingBox())?.width).toBeGreaterThan(200)
  expect(await page.textContent('#passed')).toBe('16 of 16 passed, coverage 100 %')
  const answers = Answers.parse(await page.evaluate('answers'))
  const cases = ['--cases', 'five-rules/tests/rules.yaml']
  const { stdout } = await run(['test', 'five-rules', ...cases, '--json'], { cwd: examples })
  const here = stdout.trim().replaceAll('five-rules/tests/rules.yaml', 'cases.yaml')
  expect(answers.at(-1)?.judged?.tried?.json).toBe(here)
  expect(await violationsOf(page)).toEqual([])
  const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(wider)).toBe(false)
  expect([...origins]).toEqual([new URL(url).origin])
  expect(wrong).toEqual([])
})

test.runIf(hasBrowser)('what is edited is judged again, and a link brings it back', async () => {
  const { page, url } = await opened()
  await saying(page, 'Judged in')
  await write(page, 'request', 'agent: helper\nrequest: { tool: deploi }')
  await page.locator('#outcome', { hasText: 'deny' }).waitFor()
  await page.click('#link')
  const link = await page.inputValue('#address')
  expect(new URL(link).search).toBe('')
  const other = await openPage(desk)
  const asked: string[] = []
  other.on('request', (request) => asked.push(request.url()))
  await other.goto(link)
  await other.locator('#outcome', { hasText: 'deny' }).waitFor()
  expect(await other.inputValue('#request')).toContain('deploi')
  // The fragment is not sent.
  expect(asked[0]).toBe(`${url}playground.html`)
  expect(asked.some((one) => one.includes('examples/'))).toBe(false)
})

test.runIf(hasBrowser)('what is too long for a link is not cut', async () => {
  const { page } = await opened()
  await saying(page, 'Judged in')
  const long = Array.from({ length: 9_000 }, (_, at) => `# ${(at * 2_654_435_761) % 4_294_967_291}`)
  await write(page, 'history', long.join('\n'))
  await page.click('#link')
  await page.locator('#linked', { hasText: 'too long for a link' }).waitFor()
  expect(await page.isHidden('#address')).toBe(true)
})

const script = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>'
const hostile: Parts = [
  JSON.stringify({
    principals: [{ id: 'a', owner: 'b' }, { id: 'b' }],
    capabilities: [{ id: script, safetyClass: 'READ', concepts: [script] }],
    conditions: [{ name: script, effect: 'confirm', when: 'true', question: script }],
  }),
  JSON.stringify({ primitives: [{ name: script, depths: [{ level: 0 }] }] }),
  JSON.stringify({ agent: 'a', request: { tool: script, justification: script } }),
  '',
  JSON.stringify([{ name: script, agent: 'a', request: { tool: script }, expect: 'deny' }]),
]

test.runIf(hasBrowser)('names that are scripts are shown, and do not run', async () => {
  const { page, wrong, origins } = await opened(linkTo(hostile))
  await saying(page, 'Judged in')
  expect(await page.locator('#judged').innerHTML()).toContain('&lt;img src=x')
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
  expect(origins.size).toBe(1)
  expect(wrong).toEqual([])
})

test.runIf(hasBrowser).each([
  ['is cut', linkTo(hostile).slice(0, 80), 'cannot be opened'],
  ['is of another version', '#9.abc', 'another version'],
  ['has other parts', `#1.${deflateRawSync('["a"]').toString('base64url')}`, 'cannot be opened'],
  ['has objects', `#1.${deflateRawSync('[{},{},{},{},{}]').toString('base64url')}`, 'cannot be'],
  [
    'unfolds to far more',
    `#1.${deflateRawSync(Buffer.alloc(64 * 1024 * 1024, 0x20)).toString('base64url')}`,
    'unfolds to more',
  ],
])('a link that %s is refused with why', async (_, fragment, words) => {
  const { page, wrong } = await opened(fragment)
  await saying(page, words)
  expect(wrong).toEqual([])
})

test.runIf(hasBrowser)('keys of prototypes are refused with what is wrong', async () => {
  const { page } = await opened(linkTo(['{"__proto__":{"a":1}}', '', '', '', '']))
  await page.locator('#problem-catalog', { hasText: '__proto__' }).waitFor()
})

const five = '"principals": [{ "id": "a", "owner": "b" }, { "id": "b" }]'
const many = 'given: { before: [{ tool: t, times: 1000 }] }, request: { tool: t }, expect: deny'
const slow: readonly (readonly [what: string, parts: Parts])[] = [
  [
    'endless requests before it',
    [
      `{ ${five}, "capabilities": [{ "id": "t", "safetyClass": "READ" }] }`,
      '',
      'agent: a\nrequest: { tool: t }',
      `before: [${'{ tool: t, times: 1000, ago: 1h }, '.repeat(500)}{ tool: t }]`,
      '',
    ],
  ],
  [
    'test cases without an end',
    [
      `{ ${five}, "capabilities": [{ "id": "t", "safetyClass": "READ" }] }`,
      '',
      'agent: a\nrequest: { tool: t }',
      '',
      `cases: [${`{ name: a, agent: a, ${many} }, `.repeat(300)}]`,
    ],
  ],
]

test.runIf(hasBrowser).each(slow)(
  '%s are stopped by a button, and the page goes on',
  async (_, parts) => {
    const { page } = await opened(linkTo(parts))
    await page.locator('#stop').click()
    await saying(page, 'was stopped')
    await write(page, 'history', '')
    await write(page, 'cases', '')
    await saying(page, 'Judged in')
    expect(await page.textContent('#outcome')).toBe('allow')
  },
)

const nested = Array.from({ length: 8 }).reduce<string>(
  (inner) => `[1,2,3,4,5,6,7,8].all(x, ${inner})`,
  'true',
)
test.runIf(hasBrowser).each([
  ['an expression of nested loops', nested],
  [
    'a pattern that would try again and again',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")',
  ],
])('%s ends by itself or by a button', async (_, when) => {
  const catalog = `{ ${five}, "capabilities": [{ "id": "t", "safetyClass": "READ" }],
    "conditions": [{ "name": "c", "effect": "deny", "when": ${JSON.stringify(when)} }] }`
  const { page } = await opened(linkTo([catalog, '', 'agent: a\nrequest: { tool: t }', '', '']))
  const ended = page.locator('#status', { hasText: /Judged in|was stopped/ })
  await ended.waitFor({ timeout: 0 })
  await write(
    page,
    'catalog',
    `{ ${five}, "capabilities": [{ "id": "t", "safetyClass": "READ" }] }`,
  )
  await page.locator('#outcome', { hasText: 'allow' }).waitFor({ timeout: 0 })
})
