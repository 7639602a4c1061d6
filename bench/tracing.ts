/** Cost of traces: a server that traces its usual share beside one that traces nothing, in alternating turns. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BenchClinic, hold } from './clinic.ts'
import { load, loginOf, none, scenarios, summary } from './engine.ts'
import type { Part } from './table.ts'

const CONNECTIONS = 16
const TURNS = 8
const SECONDS = 3
/** As a share of the processor time of a request. */
const MOST = 1.03
const MEASURED = ['view by id', 'list 50, 2 expands, count', 'create']

export async function measureTracing(clinic: BenchClinic): Promise<Part> {
  let received = 0
  const collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length)).on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  hold(() => collector.close())
  const { port } = collector.address() as AddressInfo
  const servers = {
    plain: await clinic.another(),
    traced: await clinic.another({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }),
  }
  const tokens: string[] = []
  for (const id of clinic.data.idUsers.slice(0, CONNECTIONS))
    tokens.push(await clinic.signIn(await loginOf(clinic, id)))
  const lines = []
  for (const scenario of await scenarios(clinic, tokens)) {
    if (!MEASURED.includes(scenario.what)) continue
    const found = { plain: none(), traced: none() }
    for (const which of ['plain', 'traced'] as const) await load(servers[which], scenario, CONNECTIONS, SECONDS, none())
    for (let turn = 0; turn < TURNS; turn++)
      for (const which of turn % 2 === 0 ? (['plain', 'traced'] as const) : (['traced', 'plain'] as const))
        await load(servers[which], scenario, CONNECTIONS, SECONDS, found[which])
    const [traced, plain] = [summary(found.traced), summary(found.plain)]
    const ratio = traced.cpu / plain.cpu
    lines.push({
      what: `${scenario.what}: the server’s processor for one`,
      product: `${Math.round(traced.cpu * 1000)} µs`,
      yardstick: `${Math.round(plain.cpu * 1000)} µs`,
      ratio,
      goal: { text: `≤ ${MOST}`, met: ratio <= MOST },
    })
  }
  if (received === 0) throw new Error('nothing was traced')
  return {
    title: 'Traces of the usual share of the requests (1 %), beside none',
    lines,
    notes: [`${Math.round(received / 1000).toLocaleString('en')} kB were sent to the collector`],
  }
}
