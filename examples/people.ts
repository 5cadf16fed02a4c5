// What people do, in a program of one's own: it shows what waits for them, and signs their answers
// with their key. Beside a log, with the name of a person and the file of that person's key:
//   node --conditions=warrant-source --import tsx examples/people.ts ann KEYS/ann.pem
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { connect } from 'warrant-runtime'

const [, , person = '', file = ''] = process.argv
const privateKey = await readFile(file, 'utf8')
const warrant = await connect()
const terminal = createInterface({ input: process.stdin, output: process.stdout })
const agrees = async (text: string) => (await terminal.question(`${text} [y/N] `)) === 'y'

// A review asks one or several questions of a call; one answer may be for all of them.
for (const { intent, review } of await warrant.reviews()) {
  const answers = await agrees(`${review.terms.capability} ${JSON.stringify(review.shown)}`)
  // Where the call gave no reason, this is it.
  const note = `${person} was asked at the terminal`
  await warrant.decide({ intent, confirmer: person, privateKey, answers, note })
}

// A proposal asks for what is not known. To answer it takes `modified` and a candidate
// (docs/people/learning.md); what waits for it and was shown is what such a ruling releases.
for (const { id, data } of warrant.proposals()) {
  const releases = await warrant.held(id)
  const waiting = releases.map(({ tool }) => tool).join(', ')
  if (!(await agrees(`skip ${JSON.stringify(data.template)}, asked for ${waiting}?`))) continue
  await warrant.rule({ proposal: id, ruling: 'skipped', confirmer: person, privateKey, releases })
}
terminal.close()
await warrant.close()
