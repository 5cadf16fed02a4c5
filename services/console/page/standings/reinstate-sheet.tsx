// Letting an agent work again that its standing has suspended: with a reason, signed by a policy
// admin.
import { standingLabels } from '#present/work/standing-labels'
import { signAct, signer } from '../operating/acts.ts'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'

const words = standingLabels.reinstate

interface ReinstateSheetProps {
  readonly agent: string
  readonly onClose: () => void
}

export function ReinstateSheet({ agent, onClose }: ReinstateSheetProps) {
  return (
    <SignSheet
      title={`${words.act} ${agent}`}
      lead={words.lead.replaceAll('`', '')}
      sign={words.act}
      textLabel={words.reason}
      done={words.done}
      content={(reason) => ({ agent, by: person.value?.id ?? '', reason })}
      act={(reason) => reinstateHere(agent, reason)}
      onClose={onClose}
    />
  )
}

function reinstateHere(agent: string, reason: string) {
  const at = { in: { agent } }
  const body = { reason }
  return signAct({
    kind: 'reinstatement',
    ofLog: [],
    content: () => ({ agent, by: signer(), reason }),
    prepare: () =>
      askServer('reinstatePrepare', '/standings/{agent}/reinstate/prepare', { ...at, body }),
    submit: (signed) =>
      askServer('reinstateSubmit', '/standings/{agent}/reinstate/submit', {
        ...at,
        body: { ...body, signed },
      }),
  })
}
