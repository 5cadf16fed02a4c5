// Runs a shell's script as a gate would, as another user than the one who started this: it gives up
// its rights once everything is loaded, so that it may lie where that user reads nothing.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyFolder } from '#gates/run/copied-folder'
import { gatePrograms } from '#gates/run/gate-programs'
import { readContract } from '#work/verification/contract-reading'

const [id = '65534', script = '', ...readable] = process.argv.slice(2)
const user = Number(id)
if (user !== process.getuid?.()) {
  process.setgroups?.([])
  process.setgid?.(user)
  process.setuid?.(user)
}
process.umask(0o077)
const top = await mkdtemp(join(tmpdir(), 'warrant-user-'))
try {
  await mkdir(join(top, 'work/a'), { recursive: true })
  await writeFile(join(top, 'work/a/file'), 'of the work')
  const folder = join(top, 'copy')
  const snapshot = await copyFolder(join(top, 'work'), folder)
  const { limits } = readContract({ taskId: 'T', objective: 'o' }).contract
  const programs = await gatePrograms(readable)
  const run = await programs.run({
    command: ['sh', '-c', script],
    folder,
    paths: typeof snapshot === 'string' ? [] : snapshot.files.keys(),
    overlay: new Map([['tests/own', 'of the issuer']]),
    limits,
    timeoutSeconds: 20,
  })
  const { isolation } = programs
  const outside = process.getuid?.()
  process.stdout.write(JSON.stringify({ isolation, outside, exit: run.exit, out: run.stdout.text }))
} finally {
  await rm(top, { recursive: true, force: true })
}
