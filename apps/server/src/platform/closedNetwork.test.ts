import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const server = createServer((_request, response) => void response.end('reached'))
let port = 0

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
beforeAll(() => {
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** What reaches the server out of a process whose network is closed to all but a database. */
async function reached(databaseUrl: string): Promise<unknown> {
  const program = `
    import { get } from 'node:http'
    import { connect } from 'node:net'
    import { closeNetwork } from ${JSON.stringify(new URL('./closedNetwork.ts', import.meta.url).href)}
    closeNetwork(${JSON.stringify(databaseUrl)})
    const url = 'http://127.0.0.1:${port}/'
    const ways = {
      fetch: () => fetch(url).then((answer) => answer.text()),
      http: () => new Promise((resolve, reject) => get(url, () => resolve('reached')).on('error', reject)),
      net: () => new Promise((resolve, reject) => connect(${port}, '127.0.0.1', () => resolve('reached')).on('error', reject)),
      options: () => new Promise((resolve, reject) => connect({ port: ${port}, host: 'localhost' }, () => resolve('reached')).on('error', reject)),
      socket: () => new Promise((resolve, reject) => connect('/nowhere.sock', () => resolve('reached')).on('error', reject)),
    }
    const found = {}
    for (const [name, way] of Object.entries(ways)) found[name] = await way().catch((error) => (error.cause ?? error).message)
    console.log(JSON.stringify(found))
    process.exit(0)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
  return JSON.parse(stdout)
}

const closed = 'a training clinic connects to nothing outside'

test('a process with a closed network reaches its database and nothing else, however it connects', async () => {
  expect(await reached('postgres://someone:word@/base?host=/run/pg')).toEqual({
    fetch: closed,
    http: closed,
    net: closed,
    options: closed,
    socket: closed,
  })
  // The same rule as the database's.
  const own = await reached(`postgres://someone@127.0.0.1:${port}/base?options=-c%20search_path%3Dtraining`)
  expect(own).toMatchObject({ fetch: 'reached', http: 'reached', net: 'reached', options: closed, socket: closed })
})
