/**
 * What writes cost a server of 500 sockets: every server reads the whole history and sends each person what they see. 50
 * branches with ten people each, all on one server, as pages of their roles; changes of visits of all branches are
 * committed at a fixed pace, each in a transaction of its own as the product writes it (record and history line in one
 * statement, signals gathered outside). Measured: processor time of the server, with all sockets and with a single one,
 * and the delay from the commit to the event at a registrar of the branch.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayIn } from '@ordinator/model/zone'
import { createFanout } from '../apps/server/src/platform/fanout.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { hold, type Process, release, startClinic } from './clinic.ts'
import { spent } from './cpu.ts'
import { type Branch, fillNetwork, good, type Network } from './networkFill.ts'
import { inGroups } from './networkPeople.ts'
import { type Line, ms, type Part, percentile } from './table.ts'

const BRANCHES = 50
const PEOPLE = 500
const VISITS_OF_BRANCH = 10
const RATES = [100, 300, 1_000]
const SECONDS = 15
/** Writers side by side: each transaction waits for its commit. */
const WRITERS = 8
const TICK_MS = 5
const PROBE_MS = 100
/** Of one core: above it nothing is left for requests. */
const GOAL = 0.5

const WRITE = `with changed as (
    update appointments set "note" = $2, "_version" = "_version" + 1 where "id" = $1 returning "id", "_version", "idUser")
  insert into history ("path", "idEntity", "action", "idUser", "changes", "version")
  select 'appointments', "id", 'update', "idUser", jsonb_build_object('note', jsonb_build_array(null, $2::text)), "_version"
  from changed`

interface Passed {
  /** Processor time of the server, of one core. */
  share: number
  /** Writes a second that were done. */
  rate: number
  /** Milliseconds from a commit to its event, ascending. */
  delays: number[]
}

export async function measureAudience(): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, users: PEOPLE, env: { TRUST_PROXY: '127.0.0.1' } })
  const server: Process = clinic.product
  const today = dayIn('Europe/Moscow', Date.now())
  const network = await fillNetwork(clinic, [server], BRANCHES, today)
  const visits = await bookVisits(network)
  const writers = await Promise.all(
    Array.from({ length: WRITERS + 1 }, async () => {
      const writer = await clinic.db.connect()
      hold(() => writer.end())
      // The disk of the bench is not what is measured.
      await writer.query('set synchronous_commit = off')
      return writer
    }),
  )
  const fanout = createFanout({ db: clinic.db, redisUrl: undefined, log: createLog('error') })
  await fanout.start()
  hold(() => fanout.close())

  const write = async (by: number, id: number, text: string) => {
    await writers[by]?.query({ name: 'write', text: WRITE, values: [id, text] })
    fanout.publish('records', '')
  }
  const [first] = network.branches as [Branch]
  const registrar = first.staff.registrar
  const own = visits.filter(({ branch }) => branch === first)
  const others = visits.filter(({ branch }) => branch !== first)
  const pass = async (rate: number): Promise<Passed> => {
    const before = spent(server.pid)
    const began = performance.now()
    const delays: number[] = []
    const probing = probe(began)
    let done = 0
    const isOver = () => performance.now() - began > SECONDS * 1_000
    const due = () => Math.floor(((performance.now() - began) / 1_000) * rate)
    const work = async (by: number) => {
      while (!isOver()) {
        if (done >= due()) await sleep(TICK_MS)
        else {
          const { id } = others[done++ % others.length] as { id: number }
          await write(by, id, `раз ${done}`)
        }
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, by) => work(by)))
    const seconds = (performance.now() - began) / 1_000
    await probing
    return {
      share: (spent(server.pid) - before) / 1_000 / seconds,
      rate: done / seconds,
      delays: delays.sort((a, b) => a - b),
    }

    /** A visit of the registrar's branch changes now and then; its event is waited for. */
    async function probe(from: number) {
      for (let at = 0; performance.now() - from < SECONDS * 1_000; at++) {
        const { id } = own[at % own.length] as { id: number }
        const arrived = registrar.waitForEvent('appointments', id)
        await write(WRITERS, id, `проба ${at}`)
        const committed = performance.now()
        await arrived
        delays.push(performance.now() - committed)
        await sleep(PROBE_MS)
      }
    }
  }

  await registrar.open(first.idFilial)
  const alone: Passed[] = []
  for (const rate of RATES) alone.push(await pass(rate))
  const rest = network.people.filter((person) => person !== registrar)
  await inGroups([...rest.entries()], async ([at, person]) =>
    person.open((network.branches[at % BRANCHES] as Branch).idFilial),
  )
  const crowd: Passed[] = []
  for (const rate of RATES) crowd.push(await pass(rate))
  await release()
  return {
    title: `A server of ${PEOPLE} sockets in ${BRANCHES} branches beside others' writes: its processor (product), and with one socket (yardstick)`,
    lines: RATES.flatMap((rate, at): Line[] => {
      const [many, one] = [crowd[at], alone[at]] as [Passed, Passed]
      return [
        {
          what: `${rate.toLocaleString('en')} writes/s (${Math.round(many.rate)} and ${Math.round(one.rate)} were done): share of a core`,
          product: `${(many.share * 100).toFixed(1)} %`,
          yardstick: `${(one.share * 100).toFixed(1)} %`,
          ratio: many.share / one.share,
          ...(rate === RATES.at(-1) && { goal: { text: `≤ ${GOAL * 100} % of a core`, met: many.share <= GOAL } }),
        },
        {
          what: `from the commit to the event (${many.delays.length}), median / p99`,
          product: `${ms(percentile(many.delays, 0.5))} / ${ms(percentile(many.delays, 0.99))}`,
          yardstick: `${ms(percentile(one.delays, 0.5))} / ${ms(percentile(one.delays, 0.99))}`,
        },
      ]
    }),
    notes: [
      `${SECONDS} s for each pace; a write of a branch is told to those of its ten people whose page shows visits`,
    ],
  }
}

/** Visits of all branches, by turns. */
async function bookVisits(network: Network): Promise<{ id: number; branch: Branch }[]> {
  const visits: { id: number; branch: Branch }[] = []
  const wanted = Array.from({ length: VISITS_OF_BRANCH }, () => network.branches).flat()
  await inGroups(wanted, async (branch) => {
    const { idUser, localStart } = branch.slot()
    const { id } = good(
      await branch.staff.registrar.ask('POST', '/appointments/book', {
        ...{ idCustomer: network.patient(), idFilial: branch.idFilial, localDate: network.today },
        coupons: [{ idUser, localStart, services: [{ idService: network.idService }] }],
      }),
    )
    visits.push({ id, branch })
  })
  return visits
}
