// Names that programs gave, as words for people: `refund_order` as a title, `keep_invoices` beside
// a value. What is no such name stays as it is, and the name itself is shown beside a title.

const ofProgram = /^[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*$/

/** Such as `keep invoices` for `keep_invoices` or `keepInvoices`. */
export function inWords(name: string): string {
  if (!ofProgram.test(name)) return name
  const apart = name.replaceAll(/[_.-]/g, ' ')
  return apart.replaceAll(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** The same as a title, such as `Refund order`. */
export function titleOf(name: string): string {
  const words = inWords(name)
  return words === name ? name : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const amounts = anyOf('amount price total sum cost fee budget quantity cents dollars eur euros usd')
const people = anyOf(
  'to cc bcc recipient recipients payee beneficiary iban account email mail customer client ' +
    'user owner person name attendees participants',
)

function anyOf(words: string): RegExp {
  return new RegExp(`\\b(?:${words.replaceAll(' ', '|')})\\b`)
}

const things = anyOf('command path paths file url uri query tool')
const ofTheGuard = anyOf('cwd root bytes digest')

/** What people look at first: what is paid, to whom or what it is done, and digests last. */
export function weighs(words: string, value: string): number {
  const name = words.toLowerCase()
  if (amounts.test(name) && /^-?\d[\d.,]*$/.test(value)) return 0
  if (people.test(name) || /^\S+@\S+\.\S+$/.test(value)) return 1
  if (ofTheGuard.test(name) || /^sha256:[0-9a-f]{64}$/.test(value)) return 4
  return things.test(name) ? 2 : 3
}
