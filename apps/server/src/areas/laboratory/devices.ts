/** Calls of analysers: their connections, their log, and what they sent that was not understood. */
import { laboratoryCalls, MAX_LOG } from '@ordinator/model/areas/laboratory/calls'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import sql from 'sql-template-tag'
import { HttpError, notFound } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { type LineState, lineStatesSql, sendToDevice } from './deviceLines.ts'
import { type Device, rereadMessage, worklistOf } from './intake.ts'
import { decode, writeAstm } from './wire/e1394.ts'

const LOG_TEXT = 4_000

export const lamps = operation(laboratoryCalls.lamps, async ({ app, records }) => {
  const devices = await records.rows(LabDevice, { limit: '200', sort: 'name' })
  const strays = await app.db.reads.query<{ id: number; n: number }>(
    sql`select "idDevice" as id, count(*)::int as n from laboratory_strays where "status" = 'open' group by 1`,
  )
  const open = new Map(strays.map(({ id, n }) => [id, n]))
  const states = await app.db.reads.query<LineState>(lineStatesSql())
  const lines = new Map(states.map((state) => [state.idDevice, state]))
  return {
    items: devices.map((device) => ({
      id: device.id,
      name: device.name,
      askedHost: device.askedHost,
      ...lampOf(device, lines.get(device.id)),
      connections: lines.get(device.id)?.connections ?? 0,
      lastSeen: device.lastSeen,
      open: open.get(device.id) ?? 0,
    })),
  }
})

function lampOf(
  device: Device,
  line: LineState | undefined,
): { state: 'ok' | 'quiet' | 'waiting' | 'error' | 'off'; words: string } {
  if (!device.active) return { state: 'off', words: 'Выключен' }
  if (line?.error) return { state: 'error', words: line.error }
  if (device.askedHost)
    return { state: 'error', words: `Отклонено подключение с адреса ${device.askedHost}: проверьте адрес прибора` }
  if (line && line.waiting > 0) return { state: 'waiting', words: `${line.waiting} байт без конца` }
  const quiet = device.lastSeen === null ? undefined : Math.floor((Date.now() - Date.parse(device.lastSeen)) / 60_000)
  if (line && line.connections === 0)
    return { state: 'quiet', words: quiet === undefined ? 'Не подключался' : `Не подключён, молчит ${minutes(quiet)}` }
  if (quiet === undefined) return { state: 'quiet', words: 'Ещё ничего не прислал' }
  if (quiet >= (device.quietMinutes ?? 30)) return { state: 'quiet', words: `Молчит ${minutes(quiet)}` }
  return { state: 'ok', words: 'На связи' }
}

const minutes = (count: number): string =>
  count < 60 ? `${count} мин` : count < 48 * 60 ? `${Math.floor(count / 60)} ч` : `${Math.floor(count / 1440)} дн.`

export const log = operation(laboratoryCalls.log, async ({ app, records, actor, params, query }) => {
  const device = await records.row(LabDevice, params.id)
  await app.journal({
    action: 'view',
    idUser: actor.id,
    entityType: LabDevice.path,
    idEntity: device.id,
    basis: 'Журнал прибора',
  })
  const rows = await app.db.reads.query<{
    id: number
    at: string
    state: 'done'
    direction: 'in' | 'out'
    bytes: number
    text: Buffer
    note: string | null
    results: number
  }>(sql`
    select "id", "at", "state", "direction", octet_length("bytes") as bytes, substring("bytes" from 1 for ${LOG_TEXT}) as text, "note", "results"
    from laboratory_raw where "idDevice" = ${device.id} and (${query.before ?? null}::bigint is null or "id" < ${query.before ?? null})
    order by "id" desc limit ${MAX_LOG + 1}`)
  const shown = rows.slice(0, MAX_LOG)
  return {
    items: shown.map((row) => ({
      ...row,
      at: new Date(row.at).toISOString(),
      text: visible(decode(row.text)),
      cut: row.bytes > LOG_TEXT,
    })),
    next: rows.length > MAX_LOG ? (shown.at(-1)?.id ?? null) : null,
  }
})

const controls: Readonly<Record<number, string>> = {
  2: '␂',
  3: '␃',
  4: '␄',
  5: '␅',
  6: '␆',
  11: '␋',
  21: '␕',
  23: '␗',
  28: '␜',
}
/** Readable text: one record per line, other control characters as symbols. */
const visible = (text: string): string =>
  [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')].map((char) => controls[char.charCodeAt(0)] ?? char).join('')

export const reread = operation(laboratoryCalls.reread, ({ records, params }) =>
  records.tx(async (inner, tx) => {
    const taken = await rereadMessage(inner, tx, params.id)
    if (!taken) throw notFound('Такого сообщения в журнале нет')
    return { results: taken.results, strays: taken.strays }
  }),
)

export const resend = operation(laboratoryCalls.resend, async ({ app, records, params, body }) => {
  const sample = await records.row(LabSample, params.id)
  const device = await records.row(LabDevice, body.idDevice)
  if (device.protocol !== 'astm' || device.direction !== 'two')
    throw new HttpError(409, 'Этому прибору задания не отправляют: он спрашивает их сам', { code: 'direction' })
  const order = await worklistOf(app.db, device, sample.barcode)
  if (!order) throw new HttpError(409, 'Для этого прибора у пробы нет исследований', { code: 'empty' })
  const isSent = await app.db.tx((tx) => sendToDevice(tx, device.id, writeAstm([order], Date.now())))
  if (!isSent) throw new HttpError(409, 'Прибор не на связи', { code: 'away' })
  return { sent: true }
})

/** Takes the address of the latest refused connection as the device's own, or forgets it. */
export const settleAddress = operation(laboratoryCalls.settleAddress, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    await tx.query(sql`select 1 from laboratory_devices where "id" = ${params.id} for update`)
    const { askedHost } = await inner.row(LabDevice, params.id)
    if (!askedHost) throw new HttpError(409, 'Уже решено', { code: 'transition' })
    await inner.asSystem.update(LabDevice, params.id, {
      ...(body.accept && { pinnedHost: askedHost, host: null }),
      askedHost: null,
    })
    return { address: body.accept ? askedHost : null }
  }),
)
