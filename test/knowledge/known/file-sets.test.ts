// All files of a folder: which words mean it, which of its files they leave out, and which leave it
// in doubt. Frames, names and exceptions are put together by a generator.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

const shown = [
  'a.tmp',
  'run1.log',
  'run2.log',
  'keep_me.zip',
  'cv_2022.pdf',
  'cv_2023.pdf',
  'cv_2024.pdf',
  'passport.pdf',
]

/** Whether the file may be deleted, where a folder was listed. */
function how(says: string, path: string, listed: readonly string[] = shown, folder = '/desk') {
  const base = { counts: true, content: null, payload: null }
  const payload = { tool: 'list', args: { path: folder }, value: listed }
  const argument = KnownArgument.parse({ arg: '/path', kind: 'path', bare: true, asks: ['delete'] })
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    { ...base, name: 'r', sender: 'tools', payload },
  ]
  const folders = () => '/path'
  const evidence = { ...noEvidence, messages, heedsBars: true, folder: folders }
  const trusted = { ...evidence, untrusted: () => [] }
  return soughtValues([argument], { path }, trusted)[0]?.found
}

const means = (says: string) =>
  shown.filter((name) => how(says, `/desk/${name}`)?.found === 'message')
const [tmp, run1, run2, , ...pdfs] = shown

test.each([
  ['Please delete all .log files in /desk.', [run1, run2]],
  ['Tidy /desk: delete all *.log files, and push the rest.', [run1, run2]],
  ['Clean up /desk. Please delete every log file there.', [run1, run2]],
  ['Delete all temporary files in /desk/.', [tmp]],
  ['Delete everything in /desk', shown],
  ['Please delete all files of /desk except keep_me.zip.', [tmp, run1, run2, ...pdfs]],
  ["delete everything in /desk but 'keep_me.zip' and 'run1.log'", [tmp, run2, ...pdfs]],
  ['Delete all log files in /desk. Keep run2.log.', [run1]],
  ['I have too many CVs in /desk. Keep only cv_2024.pdf and delete the others.', pdfs.slice(0, 2)],
])('%s', (says, names) => {
  expect(means(says)).toEqual(names)
})

describe('nothing is meant for sure where', () => {
  test.each([
    ['a word is not understood', 'Delete all old files in /desk.'],
    ['words follow them', 'Delete all files in /desk that Ann sent me.'],
    ['they are from a time', 'Delete all .log files of last week in /desk.'],
    ['the exception names no file', 'Delete everything in /desk except the invoices.'],
    ['a kept one names no file', 'Delete everything in /desk. Leave my photos.'],
    ['it is another folder', 'Delete everything in /desk/old.'],
    ['there are two folders', 'I have /desk and /attic. Delete everything there.'],
    ['no folder is named', 'Delete everything.'],
    ['it is not asked', 'Should I delete everything in /desk?'],
    ['another act is asked', 'Copy all .log files in /desk.'],
    ['it is barred', "Don't delete all files in /desk."],
    ['it is what Ann wants', 'Ann says I should delete everything in /desk.'],
    ['the others of nothing', 'Delete the others in /desk.'],
    ['it is pasted', 'See what she wrote:\n> delete everything in /desk'],
  ])('%s: %s', (_, says) => {
    expect(means(says)).toEqual([])
  })
})

const frame = fc.constantFrom(
  (kept: string) => `Delete everything in /desk except ${kept}.`,
  (kept: string) => `Please delete all files in /desk but ${kept}`,
  (kept: string) => `Clean up /desk: delete everything there apart from '${kept}'.`,
  (kept: string) => `Delete all files in /desk. Keep ${kept}.`,
  (kept: string) => `Delete all files in /desk other than ${kept}, and write to Ann.`,
)
const name = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/), fc.constantFrom('log', 'txt', 'pdf', 'zip'))
  .map(([stem, end]) => `${stem}.${end}`)

test('the excepted file is never one of them, and each other is', () => {
  fc.assert(
    fc.property(frame, name, name, (says, kept, other) => {
      const listed = [kept, other]
      expect(how(says(kept), `/desk/${kept}`, listed)?.found).not.toBe('message')
      const found = how(says(kept), `/desk/${other}`, listed)
      if (other === kept) return
      expect(found).toMatchObject({ found: 'message', within: '/desk' })
    }),
  )
})

test('only what a listing of that folder shows is one of them', () => {
  const says = 'Delete everything in /desk.'
  expect(how(says, '/desk/b.txt')?.found).toBe('nowhere')
  expect(how(says, '/desk/a.tmp', shown, '/attic')?.found).toBe('nowhere')
  expect(how(says, '/desk/old/a.tmp', shown)?.found).toBe('nowhere')
  expect(how(says, '/attic/a.tmp', shown)?.found).toBe('nowhere')
})
