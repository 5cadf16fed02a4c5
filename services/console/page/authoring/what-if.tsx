// What a change would turn: the last intents derived again with it, what is held, and open
// reviews. It binds nothing, and what no one can know it says.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import {
  outcomeWord,
  outcomeTone,
  turnGroups,
  turnsText,
  unableText,
  unsureText,
} from '#present/console/overseeing/turn-text'
import { counted } from '#present/wording'
import type { ChangeBody, WhatIfAnswer } from '#schemas/console/authoring'
import { Turned, type TurnedTo } from '#schemas/console/turned'
import { Hostile } from '../drawing/hostile.tsx'
import { ProblemNote } from '../operating/room.tsx'
import { linkTo } from '../shell/address.ts'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import { memberMap } from '../signing/members.ts'

const words = authorLabels.change
const listedMax = 8

export function WhatIf({ body }: { readonly body: ChangeBody }) {
  const found = useSignal<WhatIfAnswer | null>(null)
  const { problem, run } = useDoing()
  const derive = async (): Promise<void> => {
    const asked = Object.fromEntries(memberMap(body))
    found.value = await askServer('whatIf', '/whatif', { body: asked })
  }
  const onDerive = () => void run(derive)
  useEffect(onDerive, [])
  const { value: answer } = found
  return (
    <section class="block what-if" aria-live="polite">
      <h3>{words.preview}</h3>
      {problem !== null && <ProblemNote code={problem} onRetry={onDerive} />}
      {answer === null && problem === null && <p class="quiet">{words.trying}…</p>}
      {answer !== null && <Turns answer={answer} />}
    </section>
  )
}

function turned(all: readonly unknown[]): readonly Turned[] {
  return Turned.array().safeParse(all).data ?? []
}

function Turns({ answer }: { readonly answer: WhatIfAnswer }) {
  const { tried, spanMs, unsure, unable, more } = answer
  const flips = turned(answer.flips)
  const held = turned(answer.held)
  const reviews = turned(answer.reviews)
  const found = flips.length > 0 ? ' turn-lead-warm' : ' turn-lead-good'
  const tone = tried === 0 ? '' : found
  return (
    <>
      <p class={`turn-lead${tone}`}>{turnsText({ tried, spanMs, turned: flips.length + more })}</p>
      <Groups all={flips} />
      {more > 0 && (
        <p class="quiet small">
          {more} {words.more}
        </p>
      )}
      {held.length > 0 && <h4>{words.held}</h4>}
      <Groups all={held} />
      {reviews.length > 0 && <h4>{words.reviews}</h4>}
      <Groups all={reviews} />
      {unsure > 0 && <p class="small quiet">{unsureText(unsure)}</p>}
      {unable > 0 && <p class="small quiet">{unableText(unable)}</p>}
    </>
  )
}

function Groups({ all }: { readonly all: readonly Turned[] }) {
  return (
    <ul class="stack">
      {turnGroups(all).map(({ from, to, why, all: alike }) => (
        <li class="framed tight turn">
          <p class="bunch">
            {from !== null && <Outcome outcome={from} />}
            {from !== null && <span aria-label={words.newNow}>→</span>}
            <Outcome outcome={to} />
            <span class="quiet small">{counted(alike.length, 'intent')}</span>
          </p>
          {why !== '' && <Hostile in="p" class="small" text={why} max={200} isBrief />}
          <ul class="bunch small">
            {alike.slice(0, listedMax).map(({ address, agent, tool }) => (
              <li>
                <a href={linkTo(['intents', address])}>
                  <Hostile text={tool ?? address} max={80} isBrief />
                </a>{' '}
                <Hostile in="span" class="quiet" text={agent} max={60} isBrief />
              </li>
            ))}
            {alike.length > listedMax && <li class="quiet">+ {alike.length - listedMax}</li>}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Outcome({ outcome }: { readonly outcome: TurnedTo['outcome'] }) {
  return <span class={`state state-${outcomeTone(outcome)}`}>{outcomeWord(outcome)}</span>
}
