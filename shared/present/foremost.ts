// The arguments of a call that say most, for one line of a list.

/** What people look at first, where a call has such an argument. */
const foremost = ['command', 'path', 'paths', 'file_path', 'url', 'to', 'query', 'amount', 'id']
const textCharactersMax = 60
const argumentsMax = 2

export function foremostIn(args: Readonly<Record<string, unknown>>): readonly string[] {
  const order = [...foremost.filter((name) => Object.hasOwn(args, name)), ...Object.keys(args)]
  const plain = [...new Set(order)].flatMap((name) => {
    const text = plainText(args[name])
    return text === null ? [] : [`${name}=${shortened(text)}`]
  })
  const left = Object.keys(args).length - Math.min(plain.length, argumentsMax)
  return [...plain.slice(0, argumentsMax), ...(left > 0 ? ['…'] : [])]
}

function plainText(value: unknown): string | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.length > 0 && values.every(isPlain) ? values.map(String).join(', ') : null
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= textCharactersMax ? line : `${line.slice(0, textCharactersMax - 1)}…`
}
