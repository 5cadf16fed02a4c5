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

/** What people look at first: what is paid, then to whom it goes, then the rest. */
export function weighs(words: string, value: string): number {
  if (amounts.test(words.toLowerCase()) && /^-?\d[\d.,]*$/.test(value)) return 0
  return people.test(words.toLowerCase()) || /^\S+@\S+\.\S+$/.test(value) ? 1 : 2
}
