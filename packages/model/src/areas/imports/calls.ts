import { z } from 'zod'
import { anyRow, call, idParams, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { Import } from './import.ts'
import { importChanges, importErrors, importMapping, importPreview, tableReading } from './wire.ts'

const upload = z.string().regex(/^[0-9a-f]{32}$/, messages.choice)
const chosen = {
  upload,
  mapping: importMapping.optional(),
  reading: tableReading.optional(),
  params: anyRow.optional(),
}

export const importCalls = {
  preview: call({
    method: 'POST',
    path: '/imports/preview',
    summary: 'Загрузка файла (поле file, kind, params) и проверка его строк; ничего не создаётся',
    access: 'signed-in',
    bodyType: 'multipart',
    limit: 60,
    answer: importPreview,
  }),
  check: call({
    method: 'POST',
    path: '/imports/check',
    summary: 'Проверка загруженного файла с другими колонками, настройками, кодировкой или строкой заголовков',
    access: 'signed-in',
    body: z.strictObject(chosen),
    answer: importPreview,
  }),
  start: call({
    method: 'POST',
    path: '/imports',
    summary: 'Начать импорт загруженного файла; skipWrong — пропустить строки с ошибками, иначе всё или ничего',
    access: 'signed-in',
    status: 201,
    body: z.strictObject({ ...chosen, skipWrong: z.boolean().default(false) }),
    answer: rowOf(Import),
  }),
  cancel: call({
    method: 'POST',
    path: '/imports/:id/cancel',
    summary: 'Остановить идущий импорт и убрать созданное им в корзину',
    access: 'signed-in',
    params: idParams,
    answer: rowOf(Import),
  }),
  changed: call({
    method: 'GET',
    path: '/imports/:id/changed',
    summary: 'Созданное импортом, что с тех пор изменили другие',
    access: 'signed-in',
    params: idParams,
    answer: importChanges,
  }),
  revert: call({
    method: 'POST',
    path: '/imports/:id/revert',
    summary:
      'Отменить импорт: созданное уходит в корзину, изменённое получает прежние значения там, где их с тех пор не меняли; force — в корзину и то, что изменили другие (без него при таких записях 409)',
    access: 'signed-in',
    params: idParams,
    body: z.strictObject({ force: z.boolean().optional() }),
    answer: rowOf(Import),
  }),
  errors: call({
    method: 'GET',
    path: '/imports/:id/errors',
    summary: 'Ошибки импорта по строкам, у отменённого — и что осталось; format=csv — файлом',
    access: 'signed-in',
    params: idParams,
    query: z.strictObject({ format: z.enum(['json', 'csv']).default('json') }),
    answer: importErrors,
    file: 'text/csv',
  }),
  template: call({
    method: 'GET',
    path: '/imports/template',
    summary: 'Файл XLSX для заполнения: колонки и строки-примеры',
    access: 'signed-in',
    query: z.strictObject({ kind: z.string().max(64) }),
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
}
