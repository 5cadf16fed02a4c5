// The offline commands as programs: where their lines come from, and what their exit codes say.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandFailureOf, type CommandFailure } from '#cli/terminal/failure'
import { buildProgram } from '#cli/program'
import { endOf, folder, start, warrant, warrantAlone } from './program.ts'

const lined = (...values: unknown[]) => values.map((each) => `${JSON.stringify(each)}\n`).join('')
const resolved = '{"action":"PASS","asked":false,"reason":null}\n'
const question = '{"violations":[],"answers":null}\n'

describe('the exit code', () => {
  test('is 6 for a bad line, which is answered in its place, as is the rest', async () => {
    const { code, answers, reported } = await warrantAlone(
      ['policy', 'resolve'],
      `${question}\nno line\n{}\n${question}`,
    )
    const [first, bad, wrong, last] = answers.split('\n')
    expect(first).toBe(resolved.trim())
    expect(bad).toBe('{"error":{"code":"not_json","message":"it is not JSON","line":3}}')
    expect(JSON.parse(wrong ?? '')).toEqual({
      error: { code: 'line_invalid', message: expect.stringContaining('violations'), line: 4 },
    })
    expect(last).toBe(resolved.trim())
    expect({ code, reported }).toEqual({ code: 6, reported: '' })
  })

  test('is 0 for nothing to answer', async () => {
    expect(await warrant(['decide'], '\n\n')).toEqual({ code: 0, answers: '', reported: '' })
  })

  test.each([
    [['ground', '--profile', 'lax']],
    [['decide', '--grahp', 'graph.json']],
    [['policy', 'resolve', 'one.ndjson', 'two.ndjson']],
    [['policy', 'repair']],
    [['ground', '--graph']],
  ])('is 2 for a mistake in how it was called: %j', async (args) => {
    expect(await refusalOf(args)).toMatchObject({ code: 'usage', exitCode: 2 })
  })
})

test('a graph may be the lines that an export writes', async () => {
  const by = { source: 'authored', by: 'olga', at: '2026-01-01T00:00:00.000Z' }
  const relata = [{ type: 'REQUIRES', target: 'file', targetDepth: 0, provenance: by }]
  const depths = [{ level: 0, relata, provenance: by }]
  const named = { name: 'delete', depths, provenance: by }
  writeFileSync(
    join(folder(), 'graph.ndjson'),
    lined(named, { name: 'file', depths: [{ level: 0 }] }),
  )
  const asked = lined({ concepts: ['delete', 'burn'] })
  const { code, answers } = await warrant(
    ['ground', '--graph', join(folder(), 'graph.ndjson')],
    asked,
  )
  expect(code).toBe(0)
  expect(JSON.parse(answers).gaps).toMatchObject([{ kind: 'EXISTENCE', primitive: 'burn' }])
})

describe('a file that is judged by', () => {
  const file = { name: 'file', depths: [{ level: 0 }] }
  const typo = { primitives: [{ name: 'file', depths: [{ level: 5 }] }] }
  const stray = { principals: [{ id: 'bot', owner: 'unknown' }] }
  const half = '{ "primitives": [\n { "name": "file", } ] }'
  test.each([
    ['ground', '--graph', 'level.json', JSON.stringify(typo), ['primitives[0].depths[0].level']],
    ['decide', '--graph', 'half.json', half, ['it is not JSON']],
    ['decide', '--catalog', 'owner.json', JSON.stringify(stray), ['principals/bot/owner', 'add']],
    ['decide', '--catalog', 'twice.json', '{"groups":[],"groups":[]}', ['the same key twice']],
    ['ground', '--graph', 'nowhere.json', null, ['no such file']],
    ['ground', '--graph', 'level.ndjson', lined(...typo.primitives), ['line 1 at depths/0/level']],
    ['ground', '--graph', 'twice.ndjson', lined(file, file), ['line 2: the name `file`']],
  ])('is refused by its name, place and fix: %s %s %s', async (...given) => {
    const [command, option, name, text, says] = given
    const path = join(folder(), name)
    if (text !== null) writeFileSync(path, text)
    const { message, exitCode } = await refusalOf([command, option, path])
    for (const said of [`\`${path}\``, ...says]) expect(message).toContain(said)
    expect(message).not.toContain('\n')
    expect(exitCode).toBe(1)
  })
})

// What is refused before the first line writes no answer, so this process can call it.
async function refusalOf(args: readonly string[]): Promise<CommandFailure> {
  try {
    await (await buildProgram()).parseAsync(args, { from: 'user' })
  } catch (error) {
    const failure = commandFailureOf(error)
    if (failure !== null) return failure
  }
  throw new Error(`\`${args.join(' ')}\` was not refused`)
}

describe('the lines', () => {
  test('come from a file as well, and nothing is written beside the answers', async () => {
    writeFileSync(join(folder(), 'cases.ndjson'), question.repeat(2))
    const before = readdirSync(folder())
    const { code, answers } = await warrant(['policy', 'resolve', 'cases.ndjson'], '')
    expect({ code, answers }).toEqual({ code: 0, answers: resolved.repeat(2) })
    expect(readdirSync(folder())).toEqual(before)
  })

  test('come from standard input for a dash', async () => {
    const { code, answers } = await warrant(['policy', 'resolve', '-'], question)
    expect({ code, answers }).toEqual({ code: 0, answers: resolved })
  })

  test('that cannot be read end it with 1 and a reason', async () => {
    const { code, answers, reported } = await warrantAlone(['vlp', 'check', 'nowhere.ndjson'], '')
    expect(reported).toContain('`nowhere.ndjson`')
    expect({ code, answers }).toEqual({ code: 1, answers: '' })
  })

  test('that are longer than a log takes are no messages', async () => {
    const long = `"${'x'.repeat(262_144)}"\n`
    const { code, answers } = await warrant(['vlp', 'check'], long)
    expect(answers).toBe(
      '{"error":{"code":"too_large","message":"it is larger than allowed","line":1}}\n',
    )
    expect(code).toBe(6)
  })
})

describe('anyone who reads the answers', () => {
  test('may ask line by line and wait for each answer', async () => {
    const child = start(['policy', 'resolve'])
    const ended = endOf(child)
    for (let asked = 1; asked <= 3; asked += 1) {
      child.stdin?.write(question)
      await new Promise((resolve) => child.stdout?.once('data', resolve))
    }
    child.stdin?.end()
    expect(await ended).toEqual({ code: 0, answers: resolved.repeat(3), reported: '' })
  })

  test('may stop reading, and it ends quietly', async () => {
    const child = start(['policy', 'resolve'])
    const ended = endOf(child)
    child.stdin?.on('error', () => {})
    child.stdin?.write(question.repeat(50_000))
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { code, reported } = await ended
    expect({ code, reported }).toEqual({ code: 0, reported: '' })
  })
})
