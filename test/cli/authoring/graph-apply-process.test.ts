// Edits by processes of their own: several at once on one log, and what comes through a pipe.
import { describe, expect, test } from 'vitest'
import { boundLines } from '#cli/rules/editing/change-text'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { ended, runChild, start } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { adding } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isFull } from '../../support/vitest/counts.ts'

async function initialised(): Promise<string> {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  return cwd
}

describe('editors in processes of their own', () => {
  test.runIf(isFull)('each get a revision, and no one loses what another wrote', async () => {
    const cwd = await initialised()
    const names = ['sun', 'moon', 'mars']
    const ran = await Promise.all(
      names.map((name) => {
        const input = adding(name)
          .map((each) => JSON.stringify(each))
          .join('\n')
        return runChild(['graph', 'apply', '-', '--json'], { cwd, input })
      }),
    )
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
    const reported = ran.map(({ stdout }) => JSON.parse(stdout))
    expect(new Set(reported.map(({ revision }) => revision))).toEqual(new Set([2, 3, 4]))
    const { stdout } = await run(['graph', 'export', '--ndjson'], { cwd })
    for (const name of names) expect(stdout).toContain(`{"name":"${name}"`)
  })

  test('are reported in words who came first', () => {
    const describing = { op: 'describe' as const, name: 'file', level: 2, properties: {} }
    const lines = boundLines({
      kind: 'graph',
      revision: 9,
      by: 'ann',
      operations: [{ op: 'add', name: 'sun' }],
      moved: [{ revision: 8, by: 'olga', operations: [describing] }],
    })
    expect(lines.at(-1)).toMatchObject({
      text: 'revision 8 by olga came first: describe file D2; yours is 9',
    })
  })
})

describe('standard input', () => {
  test('is released as soon as a line of it is refused', async () => {
    const cwd = await initialised()
    const child = start(['graph', 'apply', '-'], { cwd })
    // It is never ended: anyone who writes goes on for as long as the process lives.
    child.stdin?.on('error', () => undefined)
    child.stdin?.write('{"op":"add","name":"sun"}\n{"op":"ad"}\n')
    const { code, stderr } = await ended(child)
    expect([code, stderr]).toEqual([1, expect.stringContaining('standard input: line 2')])
  })

  test.runIf(isFull)('brings in operations and graphs', async () => {
    const cwd = await initialised()
    const input = '\n{"op":"add","name":"sun"}\n'
    const applied = await runChild(['graph', 'apply', '-'], { cwd, input })
    expect([applied.code, applied.stderr]).toEqual([0, ''])
    const [exported, other] = [await run(['graph', 'export'], { cwd }), await initialised()]
    const imported = await runChild(['graph', 'import', '-', '--exact'], {
      cwd: other,
      input: exported.stdout,
    })
    expect(imported.stdout).toContain('standard input is in the graph: revision 2')
    expect((await run(['graph', 'export'], { cwd: other })).stdout).toBe(exported.stdout)
  })
})
