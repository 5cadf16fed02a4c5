// Makes of what the compiler wrote into `dist` what is shipped: few files, with all that they stand
// on bundled into them as far as it is used. So what determines bytes of facts is the same in every
// installation, and an installation is small. Types stay where a program can reach them.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layPage } from '#console/bundling'
import { layCommand } from './bundle-command.ts'
import { licencesOf } from './pack-licences.ts'
import { keepTypes } from './pack-types.ts'

const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')

if (existsSync(join(dist, 'chunks'))) throw new Error('`dist` was packed already: compile it first')
const madeFrom = [...(await layPage(join(dist, 'console'))), ...(await layCommand(root, dist))]
await writeFile(join(dist, 'LICENSES.txt'), await licencesOf(madeFrom, join(root, 'LICENSE')))
await keepTypes()
