/** Part 5: a funnel of 20,000 deals beside one of 200: its board in a real browser, and the calls under it. */
import { type BenchFunnel, SELLER } from './bigDeals.ts'
import { type BoardPage, measurePages } from './boardPages.ts'
import type { BenchClinic } from './clinic.ts'
import { type Line, ms, type Part, percentile, withGoal } from './table.ts'

const LIMIT = 1.2
const WARM_UP = 40
const ROUNDS = 200
const S = '/sales-management'

export async function measureDeals(clinic: BenchClinic): Promise<Part> {
  const { bigFunnel: big, smallFunnel: small } = clinic.data
  const calls = await callLines(clinic, big, small)
  const page = ({ id, idStages }: BenchFunnel): BoardPage => ({
    login: SELLER,
    path: `/app/deals?funnel=${id}`,
    idColumns: idStages,
  })
  const board = await measurePages(clinic, page(big), page(small), LIMIT)
  return {
    title: 'Deals: a funnel of 20,000 (product) beside one of 200 (yardstick)',
    lines: [...board.lines, ...calls],
    notes: [...board.notes, `calls of one connection, ${ROUNDS} of a kind and funnel, in turns`],
  }
}

interface Call {
  method: string
  path: string
  body?: object
}

/** Each makes the call of its turn. Moves go back and forth, so that the columns keep their size. */
const kinds: { what: string; call(funnel: BenchFunnel, turn: number): Call }[] = [
  { what: 'GET totals of the columns', call: ({ id }) => ({ method: 'GET', path: `${S}/funnels/${id}/totals` }) },
  {
    what: 'PUT a deal into another stage',
    call: (funnel, turn) => ({
      method: 'PUT',
      path: leadPath(funnel, turn),
      body: { idStage: funnel.idStages[stageOf(turn)] },
    }),
  },
  {
    what: 'POST move between deals of another stage',
    call: (funnel, turn) => ({
      method: 'POST',
      path: `${leadPath(funnel, turn)}/move`,
      body: { to: { idStage: funnel.idStages[stageOf(turn)] }, before: neighbour(funnel, turn) },
    }),
  },
  {
    what: 'PUT a price',
    call: (funnel, turn) => ({ method: 'PUT', path: leadPath(funnel, turn), body: { price: 1000 + turn } }),
  },
]

/** The first half of the first stage's deals is moved, each twice in a row; the second half of each stage stays. */
function leadPath({ idStages, idDeals }: BenchFunnel, turn: number): string {
  const moving = Math.floor(idDeals.length / idStages.length / 2)
  return `${S}/leads/${idDeals[((turn >> 1) % moving) * idStages.length]}`
}

const stageOf = (turn: number): 0 | 1 => (turn % 2 === 0 ? 1 : 0)

function neighbour({ idStages, idDeals }: BenchFunnel, turn: number): number {
  const half = Math.floor(idDeals.length / idStages.length / 2)
  return idDeals[(half + ((turn * 7) % half)) * idStages.length + stageOf(turn)] as number
}

async function callLines(clinic: BenchClinic, big: BenchFunnel, small: BenchFunnel): Promise<Line[]> {
  const token = await clinic.signIn(SELLER)
  const lines: Line[] = []
  for (const { what, call } of kinds) {
    const times = new Map<BenchFunnel, number[]>([
      [big, []],
      [small, []],
    ])
    for (let turn = 0; turn < WARM_UP + ROUNDS; turn++) {
      for (const funnel of turn % 4 < 2 ? [big, small] : [small, big]) {
        const took = await timeOf(clinic.product.url, token, call(funnel, turn))
        if (turn >= WARM_UP) times.get(funnel)?.push(took)
      }
    }
    const at = (funnel: BenchFunnel, p: number) =>
      percentile(
        (times.get(funnel) ?? []).sort((a, b) => a - b),
        p,
      )
    const line = (label: string, p: number): Line => ({
      what: label,
      product: ms(at(big, p)),
      yardstick: ms(at(small, p)),
      ratio: at(big, p) / at(small, p),
    })
    lines.push(withGoal(line(`${what}: p50`, 0.5), LIMIT), line('  p95', 0.95))
  }
  return lines
}

/** Milliseconds until the answer is complete. */
async function timeOf(url: string, token: string, { method, path, body }: Call): Promise<number> {
  const began = performance.now()
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const took = performance.now() - began
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return took
}
