/** One table for all parts: the measure, the product's figure, the yardstick, the ratio and whether the goal is met. */

export interface Line {
  what: string
  product: string
  /** The figure of the bare server, or of the small board. */
  yardstick?: string
  ratio?: number
  /** Absent: a figure without a goal. */
  goal?: { text: string; met: boolean }
}

export interface Part {
  title: string
  lines: Line[]
  notes?: string[]
}

const HEAD = ['', 'product', 'yardstick', 'ratio', 'goal']

export function printTable(parts: readonly Part[]): void {
  const rows = parts.map(({ lines }) =>
    lines.map(({ what, product, yardstick = '', ratio, goal }) => [
      what,
      product,
      yardstick,
      ratio === undefined ? '' : ratio.toFixed(2),
      goal ? `${goal.met ? 'ok  ' : 'MISS'} ${goal.text}` : '',
    ]),
  )
  const widths = HEAD.map((name, i) => Math.max(name.length, ...rows.flat().map((row) => (row[i] as string).length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd()
  const rule = '─'.repeat(widths.reduce((a, b) => a + b + 2, -2))
  console.log(`\n${line(HEAD)}`)
  for (const [i, { title, notes = [] }] of parts.entries()) {
    console.log(`${rule}\n${title}`)
    for (const row of rows[i] as string[][]) console.log(line(row))
    for (const note of notes) console.log(`  · ${note}`)
  }
  console.log(rule)
}

/** Adds a goal for the ratio to the line. */
export const withGoal = (line: Line, limit: number | undefined): Line =>
  limit === undefined
    ? line
    : { ...line, goal: { text: `≤ ${limit}×`, met: line.ratio !== undefined && line.ratio <= limit } }

/** A count of faults, whose goal is none. */
export const none = (what: string, found: number): Line => ({
  what,
  product: String(found),
  goal: { text: '0', met: found === 0 },
})

export const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`)
export const bytes = (value: number): string =>
  value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} kB` : `${(value / 1024 / 1024).toFixed(1)} MB`

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
}

/** @param sorted ascending */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  return sorted.length === 0
    ? Number.NaN
    : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] as number)
}
