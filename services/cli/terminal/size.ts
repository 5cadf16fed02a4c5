// How many bytes, as people say it.

const units = ['kB', 'MB', 'GB'] as const

export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 'bytes'
  for (const next of units) {
    if (size < 1_000) break
    size /= 1_000
    unit = next
  }
  return unit === 'bytes' ? `${size} bytes` : `${size.toFixed(1)} ${unit}`
}
