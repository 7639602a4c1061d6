/** Calls of regulations (spec §7): the whole, versions, transitions and reading. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { uploadCall } from '../files/calls.ts'
import { decisions } from './regulation.ts'
import { RegulationRun } from './run.ts'
import { regulationStatuses } from './status.ts'
import { RegulationFile } from './step.ts'
import {
  MAX_PARTS,
  person,
  regulationBody,
  regulationDifference,
  regulationImport,
  regulationView,
  stageScript,
} from './wire.ts'

/** Documents a minute from one address. */
const PAPERS = 60
/** Same limit as in the server's platform/outbound.ts. */
const MAX_URL = 2000
const MAX_PEOPLE = 500
/** Roles in an audience, which is read at once. */
const MAX_ROLES = 100

const named = z.strictObject({ id: idText })
const paper = z.strictObject({ id: idText, sheet: z.enum(['1']).optional() })
const { none: _, ...made } = decisions

const audienceBody = z.strictObject({
  /** Names from `GET /regulations/roles/index`. */
  roles: z.array(z.string()).max(MAX_ROLES),
  idUsers: z.array(id).max(MAX_PEOPLE - MAX_ROLES),
})

const ofStep = z.strictObject({ stepId: idText })
const parts = z.array(id).max(MAX_PARTS)

const ending = <const N extends string>(name: N, summary: string) =>
  call({
    method: 'POST',
    path: `/regulations/runs/:id/${name}` as const,
    summary,
    access: 'signed-in',
    params: idParams,
    answer: rowOf(RegulationRun),
  })

export const regulationCalls = {
  uploadFile: uploadCall(RegulationFile),
  view: call({
    method: 'GET',
    path: '/regulations/model/view',
    summary: 'Регламент с шагами, версиями, согласующими и тем, что с ним можно сделать',
    access: 'signed-in',
    query: named,
    answer: regulationView,
  }),
  create: call({
    method: 'POST',
    path: '/regulations/model/create',
    summary: 'Новый регламент с шагами — черновик',
    access: 'editScripts',
    body: regulationBody,
    status: 201,
    answer: regulationView,
  }),
  update: call({
    method: 'POST',
    path: '/regulations/model/update',
    summary: 'Изменение регламента; шаги приводятся к присланному списку, без него остаются как есть',
    access: 'editScripts',
    query: named,
    body: regulationBody,
    answer: regulationView,
  }),
  remove: call({
    method: 'DELETE',
    path: '/regulations/model/delete',
    summary: 'Регламент — в корзину: черновик или архивный',
    access: 'editScripts',
    query: named,
  }),
  imageByUrl: call({
    method: 'POST',
    path: `/${RegulationFile.path}/by-url`,
    summary: 'Картинка шага по ссылке: сервер скачивает её и хранит у себя',
    access: 'editScripts',
    body: z.strictObject({
      url: z.string('Введите ссылку').trim().min(1, 'Введите ссылку').max(MAX_URL, 'Ссылка слишком длинная'),
    }),
    status: 201,
    limit: 30,
    answer: rowOf(RegulationFile),
  }),
  importDocx: call({
    method: 'POST',
    path: '/regulations/model/import-docx',
    summary: 'Шаги из документа Word (поле file, DOCX до 20 МБ) для просмотра; сохраняются только картинки',
    access: 'editScripts',
    bodyType: 'multipart',
    limit: 20,
    answer: regulationImport,
  }),
  printPdf: call({
    method: 'GET',
    path: '/regulations/model/pdf',
    summary: 'Регламент на бумаге (PDF); sheet=1 — с листом ознакомления',
    access: 'public',
    limit: PAPERS,
    query: paper,
    file: 'application/pdf',
  }),
  exportDocx: call({
    method: 'GET',
    path: '/regulations/model/docx',
    summary: 'Регламент документом Word (DOCX); sheet=1 — с листом ознакомления',
    access: 'signed-in',
    limit: PAPERS,
    query: paper,
    file: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  }),
  test: call({
    method: 'GET',
    path: '/regulations/model/test',
    summary: 'Вопросы теста после ознакомления, без верных ответов',
    access: 'signed-in',
    query: named,
    answer: z.object({
      passScore: z.int(),
      questions: z.array(z.object({ text: z.string(), options: z.array(z.string()), several: z.boolean() })),
    }),
  }),
  confirm: call({
    method: 'POST',
    path: '/regulations/model/confirm',
    summary: 'Подтвердить ознакомление; с тестом — ответами на него: номера выбранных вариантов по вопросам, с нуля',
    access: 'signed-in',
    query: named,
    body: z.strictObject({ answers: z.array(z.array(z.int().min(0))).optional() }),
    answer: z.object({
      dateRead: z.string().nullable(),
      score: z.int().nullable(),
      passed: z.boolean(),
      attempts: z.int(),
    }),
  }),
  remind: call({
    method: 'POST',
    path: '/regulations/model/remind',
    summary: 'Напомнить тем, кто не ознакомился: всем или названным; каждому не чаще раза в час',
    access: 'signed-in',
    query: named,
    body: z.strictObject({ idUsers: z.array(id).max(MAX_PEOPLE).optional() }),
    answer: z.object({ count: z.int() }),
  }),
  setAudience: call({
    method: 'POST',
    path: '/regulations/model/set-audience',
    summary: 'Кому ознакомиться: роли по названиям и сотрудники; список приводится к этому',
    access: 'editScripts',
    query: named,
    body: audienceBody,
    answer: regulationView,
  }),
  newVersion: call({
    method: 'POST',
    path: '/regulations/model/new-version',
    summary:
      'Новая версия — черновик с шагами, тестом, согласующими и аудиторией этой; 409, пока другая новая версия в пути',
    access: 'editScripts',
    query: named,
    status: 201,
    answer: regulationView,
  }),
  decide: call({
    method: 'POST',
    path: '/regulations/model/decide',
    summary:
      'Решение согласующего: сначала все проверяющие, потом утверждающие; отказ — с замечанием, он возвращает в черновики',
    access: 'signed-in',
    query: named,
    body: z.strictObject({
      decision: oneOf(made),
      comment: z.string().max(2000).nullish(),
    }),
    answer: regulationView,
  }),
  reviewed: call({
    method: 'POST',
    path: '/regulations/model/reviewed',
    summary: 'Действующий регламент пересмотрен и остаётся как есть: срок следующего пересмотра — от сегодняшнего дня',
    access: 'editScripts',
    query: named,
    answer: regulationView,
  }),
  compare: call({
    method: 'GET',
    path: '/regulations/model/compare',
    summary: 'Чем отличаются две версии одного регламента; from — более ранняя из них',
    access: 'signed-in',
    query: z.strictObject({ id: idText, with: idText }),
    answer: regulationDifference,
  }),
  transition: call({
    method: 'POST',
    path: '/regulations/model/transition',
    summary:
      'Переход в другой статус; возврат в черновики — с причиной, ввод в действие с даты в будущем выполнит сервер',
    access: 'editScripts',
    query: named,
    body: z.strictObject({
      to: oneOf(regulationStatuses),
      reason: z.string().max(2000).nullish(),
      dateEffective: z.iso.date().nullish(),
    }),
    answer: regulationView,
  }),
  finishRun: ending('finish', 'Завершить выполнение: все шаги отмечены'),
  cancelRun: ending('cancel', 'Прервать выполнение; отмеченные шаги остаются'),
  stepScripts: call({
    method: 'GET',
    path: '/regulations/model/get-step-scripts',
    summary: 'Скрипты шага по порядку',
    access: 'signed-in',
    query: ofStep,
    answer: z.array(stageScript),
  }),
  setStepScripts: call({
    method: 'POST',
    path: '/regulations/model/set-step-scripts',
    summary: 'Скрипты шага приводятся к списку scriptIds',
    access: 'editScripts',
    query: ofStep,
    body: z.strictObject({ scriptIds: parts }),
    answer: z.array(stageScript),
  }),
  stepResponsibles: call({
    method: 'GET',
    path: '/regulations/model/get-step-responsibles',
    summary: 'Ответственные за шаг',
    access: 'signed-in',
    query: ofStep,
    answer: z.array(person),
  }),
  setStepResponsibles: call({
    method: 'POST',
    path: '/regulations/model/set-step-responsibles',
    summary: 'Ответственные за шаг приводятся к списку userIds',
    access: 'editScripts',
    query: ofStep,
    body: z.strictObject({ userIds: parts }),
    answer: z.array(person),
  }),
}
