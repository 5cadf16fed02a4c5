// What is kept of contents for the card: it is there for its own log and digest only, and gone
// when no one is asked any more.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { contentsBeside } from '#judging/kept-contents'
import { scene, say, type Scene } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const text = 'a line of the file\n'.repeat(500)
const digest = digestOf(text)
const ada = { owner: 'ada', capability: 'file.write', text }

async function begun() {
  const folder = await temporaryFolder()
  const on = await scene({ stages: [], parts: { folder } })
  return { on, folder: join(folder, 'contents'), decideBy: on.time.now + 60_000 }
}

const intentOn = ({ log }: Scene): Promise<string> =>
  say(log, { intent: { tool: 'look', args: {} } })

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name !== 'results.key')
}

describe('contents that are kept', () => {
  test('are found by the intent and its digest, also by another process', async () => {
    const { on, decideBy } = await begun()
    const intent = await intentOn(on)
    await contentsBeside(on.runtime).keep({ ...ada, intent, decideBy })
    const again = contentsBeside(on.runtime)
    expect(await again.find({ intent, digest })).toEqual({ is: 'whole', text })
    expect(await again.find({ intent, digest: digestOf('b') })).toEqual({ is: 'changed' })
    expect(await again.find({ intent: `${intent}x`, digest })).toEqual({ is: 'gone' })
  })

  test('are nothing that can be read on the disk', async () => {
    const { on, folder, decideBy } = await begun()
    await contentsBeside(on.runtime).keep({ ...ada, intent: await intentOn(on), decideBy })
    const files = await filesIn(folder)
    expect(files).toHaveLength(1)
    for (const name of files) {
      expect(name).not.toMatch(/ada|file/)
      expect((await readFile(join(folder, name))).includes('line of the file')).toBe(false)
    }
  })

  test('are not shown once they were changed, moved or put under another key', async () => {
    const { on, folder, decideBy } = await begun()
    const contents = contentsBeside(on.runtime)
    const [intent, other] = [await intentOn(on), await intentOn(on)]
    await contents.keep({ ...ada, intent, decideBy })
    const [file = ''] = await filesIn(folder)
    await contents.keep({ ...ada, text: 'another', intent: other, decideBy })
    const [others = ''] = (await filesIn(folder)).filter((name) => name !== file)
    const bytes = await readFile(join(folder, file))
    await rename(join(folder, others), join(folder, file))
    expect(await contents.find({ intent, digest })).toEqual({ is: 'changed' })
    for (const at of [0, 20, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await writeFile(join(folder, file), changed)
      expect(await contents.find({ intent, digest })).toEqual({ is: 'changed' })
    }
    await writeFile(join(folder, file), bytes)
    expect(await contents.find({ intent, digest })).toMatchObject({ is: 'whole' })
    await writeFile(join(folder, 'results.key'), Buffer.alloc(32, 1))
    expect(await contents.find({ intent, digest })).toEqual({ is: 'gone' })
  })

  test('are gone at the moment at which no one may answer any more', async () => {
    const { on, folder, decideBy } = await begun()
    const contents = contentsBeside(on.runtime)
    const intent = await intentOn(on)
    await contents.keep({ ...ada, intent, decideBy })
    on.time.pass(59_999)
    expect(await contents.sweep()).toBe(1)
    expect(await contents.find({ intent, digest })).toMatchObject({ is: 'whole' })
    on.time.pass(1)
    expect(await contents.find({ intent, digest })).toEqual({ is: 'gone' })
    expect(await filesIn(folder)).toEqual([])
  })

  test('are kept nowhere where the log has no folder, or the store takes no more', async () => {
    const on = await scene({ stages: [] })
    const intent = await intentOn(on)
    await contentsBeside(on.runtime).keep({ ...ada, intent, decideBy: on.time.now + 1 })
    expect(await contentsBeside(on.runtime).find({ intent, digest })).toEqual({ is: 'gone' })
    const { on: full, folder, decideBy } = await begun()
    const huge = { ...ada, text: 'x'.repeat(5 * 1024 * 1024), intent: await intentOn(full) }
    await contentsBeside(full.runtime).keep({ ...huge, decideBy })
    expect(await filesIn(folder)).toEqual([])
  })

  test('of one log are neither found nor removed by another beside the same folder', async () => {
    const { on, decideBy } = await begun()
    const intent = await intentOn(on)
    await contentsBeside(on.runtime).keep({ ...ada, intent, decideBy })
    const { folder } = on.runtime
    const other = await scene({ parts: { folder, place: { realm: 'other', era: 1 } } })
    expect(await contentsBeside(other.runtime).find({ intent, digest })).toEqual({ is: 'gone' })
    expect(await contentsBeside(other.runtime).sweep()).toBe(1)
    expect(await contentsBeside(on.runtime).find({ intent, digest })).toMatchObject({ is: 'whole' })
  })
})
