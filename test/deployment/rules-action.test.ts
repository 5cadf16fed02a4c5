// The step for GitHub Actions, each of its scripts as a runner would run it: what fails ends it, is
// in the summary, and is an annotation at the line of the case.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { yamlValue } from '#system/yaml-text'
import { commandOf, ended } from '../support/cli-process.ts'
import { environmentFor, run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { textOf } from './deploy-files.ts'

const Step = z.object({
  if: z.string().optional(),
  env: z.record(z.string(), z.string()),
  run: z.string(),
})
const Action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(Step) }),
})
const action = Action.parse(yamlValue(textOf('action.yml')))

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await run(['init'], { cwd })
  await cp(join(import.meta.dirname, '../../examples/policy-in-ci'), join(cwd, 'rules, all'), {
    recursive: true,
  })
})

async function ranStep(nth: number, given: Readonly<Record<string, string>>) {
  const step = action.runs.steps[nth]
  const inputOf = (name: string) => given[name] ?? action.inputs[name]?.default ?? `no ${name}`
  const summary = join(cwd, `summary-${nth}.md`)
  await writeFile(summary, '')
  const set = Object.entries(step?.env ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, input: string) => inputOf(input)),
  ])
  const env = {
    ...environmentFor({ cwd }),
    ...Object.fromEntries(set),
    GITHUB_STEP_SUMMARY: summary,
  }
  const ran = await ended(spawn('bash', ['-e', '-c', step?.run ?? ''], { cwd, env }))
  return { ...ran, summary: await readFile(summary, 'utf8') }
}

const given = () => ({ folder: 'rules, all', command: commandOf([]).join(' ') })

test('rules whose cases pass pass', async () => {
  const { code, stderr, stdout, summary } = await ranStep(0, { ...given(), 'min-coverage': '100' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain('::error')
  expect(summary).toMatch(/^## Test of the rules\n\n````\n✓ [\s\S]*7 cases passed[\s\S]*\n````\n$/)
})

test('what fails is an annotation where the case is written, and ends the step', async () => {
  const file = join(cwd, 'rules, all/tests/more, 1%.yaml')
  const one = 'agent: bot, request: { tool: none }, expect: allow'
  await writeFile(file, `# Of one line.\n- { name: "nothing: at all", ${one} }\n`)
  const { code, stdout, summary } = await ranStep(0, given())
  expect(code).toBe(5)
  const place = 'file=rules%2C all/tests/more%2C 1%25.yaml,line=2'
  expect(stdout).toContain(`::error ${place}::nothing: at all: expected allow, and it is deny`)
  expect(stdout.match(/^::error /gm)).toHaveLength(1)
  expect(summary).toContain('✗ nothing: at all')
})

test('what applying would change is in the summary, where a log is given', async () => {
  expect(action.runs.steps[1]?.if).toBe("${{ !cancelled() && inputs.log != '' }}")
  const log = join(cwd, '.warrant/log.db')
  const { code, summary } = await ranStep(1, { ...given(), log })
  expect(code).toBe(0)
  expect(summary).toContain('+ capability files.delete')
  expect(summary).toContain('it newly allows')
})
