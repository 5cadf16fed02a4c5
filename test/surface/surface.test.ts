// What a stranger can see of the package is what is recorded: see README.md here.
import { expect, test } from 'vitest'
import { howToRecord, keep, recorded, recordedFolders } from './on-disk.ts'
import { subjects } from './subjects.ts'

test.each(subjects)('$folder is as it is recorded', async ({ folder, record }) => {
  const files = await record()
  keep(folder, files)
  const before = recorded(folder)
  expect([...files.keys()].toSorted(), howToRecord).toEqual([...before.keys()])
  for (const [name, text] of files) {
    expect.soft(text, `${folder}/${name}: ${howToRecord}`).toBe(before.get(name))
  }
})

test('nothing is recorded that no recorder makes', () => {
  const made = subjects.map(({ folder }) => folder)
  expect(recordedFolders().filter((folder) => !made.includes(folder))).toEqual([])
})
