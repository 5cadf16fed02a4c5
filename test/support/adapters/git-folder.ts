// A git repository as a worker leaves it: made by git itself, or object by object where git would
// not write what a hostile one writes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { temporaryFolder } from '../temporary-folder.ts'

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
}

export interface RawEntry {
  readonly mode: string
  readonly name: string | Buffer
  readonly object: string
}

export interface GitFolder {
  readonly folder: string
  /** What git prints, without its last newline; it throws where git fails. */
  readonly git: (...args: readonly string[]) => string
  /** All of the work tree, as a commit. */
  readonly commit: () => string
  /** Writes objects as they are, under their true names unless another one is given. */
  readonly object: (type: string, content: Buffer | string, as?: string) => Promise<string>
  readonly tree: (entries: readonly RawEntry[]) => Promise<string>
  readonly commitOf: (tree: string) => Promise<string>
}

export async function gitFolder(format: 'sha1' | 'sha256' = 'sha1'): Promise<GitFolder> {
  const folder = await temporaryFolder()
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString('utf8')}`)
    return stdout.toString('utf8').trimEnd()
  }
  git('init', '--quiet', '--initial-branch=main', `--object-format=${format}`)
  const object = async (type: string, content: Buffer | string, as?: string): Promise<string> => {
    const bytes = Buffer.from(content)
    const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])
    const name = as ?? createHash(format).update(whole).digest('hex')
    const path = join(folder, '.git/objects', name.slice(0, 2), name.slice(2))
    await mkdir(dirname(path), { recursive: true })
    await rm(path, { force: true })
    await writeFile(path, deflateSync(whole))
    return name
  }
  return {
    folder,
    git,
    commit() {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message=m')
      return git('rev-parse', 'HEAD')
    },
    object,
    tree(entries) {
      const parts = entries.flatMap(({ mode, name, object: named }) => {
        return [Buffer.from(`${mode} `), Buffer.from(name), Buffer.of(0), Buffer.from(named, 'hex')]
      })
      return object('tree', Buffer.concat(parts))
    },
    commitOf(tree) {
      const by = 'A <a@example.org> 0 +0000'
      return object('commit', `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nm\n`)
    },
  }
}
