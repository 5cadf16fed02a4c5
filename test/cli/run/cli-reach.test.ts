// The command line sets where people are reached, tries it, and runs the service that notifies
// them.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { start } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { testRuntime } from '../../support/runtime.ts'
import { mailboxServer } from '../../support/servers/mailbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

const canary = 'canary-3b1a-password'
const look = {
  id: 'look',
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object' },
  conditions: [{ name: 'ask', effect: 'confirm' as const, when: 'true' }],
}

async function folderWithLog() {
  const cwd = await temporaryFolder()
  const path = join(cwd, 'log.db')
  const { runtime } = await testRuntime({
    catalog: { capabilities: [look] },
    log: await sqliteLog(path),
  })
  await runtime.stop()
  const env = { WARRANT_LOG: path }
  const warrant = (args: string, more: Readonly<Record<string, string>> = {}) =>
    run(args.split(' '), { cwd, env: { ...env, ...more } })
  return { cwd, path, warrant }
}

test('a person is set, listed and erased, and what is not named stays', async () => {
  const { warrant, cwd } = await folderWithLog()
  expect(await warrant('reach list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no one is reached'),
  })
  expect(await warrant('reach set nemo --mail nemo@example.org')).toMatchObject({ code: 2 })
  expect(await warrant('reach set olga --mail olga@example.org')).toMatchObject({ code: 0 })
  expect(await warrant('reach set olga --quiet 22:00-07:00')).toMatchObject({ code: 2 })
  expect(
    await warrant('reach set olga --quiet 22:00-07:00 --zone Europe/Vienna --slack SLACK_OLGA'),
  ).toMatchObject({ code: 0 })
  const listed = await warrant('reach list')
  expect(listed.stdout).toMatch(
    /olga +mail olga@example.org, slack SLACK_OLGA +22:00-07:00 Europe\/Vienna/,
  )
  expect(await warrant('reach remove olga --channel slack')).toMatchObject({ code: 0 })
  expect(await warrant('reach set olga --no-quiet')).toMatchObject({ code: 0 })
  const json = JSON.parse((await warrant('reach list --json')).stdout)
  expect(json).toEqual([
    { person: 'olga', targets: [{ channel: 'mail', place: 'olga@example.org' }], quiet: null },
  ])
  expect(await warrant('reach remove olga')).toMatchObject({ code: 0 })
  expect(await warrant('reach remove olga')).toMatchObject({ code: 1 })
  expect(await readFile(join(cwd, 'reach.ndjson'), 'utf8')).toBe('')
})

test('a trial says what became of each place, and no secret', async () => {
  const { warrant } = await folderWithLog()
  const { port, first } = await mailboxServer()
  await warrant('reach set olga --mail olga@example.org --slack SLACK_OLGA')
  const env = {
    WARRANT_SMTP_URL: `smtp://127.0.0.1:${port}`,
    WARRANT_MAIL_FROM: 'warrant@example.org',
    WARRANT_OUTREACH_HOSTS: '127.0.0.1',
    WARRANT_SECRET_SLACK_OLGA: `https://evil.example/${canary}`,
  }
  const tried = await warrant('reach test olga', env)
  expect(tried.code).toBe(1)
  expect(tried.stdout).toContain('sent: mail olga@example.org')
  expect(tried.stdout).toContain(
    'failed: slack SLACK_OLGA: the secret that it needs cannot be used',
  )
  expect(`${tried.stdout}${tried.stderr}`).not.toContain(canary)
  expect(await first).toMatch(/Subject: =\?UTF-8\?Q\?Trial/)
  expect(await warrant('reach test piet', env)).toMatchObject({ code: 1 })
})

test('a push key is made, and nothing is sent without one that fits', async () => {
  const { warrant } = await folderWithLog()
  const { stdout, stderr } = await warrant('reach push-key')
  expect(stdout.trim()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(stderr).toMatch(/browsers subscribe with B[A-Za-z0-9_-]{86}/)
  expect(stderr).not.toContain(stdout.trim())
})

test('`up outreach` mails who is asked, and doctor finds who is reached nowhere', async () => {
  const { cwd, path, warrant } = await folderWithLog()
  const { port, first, received } = await mailboxServer()
  await warrant('reach set olga --mail olga@example.org')
  const env = {
    WARRANT_LOG: path,
    WARRANT_SMTP_URL: `smtp://127.0.0.1:${port}`,
    WARRANT_MAIL_FROM: 'warrant@example.org',
    WARRANT_OUTREACH_HOSTS: '127.0.0.1',
  }
  const child = start(['up', 'outreach', '--url', 'https://warrant.example/'], { cwd, env })
  endWithTest(() => void child.kill('SIGKILL'))
  const asked = await warrant('ask look --agent bot --wait 3 --json')
  const { intent } = JSON.parse(asked.stdout)
  const mail = (await first).replaceAll(/=\r\n/g, '')
  expect(mail).toContain('To: olga@example.org')
  expect(mail).toContain(`https://warrant.example/reviews/${intent}`)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(received).toHaveLength(1)
  const logged = await warrant('log --name notification.>')
  expect(logged.stdout).toContain('notifies `olga` by e-mail of a review: sent')
  const doctor = await warrant('doctor')
  expect(doctor.stdout).toMatch(/reach.*is reached nowhere/)
  expect(doctor.stdout).toContain('every open review has people who can answer it')
})

test('it does not begin without the address to which messages lead', async () => {
  const { warrant } = await folderWithLog()
  expect(await warrant('up outreach')).toMatchObject({ code: 2 })
  expect(await warrant('up outreach --url https://user:pass@warrant.example')).toMatchObject({
    code: 2,
  })
})
