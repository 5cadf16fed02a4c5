// Runs in a root of its own: each line in a fresh folder, and what came of it. Programs that could
// reach out only write down how they were called.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'

const { lines, recorders, files } = JSON.parse(fs.readFileSync('/lines.json', 'utf8'))
const recorder =
  '#!/bin/sh\nprintf "%s " "${0##*/}" "$@" >> /recorded/calls\necho >> /recorded/calls\n'
fs.writeFileSync('/recorder', recorder, { mode: 0o755 })
for (const name of recorders) fs.symlinkSync('/recorder', `/rec/${name}`)

const places = ['/srv', '/tmp', '/etc']
const project = '/srv/dev/app'

function seen(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = `${folder}/${one.name}`
    if (one.isDirectory()) return [path, ...seen(path)]
    return [one.isFile() ? `${path} ${fs.readFileSync(path, 'latin1')}` : path]
  })
}

if (!fs.readFileSync('/proc/1/cmdline', 'latin1').includes('/inside.mjs'))
  throw new Error('it runs in a root and among processes of its own alone')

/** What a line has begun and left behind; this and what started it are the only others here. */
function left() {
  return fs.readdirSync('/proc').filter((name) => {
    const pid = Number(name)
    if (!(pid > 1) || pid === process.pid) return false
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1')
      return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
    } catch {
      return false
    }
  })
}

function killed(name) {
  try {
    process.kill(Number(name), 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

const roundsMax = 1_000
const cell = new Int32Array(new SharedArrayBuffer(4))

/** Whether all of it ended by itself: what a line does beside its shell is done before it counts. */
function ended() {
  for (let round = 0; left().length > 0 && round < roundsMax; round += 1)
    Atomics.wait(cell, 0, 0, 1)
  if (left().length === 0) return true
  for (;;) {
    const running = left()
    if (running.length === 0) return false
    running.forEach(killed)
    Atomics.wait(cell, 0, 0, 1)
  }
}

function fresh() {
  for (const one of fs.readdirSync('/tmp'))
    fs.rmSync(`/tmp/${one}`, { recursive: true, force: true })
  fs.rmSync('/srv/dev', { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
    fs.writeFileSync(path, text)
  }
  fs.rmSync('/recorded/calls', { force: true })
}

const state = () => places.flatMap(seen).join('\n')
fresh()
let before = state()
const results = lines.map((line) => {
  const ran = spawnSync(
    '/bin/bash',
    ['-c', 'exec 9>/recorded/trace; BASH_XTRACEFD=9; PS4="+ "; set -x\n' + line],
    {
      cwd: project,
      input: '',
      timeout: 1_000,
      killSignal: 'SIGKILL',
      maxBuffer: 1_000_000,
      encoding: 'latin1',
      env: { HOME: '/srv/dev', PATH: '/rec:/usr/bin:/bin', LANG: 'C' },
    },
  )
  const isWhole = ended()
  const after = state()
  const isChanged = after !== before
  const calls = fs.existsSync('/recorded/calls') ? fs.readFileSync('/recorded/calls', 'latin1') : ''
  const trace = fs.existsSync('/recorded/trace') ? fs.readFileSync('/recorded/trace', 'latin1') : ''
  if (isChanged || calls !== '') {
    fresh()
    before = state()
  }
  return {
    isChanged,
    calls,
    trace,
    stdout: ran.stdout ?? '',
    isLate: ran.error !== undefined || !isWhole,
  }
})
fs.writeFileSync('/results.json', JSON.stringify(results))
