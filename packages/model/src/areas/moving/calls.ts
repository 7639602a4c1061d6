import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { importColumn } from '../imports/wire.ts'
import {
  choiceKinds,
  MoveFile,
  MoveProfile,
  moveClashes,
  moveFileStates,
  moveStrangers,
  moveTwins,
  pastStatuses,
} from './move.ts'
import { movePrograms, moveSums, moveTableKeys } from './tables.ts'

const access = 'mainSettings'
const table = z.enum(moveTableKeys)
const fate = z.enum(['new', 'changed', 'same', 'wrong', 'both', 'doubt', 'twin'])

const sum = z.object({
  kind: oneOf(moveSums),
  /** Patients, or buyers. */
  people: z.int(),
  /** Rubles; of bonuses: bonuses. The total of the whole file by the former program. */
  file: z.number(),
  /** Of them in rows that are left. */
  left: z.number(),
  /** Rows with an unreadable sum, which is in none of the figures above. */
  unread: z.int(),
})

const unknownName = z.object({
  kind: z.enum([...choiceKinds, 'statuses']),
  name: z.string(),
  rows: z.int(),
  /** The choice: a record, null to leave the rows, absent: nothing yet. */
  chosen: z
    .union([z.int(), oneOf(pastStatuses)])
    .nullable()
    .optional(),
  chosenName: z.string().optional(),
})

const profile = z.object({
  /** `yclients` for one that comes with the product, a number for the clinic's own. */
  key: z.string(),
  name: z.string(),
  program: oneOf(movePrograms),
  /** Where its columns are described; null: they were not checked against a document of that program. */
  source: z.string().nullable(),
  tables: z.array(table),
  own: z.boolean(),
})

export const movingCalls = {
  plan: call({
    method: 'GET',
    path: '/moving/:id/plan',
    summary: 'План переезда: таблицы, файлы, что загружено, суммы, неизвестные врачи и услуги',
    access,
    params: idParams,
    answer: z.object({
      tables: z.array(
        z.object({
          key: table,
          /** Of all files together, as they are. */
          loaded: z.int(),
          left: z.int(),
          files: z.array(
            z.object({
              id,
              fileName: z.string(),
              state: oneOf(moveFileStates),
              total: z.int(),
              done: z.int(),
              wrong: z.int(),
              message: z.string().nullable(),
            }),
          ),
        }),
      ),
      unknown: z.array(unknownName),
      busy: z.boolean(),
    }),
  }),
  upload: call({
    method: 'POST',
    path: '/moving/:id/files',
    summary: 'Загрузить таблицу переезда (поля table и file): XLSX, CSV, у файлов пациентов — ZIP с таблицей',
    access,
    params: idParams,
    bodyType: 'multipart',
    status: 201,
    limit: 60,
    answer: rowOf(MoveFile),
  }),
  template: call({
    method: 'GET',
    path: '/moving/templates/:table',
    summary: 'Файл XLSX для заполнения: колонки таблицы переезда и строки-примеры',
    access,
    params: z.object({ table }),
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  file: call({
    method: 'GET',
    path: '/moving/files/:id/seen',
    summary: 'Файл переезда: колонки, суммы репетиции, строки по виду и по замечанию, по страницам',
    access,
    params: idParams,
    query: z.strictObject({
      fate: fate.optional(),
      /** Rows with notes of one kind at one column, as `reasons` name them. */
      kind: z.string().max(1_000).optional(),
      field: z.string().max(200).optional(),
      /** Rows after this one; columns, reasons and sums come with the first page alone. */
      after: z.coerce.number<number>().int().min(0).default(0),
      limit: z.coerce.number<number>().int().min(1).max(200).default(50),
    }),
    answer: z.object({
      columns: z.array(importColumn),
      /** Reasons with how many rows have them, the most frequent first. */
      reasons: z.array(
        z.object({ field: z.string(), kind: z.string(), message: z.string(), rows: z.int(), isError: z.boolean() }),
      ),
      sums: z.array(sum),
      hasMore: z.boolean(),
      rows: z.array(
        z.object({
          row: z.int(),
          fate,
          externalId: z.string().nullable(),
          values: z.record(z.string(), z.string()),
          notes: z.array(z.object({ field: z.string(), message: z.string(), error: z.boolean() })),
        }),
      ),
    }),
  }),
  match: call({
    method: 'PUT',
    path: '/moving/files/:id/mapping',
    summary: 'Сопоставить колонки: явно, по профилю или заново по названиям и содержанию',
    access,
    params: idParams,
    body: z.strictObject({
      mapping: z.record(z.string().max(100), z.int().min(0).max(1000)).optional(),
      profile: z.string().max(40).optional(),
      /** Reads another sheet of the workbook. */
      sheet: z.string().max(100).optional(),
      twins: oneOf(moveTwins).optional(),
      strangers: oneOf(moveStrangers).optional(),
      clashes: oneOf(moveClashes).optional(),
    }),
    answer: rowOf(MoveFile),
  }),
  rehearse: call({
    method: 'POST',
    path: '/moving/files/:id/rehearse',
    summary: 'Репетиция: проверить строки файла в фоне, ничего не записывая',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  run: call({
    method: 'POST',
    path: '/moving/files/:id/run',
    summary: 'Загрузить проверенный файл в фоне; строки с ошибками остаются в списке',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  cancel: call({
    method: 'POST',
    path: '/moving/files/:id/cancel',
    summary: 'Остановить проверку; у загрузки — остановить и убрать загруженное',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  resume: call({
    method: 'POST',
    path: '/moving/files/:id/resume',
    summary: 'Продолжить с того места, где работа остановилась после нескольких попыток',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  drop: call({
    method: 'POST',
    path: '/moving/files/:id/drop',
    summary: 'Убрать файл, который не загружен: его строки удаляются',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  revert: call({
    method: 'POST',
    path: '/moving/files/:id/revert',
    summary: 'Отменить загрузку файла, пока с загруженным никто не работал; иначе 409 с тем, что держит',
    access,
    params: idParams,
    answer: rowOf(MoveFile),
  }),
  revertAll: call({
    method: 'POST',
    path: '/moving/:id/revert',
    summary: 'Отменить переезд целиком, в обратном порядке, пока с загруженным никто не работал; иначе 409',
    access,
    fresh: true,
    params: idParams,
    answer: z.object({ files: z.int() }),
  }),
  left: call({
    method: 'GET',
    path: '/moving/:id/left',
    summary: 'Строки, которые остались, с причинами: XLSX, лист на таблицу',
    access,
    params: idParams,
    query: z.strictObject({ file: idText.optional(), what: z.enum(['wrong', 'both']).default('wrong') }),
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  reconcile: call({
    method: 'GET',
    path: '/moving/:id/reconciliation',
    summary: 'Сверка: сколько строк и какие суммы в файлах, и те же по нашему учёту',
    access,
    params: idParams,
    answer: z.object({
      tables: z.array(
        z.object({
          key: table,
          rows: z.int(),
          taken: z.int(),
          same: z.int(),
          left: z.int(),
          here: z.int(),
          both: z.int(),
        }),
      ),
      sums: z.array(sum.extend({ here: z.number(), peopleHere: z.int() })),
    }),
  }),
  profiles: call({
    method: 'GET',
    path: '/moving/profiles-known',
    summary: 'Профили колонок: готовые и свои',
    access,
    answer: z.object({ items: z.array(profile) }),
  }),
  saveProfile: call({
    method: 'POST',
    path: '/moving/files/:id/profile',
    summary: 'Сохранить сопоставление файла профилем: новым или к тому, что есть с этим названием',
    access,
    params: idParams,
    body: z.strictObject({ name: z.string().trim().min(1).max(120) }),
    answer: rowOf(MoveProfile),
  }),
  profileFile: call({
    method: 'GET',
    path: '/moving/profiles-known/:key/file',
    summary: 'Профиль колонок файлом JSON',
    access,
    params: z.object({ key: z.string().max(40) }),
    file: 'application/json',
  }),
  takeProfile: call({
    method: 'POST',
    path: '/moving/profiles-known',
    summary: 'Взять профиль колонок из файла JSON',
    access,
    status: 201,
    body: z.strictObject({
      name: z.string().trim().min(1).max(120),
      program: oneOf(movePrograms),
      columns: z.partialRecord(table, z.record(z.string().max(100), z.array(z.string().max(200)).max(20))),
    }),
    answer: rowOf(MoveProfile),
  }),
} as const
