/** Separators of names in a cell. */
const SEPARATOR = /\s*[;,+\n]\s*/g

/** Splits a cell into known names, the longest first; a cell without any is one name. */
export function partsOf(cell: string, known: (name: string) => boolean): string[] {
  const whole = cell.trim()
  if (!whole || known(whole)) return whole ? [whole] : []
  const cuts = [...whole.matchAll(SEPARATOR)]
  if (cuts.length === 0) return [whole]
  const starts = [0, ...cuts.map((cut) => cut.index + cut[0].length)]
  const ends = [...cuts.map(({ index }) => index), whole.length]
  const parts: string[] = []
  let found = 0
  let rest: [from: number, to: number] | undefined
  const close = () => {
    if (rest) parts.push(whole.slice(rest[0], rest[1]).trim())
    rest = undefined
  }
  for (let at = 0; at < starts.length; ) {
    let end = ends.length - 1
    while (end >= at && !known(whole.slice(starts[at], ends[end]).trim())) end--
    if (end >= at) {
      close()
      parts.push(whole.slice(starts[at], ends[end]).trim())
      found++
      at = end + 1
    } else {
      rest = [rest?.[0] ?? (starts[at] as number), ends[at] as number]
      at++
    }
  }
  close()
  return found > 0 ? parts.filter(Boolean) : [whole]
}
