/**
 * Measures the product against a yardstick, in one run on one machine, so that the ratios are comparable:
 *
 *   node_modules/.bin/node bench/run.ts                    everything, about eight minutes
 *   node_modules/.bin/node bench/run.ts engine sockets     only the parts named: sockets, web, opening, board, deals, engine, tracing, uploads, neighbours
 *   node_modules/.bin/node bench/run.ts pages              bytes that each page loads, written into docs/bench.md
 *   node_modules/.bin/node bench/run.ts growth             reads at 20,000, 200,000 and 2,000,000 tasks; --sizes=20000,200000
 *   node_modules/.bin/node bench/run.ts search             Ctrl+K at 200,000 tasks and 20,000 deals
 *   node_modules/.bin/node bench/run.ts people             customers at 10,000, 100,000 and 1,000,000; --sizes=
 * node_modules/.bin/node bench/run.ts chats               an operator's workplace at 100,000 and 1,000,000 messages; --sizes=
 * node_modules/.bin/node bench/run.ts centre             200 operators and 2,000 visitors at once, with incoming calls
 *   node_modules/.bin/node bench/run.ts outage             a contact centre's day in ten minutes while servers are killed; --minutes=2
 *   node_modules/.bin/node bench/run.ts exchange            10,000 documents of ЕГИСЗ while servers are killed, journals of 10,000 and 1,000,000 messages; --documents= --sizes=
 *   node_modules/.bin/node bench/run.ts connect             10,000 receipts, payments, messages and calls while servers and the agent are killed, 300 agents; --documents=
 *   node_modules/.bin/node bench/run.ts network-day         a day of 50 branches and 1,500 people on three servers in 30 minutes; --minutes=3 --people=300
 *   node_modules/.bin/node bench/run.ts audience            a server of 500 sockets beside 1,000 writes a second of all branches
 *   node_modules/.bin/node bench/run.ts notify              commits of 24 writers with a NOTIFY in each, and without
 * node_modules/.bin/node bench/run.ts journal            the cost of the access journal per view
 * node_modules/.bin/node bench/run.ts customers          import of tables of 20,000 and 100,000 customers
 * node_modules/.bin/node bench/run.ts insured            a list of 20,000 insured people, and the same again
 *   node_modules/.bin/node bench/run.ts visits             free times beside 500,000 visits
 * node_modules/.bin/node bench/run.ts day                the grid of 30 doctors against 3, and concurrent booking; --attempts=5000
 * node_modules/.bin/node bench/run.ts doctor             documents, 100 prints at once, МКБ-10, search of settings, a key among 200 fields, writes beside 20 webhooks; --cases=keys,settings
 * node_modules/.bin/node bench/run.ts site               the home page of the demo clinic's site, against the same page as a file
 *   node_modules/.bin/node bench/run.ts laboratory         orders, the matrix and history at 600,000 and 20,000,000 results; devices while servers are killed; --sizes=
 * node_modules/.bin/node bench/run.ts moving             a clinic of 200,000 patients moves in; --patients=2000
 *   node_modules/.bin/node bench/run.ts money              an account of 5,000 lines, a month of 100,000 payments
 *   node_modules/.bin/node bench/run.ts starts             demo clinics that start at once on one machine; --clinics=8
 * node_modules/.bin/node bench/run.ts stock              the stock ledger at 50,000 and 5,000,000 moves, posting, a scan; --sizes=
 * node_modules/.bin/node bench/run.ts figures            reports, KPI and advertising of a month, alone and beside 36 months, in processor time; --sizes=3000,36
 * node_modules/.bin/node bench/run.ts finance            payroll of 300 employees and 60,000 services, advertising of 1,000,000 appeals
 * node_modules/.bin/node bench/run.ts reports            each report of a month and of three years at 50,000, 500,000 and 5,000,000 visits; --sizes=
 * node_modules/.bin/node bench/run.ts tab                a registrar's tab over a day of 2,000 pages; --navigations=
 * node_modules/.bin/node bench/run.ts upgrade            an update under work, from --before=../other
 * node_modules/.bin/node bench/run.ts writes             the cost of the visibility table per write, and the delay of events
 * node_modules/.bin/node bench/run.ts years              ten years of a network on paper, and what a base divided by branch would ask
 * … engine --cases=create,view    only these scenarios
 * … engine --before=../other      the engine against that of another checkout, with its modules
 * … opening --before=../other     openings against those of another checkout, built and with its modules
 *   … --tasks=20000     a smaller data set          … --cpu-prof     profiles of both servers in .cache/profiles
 *
 * Connects to 127.0.0.1 only; its database, files and processes are removed at the end, on Ctrl+C too.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { measureAudience } from './audience.ts'
import { SIZES } from './bigData.ts'
import { measureBoard } from './board.ts'
import { freshWeb } from './browser.ts'
import { measureCentre } from './centre.ts'
import { CHAT_SIZES, measureChats } from './chats.ts'
import { type BenchClinic, hold, releaseAll, startClinic } from './clinic.ts'
import { measureConnect } from './connect.ts'
import { measureCustomers } from './customers.ts'
import { measureDay } from './day.ts'
import { measureDeals } from './deals.ts'
import { measureDoctor } from './doctor.ts'
import { measureEngine } from './engine.ts'
import { EXCHANGE_SIZES, measureExchange } from './exchange.ts'
import { FIGURE_SIZES, measureFigures } from './figures.ts'
import { measureFinance } from './finance.ts'
import { GROWTH_SIZES, measureGrowth } from './growth.ts'
import { measureInsured } from './insured.ts'
import { LAB_SIZES, measureLaboratory } from './laboratory.ts'
import { measureMoney } from './money.ts'
import { MOVING_PATIENTS, measureMoving } from './moving.ts'
import { measureNeighbours } from './neighbours.ts'
import { measureNetworkDay, NETWORK } from './networkDay.ts'
import { measureNotify } from './notify.ts'
import { measureOpenings } from './opening.ts'
import { measureOutage, OUTAGE_MINUTES } from './outage.ts'
import { measurePages } from './pages.ts'
import { measureJournal, measurePeople, PEOPLE_SIZES } from './people.ts'
import { measureReports, REPORT_SIZES } from './reports.ts'
import { measureSearch } from './search.ts'
import { measureSite } from './site.ts'
import { measureSockets } from './sockets.ts'
import { measureStarts } from './starts.ts'
import { measureStock, STOCK_SIZES } from './stock.ts'
import { measureTab } from './tab.ts'
import { type Part, printTable } from './table.ts'
import { measureTracing } from './tracing.ts'
import { measureUpgrade } from './upgrade.ts'
import { measureUploads } from './uploads.ts'
import { measureVisits } from './visits.ts'
import { measureWeb } from './web.ts'
import { measureWrites } from './writes.ts'
import { measureYears } from './years.ts'

const TIME_LIMIT = 12 * 60_000
/** Creating two million tasks takes long, and so does a storm of 10,000 documents. */
const GROWTH_TIME_LIMIT = 100 * 60_000
const PROFILES = join(import.meta.dirname, '../.cache/profiles')

const parts: Record<string, (clinic: BenchClinic) => Promise<Part>> = {
  sockets: measureSockets,
  web: measureWeb,
  opening: async (clinic) => measureOpenings(clinic, await clinicBefore()),
  board: measureBoard,
  deals: measureDeals,
  engine: async (clinic) => measureEngine(clinic, cases, await clinicBefore()),
  tracing: measureTracing,
  uploads: measureUploads,
  neighbours: measureNeighbours,
}

/** Parts that open the web app in a browser. */
const inBrowser = ['web', 'opening', 'board', 'deals']

const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const tasks = Number(args.find((arg) => arg.startsWith('--tasks='))?.slice(8) ?? 0)
const sizes = args
  .find((arg) => arg.startsWith('--sizes='))
  ?.slice(8)
  .split(',')
  .map(Number)
const attempts = Number(args.find((arg) => arg.startsWith('--attempts='))?.slice(11) ?? 100_000)
const documents = Number(args.find((arg) => arg.startsWith('--documents='))?.slice(12) ?? 10_000)
const patients = Number(args.find((arg) => arg.startsWith('--patients='))?.slice(11) ?? MOVING_PATIENTS)
const navigations = Number(args.find((arg) => arg.startsWith('--navigations='))?.slice(14) ?? 2_000)
const clinics = Number(args.find((arg) => arg.startsWith('--clinics='))?.slice(10) ?? 8)
const minutes = Number(args.find((arg) => arg.startsWith('--minutes='))?.slice(10) ?? 0)
const people = Number(args.find((arg) => arg.startsWith('--people='))?.slice(9) ?? NETWORK.people)
const cases = args
  .find((arg) => arg.startsWith('--cases='))
  ?.slice(8)
  .split(',')
const profiled = args.includes('--cpu-prof') ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : []
const before = args.find((arg) => arg.startsWith('--before='))?.slice(9)
const asideParts: Record<string, () => Promise<Part>> = {
  audience: measureAudience,
  centre: measureCentre,
  chats: () => measureChats(sizes ?? CHAT_SIZES),
  figures: () => measureFigures(sizes ?? FIGURE_SIZES),
  finance: measureFinance,
  growth: () => measureGrowth(sizes ?? GROWTH_SIZES),
  connect: () => measureConnect(documents),
  customers: measureCustomers,
  doctor: () => measureDoctor(cases),
  exchange: () => measureExchange(documents, sizes ?? EXCHANGE_SIZES),
  insured: measureInsured,
  journal: measureJournal,
  laboratory: () => measureLaboratory(sizes ?? LAB_SIZES),
  'network-day': () => measureNetworkDay({ minutes: minutes || NETWORK.minutes, people }),
  notify: measureNotify,
  outage: () => measureOutage(minutes || OUTAGE_MINUTES),
  pages: measurePages,
  people: () => measurePeople(sizes ?? PEOPLE_SIZES),
  reports: () => measureReports(sizes ?? REPORT_SIZES),
  search: measureSearch,
  visits: measureVisits,
  day: () => measureDay(attempts),
  money: measureMoney,
  moving: () => measureMoving(patients, profiled),
  site: measureSite,
  starts: () => measureStarts(clinics),
  stock: () => measureStock(sizes ?? STOCK_SIZES),
  tab: () => measureTab(navigations),
  upgrade: () => measureUpgrade(before),
  writes: () => measureWrites(tasks || SIZES.tasks),
  years: measureYears,
}
const unknown = wanted.find((name) => !(name in parts) && !(name in asideParts))
if (unknown) {
  console.error(`No such part: ${unknown}. There are: ${Object.keys({ ...parts, ...asideParts }).join(', ')}`)
  process.exit(2)
}

let ending = false
async function end(code: number): Promise<never> {
  ending = true
  await releaseAll()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(130))

const aside = wanted.filter((name) => Object.hasOwn(asideParts, name))
const grows = aside.length > 0
const timeLimit = grows ? GROWTH_TIME_LIMIT : TIME_LIMIT

const began = Date.now()
const done: Part[] = []
let failed = false
const limit = setTimeout(() => {
  console.error(`Stopped after ${timeLimit / 60_000} minutes.`)
  printTable(done)
  void end(1)
}, timeLimit)
hold(() => clearTimeout(limit))

try {
  if (profiled.length > 0) mkdirSync(PROFILES, { recursive: true })
  for (const name of aside) {
    say(name)
    done.push(await (asideParts[name] as () => Promise<Part>)())
  }
  if (wanted.length === 0 || wanted.length > aside.length) await measureParts()
} catch (error) {
  failed = true
  if (!ending) console.error(error)
}
// On an interrupt the shutdown is already running and ends the process.
if (ending) await new Promise(() => {})
printTable(done)
say('done')
await end(failed ? 1 : 0)

async function measureParts(): Promise<void> {
  const isShown = inBrowser.some((name) => wanted.length === 0 || wanted.includes(name))
  if (isShown && !freshWeb()) say('the web app does not build at the moment: measured is the build before')
  say('starting PostgreSQL and making the data set')
  const clinic = await startClinic({
    // The storms without login come from many addresses.
    env: { TRUST_PROXY: '127.0.0.1' },
    ...(tasks ? { tasks } : {}),
    nodeArgs: profiled,
  })
  say(`${clinic.data.rows.toLocaleString('en')} rows in ${clinic.data.seconds.toFixed(1)} s`)
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    say(name)
    try {
      done.push(await measure(clinic))
    } catch (error) {
      if (ending) break
      failed = true
      console.error(error)
      done.push({
        title: name,
        lines: [],
        notes: [`failed: ${error instanceof Error ? error.message.split('\n')[0] : error}`],
      })
    }
  }
}

/** The clinic of another checkout, started by its own bench: its server, its web app, its own data. */
async function clinicBefore(): Promise<BenchClinic | undefined> {
  if (!before) return undefined
  say(`the data set of ${before}`)
  const other = (await import(join(resolve(before), 'bench/clinic.ts'))) as typeof import('./clinic.ts')
  hold(other.releaseAll)
  return other.startClinic(tasks ? { tasks } : {})
}

function say(what: string): void {
  console.error(`[${((Date.now() - began) / 1000).toFixed(0).padStart(3)} s] ${what}`)
}
