import { z } from 'zod'
import { call, day, id, idParams, idText, inParts, oneOf, rowOf, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { CHAT_FILES } from './chatFiles.ts'
import { MAX_MESSAGE } from './liveAssist.ts'
import { OnlineDialog, OnlineFile, OnlineMessage, type OnlineStatus, onlineKinds } from './online.ts'

const clientId = z.string().regex(/^[\w-]{8,64}$/, 'Ключ: 8–64 знака, латинские буквы, цифры, _ и -')
const messageText = z
  .string(messages.string)
  .trim()
  .max(MAX_MESSAGE, messages.maxLength(MAX_MESSAGE))
  .refine((value) => !value.includes('\0'), messages.nul)
const words = messageText.min(1, messages.required)

/** A file of a line, for the patient. */
export interface PatientFile {
  id: number
  name: string
  /** A thumbnail exists. */
  isPicture: boolean
  isSound: boolean
}

/** A line, for the patient. */
export interface PatientLine {
  seq: number
  author: 'patient' | 'staff' | 'system'
  clientId: string | null
  text: string
  files: PatientFile[]
  /** «Алина»; null: not an employee. */
  by: string | null
  dateCreate: string
  isEdited: boolean
  isRemoved: boolean
  state: 'sent' | 'read'
}

export interface PatientTalk {
  dialog: { id: number; status: OnlineStatus; unread: number; mayRate: boolean } | null
  /** The last lines of the open or the latest dialogue; with a cursor, those changed after it. */
  lines: PatientLine[]
  /** Grows with every change; the next request waits for a change after it. */
  cursor: number
}

/** Answer times over a period. Seconds; null: no data. */
export interface OnlineFigures {
  count: number
  frt: number | null
  art: number | null
  aht: number | null
  /** Shares, 0–1. */
  sla: number | null
  csat: number | null
  missed: number
  /** As `counting`. */
  run?: number | undefined
}

/** Id of a paid dialogue with a doctor; absent: the dialogue with the clinic. */
const ofDialog = z.object({ dialog: idText.optional() })
const staff = { access: 'onlineChat', params: idParams } as const
const patient = { access: 'public' } as const

export const onlineCalls = {
  send: call({
    method: 'POST',
    path: '/service-online/:id/messages',
    summary: 'Ответить пациенту; повтор с тем же clientId отвечает первым',
    ...staff,
    body: z.strictObject({
      clientId,
      text: messageText,
      /** Uploaded before; a message without files needs text. */
      files: z.array(id).max(CHAT_FILES, `Не больше ${CHAT_FILES} файлов за раз`).default([]),
    }),
    status: 201,
    answer: rowOf(OnlineMessage),
  }),
  edit: call({
    method: 'POST',
    path: '/service-online/messages/:id/edit',
    summary: 'Изменить своё сообщение: 15 минут, прежний текст остаётся в истории',
    ...staff,
    body: z.strictObject({ text: words }),
    answer: rowOf(OnlineMessage),
  }),
  remove: call({
    method: 'POST',
    path: '/service-online/messages/:id/remove',
    summary: 'Убрать своё сообщение: пациент видит, что оно удалено, текст остаётся в истории',
    ...staff,
    answer: rowOf(OnlineMessage),
  }),
  take: call({
    method: 'POST',
    path: '/service-online/:id/take',
    summary: 'Взять диалог себе; from — у кого он по-вашему сейчас',
    ...staff,
    body: z.strictObject({ from: id.nullable() }),
    answer: rowOf(OnlineDialog),
  }),
  transfer: call({
    method: 'POST',
    path: '/service-online/:id/transfer',
    summary: 'Передать диалог сотруднику или вернуть в очередь; kind меняет, кому пишет пациент',
    ...staff,
    body: z.strictObject({ idUser: id.nullable(), kind: oneOf(onlineKinds).optional() }),
    answer: rowOf(OnlineDialog),
  }),
  uploadFile: uploadCall(OnlineFile),
  close: call({
    method: 'POST',
    path: '/service-online/:id/close',
    summary: 'Закрыть диалог: чем он закончился',
    ...staff,
    body: z.strictObject({
      reason: z.string(messages.string).trim().min(1, messages.required).max(300, messages.maxLength(300)),
    }),
    answer: rowOf(OnlineDialog),
  }),
  read: call({
    method: 'POST',
    path: '/service-online/:id/read',
    summary: 'Прочитано до сообщения пациента с этим номером',
    ...staff,
    body: z.strictObject({ no: z.int().min(0).max(1_000_000) }),
  }),
  counts: call({
    method: 'GET',
    path: '/service-online/counts',
    summary: 'Сколько диалогов ждут: свои и без ответа',
    access: 'onlineChat',
    answer: z.object({ mine: z.int(), waiting: z.int(), unread: z.int() }),
  }),
  figures: call({
    method: 'GET',
    path: '/service-online/figures',
    summary: 'Как скоро отвечают пациентам: первый и средний ответ, обработка, доля в срок, оценки, пропущенные',
    access: 'displayTableServiceOnline',
    query: z.object({ from: day, to: day, idFilial: idText.optional() }),
    answer: shapeOf<OnlineFigures>(),
  }),
  talk: call({
    ...patient,
    method: 'GET',
    path: '/portal/dialog',
    summary: 'Разговор пациента с клиникой; ждёт нового после cursor до wait секунд',
    waits: true,
    limit: 60,
    query: z.object({
      cursor: z.coerce.number<number>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
      wait: z.coerce.number<number>().int().min(0).max(25).default(0),
      ...ofDialog.shape,
    }),
    answer: shapeOf<PatientTalk>(),
  }),
  say: call({
    ...patient,
    method: 'POST',
    path: '/portal/dialog',
    summary: 'Сообщение пациента; повтор с тем же clientId отвечает первым',
    limit: 120,
    bodyLimit: 64 * 1024,
    query: ofDialog,
    body: z.strictObject({ clientId, text: words }),
    status: 201,
    also: [200],
    answer: z.object({ seq: z.int(), clientId: z.string() }),
  }),
  sendFile: call({
    ...patient,
    method: 'POST',
    path: '/portal/dialog/files',
    summary: 'Файл пациента, сразу сообщением: до 10 МБ, картинки, pdf, docx, звук',
    limit: 30,
    bodyType: 'multipart',
    query: ofDialog.extend({ clientId }),
    status: 201,
    also: [200],
    answer: z.object({ seq: z.int(), clientId: z.string() }),
  }),
  file: call({
    ...patient,
    method: 'GET',
    path: '/portal/dialog/files/:id',
    summary: 'Файл из разговора пациента; small — картинка поменьше',
    params: idParams,
    query: z.object({ small: z.string().optional() }),
    ...inParts,
    file: 'application/octet-stream',
  }),
  seen: call({
    ...patient,
    method: 'POST',
    path: '/portal/dialog/read',
    summary: 'Пациент прочитал всё',
    query: ofDialog,
  }),
  rate: call({
    ...patient,
    method: 'POST',
    path: '/portal/dialog/rating',
    summary: 'Оценка закрытого разговора, один раз',
    query: ofDialog,
    body: z.strictObject({ rating: z.int(messages.integer).min(1, messages.min(1)).max(5, messages.max(5)) }),
  }),
}
