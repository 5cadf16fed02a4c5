// A model that fills in what learning proposes, from the command line to the verdict: it is asked
// where it is named, and what it says counts only once a person has accepted it.
import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import {
  askedIn,
  json,
  learningFolder,
  listed,
  met,
} from '../../../support/samples/cli-proposals-folder.ts'
import { ended, runChild, says, start } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { isFull } from '../../../support/vitest/counts.ts'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

interface Served {
  readonly url: string
  readonly models: string[]
}

/** A server that speaks as Ollama does, and answers every question with this. */
async function serving(answer: unknown): Promise<Served> {
  const models: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      models.push(`${request.url} ${z.object({ model: z.string() }).parse(JSON.parse(body)).model}`)
      response.end(JSON.stringify({ message: { content: JSON.stringify(answer) } }))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { url: `http://127.0.0.1:${port}`, models }
}

function noticeWith(properties: object) {
  const levels = [
    { level: 0, properties: {} },
    { level: 1, properties },
  ]
  return { levels: [{ name: 'notice', levels }], edge: null }
}

const notice = noticeWith({ what: 'a line to everyone' })
const asking = ['ask', 'notify', '--on-gap', 'learn']

test('what a model proposes lets the intent go on once a person accepts it', async () => {
  const cwd = await learningFolder()
  const { url, models } = await serving(notice)
  const env = { WARRANT_MODEL: 'small', WARRANT_MODEL_URL: url }
  const asked = runChild([...asking, '--wait', '60'], { cwd, env })
  const [id = ''] = await askedIn(cwd, { answered: true })
  expect(models).toEqual(['/api/chat small'])
  expect((await run(['proposals'], { cwd })).stdout).toContain('(`small` proposes an answer)')
  const shown = await run(['proposals', 'show', id], { cwd })
  expect(shown.stdout).toMatch(
    /model +`small` proposes:\n +notice D0[^]*what: “a line to everyone”/,
  )
  expect(shown.stdout).toMatch(/it would bind\n +add notice\n/)
  expect(shown.stdout).toContain(`warrant proposals accept ${id.slice(-8)}`)
  const by = ['--as', 'cora', '--yes', '--json']
  const accepted = await run(['proposals', 'accept', id, ...by], { cwd })
  expect(json(accepted.stdout)).toMatchObject([
    { ruling: 'accepted', revision: 3, intents: [{ outcome: 'allow' }] },
  ])
  expect(await asked).toMatchObject({ code: 0, stdout: expect.stringContaining('ALLOW  notify') })
  const { stdout } = await run(['log', '--json', '--name', 'graph.3'], { cwd })
  const [{ fact }] = json(stdout)
  expect(fact.data.operations[0].provenance).toMatchObject({ source: 'learned', by: 'cora' })
  expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
})

test.runIf(isFull)('what a person changes of it is the person’s', async () => {
  const cwd = await learningFolder()
  const { url } = await serving(notice)
  const env = { WARRANT_MODEL: 'small', WARRANT_MODEL_URL: url }
  const asked = runChild([...asking, '--wait', '60'], { cwd, env })
  const [id = ''] = await askedIn(cwd, { answered: true })
  const input = ['y', 'n', 'what=a line to one', '', 'y', ''].join('\n')
  const args = ['proposals', 'teach', id, '--as', 'cora']
  const added = await runChild(args, { cwd, input })
  expect(added.stderr).toContain('Take that? [y/N]')
  expect(added.stdout).toMatch(/you say[^]*what: “a line to one”[^]*APPLIED/)
  expect(await listed(cwd, '--all')).toMatchObject([
    { state: 'applied', ruled: { word: 'modified' } },
  ])
  expect((await asked).code).toBe(0)
})

test.runIf(isFull)(
  '`up` asks the model that it is given, and what cannot be used is not accepted',
  async () => {
    const cwd = await learningFolder()
    const { url, models } = await serving(noticeWith({}))
    const named = ['--model', 'large', '--model-url', `${url}/`, '--model-timeout', '5']
    const up = start(['up', ...named], { cwd })
    const over = ended(up)
    try {
      await says(up, 'stderr', 'stages running')
      await run([...asking, '--no-stages', '--wait', '0'], { cwd })
      const [id = ''] = await askedIn(cwd, { answered: true })
      expect(models).toEqual(['/api/chat large'])
      const shown = await run(['proposals', 'show', id], { cwd })
      expect(shown.stdout).toContain('`large` had no usable answer: level 1 of `notice` is empty')
      const accepted = await run(['proposals', 'accept', id, '--as', 'cora', '--yes'], { cwd })
      expect([accepted.code, accepted.stderr]).toEqual([
        1,
        expect.stringContaining('no model proposes anything to accept'),
      ])
    } finally {
      up.kill('SIGTERM')
      expect((await over).stderr).toContain('"model":"large"')
    }
  },
)

test('a model that cannot be meant is refused before anything starts', async () => {
  const cwd = await learningFolder()
  const refused = [
    [['--model-url', 'http://127.0.0.1:1'], 2, 'name a model'],
    [['grounding', '--model', 'small'], 2, 'run one of these stages too'],
    [['--model', 'small', '--model-url', 'http://u:secret@127.0.0.1:1'], 1, 'no user'],
    [['--model', 'small', '--model-timeout', '291'], 1, '290000 milliseconds'],
  ] as const
  for (const [args, code, part] of refused) {
    const ran = await run(['up', ...args], { cwd })
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(part)])
    expect(ran.stderr).not.toContain('secret')
  }
})

test('without one, people are asked alone', async () => {
  const cwd = await learningFolder()
  await met(cwd, { tool: 'notify', args: {} })
  expect(await listed(cwd)).toMatchObject([{ suggestions: [], failed: null }])
})

test.runIf(isFull)('a short command waits for no model, and people are asked at once', async () => {
  const cwd = await learningFolder()
  const server = createServer(() => undefined)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const env = { WARRANT_MODEL: 'slow', WARRANT_MODEL_URL: `http://127.0.0.1:${port}` }
  for (const tool of ['notify', 'measure', 'erase']) {
    // The model never answers: what waited for it would end in a fault of its worker.
    await runChild(['ask', tool, '--on-gap', 'learn', '--wait', '0.2'], { cwd, env })
  }
  expect(await listed(cwd)).toHaveLength(3)
  expect((await run(['faults'], { cwd })).stdout).not.toContain('learning')
})

test('a model is asked on demand, and asked again, by whom it is not asked by itself', async () => {
  const cwd = await learningFolder()
  const { ids } = await met(cwd, { tool: 'notify', args: {} })
  const [id = ''] = ids
  const bad = await serving(noticeWith({}))
  const args = ['proposals', 'suggest', id.slice(-8)]
  const failed = await run([...args, '--model', 'small', '--model-url', bad.url], { cwd })
  expect(failed.stdout).toContain('small had no usable answer: level 1 of `notice` is empty')
  expect(failed.code).toBe(4)
  const { url } = await serving(notice)
  const suggested = await run([...args, '--model', 'large', '--model-url', url], { cwd })
  expect(suggested.stdout).toMatch(/large proposes\n {2}notice D0/)
  const accepted = await run(['proposals', 'accept', id, '--as', 'cora', '--yes'], { cwd })
  expect(accepted.stdout).toContain('ALLOW   notify')
  expect((await run(args, { cwd })).code).toBe(2)
})
