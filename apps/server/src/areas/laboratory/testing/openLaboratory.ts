/** A laboratory for the tests of a file. */

import { connect } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { reconcileDevices } from '../deviceLines.ts'
import { ENQ, EOT } from '../wire/e1381.ts'
import { frame, type Laboratory, makeLaboratory } from './laboratory.ts'

export let made: Laboratory
export let clinic: Clinic
export let lab: Caller
export let nurse: Caller
export let ids: Record<string, number>

export const linesOf = (id: number) => made.linesOf(id)
export const scan = (code: string, step: string, more: object = {}) => made.scan(code, step, more)

export const taken = () => made.taken()
export const itemOf = (items: readonly { id: number; name: string }[], name: string) =>
  items.find((one) => one.name === name)?.id

/** Sends a message as the device does, and waits for this many acknowledgements. */
export const transmit = (text: string, acks = 2): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(made.port, '127.0.0.1')
    const received: number[] = []
    socket.setTimeout(30_000, () => reject(new Error('silence')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed after ${received.length} acknowledgements`)))
    socket.on('data', (bytes) => {
      received.push(...bytes)
      if (received.length < acks) return
      socket.end(Buffer.from([EOT]))
      resolve(received)
    })
    socket.write(Buffer.concat([Buffer.from([ENQ]), frame(1, text)]))
  })

/** A message of c311: records after H, each R with value, unit and R-9. */
export const message = (...records: readonly string[]) =>
  `H|\\^&|||c311|||||||P|1|${at++}\rP|1\r${records.join('\r')}\rL|1|N\r`
export const measured = (barcode: string, value: string, status = 'F', unit = 'mmol/l', code = '798/') =>
  `O|1|${barcode}||^^^${code}\rR|1|^^^${code}|${value}|${unit}||N||${status}`
let at = 20_260_201
export const open = async (): Promise<{ id: number; reason: string; value: string; idMessage: number }[]> =>
  good(await lab.get('/laboratory/strays?filter[status]=open&filter[reason][nin]=unfinished&sort=id&limit=100')).items

export const cellOf = async (id: number, analyte = ids.CHOL) =>
  good(await lab.get(`/laboratory/results/matrix?idOrder=${id}`)).rows[0].cells[String(analyte)]
export const enter = async (items: readonly { id: number; name: string }[], values: Record<string, string>) =>
  good(
    await lab.post('/laboratory/results/enter', {
      values: Object.entries(values).map(([name, value]) => ({
        idItem: itemOf(items, name),
        idAnalyte: ids[name],
        value,
      })),
    }),
  )
export const valuesOf = async (id: number) =>
  (await linesOf(id)).items.flatMap((item: { values: unknown[] }) => item.values) as {
    id: number
    name: string
    value: string
    flag: string | null
    reason: string | null
    status: string
  }[]
export const approve = async (id: number) => {
  const all = (await valuesOf(id)).map((one) => one.id)
  good(await lab.post('/laboratory/results/technical', { ids: all }))
  return lab.post('/laboratory/results/medical', { ids: all })
}
export const doctor = async (): Promise<number> => good(await nurse.post('/common/get-account', {})).user.identity.id
/** Notices that the doctor of an order got about it. */
export const noticesOf = async (idOrder: number, kind: string): Promise<{ text: string }[]> =>
  good(await nurse.get(`/notifications?filter[kind]=${kind}&filter[idEntity]=${idOrder}&limit=50`)).items
export const correct = (id: number, value: string) =>
  lab.post(`/laboratory/results/${id}/correct`, { value, reason: 'Проверка' })

/** Registers the set-up of the file's tests. */
export function openLaboratory(): void {
  beforeAll(async () => {
    made = await makeLaboratory()
    ;({ clinic, lab, nurse, ids } = made)
    await clinic.listen()
    // Opens the port of the analyser.
    await reconcileDevices(clinic.context)
  }, 120_000)
  afterAll(() => clinic?.close())
}
