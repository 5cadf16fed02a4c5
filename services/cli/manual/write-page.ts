// Writes the manual page to the file that is named: `npm pack` runs it, so that the package has the
// page of its own commands.
import { writeFileSync } from 'node:fs'
import { packageVersion } from '../opening/package-root.ts'
import { buildProgram } from '../program.ts'
import { manualPage } from './page.ts'
import { entryOf } from './tree.ts'

const [, , file] = process.argv
if (file === undefined) throw new Error('name the file to write')
writeFileSync(file, manualPage(entryOf(await buildProgram()), packageVersion()))
