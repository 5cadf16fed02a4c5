// A program that behaves as a coding agent of that name does, without a model: it reads the hook of
// its folder, asks it as the agent would, and runs the command or not.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const { BEHAVES: behaves, HOST: host, SAID_TO: saidTo, WARRANT_TOKEN: token } = process.env
const words = process.argv.slice(2)
const { SETTINGS: file, EVENT: event } = process.env

if (words[0] === '--version') {
  process.stdout.write('stand-in 1.0\n')
  process.exit(0)
}
const [, command] = /: (touch \S+)/.exec(words.join(' '))
const note = (more) => {
  if (saidTo) writeFileSync(saidTo, JSON.stringify({ cwd: process.cwd(), words, token, ...more }))
}
note({})
if (behaves === 'login') {
  process.stderr.write('Not logged in. Please run /login\n')
  process.exit(1)
}
if (behaves === 'idle') process.exit(0)
if (behaves === 'hangs') {
  const child = spawn('sleep', ['600'], { stdio: 'inherit' })
  note({ pids: [process.pid, child.pid] })
  setInterval(() => undefined, 1_000)
} else if (behaves === 'hookless' || !(await isBlocked()) || behaves === 'runs') {
  spawnSync('sh', ['-c', command])
} else process.stdout.write('The call was blocked.\n')

async function isBlocked() {
  const [entry] = JSON.parse(readFileSync(file, 'utf8')).hooks[event]
  const [hook] = entry.hooks ?? [entry]
  const body = JSON.stringify({ hook_event_name: event, tool_name: 'Bash', toolName: 'bash' })
  if (hook.type === 'http') {
    const answer = await fetch(hook.url, { method: 'POST', body }).catch(() => null)
    return answer === null && hook.onFailure === 'block'
  }
  const { status, stdout } = spawnSync('sh', ['-c', hook.command ?? hook.bash], { input: body })
  return status === 2 || (host === 'copilot' && String(stdout).includes('"deny"'))
}
