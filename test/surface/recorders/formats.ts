// Formats that travel: the token of a verdict, and what a coding agent's hook is answered.
import {
  beforeCommand,
  beforeTool,
  afterTool,
  hosts,
  promptEvent,
} from '../../shell/hooks/host-events.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { withoutChance } from '../chance.ts'
import { ranText, runAt } from '../played.ts'
import { block, jsonText, plain, type Subject } from '../subject.ts'

const now = Date.UTC(2026, 0, 1)

type Json = Readonly<Record<string, unknown>>

/** A token of a call that was allowed, and what verifying it prints. */
async function minted(): Promise<{ readonly token: string; readonly verified: Json }> {
  const cwd = await temporaryFolder()
  const run = async (line: string): Promise<Json> => {
    const { stdout } = await runAt(now, cwd, [...line.split(' '), '--json'])
    return JSON.parse(stdout)
  }
  await runAt(now, cwd, ['init'])
  await run('keys issuer gate --no-passphrase --key you --yes')
  const why = '--arg to=ann@example.org --justification she-asked-for-it'
  const { intent } = await run(`ask send_email ${why}`)
  const token = String((await run(`token mint ${String(intent)}`))['token'])
  return { token, verified: await run(`token verify ${token}`) }
}

async function tokens(): Promise<ReadonlyMap<string, string>> {
  const { token } = await minted()
  const [header, claims] = token.split('.').map((part): unknown => {
    const text = Buffer.from(part, 'base64url').toString()
    return text.startsWith('{') ? JSON.parse(text) : null
  })
  const text = block('header', jsonText(header)) + block('claims', jsonText(claims))
  return new Map([['token.txt', withoutChance(text)]])
}

async function verified(): Promise<ReadonlyMap<string, string>> {
  return new Map([['verify.txt', withoutChance(jsonText((await minted()).verified))]])
}

const commands = ['ls', 'rm -rf build', 'sudo rm -rf /', 'npm test', 'cat $(']

async function answers(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  const files = new Map<string, string>()
  for (const host of hosts) {
    const at = '/srv/ann/shop'
    const events: readonly unknown[] = [
      ...commands.map((command) => beforeCommand(host, { command, cwd: at })),
      beforeTool(host, { tool: 'Read', input: { file_path: `${at}/a.md` }, cwd: at }),
      beforeTool(host, {
        tool: 'Write',
        input: { file_path: `${at}/a.md`, content: 'a' },
        cwd: at,
      }),
      beforeTool(host, { tool: 'mcp__mail__send', input: { to: 'ann' }, cwd: at }),
      afterTool(host, beforeCommand(host, { command: 'ls', cwd: at })),
      promptEvent(host, 'run the tests'),
      {},
      'no event',
    ]
    let text = ''
    for (const event of events) {
      const words = `hook run --for ${host} --offline`
      const input = typeof event === 'string' ? event : JSON.stringify(event)
      const ran = await runAt(now, cwd, words.split(' '), input)
      text += block(input, plain(ranText(ran), { cwd }))
    }
    files.set(`${host}.txt`, withoutChance(text))
  }
  return files
}

export const formats: readonly Subject[] = [
  { folder: 'frozen/tokens', record: tokens },
  { folder: 'ours/tokens', record: verified },
  { folder: 'ours/hook-answers', record: answers },
]
