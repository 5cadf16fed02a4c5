// One gate of a verification: its outcome, why, its findings, and what was kept as evidence.
import { jsonOf } from '#record/canonical'
import { evidenceShown, type OutputShown } from '#present/work/evidence-shown'
import { findingText, gateRow } from '#present/work/gate-text'
import { contractLabels } from '#present/work/standing-labels'
import type { AttemptShown } from '#schemas/operations/contracts'
import { Hostile } from '../drawing/hostile.tsx'
import { memberMap } from '../signing/members.ts'

type Gate = NonNullable<AttemptShown['found']>['gates'][number]

const words = contractLabels

const tones = {
  pass: 'good',
  fail: 'bad',
  skipped: 'calm',
  inconclusive: 'warm',
  error: 'warm',
} as const

export function GateView({ gate }: { readonly gate: Gate }) {
  const { outcome, code, findings, warnings, evidence } = gate
  const [title = '', , why = ''] = gateRow(gate)
  const { values, outputs } = evidenceShown(Object.fromEntries(memberMap(jsonOf(evidence))))
  const hasEvidence = values.length > 0 || outputs.length > 0
  return (
    <li class={`framed marked row marked-${tones[outcome]}`}>
      <p class="ends ends-text">
        <span class="row-title">{title}</span>
        <span class={`state state-${tones[outcome]}`}>{words.outcome[outcome]}</span>
      </p>
      {why !== '' && (
        <p class="row-text">
          {why} {code !== undefined && <code class="quiet">{code}</code>}
        </p>
      )}
      <Findings title={words.findings} found={findings} />
      <Findings title={words.warnings} found={warnings} />
      {hasEvidence && (
        <details class="details" open={outcome === 'fail'}>
          <summary>
            {words.evidence}
            <span class="unseen"> {title}</span>
          </summary>
          {values.length > 0 && (
            <dl class="pairs">
              {values.map(({ name, text }) => (
                <>
                  <dt>
                    <Hostile text={name} max={80} isBrief />
                  </dt>
                  <dd class="value">
                    <Hostile text={text} max={400} />
                  </dd>
                </>
              ))}
            </dl>
          )}
          {outputs.map((output) => (
            <Output output={output} />
          ))}
        </details>
      )}
    </li>
  )
}

interface FindingsProps {
  readonly title: string
  readonly found: Gate['findings']
}

function Findings({ title, found }: FindingsProps) {
  if (found.length === 0) return null
  return (
    <>
      <p class="quiet small">{title}</p>
      <ul class="bulleted">
        {found.map((finding) => (
          <li>
            <Hostile text={findingText(finding)} max={300} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Output({ output: { of, bytes, digest, tail } }: { readonly output: OutputShown }) {
  return (
    <>
      <p class="quiet small value">
        {of} {bytes !== null && `${bytes.toLocaleString()} ${words.bytes}`}{' '}
        {digest !== null && <Hostile text={digest} max={120} />}
      </p>
      {tail !== null && (
        <pre class="code">
          <Hostile text={tail} max={2_100} />
        </pre>
      )}
    </>
  )
}
