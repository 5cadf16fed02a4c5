// Whose answer it would be, and what signs it, where there is a choice.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answersForText, besideLabels } from '#present/console/beside-words'
import type { CardAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import type { BrowserKey } from '../signing/browser-key.ts'
import { keyFor, placesIn } from './deciding.ts'

export interface AnswerWay {
  /** In whose place; null for the person themselves. */
  readonly instead: string | null
  /** Null where the passkey signs. */
  readonly key: BrowserKey | null
}

interface Choice {
  readonly instead: Signal<string | null | undefined>
  /** Of this browser; null where the review admits none. */
  readonly key: Signal<BrowserKey | null>
  readonly isByKey: Signal<boolean>
}

export function useAnswerWay(card: CardAnswer): Choice {
  const choice: Choice = {
    instead: useSignal<string | null | undefined>(undefined),
    key: useSignal<BrowserKey | null>(null),
    isByKey: useSignal(true),
  }
  const isOpen = card.state === 'open' && card.cannot === null
  useEffect(() => {
    if (isOpen) void keyFor(card).then((key) => (choice.key.value = key))
  }, [card.name, isOpen])
  return choice
}

export function wayChosen(card: CardAnswer, { instead, key, isByKey }: Choice): AnswerWay {
  const [usual = null] = placesIn(card)
  const chosen = instead.value
  return {
    instead: chosen === undefined ? usual : chosen,
    key: isByKey.value ? key.value : null,
  }
}

interface AnswerAsProps {
  readonly card: CardAnswer
  readonly choice: Choice
}

export function AnswerAs({ card, choice }: AnswerAsProps) {
  const { isByKey, key } = choice
  return (
    <>
      <InPlaceOf card={card} choice={choice} />
      {key.value !== null && (
        <label class="answer-as">
          <input
            type="checkbox"
            checked={isByKey.value}
            onChange={(event) => (isByKey.value = event.currentTarget.checked)}
          />
          <span>{besideLabels.browser.sign}</span>
        </label>
      )}
    </>
  )
}

function InPlaceOf({ card, choice }: AnswerAsProps) {
  const places = placesIn(card)
  const { instead } = wayChosen(card, choice)
  if (places.length < 2) {
    return instead === null ? null : (
      <p class="answer-as">
        <Hostile text={answersForText(instead)} max={300} />
      </p>
    )
  }
  return (
    <fieldset class="choice">
      <legend>{besideLabels.answerAs.title}</legend>
      {places.map((place) => (
        <label>
          <input
            type="radio"
            name="answer-as"
            checked={place === instead}
            onChange={() => (choice.instead.value = place)}
          />
          <span>
            {place === null ? (
              besideLabels.answerAs.own
            ) : (
              <Hostile text={answersForText(place)} max={300} />
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
