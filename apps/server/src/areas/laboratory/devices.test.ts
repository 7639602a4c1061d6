/** The ports of analysers: what a stranger can do there, and which process is connected to a device. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { reconcileDevices } from './deviceLines.ts'
import { frame, type Laboratory, makeLaboratory, resultOf } from './testing/laboratory.ts'
import { ACK, ENQ, EOT } from './wire/e1381.ts'
import { FS, VT } from './wire/mllp.ts'

const WAIT = { timeout: 30_000, interval: 50 }
let made: Laboratory
const sockets: Socket[] = []

beforeAll(async () => {
  made = await makeLaboratory({ env: { ANALYSER_NETWORKS: '127.0.0.1' } })
  await made.clinic.context.life.start()
  await reconcileDevices(made.clinic.context)
}, 120_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await made?.clinic.close()
})

const dial = (port: number, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.once('connect', () => resolve(socket)).once('error', reject)
    socket.on('error', () => undefined)
  })
const isClosed = (socket: Socket) => socket.closed || socket.destroyed
const lampOf = async (id: number, caller = made.lab) =>
  good(await caller.get('/laboratory/devices/lamps')).items.find((lamp: { id: number }) => lamp.id === id)
const count = async (table: 'laboratory_raw' | 'laboratory_strays', idDevice: number) => {
  const { db } = made.clinic
  const from = table === 'laboratory_raw' ? sql`laboratory_raw` : sql`laboratory_strays`
  const row = await db.one<{ n: number }>(sql`select count(*)::int as n from ${from} where "idDevice" = ${idDevice}`)
  return row?.n
}
/** A free port. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
const addDevice = async (more: object) => {
  const port = await freePort()
  const { id } = await made.post('laboratory/devices', { name: `Прибор ${port}`, protocol: 'hl7', port, ...more })
  await reconcileDevices(made.clinic.context)
  return { id: id as number, port }
}

describe('a port', () => {
  it('counts noise instead of storing each piece, and ends the work with its connection', async () => {
    const { id, port } = await addDevice({})
    const socket = await dial(port)
    socket.write(Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from([VT, 0x41, FS]))))
    await expect.poll(() => count('laboratory_strays', id), WAIT).toBe(1)
    // The last of them has been read when a message after them is answered.
    socket.write(Buffer.from([VT, ...Buffer.from('MSH|^~\\&|A|B|||2026||ORU^R01|1|P|2.3.1\r'), FS]))
    await new Promise((resolve) => socket.once('data', resolve))
    expect([await count('laboratory_raw', id), await count('laboratory_strays', id)]).toEqual([2, 1])
    await reconcileDevices(made.clinic.context)
    const { db } = made.clinic
    expect(await db.one(sql`select "times" from laboratory_strays where "idDevice" = ${id}`)).toEqual({
      times: 100_000,
    })
    socket.destroy()
    good(await made.lab.put(`/laboratory/devices/${id}`, { active: false }))
  })

  it('keeps two connections of a device: the oldest is closed, and answers go to the latest', async () => {
    const { ids, port } = made
    const first = await dial(port)
    await expect.poll(async () => (await lampOf(ids.device as number)).connections, WAIT).toBe(1)
    const second = await dial(port)
    await expect.poll(async () => (await lampOf(ids.device as number)).connections, WAIT).toBe(2)
    const third = await dial(port)
    await expect.poll(() => isClosed(first), WAIT).toBe(true)
    second.destroy()
    await expect.poll(async () => (await lampOf(ids.device as number)).connections, WAIT).toBe(1)
    const { barcode } = await made.taken()
    const [{ id }] = good(await made.lab.get(`/laboratory/samples?filter[barcode]=${barcode}`)).items
    good(await made.lab.post(`/laboratory/samples/${id}/resend`, { idDevice: ids.device }))
    await expect.poll(() => third.read()?.[0] ?? third.bytesRead, WAIT).toBeTruthy()
    third.destroy()
    await expect.poll(async () => (await lampOf(ids.device as number)).connections, WAIT).toBe(0)
    const away = await made.lab.post(`/laboratory/samples/${id}/resend`, { idDevice: ids.device })
    expect([away.status, away.body.code]).toEqual([409, 'away'])
  })

  it('belongs to the first address that connects; another one waits for a person', async () => {
    const { id, port } = await addDevice({})
    const own = await dial(port)
    await expect.poll(async () => (await lampOf(id)).connections, WAIT).toBe(1)
    const stranger = await dial(port, '127.0.0.2')
    await expect.poll(() => isClosed(stranger), WAIT).toBe(true)
    expect(isClosed(own)).toBe(false)
    expect(await lampOf(id)).toMatchObject({ state: 'error', words: expect.stringContaining('127.0.0.2') })
    expect((await made.nurse.post(`/laboratory/devices/${id}/address`, { accept: true })).status).toBe(403)
    const accepted = good(await made.lab.post(`/laboratory/devices/${id}/address`, { accept: true }))
    expect(accepted).toEqual({ address: '127.0.0.2' })
    await reconcileDevices(made.clinic.context)
    const moved = await dial(port, '127.0.0.2')
    await expect.poll(async () => (await lampOf(id)).state, WAIT).not.toBe('error')
    expect(isClosed(moved)).toBe(false)
    good(await made.lab.put(`/laboratory/devices/${id}`, { active: false }))
    await reconcileDevices(made.clinic.context)
    await expect.poll(() => isClosed(moved) && isClosed(own), WAIT).toBe(true)
  })

  it('answers a query with the tube only, unless the device is set to get more', async () => {
    const { id, port } = await addDevice({ direction: 'two' })
    await made.post('laboratory/device-codes', { idDevice: id, code: 'C', idAnalyte: made.ids.CHOL, unit: 'mmol/l' })
    const { barcode } = await made.taken()
    const asked = async () => {
      const socket = await dial(port)
      const reply = new Promise<Buffer>((resolve) => socket.once('data', resolve))
      const text = `MSH|^~\\&|BC|M|||2026||ORM^O01|4|P|2.3.1\rORC|RF||${barcode}||IP\r`
      socket.write(Buffer.from([VT, ...Buffer.from(text), FS, 13]))
      const answer = (await reply).toString()
      socket.destroy()
      return answer
    }
    const bare = await asked()
    expect(bare).toContain(`ORC|AF|${barcode}`)
    expect(bare).not.toMatch(/Больной|1980|Male/)
    good(await made.lab.put(`/laboratory/devices/${id}`, { patientData: 'name' }))
    await reconcileDevices(made.clinic.context)
    expect(await asked()).toMatch(/Больной\^Пётр[\s\S]*19800201/)
  })
})

describe('a device that is dialled', () => {
  let analyser: Server
  let second: Clinic
  let bySecond: Caller
  const connections: Socket[] = []
  const living = () => connections.filter((socket) => !isClosed(socket))
  let port: number
  let id: number

  beforeAll(async () => {
    port = await freePort()
    analyser = createServer((socket) => {
      connections.push(socket)
      socket.on('error', () => undefined)
      // A device acknowledges whatever it is sent.
      socket.on('data', (bytes) => {
        for (const byte of bytes) if (byte === ENQ || byte === 10) socket.write(Buffer.of(ACK))
      })
    })
    await new Promise<void>((resolve) => analyser.listen(port, '127.0.0.1', resolve))
    second = await made.clinic.secondProcess()
    await second.context.life.start()
    // A second sign-in would end the first.
    bySecond = second.withToken((await made.lab.token()) as string)
    const device = { name: 'Набираемый', protocol: 'astm', transport: 'tcp-client', host: '127.0.0.1', port }
    id = (await made.post('laboratory/devices', device)).id
    await made.post('laboratory/device-codes', { idDevice: id, code: '798/', idAnalyte: made.ids.CHOL, unit: 'mmol/l' })
    await Promise.all([reconcileDevices(made.clinic.context), reconcileDevices(second.context)])
  }, 60_000)
  afterAll(async () => {
    await second?.close()
    for (const socket of connections) socket.destroy()
    await new Promise((resolve) => analyser.close(resolve))
  })

  it('is dialled by one process; both show its lamp and send to it', async () => {
    await expect.poll(() => living().length, WAIT).toBe(1)
    await reconcileDevices(second.context)
    expect(connections).toHaveLength(1)
    for (const caller of [made.lab, bySecond])
      await expect.poll(async () => (await lampOf(id, caller)).connections, WAIT).toBe(1)
    const { barcode } = await made.taken()
    const [sample] = good(await made.lab.get(`/laboratory/samples?filter[barcode]=${barcode}`)).items
    await made.clinic.context.fanout.start()
    await second.context.fanout.start()
    for (const caller of [made.lab, bySecond])
      good(await caller.post(`/laboratory/samples/${sample.id}/resend`, { idDevice: id }))
    const states = () => made.clinic.db.query(sql`select "state" from laboratory_sendings where "idDevice" = ${id}`)
    await expect.poll(states, WAIT).toEqual([{ state: 'sent' }, { state: 'sent' }])
    // Its results come in by the same connection.
    living()[0]?.write(Buffer.concat([Buffer.of(ENQ), frame(1, resultOf(barcode, '4.4')), Buffer.of(EOT)]))
    const value = () => made.clinic.db.query(sql`select "value" from laboratory_results where "idDevice" = ${id}`)
    await expect.poll(value, WAIT).toEqual([{ value: '4.4' }])
  })

  it('is released when it is edited or switched off, and is taken over from a killed process', async () => {
    good(await made.lab.put(`/laboratory/devices/${id}`, { name: 'Переименованный' }))
    await Promise.all([reconcileDevices(made.clinic.context), reconcileDevices(second.context)])
    await expect.poll(() => [living().length, connections.length], WAIT).toEqual([1, 2])
    // The owner was killed: its claim gets no heartbeat any more.
    await made.clinic.db.query(sql`update laboratory_lines set "life" = gen_random_uuid() where "idDevice" = ${id}`)
    await Promise.all([reconcileDevices(made.clinic.context), reconcileDevices(second.context)])
    await expect.poll(() => living().length, WAIT).toBe(1)
    // A second device loses its connection after this one was switched off, and is dialled again as late as this one would be.
    const calls: Socket[] = []
    const witness = createServer((socket) => void calls.push(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of calls) socket.destroy()
      witness.close()
    })
    const other = {
      protocol: 'astm',
      transport: 'tcp-client',
      host: '127.0.0.1',
      port: (witness.address() as AddressInfo).port,
    }
    const { id: idOther } = await made.post('laboratory/devices', { name: 'Соседний', ...other })
    await reconcileDevices(made.clinic.context)
    await expect.poll(() => calls.length, WAIT).toBe(1)
    good(await made.lab.put(`/laboratory/devices/${id}`, { active: false }))
    await Promise.all([reconcileDevices(made.clinic.context), reconcileDevices(second.context)])
    await expect.poll(() => living().length, WAIT).toBe(0)
    const dialled = connections.length
    calls[0]?.destroy()
    await expect.poll(() => calls.length, WAIT).toBe(2)
    expect(connections).toHaveLength(dialled)
    good(await made.lab.put(`/laboratory/devices/${idOther}`, { active: false }))
    expect(await made.clinic.db.query(sql`select 1 from laboratory_lines where "idDevice" = ${id}`)).toEqual([])
  })

  it('may only be in the networks that the owner of the server has named', async () => {
    const refused = { name: 'Чужой', protocol: 'astm', transport: 'tcp-client', host: '10.1.2.3', port: 5432 }
    const { id: other } = await made.post('laboratory/devices', refused)
    await reconcileDevices(made.clinic.context)
    await expect
      .poll(async () => (await lampOf(other)).words, WAIT)
      .toBe('Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя')
    good(await made.lab.put(`/laboratory/devices/${other}`, { active: false }))
  })
})
