/** Messages of the websocket: the realtime contract of docs/architecture.md. */

export interface Outgoing {
  controller: string
  action: string
  data?: unknown
}

export interface Incoming {
  controller: string
  action: string
  data: Record<string, unknown>
  meta: Record<string, unknown>
  isError: boolean
}

export interface Listener {
  path: string
  id?: number
  /** As in a list's query: `{ idColumn: 5 }` or `{ 'filter[idColumn]': '5' }`. */
  filter?: Record<string, unknown>
}

/** One change of a record. A restore is sent as a `create`. */
export interface LiveEvent {
  path: string
  action: 'create' | 'update' | 'delete'
  id: number
  /** The changed fields that the user may see. */
  fields: string[]
  seq: number
  idUser: number | null
  version: number | null
}

export const listenerKey = ({ path, id, filter }: Listener): string =>
  JSON.stringify([path, id ?? 0, filter ? Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)) : 0])

/** Undefined: not a message of the contract. */
export function readIncoming(text: unknown): Incoming | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const { controller, action, data, meta, isError } = JSON.parse(text)
    if (typeof controller !== 'string' || typeof action !== 'string') return undefined
    return { controller, action, data: data ?? {}, meta: meta ?? {}, isError: isError === true }
  } catch {
    return undefined
  }
}

const ACTIONS: readonly unknown[] = ['create', 'update', 'delete']

export function readEvent({ controller, action, data, meta }: Incoming): LiveEvent | undefined {
  if (controller === 'system' || !ACTIONS.includes(action)) return undefined
  if (typeof data.id !== 'number' || typeof meta.seq !== 'number') return undefined
  return {
    path: controller,
    action: action as LiveEvent['action'],
    id: data.id,
    fields: Array.isArray(data.fields) ? (data.fields as string[]) : [],
    seq: meta.seq,
    idUser: typeof meta.idUser === 'number' ? meta.idUser : null,
    version: typeof meta.version === 'number' ? meta.version : null,
  }
}
