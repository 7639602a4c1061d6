import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { Examination, ExaminationFile, examinationAccess } from './examination.ts'
import { GIVEN_PICTURE, MAX_OWN_PICTURE } from './template.ts'

/** Maximum terms per search. */
export const MAX_TERMS = 20

/** Parts of a draft by their names: `date`, `diagnoses`, `prescriptions`, `recommendations`, `values.рост`. */
const parts = z.record(z.string().max(60), z.unknown())

const reason = z
  .string(messages.string)
  .trim()
  .min(1, messages.required)
  .max(1000, messages.maxLength(1000))
  .refine((value) => !value.includes('\0'), messages.nul)

const version = z.strictObject({
  /** Version that the user has loaded. */
  _version: z.int().positive(),
})

const term = z.object({ code: z.string(), name: z.string(), group: z.string().nullable() })

export const examinationCalls = {
  uploadFile: uploadCall(ExaminationFile),
  save: call({
    method: 'POST',
    path: '/examinations/:id/save',
    summary:
      'Сохраняет изменённые части черновика. base — что в них стояло у спрашивающего: чужая правка той же части — 409 с кодом dispute, правки разных частей складываются',
    access: examinationAccess.create,
    params: idParams,
    body: z.strictObject({ changes: parts, base: parts }),
    answer: rowOf(Examination),
  }),
  finish: call({
    method: 'POST',
    path: '/examinations/:id/finish',
    summary: 'Черновик заполнен: проверяются обязательные поля',
    access: examinationAccess.create,
    params: idParams,
    body: version,
    answer: rowOf(Examination),
  }),
  reopen: call({
    method: 'POST',
    path: '/examinations/:id/reopen',
    summary: 'Завершённый и не подписанный осмотр снова становится черновиком',
    access: examinationAccess.create,
    params: idParams,
    body: version,
    answer: rowOf(Examination),
  }),
  sign: call({
    method: 'POST',
    path: '/examinations/:id/sign',
    summary:
      'Подпись врача: после неё осмотр не меняется. Изменённый с тех пор, как его прочли, не подписывается (409)',
    access: examinationAccess.create,
    params: idParams,
    body: version,
    answer: rowOf(Examination),
  }),
  correct: call({
    method: 'POST',
    path: '/examinations/:id/correct',
    summary: 'Черновик новой версии подписанного осмотра, с причиной; прежняя действует, пока новую не подпишут',
    access: examinationAccess.create,
    params: idParams,
    body: z.strictObject({ reason }),
    status: 201,
    answer: rowOf(Examination),
  }),
  print: call({
    method: 'GET',
    path: '/examinations/:id/print',
    summary: 'Осмотр на бумаге, PDF',
    access: examinationAccess.view,
    params: idParams,
    file: 'application/pdf',
  }),
  terms: call({
    method: 'GET',
    path: '/dictionaries/:code/search',
    summary: 'Термины справочника по началу кода или по словам названия, действующие в указанный день',
    access: [
      'viewExaminations',
      'examinationTemplatesSettings',
      'viewForeignExaminationTemplates',
      'viewElnList',
      'mainSettings',
    ],
    params: z.object({ code: z.string().min(1).max(40) }),
    query: z.object({ q: z.string().max(200).default(''), day: z.iso.date().optional() }),
    answer: z.array(term),
  }),
  addPicture: call({
    method: 'POST',
    path: '/examination-templates/pictures',
    summary: 'Свой рисунок для полей с метками: data-адрес PNG, JPEG или SVG; становится PNG',
    access: 'examinationTemplatesSettings',
    limit: 60,
    body: z.strictObject({
      picture: z
        .string(messages.string)
        .max(MAX_OWN_PICTURE * 1.4, `Рисунок не больше ${MAX_OWN_PICTURE / 1000} кБ`)
        .regex(GIVEN_PICTURE, 'Нужен рисунок PNG, JPEG или SVG'),
    }),
    status: 201,
    answer: z.object({ name: z.string() }),
  }),
  picture: call({
    method: 'GET',
    path: '/examination-templates/pictures/:name',
    summary: 'Свой рисунок клиники; для <img> вход подтверждает cookie файлов',
    access: 'public',
    params: z.object({ name: z.string().regex(/^[\da-f]{64}$/) }),
    file: 'image/png',
  }),
  restore: call({
    method: 'POST',
    path: '/examination-templates/:id/restore',
    summary: 'Ставит форму прежней версии новой версией шаблона',
    access: 'examinationTemplatesSettings',
    params: idParams,
    body: z.strictObject({ idVersion: id }),
    status: 200,
    answer: z.object({ version: z.int() }),
  }),
}

/** A term found by the search. */
export type FoundTerm = z.output<typeof term>
