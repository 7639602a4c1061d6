/** Messages of clients and their answers: the realtime contract of docs/architecture.md. */
import { badRequest, HttpError } from '#platform/errors.ts'
import { readJson } from '#platform/json.ts'
import type { FilterParams } from '#records/sight.ts'

const MAX_FILTER_KEYS = 20
const MAX_FILTER_VALUE = 1_000
const MAX_FILTER_DEPTH = 4
const MAX_PATH = 100
/** xid8 is unsigned, but no cluster will ever reach half of its range. */
const MAX_CURSOR = 2n ** 63n

export interface Listener {
  path: string
  id?: number
  filter?: FilterParams
  /** Equal for equal subscriptions. */
  key: string
}
export interface Wish extends Listener {
  since?: bigint
}

export type ClientMessage =
  | { action: 'ping' }
  | { action: 'addListener' | 'addListeners'; wishes: Wish[] }
  | { action: 'removeListener'; listener: Listener }

/** A message that cannot be processed, with the action of its answer. */
export class MessageError extends HttpError {
  readonly action: string

  constructor(action: string, error: HttpError) {
    super(error.status, error.message)
    this.action = action
  }
}

const ACTIONS = ['ping', 'addListener', 'addListeners', 'removeListener'] as const
type Plain = Record<string, unknown>

/**
 * Parses a text frame.
 * @param max subscriptions one message may contain
 * @throws MessageError
 */
export function readMessage(text: string, max: number): ClientMessage {
  let action = 'error'
  try {
    const message = object(parse(text), 'Сообщение')
    only(message, ['controller', 'action', 'data'], 'Сообщение')
    if (typeof message.action === 'string') action = message.action.slice(0, 64)
    if (message.controller !== 'system') {
      throw badRequest(`Неизвестный контроллер ${shown(message.controller)}: есть только «system»`)
    }
    if (!ACTIONS.includes(message.action as never)) {
      throw badRequest(`Неизвестное действие ${shown(message.action)}: есть ${ACTIONS.join(', ')}`)
    }
    return readAction(message.action as ClientMessage['action'], message.data, max)
  } catch (error) {
    throw new MessageError(action, error as HttpError)
  }
}

function readAction(action: ClientMessage['action'], given: unknown, max: number): ClientMessage {
  const data = given === undefined || (given === null && action === 'ping') ? {} : object(given, 'data')
  switch (action) {
    case 'ping':
      return { action }
    case 'addListener':
      return { action, wishes: [wish(data, undefined)] }
    case 'addListeners': {
      only(data, ['listeners', 'since'], 'data')
      if (!Array.isArray(data.listeners) || data.listeners.length === 0)
        throw badRequest('data.listeners: нужен непустой список')
      if (data.listeners.length > max) throw badRequest(`data.listeners: не больше ${max} подписок`)
      const since = cursor(data.since)
      return { action, wishes: data.listeners.map((one, n) => wish(object(one, `data.listeners[${n}]`), since)) }
    }
    case 'removeListener':
      only(data, ['path', 'id', 'filter'], 'data')
      return { action, listener: listener(data) }
  }
}

function wish(data: Plain, since: bigint | undefined): Wish {
  only(data, ['path', 'id', 'filter', 'since'], 'подписка')
  return { ...listener(data), since: cursor(data.since) ?? since }
}

function listener({ path, id, filter }: Plain): Listener {
  if (typeof path !== 'string' || path === '' || path.length > MAX_PATH)
    throw badRequest('path: нужна строка с путём записей')
  if (id !== undefined && !(Number.isSafeInteger(id) && (id as number) > 0))
    throw badRequest('id: нужно целое положительное число')
  const params = filter === undefined ? undefined : readFilter(object(filter, 'filter'))
  const key = JSON.stringify([path, id ?? 0, params ? Object.entries(params) : 0])
  return { path, id: id as number | undefined, filter: params, key }
}

/**
 * Normalises a filter, `{ idColumn: 5 }`, `{ name: { ilike: 'а' } }`, `{ 'filter[idColumn]': '5' }`, to list parameters
 * sorted by name. Undefined: it is empty.
 */
export function readFilter(filter: Plain): FilterParams | undefined {
  const found: [string, string][] = []
  const walk = (name: string, value: unknown, depth: number): void => {
    if (depth > MAX_FILTER_DEPTH) throw badRequest('filter: слишком большая вложенность')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) walk(`${name}[${key}]`, inner, depth + 1)
      return
    }
    found.push([name, scalar(name, value)])
    if (found.length > MAX_FILTER_KEYS) throw badRequest(`filter: не больше ${MAX_FILTER_KEYS} условий`)
  }
  for (const [key, value] of Object.entries(filter)) walk(paramName(key), value, 1)
  found.sort(([a], [b]) => (a < b ? -1 : 1))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

function paramName(key: string): string {
  if (key.length > MAX_PATH) throw badRequest('filter: слишком длинное имя условия')
  if (key.startsWith('filter[')) return key
  const bracket = key.indexOf('[')
  return bracket < 0 ? `filter[${key}]` : `filter[${key.slice(0, bracket)}]${key.slice(bracket)}`
}

function scalar(name: string, value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((one) => scalar(name, Array.isArray(one) ? undefined : one)).join(',')
    : one(value)
  if (text === undefined || text.length > MAX_FILTER_VALUE) {
    throw badRequest(
      `${name.slice(0, MAX_PATH)}: нужна строка, число, логическое значение или их список, не длиннее ${MAX_FILTER_VALUE} знаков`,
    )
  }
  return text
}

function one(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return typeof value === 'boolean' ? (value ? '1' : '0') : undefined
}

function cursor(since: unknown): bigint | undefined {
  if (since === undefined || since === null) return undefined
  const text = typeof since === 'number' && Number.isSafeInteger(since) ? String(since) : since
  if (typeof text === 'string' && /^\d{1,19}$/.test(text) && BigInt(text) < MAX_CURSOR) return BigInt(text)
  throw badRequest('since: нужен курсор из meta.cursor')
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    throw badRequest('Сообщение — не JSON')
  }
}

function object(value: unknown, name: string): Plain {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest(`${name}: нужен объект`)
  return value as Plain
}

function only(given: Plain, names: string[], name: string): void {
  const strange = Object.keys(given).find((key) => !names.includes(key))
  if (strange !== undefined) throw badRequest(`${name}: неизвестное поле ${shown(strange)}`)
}

const shown = (value: unknown): string => (typeof value === 'string' ? `«${value.slice(0, 64)}»` : '(не строка)')

/** Text of a message from the server. */
export function systemMessage(action: string, data: object = {}, isError = false): string {
  return JSON.stringify({ controller: 'system', action, data, meta: {}, isError })
}

/** The answer for an error; an error not meant for people becomes a generic server error. */
export function errorMessage(action: string, error: unknown): string {
  const { status, message } = error instanceof HttpError ? error : new HttpError(500, 'Внутренняя ошибка сервера')
  return systemMessage(action, { status, message }, true)
}
