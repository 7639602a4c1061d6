/** Maps every failure to its HTTP answer: the error part of the HTTP contract. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, databaseAway, fromPgError, HttpError, noSpace } from './errors.ts'
import { JsonLimit } from './json.ts'
import type { Logger } from './log.ts'

interface ErrorBody {
  name: string
  message: string
  status: number
  code?: string
  requestId: string
}

const NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  411: 'LengthRequired',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  422: 'ValidationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  501: 'NotImplemented',
  503: 'Unavailable',
  507: 'InsufficientStorage',
}

const MESSAGES: Record<number, string> = {
  400: 'Запрос составлен неверно',
  401: 'Необходимо войти в систему',
  403: 'Вам не разрешено выполнять данное действие',
  404: 'Страница не найдена',
  405: 'Действие здесь недоступно',
  408: 'Запрос передавался слишком долго',
  409: 'Запись изменена другим пользователем',
  411: 'Не указан размер запроса',
  412: 'Условие запроса не выполнено',
  413: 'Слишком большой объём данных',
  414: 'Слишком длинный адрес',
  415: 'Неподдерживаемый тип данных',
  416: 'Такой части у файла нет',
  422: 'Данные заполнены неверно',
  429: 'Слишком много запросов, повторите позже',
  431: 'Слишком большие заголовки запроса',
  500: 'Внутренняя ошибка сервера',
  503: 'Сервер временно недоступен, повторите позже',
}

/** Errors of Fastify and its plugins; others are described by their status. */
const BY_CODE: Record<string, string> = {
  FST_ERR_BAD_URL: 'Адрес запроса составлен неверно',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'Тело запроса пусто',
  FST_ERR_CTP_INVALID_JSON_BODY: 'Тело запроса — не JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Размер тела запроса не совпадает с указанным',
  FST_ERR_MAX_PARAM_LENGTH: 'Слишком длинный адрес',
  FST_REQ_FILE_TOO_LARGE: 'Файл слишком большой',
  FST_FILES_LIMIT: 'Слишком много файлов',
  FST_FIELDS_LIMIT: 'Слишком много полей',
  FST_PARTS_LIMIT: 'Слишком много полей',
  FST_PROTO_VIOLATION: 'Поля с таким именем в форме быть не может',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'Нужен запрос multipart/form-data',
}

/** Messages of busboy (which has no codes) for a malformed multipart body. */
const BROKEN_FORM =
  /multipart (data|boundary)|^Multipart: |^Unexpected end of (form|file)|^Malformed (part header|urlencoded form|content type)|^(Unsupported|Missing) content.type/i

/** Network failures on the way to the database. */
const OFFLINE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'])

const LOST =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/
/** Errors of a full disk. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

export function answerErrors(server: FastifyInstance, log: Logger): void {
  server.setErrorHandler((error, request, reply) => answer(error, request, reply, log))
  server.setNotFoundHandler((request, reply) =>
    answer(new HttpError(404, MESSAGES[404] as string), request, reply, log),
  )
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const known = toHttpError(error)
  if (known.status >= 500) {
    log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed')
  }
  if (known.headers) reply.headers(known.headers)
  reply.code(known.status).type('application/json; charset=utf-8')
  if (known.body !== undefined) {
    return reply.send(typeof known.body === 'string' ? known.body : JSON.stringify(known.body))
  }
  return reply.send(JSON.stringify(bodyOf(known.status, known.message, known.code, request.id)))
}

function bodyOf(status: number, message: string, code: string | undefined, requestId: string): ErrorBody {
  return { name: NAMES[status] ?? 'Error', message, status, ...(code === undefined ? {} : { code }), requestId }
}

/** Converts any error to the answer sent; 500 is a fault of the server. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof JsonLimit) return badRequest(error.message)
  const pg = fromPgError(error)
  if (pg) return pg
  const { statusCode, code, message } = error as Partial<FastifyError>
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const text = (code !== undefined ? BY_CODE[code] : undefined) ?? MESSAGES[statusCode] ?? (MESSAGES[400] as string)
    return new HttpError(code === 'FST_INVALID_MULTIPART_CONTENT_TYPE' ? 415 : statusCode, text)
  }
  if (message !== undefined && BROKEN_FORM.test(message)) return new HttpError(400, 'Форма с файлом составлена неверно')
  if (error instanceof SyntaxError && statusCode === 400) return new HttpError(400, MESSAGES[400] as string)
  if (code !== undefined && FULL.has(code)) return noSpace()
  if ((code !== undefined && OFFLINE.has(code)) || isLostConnection(message)) return databaseAway()
  if (statusCode === 503) return new HttpError(503, MESSAGES[503] as string, { headers: { 'retry-after': '2' } })
  return new HttpError(500, MESSAGES[500] as string)
}

/** Messages of pg (without codes) when no connection is available or the current one is lost. */
function isLostConnection(message: string | undefined): boolean {
  return message !== undefined && LOST.test(message)
}

/** For failures before a request exists: too long headers, bytes that are not HTTP, a silent client. */
export function answerBrokenClient(
  error: NodeJS.ErrnoException,
  socket: Socket,
  fixed: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  answerBare(
    socket,
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400,
    fixed,
  )
}

/** Writes an answer to a socket without a Fastify reply, and closes it. */
export function answerBare(
  socket: Duplex,
  status: number,
  fixed: Readonly<Record<string, string>>,
  message = MESSAGES[status] as string,
): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(bodyOf(status, message, undefined, ''))
  socket.end(
    `HTTP/1.1 ${status} ${NAMES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      Object.entries(fixed)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
