// Runs lines in a real bash: in a root that is empty but for `/usr`, without a network, where what
// could reach out is replaced by recorders.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

/** Text that stands in every file that is a secret by its path, and in no other. */
export const planted = 'planted-secret-7f3a'
export const code = 'a[$(touch stolen)]'

const project = '/srv/dev/app'
const files = {
  [`${project}/f`]: 'one\ntwo\nthree\n',
  [`${project}/g.ts`]: 'let one = 1\n',
  [`${project}/code`]: `${code}\n`,
  [`${project}/sub/f`]: 'one\n',
  [`${project}/.env`]: `KEY=${planted}\n`,
  [`${project}/sub/.env`]: `KEY=${planted}\n`,
  '/srv/dev/.ssh/id_rsa': `${planted}\n`,
  '/srv/dev/.aws/credentials': `${planted}\n`,
}

const Results = z.array(
  z.strictObject({
    isChanged: z.boolean(),
    calls: z.string(),
    trace: z.string(),
    stdout: z.string(),
    isLate: z.boolean(),
  }),
)
export type RanLine = z.infer<typeof Results>[number]

const root = `set -e
mount -t tmpfs root "$1"
cd "$1"
mkdir -p usr proc dev tmp etc srv/dev recorded rec
mount --rbind /usr usr
mount -o remount,bind,ro usr
for one in bin sbin lib lib64; do [ ! -e /$one ] || ln -s usr/$one $one; done
for one in null zero urandom random full; do : > dev/$one; mount --bind /dev/$one dev/$one; done
ln -s /proc/self/fd dev/fd
mount -t proc proc proc
cp "$2" inside.mjs
cp "$3" lines.json
chroot . "$4" /inside.mjs
cp results.json "$5"
`

/** In one batch; each line has a folder of its own. */
export async function ranLines(
  lines: readonly string[],
  recorders: readonly string[],
): Promise<readonly RanLine[]> {
  const folder = await temporaryFolder()
  const given = join(folder, 'lines.json')
  const found = join(folder, 'results.json')
  await writeFile(given, JSON.stringify({ lines, recorders, files }))
  await writeFile(found, '')
  const inside = join(import.meta.dirname, 'inside.mjs')
  const apart = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--net', '--ipc']
  const words = [join(folder, 'root'), inside, given, process.execPath, found]
  await mkdir(join(folder, 'root'))
  const child = spawn('unshare', [...apart, 'sh', '-c', root, 'sh', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'close')
  return Results.parse(JSON.parse(await readFile(found, 'utf8')))
}
