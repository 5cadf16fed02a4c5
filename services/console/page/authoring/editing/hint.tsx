// What a schema says of a field; what it names as it is written stands as code.
interface HintProps {
  readonly id: string
  readonly text: string
}

export function Hint({ id, text }: HintProps) {
  if (text === '') return null
  return (
    <p id={id} class="hint">
      {text.split('`').map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}
    </p>
  )
}
