// `verify-work` as a program: what it prints, its exit codes, and the example of its page.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { gitFolder } from '../../../support/adapters/git-folder.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { writeFiles } from '../../../support/adapters/worked-folder.ts'
import { warrant } from '../../offline/program.ts'

async function given(contract: object, files: Readonly<Record<string, string>>) {
  const top = await temporaryFolder()
  const [file, folder] = [join(top, 'contract.json'), join(top, 'work')]
  await mkdir(folder)
  await writeFile(file, JSON.stringify({ taskId: 'T-1', objective: 'o', ...contract }))
  await writeFiles(folder, files)
  const run = (...more: readonly string[]) => warrant(['verify-work', file, folder, ...more], '')
  return { top, run }
}

test('the example of docs/agents/work.md', async () => {
  const page = await readFile(join(packageRoot(), 'docs/agents/work.md'), 'utf8')
  const parts = [
    '```json\n(?<contract>\\{\n[^]*?\n\\})\n```\n\n',
    '```\n\\$ warrant (?<command>verify-work .*)\n(?<answer>[^]*?)\n```',
  ]
  const block = new RegExp(parts.join(''))
  const { contract = '', command = '', answer = '' } = block.exec(page)?.groups ?? {}
  const top = await temporaryFolder()
  await writeFiles(top, {
    'contract.json': contract,
    'build/notes.json': '{"calls":[]}\n',
    'build/README.md': '# Notes\n',
  })
  const args = command.split(' ').map((word) => {
    return /^(contract\.json|build)$/.test(word) ? join(top, word) : word
  })
  const { code, answers } = await warrant(args, '')
  expect(code).toBe(0)
  expect(answers.trimEnd()).toBe(answer)
})

test('it ends with 0 for verified, with 3 for refuted and with 7 for neither', async () => {
  const { run } = await given({ requiredFiles: ['a.json'] }, { 'a.json': '{}' })
  expect(await run('--status', 'success')).toMatchObject({ code: 0 })
  const missing = await given({ requiredFiles: ['b.json'] }, { 'a.json': '{}' })
  const refuted = await missing.run('--status', 'success', '--json')
  expect(refuted.code).toBe(3)
  expect(JSON.parse(refuted.answers)).toMatchObject({
    verification: 'refuted',
    gateFailed: 'files',
    layerFailed: 'deterministic',
    score: -1,
    rule: 'refuted',
  })
  const nothing = await (await given({}, {})).run('--json')
  expect(nothing.code).toBe(7)
  expect(JSON.parse(nothing.answers)).not.toHaveProperty('score')
})

test('a claim is checked, scored, and never believed where it cannot be read', async () => {
  const { top, run } = await given({ requiredFiles: ['a.json'] }, { 'a.json': '{}' })
  const claimed = async (claim: string, ...more: readonly string[]) => {
    const file = join(top, 'claim.json')
    await writeFile(file, claim)
    const { answers } = await run('--claim', file, '--json', ...more)
    const { verification, score, rule } = JSON.parse(answers)
    return [verification, score, rule]
  }
  const success = '{"status":"success","filesCreated":["a.json"]}'
  expect(await claimed(success)).toEqual(['verified', 1, 'verified_first'])
  expect(await claimed(success, '--retries', '2')).toEqual(['verified', 0.7, 'verified_retry'])
  const more = '{"status":"success","filesCreated":["a.json","b.json"]}'
  expect(await claimed(more)).toEqual(['refuted', -1, 'refuted'])
  expect(await claimed('I am done.')).toEqual(['verified', -0.5, 'schema_invalid'])
  const blocked = '{"status":"blocked","whatINeed":"a key"}'
  expect(await claimed(blocked)).toEqual(['verified', 0.5, 'blocked_with_need'])
})

test('what is wrong with how it was called is reported before anything runs', async () => {
  const { top, run } = await given({ requiredFiles: ['a.json'] }, { 'a.json': '{}' })
  expect(await run('--status', 'done')).toMatchObject({ code: 2, answers: '' })
  expect(await run('--retries', '3')).toMatchObject({ code: 2, answers: '' })
  const contract = join(top, 'contract.json')
  expect(await warrant(['verify-work', contract, join(top, 'none')], '')).toMatchObject({ code: 1 })
  const { code, reported } = await warrant(['verify-work', '-', top], '{"taskId":"x"}')
  expect(code).toBe(1)
  expect(reported).toContain('standard input: objective: ')
})

test('a commit of a repository is verified as it was committed', async () => {
  const { folder, commit } = await gitFolder()
  await writeFiles(folder, { 'a.json': '{}' })
  const name = commit()
  await writeFiles(folder, { 'a.json': 'not committed', 'b.json': '' })
  const contract = join(await temporaryFolder(), 'contract.json')
  const asked = { taskId: 'T-1', objective: 'o', requiredFiles: ['*.json'] }
  await writeFile(contract, JSON.stringify(asked))
  const verify = (...more: readonly string[]) => {
    return warrant(['verify-work', contract, folder, '--json', ...more], '')
  }
  expect(await verify()).toMatchObject({ code: 3 })
  const verified = await verify('--commit', name)
  expect(verified.code).toBe(0)
  expect(JSON.parse(verified.answers)).toMatchObject({ work: { files: 1, bytes: 2 } })
  const unknown = await verify('--commit', 'a'.repeat(40))
  expect(unknown.code).toBe(7)
  const [gate] = JSON.parse(unknown.answers).gates
  expect(gate).toMatchObject({ gate: 'files', outcome: 'inconclusive', code: 'commit_unknown' })
  expect(await verify('--commit', 'HEAD')).toMatchObject({ code: 2 })
})

test('names of a worker do nothing to the terminal', async () => {
  const { run } = await given({ requiredFiles: ['*.json'] }, { 'a\u001b[31m.json': '' })
  const { answers, code } = await run()
  expect(code).toBe(3)
  expect(answers).not.toContain('\u001b')
})
