// What commands lay into folders: a project that begins, its keys and logins, the hooks of each
// host of coding agents, and the configuration of a NATS server.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { withoutChance } from '../chance.ts'
import { folderText } from '../folder-text.ts'
import { ranText, runAt } from '../played.ts'
import { block, laidOut, plain, type Subject } from '../subject.ts'

const now = Date.UTC(2026, 0, 1)

interface Done {
  readonly cwd: string
  readonly text: string
}

/** What each of the commands printed, one after the other in one folder. */
async function done(lines: readonly string[], cwd: string): Promise<Done> {
  let text = ''
  for (const line of lines) {
    const ran = await runAt(now, cwd, line.split(' '))
    text += block(`warrant ${line.replaceAll(packageRoot(), '<package>')}`, laidOut(ranText(ran)))
  }
  return { cwd, text }
}

function fixed({ cwd, text }: Done): string {
  const places = { cwd, package: packageRoot(), node: process.execPath }
  const urls = { 'cwd url': pathToFileURL(cwd).href }
  const found = plain(text, { ...places, ...urls })
  // How this process was started stands where a user's has the program.
  return withoutChance(found.replaceAll(/<node>[^"\n]*?(?:forks\.js|main\.[jt]s)/g, '<warrant>'))
}

async function project(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  const begun = await done(['init', 'init', 'init other --tool refund_order --json'], cwd)
  const files = new Map([['init.txt', fixed({ cwd, text: begun.text + (await folderText(cwd)) })]])
  const because = '--arg to=ann@example.org --justification she-asked-for-it'
  const by = '--key you --yes'
  const more = await done(
    [
      'keys new bob --no-passphrase',
      'keys new bob --no-passphrase',
      'keys list --json',
      `keys issuer gate --no-passphrase ${by}`,
      'keys jwks',
      'tokens create my-agent',
      'tokens list --json',
      'tokens create not-known',
      'reach set you --mail you@example.org',
      'reach list --json',
      `ask send_email ${because} --json`,
      'ask send_email --json',
      'ask unknown --json',
      'log --json',
    ],
    cwd,
  )
  const kept = await folderText(cwd, /^(other|warrant)\/|README|\.snapshot/)
  files.set('keys-and-logins.txt', fixed({ cwd, text: more.text + kept }))
  return files
}

const hosts = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot']

async function hooks(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const host of hosts) {
    const cwd = await temporaryFolder()
    await mkdir(join(cwd, '.keys'))
    const at = '--url http://127.0.0.1:7718 --token-file agent.token'
    const install = `hook install --for ${host}`
    const first = await done([`${install} --dry-run`, install], cwd)
    const alone = await folderText(cwd)
    const second = await done([`hook uninstall --for ${host}`, `${install} ${at}`], cwd)
    const text = first.text + alone + second.text + (await folderText(cwd))
    files.set(`${host}.txt`, fixed({ cwd, text }))
  }
  return files
}

const users = [
  { role: 'agent', name: 'bot', cell: 0 },
  { role: 'agent', name: 'other', cell: 1 },
  { role: 'confirmer', name: 'olga@example.com' },
  { role: 'auditor', name: 'audra' },
]

async function nats(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  const named = '--user agent:bot --user confirmer:olga@example.com --user auditor:audra'
  for (const [name, more] of [
    ['one-log', named],
    ['cells', '--users users.json --cells 2 --listen 127.0.0.1:4333 --http 127.0.0.1:8222'],
    ['second-era', `${named} --era 2 --server-name n1 --cluster c --cluster-listen 127.0.0.1:6222`],
    ['refused', '--user agent:bot --cells 2'],
    ['no-role', '--user nothing:bot'],
  ] as const) {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'users.json'), JSON.stringify(users))
    const made = await done([`nats-config ${more} --json`], cwd)
    files.set(`${name}.txt`, fixed({ cwd, text: made.text + (await folderText(cwd)) }))
  }
  return files
}

async function seeds(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  await done(['init'], cwd)
  const folder = join(packageRoot(), 'seeds')
  const files = new Map<string, string>()
  const all = await readdir(folder, { recursive: true })
  const found = all.filter((name) => /(?:^|\/)(?:catalog|graph)\.json$/.test(name))
  for (const seed of new Set(found.map((name) => dirname(name)).toSorted())) {
    const made = await done([`plan ${join(folder, seed)} --last 0`], cwd)
    files.set(`${seed.replaceAll('/', '-')}.txt`, fixed(made))
  }
  return files
}

export const folders: readonly Subject[] = [
  { folder: 'ours/project', record: project },
  { folder: 'ours/hooks', record: hooks },
  { folder: 'ours/nats-config', record: nats },
  { folder: 'ours/seeds', record: seeds },
]
