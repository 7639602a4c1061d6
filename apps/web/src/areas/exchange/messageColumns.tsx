import { adapters } from '@ordinator/model/areas/exchange/exchangeMessage'
import { Muted } from '#kit/Words.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { eventWords } from './eventWords.ts'
import { type Message, MessageStatus } from './messageActions.tsx'

/** Milliseconds from which a duration is shown in seconds. */
const LONG_MS = 1_000

const lasted = (ms: number): string =>
  ms < LONG_MS ? `${ms} мс` : `${(ms / 1000).toLocaleString('ru', { maximumFractionDigits: 1 })} с`

/** Columns of messages, shared by all lists. */
export const messageColumns: readonly ColumnSpec<Message>[] = [
  { key: 'dateCreate', width: 150 },
  { key: 'adapter', width: 120, cell: ({ adapter }) => adapters[adapter] },
  { key: 'operation', width: 260, cell: ({ operation }) => eventWords(operation) },
  { key: 'idEntity', label: 'Запись', width: 96, cell: ({ idEntity }) => (idEntity === null ? null : `№ ${idEntity}`) },
  { key: 'status', width: 150, cell: (message) => <MessageStatus {...message} /> },
  { key: 'attempts', width: 96 },
  { key: 'dateNext', width: 160 },
  { key: 'errorText', width: 260 },
  {
    key: 'durationMs',
    label: 'Длилось',
    width: 110,
    cell: ({ durationMs }) => (durationMs === null ? null : <Muted className="tabular">{lasted(durationMs)}</Muted>),
  },
]
