// The examples of docs/agents/work.md that need a log, one after the other as they stand there.
// Addresses, digests and times differ each time; the folder of the workspace is one of the test.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WorkRules } from '#schemas/work/settings'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { verified } from './verifying.ts'

async function section(): Promise<string> {
  const page = await readFile(join(packageRoot(), 'docs/agents/work.md'), 'utf8')
  return page.split(/^## /m).find((one) => one.startsWith('In a log\n')) ?? ''
}

const ulid = /01[0-9A-HJKMNP-TV-Z]{24}/g

/** Without what differs each time. */
function plain(text: string): string {
  return text
    .replaceAll(ulid, 'ULID')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')
    .trimEnd()
}

test('the examples of docs/agents/work.md in a log', async () => {
  const text = await section()
  const [catalog = '', task = '', levels = ''] = [...text.matchAll(/^```json\n([^]*?)^```$/gm)].map(
    ([, json = '']) => json,
  )
  expect(WorkRules.parse(JSON.parse(levels)).levels?.strict?.quorum).toBe(2)
  const examples = [...text.matchAll(/^```\n\$ warrant (.*)\n([^]*?)^```$/gm)]
  expect(examples).toHaveLength(4)
  const cwd = await temporaryFolder()
  const site = join(cwd, 'site')
  await run(['init'], { cwd })
  const file = join(cwd, 'warrant', 'catalog.json')
  const before = JSON.parse(await readFile(file, 'utf8'))
  const { principals, ...more } = JSON.parse(catalog.replace('/srv/site', site))
  const whole = { ...before, ...more, principals: [...before.principals, ...principals] }
  await writeFile(file, JSON.stringify(whole))
  await writeFile(join(cwd, 'task.json'), task)
  await mkdir(site)
  await writeFile(join(site, 'page.json'), '{"title":"home"}\n')
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  let contract = ''
  for (const [, command = '', answer = ''] of examples) {
    const words = command.replaceAll(ulid, contract).replaceAll('/srv/site', site).split(' ')
    const { code, stdout } = await run(words, { cwd })
    expect({ command, code }).toEqual({ command, code: 0 })
    expect(plain(stdout.replaceAll(site, '/srv/site'))).toBe(plain(answer))
    if (words[0] === 'contract') contract = stdout.match(ulid)?.[0] ?? ''
    if (words[0] === 'claim') await verified(cwd)
  }
})
