// What a gate kept as evidence, in two parts: what programs wrote, and all else as short texts.
// Programs of workers wrote it, so who draws it must draw it as text of others.
import { canonical, isList, type Json, type JsonMap } from '#record/canonical'

export interface OutputShown {
  /** `stdout` or `stderr`. */
  readonly of: string
  readonly bytes: number | null
  readonly digest: string | null
  /** The end of it; null where nothing of it was kept. */
  readonly tail: string | null
}

export interface EvidenceShown {
  readonly values: readonly { readonly name: string; readonly text: string }[]
  readonly outputs: readonly OutputShown[]
}

const outputs = ['stdout', 'stderr'] as const

export function evidenceShown(evidence: JsonMap): EvidenceShown {
  const rest = Object.entries(evidence).filter(([name]) => !outputs.some((of) => of === name))
  return {
    values: rest.map(([name, value = null]) => ({ name, text: evidenceText(value) })),
    outputs: outputs.flatMap((of) => outputIn(of, evidence[of])),
  }
}

function outputIn(of: string, value: Json | undefined): readonly OutputShown[] {
  if (typeof value !== 'object' || value === null || isList(value)) return []
  const { bytes, digest, tail } = value
  if (bytes === 0) return []
  return [
    {
      of,
      bytes: typeof bytes === 'number' ? bytes : null,
      digest: typeof digest === 'string' ? digest : null,
      tail: typeof tail === 'string' && tail.trim() !== '' ? tail : null,
    },
  ]
}

/** A list of words, such as a command, as one writes it. */
function evidenceText(value: Json): string {
  if (typeof value === 'string') return value
  const isOfWords = isList(value) && value.every((one) => typeof one === 'string')
  return isOfWords ? value.join(' ') : canonical(value)
}
