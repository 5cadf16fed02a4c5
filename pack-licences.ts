// The licences of what is brought along, in one file. The text of a package that ships none is kept
// here; one without any stops the packing, since it may not be passed on like that.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { packageOf } from './bundle-command.ts'

const Package = z.object({ name: z.string(), version: z.string(), license: z.string() })

const mit = (holder: string): string => `The MIT License (MIT)

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

const bsd = (holder: string): string => `Copyright ${holder} All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:

    * Redistributions of source code must retain the above copyright notice, this list of conditions
      and the following disclaimer.
    * Redistributions in binary form must reproduce the above copyright notice, this list of
      conditions and the following disclaimer in the documentation and/or other materials provided
      with the distribution.
    * Neither the name of ${holder} nor the names of its contributors may be used to endorse or
      promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR
CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER
IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF
THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`

const buf = 'Copyright 2021-2026 Buf Technologies, Inc.'

/** The texts that packages should ship and do not; `apache` is the text of that licence. */
function keptTexts(apache: string): ReadonlyMap<string, string> {
  const ofBuf = `${buf}\n\n${apache}`
  return new Map([
    ['http_ece', mit('Martin Thomson')],
    ['@bufbuild/cel', ofBuf],
    ['@bufbuild/cel-spec', ofBuf],
    ['@bufbuild/protobuf', `${ofBuf}\n\nParts of it:\n\n${bsd('2008 Google Inc.')}`],
  ])
}

const modules = 'node_modules/'

/** The folders of the packages that these files are of. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const at = file.lastIndexOf(modules)
    if (at === -1) return []
    const end = at + modules.length
    return [join(file.slice(0, end), packageOf(file.slice(end)))]
  })
  return [...new Set(folders)].toSorted()
}

/**
 * Names, versions and texts of the packages that these files are of, as each licence asks for.
 * `own` is the file of our own licence.
 */
export async function licencesOf(files: readonly string[], own: string): Promise<string> {
  // Ours is the same: all but the line that says whose it is.
  const kept = keptTexts((await readFile(own, 'utf8')).trim())
  const texts: string[] = []
  for (const folder of foldersOf(files)) {
    const { name, version, license } = Package.parse(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    )
    const file = (await readdir(folder)).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const shipped = file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).trim()
    const text = shipped === '' ? (kept.get(name) ?? '') : shipped
    if (text === '') {
      throw new Error(`${name} ships no licence: keep its text in pack-licences.ts (${license})`)
    }
    texts.push(`${name} ${version} (${license})\n\n${text}\n`)
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
