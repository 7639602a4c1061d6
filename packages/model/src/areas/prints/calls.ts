import { z } from 'zod'
import { call, id, idParams, idText, oneOf } from '../../call.ts'
import { uploadCall } from '../files/calls.ts'
import { MAX_BODY, PrintFile, printed } from './printTemplate.ts'

const html = z.string().max(MAX_BODY, 'Шаблон слишком велик').nullable().default(null)

export const printCalls = {
  uploadFile: uploadCall(PrintFile),
  pdf: call({
    method: 'GET',
    path: '/print-templates/:id/pdf',
    summary:
      'Документ по шаблону для записи (record), PDF; номер выдаётся при первой печати, idFilial — филиал номера; version — прежняя редакция документа с номером. sample=1 — образец без номера',
    access: 'signed-in',
    params: idParams,
    query: z.strictObject({
      record: idText,
      idFilial: idText.optional(),
      version: idText.optional(),
      sample: z
        .enum(['0', '1'])
        .optional()
        .transform((value) => value === '1'),
    }),
    file: 'application/pdf',
  }),
  numbered: call({
    method: 'GET',
    path: '/print-templates/numbered',
    summary: 'Документы с номером, напечатанные для записи, и их прежние редакции с причинами',
    access: 'signed-in',
    query: z.strictObject({ entity: oneOf(printed), record: idText }),
    answer: z.object({
      items: z.array(
        z.object({
          idTemplate: id,
          name: z.string(),
          number: z.string(),
          version: z.int(),
          /** Of the first print; ISO. */
          date: z.string(),
          former: z.array(z.object({ version: z.int(), reason: z.string(), by: z.string(), date: z.string() })),
        }),
      ),
    }),
  }),
  reissue: call({
    method: 'POST',
    path: '/print-templates/:id/reissue',
    summary:
      'Перевыпустить документ с номером: новая редакция с сегодняшними реквизитами и именами; прежняя остаётся с причиной',
    access: 'signed-in',
    params: idParams,
    body: z.strictObject({ record: id, reason: z.string().trim().min(3, 'Напишите причину').max(300) }),
    answer: z.object({ number: z.string(), version: z.int() }),
  }),
  addReady: call({
    method: 'POST',
    path: '/print-templates/ready',
    summary: 'Добавить готовые шаблоны, которых в клинике ещё нет (по названию); имеющиеся не меняются',
    access: 'mainSettings',
    answer: z.object({ added: z.number().int() }),
  }),
  preview: call({
    method: 'POST',
    path: '/print-templates/preview',
    summary: 'Как заполнится текст шаблона данными записи (record): HTML и замечания; ничего не записывается',
    access: 'mainSettings',
    body: z.strictObject({
      entity: oneOf(printed),
      record: id.nullable().default(null),
      body: html,
      header: html,
      footer: html,
    }),
    answer: z.object({
      body: z.string(),
      header: z.string(),
      footer: z.string(),
      /** In Russian: unknown words, missing ends. */
      problems: z.array(z.string()),
    }),
  }),
}
