// Calls every command of the installed package once, each with something to do, in a folder with a log
// of `init`. `names.json` there has all of them: a command without a call here fails. An exit code that
// is no 0 stands where a call has nothing to find, or lacks what is not installed: it says so, then.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const installed = join(process.cwd(), 'node_modules/warrant-runtime')
const main = join(installed, 'dist/services/cli/main.js')
const named = JSON.parse(readFileSync('names.json', 'utf8'))

const write = (file, value) => writeFileSync(file, `${JSON.stringify(value)}\n`)
write('task.json', { taskId: 'T-1', objective: 'Write the page.', requiredFiles: ['a.md'] })
write('empty.json', [])
write('agent.json', { principals: [{ id: 'coding-agent', owner: 'ann', via: ['hook', 'http'] }] })
writeFileSync('a.md', '# A\n')

/**
 * One call of each: its words, what it reads, and the exit code if that is not 0; `runs` is what
 * serves until it is ended.
 */
const calls = {
  init: ['init other'],
  dev: ['dev tried --http 0', '', 'runs'],
  demo: ['demo --seed office --json'],
  ask: ['ask send_email --arg to=ann@example.org --justification she-asked-for-it', '', 0],
  call: ['call send_email', '', 4],
  expand: ['expand h1', '', 1],
  settle: ['settle i1 --happened no', '', 1],
  shortlist: ['shortlist mail'],
  explain: ['explain send_email --arg to=bob@example.org --justification he-asked-for-it'],
  withdraw: ['withdraw i1', '', 1],
  delegate: ['delegate bot --as my-agent --session S-1 --tool send_email --for 1h', '', 2],
  undelegate: ['undelegate d1', '', 2],
  reviews: ['reviews'],
  'reviews show': ['reviews show i1', '', 1],
  approve: ['approve i1 --yes', '', 1],
  decline: ['decline i1 --yes', '', 1],
  'hand-over': ['hand-over i1 --to bob', '', 1],
  absence: ['absence', '', 2],
  note: ['note checked --yes', '', 2],
  contract: ['contract task.json --for my-agent --as grader', '', 1],
  claim: ['claim c1', '', 2],
  contracts: ['contracts'],
  'grants show': ['grants show g1', '', 1],
  'grants revoke': ['grants revoke g1', '', 1],
  grants: ['grants'],
  'proposals show': ['proposals show p1', '', 1],
  'proposals accept': ['proposals accept p1', '', 1],
  'proposals teach': ['proposals teach p1', '', 1],
  'proposals skip': ['proposals skip p1', '', 1],
  'proposals reject': ['proposals reject p1', '', 1],
  'proposals reopen': ['proposals reopen p1', '', 1],
  'proposals suggest': ['proposals suggest p1', '', 2],
  proposals: ['proposals'],
  'log rotate': ['log rotate --key ann --yes'],
  'log auto-rotate': ['log auto-rotate --key ann --yes'],
  'log snapshot': ['log snapshot'],
  'log accept-rollback': ['log accept-rollback', '', 1],
  log: ['log'],
  stats: ['stats'],
  trace: ['trace i1', '', 1],
  agents: ['agents'],
  standing: ['standing'],
  replay: ['replay'],
  export: ['export out.ndjson --intent i1', '', 1],
  verify: ['verify a.md', '', 5],
  'faults retry': ['faults retry f1', '', 2],
  faults: ['faults'],
  test: ['test warrant', '', 1],
  plan: ['plan warrant'],
  pull: ['pull pulled'],
  whatif: ['whatif warrant'],
  'graph show': ['graph show'],
  'graph concepts': ['graph concepts --limit 2'],
  'graph parts': ['graph parts'],
  'graph diff': ['graph diff 1'],
  'graph check': ['graph check'],
  'graph apply': ['graph apply empty.json', '', 1],
  'graph import': ['graph import warrant/graph.json --key ann --yes'],
  'graph export': ['graph export'],
  'catalog show': ['catalog show'],
  'catalog diff': ['catalog diff 1'],
  'catalog apply': ['catalog apply empty.json', '', 1],
  'catalog move': ['catalog move my-agent', '', 2],
  'catalog spread': ['catalog spread 2', '', 1],
  'catalog export': ['catalog export'],
  'catalog check': ['catalog check warrant/catalog.json', '', 2],
  'policy wizard': ['policy wizard', '', 1],
  'policy list': ['policy list'],
  'policy resolve': ['policy resolve', '{"violations":[],"answers":null}'],
  suspend: ['suspend my-agent --key ann --yes'],
  unsuspend: ['unsuspend my-agent --key ann --yes'],
  unblock: ['unblock my-agent --key ann --yes'],
  reinstate: ['reinstate my-agent --reason because --key ann --yes'],
  revoke: ['revoke', '', 2],
  revocations: ['revocations'],
  'token mint': ['token mint i1', '', 1],
  'token verify': ['token verify', 'x', 6],
  'token narrow': ['token narrow x --to y --key z', '', 2],
  'token present': ['token present x --key z', '', 1],
  'keys new': ['keys new bob --no-passphrase'],
  'keys protect': ['keys protect bob', '', 1],
  'keys list': ['keys list'],
  'keys add': ['keys add no-one x --key ann --yes', '', 1],
  'keys retire': ['keys retire no-one x --key ann --yes', '', 1],
  'keys jwks': ['keys jwks'],
  'keys issuer': ['keys issuer', '', 1],
  'up eras': ['up eras', '', 'runs'],
  'up http': ['up http --listen 0', '', 'runs'],
  'up outreach': ['up outreach', '', 2],
  'up console': ['up console --listen 0', '', 'runs'],
  'up gateway': ['up gateway --listen 0', '', 'runs'],
  up: ['up', '', 'runs'],
  'console enrol': ['console enrol ann', '', 1],
  'console link': ['console link ann'],
  'console enrolments': ['console enrolments'],
  'console digest': ['console digest'],
  'tokens create': ['tokens create my-agent'],
  'tokens list': ['tokens list'],
  'tokens revoke': ['tokens revoke t1', '', 1],
  'reach list': ['reach list'],
  'reach set': ['reach set ann'],
  'reach remove': ['reach remove ann'],
  'reach test': ['reach test ann', '', 1],
  'reach push-key': ['reach push-key'],
  'mcp tools': ['mcp tools false', '', 1],
  'mcp add': ['mcp add x', '', 2],
  'mcp remove': ['mcp remove x', '', 1],
  'mcp serve': ['mcp serve', '', 1],
  mcp: ['mcp --as my-agent false', '', 1],
  doctor: ['doctor'],
  backup: ['backup copy.ndjson'],
  restore: ['restore copy.ndjson --log restored/log.db'],
  'project neo4j': ['project neo4j', '', 1],
  'nats-config': ['nats-config', '', 1],
  'nats init': ['nats init --log nats://127.0.0.1:1', '', 1],
  'vlp check': ['vlp check', 'no message', 6],
  ground: ['ground', '{}', 6],
  decide: ['decide', '{}', 6],
  redact: ['redact', '{"value":"ann@example.org"}'],
  frame: ['frame', '{}', 6],
  'verify-work': ['verify-work task.json .'],
  score: ['score', '{}', 6],
  council: ['council', '{}', 6],
  'url-check': ['url-check', '{"url":"https://example.org","addresses":["93.184.216.34"]}'],
  'prose-check': ['prose-check', '{}', 6],
  'hook run': ['hook run --for claude-code --offline', '{}', 2],
  'hook install': ['hook install --for claude-code'],
  'catalog import': ['catalog import agent.json --key ann --yes'],
  apply: [`apply ${join(installed, 'seeds/shell')} --key ann --yes`],
  seed: [`seed ${join(installed, 'seeds/hooks')} --key ann --yes`],
  'hook test': ['hook test --for claude-code'],
  'hook uninstall': ['hook uninstall --for claude-code'],
  'hook resident': ['hook resident --stop'],
  'hook check': ['hook check', '{"command":"ls"}'],
  help: ['help ask'],
  version: ['version'],
  completion: ['completion bash'],
}

const lateMs = 600_000
/** What only a program that is broken prints. */
const broken = /Cannot find|ERR_|internal_error|is not a function|is not defined|\n +at /

async function run([words, stdin = '', expected = 0]) {
  const child = spawn(process.execPath, [main, ...words.split(' ')])
  // A last resort, for one that never ends.
  const late = setTimeout(() => child.kill('SIGKILL'), lateMs)
  let text = ''
  const ended = once(child, 'close')
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (part) => {
      text += part
      // What serves until it is ended has begun once it says anything.
      if (expected === 'runs' && !child.killed) child.kill('SIGTERM')
    })
  }
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  const [code] = await ended
  clearTimeout(late)
  const isCode = expected === 'any' || code === (expected === 'runs' ? 0 : expected)
  const isRight = isCode && !broken.test(text)
  return isRight
    ? []
    : [`warrant ${words}: ended with ${code}, not ${expected}\n${text.slice(0, 600)}`]
}

const missing = named.filter((name) => !Object.hasOwn(calls, name))
const gone = Object.keys(calls).filter((name) => !named.includes(name))
const failed = [
  ...missing.map((name) => `warrant ${name}: give it a call here`),
  ...gone.map((name) => `warrant ${name}: there is no such command`),
]
for (const [name, call] of Object.entries(calls)) {
  if (!gone.includes(name)) failed.push(...(await run(call)))
}
if (failed.length > 0) throw new Error(`of ${named.length} commands:\n${failed.join('\n\n')}`)
