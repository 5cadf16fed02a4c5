// Why a question is refused where its name is another spelling of one that stays: the note that a
// person signs with the ruling.

export function mergedNote(kept: string, why: string): string {
  const into = `The same as “${kept}”, which stays.`
  return why === '' ? into : `${into} ${why}`
}
