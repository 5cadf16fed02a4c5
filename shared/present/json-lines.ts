// JSON as people write it in files: on one line where it fits, else one member a line.

const widthMax = 96

export function jsonLines(value: unknown, indent = 0): string {
  const flat = flatText(value)
  if (typeof value !== 'object' || value === null || flat.length + indent <= widthMax) return flat
  const inner = ' '.repeat(indent + 2)
  const outer = ' '.repeat(indent)
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${jsonLines(item, indent + 2)}`)
    return `[\n${items.join(',\n')}\n${outer}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${jsonLines(member, indent + 2)}`)
  return `{\n${members.join(',\n')}\n${outer}}`
}

function flatText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${value.map(flatText).join(', ')}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${flatText(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
