// Brings what is in this folder's lock file, if it is not there, and puts it beside the packages that
// `npm ci` of the project brings, where programs, tests and tools look for it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
const brought = join(here, 'node_modules')
const beside = join(here, '..', 'node_modules')

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { packages } = read(join(here, 'package-lock.json'))
const wanted = Object.keys(read(join(here, 'package.json')).dependencies)

/** Whether each is in that folder, in the version of the lock file. */
function isIn(folder) {
  return wanted.every((name) => {
    const file = join(folder, name, 'package.json')
    return existsSync(file) && read(file).version === packages[`node_modules/${name}`].version
  })
}

function bring() {
  // Those that want Node 22 say so here and not in `npm ci` of the project; they are tried on 20, too.
  const words = ['ci', '--prefix', here, '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: here, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`extras: \`npm ci --prefix extras\` ended with ${status}`)
}

function link(folder, name) {
  const path = join(beside, folder, name)
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { recursive: true, force: true })
  symlinkSync(join(brought, folder, name), path)
}

if (!isIn(beside)) {
  if (!isIn(brought)) bring()
  for (const name of wanted) {
    link('', name)
    const { bin = {} } = read(join(brought, name, 'package.json'))
    for (const command of Object.keys(bin)) link('.bin', command)
  }
}
