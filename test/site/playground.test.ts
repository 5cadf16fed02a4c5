// The bundle of the playground against the command line: the same to the byte.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { judgedTexts, type JudgingTexts } from '#cases/judged'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { examplesIn, type Example } from '../../docs/site/examples.ts'
import { siteFiles } from '../../docs/site/build.ts'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const examples = examplesIn(root)
const Answer = z.object({
  judged: z.object({
    problems: z.array(z.unknown()),
    tried: z.object({ json: z.string() }).nullable(),
  }),
})
const Tools = z.object({ capabilities: z.array(z.object({ id: z.string() })).default([]) })

let files: ReadonlyMap<string, string | Uint8Array>
beforeAll(async () => {
  files = await siteFiles()
})

/** The cases that an example has; of a seed, its request and one for each of its tools. */
function casesOf({ texts }: Example): string {
  if (texts.cases !== '') return texts.cases
  const { capabilities } = Tools.parse(JSON.parse(texts.catalog === '' ? '{}' : texts.catalog))
  const history = texts.history.replaceAll(/^/gm, '    ')
  const written = (name: string, request: string): string => {
    const head = `- name: ${name}\n  agent: helper\n  given:\n${history}\n`
    return `${head}  request: ${request}\n  expect: allow\n`
  }
  const asked = /tool: (\S+)/.exec(texts.request)?.[1] ?? ''
  return [asked, ...capabilities.map(({ id }) => id)]
    .flatMap((tool, at) => [
      written(`bare ${at}`, `{ tool: ${tool} }`),
      written(`with words ${at}`, `{ tool: ${tool}, args: { to: ann, amount: 3.5 } }`),
      written(`with why ${at}`, `{ tool: ${tool}, justification: someone asked for it today }`),
    ])
    .join('')
}

async function fromBundle(all: readonly JudgingTexts[]): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [place, content] of files) {
    if (!place.startsWith('playground/') || !place.endsWith('.js')) continue
    await mkdir(dirname(join(folder, place)), { recursive: true })
    await writeFile(join(folder, place), content)
  }
  const runner = join(root, 'test/support/browser/bundled.mjs')
  const child = spawn(process.execPath, [runner, join(folder, 'playground/worker.js')])
  child.stdin.end(JSON.stringify(all))
  const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'close')
  expect(wrong).toBe('')
  return printed.trim().split('\n')
}

async function fromCommandLine({ catalog, graph, cases }: JudgingTexts): Promise<string> {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'cases.yaml'), cases)
  if (catalog !== '') await writeFile(join(cwd, 'catalog.json'), catalog)
  if (graph !== '') await writeFile(join(cwd, 'graph.json'), graph)
  const { stdout } = await run(['test', '.', '--cases', 'cases.yaml', '--json'], { cwd })
  return stdout.trim()
}

test('the bundle judges all cases of examples and seeds as the command line does', async () => {
  const all = examples.map((one) => {
    return { name: one.name, texts: { ...one.texts, cases: casesOf(one) } }
  })
  const answers = await fromBundle(all.map(({ texts }) => texts))
  expect(answers.length).toBe(examples.length)
  let count = 0
  for (const [at, { name, texts }] of all.entries()) {
    const { problems, tried } = Answer.parse(JSON.parse(answers[at] ?? '')).judged
    expect({ name, problems }).toEqual({ name, problems: [] })
    const here = await fromCommandLine(texts)
    expect({ name, json: tried?.json }).toEqual({ name, json: here })
    count += here.split('"differences"').length - 1
  }
  expect(count).toBeGreaterThan(300)
})

const [fiveRules] = examples
const base = fiveRules?.texts ?? { catalog: '', graph: '', request: '', history: '', cases: '' }

test.each([
  ['catalog', '{"__proto__": {}}'],
  ['catalog', '{"principals": [{"id": 3}]}'],
  ['graph', '{"primitives": 3}'],
  ['request', 'agent: helper\nrequest: { tool: send_email, __proto__: 1 }'],
  ['request', 'agent: stranger'],
  ['history', 'before: [{}]'],
  ['cases', 'cases: [{ name: a }]'],
  ['cases', 'a: &a [1]\nb: [*a, *a'],
] as const)('a %s that cannot be read is refused with what is wrong: %s', async (part, written) => {
  const { problems } = await judgedTexts({ ...base, [part]: written })
  expect(problems).toEqual([{ part, text: expect.stringMatching(/.{20}/) }])
})

test('faulty test cases cost the verdict nothing, and the other way round', async () => {
  const { asked } = await judgedTexts({ ...base, cases: 'a: [' })
  expect(asked?.outcome).toBe('ask')
  const { tried } = await judgedTexts({ ...base, request: 'a: [' })
  expect(tried?.coverage).toBe(100)
})

test('what would change a verdict is named: a yes, another tool, words for the graph', async () => {
  const asking = (tool: string, more = '') => `agent: helper\nrequest: { tool: ${tool}${more} }`
  const approved = await judgedTexts({
    ...base,
    request: asking('send_email', ', args: { to: a@b.example }, justification: Ann asked for it'),
  })
  expect(approved.asked?.help).toEqual(['ann may approve it'])
  const near = await judgedTexts({ ...base, request: asking('send_emial') })
  expect(near.asked).toMatchObject({
    outcome: 'deny',
    help: [expect.stringContaining('send_email')],
  })
  const history = 'catalog: { capabilities: [{ id: fly, safetyClass: READ, concepts: [moon] }] }'
  const unknown = await judgedTexts({ ...base, history, request: asking('fly') })
  expect(unknown.asked?.known).toContain('moon')
  expect(unknown.asked?.help.join('')).toContain('"name": "moon"')
})
