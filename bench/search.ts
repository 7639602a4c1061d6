/**
 * Ctrl+K: one request of the global search on 200,000 tasks and 20,000 deals. The best time and the median, over HTTP, as
 * a seller who is a member of workspaces too.
 */
import { SELLER } from './bigDeals.ts'
import { release, startClinic } from './clinic.ts'
import { alone } from './growth.ts'
import { type Line, ms, type Part } from './table.ts'

const TASKS = 200_000
/** Milliseconds at the server. */
const GOAL = 100

const asked = [
  ['a word of one task in twenty', 'анализ'],
  ['a name of one in fifty', 'Ильин'],
  ['two words of one in 2,000', 'Ильина, УЗИ брюш'],
  ['what is not there', 'ыъыъыъ'],
  ['a phone', '+7 912 345-67-89'],
  ['a day', '05.12.2026'],
  ['a number', '#123'],
  ['two letters', 'ан'],
] as const

export async function measureSearch(): Promise<Part> {
  const clinic = await startClinic({ tasks: TASKS, durable: false })
  const token = await clinic.signIn(SELLER)
  const lines: Line[] = []
  for (const [what, text] of asked) {
    const { best, usual, server, postgres } = await alone(clinic, `/search?q=${encodeURIComponent(text)}`, token)
    lines.push({
      what,
      product: `${ms(best)} / ${ms(usual)}`,
      yardstick: `${server.toFixed(1)} + ${postgres.toFixed(1)}`,
      goal: { text: `≤ ${GOAL} ms`, met: best <= GOAL },
    })
  }
  await release()
  return {
    title: `Ctrl+K on ${TASKS.toLocaleString('en')} tasks and 20,000 deals: best / median of 25 (product); the processor's ms, server + PostgreSQL (yardstick)`,
    lines,
  }
}
